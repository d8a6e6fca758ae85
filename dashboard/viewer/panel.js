/* The panel beside the table: three tabs, of which only the open one is painted. */

import { button, filled, icon } from "./dom.js";
import { Log } from "./log.js";
import { Claims, Votes } from "./tables.js";

const SIGNS = { log: "log", claims: "claim", votes: "vote" };

export class Panel {
  constructor(root, go, pick) {
    this.root = root;
    this.pick = pick;
    const pane = (name) => root.querySelector(`[data-pane=${name}]`);
    this.panes = { log: new Log(pane("log"), go), claims: new Claims(pane("claims")), votes: new Votes(pane("votes")) };
    this.tabs = Array.from(root.querySelectorAll("[data-tab]"));
    for (const tab of this.tabs) tab.addEventListener("click", () => this.open(tab.dataset.tab));
    root.querySelector(".tabs").addEventListener("keydown", (event) => this.turn(event));
    this.open("log");
  }

  show(story) {
    for (const tab of this.tabs) tab.replaceChildren(icon(SIGNS[tab.dataset.tab]), story.data.words[tab.dataset.tab]);
    for (const pane of Object.values(this.panes)) pane.show(story);
    this.shown = true;
    this.filter(story);
  }

  /* Says that only one seat is told of, and takes that back. */
  filter(story) {
    const bar = this.root.querySelector(".filter");
    const { words } = story.data;
    bar.hidden = !story.picked;
    if (!story.picked) return bar.replaceChildren();
    const text = filled(words.only, { seat: story.nameOf(story.picked) });
    return bar.replaceChildren(button("false", `${text} · ${words.all_seats}`, () => this.pick(story.picked), text));
  }

  open(name) {
    this.name = name;
    for (const tab of this.tabs) {
      tab.ariaSelected = String(tab.dataset.tab === name);
      tab.tabIndex = tab.dataset.tab === name ? 0 : -1;
    }
    for (const pane of this.root.querySelectorAll("[data-pane]")) pane.hidden = pane.dataset.pane !== name;
    if (this.shown) this.paint();
  }

  turn(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = this.tabs.findIndex((tab) => tab.dataset.tab === this.name);
    const tab = this.tabs.at((at + step) % this.tabs.length);
    this.open(tab.dataset.tab);
    tab.focus();
  }

  paint() {
    this.panes[this.name].paint();
  }
}
