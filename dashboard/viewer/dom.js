/* Making elements. Everything a player or a file has said becomes a text node, never markup. */

const SVG = "http://www.w3.org/2000/svg";

const ICONS = {
  next: "M9 5l7 7l-7 7",
  previous: "M15 5l-7 7l7 7",
  next_day: "M5 5l7 7l-7 7M18 5v14",
  previous_day: "M19 5l-7 7l7 7M6 5v14",
  play: "M8 4.500v15l12-7.500z",
  pause: "M8 5v14M16 5v14",
  ahead: "M2.500 12S6 5.500 12 5.500S21.500 12 21.500 12S18 18.500 12 18.500S2.500 12 2.500 12zM12 9a3 3 0 1 0 0 6a3 3 0 0 0 0-6z",
  help: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18zM9.500 9.500a2.500 2.500 0 1 1 3.500 2.300c-.7.300-1 .8-1 1.700M12 16.700v.1",
  theme: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18zM12 3v18M15 5v14M18 7.500v9",
  true: "M4.500 12.500l5 5L19.500 7",
  false: "M6 6l12 12M18 6L6 18",
  out: "M6 6l12 12M18 6L6 18",
  claim: "M4 5h16v11h-8l-5 4v-4H4z",
  vote: "M4 12v8h16v-8M8 15h8M9 4h6v9H9z",
  lie: "M12 3.500l9 16H3zM12 9.500v5M12 17v.1",
  badge: "M12 2l8 3v6c0 5-3.500 8.500-8 10.500c-4.500-2-8-5.500-8-10.500V5z",
  fork: "M6 4v16M6 5c0 6 12 4 12 13M14.500 15l3.500 4l3.500-4",
  log: "M5 6h14M5 12h14M5 18h9",
  /* the three teams */
  werewolf: "M5 3l3.500 4h7L19 3l1 9l-4 5l-1.500 4h-5L8 17l-4-5zM9 11.500l1.500 1M15 11.500l-1.500 1",
  village: "M3.500 11.500L12 4l8.500 7.500M6 10v10h12V10M10 20v-6h4v6",
  other: "M12 3l2.600 6.200l6.400.5l-4.900 4.200l1.500 6.600L12 17l-5.600 3.500l1.500-6.600L3 9.700l6.400-.5z",
  /* ways to go out */
  night: "M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500z",
  werewolves: "M6 4c0 6-1 11-2.500 16M12 3c0 7-.5 12-2 18M18.500 4c0 6-1 11-3 17",
  poison: "M12 3s6 6.500 6 11a6 6 0 0 1-12 0c0-4.500 6-11 6-11zM9.500 13.500l5 4M14.500 13.500l-5 4",
  exile: "M13 4H5v16h8M10 12h11M17 8l4 4l-4 4",
  shot: "M12 4a8 8 0 1 0 0 16a8 8 0 0 0 0-16zM12 1.500v6M12 16.500v6M1.500 12h6M16.500 12h6",
  explode: "M12 2l2 6l6-3l-3 6l5 2l-5.500 2L19 21l-6-3l-3 4l-1-6l-6 1l4-5L2 8l6.500 1z",
  lover: "M12 20S3.500 14.500 3.500 8.800A4.500 4.500 0 0 1 12 7a4.500 4.500 0 0 1 8.500 1.800C20.500 14.500 12 20 12 20z",
  red_card: "M7 3h10v18H7z",
};

export function make(tag, name = "", ...inside) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...inside.filter((item) => item !== undefined)); // strings become text nodes
  return element;
}

export function draw(tag, attributes, ...inside) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...inside);
  return element;
}

export function icon(name) {
  const path = draw("path", { d: ICONS[name] ?? ICONS.out });
  return draw("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, path);
}

/* A button that shows an icon, and words beside it where there are any; `label` names it. */
export function button(name, label, act, words) {
  const element = make("button", name, icon(name.split(" ").at(-1)), words && make("span", "", words));
  element.type = "button";
  element.ariaLabel = element.title = label;
  element.addEventListener("click", act);
  return element;
}

/* A number that stands for a seat wherever there is no room for its window */
export function mini(seat, facts) {
  const element = make("span", facts?.out.length ? "mini off" : "mini", String(seat));
  element.dataset.team = facts?.team ?? "";
  element.ariaHidden = "true";
  return element;
}

/* A claim; where it is judged, by a sign and a word, never by colour alone. */
export function chip([text, kind], words) {
  const judged = kind === "true" || kind === "false";
  const verdict = judged ? make("span", "unseen", ` (${words[`is_${kind}`]})`) : undefined;
  return make("span", `chip ${kind}`, judged ? icon(kind) : undefined, text, verdict);
}

export const votes = (halves) => String(halves / 2);

export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
