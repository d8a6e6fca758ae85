/* The games that are being played and that everybody may watch. */

import { make } from "./dom.js";
import { bar, fill, lang, words } from "./basics.js";

const EVERY = 5000; // milliseconds between two looks
const place = document.querySelector(".playing");
let shown;

async function look() {
  let games;
  try {
    games = await (await fetch(`/api/listed?lang=${lang}`)).json();
  } catch {
    return; // the next look may reach the server
  }
  const now = JSON.stringify(games);
  if (now === shown) return;
  shown = now;
  const list = make("ul", "games", ...games.map(entry));
  place.replaceChildren(make("h2", "", words.playing), games.length ? list : make("p", "", words.playing_none));
}

function entry(game) {
  const link = make("a", "", game.title);
  link.href = `/watch/${game.id}?lang=${lang}`;
  const number = game.games > 1 ? ` · ${fill(words.game_of_series, game)}` : "";
  return make("li", "", link, make("span", "hint", ` ${words.short[game.state]}${number}`));
}

bar();
look();
setInterval(look, EVERY);
