/* A series: which game of how many this is, the points so far, and the way on to the next game. */

import { make } from "./dom.js";
import { fill, game, lang, press, words } from "./basics.js";

const tools = document.querySelector(".tools");

export function series(now) {
  tools.querySelector(".series")?.remove();
  tools.querySelector(".next")?.remove();
  const text = fill(words.game_of_series, now);
  const opener = now.points.length ? press(text, () => points(now), "series") : make("span", "series", text);
  tools.prepend(opener);
  if (now.next) tools.prepend(link());
}

/* The server knows by the cookie who goes on to which seat; whoever has none goes on watching. */
export function link() {
  const next = make("a", "next main", words.next_game);
  next.href = `/next/${game}?lang=${lang}`;
  return next;
}

function points(now) {
  const games = now.points[0].points.map((_, i) => fill(words.game_number, { number: i + 1 }));
  const head = make("tr", "", ...[words.points_name, words.points_sum, ...games].map((text) => heading(text, "col")));
  const rows = now.points.map((line) => {
    const name = heading(`${line.seat} · ${line.name}`, "row");
    return make("tr", "", name, make("td", "sum", line.sum), ...line.points.map((number) => make("td", "", number)));
  });
  const table = make("div", "scroll", make("table", "points", make("thead", "", head), make("tbody", "", ...rows)));
  const dialog = make("dialog", "sure wide", make("h2", "", words.points), table);
  dialog.append(press(words.close, () => dialog.close(), "plain"));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function heading(text, scope) {
  const cell = make("th", "", text);
  cell.scope = scope;
  return cell;
}
