/* One arrow for each vote, one colour for each target, curved a little towards the middle; at night, who aims at whom. */

import { draw } from "./dom.js";
import { beside, between, clear, head, round } from "./geometry.js";

const ON_TOP = ["path", "polygon", "rect", "text"]; // no line goes over a weight

export function arrows(story, table) {
  const { votes, ballot, aims } = story.frame;
  const cast = (votes ?? ballot?.votes ?? []).filter(([voter, target]) => target && target !== voter);
  const colours = [...new Set((ballot?.tally.map(([seat]) => seat) ?? []).concat(cast.map(([, target]) => target)))];
  const sheriff = ballot?.sheriff ?? story.picture.sheriff;
  const { weight } = story.data;
  const drawn = cast.flatMap(([voter, target]) => {
    const heavy = voter === sheriff && weight !== "1" ? weight : "";
    return arrow(table, voter, target, `v${colours.indexOf(target) % 3}`, heavy);
  });
  const aimed = (aims ?? []).flatMap(([from, to]) => arrow(table, from, to, "aim", ""));
  return [...drawn, ...aimed].sort((one, other) => ON_TOP.indexOf(one.tagName) - ON_TOP.indexOf(other.tagName));
}

function arrow({ points, center, gap, board, room }, from, to, name, weight) {
  const [a, b] = [points[from - 1], points[to - 1]];
  const straight = between(a, b, center);
  const bend = board ? round(a, straight, b, board, center, room, from < to ? 0 : 28) : straight;
  const start = clear(a, bend, gap(from));
  const end = clear(b, bend, gap(to));
  const line = draw("path", { class: weight ? `${name} heavy` : name, d: `M${start}Q${bend} ${end}` });
  const drawn = [line, draw("polygon", { class: name, points: head(bend, end) })];
  return weight ? drawn.concat(label(beside(start, bend, end, board), name, weight)) : drawn;
}

function label([x, y], name, weight) {
  const text = draw("text", { x, y: y + 4.3, "text-anchor": "middle" }, weight);
  return [draw("rect", { class: name, x: x - 15, y: y - 10, width: 30, height: 20, rx: 10 }), text];
}
