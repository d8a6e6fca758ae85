/* The timeline: buttons, pace, jumps, the line of days and phases with its marks, and the scrubber over it. */

import { button, icon, make } from "./dom.js";
import { paint, place } from "./marks.js";

const SPEEDS = [0.5, 1, 2, 4];
const STEPS = ["previous_day", "previous", "play", "next", "next_day"];
const MARKS = ["out", "claim", "vote", "lie"];

export class Time {
  constructor(root, viewer) {
    this.viewer = viewer;
    this.time = root.querySelector(".time");
    this.find = (selector) => this.time.querySelector(selector);
    this.scrub = this.find(".scrub");
    this.scrub.addEventListener("input", () => viewer.go(Number(this.scrub.value)));
    this.find(".marks").addEventListener("click", (event) => {
      const mark = event.target.closest("[data-to]");
      if (mark) viewer.go(Number(mark.dataset.to));
    });
    this.ahead = undefined;
  }

  show(story, seen) {
    const { words, open } = story.data;
    this.story = story;
    this.seen = seen;
    this.ahead ??= open;
    if (story.data.open !== this.open) this.ahead = open;
    this.open = open;
    this.scrub.ariaLabel = words.position;
    this.scrub.max = Math.max(1, story.last);
    this.find(".buttons").replaceChildren(...STEPS.map((where) => this.step(where, words)));
    this.find(".pace").replaceChildren(this.at(words), this.speeds(words), this.markers(words));
    const jumps = MARKS.filter((kind) => story.kinds.includes(kind)).map((kind) => this.jump(kind, words));
    this.find(".jumps").replaceChildren(...jumps, ...(this.viewer.fork ? [this.fork(words)] : []));
    this.place();
  }

  step(where, words) {
    const made = button(where === "play" ? "main play" : where, words[where], () => this.viewer.press(where));
    made.dataset.go = where;
    return made;
  }

  at(words) {
    const made = make("span", "at", make("span", "word", words.event), make("b"));
    made.title = words[`counts.${this.story.data.counts}`];
    return made;
  }

  speeds(words) {
    const select = make("select", "speed", ...SPEEDS.map((speed) => new Option(`${speed}×`, speed)));
    select.ariaLabel = select.title = words.speed;
    select.value = this.viewer.speed;
    select.addEventListener("change", () => (this.viewer.speed = Number(select.value)));
    return select;
  }

  markers(words) {
    const made = button("ahead", words.ahead, () => {
      this.ahead = !this.ahead;
      this.paint();
    });
    return made;
  }

  jump(kind, words) {
    const made = button(`jump ${kind}`, words[`to_${kind}`], (event) => this.viewer.jump(kind, event.shiftKey), words[kind]);
    made.dataset.jump = kind;
    return made;
  }

  fork(words) {
    return button("to-fork fork", words.to_fork, () => this.viewer.fork(this.story.frame.event), words.fork);
  }

  /* Parts and marks are laid out once for a width; a step only shows and hides them. */
  place() {
    const { story } = this;
    if (!story) return;
    this.width = this.scrub.clientWidth;
    const all = Math.max(1, story.last);
    const pixels = this.width / all;
    this.parts = parts(story);
    this.find(".tape").replaceChildren(...this.parts.map((part) => this.part(part, all, pixels)), make("div", "unseen-yet"));
    this.cut();
    this.find(".marks").replaceChildren(...place(story, pixels).map((mark) => paint(mark, mark.at / all, story.data.words)));
    this.paint();
  }

  part({ from, to, name, part, day }, all, pixels) {
    const width = (to - from) * pixels;
    const sign = part === "night" && width > 28 ? icon("night") : undefined;
    const element = make("div", "part", sign, make("span", "", width > 28 ? name : ""));
    element.title = name;
    element.dataset.part = part;
    if (day) element.dataset.day = day;
    element.style.left = `${(100 * from) / all}%`;
    element.style.width = `${(100 * (to - from)) / all}%`;
    return element;
  }

  /* A name is whole or not there; of a night its number may be left. */
  cut() {
    const names = Array.from(this.time.querySelectorAll(".part span"));
    const cut = (name) => name.parentElement.scrollWidth > name.parentElement.clientWidth;
    const wide = names.filter(cut);
    for (const name of wide) name.textContent = name.parentElement.dataset.part === "night" ? name.textContent.replace(/\D/g, "") : "";
    for (const name of wide.filter(cut)) name.textContent = "";
  }

  paint() {
    const { story, viewer } = this;
    const { words } = story.data;
    const all = Math.max(1, story.last);
    const seen = this.ahead ? story.last : this.seen;
    this.find(".unseen-yet").style.left = `${(100 * seen) / all}%`;
    for (const mark of this.find(".marks").children) mark.hidden = Number(mark.dataset.to) > seen;
    this.find(".ahead").ariaPressed = String(this.ahead);
    this.find(".at b").textContent = `${story.frame.event} / ${story.frames.at(-1).event}`;
    this.scrub.value = story.at;
    const { round, phase } = story.picture;
    this.scrub.setAttribute("aria-valuetext", [round, phase, story.line()].filter(Boolean).join(" · "));
    for (const where of STEPS) {
      const end = where.startsWith("next") ? story.last : where === "play" ? -1 : 0;
      this.find(`[data-go=${where}]`).disabled = story.at === end;
    }
    const play = this.find("[data-go=play]");
    const state = viewer.playing ? "pause" : "play";
    if (play.dataset.state !== state) play.replaceChildren(icon(state));
    play.dataset.state = state;
    play.ariaLabel = play.title = words[state];
  }

  passed(at) {
    this.seen = Math.max(this.seen, at);
  }
}

/* The parts of the days, and the frames they go from and to */
function parts(story) {
  const found = [];
  let picture = {};
  story.frames.forEach((frame, i) => {
    picture = { ...picture, round: frame.round ?? picture.round, phase: frame.phase ?? picture.phase, part: frame.part ?? picture.part };
    const begins = frame.part !== undefined || frame.day !== undefined || !found.length;
    if (begins) found.push({ from: i, name: picture.phase || picture.round || story.data.words.setup, part: picture.part ?? "" });
    if (begins && frame.day) found.at(-1).day = picture.round;
  });
  found.forEach((part, k) => (part.to = found[k + 1]?.from ?? Math.max(1, story.last)));
  return found;
}
