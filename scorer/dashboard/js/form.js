/** The set-up form: who sits where, by which rules, with which options. */

import { recall } from "./memory.js";
import { app, change } from "./store.js";

/** The form as it is: filled in by what the service suggests, else by what was played here last. */
export function formNow() {
  if (app.setup) return app.setup;
  const wished = app.view.setup ?? {};
  app.setup = {
    names: wished.players ?? recall("seats", []),
    typed: "",
    ruleset: wished.ruleset ?? recall("ruleset", "rulebook"),
    options: { ...recall("options", {}), ...(wished.ruleset ? { [wished.ruleset]: wished.options ?? {} } : {}) },
  };
  return app.setup;
}

/** Changes fields of the form. */
export function setForm(fields) {
  change({ setup: { ...formNow(), ...fields }, notice: null });
}

/** The ruleset chosen, or the first where that one is not on offer; null while none are known. */
export function rulesetOf(form) {
  return app.rulesets?.find((ruleset) => ruleset.id === form.ruleset) ?? app.rulesets?.[0] ?? null;
}
