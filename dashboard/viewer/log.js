/* The account of the game as far as it has been seen to happen. */

import { make, mini } from "./dom.js";
import { speech } from "./middle.js";

const KEPT = 150; // entries laid out at once, so that a step costs the same in a long game

export class Log {
  constructor(pane, go) {
    this.pane = pane;
    this.list = pane.querySelector(".log");
    this.go = go;
    pane.addEventListener("scroll", () => pane.scrollTop < 300 && this.earlier());
  }

  show(story) {
    this.story = story;
    this.places = story.places;
    this.clear(0);
  }

  clear(from) {
    this.from = from;
    this.list.replaceChildren();
  }

  get next() {
    return this.from + this.list.childElementCount;
  }

  /* Only what is missing is added, and what lies ahead, or far behind, is taken away. */
  paint() {
    const { list, story, pane } = this;
    const end = this.end();
    if (end <= this.from || end - this.next > KEPT) this.clear(Math.max(0, end - KEPT));
    while (this.next > end) list.lastElementChild.remove();
    list.append(...this.entries(this.next, end));
    if (list.childElementCount > 2 * KEPT) this.trim();
    list.querySelector(".cur")?.classList.remove("cur");
    if (this.places[end - 1] === story.at) list.lastElementChild.classList.add("cur");
    pane.scrollTop = pane.scrollHeight;
  }

  /* How many of the entries are not after the moment */
  end() {
    const [{ places, story }, range] = [this, [0, this.places.length]];
    while (range[0] < range[1]) {
      const middle = (range[0] + range[1]) >> 1;
      if (places[middle] <= story.at) range[0] = middle + 1;
      else range[1] = middle;
    }
    return range[0];
  }

  trim() {
    const far = Array.from(this.list.children).slice(0, -KEPT);
    for (const entry of far) entry.remove();
    this.from += far.length;
  }

  /* Whoever scrolls back finds the rest. */
  earlier() {
    if (!this.from) return;
    const { list, pane } = this;
    const below = pane.scrollHeight - pane.scrollTop;
    const from = Math.max(0, this.from - KEPT);
    list.prepend(...this.entries(from, this.from));
    this.from = from;
    pane.scrollTop = pane.scrollHeight - below;
  }

  entries(from, to) {
    return Array.from({ length: Math.max(0, to - from) }, (_, i) => this.entry(this.places[from + i]));
  }

  entry(i) {
    const { said, lines } = this.story.frames[i];
    const entry = make("li");
    const facts = said && this.story.picture.seats[said.seat];
    if (said) entry.append(make("div", "said", mini(said.seat, { out: [], team: facts.team }), ...speech(this.story, said)));
    else entry.append(...lines.map(([style, text]) => make("p", style, text)));
    entry.addEventListener("click", () => this.go(i));
    return entry;
  }
}
