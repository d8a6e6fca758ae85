/* A person's seat: the question that waits beside the table, the card, notes, and what only this seat knows. */

import { make } from "./dom.js";
import { bar, fill, game, post, press, sure, words } from "./basics.js";
import { Clock } from "./clock.js";
import { Live } from "./live.js";
import { Notes } from "./notes.js";
import { Question } from "./question.js";

const api = `/api/games/${game}`;
const part = (name) => document.querySelector(`.${name}`);
const ask = part("ask");
const wide = matchMedia("(min-width: 1101px)").matches; // on a phone the table should not lie far below
const clock = new Clock(() => shown?.keep());
const notes = new Notes(part("notes-part"), (text) => post(`${api}/notes`, { text }));
let shown;
let seat;

function paint(now) {
  seat = now;
  notes.show(now.notes);
  card(now.card);
  leaving(now);
  if (now.question && !now.away) put(now.question);
  else rest();
  document.title = now.question && !now.away ? `● ${now.question.text}` : words.title;
}

function put(question) {
  if (shown?.question.n !== question.n) {
    shown = new Question(question, live.scene.names, (answer) => post(`${api}/answer`, answer));
    const note = question.window ? undefined : make("p", "hint", fill(words.default, { decision: question.turn ? words.pass_turn : question.default }));
    ask.replaceChildren(make("h2", "", question.text), clock.track, clock.line, shown.element, ...(note ? [note] : []));
    if (!question.window) ask.scrollIntoView({ block: "nearest" });
  }
  clock.show(question);
  ask.classList.toggle("reminded", question.reminded);
  if (question.reminded) navigator.vibrate?.(200);
}

function rest() {
  shown = undefined;
  ask.classList.remove("reminded");
  ask.replaceChildren(...(seat.result ? [make("p", "result", words.result[seat.result])] : meanwhile()));
}

function meanwhile() {
  const lines = [];
  if (seat.away) lines.push(make("p", "away", words[`away.${seat.absent}`]));
  if (seat.away && !seat.gone) lines.push(press(words.back, () => post(`${api}/return`), "main"));
  if (!seat.away) lines.push(make("p", "rest", words.nothing));
  if (seat.held) lines.push(make("p", "held", fill(words.held, { decision: seat.held.text || seat.held.words })));
  return lines;
}

function card(held) {
  const place = part("card-part");
  if (!held || place.dataset.title === held.title) return;
  place.dataset.title = held.title;
  const about = make("details", "", make("summary", "", fill(words.card, { card: held.title })), make("p", "", held.text));
  about.open = wide;
  place.replaceChildren(about);
}

/* The private lines of this seat's own view, as they have come; the last one is there before the list is opened */
function known() {
  const lines = live.frames.flatMap((frame) => frame.lines.filter(([style]) => style === "secret").map(([, text]) => text));
  const place = part("known-part");
  if (Number(place.dataset.lines) === lines.length) return;
  place.dataset.lines = lines.length;
  const open = place.querySelector("details")?.open ?? wide;
  const list = make("ul", "", ...lines.map((text) => make("li", "", text)));
  const latest = lines.length ? make("span", "latest", lines.at(-1)) : undefined;
  const about = make("details", "", make("summary", "", words.known, latest), lines.length ? list : make("p", "hint", words.known_nothing));
  about.open = open;
  place.replaceChildren(about);
}

function leaving(now) {
  const place = part("leave-part");
  if (place.childElementCount) return;
  const leave = press(words.leave, () => sure(words.leave_sure, () => post(`${api}/leave`)), "plain");
  const logout = press(words.logout, async () => (await post(`${api}/logout`)).ok && location.reload(), "plain");
  place.append(...(now.gone ? [] : [leave]), logout);
}

function waiting(status) {
  if (status.state !== "waiting") return;
  if (!status.naming) ask.replaceChildren(make("p", "", words.waiting));
  else if (!ask.querySelector(".naming")) naming();
}

function naming() {
  const field = make("input");
  const problem = make("p", "problem");
  problem.role = "alert";
  field.maxLength = 40;
  const save = press(words.name_save, async () => {
    const answer = await post(`${api}/name`, { name: field.value.trim() });
    problem.textContent = answer.ok ? words.saved : answer.error;
  });
  ask.replaceChildren(make("p", "", words.waiting), make("div", "naming", make("label", "", words.name, field), save, problem));
}

bar();
const live = new Live(`${api}/stream`, "own", {
  seat: paint,
  status: waiting,
  refused: () => ask.replaceChildren(make("p", "away", words.no_seat)),
});
setInterval(known, 500);
