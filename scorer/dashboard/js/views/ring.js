/** Six faces around a die, under the thumb: the second tap is the correction. */

import { setDraft } from "../actions.js";
import { face, hole } from "../dice.js";
import { h } from "../dom.js";
import { add, correct, remove } from "../draft.js";
import { app, change } from "../store.js";
import { t } from "../words.js";
import { button, icon } from "./parts.js";

const MARGIN = 8;

/** The faces around the die at `place`; `value` is what it shows now, null for a die to be added. */
export function ringOfFaces(place, value) {
  return h(
    "div.ring",
    { key: "ring", role: "group", "aria-label": t("ring"), mounted: settle },
    h("span.ring-middle", { key: "middle" }, value === null ? hole("+") : face(value)),
    [1, 2, 3, 4, 5, 6].map((number, at) =>
      button(
        "button.petal",
        {
          key: number, waits: false, style: { "--at": `${at * 60 - 90}deg` }, class: number === value ? "current" : "",
          "aria-label": t("die.set", { value: number }), onclick: () => choose(place, value, number),
        },
        face(number),
      ),
    ),
    value === null
      ? null
      : button(
          "button.remove",
          { key: "remove", waits: false, onclick: () => take(place) },
          icon("cross"), t("die.remove"),
        ),
  );
}

function choose(place, value, number) {
  setDraft(value === null ? add(app.draft, number) : correct(app.view.game.expected, app.draft, place, number));
  change({ ring: null });
}

function take(place) {
  setDraft(remove(app.draft, place));
  change({ ring: null });
}

// Near an edge the ring moves inwards; a tap elsewhere closes it.
function settle(ring) {
  const round = ring.getBoundingClientRect();
  const bottom = Math.max(round.bottom, ring.querySelector(".remove")?.getBoundingClientRect().bottom ?? 0);
  const box = { left: round.left, right: round.right, top: round.top, bottom };
  const width = document.documentElement.clientWidth;
  const height = document.documentElement.clientHeight;
  const dx = Math.max(0, MARGIN - box.left) - Math.max(0, box.right - (width - MARGIN));
  const dy = Math.max(0, MARGIN - box.top) - Math.max(0, box.bottom - (height - MARGIN));
  ring.style.setProperty("--dx", `${dx}px`);
  ring.style.setProperty("--dy", `${dy}px`);
  const elsewhere = (event) => {
    if (!ring.isConnected) document.removeEventListener("pointerdown", elsewhere, true);
    else if (!ring.parentNode.contains(event.target)) change({ ring: null });
  };
  document.addEventListener("pointerdown", elsewhere, true);
}
