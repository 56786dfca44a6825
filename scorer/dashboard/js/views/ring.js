/** Six faces above a die, beside the thumb: the second tap is the correction. */

import { face } from "../dice.js";
import { h } from "../dom.js";
import { change } from "../store.js";
import { t } from "../words.js";
import { awayFrom, button, icon } from "./parts.js";

const MARGIN = 8;

/** The faces for a die that shows `value`, null for one to be added; `take` is null where it cannot be taken out. */
export function ringOfFaces(value, choose, take) {
  const done = (act) => () => {
    act();
    change({ ring: null });
  };
  return h(
    "div.ring",
    { key: "ring", role: "group", "aria-label": t("ring"), mounted: settle },
    [1, 2, 3, 4, 5, 6].map((number) =>
      button(
        "button.petal",
        {
          key: number, waits: false, class: number === value ? "current" : "",
          "aria-label": t("die.set", { value: number }), onclick: done(() => choose(number)),
        },
        face(number),
      ),
    ),
    take === null ? null : button("button.remove", { key: "remove", waits: false, onclick: done(take) }, icon("cross"), t("die.remove")),
  );
}

// It stays within its panel and on the screen; a tap elsewhere closes it.
function settle(ring) {
  const box = ring.getBoundingClientRect();
  const room = ring.closest(".throw, .event-card").getBoundingClientRect();
  const dx = Math.max(0, room.left + MARGIN - box.left) - Math.max(0, box.right - (room.right - MARGIN));
  const dy = Math.max(0, MARGIN - box.top);
  ring.style.setProperty("--dx", `${dx}px`);
  ring.style.setProperty("--dy", `${dy}px`);
  awayFrom(ring, () => change({ ring: null }), ring.parentNode);
}
