/** Chips as piles of five, so that they can be counted, and their flight from giver to taker. */

import { h } from "./dom.js";
import { t } from "./words.js";

const THICK = 9;
const TOP = 26;
const FLIGHT = 420;
const LAST_START = 150;
const MOST_FLYING = 12;

/** How many piles `count` chips make. */
export function pileCount(count) {
  return Math.ceil(count / 5);
}

/** `count` chips in piles of five. `place` names them for flights: `pot` or a player's name. */
export function piles(count, place) {
  const stacks = [];
  for (let left = count; left > 0; left -= 5) stacks.push(Math.min(5, left));
  return h(
    "span.piles",
    { "data-place": place, role: "img", "aria-label": t("chips.count", { count }) },
    stacks.map((size, at) => stack(size, at)),
    stacks.length ? null : h("span.no-chips", { key: "none" }),
  );
}

function stack(size, at) {
  const height = TOP + THICK * (size - 1);
  const chips = [];
  for (let level = 0; level < size; level += 1) {
    chips.push(h("use", { key: level, href: "#chip", x: 0, y: height - TOP - level * THICK, width: 44, height: TOP }));
  }
  return h("svg.stack", { key: at, viewBox: `-1 -1 46 ${height + 2}`, "aria-hidden": true, focusable: "false" }, chips);
}

/** Lets the chips of a settlement fly, under 600 ms; nothing moves for those who asked for less motion. */
export function fly(moves) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const layer = document.getElementById("flights");
  for (const move of moves) {
    const from = middleOf(move.from);
    const to = middleOf(move.to);
    if (!from || !to) continue;
    const flying = Math.min(move.chips, MOST_FLYING);
    for (let number = 0; number < flying; number += 1) {
      flight(layer, from, to, (LAST_START * number) / Math.max(1, flying - 1));
    }
  }
}

function middleOf(place) {
  const spots = [...document.querySelectorAll("[data-place]")];
  const spot = spots.find((candidate) => candidate.dataset.place === place);
  if (!spot) return null;
  const box = spot.getBoundingClientRect();
  const first = spot.firstElementChild?.getBoundingClientRect() ?? box;
  return { x: box.left + Math.min(box.width, first.width * 2) / 2, y: box.top + box.height / 2, size: first.width };
}

function flight(layer, from, to, delay) {
  const chip = document.createElement("span");
  chip.className = "flying-chip";
  layer.append(chip);
  const high = Math.min(from.y, to.y) - 40;
  const at = (x, y, scale) => `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${scale})`;
  const done = chip.animate(
    [
      { transform: at(from.x, from.y, 0.9) },
      { transform: at((from.x + to.x) / 2, (high + (from.y + to.y) / 2) / 2, 1.25), offset: 0.5 },
      { transform: at(to.x, to.y, 0.9) },
    ],
    { duration: FLIGHT, delay, easing: "cubic-bezier(.4,0,.3,1)", fill: "both" },
  ).finished;
  done.then(() => chip.remove(), () => chip.remove());
}
