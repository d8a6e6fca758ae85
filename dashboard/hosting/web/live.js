/* A stream, and the table that shows it. Frames that come while one is being played wait for their turn. */

import { fill, lang, say, words } from "./basics.js";
import { series } from "./series.js";
import { Viewer } from "./viewer.js";

const BEHIND = 8; // so many frames are skipped rather than played

export class Live {
  constructor(address, view, on = {}) {
    this.on = on;
    this.frames = [];
    this.viewer = new Viewer(document.querySelector("main"), () => {});
    this.open(address, view);
    setInterval(() => this.feed(), 200);
  }

  open(address, view) {
    this.source?.close();
    const mark = address.includes("?") ? "&" : "?";
    this.source = new EventSource(`${address}${mark}view=${view}&lang=${lang}`);
    const listen = (kind, act) => this.source.addEventListener(kind, (event) => act(JSON.parse(event.data)));
    listen("game", (scene) => this.begin(scene));
    listen("frame", (frame) => this.frames.push(frame));
    listen("status", (status) => this.state(status));
    listen("seat", (seat) => this.on.seat?.(seat));
    listen("series", series);
    this.source.addEventListener("error", () => this.broken());
  }

  /* The stream begins anew, or goes on from where it broke off. */
  begin(scene) {
    this.scene = scene;
    document.body.classList.add("begun");
    if (scene.from === 0) {
      this.frames = [];
      if (this.shown !== undefined) this.viewer.pause();
      this.shown = undefined;
    }
    document.querySelector(".title").textContent = scene.title;
    this.on.scene?.(scene);
    if (this.shown) this.show();
  }

  state(status) {
    this.status = status;
    const { seat } = status.floor;
    const speaks = status.state === "running" && seat && this.scene ? fill(words.speaking, { seat: this.scene.names[seat] }) : "";
    say(speaks || words[status.state], status.state);
    this.on.status?.(status);
  }

  broken() {
    const over = this.source.readyState === EventSource.CLOSED;
    say(over && this.on.refused ? words.no_seat : words.offline, "offline");
    if (over) this.on.refused?.();
  }

  show() {
    const { viewer, scene } = this;
    const address = { file: "", view: scene.view };
    viewer.show({ ...scene, frames: this.frames.slice(), counts: "view", start: 0, address });
    this.shown = this.frames.length;
  }

  /* What has come is played where somebody looks at the end, and only added where they look back. */
  feed() {
    const { viewer } = this;
    if (!this.scene || !this.frames.length || this.frames.length === this.shown || viewer.playing) return;
    const first = this.shown === undefined;
    const follows = first || viewer.story.at >= viewer.story.last;
    this.show();
    if (!follows) return;
    if (first || viewer.story.last - viewer.story.at > BEHIND) return void viewer.go(viewer.story.last);
    viewer.playing = true;
    viewer.go(viewer.story.at + 1);
  }
}
