/* The marks on the timeline: outs, votes and the badge above the line, claims below it. Each is a jump. */

import { icon, make } from "./dom.js";

const ABOVE = ["out", "badge", "vote"];
const WIDTH = { above: 16, below: 10 };

/* Marks are kept apart by their width: a mark moves aside for one of another kind; in a long game one stands for its
   neighbours too, and the most telling wins. */
export function place(story, pixels) {
  const found = { above: [], below: [] };
  story.frames.forEach((frame, at) => {
    const kind = ABOVE.find((name) => frame.marks?.includes(name));
    if (kind) keep(found, "above", kind, at, pixels);
    if (frame.marks?.includes("claim")) keep(found, "below", judged(story, frame), at, pixels);
  });
  return [...found.above, ...found.below];
}

function judged(story, frame) {
  if (frame.marks.includes("lie")) return "lie";
  return story.data.open ? "true" : "claim";
}

function keep(found, lane, kind, at, pixels) {
  const weight = [...ABOVE, "lie", "claim", "true"];
  const there = found[lane].at(-1);
  const aside = there ? Math.max(0, WIDTH[lane] + there.aside - (at - there.at) * pixels) : 0;
  if (aside < (there?.kind === kind ? 1 : WIDTH[lane])) found[lane].push({ lane, kind, at, aside });
  else if (weight.indexOf(kind) < weight.indexOf(there.kind)) Object.assign(there, { kind, at });
}

export function paint({ lane, kind, at, aside }, share, words) {
  const mark = make("button", `mark ${lane} ${kind}`, lane === "above" ? icon(kind) : make("i"));
  mark.type = "button";
  mark.tabIndex = -1; // the keyboard has the jump buttons
  mark.title = words[`mark.${kind}`];
  mark.dataset.to = at;
  mark.style.left = `calc(${100 * share}% + ${aside}px)`;
  return mark;
}
