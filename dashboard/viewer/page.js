/* The table in a file of its own: the views it holds, and an address after the #. */

import { button, icon, make } from "./dom.js";
import { Viewer } from "./viewer.js";

const game = JSON.parse(document.getElementById("game").textContent);
const { words } = game.setting;
const codes = game.views.map((view) => view.code);
const viewer = new Viewer(document.body, write);

/* What the address asks for: #event=12&view=god&autoplay, or after a question mark */
function asked() {
  const found = new URLSearchParams(`${location.search.slice(1)}&${location.hash.slice(1)}`);
  const view = codes.includes(found.get("view")) ? found.get("view") : codes[0];
  return { view, event: Number.parseInt(found.get("event"), 10) || 0, autoplay: found.has("autoplay") };
}

function write({ view, event }) {
  const more = codes.length > 1 ? `&view=${view}` : "";
  const stream = document.body.classList.contains("stream") ? "&autoplay" : "";
  history.replaceState(null, "", `#event=${event}${more}${stream}`);
}

function show(view, start) {
  const { frames, events, ...rest } = game.views[codes.indexOf(view)];
  const told = frames.map((place, i) => ({ ...game.frames[place], event: events[i] }));
  viewer.show({ ...game.setting, ...rest, frames: told, start, address: { file: "", view } });
}

function views() {
  const select = make("select", "views", ...game.views.map(({ name, code }) => new Option(name, code)));
  select.ariaLabel = words.views;
  select.addEventListener("change", () => show(select.value, 0));
  return select;
}

function theme() {
  return button("theme", words.theme, () => {
    const dark = getComputedStyle(document.body).colorScheme === "dark";
    const shown = dark || (getComputedStyle(document.body).colorScheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
    document.documentElement.style.colorScheme = shown ? "light" : "dark";
  });
}

function start() {
  const { view, event, autoplay } = asked();
  document.body.classList.toggle("stream", autoplay);
  const select = document.querySelector(".views");
  if (select) select.value = view;
  show(view, event);
  viewer.go(viewer.story.placeOf(event));
  if (autoplay) viewer.play();
}

document.querySelector(".brand").prepend(icon("night"));
document.querySelector(".tools").append(...(codes.length > 1 ? [views()] : []), theme());
addEventListener("hashchange", start);
start();
