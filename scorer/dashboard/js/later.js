/** The calibration, fetched when somebody first opens it: most screens never do. */

import { h } from "./dom.js";
import { app, change } from "./store.js";
import { t } from "./words.js";

let page = null;
let doing = null;

/** The page, or an empty one while it is fetched. */
export function calibrateView() {
  return page ? page.calibrateView() : h("main.calibrate", { key: "calibrate" });
}

/** Opens it. */
export async function openCalibration() {
  if (app.pending) return;
  try {
    page ??= await import("./views/calibrate.js");
    doing ??= await import("./calibrate.js");
  } catch {
    const say = () => t("fault.unreachable");
    change({ notice: { kind: "fault", text: say(), say } });
    return;
  }
  await doing.openCalibration();
}
