/* A table beside the table: rows of plain data, drawn once. Narrow, each row becomes a list of its cells. */

import { chip, make, mini } from "./dom.js";

const DRAW = {
  seats: (seats, { names }) => (Array.isArray(seats) ? seats.map((seat) => place(seat, names)) : [seats]),
  chips: (chips, { words }) => [make("div", "chips", ...chips.map((claim) => chip(claim, words)))],
  number: (number) => [typeof number === "number" && !Number.isInteger(number) ? number.toPrecision(3) : String(number)],
};

function place(seat, names) {
  const element = make("span", "place", mini(seat), make("span", "unseen", names[seat]));
  element.title = names[seat];
  return element;
}

function head(columns) {
  const cells = columns.map(([label, kind]) => {
    const cell = make("th", `is-${kind}`, label);
    cell.scope = "col";
    return cell;
  });
  return make("thead", "", make("tr", "", ...cells));
}

function row(cells, data) {
  const made = cells.map((cell, i) => {
    const [label, kind] = data.columns[i];
    const inside = DRAW[kind] ? DRAW[kind](cell, data) : [cell];
    const element = make("td", `is-${kind}`, ...inside);
    element.dataset.label = label;
    if (cell === "" || cell.length === 0) element.classList.add("none");
    return element;
  });
  return make("tr", "", ...made);
}

function sheet(data) {
  const note = make("p", "aside", data.rows.length ? data.note : data.empty);
  if (!data.rows.length) return [note];
  const long = data.columns.length > 6 || data.columns.some(([, kind]) => kind === "long" || kind === "chips");
  const table = make("table", long ? "listed" : "", head(data.columns), make("tbody", "", ...data.rows.map((cells) => row(cells, data))));
  const frame = make("div", "wide", table);
  frame.tabIndex = 0;
  frame.role = "region";
  frame.ariaLabel = data.title;
  return [note, frame];
}

export default function ({ data: [data], parentElement }) {
  const root = parentElement.querySelector(".sheet");
  root.lang = data.lang === "zh" ? "zh-CN" : "en";
  root.replaceChildren(...sheet(data));
}
