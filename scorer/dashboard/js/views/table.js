/** The table view: the board on the left, on the right whatever the moment asks for. */

import { h } from "../dom.js";
import { hasPicture } from "../picture.js";
import { app } from "../store.js";
import { board } from "./board.js";
import { camera } from "./camera.js";
import { ending } from "./ending.js";
import { padView } from "./pad.js";
import { rolloff } from "./rolloff.js";
import { throwPanel } from "./throw.js";

/** Everything that is seen while a game is on the table. */
export function tableView() {
  const { game } = app.view;
  if (game.score_pad && !game.over) return padView(game);
  const classes = [game.over ? "over" : "", game.rolloff ? "rolling-off" : "", hasPicture(app.view.camera) ? "" : "by-hand"].join(" ");
  return h("main.table", { key: "table", class: classes }, board(), right(game));
}

function right(game) {
  if (game.over) return h("section.side", { key: "side" }, ending(game));
  return h("section.side", { key: "side" }, game.rolloff ? rolloff(game) : camera(game), throwPanel(game));
}
