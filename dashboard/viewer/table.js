/* The table. It is given frames (see dashboard/frames.py) and steps through them without asking the server.
   Everything a player or a file has said enters the page through textContent. */

const SVG = "http://www.w3.org/2000/svg";
const BADGE = "M12 2l8 3v6c0 5-3.500 8.500-8 10.500c-4.500-2-8-5.500-8-10.500V5z";

function make(tag, name = "", ...inside) {
  const element = document.createElement(tag);
  element.className = name;
  element.append(...inside); // strings become text nodes
  return element;
}

function draw(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

const votes = (halves) => String(halves / 2);

class Viewer {
  constructor(root) {
    this.root = root.querySelector(".dw");
    this.find = (selector) => this.root.querySelector(selector);
    this.stage = this.find(".stage");
    this.scrub = this.find(".scrub");
    this.tab = "log";
    this.kept = 0;
    this.scrub.addEventListener("input", () => this.go(Number(this.scrub.value)));
    for (const button of this.root.querySelectorAll("[data-go]"))
      button.addEventListener("click", () => this.move(button.dataset.go));
    for (const button of this.root.querySelectorAll("[data-tab]"))
      button.addEventListener("click", () => this.open(button.dataset.tab));
    this.find(".tabs").addEventListener("keydown", (event) => this.turn(event));
    this.key = (event) => this.press(event);
    document.addEventListener("keydown", this.key, true); // first, because a select box lets no key through
    this.sizes = new ResizeObserver(() => this.data && this.place());
    this.sizes.observe(this.root.parentElement ?? this.root);
  }

  close() {
    clearTimeout(this.timer);
    document.removeEventListener("keydown", this.key, true);
    this.sizes.disconnect();
  }

  /* New data. The same game stays where it is, in another language or view; another one starts where it is told to. */
  show(data) {
    const before = this.data;
    const same = before && JSON.stringify(before.address) === JSON.stringify(data.address);
    if (same && before.lang === data.lang && before.frames.length === data.frames.length) return;
    const moment = before?.address.file === data.address.file ? before.moments[this.at] : undefined;
    const start = same ? before.frames[this.at].event : data.start;
    this.seen = same ? this.seen : 0;
    this.data = data;
    this.frames = data.frames;
    this.root.lang = data.lang === "zh" ? "zh-CN" : "en";
    this.days = this.frames.flatMap((frame, i) => (frame.day === undefined ? [] : [i]));
    this.label();
    this.sit();
    this.find(".log").replaceChildren();
    this.rows = new Map();
    this.picture = undefined;
    const at =
      moment === undefined
        ? this.frames.findLastIndex((frame) => frame.event <= start)
        : data.moments.findLastIndex((other) => other <= moment);
    this.go(Math.max(0, at));
    this.place();
  }

  label() {
    const words = this.data.words;
    this.find(".note").textContent = words.note;
    this.find(".seats").ariaLabel = words.seats;
    this.scrub.ariaLabel = words.position;
    this.scrub.max = this.frames.length - 1;
    for (const button of this.root.querySelectorAll("[data-go]"))
      button.ariaLabel = button.title = words[button.dataset.go];
    for (const button of this.root.querySelectorAll("[data-tab]")) button.textContent = words[button.dataset.tab];
  }

  sit() {
    this.points = undefined;
    this.seats = this.data.names.slice(1).map((name, i) => {
      const seat = make("li", "seat");
      seat.dataset.seat = i + 1;
      return seat;
    });
    this.find(".seats").replaceChildren(...this.seats);
    const lights = [[14, 500], [22, 520], [50, 470], [50, 500], [20, 550], [40, 560], [60, 545], [94, 545], [94, 570],
      [114, 575], [20, 600], [44, 610], [70, 600], [100, 620], [126, 620], [60, 640], [94, 660], [140, 655]];
    this.find(".lights").replaceChildren(
      ...this.seats.map((_, i) => draw("rect", { x: lights[i % 18][0], y: lights[i % 18][1], width: 5, height: 8, rx: 2 })),
    );
  }

  /* Moving through the frames */

  move(where) {
    const day = (list) => list ?? (where === "next_day" ? this.frames.length - 1 : 0);
    if (where === "next") this.go(this.at + 1);
    else if (where === "previous") this.go(this.at - 1);
    else if (where === "next_day") this.go(day(this.days.find((i) => i > this.at)));
    else this.go(day(this.days.findLast((i) => i < this.at)));
  }

  press(event) {
    const target = event.composedPath()[0];
    // A select box that is closed has no use for these keys.
    const typing = target.matches?.("input:not([aria-expanded=false]), select, textarea, [role=tab]");
    if (event.altKey || event.ctrlKey || event.metaKey || typing) return;
    const where = { ArrowRight: "next", ArrowLeft: "previous" }[event.key];
    if (where) this.move(event.shiftKey ? `${where}_day` : where);
    else if (event.key === "Home") this.go(0);
    else if (event.key === "End") this.go(this.frames.length - 1);
    else return;
    event.preventDefault();
  }

  go(to) {
    const at = Math.max(0, Math.min(this.frames.length - 1, to));
    if (this.picture === undefined || at < this.at) this.rewind();
    for (let i = this.drawn; i <= at; i++) this.take(this.frames[i]);
    this.at = at;
    this.drawn = at + 1;
    this.seen = Math.max(this.seen, at);
    this.paint();
    clearTimeout(this.timer);
    if (Date.now() - this.kept > 300) this.keep();
    else this.timer = setTimeout(() => this.keep(), 300);
  }

  /* The address follows, so that it can be copied; browsers allow only so many changes in a second. */
  keep() {
    this.kept = Date.now();
    const address = new URL(location.href);
    const place = { ...this.data.address, event: this.frames[this.at].event };
    for (const [key, value] of Object.entries(place)) address.searchParams.set(key, value);
    history.replaceState(history.state, "", address);
  }

  rewind() {
    this.picture = { seats: {}, claims: [], ballots: [] };
    this.drawn = 0;
  }

  take(frame) {
    const { seats, claims, ballots } = this.picture;
    Object.assign(seats, frame.seats);
    if (frame.said?.claims.length) claims.push(frame.said);
    if (frame.ballot) ballots.push(frame.ballot);
    this.picture = { ...this.picture, ...frame, seats, claims, ballots };
  }

  /* Painting the moment */

  paint() {
    const frame = this.frames[this.at];
    const { picture, data } = this;
    this.stage.dataset.part = picture.part ?? "";
    this.find(".round").textContent = picture.round || data.words.setup;
    this.find(".phase").textContent = picture.phase ?? "";
    this.find(".count").textContent = data.words.in_play
      .replace("{n}", picture.in_play)
      .replace("{of}", this.seats.length);
    this.seats.forEach((seat, i) => this.paintSeat(seat, i + 1, frame));
    this.find(".lights").childNodes.forEach((light, i) => {
      light.setAttribute("class", this.isOut(i + 1) ? "off" : "");
    });
    this.find(".now").replaceChildren(...this.middle(frame));
    this.scrub.value = this.at;
    this.scrub.setAttribute("aria-valuetext", [picture.round, picture.phase, frame.lines[0][1]].filter(Boolean).join(" · "));
    this.find(".at").textContent = `${this.at + 1} / ${this.frames.length}`;
    for (const button of this.root.querySelectorAll("[data-go]"))
      button.disabled = button.dataset.go.startsWith("next") ? this.at === this.frames.length - 1 : this.at === 0;
    this.paintTape();
    this.paintLog();
    this.paintTables();
    this.fit();
    this.arrows();
  }

  isOut(seat) {
    return Boolean(this.picture.seats[seat]?.out.length);
  }

  mini(seat) {
    const mini = make("span", this.isOut(seat) ? "mini off" : "mini", String(seat));
    mini.ariaHidden = "true";
    return mini;
  }

  paintSeat(element, seat, frame) {
    const { data, picture } = this;
    const facts = picture.seats[seat];
    const window_ = make("div", "window", String(seat));
    element.className = `seat${facts.out.length ? " out" : ""}${frame.said?.seat === seat ? " speaks" : ""}`;
    element.dataset.team = facts.team;
    element.ariaLabel = data.names[seat];
    if (picture.sheriff === seat) {
      const badge = draw("svg", { viewBox: "0 0 24 24", class: "badge", role: "img", "aria-label": data.words.sheriff });
      badge.append(draw("path", { d: BADGE }));
      window_.append(badge);
    }
    const counted = frame.ballot?.tally.find(([target]) => target === seat);
    if (counted) window_.append(make("span", "number", votes(counted[1])));
    else if (facts.mark) window_.append(make("span", "mark", facts.mark));
    if (data.you === seat) window_.append(make("span", "you", data.words.you));
    const tags = [];
    if (facts.card) tags.push(make("span", "tag card", facts.card));
    if (facts.claim) tags.push(make("span", "tag claim", facts.claim));
    if (facts.out.length) tags.push(make("span", "tag fate", facts.out[0], make("span", "time-of", ` · ${facts.out[1]}`)));
    for (const tag of tags) tag.title = tag.textContent;
    element.replaceChildren(window_, ...tags);
  }

  middle(frame) {
    if (frame.said) return [this.bubble(frame.said), ...this.order(frame.said.seat)];
    if (frame.ballot) return [this.board(frame.ballot)];
    const tell = make("div", frame.kind === "ended" ? "tell end" : frame.votes ? "tell plate" : "tell");
    // The rest is to be seen on the table: the votes by arrows, the cards in the end by tags.
    const lines = frame.lines.slice(0, frame.votes?.length ? 1 : frame.kind === "ended" ? 2 : undefined);
    tell.append(...lines.map(([style, text]) => make("p", style, text)));
    return [tell];
  }

  speech(said) {
    const { data } = this;
    const header = make("header", "", make("b", "", data.names[said.seat]), " ", make("span", "", said.topic));
    const parts = [header, make("p", "", said.text || (said.claims.length ? "" : data.words.passes))];
    if (said.claims.length) parts.push(make("div", "chips", ...said.claims.map((claim) => make("span", "chip", claim))));
    return parts;
  }

  bubble(said) {
    const [header, ...rest] = this.speech(said);
    header.prepend(this.mini(said.seat));
    return make("div", "say", header, ...rest);
  }

  order(speaker) {
    const { order } = this.picture;
    const place = order.indexOf(speaker);
    if (place < 0) return [];
    const turns = order.map((seat, i) => make("b", i < place ? "past" : i === place ? "present" : "", String(seat)));
    return [make("div", "order", this.data.words.order, ...turns)];
  }

  board(ballot) {
    const board = make("div", "board", make("h2", "", ballot.title));
    const most = ballot.tally[0]?.[1] ?? 1;
    ballot.tally.forEach(([seat, halves], i) => {
      const fill = make("i", `v${i % 3}`);
      fill.style.width = `${(100 * halves) / most}%`;
      board.append(make("div", "row", this.mini(seat), make("span", "bar", fill), make("b", "", votes(halves))));
    });
    if (!ballot.tally.length) board.append(make("p", "aside", this.frames[this.at].lines[0][1]));
    return board;
  }

  /* The tape shows what has been seen; the rest is hatched. */
  paintTape() {
    const shown = Math.min(this.seen + 1, this.frames.length);
    const parts = [];
    this.frames.slice(0, shown).forEach((frame, i) => {
      if (frame.part !== undefined || frame.day !== undefined || !parts.length) parts.push({ from: i, frame });
    });
    const all = Math.max(1, this.frames.length - 1);
    const pixels = this.scrub.clientWidth / all;
    let picture = {};
    this.find(".tape").replaceChildren(
      ...parts.map(({ from, frame }, k) => {
        picture = { ...picture, ...frame };
        const to = parts[k + 1]?.from ?? (shown === this.frames.length ? all : this.seen);
        const name = picture.phase || picture.round || this.data.words.setup;
        const part = make("div", "part", (to - from) * pixels > 44 ? name : "");
        part.title = name;
        part.dataset.part = picture.part ?? "";
        part.style.left = `${(100 * from) / all}%`;
        part.style.width = `${(100 * (to - from)) / all}%`;
        return part;
      }),
    );
  }

  /* The panel */

  open(tab) {
    this.tab = tab;
    for (const button of this.root.querySelectorAll("[data-tab]")) {
      button.ariaSelected = String(button.dataset.tab === tab);
      button.tabIndex = button.dataset.tab === tab ? 0 : -1;
    }
    for (const pane of this.root.querySelectorAll("[data-pane]")) pane.hidden = pane.dataset.pane !== tab;
    if (!this.frames) return;
    this.paintLog();
    this.paintTables();
  }

  turn(event) {
    const tabs = ["log", "claims", "votes"];
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    this.open(tabs[(tabs.indexOf(this.tab) + step + 3) % 3]);
    this.find(`[data-tab=${this.tab}]`).focus();
  }

  /* Only what is missing is added, and what lies ahead is taken away, so a step costs the same in a long game. */
  paintLog() {
    const log = this.find(".log");
    while (log.childElementCount > this.at + 1) log.lastElementChild.remove();
    while (log.childElementCount <= this.at) log.append(this.entry(log.childElementCount));
    log.querySelector(".cur")?.classList.remove("cur");
    log.lastElementChild.classList.add("cur");
    log.parentElement.scrollTop = log.parentElement.scrollHeight;
  }

  entry(i) {
    const { said, lines } = this.frames[i];
    const entry = make("li");
    if (said) entry.append(make("div", "said", this.mini(said.seat), ...this.speech(said)));
    else entry.append(...lines.map(([style, text]) => make("p", style, text)));
    entry.addEventListener("click", () => this.go(i));
    return entry;
  }

  paintTables() {
    this.find("[data-pane=claims]").replaceChildren(...(this.tab === "claims" ? this.claims() : []));
    this.find("[data-pane=votes]").replaceChildren(...(this.tab === "votes" ? this.matrix() : []));
  }

  claims() {
    const { words } = this.data;
    if (!this.picture.claims.length) return [make("p", "aside", words.no_claims)];
    return [make("p", "aside", words.claims_note), make("table", "", ...this.seats.map((_, i) => this.claimsOf(i + 1)))];
  }

  /* A row is made again only when its seat has said something new, or has gone out: a long game has many chips. */
  claimsOf(seat) {
    const said = this.picture.claims.filter((speech) => speech.seat === seat);
    const state = `${said.length} ${this.isOut(seat)}`;
    const row = this.rows.get(seat);
    if (row?.dataset.state === state) return row;
    const claims = new Set(said.flatMap((speech) => speech.claims));
    const chips = make("div", "chips", ...[...claims].map((claim) => make("span", "chip", claim)));
    const made = make("tr", "", make("td", "", this.mini(seat)), make("td", "", chips));
    made.dataset.state = state;
    this.rows.set(seat, made);
    return made;
  }

  matrix() {
    const { words } = this.data;
    const { ballots } = this.picture;
    if (!ballots.length) return [make("p", "aside", words.no_votes)];
    const head = make("tr", "", make("th", "", words.voter));
    for (const ballot of ballots) head.append(make("th", "", ballot.round, make("br"), ballot.name));
    const rows = this.seats.map((_, i) => {
      const row = make("tr", "", make("td", "", this.mini(i + 1)));
      for (const ballot of ballots) row.append(this.vote(ballot, i + 1));
      return row;
    });
    const total = make("tr", "", make("td", "", words.total));
    for (const { tally } of ballots) {
      const cell = make("td");
      for (const [seat, halves] of tally) cell.append(make("div", "", `${this.data.names[seat]} ${votes(halves)}`));
      total.append(cell);
    }
    return [make("p", "aside", words.votes_note), make("table", "matrix", head, ...rows, total)];
  }

  vote(ballot, voter) {
    const [, target] = ballot.votes.find(([seat]) => seat === voter) ?? [];
    if (target === undefined) return make("td", "", "·");
    if (target === 0) return make("td", "", this.data.words.abstains);
    const cell = make("td", "", this.mini(target));
    if (ballot.sheriff === voter && this.data.weight !== "1") cell.append(make("small", "", ` ×${this.data.weight}`));
    return cell;
  }

  /* Where everything is. A window never moves between steps. */

  place() {
    this.root.classList.toggle("narrow", this.root.clientWidth <= 860);
    const narrow = this.root.classList.contains("narrow");
    const { clientWidth: width, clientHeight: height } = this.stage;
    this.root.classList.toggle("tight", narrow || height < 600 || this.seats.length > 10);
    const top = narrow ? 52 : 44;
    const below = narrow ? 74 : 110;
    const half = narrow ? 19 : 27;
    const side = narrow ? 44 : 78;
    this.center = [width / 2, (top + height - below) / 2 + half / 2];
    const reach = [width / 2 - side, (height - top - below) / 2 - half / 2];
    this.points = ring(this.seats.length, ...this.center, ...reach);
    this.half = half;
    this.seats.forEach((seat, i) => {
      seat.style.left = `${this.points[i][0]}px`;
      seat.style.top = `${this.points[i][1] - half}px`;
    });
    const edge = ring(90, ...this.center, reach[0] - (narrow ? 22 : 34), reach[1] - (narrow ? 10 : 16));
    this.find(".table").setAttribute("d", `M${edge.join("L")}Z`);
    this.find(".now").style.left = `${this.center[0]}px`;
    this.reach = reach;
    this.fit();
    this.arrows();
  }

  /* The middle is as wide as the seats beside it, and as high as those above and below it, leave free with their
     tags. Which seats count as beside is tried both ways, for the larger area. */
  fit() {
    if (!this.points) return;
    const room = ({ width, top, bottom }) => width * (bottom - top);
    const [one, other] = [0.5, 0.8].map((share) => this.between(share * this.reach[1]));
    const { width, top, bottom } = room(one) < room(other) ? other : one;
    const now = this.find(".now").style;
    now.width = `${width}px`;
    now.top = `${(top + bottom) / 2}px`;
    now.maxHeight = `${bottom - top - 20}px`;
  }

  /* The space between the seats, if those at most `height` above or below the middle are beside it. */
  between(height) {
    const [x, y] = this.center;
    const offset = this.points.map((point) => [Math.abs(point[0] - x), point[1] - y]);
    const half = this.seats.map((seat) => Math.max(...Array.from(seat.children, (tag) => tag.offsetWidth)) / 2);
    let free = this.reach[0] - this.seats[0].offsetWidth / 2;
    let [top, bottom] = [0, this.stage.clientHeight];
    offset.forEach(([dx, dy], i) => {
      if (Math.abs(dy) < height) free = Math.min(free, dx - half[i]);
    });
    const width = Math.min(440, 2 * free - 8);
    offset.forEach(([dx, dy], i) => {
      if (Math.abs(dy) < height || dx > width / 2 + half[i]) return;
      const seat = this.seats[i];
      if (dy < 0) top = Math.max(top, seat.offsetTop + seat.offsetHeight);
      else bottom = Math.min(bottom, seat.offsetTop);
    });
    return { width, top, bottom };
  }

  /* One arrow for each ballot, one colour for each target, curved a little towards the middle. */
  arrows() {
    const layer = this.find(".arrows");
    const { votes: open, ballot } = this.frames[this.at];
    const cast = (open ?? ballot?.votes ?? []).filter(([voter, target]) => target && target !== voter);
    const colours = [...new Set((ballot?.tally.map(([seat]) => seat) ?? []).concat(cast.map(([, target]) => target)))];
    layer.replaceChildren();
    if (!this.points) return;
    for (const [voter, target] of cast) {
      const [from, to] = [this.points[voter - 1], this.points[target - 1]];
      const bend = between(from, to, this.center);
      const start = clear(from, bend, this.gap(voter));
      const end = clear(to, bend, this.gap(target));
      const name = `v${colours.indexOf(target) % 3}`;
      const heavy = voter === (ballot?.sheriff ?? this.picture.sheriff) && this.data.weight !== "1";
      layer.append(
        draw("path", { class: heavy ? `${name} heavy` : name, d: `M${start}Q${bend} ${end}` }),
        draw("polygon", { class: name, points: head(bend, end) }),
      );
    }
  }

  /* How far an arrow stays away from a seat, and how much further below it, where its tags hang */
  gap(seat) {
    return [this.half + 12, 20 * (this.seats[seat - 1].childElementCount - 1)];
  }
}

const viewers = new WeakMap();

export default function ({ data, parentElement }) {
  if (!viewers.has(parentElement)) {
    viewers.set(parentElement, new Viewer(parentElement));
    viewers.get(parentElement).open("log");
  }
  viewers.get(parentElement).show(data);
  return () => {
    viewers.get(parentElement)?.close();
    viewers.delete(parentElement);
  };
}
