/* Who has claimed what, and who has voted for whom. */

import { chip, make, mini, votes } from "./dom.js";

export class Claims {
  constructor(pane) {
    this.pane = pane;
  }

  show(story) {
    this.story = story;
    this.rows = new Map();
  }

  paint() {
    const { story } = this;
    const { words, open } = story.data;
    const { picked } = story;
    if (!story.picture.claims.length) return this.pane.replaceChildren(make("p", "aside", words.no_claims));
    const seats = picked ? [picked] : story.data.names.slice(1).map((_, i) => i + 1);
    const rows = seats.map((seat) => this.row(seat));
    const note = make("p", "aside", words[open ? "claims_note.god" : "claims_note"]);
    return this.pane.replaceChildren(note, make("table", "", make("tbody", "", ...rows)));
  }

  /* A row is made again only when its seat has said something new, or has gone out: a long game has many chips. */
  row(seat) {
    const { story } = this;
    const facts = story.picture.seats[seat];
    const said = story.picture.claims.filter((speech) => speech.seat === seat);
    const state = `${said.length} ${facts.out.length} ${facts.team}`;
    const row = this.rows.get(seat);
    if (row?.dataset.state === state) return row;
    const provable = said.flatMap((speech) => speech.claims).filter(([, kind]) => kind !== "opinion");
    const claims = new Map(provable.map((claim) => [claim.join(), claim]));
    const chips = make("div", "chips", ...Array.from(claims.values(), (claim) => chip(claim, story.data.words)));
    const made = make("tr", "", who(story, seat), make("td", "", chips));
    made.dataset.state = state;
    this.rows.set(seat, made);
    return made;
  }
}

function who(story, seat) {
  const name = story.data.people[seat - 1][0];
  const label = make("span", "unseen", story.data.names[seat]);
  const head = make("th", "who", mini(seat, story.picture.seats[seat]), label, make("span", "name", name));
  head.scope = "row";
  return head;
}

export class Votes {
  constructor(pane) {
    this.pane = pane;
  }

  show(story) {
    this.story = story;
  }

  paint() {
    const { words } = this.story.data;
    const { ballots } = this.story.picture;
    if (!ballots.length) return this.pane.replaceChildren(make("p", "aside", words.no_votes));
    const table = make("table", "matrix", make("thead", "", this.head(ballots)), make("tbody", "", ...this.rows(ballots)));
    return this.pane.replaceChildren(make("p", "aside", words.votes_note), make("div", "wide", table));
  }

  head(ballots) {
    const columns = ballots.map((ballot) => make("th", "", ballot.round, make("br"), ballot.name));
    for (const column of columns) column.scope = "col";
    return make("tr", "", make("th", "", this.story.data.words.voter), ...columns);
  }

  rows(ballots) {
    const { names, words } = this.story.data;
    const { picked } = this.story;
    const seats = picked ? [picked] : names.slice(1).map((_, i) => i + 1);
    const rows = seats.map((seat) => make("tr", "", who(this.story, seat), ...ballots.map((ballot) => this.vote(ballot, seat))));
    const sums = ballots.map(({ tally }) => {
      return make("td", "", ...tally.map(([seat, halves]) => make("div", "", `${names[seat]} ${votes(halves)}`)));
    });
    return [...rows, make("tr", "", make("th", "", words.total), ...sums)];
  }

  vote(ballot, voter) {
    const { words, weight } = this.story.data;
    const [, target] = ballot.votes.find(([seat]) => seat === voter) ?? [];
    if (target === undefined) return make("td", "", "·");
    if (target === 0) return make("td", "", words.abstains);
    const label = make("span", "unseen", this.story.data.names[target]);
    const cell = make("td", "", mini(target, { out: [], team: this.story.picture.seats[target].team }), label);
    if (ballot.sheriff === voter && weight !== "1") cell.append(make("small", "", ` ×${weight}`));
    return cell;
  }
}
