/* The table. It is given frames (see dashboard/frames.py) and steps through them without asking the server. */

import { Address } from "./address.js";
import { button } from "./dom.js";
import { help } from "./help.js";
import { Keys } from "./keys.js";
import { Panel } from "./panel.js";
import { Stage } from "./stage.js";
import { Story } from "./story.js";
import { Time } from "./time.js";

const LETTERS = { zh: 9, en: 28 }; // a second, at speed 1: about as fast as one reads

export class Viewer {
  constructor(root, write) {
    this.root = root.querySelector(".dw");
    this.address = new Address(write);
    this.speed = 1;
    this.playing = false;
    const go = (to) => this.go(to);
    const pick = (seat) => this.pick(seat);
    this.stage = new Stage(this.root, go, pick);
    this.time = new Time(this.root, this);
    this.panel = new Panel(this.root, go, pick);
    this.keys = new Keys(this);
    this.sizes = new ResizeObserver(() => this.story && this.place());
    this.sizes.observe(this.root.parentElement ?? this.root);
  }

  close() {
    clearTimeout(this.timer);
    this.address.close();
    this.keys.close();
    this.sizes.disconnect();
  }

  /* New data. The same game stays where it is, in another language or view; another one starts where it is told to. */
  show(data) {
    const before = this.story;
    const same = before && JSON.stringify(before.data.address) === JSON.stringify(data.address);
    const jumps = before && before.data.jump !== data.jump;
    this.beside = Boolean(data.beside);
    if (this.story) this.place();
    if (same && !jumps && before.data.lang === data.lang && before.frames.length === data.frames.length) return;
    const views = before?.data.address.file === data.address.file; // of one game
    this.story = new Story(data);
    if (views) this.story.picked = before.picked;
    this.story.go(this.story.placeOf(views && !jumps ? before.frame.event : data.start));
    this.root.lang = data.lang === "zh" ? "zh-CN" : "en";
    this.root.querySelector(".info").replaceChildren(button("help", data.words.help, () => this.help()));
    this.stage.show(this.story);
    this.panel.show(this.story);
    this.time.show(this.story, same ? this.time.seen : 0);
    this.place();
    this.go(this.story.at);
  }

  place() {
    const { width } = this.root.getBoundingClientRect();
    const bare = this.beside && width < 1180;
    this.root.classList.toggle("bare", bare && width > 620);
    this.root.classList.toggle("narrow", width <= (bare ? 620 : 860));
    this.stage.place();
    this.time.place();
  }

  go(to) {
    const { story } = this;
    story.go(to);
    this.time.passed(story.at);
    this.stage.paint();
    this.panel.paint();
    if (this.playing) this.wait();
    this.time.paint();
    this.address.keep({ ...story.data.address, event: story.frame.event });
    return true;
  }

  /* Only what is about a seat stands in the panel; picked once more, everything does again. */
  pick(seat) {
    const { story } = this;
    if (seat >= story.data.names.length) return false;
    story.picked = story.picked === seat ? 0 : seat;
    this.panel.show(story);
    this.panel.paint();
    this.stage.repaintSeats();
    return true;
  }

  press(where) {
    if (where !== "play") return this.go(this.story.target(where));
    if (this.playing) this.pause();
    else this.play();
    return true;
  }

  jump(kind, back) {
    if (!this.story.kinds.includes(kind)) return false;
    return this.go(this.story.target(`${back ? "previous" : "next"}_${kind}`));
  }

  play() {
    this.playing = true;
    this.go(this.story.at === this.story.last ? 0 : this.story.at);
  }

  pause() {
    this.playing = false;
    clearTimeout(this.timer);
    this.stage.typing.stop();
    this.time.paint();
  }

  /* Speeches are typed out as fast as one reads; what is short stays long enough to be taken in. */
  wait() {
    clearTimeout(this.timer);
    const { story } = this;
    if (story.at === story.last) return void (this.playing = false);
    const { said, ballot, kind } = story.frame;
    const typed = said ? said.text.length / LETTERS[story.data.lang] / this.speed : 0;
    if (said) this.stage.type(typed);
    const rest = ballot ? 4 : kind === "dealt" ? 0.5 : said ? 1.2 : 2;
    this.timer = setTimeout(() => this.go(story.at + 1), 1000 * (typed + rest / this.speed));
  }

  help() {
    help(this.root, this.story.data);
    return true;
  }
}
