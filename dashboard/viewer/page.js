/* The table in a file of its own: the views it holds, and an address after the #. */

import { button, icon, make } from "./dom.js";
import { Viewer } from "./viewer.js";

const game = JSON.parse(document.getElementById("game").textContent);
const codes = game.views.map((view) => view.code);
const viewer = new Viewer(document.body, write);
const shown = { view: codes[0], lang: game.setting.lang };

/* What the address asks for: #event=12&view=god&lang=en&autoplay, or after a question mark */
function asked() {
  const found = new URLSearchParams(`${location.search.slice(1)}&${location.hash.slice(1)}`);
  const view = codes.includes(found.get("view")) ? found.get("view") : codes[0];
  const lang = found.get("lang") === game.other.setting.lang ? game.other.setting.lang : game.setting.lang;
  return { view, lang, event: Number.parseInt(found.get("event"), 10) || 0, autoplay: found.has("autoplay") };
}

function write({ view, event }) {
  const more = codes.length > 1 ? `&view=${view}` : "";
  const lang = shown.lang === game.setting.lang ? "" : `&lang=${shown.lang}`;
  const stream = document.body.classList.contains("stream") ? "&autoplay" : "";
  history.replaceState(null, "", `#event=${event}${more}${lang}${stream}`);
}

/* The other language is there as what differs: where both are objects, key by key. */
function merged(one, other) {
  if (other === null || other === undefined) return one;
  if (!isObject(one) || !isObject(other)) return other;
  return { ...one, ...Object.fromEntries(Object.entries(other).map(([key, value]) => [key, merged(one[key], value)])) };
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function translated(key, place) {
  return shown.lang === game.setting.lang ? game[key][place] : merged(game[key][place], game.other[key][place]);
}

const setting = () => (shown.lang === game.setting.lang ? game.setting : game.other.setting);

function show(view, lang, start) {
  Object.assign(shown, { view, lang });
  const { frames, events, ...rest } = translated("views", codes.indexOf(view));
  const told = frames.map((place, i) => ({ ...translated("frames", place), event: events[i] }));
  tools();
  viewer.show({ ...setting(), ...rest, frames: told, start, address: { file: "", view } });
}

/* The bar above the table, in the language that is shown */
function tools() {
  const { title, lang } = setting();
  document.documentElement.lang = lang === "zh" ? "zh-CN" : "en";
  document.querySelector(".title").textContent = title;
  document.title = `${document.querySelector(".brand").textContent} · ${title}`;
  const bar = document.querySelector(".tools");
  const focused = bar.querySelector(":focus")?.className;
  bar.replaceChildren(...(codes.length > 1 ? [views()] : []), language(), theme());
  if (focused) bar.querySelector(`.${focused}`)?.focus();
}

function views() {
  const options = codes.map((code, place) => new Option(translated("views", place).name, code));
  const select = make("select", "views", ...options);
  select.ariaLabel = setting().words.views;
  select.value = shown.view;
  select.addEventListener("change", () => show(select.value, shown.lang, 0));
  return select;
}

function language() {
  const other = shown.lang === game.setting.lang ? game.other.setting : game.setting;
  const made = make("button", "language", other.language);
  made.type = "button";
  made.lang = other.lang === "zh" ? "zh-CN" : "en";
  made.addEventListener("click", () => show(shown.view, other.lang, viewer.story.frame.event));
  return made;
}

function theme() {
  const { words } = setting();
  return button("theme", words.theme, () => {
    const dark = getComputedStyle(document.body).colorScheme === "dark";
    const shown = dark || (getComputedStyle(document.body).colorScheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
    document.documentElement.style.colorScheme = shown ? "light" : "dark";
  });
}

function start() {
  const { view, lang, event, autoplay } = asked();
  document.body.classList.toggle("stream", autoplay);
  show(view, lang, event);
  viewer.go(viewer.story.placeOf(event));
  if (autoplay) viewer.play();
}

document.querySelector(".brand").prepend(icon("night"));
addEventListener("hashchange", start);
start();
