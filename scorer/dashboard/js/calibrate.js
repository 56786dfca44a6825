/** A calibration as this screen does it: where it stands, the outline being dragged, what is sent. */

import { firstHandles, firstKept, handlesOf, moved, nearest, outlineOf, rounded } from "./outline.js";
import { loadSetting, set } from "./setting.js";
import { app, change } from "./store.js";
import { t } from "./words.js";

export const STEPS = ["tray", "light", "throws", "save"];

/*
 * `app.calibrate` is `{id, step, back, ended, edit, which, reached, name, asked, sheet}`: `id` of the calibration, null before
 * it has begun or when it is over (`ended`: `over`, or `taken` by another screen); `back` the route that it was opened from;
 * `edit` the outline on show, `{shape, handles, kept}`, `handles` null for the whole picture and `kept` null without a zone;
 * `which` of the two is dragged; `reached` the furthest step; `name` as typed; `other` which of the outlines found is on show; `asked` whether to replace a profile of that name;
 * `sheet` true while the part about the printed sheet is open.
 */

/** Opens the page. A calibration of another screen is not ended by that: whoever looks is asked first. */
export async function openCalibration() {
  const back = app.route;
  change({ route: "calibrate", calibrate: fresh(back), notice: null, choosing: false });
  await loadSetting();
  const busy = app.setting?.calibration;
  if (!busy) await begin();
  else setCalibrate({ ended: busy.heard_s < 20 ? "busy" : "left" });
}

/** Begins anew; another screen that calibrates is told so. */
export async function begin() {
  const back = app.calibrate.back;
  change({ calibrate: fresh(back) });
  if (!(await set("/api/calibration/find"))) return;
  adopt("tray");
}

/** Goes on with the calibration that is under way, for a screen that has been opened again. */
export function goOn() {
  const { calibration } = app.setting;
  adopt(!calibration.told ? "tray" : calibration.throws ? "throws" : calibration.light ? "light" : "tray");
}

/** Looks for the tray once more. */
export async function findAgain() {
  const { id } = app.calibrate;
  if (await set("/api/calibration/find", { calibration: id })) adopt("tray");
}

/** Back to where the page was opened from; the calibration is given up. */
export async function closeCalibration() {
  const { id, back } = app.calibrate;
  change({ route: back === "table" && app.view.game ? "table" : "setup", calibrate: null });
  if (id) await set("/api/calibration/cancel", { calibration: id }, () => true);
  loadSetting();
}

/** Goes to a step that has been reached before, or to the next one. */
export async function goTo(step) {
  const { calibrate } = app;
  if (calibrate.step === "throws" && app.setting.calibration?.throws?.running) await tryThrows(false);
  setCalibrate({ step, reached: Math.max(calibrate.reached, STEPS.indexOf(step)) });
  const { calibration } = app.setting;
  if (step === "light" && !calibration?.light) await checkLight();
  if (step === "throws" && !calibration?.throws) await tryThrows(true);
}

/** What is outlined is right: on to the light. */
export async function sayTray() {
  const { id, edit } = app.calibrate;
  const size = app.setting.calibration.size;
  const body = {
    calibration: id,
    outline: edit.handles ? rounded(outlineOf(edit.shape, edit.handles, size)) : null,
    shape: edit.handles ? edit.shape : "outline",
    kept: edit.kept ? rounded(edit.kept) : null,
  };
  if (!(await set("/api/calibration/tray", body))) return;
  setCalibrate({ reached: 0 });
  await goTo("light");
}

/** Has the light checked, once more. */
export function checkLight() {
  return set("/api/calibration/light", { calibration: app.calibrate.id });
}

/** Begins the throws anew, or stops them. */
export function tryThrows(run) {
  return set("/api/calibration/throws", { calibration: app.calibrate.id, run });
}

/** Reads the printed sheet that lies on the table. */
export function readSheet() {
  return set("/api/calibration/sheet", { calibration: app.calibrate.id });
}

