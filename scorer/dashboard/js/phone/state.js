/** What the camera page shows; changed in one place, so that it is drawn again after each change. */

import { recall, remember } from "../memory.js";
import { change } from "../store.js";

export const phone = {
  /**
   * What happens now: `idle`, `asking` (for the camera), `connecting`, `sending`, or what is in the way: `insecure`,
   * `unsupported`, `denied`, `missing`, `busy`, `stalled` (the camera gives no picture), `unwanted` (the table has
   * another camera), `taken` (by another phone), `lost` (no connection).
   */
  state: "idle",
  /** What the service says of itself (`GET /api/phone`), or null before it has answered. */
  service: null,
  /** The stream of the camera, or null. */
  stream: null,
  /** Pictures a second that arrive, and their size. */
  rate: 0,
  size: null,
  /** What the table's camera does, in the word of the table view. */
  camera: null,
  /** The id of the camera that somebody chose here; null for the one at the back. */
  chosen: recall("phone.chosen", null),
  /** The id of the one after it, null where there is no other. */
  other: null,
  /** Whether the lamp shines; null where there is none. */
  lamp: null,
  /** False where the screen cannot be kept on. */
  awake: true,
  /** Quarter turns to the right that every picture gets before it is sent. */
  turn: recall("phone.turn", 0),
};

/** Changes fields and draws the page again. */
export function show(fields) {
  Object.assign(phone, fields);
  change({});
}

/** Another quarter turn to the right, remembered on this device. */
export function turnPicture() {
  const turn = (phone.turn + 1) % 4;
  remember("phone.turn", turn);
  show({ turn });
}
