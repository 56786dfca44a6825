/** The line below the buttons: what to do next, what the camera doubts, what another tablet did. */

import { entersByHand, rollBefore, rollOnOffer } from "../actions.js";
import { UNDER_WAY } from "../camerastates.js";
import { h } from "../dom.js";
import * as drafts from "../draft.js";
import { app } from "../store.js";
import { language, t } from "../words.js";
import { reasonWords } from "./camera.js";

/** The line, for the draft as it is; `fault` says why it cannot be confirmed. */
export function hint(expected, draft, choosing, fault) {
  if (app.notice) return h("p.hint", { key: "hint", class: app.notice.kind, role: "status" }, app.notice.text);
  const asked = fault?.key === "throw.kept_or_thrown" ? drafts.contradicted(expected, draft) : [];
  const doubted = fault || choosing ? asked : drafts.keptByWord(draft, rollOnOffer());
  if (doubted.length && !drafts.isOvertaken(draft, rollOnOffer())) {
    return h("p.hint.doubt", { key: "hint", role: "status" }, keptOrThrown(expected, draft, doubted));
  }
  // On a phone the camera's own words are far below. What keeps the throw from being confirmed goes first.
  const flag = entersByHand() ? null : app.view.camera.flags?.[0];
  if (flag && !(fault && draft.dice.length)) return h("p.hint.doubt", { key: "hint", role: "status" }, t(`flag_short.${flag.kind}`));
  return h("p.hint", { key: "hint" }, hintWords(expected, draft, choosing, fault));
}

function hintWords(expected, draft, choosing, fault) {
  const { camera } = app.view;
  const roll = rollOnOffer();
  const name = expected.player;
  if (drafts.isOvertaken(draft, roll)) return t("hint.newer", { values: valuesOf(roll.dice) });
  if (rollBefore() && !draft.edited) return t("hint.before", { values: valuesOf(rollBefore().dice) });
  if (roll && (choosing || !draft.dice.length) && !drafts.isUsable(roll)) return misfitWords(roll);
  if (choosing) return t("hint.choose", { name, count: expected.dice - draft.dice.length });
  if (!draft.dice.length) {
    if (entersByHand()) return t("hint.enter", { count: expected.dice });
    if (camera.state === "hand") return t("hint.hand");
    return UNDER_WAY.has(camera.state) ? t("hint.rolling") : t("hint.throw", { name, count: expected.dice });
  }
  if (fault?.key === "throw.kept_or_thrown") return keptOrThrown(expected, draft);
  if (fault) return t(fault.key, { name, count: fault.count });
  if (roll && draft.roll === roll.id && roll.fits && roll.hint && language() === "en") return roll.hint;
  if (roll && draft.roll === roll.id && !draft.edited && roll.reasons.length) {
    return t("hint.check", { reasons: roll.reasons.map(reasonWords).join(", ") });
  }
  return t(!roll?.kept_known && mayBeKept(expected, draft) ? "hint.kept" : "hint.correct");
}

function misfitWords(roll) {
  if (roll.reasons.includes("as confirmed")) return t("hint.as_confirmed");
  if (roll.reasons.includes("another turn")) return t("hint.another_turn");
  return roll.hint ?? t("hint.check", { reasons: roll.reasons.map(reasonWords).join(", ") });
}

// Equal values are no evidence: a die that was not seen to lie still counts as thrown until somebody says otherwise.
function mayBeKept(expected, draft) {
  const kept = draft.dice.some((die) => die.hand !== null);
  return !kept && draft.dice.some((_, place) => drafts.keepablePlace(expected, draft, place) !== null);
}

function valuesOf(dice) {
  return dice.map((die) => die.value).sort((a, b) => b - a).join(" ");
}

/** The question about dice that somebody said were kept and that lie there as thrown. */
export function keptOrThrown(expected, draft, places = drafts.contradicted(expected, draft)) {
  const key = drafts.marksOf(draft).some((place) => !places.includes(place)) ? "throw.kept_or_thrown_one" : "throw.kept_or_thrown";
  return t(key, { values: listed(places.map((place) => expected.hand[place])), count: places.length });
}

/** Values as a list in words. */
export function listed(values) {
  return new Intl.ListFormat(language(), { type: "conjunction" }).format(values.map(String));
}
