/* The clock of a question: it waits until everything has been read, then runs down. */

import { make } from "./dom.js";
import { fill, words } from "./basics.js";

const LAST = 0.9; // seconds: what has been written by then still arrives in time

export class Clock {
  constructor(over) {
    this.over = over;
    this.line = make("p", "clock");
    this.track = make("div", "track", make("div", "run"));
    this.track.ariaHidden = "true";
    setInterval(() => this.paint(), 250);
  }

  show(question) {
    const now = performance.now() / 1000;
    this.question = question;
    this.opens = now + question.wait;
    this.ends = question.left === null ? undefined : this.opens + question.left;
    if (this.n !== question.n) this.all = question.left;
    this.n = question.n;
    this.paint();
  }

  get left() {
    const now = performance.now() / 1000;
    return this.ends - Math.max(now, this.opens);
  }

  paint() {
    const { question, line } = this;
    if (!question) return;
    const waits = this.opens - performance.now() / 1000;
    if (question.stands) line.textContent = words.stands;
    else if (this.ends === undefined) line.textContent = question.window ? "" : words.no_clock;
    else if (waits > 0.5) line.textContent = fill(words.starts, { seconds: Math.ceil(waits) });
    else line.textContent = fill(words.seconds, { seconds: Math.max(0, Math.ceil(this.left)) });
    if (this.ends !== undefined && !question.stands && this.left < LAST && this.told !== this.n) {
      this.told = this.n;
      this.over();
    }
    const short = this.ends !== undefined && !question.stands && this.left <= 10;
    line.classList.toggle("short", short);
    this.track.hidden = this.ends === undefined;
    this.track.firstElementChild.style.width = `${Math.max(0, Math.min(100, (100 * this.left) / (this.all || 1)))}%`;
  }
}
