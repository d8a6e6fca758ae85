/* The stage: the village, the table, and where everything on it is. A window never moves between steps. */

import { arrows } from "./arrows.js";
import { draw, filled, icon } from "./dom.js";
import { ring } from "./geometry.js";
import { middle, Typing } from "./middle.js";
import { paintSeat, sit } from "./seats.js";

const LIGHTS = [[22, 418], [48, 440], [62, 446], [6, 508], [44, 500], [54, 500], [80, 520], [13, 578], [24, 578],
  [55, 574], [64, 574], [36, 600], [12, 540], [70, 545], [90, 600], [20, 640], [60, 630], [100, 640]];

/* For each size, the room above the first window's middle and below the last one's, half the height of a window, the
   room at the sides, and how square the ring is: the first that fits. `dw` is always there. */
const SIZES = [
  { name: "narrow crowd", top: 48, below: 65, half: 17, side: 39, square: 0.5 },
  { name: "narrow many", top: 52, below: 92, half: 19, side: 43, square: 0.74 },
  { name: "narrow", top: 52, below: 96, half: 19, side: 43, square: 0.64 },
  { name: "packed", top: 36, below: 78, half: 20, side: 60, square: 0.64 },
  { name: "crowd", top: 40, below: 90, half: 23, side: 66, square: 0.66 },
  { name: "tight", top: 40, below: 104, half: 23, side: 76, square: 0.72 },
  { name: "dw", top: 46, below: 148, half: 27, side: 80, square: 0.72 },
];

export class Stage {
  constructor(root, go, pick) {
    this.root = root;
    this.go = go;
    this.pick = pick;
    this.stage = root.querySelector(".stage");
    this.find = (selector) => this.stage.querySelector(selector);
    this.typing = new Typing();
  }

  show(story) {
    const { data } = story;
    this.story = story;
    this.points = undefined;
    this.seats = sit(story, this.pick);
    this.find(".note").replaceChildren(icon("ahead"), data.note);
    this.find(".seats").setAttribute("aria-label", data.words.seats);
    this.find(".seats").replaceChildren(...this.seats);
    const light = (_, i) => draw("rect", { x: LIGHTS[i % 18][0], y: LIGHTS[i % 18][1], width: 5, height: 7.5, rx: 2 });
    this.find(".lights").replaceChildren(...this.seats.map(light));
  }

  paint() {
    const { story } = this;
    const { picture, data } = story;
    this.typing.stop();
    this.stage.dataset.part = story.frame.recap ? "vote" : picture.part ?? "";
    this.stage.classList.toggle("over", Boolean(story.frame.recap));
    this.find(".round").textContent = picture.round || data.words.setup;
    this.find(".phase").textContent = picture.phase ?? "";
    this.find(".count").textContent = filled(data.words.in_play, { n: picture.in_play, of: this.seats.length });
    this.repaintSeats();
    this.find(".lights").childNodes.forEach((light, i) => light.setAttribute("class", story.isOut(i + 1) ? "off" : ""));
    this.find(".now").replaceChildren(...middle(story, this.go));
    this.find(".live").textContent = story.line();
    this.fit();
  }

  repaintSeats() {
    this.seats.forEach((seat, i) => paintSeat(seat, this.story, i + 1));
  }

  /* Types the speech out in so many seconds. */
  type(seconds) {
    this.typing.start(this.find(".say"), seconds);
  }

  place() {
    const { root, seats } = this;
    const { clientWidth: width, clientHeight: height } = this.stage;
    const narrow = root.classList.contains("narrow");
    root.classList.toggle("tight", narrow || height < 640 || seats.length > 10);
    root.classList.toggle("short", !narrow && height < 640);
    root.classList.toggle("many", seats.length > 10);
    root.classList.toggle("crowd", seats.length > 12);
    root.classList.toggle("packed", !narrow && height < 640 && seats.length > 12);
    const { top, below, half, side, square } = SIZES.find(({ name }) => name.split(" ").every((part) => root.classList.contains(part)));
    this.center = [width / 2, (top + height - below) / 2 + half / 2];
    this.reach = [Math.min(width / 2 - side, 500), (height - top - below) / 2 - half / 2];
    this.half = half;
    this.points = ring(seats.length, this.center, this.reach, square);
    this.hugged = false;
    seats.forEach((seat, i) => {
      seat.style.left = `${this.points[i][0]}px`;
      seat.style.top = `${this.points[i][1] - half}px`;
      seat.style.removeProperty("--name");
    });
    const [inX, inY] = narrow ? [22, 10] : [40, 18];
    const wood = (more) => `M${ring(90, this.center, [this.reach[0] - inX - more, this.reach[1] - inY - more], square).join("L")}Z`;
    this.find(".wood").setAttribute("d", wood(0));
    this.find(".rim").setAttribute("d", wood(narrow ? 4 : 9));
    this.find(".now").style.left = `${this.center[0]}px`;
    this.fit();
  }

