/* Watching: the table as everybody sees it, and with all cards once they are open. */

import { make } from "./dom.js";
import { bar, game, words } from "./basics.js";
import { Live } from "./live.js";

const file = new URLSearchParams(location.search).get("file");
const address = file === null ? `/api/games/${game}/stream` : `/api/files/stream?file=${encodeURIComponent(file)}`;
const asked = new URLSearchParams(location.search).get("view") ?? "public";

function views(scene) {
  const codes = [["public", words.view_public], ["god", words.view_god], ...scene.names.slice(1).map((name, i) => [String(i + 1), name])];
  const select = make("select", "views", ...codes.map(([code, name]) => new Option(name, code, false, code === scene.view)));
  select.ariaLabel = words.view;
  select.addEventListener("change", () => live.open(address, select.value));
  document.querySelector(".views")?.remove();
  document.querySelector(".tools").prepend(select);
}

bar();
const live = new Live(address, asked, { scene: (scene) => scene.all_views && views(scene) });
