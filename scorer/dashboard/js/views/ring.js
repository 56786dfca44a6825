/** Six faces above a die, beside the thumb: the second tap is the correction. */

import { setDraft } from "../actions.js";
import { face } from "../dice.js";
import { h } from "../dom.js";
import { add, correct, remove } from "../draft.js";
import { app, change } from "../store.js";
import { t } from "../words.js";
import { button, icon } from "./parts.js";

const MARGIN = 8;

/** The faces for the die at `place`; `value` is what it shows now, null for a die to be added. */
export function ringOfFaces(place, value) {
  return h(
    "div.ring",
    { key: "ring", role: "group", "aria-label": t("ring"), mounted: settle },
    [1, 2, 3, 4, 5, 6].map((number) =>
      button(
        "button.petal",
        {
          key: number, waits: false, class: number === value ? "current" : "",
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

// It stays within the panel of the throw and on the screen; a tap elsewhere closes it.
function settle(ring) {
  const box = ring.getBoundingClientRect();
  const room = ring.closest(".throw").getBoundingClientRect();
  const dx = Math.max(0, room.left + MARGIN - box.left) - Math.max(0, box.right - (room.right - MARGIN));
  const dy = Math.max(0, MARGIN - box.top);
  ring.style.setProperty("--dx", `${dx}px`);
  ring.style.setProperty("--dy", `${dy}px`);
  const elsewhere = (event) => {
    if (!ring.isConnected) document.removeEventListener("pointerdown", elsewhere, true);
    else if (!ring.parentNode.contains(event.target)) change({ ring: null });
  };
  document.addEventListener("pointerdown", elsewhere, true);
}
