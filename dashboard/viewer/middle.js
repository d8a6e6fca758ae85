/* The middle of the table says what happens now, one thing at a time. */

import { chip, icon, make, mini, votes } from "./dom.js";

/* A speech: who, what kind, the words, the claims in it */
export function speech(story, said) {
  const { words } = story.data;
  const header = make("header", "", make("b", "", story.nameOf(said.seat)), " ", make("span", "", said.topic));
  const text = said.text || (said.claims.length ? "" : words.passes);
  const chips = said.claims.map((claim) => chip(claim, words));
  return [header, make("p", "", text), chips.length ? make("div", "chips", ...chips) : undefined];
}

export function middle(story, go) {
  const { said, ballot } = story.frame;
  if (said) return [bubble(story, said), ...order(story, said.seat)];
  return [ballot ? board(story, ballot) : tell(story, go)];
}

function bubble(story, said) {
  const [header, ...rest] = speech(story, said);
  header.prepend(mini(said.seat, story.picture.seats[said.seat]));
  return scrolled(make("div", "say", header, ...rest));
}

/* What may be longer than its room can be scrolled with the keyboard too. */
function scrolled(element) {
  element.tabIndex = 0;
  return element;
}

function order(story, speaker) {
  const { order: seats } = story.picture;
  const place = seats.indexOf(speaker);
  if (place < 0) return [];
  const turns = seats.map((seat, i) => make("b", i < place ? "past" : i === place ? "present" : "", String(seat)));
  return [make("div", "order", story.data.words.order, ...turns)];
}

function board(story, ballot) {
  const { lines } = story.frame;
  const most = ballot.tally[0]?.[1] ?? 1;
  const rows = ballot.tally.map(([seat, halves], i) => {
    const fill = make("i", `v${i % 3}`);
    fill.style.width = `${(100 * halves) / most}%`;
    const count = make("b", "", votes(halves));
    return make("div", "row", mini(seat, story.picture.seats[seat]), make("span", "bar", fill), count);
  });
  const rest = lines.slice(ballot.tally.length ? 1 : 0).map(([, text]) => make("p", "aside", text));
  return scrolled(make("div", "board", make("h2", "", ballot.title), ...rows, ...rest));
}

function tell(story, go) {
  const { lines, kind, votes: open, aims, hint, recap } = story.frame;
  const { hints } = story.data.words;
  // The votes themselves are to be seen on the table, by their arrows.
  const told = open?.length ? lines.slice(0, 1) : lines;
  const said = told.map(([style, text]) => make("p", style, text));
  const why = hint ? make("p", "hint", hints[hint]) : undefined;
  const name = kind === "ended" ? "tell end" : open || aims?.length ? "tell framed" : "tell";
  return scrolled(make("div", name, ...said, why, recap && recaps(story, recap, go)));
}

/* Who went out when and how, each a jump to that moment */
function recaps(story, seats, go) {
  const list = make("ol", "recap");
  list.ariaLabel = story.data.words.recap;
  for (const seat of seats) {
    const facts = story.picture.seats[seat];
    const card = make("b", "card", facts.team ? icon(facts.team) : undefined, facts.card);
    const end = facts.out.length ? `${facts.out[1]} · ${facts.out[0]}` : story.data.words.in_play_still;
    const jump = make("button", "", mini(seat, facts), card, make("span", "", end));
    jump.type = "button";
    jump.dataset.team = facts.team;
    jump.disabled = !facts.out.length;
    jump.addEventListener("click", () => go(story.fallOf(seat)));
    list.append(make("li", "", jump));
  }
  return list;
}

/* A speech is typed out; what is still to come keeps its room, so nothing moves. */
export class Typing {
  start(bubble, seconds) {
    this.stop();
    const words = bubble?.querySelector("p");
    if (!words?.textContent || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.letters = Array.from(words.textContent);
    this.heard = make("span", "heard");
    this.rest = make("span", "rest");
    words.replaceChildren(this.heard, this.rest);
    const began = performance.now();
    const type = () => {
      const share = Math.min(1, (performance.now() - began) / (1000 * seconds));
      this.upTo(Math.ceil(share * this.letters.length));
      if (share < 1) this.next = requestAnimationFrame(type);
    };
    type();
  }

  upTo(count) {
    this.heard.textContent = this.letters.slice(0, count).join("");
    this.rest.textContent = this.letters.slice(count).join("");
  }

  stop() {
    cancelAnimationFrame(this.next);
    if (this.letters) this.upTo(this.letters.length);
    this.letters = undefined;
  }
}
