/* The frames of a view, added up as far as one moment: nothing is drawn here. */

export class Story {
  constructor(data) {
    this.frames = data.frames;
    this.data = data;
    this.last = this.frames.length - 1;
    this.picked = 0;
    this.days = this.frames.flatMap((frame, i) => (frame.day === undefined ? [] : [i]));
    this.begin();
  }

  get frame() {
    return this.frames[this.at];
  }

  get kinds() {
    return this.data.open ? ["out", "claim", "vote", "lie"] : ["out", "claim", "vote"];
  }

  begin() {
    this.at = -1;
    this.picture = { seats: {}, claims: [], ballots: [] };
  }

  /* Go to a frame. The picture is the same from whichever side it is reached. */
  go(to) {
    const at = Math.max(0, Math.min(this.last, to));
    if (at < this.at) this.begin();
    while (this.at < at) this.take(this.frames[++this.at]);
  }

  take(frame) {
    const { seats, claims, ballots } = this.picture;
    Object.assign(seats, frame.seats);
    if (frame.said?.claims.length) claims.push(frame.said);
    if (frame.ballot) ballots.push(frame.ballot);
    Object.assign(this.picture, frame, { seats, claims, ballots });
  }

  /* Where a step leads: one frame, one day, or to the next one with a mark. */
  target(where) {
    const [way, what] = where.split("_");
    const ahead = way === "next";
    if (!what) return this.at + (ahead ? 1 : -1);
    const marked = (i) => (what === "day" ? this.frames[i].day !== undefined : this.frames[i].marks?.includes(what));
    const step = ahead ? 1 : -1;
    for (let i = this.at + step; i >= 0 && i <= this.last; i += step) if (marked(i)) return i;
    return what === "day" ? (ahead ? this.last : 0) : this.at;
  }

  /* The last frame that is not after the event of that number */
  placeOf(event) {
    return Math.max(0, this.frames.findLastIndex((frame) => frame.event <= event));
  }

  /* The frames that are about the seat that is picked out; all of them if none is */
  get places() {
    const all = this.frames.map((_, i) => i);
    return this.picked ? all.filter((i) => concerns(this.frames[i], this.picked)) : all;
  }

  fallOf(seat) {
    return this.frames.findIndex((frame) => frame.fell?.includes(seat));
  }

  isOut(seat) {
    return Boolean(this.picture.seats[seat]?.out.length);
  }

  nameOf(seat) {
    const { names, people } = this.data;
    return [names[seat], people[seat - 1][0]].filter(Boolean).join(" · ");
  }

  /* One line for what happens, for those who can't see it */
  line() {
    const { said, lines } = this.frame;
    if (said) return `${this.nameOf(said.seat)}, ${said.topic}: ${said.text || this.data.words.passes}`;
    return lines.map(([, text]) => text).join(" ");
  }
}

function concerns({ kind, said, fell, aims, awake, seats }, seat) {
  if (said?.seat === seat || fell?.includes(seat) || aims?.flat().includes(seat) || awake?.includes(seat)) return true;
  return kind !== "began" && seats?.[seat] !== undefined;
}
