/** The latest throws, where there is no picture to look at. */

import { face } from "../dice.js";
import { h } from "../dom.js";
import { t } from "../words.js";
import { nameOf } from "./parts.js";

const MOST = 4;

/** The newest throws of the game, newest first; null before the first one. */
export function latestThrows(game) {
  const newest = game.throws.slice(0, MOST);
  if (!newest.length) return null;
  return h(
    "div.latest",
    { key: "latest" },
    h("h3", { key: "title" }, t("latest")),
    h(
      "ol",
      { key: "list" },
      newest.map((item) =>
        h(
          "li",
          { key: item.seq },
          nameOf(item.player),
          h(
            "span.latest-dice",
            { key: "dice", role: "img", "aria-label": [...item.kept, ...item.dice].join(" ") },
            item.kept.map((value, at) => h("span.latest-kept", { key: `k${at}` }, face(value))),
            item.dice.map((value, at) => face(value, { key: `d${at}` })),
          ),
        ),
      ),
    ),
  );
}
