/* Claims: what a speech puts on record, made of a kind, seats in order, and where it can be more than one thing, which. */

import { make } from "./dom.js";
import { press, words } from "./basics.js";

export class Claims {
  constructor({ most, kinds }, names) {
    this.most = most;
    this.kinds = kinds;
    this.names = names;
    this.made = [];
    this.list = make("ul", "claims-made");
    this.about = this.select(kinds.map(({ about, words }) => [about, words]), words.claim_about);
    this.seats = make("div", "seat-buttons");
    this.value = this.select([], words.claim_value);
    this.add = press(words.claim_add, () => this.take(), "add");
    this.about.addEventListener("change", () => this.choose());
    const hint = make("p", "hint", words.claims_hint);
    this.element = make("details", "claims", make("summary", "", words.claims), hint, this.list, this.about, this.seats, this.value, this.add);
    this.choose();
  }

  select(options, label) {
    const element = make("select", "", ...options.map(([value, text]) => new Option(text, value)));
    element.ariaLabel = label;
    return element;
  }

  get kind() {
    return this.kinds.find(({ about }) => about === this.about.value);
  }

  choose() {
    const { kind } = this;
    this.named = [];
    this.seats.replaceChildren(...this.names.slice(1).map((name, i) => this.seat(i + 1, name)));
    this.value.replaceChildren(...(kind.values ?? []).map(([value, text]) => new Option(text, value)));
    this.value.hidden = !kind.values;
    this.paint();
  }

  seat(seat, name) {
    const button = press(String(seat), () => this.toggle(seat), "seat-button");
    button.ariaLabel = name;
    return button;
  }

  /* Seats are kept in the order in which they are pressed, because that means something. */
  toggle(seat) {
    const at = this.named.indexOf(seat);
    if (at >= 0) this.named.splice(at, 1);
    else if (this.named.length < this.kind.most) this.named.push(seat);
    else if (this.kind.most === 1) this.named = [seat];
    this.paint();
  }

  paint() {
    const { kind, named } = this;
    this.seats.childNodes.forEach((button, i) => {
      const place = named.indexOf(i + 1);
      button.ariaPressed = String(place >= 0);
      button.textContent = place >= 0 && kind.most > 1 ? `${i + 1} (${place + 1})` : String(i + 1);
    });
    this.add.disabled = named.length < kind.least || this.made.length >= this.most;
    this.list.replaceChildren(...this.made.map((claim, i) => make("li", "", this.words(claim), press(words.claim_remove, () => this.drop(i), "plain"))));
  }

  words({ about, seats, value }) {
    const kind = this.kinds.find((other) => other.about === about);
    const what = kind.values?.find(([code]) => code === value)?.[1];
    return [kind.words, seats.join(" "), what].filter(Boolean).join(" · ");
  }

  take() {
    const { kind, named } = this;
    this.made.push({ about: kind.about, seats: named, value: kind.values ? this.value.value : "" });
    this.choose();
  }

  drop(i) {
    this.made.splice(i, 1);
    this.paint();
  }
}
