/* The seats: each a window, with a name, a player and tags below it. */

import { draw, filled, icon, make, votes } from "./dom.js";

/* A press anywhere on a seat picks it out. The button for the keyboard stays when the seat is painted anew. */
export function sit(story, pick) {
  return story.data.names.slice(1).map((name, i) => {
    const button = make("button", "pick");
    button.type = "button";
    const seat = make("li", "seat", button);
    seat.dataset.seat = i + 1;
    seat.addEventListener("click", () => pick(i + 1));
    return seat;
  });
}

export function paintSeat(element, story, seat) {
  const { data, frame, picture } = story;
  const facts = picture.seats[seat];
  const picked = story.picked === seat;
  const states = { out: facts.out.length, speaks: frame.said?.seat === seat, awake: frame.awake?.includes(seat), picked };
  element.className = ["seat", ...Object.keys(states).filter((name) => states[name])].join(" ");
  element.dataset.team = facts.team;
  element.setAttribute("aria-label", story.nameOf(seat));
  const [button, ...rest] = element.children;
  for (const part of rest) part.remove();
  button.ariaLabel = filled(data.words.only, { seat: story.nameOf(seat) });
  button.ariaPressed = String(picked);
  element.append(window_(story, seat), ...plate(data.people[seat - 1]), tags(facts, data.words));
}

function window_(story, seat) {
  const { data, frame, picture } = story;
  const element = make("div", "window", String(seat));
  if (picture.sheriff === seat) element.append(badge(data.words.sheriff));
  const counted = frame.ballot?.tally.find(([target]) => target === seat);
  const cast = (frame.votes ?? frame.ballot?.votes)?.find(([voter]) => voter === seat);
  const mark = cast?.[1] === 0 ? data.words.abstains : picture.seats[seat].mark;
  if (counted) element.append(make("span", "number", votes(counted[1])));
  else if (mark) element.append(make("span", "mark", mark));
  if (data.you === seat) element.append(make("span", "you", data.words.you));
  return element;
}

function badge(label) {
  const shield = draw("path", { d: "M12 1.500l9.500 3.500v7c0 5.700-4 9.600-9.500 12.200c-5.500-2.600-9.500-6.500-9.500-12.200V5z" });
  const star = draw("path", { class: "star", d: "M12 6.500l1.800 3.700l4 .5l-3 2.800l.8 4l-3.600-2l-3.600 2l.8-4l-3-2.800l4-.5z" });
  return draw("svg", { viewBox: "0 0 24 26", class: "badge", role: "img", "aria-label": label }, shield, star);
}

function plate([name, player]) {
  if (!name && !player) return [];
  // Who has no name is called by what plays.
  const lines = [make("span", "name", name || player), name && player && make("span", "model", player)].filter(Boolean);
  const element = make("div", "plate", ...lines);
  element.title = [name, player].filter(Boolean).join(" · ");
  return [element];
}

/* A solid tag is the card, a dashed one only what the seat claims. */
function tags(facts, words) {
  const list = make("div", "tags");
  if (facts.card) list.append(tag("card", icon(facts.team), facts.card));
  if (facts.claim.length) {
    const [text, kind, title] = facts.claim;
    const judged = kind === "true" || kind === "false";
    const verdict = judged ? make("span", "unseen", ` (${words[`is_${kind}`]})`) : undefined;
    const claim = tag(`claim ${kind}`, icon(judged ? kind : "claim"), text, verdict);
    claim.append(make("span", "short", title));
    list.append(claim);
  }
  if (facts.out.length) {
    const [how, when, kind] = facts.out;
    list.append(tag("fate", icon(kind), how, make("span", "time-of", ` ${when}`)));
  }
  return list;
}

function tag(name, sign, text, more) {
  const element = make("span", `tag ${name}`, sign, make("span", "words", text), more);
  element.title = element.textContent;
  return element;
}
