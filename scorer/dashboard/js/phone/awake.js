/** Keeps the screen on while pictures are sent: a phone that goes to sleep stops its camera. */

let lock = null;
let wanted = false;

/** Keeps the screen on from now on; gives false where this device will not. */
export async function keepAwake() {
  wanted = true;
  if (lock && !lock.released) return true;
  if (!navigator.wakeLock) return false;
  try {
    lock = await navigator.wakeLock.request("screen");
  } catch {
    // Low battery, or the page is not in front: asked again when it is.
    return false;
  }
  if (!wanted) letSleep();
  return true;
}

/** The screen may go off again. */
export function letSleep() {
  wanted = false;
  lock?.release().catch(() => {});
  lock = null;
}
