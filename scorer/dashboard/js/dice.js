/** Ivory dice with pips, drawn. */

import { h } from "./dom.js";

const LEFT = 26;
const MID = 50;
const RIGHT = 74;
const PIPS = {
  1: [[MID, MID]],
  2: [[LEFT, RIGHT], [RIGHT, LEFT]],
  3: [[LEFT, RIGHT], [MID, MID], [RIGHT, LEFT]],
  4: [[LEFT, LEFT], [RIGHT, LEFT], [LEFT, RIGHT], [RIGHT, RIGHT]],
  5: [[LEFT, LEFT], [RIGHT, LEFT], [MID, MID], [LEFT, RIGHT], [RIGHT, RIGHT]],
  6: [[LEFT, 24], [RIGHT, 24], [LEFT, MID], [RIGHT, MID], [LEFT, 76], [RIGHT, 76]],
};

/** One die showing `value`; silent for screen readers, whoever places it says what it means. */
export function face(value, props = {}) {
  return h(
    "svg.die",
    { viewBox: "0 0 100 100", "aria-hidden": true, focusable: "false", ...props },
    h("rect.die-rim", { x: 2, y: 2, width: 96, height: 96, rx: 22 }),
    h("rect.die-face", { x: 5, y: 4, width: 90, height: 89, rx: 20 }),
    PIPS[value].map(([x, y]) => h("circle.pip", { cx: x, cy: y - 1, r: value === 1 ? 11.5 : 9.2 })),
  );
}

/** An empty place for a die. */
export function hole(mark = "") {
  return h(
    "svg.die.hole",
    { viewBox: "0 0 100 100", "aria-hidden": true, focusable: "false" },
    h("rect", { x: 4, y: 4, width: 92, height: 92, rx: 21 }),
    mark ? h("text", { x: 50, y: 52, "text-anchor": "middle", "dominant-baseline": "central" }, mark) : null,
  );
}

/** A hand as small dice in a row, high to low. */
export function smallHand(values) {
  const sorted = [...values].sort((a, b) => b - a);
  return h("span.small-hand", { "aria-hidden": true }, sorted.map((value, at) => face(value, { key: `d${at}` })));
}
