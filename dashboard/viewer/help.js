/* How to read a game: what is drawn, the marks, the keys. */

import { button, icon, make } from "./dom.js";

const KEYS = [
  ["play", ["␣"]], ["step", ["←", "→"]], ["phase", ["⇧ ←", "⇧ →"]], ["ends", ["Home", "End"]], ["jump", ["O", "C", "V", "L"]],
  ["seat", ["1", "…", "9"]],
  ["help", ["?"]],
];

export function help(root, { words, open, counts }) {
  const dialog = make("dialog", "guide");
  dialog.setAttribute("aria-label", words.help);
  const close = button("false", words.close, () => dialog.close());
  close.classList.add("close");
  const texts = [...Object.values(words.help_text), words[`counts.${counts}`]].map((text) => make("p", "", text));
  const marks = ["out", "vote", "badge", ...(open ? ["true", "lie"] : ["claim"])];
  const keys = KEYS.map(([key, caps]) => [make("dt", "", ...caps.map((cap) => make("kbd", "", cap))), words[`key.${key}`]]);
  dialog.append(
    close,
    make("h2", "", words.help),
    ...texts,
    make("h3", "", words.marks),
    list(marks.map((kind) => [make("dt", `mark ${kind}`, sign(kind)), words[`mark.${kind}`]])),
    make("h3", "", words.keys),
    list(keys),
  );
  dialog.addEventListener("close", () => dialog.remove());
  root.append(dialog);
  dialog.showModal();
}

function sign(kind) {
  return ["true", "lie", "claim"].includes(kind) ? make("i") : icon(kind);
}

function list(rows) {
  return make("dl", "", ...rows.flatMap(([term, text]) => [term, make("dd", "", text)]));
}