  /* A name on two lines is as wide as the longer one; it stays so until its seat is moved. */
  hug() {
    const range = document.createRange();
    const names = this.seats.map((seat) => seat.querySelector(".name")).filter(Boolean);
    const widths = names.map((name) => (range.selectNodeContents(name), range.getBoundingClientRect().width));
    names.forEach((name, i) => name.closest(".seat").style.setProperty("--name", `${Math.ceil(widths[i]) + 1}px`));
    this.hugged = names.length > 0;
  }

  /* The middle is as wide as the seats beside it, and as high as those above and below it, leave free with their
     tags. Which seats count as beside is tried both ways, for the larger area. */
  fit() {
    if (!this.points) return;
    if (!this.hugged) this.hug();
    const boxes = this.seats.map((seat) => ({
      half: Math.max(...Array.from(seat.children, (part) => (part.matches("button") ? 0 : part.offsetWidth))) / 2,
      top: seat.offsetTop,
      bottom: seat.offsetTop + seat.offsetHeight,
      below: seat.offsetHeight - 2 * this.half,
    }));
    const room = ({ width, top, bottom }) => width * (bottom - top);
    const [one, other] = [0.5, 0.8].map((share) => this.free(boxes, share * this.reach[1]));
    const { width, top, bottom } = room(one) < room(other) ? other : one;
    const now = this.find(".now").style;
    now.width = `${width}px`;
    now.top = `${(top + bottom) / 2}px`;
    now.maxHeight = `${bottom - top - 20}px`;
    this.connect(boxes);
  }

  /* The space between the seats, if those at most `height` above or below the middle are beside it. */
  free(boxes, height) {
    const [x, y] = this.center;
    const offset = this.points.map((point) => [Math.abs(point[0] - x), point[1] - y]);
    let free = this.reach[0] - this.seats[0].offsetWidth / 2;
    let [top, bottom] = [0, this.stage.clientHeight];
    offset.forEach(([dx, dy], i) => {
      if (Math.abs(dy) < height) free = Math.min(free, dx - boxes[i].half);
    });
    const width = Math.min(this.story.frame.recap ? 620 : 440, 2 * free - 8);
    offset.forEach(([dx, dy], i) => {
      if (Math.abs(dy) < height || dx > width / 2 + boxes[i].half) return;
      if (dy < 0) top = Math.max(top, boxes[i].bottom);
      else bottom = Math.min(bottom, boxes[i].top);
    });
    return { width, top, bottom };
  }

  /* Arrows between the seats, and the tail from a speech to who speaks */
  connect(boxes) {
    const gap = (seat) => [this.half + 12, boxes[seat - 1].below];
    const table = { points: this.points, center: this.center, gap, board: this.board(), room: this.reach.map((far) => far - this.seats[0].offsetWidth / 2) };
    this.find(".arrows").replaceChildren(...arrows(this.story, table));
    const { said } = this.story.frame;
    this.find(".tail").setAttribute("points", said ? this.tail(this.points[said.seat - 1]) : "");
  }

  /* Where the scoreboard is; arrows go round it. */
  board() {
    const box = this.find(".board, .framed")?.getBoundingClientRect();
    const { left, top } = this.stage.getBoundingClientRect();
    return box && [box.left - left, box.top - top, box.right - left, box.bottom - top];
  }

  tail([x, y]) {
    const now = this.find(".now");
    const [cx, cy] = [this.center[0], now.offsetTop];
    const far = Math.hypot(x - cx, y - cy) || 1;
    const [ux, uy] = [(x - cx) / far, (y - cy) / far];
    const tip = [x - ux * (this.half + 9), y - uy * (this.half + 9)];
    return [[cx - uy * 18, cy + ux * 18], tip, [cx + uy * 18, cy - ux * 18]].join(" ");
  }
}
