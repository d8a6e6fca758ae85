/* What all pages of live games share: words, requests, the bar at the top. */

import { make } from "./dom.js";

export const { lang, words } = JSON.parse(document.getElementById("page").textContent);

export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);

export const game = location.pathname.split("/")[2] ?? "";

export async function post(path, data = {}) {
  const address = `${path}?lang=${lang}`;
  const headers = { "content-type": "application/json" };
  try {
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(data) });
    return { ok: answer.ok, status: answer.status, ...(await answer.json()) };
  } catch {
    return { ok: false, status: 0, error: words.offline };
  }
}

export function press(text, act, name = "") {
  const element = make("button", name, text);
  element.type = "button";
  element.addEventListener("click", act);
  return element;
}

/* What can't be taken back is asked again. */
export function sure(text, go) {
  const dialog = make("dialog", "sure", make("p", "", text));
  const close = () => dialog.close();
  const yes = press(words.sure_yes, () => (close(), go()), "main yes");
  dialog.append(make("div", "row", yes, press(words.sure_no, close, "plain")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

export function bar() {
  const other = make("a", "other", words.other);
  const address = new URL(location.href);
  address.searchParams.set("lang", lang === "zh" ? "en" : "zh");
  other.href = address;
  other.lang = lang === "zh" ? "en" : "zh-CN";
  document.querySelector(".tools").append(other);
}

export function say(text, kind = "") {
  const state = document.querySelector(".state");
  state.textContent = text;
  state.dataset.state = kind;
}
