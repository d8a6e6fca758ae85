/* The account of the game as far as it has been seen to happen. */

import { make, mini } from "./dom.js";
import { speech } from "./middle.js";

export class Log {
  constructor(pane, go) {
    this.pane = pane;
    this.list = pane.querySelector(".log");
    this.go = go;
  }

  show(story) {
    this.story = story;
    this.list.replaceChildren();
  }

  /* Only what is missing is added, and what lies ahead is taken away, so a step costs the same in a long game. */
  paint() {
    const { list, story, pane } = this;
    while (list.childElementCount > story.at + 1) list.lastElementChild.remove();
    const more = document.createDocumentFragment();
    for (let i = list.childElementCount; i <= story.at; i++) more.append(this.entry(i));
    list.append(more);
    list.querySelector(".cur")?.classList.remove("cur");
    list.lastElementChild.classList.add("cur");
    pane.scrollTop = pane.scrollHeight;
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
