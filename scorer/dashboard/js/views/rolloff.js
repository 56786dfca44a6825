/** A roll-off: who is in it, what is at stake, throws side by side. */

import { face, hole } from "../dice.js";
import { h } from "../dom.js";
import { hasPicture, livePicture } from "../picture.js";
import { app } from "../store.js";
import { t } from "../words.js";
import { words } from "./camera.js";
import { icon, nameOf } from "./parts.js";

/** Takes the place of the camera while a roll-off is being thrown. */
export function rolloff(game) {
  const { end, players } = game.rolloff;
  const passes = earlierPasses(game);
  return h(
    "div.rolloff",
    { key: "rolloff" },
    h(
      "div.rolloff-head",
      { key: "head" },
      h("h2", null, t("rolloff")),
      h("p", null, t(`rolloff.${end}`)),
    ),
    h(
      "ol.rolloff-rows",
      { key: "rows" },
      players.map((name, at) => {
        const turn = game.expected?.player === name;
        const dice = game.rolloff.thrown[at] ?? null;
        const before = passes.get(name) ?? [];
        return h(
          "li",
          { key: name, class: turn ? "turn" : "" },
          h("span.mark", { key: "mark" }, turn ? icon("turn") : null),
          nameOf(name),
          h(
            "span.rolloff-dice",
            { key: "dice", role: "img", "aria-label": dice ? dice.join(" ") : t("rolloff.waiting") },
            before.map((value, place) => face(value, { key: `b${place}`, class: "before" })),
            before.length ? h("i.bar", { key: "bar" }) : null,
            dice ? dice.map((value, place) => face(value, { key: `d${place}` })) : holes(game),
          ),
        );
      }),
    ),
    hasPicture(app.view.camera) ? h("div.picture-room", { key: "room" }, livePicture()) : null,
    h("div.camera-words", { key: "words" }, words(app.view)),
  );
}

function holes(game) {
  return Array.from({ length: game.expected?.dice ?? 1 }, (_, at) => ({ ...hole(), key: `h${at}` }));
}

/**
 * Player -> the dice of the passes before this one, oldest first. Throws of one die belong to the roll-off for sure,
 * and in the opening every throw does; where three dice are rolled off nothing tells them from those of a turn.
 */
export function earlierPasses(game) {
  const result = new Map();
  const opening = game.rolloff.end === "opening";
  for (const item of game.throws.slice(game.rolloff.thrown.length)) {
    if (!opening && item.dice.length + item.kept.length !== 1) break;
    result.set(item.player, [...item.dice, ...(result.get(item.player) ?? [])]);
  }
  return result;
}
