/** What the camera is set to: asked for, kept in step with the service, changed. */

import { read, Refused, send, Unreachable } from "./api.js";
import { app, change } from "./store.js";
import { has, language, t } from "./words.js";

/** A screen that calibrates is heard of at least so often, in milliseconds. */
const HEARD_EVERY = 10_000;

/** States in which somebody must look at the picture, and at where the tray is thought to be. */
const LOOKS = new Set(["moved", "unfit"]);

let asking = false;
let known = -1;
let asked = 0;

/** Asks how the camera is set; a service that cannot be set says so by having no such address. */
export async function loadSetting() {
  if (asking) return;
  asking = true;
  known = app.view?.version ?? -1;
  asked = performance.now();
  try {
    const id = app.calibrate?.id;
    takeSetting(await read(id ? `/api/camera?calibration=${encodeURIComponent(id)}` : "/api/camera"));
  } catch (error) {
    if (error instanceof Refused && error.status === 404) change({ setting: null });
    // Else it is asked again with the next view, which comes when the line is back.
  } finally {
    asking = false;
  }
}

/** Asks which cameras this machine has. */
export async function loadCameras() {
  change({ cameras: null });
  try {
    change({ cameras: await read("/api/cameras") });
  } catch {
    change({ cameras: [] });
  }
}

/** Takes what the service says of the setting. */
export function takeSetting(setting) {
  const fields = { setting };
  const { calibrate } = app;
  // The calibration of this screen is over, or it is another screen's now: the view says so.
  if (calibrate?.id && !calibrate.saved && setting.calibration?.id !== calibrate.id) {
    fields.calibrate = { ...calibrate, id: null, ended: setting.calibration ? "taken" : "over" };
  }
  change(fields);
}

/** After every change of the page: where the setting is on show, what it says follows the table. */
export function keepSetting() {
  if (app.connection !== "live" || !app.view) return;
  const shown = app.route === "calibrate" || app.route === "setup" || LOOKS.has(app.view.camera.state) || app.setting === undefined;
  if (shown && app.view.version !== known) loadSetting();
}

/** Tells the service, while nothing changes, that this screen still calibrates. */
export function startHeartbeat() {
  setInterval(() => {
    if (app.calibrate?.id && performance.now() - asked > HEARD_EVERY && document.visibilityState === "visible") loadSetting();
  }, HEARD_EVERY / 2);
}

/** Sends a command about the camera; true when it was done. `onRefused(error)` may deal with a refusal, and says so by true. */
export async function set(path, body = {}, onRefused = () => false) {
  if (app.pending) return false;
  change({ pending: { path, retrying: false }, notice: null });
  let done = false;
  try {
    takeSetting(await send(path, body, () => change({ pending: { path, retrying: true } })));
    done = true;
  } catch (error) {
    if (!(error instanceof Refused && onRefused(error))) {
      const say = () => sentence(error);
      change({ notice: { kind: "fault", text: say(), say } });
      if (error instanceof Refused && error.code === "stale") loadSetting();
    }
  }
  change({ pending: null });
  return done;
}

function sentence(error) {
  if (error instanceof Unreachable) return t("fault.unreachable");
  if (!(error instanceof Refused)) return String(error);
  const key = `refused.${error.code}`;
  if (language() === "en") return error.message;
  return has(key) && error.code !== "stale" ? t(key) : t("service.says", { text: error.message });
}
