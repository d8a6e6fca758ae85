/* A question as a form: choices as buttons, a box for words, and nothing is sent before it is confirmed. */

import { make } from "./dom.js";
import { fill, press, sure, words } from "./basics.js";
import { Claims } from "./claims.js";

export class Question {
  constructor(question, names, send) {
    this.question = question;
    this.names = names;
    this.send = send;
    this.chosen = undefined;
    this.seats = new Set();
    this.problem = make("p", "problem");
    this.problem.role = "alert";
    this.confirm = press("", () => this.decide(), "main confirm");
    this.element = make("div", "question", ...this.parts());
    this.paint();
  }

  parts() {
    const { question } = this;
    const grave = question.window && question.choices.find((choice) => choice.for_good);
    if (grave) return [make("div", "choices", ...this.chances(grave)), this.problem];
    const kept = question.turn ? this.speech() : question.letters ? [this.box(words.aside, "aside")] : [];
    const choices = question.choices.map((choice) => this.choice(choice));
    if (question.turn) return [...kept, ...choices.flat(), this.problem];
    return [make("div", "choices", ...choices.flat()), ...kept, this.confirm, this.problem];
  }

  /* A chance beside somebody else's speech: who doesn't take it has nothing to press. */
  chances(choice) {
    return choice.options.map(({ seats, words: text }) => {
      const go = () => this.answer(choice.act, seats);
      return press(text, () => sure(fill(words.sure, { decision: text }), go), "option grave");
    });
  }

  speech() {
    this.claims = new Claims(this.question.claims, this.names);
    const speak = press(words.speak, () => this.speak(), "main speak");
    this.silent = press(words.pass_turn, () => sure(words.pass_turn, () => this.answer("pass")), "plain");
    return [this.box(words.speech, "speech"), this.claims.element, make("div", "row", speak, this.silent)];
  }

  box(label, name) {
    const { letters } = this.question;
    this.text = make("textarea", name);
    this.text.maxLength = letters;
    this.text.rows = name === "speech" ? 5 : 2;
    const count = make("span", "count");
    const paint = () => (count.textContent = fill(words.letters, { used: this.text.value.length, letters }));
    this.text.addEventListener("input", paint);
    paint();
    return make("label", "box", label, this.text, count);
  }

  /* One button for each seat a choice may name; those that name several are ticked first. */
  choice(choice) {
    if (choice.most > 1) return [this.several(choice)];
    if (this.question.turn) return this.chances(choice); // a speech has its own way to be sent
    const buttons = choice.options.map(({ seats, words: text, short }) => {
      const button = press(short || text, () => this.choose(choice, seats, text, button), choice.for_good ? "option grave" : "option");
      if (short) button.ariaLabel = text;
      return button;
    });
    return choice.words ? [make("fieldset", "several", make("legend", "", choice.words), ...buttons)] : buttons;
  }

  several(choice) {
    const hint = `${choice.words} · ${fill(choice.least === choice.most ? words.choose_exactly : words.choose_several, choice)}`;
    const buttons = choice.options.map(({ seats: [seat], words: text }) => {
      const button = press(text, () => this.tick(choice, seat, button), "option");
      return button;
    });
    return make("fieldset", "several", make("legend", "", hint), ...buttons);
  }

  choose(choice, seats, text, button) {
    this.seats.clear();
    this.chosen = { choice, seats, text };
    this.mark(button);
  }

  tick(choice, seat, button) {
    if (this.seats.has(seat)) this.seats.delete(seat);
    else if (this.seats.size < choice.most) this.seats.add(seat);
    else return;
    const seats = [...this.seats];
    const named = choice.options.filter(({ seats: [one] }) => this.seats.has(one)).map(({ words }) => words);
    this.chosen = seats.length >= choice.least ? { choice, seats, text: choice.words.replace("…", named.join(words.and)) } : undefined;
    for (const option of this.element.querySelectorAll(".option")) {
      if (option.parentElement !== button.parentElement) option.ariaPressed = "false";
    }
    button.ariaPressed = String(this.seats.has(seat));
    this.paint();
  }

  mark(button) {
    for (const option of this.element.querySelectorAll(".option")) option.ariaPressed = String(option === button);
    this.paint();
  }

  paint() {
    this.confirm.hidden = this.question.choices.length === 0;
    this.confirm.disabled = !this.chosen;
    this.confirm.textContent = this.chosen ? fill(words.confirm, { decision: this.chosen.text }) : words.choose;
  }

  speak() {
    if (!this.text.value.trim() && !this.claims.made.length) return void this.silent.click();
    this.answer("speak", [], { text: this.text.value, claims: this.claims.made });
  }

  /* The time is nearly up: a speech that has been written is said. */
  keep() {
    if (this.question.turn && this.text.value.trim()) this.speak();
  }

  decide() {
    const { choice, seats, text } = this.chosen;
    const said = this.text && !this.question.turn ? { text: this.text.value } : {};
    const go = () => this.answer(choice.act, seats, said);
    if (choice.for_good) sure(fill(words.sure, { decision: text }), go);
    else go();
  }

  async answer(act, seats = [], more = {}) {
    if (this.sending) return;
    this.sending = true;
    this.element.classList.add("sending");
    const answer = await this.send({ n: this.question.n, act, seats, ...more });
    this.sending = false;
    this.element.classList.remove("sending");
    this.problem.textContent = answer.ok ? "" : answer.error;
  }
}
