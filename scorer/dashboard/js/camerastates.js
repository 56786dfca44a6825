/** The states of a camera, by what they mean for the page. */

import { t } from "./words.js";

/** There is a picture to show, be it an old one. */
export const SHOWN = new Set(["empty", "moving", "hand", "settling", "still", "read", "unsure", "stale", "frozen", "moved", "unfit", "ended"]);

/** Dice can be read, or will be as soon as they lie still. */
export const FINE = new Set(["empty", "moving", "hand", "settling", "still", "read", "unsure"]);

/** Something is in motion: what was outlined before may not be there any more. */
export const UNDER_WAY = new Set(["moving", "hand", "settling"]);

/** Nothing is read: a band across the top says so, and dice are entered by hand. */
export const TROUBLE = new Set(["stale", "frozen", "gone", "ended", "moved", "unfit"]);

/** Dice have to be entered by hand. */
export const BLIND = new Set(["none", ...TROUBLE]);

// What was read is told in lines of its own.
const AS_STILL = new Set(["read", "unsure"]);

/** What the camera does, in words; a phone is waited for, not started. */
export function stateWords({ state, source }) {
  if (source === "phone" && state === "starting") return t("phone.waiting");
  if (source === "phone" && state === "stale") return t("phone.silent");
  return t(`camera.${AS_STILL.has(state) ? "still" : state}`);
}

/** What to open on a phone that is waited for, null where none is. */
export function phoneAddress({ state, source, message }) {
  if (source !== "phone" || state !== "starting") return null;
  return addressIn(message);
}

/** The first address in what the service says, or null. */
export function addressIn(message) {
  return /https?:\/\/\S+/.exec(message ?? "")?.[0] ?? null;
}