/** Keeps the profile; where there is one of that name, the second tap replaces it. */
export async function save() {
  const { id, back, asked } = app.calibrate;
  const name = app.calibrate.name.trim();
  if (!name) return;
  setCalibrate({ saved: true });
  const exists = (error) => {
    if (error.code !== "exists") return false;
    setCalibrate({ asked: true });
    return true;
  };
  const done = await set("/api/calibration/save", { calibration: id, name, replace: asked }, exists);
  if (!done) {
    setCalibrate({ saved: false });
    return;
  }
  const say = () => t("calibrate.saved", { name });
  change({ route: back === "table" && app.view.game ? "table" : "setup", calibrate: null, notice: { kind: "news", text: say(), say } });
}

/** Chooses what the tray is; where its shape changes, handles of the new shape lie where the old ones did. */
export function chooseShape(shape) {
  const { edit } = app.calibrate;
  const { size, found } = app.setting.calibration;
  if (shape === "picture") return setEdit({ shape, handles: null }, "tray");
  if (shape === edit.shape) return setEdit({}, "tray");
  const before = edit.handles ? outlineOf(edit.shape, edit.handles, size) : found?.outline;
  const handles = found?.shape === shape && found.outline ? handlesOf(shape, found.outline) : firstHandles(shape, size, before);
  return setEdit({ shape, handles }, "tray");
}

/** Shows the next of the outlines that the tray could have. */
export function takeOther() {
  const { found } = app.setting.calibration;
  const all = [found, ...found.others];
  const next = ((app.calibrate.other ?? 0) + 1) % all.length;
  setCalibrate({ other: next });
  setEdit({ shape: all[next].shape, handles: handlesOf(all[next].shape, all[next].outline) }, "tray");
}

/** Adds the zone for kept dice, or takes it away. */
export function switchKept() {
  const { edit } = app.calibrate;
  const { size } = app.setting.calibration;
  if (edit.kept) return setEdit({ kept: null }, "tray");
  return setEdit({ kept: firstKept(edit.handles && outlineOf(edit.shape, edit.handles, size), size) }, "kept");
}

/** Puts a handle at a point of the picture; without `at` the nearest one. */
export function putHandle(which, at, point) {
  const { edit } = app.calibrate;
  const { size } = app.setting.calibration;
  const handles = which === "kept" ? edit.kept : edit.handles;
  if (!handles) return;
  const shape = which === "kept" ? "outline" : edit.shape;
  const next = moved(shape, handles, at ?? nearest(handles, point), point, size);
  setEdit(which === "kept" ? { kept: next } : { handles: next }, which);
}

/** Changes fields of what this screen does. */
export function setCalibrate(fields) {
  if (app.calibrate) change({ calibrate: { ...app.calibrate, ...fields } });
}

function setEdit(fields, which) {
  setCalibrate({ edit: { ...app.calibrate.edit, ...fields }, which });
}

function fresh(back) {
  return {
    id: null, step: "tray", back, ended: null, edit: { shape: "picture", handles: null, kept: null }, which: "tray", reached: 0,
    name: app.setting?.profile?.name ?? t("calibrate.first_name"), asked: Boolean(app.setting?.profile), sheet: false, saved: false,
  };
}

function adopt(step) {
  const { calibration } = app.setting;
  const { found, tray } = calibration;
  const known = calibration.told ? tray : found?.outline ? found : null;
  const kept = calibration.tray?.kept ?? null;
  const shape = known?.outline ? known.shape : calibration.told ? "picture" : "square";
  const handles = known?.outline ? handlesOf(shape, known.outline) : calibration.told ? null : firstHandles("square", calibration.size);
  setCalibrate({
    id: calibration.id, step, ended: null, reached: STEPS.indexOf(step), which: "tray",
    edit: { shape, handles, kept: kept ? handlesOf("outline", kept) : null },
  });
}
