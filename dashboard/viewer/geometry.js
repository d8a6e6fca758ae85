/* Where seats and arrows are. Points are pairs of pixels, y downwards. */

/* n points at equal distances along a rounded ring, the first on top, clockwise */
export function ring(n, [cx, cy], [a, b]) {
  const bend = (x) => Math.sign(x) * Math.abs(x) ** 0.72;
  const points = Array.from({ length: 721 }, (_, i) => {
    const angle = (i / 360) * Math.PI - Math.PI / 2;
    return [cx + a * bend(Math.cos(angle)), cy + b * bend(Math.sin(angle))];
  });
  const far = [0];
  for (let i = 1; i < points.length; i++)
    far.push(far[i - 1] + Math.hypot(points[i][0] - points[i - 1][0], points[i][1] - points[i - 1][1]));
  return Array.from({ length: n }, (_, k) => points[far.findIndex((d) => d >= (far[720] * k) / n)]);
}

/* The point that bends an arrow: towards the middle, and a little to one side, so that two seats which vote for
   each other get two curves */
export function between(from, to, center) {
  const side = [(from[1] - to[1]) * 0.06, (to[0] - from[0]) * 0.06];
  return [0, 1].map((k) => (from[k] + to[k]) * 0.375 + center[k] * 0.25 + side[k]);
}

/* The point on the way from a seat where it is left: after `gap`, and after `below` more straight downwards */
export function clear(from, to, [gap, below]) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const way = [0, 1].map((k) => (to[k] - from[k]) / length);
  return [0, 1].map((k) => from[k] + way[k] * (gap + Math.max(0, way[1]) * below));
}

/* The point in the middle of a curve */
export function halfway(from, bend, to) {
  return [0, 1].map((k) => from[k] * 0.25 + bend[k] * 0.5 + to[k] * 0.25);
}

/* The corners of an arrow's head */
export function head(from, to) {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const corner = (turn) => [to[0] - 11 * Math.cos(angle + turn), to[1] - 11 * Math.sin(angle + turn)];
  return [to, corner(0.4), corner(-0.4)].join(" ");
}
