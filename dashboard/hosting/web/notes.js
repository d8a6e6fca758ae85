/* A person's own notes: kept by the server, the same on all their pages. */

import { make } from "./dom.js";
import { words } from "./basics.js";

export class Notes {
  constructor(place, save) {
    this.save = save;
    this.text = make("textarea");
    this.text.rows = 5;
    this.text.maxLength = 20000;
    this.text.ariaLabel = words.notes;
    this.line = make("p", "hint", words.notes_hint);
    const about = make("details", "notes", make("summary", "", words.notes), this.text, this.line);
    place.append(about);
    this.text.addEventListener("input", () => this.typed());
  }

  /* What another page has written is shown, unless something is being written here. */
  show(text) {
    if (this.timer || document.activeElement === this.text) return;
    this.text.value = text;
  }

  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      const answer = await this.save(this.text.value);
      this.timer = undefined;
      this.line.textContent = answer.ok ? words.saved : answer.error;
    }, 700);
  }
}
