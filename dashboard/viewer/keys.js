/* The keyboard. A select box that is closed, and other boxes of the page, keep the keys they have a use for. */

const STEPS = { ArrowRight: "next", ArrowLeft: "previous" };
const JUMPS = { o: "out", c: "claim", v: "vote", l: "lie" };

export class Keys {
  constructor(viewer) {
    this.press = (event) => this.pressed(event, viewer);
    document.addEventListener("keydown", this.press, true); // first, because a select box lets no key through
  }

  close() {
    document.removeEventListener("keydown", this.press, true);
  }

  pressed(event, viewer) {
    const target = event.composedPath()[0];
    if (event.altKey || event.ctrlKey || event.metaKey || !viewer.story || target.closest?.("dialog")) return;
    const scrub = target.matches?.(".scrub");
    if (!act(event, target, viewer, scrub)) return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function act(event, target, viewer, scrub) {
  const { key } = event;
  if (key === " ") return !taken(target, scrub, "button, a, input, select, textarea, [role=tab]") && viewer.press("play");
  // A letter looks for an option in a select box, also in one that is closed.
  if (key === "?") return !taken(target, scrub, "input, select, textarea") && viewer.help();
  if (/^[1-9]$/.test(key)) return !taken(target, scrub, "input, select, textarea") && viewer.pick(Number(key));
  const kind = JUMPS[key.toLowerCase()];
  if (kind) return !taken(target, scrub, "input, select, textarea") && viewer.jump(kind, event.shiftKey);
  if (taken(target, scrub, "input:not([aria-expanded=false]), select, textarea, [role=tab]")) return false;
  if (scrub && !event.shiftKey) return false;
  if (STEPS[key]) return viewer.press(event.shiftKey ? `${STEPS[key]}_day` : STEPS[key]);
  if (key === "Home") return viewer.go(0);
  return key === "End" && viewer.go(viewer.story.last);
}

const taken = (target, scrub, boxes) => !scrub && target.matches?.(boxes);
