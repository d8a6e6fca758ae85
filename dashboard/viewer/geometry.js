/* Where seats and arrows are. Points are pairs of pixels, y downwards. */

/* n points at equal distances along a rounded ring, the first on top, clockwise */
export function ring(n, [cx, cy], [a, b], square) {
  const bend = (x) => Math.sign(x) * Math.abs(x) ** square;
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

/* The point at a share of the way along a curve */
export function along(share, from, bend, to) {
  const rest = 1 - share;
  return [0, 1].map((k) => from[k] * rest * rest + bend[k] * 2 * rest * share + to[k] * share * share);
}

const SHARES = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9];

const inside = ([x, y], [left, top, right, bottom], room) => x > left - room && x < right + room && y > top - room && y < bottom + room;

/* The point that bends an arrow round `board`, to the side where it passes, as far as there is `room` between the board
   and the seats, and `apart` from another arrow that does; the same one where there is not enough */
export function round(from, bend, to, board, center, room, apart) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const side = [(from[1] - to[1]) / length, (to[0] - from[0]) / length];
  const middle = along(0.5, from, bend, to);
  const way = Math.sign((middle[0] - center[0]) * side[0] + (middle[1] - center[1]) * side[1]) || 1;
  for (let far = 0; far <= 260; far += 20) {
    const point = [0, 1].map((k) => bend[k] + way * far * side[k]);
    const [x, y] = along(0.5, from, point, to);
    if (far && (Math.abs(x - center[0]) > room[0] || Math.abs(y - center[1]) > room[1])) return bend;
    if (SHARES.some((share) => inside(along(share, from, point, to), board, 6))) continue;
    return far ? point.map((value, k) => value + way * apart * side[k]) : point;
  }
  return bend;
}

/* The point on a curve that is nearest to its middle and free of `board` */
export function beside(from, bend, to, board) {
  const points = SHARES.map((share) => along(share, from, bend, to));
  return points.find((point) => !board || !inside(point, board, 17)) ?? points[0];
}

/* The corners of an arrow's head */
export function head(from, to) {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const corner = (turn) => [to[0] - 11 * Math.cos(angle + turn), to[1] - 11 * Math.sin(angle + turn)];
  return [to, corner(0.4), corner(-0.4)].join(" ");
}
