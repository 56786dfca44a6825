/** The rulesets on offer: asked for, added as a file of the house, removed again. */

import { read, Refused, send, Unreachable } from "./api.js";
import { setForm } from "./form.js";
import { app, change } from "./store.js";
import { language, t } from "./words.js";

/** So often a set-up screen asks whether another screen has added a ruleset, in milliseconds. */
const LOOK_EVERY = 4000;

/** A file that makes a larger request than the service reads is not even opened. */
const LARGEST = 64 * 1024;

let changes = 0;

/** Asks for the rulesets, so that what another screen added is on show too. */
export async function loadRulesets() {
  const asked = changes;
  try {
    const rulesets = await read("/api/rulesets");
    // What was added or removed here meanwhile may be missing from it.
    if (asked !== changes) return;
    if (JSON.stringify(rulesets) !== JSON.stringify(app.rulesets)) change({ rulesets });
  } catch {
    // Asked again as soon as the line is back.
  }
}

/** Keeps the rulesets in step while the set-up screen is on show. */
export function followRulesets() {
  setInterval(() => {
    if (app.route === "setup" && app.connection === "live" && !app.pending && document.visibilityState === "visible") loadRulesets();
  }, LOOK_EVERY);
}

/** Adds house files one after the other; the last good one is chosen, what speaks against the others is listed. */
export async function addRulesFiles(files) {
  if (app.pending) return;
  change({ misfits: [], dropping: false, removing: null });
  for (const file of files) await addFile(file);
}

/** Closes the list of faults. */
export function forgetMisfits() {
  change({ misfits: [] });
}

/** Removes a ruleset that a screen has added; the first tap only asks. */
export async function removeRuleset(id) {
  if (app.removing !== id) {
    change({ removing: id });
    return;
  }
  change({ removing: null });
  try {
    change({ rulesets: await sent("/api/rulesets/remove", { id }) });
  } catch (error) {
    change({ notice: { kind: "fault", text: sentence(error), say: () => sentence(error) } });
    loadRulesets();
  }
}

async function addFile(file) {
  try {
    const text = await textOf(file);
    if (text === null) return misfit(file, () => t("rules.not_text"));
    if (text === undefined) return misfit(file, () => t("rules.too_large"));
    const rulesets = await sent("/api/rulesets", { file: file.name, text });
    const before = new Set(app.rulesets?.map((ruleset) => ruleset.id));
    const stem = file.name.replace(/\.toml$/i, "");
    const added = rulesets.find((ruleset) => ruleset.id === stem) ?? rulesets.find((ruleset) => !before.has(ruleset.id));
    change({ rulesets });
    if (added) setForm({ ruleset: added.id });
  } catch (error) {
    misfit(file, () => sentence(error), error instanceof Refused ? error.faults : null);
  }
  return undefined;
}

// The text of a file; undefined where it is too large to be rules, null where it is no text.
async function textOf(file) {
  if (file.size > LARGEST) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}

async function sent(path, body) {
  changes += 1;
  change({ pending: { path, retrying: false }, notice: null });
  try {
    return await send(path, body, () => change({ pending: { path, retrying: true } }));
  } finally {
    changes += 1;
    change({ pending: null });
  }
}

function misfit(file, say, faults = null) {
  change({ misfits: [...app.misfits, { file: file.name, say, faults }] });
}

function sentence(error) {
  if (error instanceof Unreachable) return t("fault.unreachable");
  if (error.code === "too_large") return t("rules.too_large");
  if (error instanceof Refused && language() !== "en") return t("service.says", { text: error.message });
  return error.message;
}
