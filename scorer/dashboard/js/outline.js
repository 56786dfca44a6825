/** Outlines in a picture as people drag them: a few handles stand for the whole line. Points are [x, y] in pixels. */

const ROUND_POINTS = 48;
const MOST_HANDLES = 12;

/** How many corners a shape has; a round one has four handles on its rim. */
const CORNERS = { round: 4, square: 4, hexagon: 6 };

/** The handles by which an outline is dragged. */
export function handlesOf(shape, outline) {
  if (shape === "round") return axes(outline);
  if (outline.length <= MOST_HANDLES) return outline.map(([x, y]) => [x, y]);
  return Array.from({ length: MOST_HANDLES }, (_, at) => outline[Math.floor((at * outline.length) / MOST_HANDLES)]);
}

/** The whole line that the handles stand for, inside a picture of `size`. */
export function outlineOf(shape, handles, size) {
  const points = shape === "round" ? ellipse(handles) : handles;
  const inside = points.map((point) => clamped(point, size));
  return inside.filter(([x, y], at) => {
    const [px, py] = inside[(at + inside.length - 1) % inside.length];
    return Math.hypot(x - px, y - py) > 0.5;
  });
}

/** The handles after one of them was put at `point`. */
export function moved(shape, handles, at, point, size) {
  const to = clamped(point, size);
  if (shape !== "round") return handles.map((handle, place) => (place === at ? to : handle));
  // The opposite end stays; the other axis keeps its length and stays square to this one.
  const far = handles[(at + 2) % 4];
  const middle = [(to[0] + far[0]) / 2, (to[1] + far[1]) / 2];
  const half = Math.hypot(to[0] - middle[0], to[1] - middle[1]);
  if (half < 2) return handles;
  const [side, other] = [handles[(at + 1) % 4], handles[(at + 3) % 4]];
  const width = Math.hypot(side[0] - other[0], side[1] - other[1]) / 2;
  const across = [(-(to[1] - middle[1]) / half) * width, ((to[0] - middle[0]) / half) * width];
  const next = [...handles];
  next[at] = to;
  next[(at + 1) % 4] = [middle[0] + across[0], middle[1] + across[1]];
  next[(at + 3) % 4] = [middle[0] - across[0], middle[1] - across[1]];
  return next;
}

/** The handle nearest to a point. */
export function nearest(handles, [x, y]) {
  const far = handles.map(([hx, hy]) => Math.hypot(hx - x, hy - y));
  return far.indexOf(Math.min(...far));
}

/** Handles of a shape where nobody knows anything: in the middle, or where the outline before lay. */
export function firstHandles(shape, size, before = null) {
  const [left, top, right, bottom] = before ? bounds(before) : [size[0] * 0.2, size[1] * 0.15, size[0] * 0.8, size[1] * 0.85];
  const middle = [(left + right) / 2, (top + bottom) / 2];
  const half = [(right - left) / 2, (bottom - top) / 2];
  if (shape === "square") return [[left, top], [right, top], [right, bottom], [left, bottom]].map((point) => clamped(point, size));
  const turn = shape === "hexagon" ? 0 : -Math.PI / 2;
  return Array.from({ length: CORNERS[shape] }, (_, at) => {
    const angle = turn + (2 * Math.PI * at) / CORNERS[shape];
    return [middle[0] + half[0] * Math.cos(angle), middle[1] + half[1] * Math.sin(angle)];
  });
}

/** A band for kept dice beside the tray, on the side with the most room. */
export function firstKept(outline, size) {
  const [width, height] = size;
  const [left, top, right, bottom] = outline ? bounds(outline) : [width * 0.1, height * 0.1, width * 0.85, height * 0.9];
  const room = { left, right: width - right, top, bottom: height - bottom };
  const side = Object.keys(room).reduce((best, each) => (room[each] > room[best] ? each : best));
  const along = { left: [0.02, 0.1], right: [0.02, 0.1], top: [0.1, 0.02], bottom: [0.1, 0.02] }[side];
  const least = Math.max(room[side], 0.12 * (side === "left" || side === "right" ? width : height));
  const x = along[0] * width;
  const y = along[1] * height;
  const box = {
    left: [x, y, least * 0.9, height - y], right: [width - least * 0.9, y, width - x, height - y],
    top: [x, y, width - x, least * 0.9], bottom: [x, height - least * 0.9, width - x, height - y],
  }[side];
  return [[box[0], box[1]], [box[2], box[1]], [box[2], box[3]], [box[0], box[3]]];
}

/** Points as they are sent: a tenth of a pixel is more than anybody can see. */
export function rounded(points) {
  return points.map(([x, y]) => [round(x), round(y)]);
}

function round(value) {
  return Math.round(value * 10) / 10;
}

function bounds(points) {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function clamped([x, y], [width, height]) {
  return [Math.min(Math.max(x, 0), width), Math.min(Math.max(y, 0), height)];
}

function ellipse(handles) {
  const middle = [(handles[0][0] + handles[2][0]) / 2, (handles[0][1] + handles[2][1]) / 2];
  const one = [handles[0][0] - middle[0], handles[0][1] - middle[1]];
  const two = [handles[1][0] - middle[0], handles[1][1] - middle[1]];
  return Array.from({ length: ROUND_POINTS }, (_, at) => {
    const angle = (2 * Math.PI * at) / ROUND_POINTS;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    return [middle[0] + one[0] * cos + two[0] * sin, middle[1] + one[1] * cos + two[1] * sin];
  });
}

// The ends of the axes of the ellipse that has the same area and the same moments as the outline.
function axes(outline) {
  let [area, mx, my, xx, yy, xy] = [0, 0, 0, 0, 0, 0];
  const [ox, oy] = outline[0];
  outline.forEach(([x, y], at) => {
    const [a, b] = [x - ox, y - oy];
    const next = outline[(at + 1) % outline.length];
    const [c, d] = [next[0] - ox, next[1] - oy];
    const cross = a * d - c * b;
    area += cross / 2;
    mx += ((a + c) * cross) / 6;
    my += ((b + d) * cross) / 6;
    xx += ((a * a + a * c + c * c) * cross) / 12;
    yy += ((b * b + b * d + d * d) * cross) / 12;
    xy += ((a * d + 2 * a * b + 2 * c * d + c * b) * cross) / 24;
  });
  const [cx, cy] = [mx / area, my / area];
  const [sxx, syy, sxy] = [xx / area - cx * cx, yy / area - cy * cy, xy / area - cx * cy];
  const mean = (sxx + syy) / 2;
  const off = Math.hypot((sxx - syy) / 2, sxy);
  const angle = Math.atan2(2 * sxy, sxx - syy) / 2;
  // The second moment of an ellipse about its axis is a quarter of the half axis squared.
  const [long, short] = [2 * Math.sqrt(mean + off), 2 * Math.sqrt(Math.max(mean - off, 0))];
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const at = (x, y) => [ox + cx + x, oy + cy + y];
  return [at(long * cos, long * sin), at(-short * sin, short * cos), at(-long * cos, -long * sin), at(short * sin, -short * cos)];
}
