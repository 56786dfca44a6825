/** Whose turn it is, and the throw being put together: read, corrected, kept, entered, confirmed. */

import {
  again, clearDraft, confirmAndStand, confirmThrow, entersByHand, rollBefore, rollOnOffer, setByHand, setDraft, stand, takeBefore, takeNewer,
} from "../actions.js";
import { BLIND } from "../camerastates.js";
import { face, hole } from "../dice.js";
import { h } from "../dom.js";
import * as drafts from "../draft.js";
import { app, change } from "../store.js";
import { t } from "../words.js";
import { reasonWords } from "./camera.js";
import { hint, keptOrThrown, listed } from "./hint.js";
import { button, icon, nameOf } from "./parts.js";
import { ringOfFaces } from "./ring.js";

/** The lower part of the right half. */
export function throwPanel(game) {
  const { expected } = game;
  const { draft } = app;
  const choosing = drafts.isChoosing(expected, draft);
  const fault = drafts.problem(expected, draft);
  return h(
    "div.throw",
    { key: "throw" },
    heading(expected, game),
    h(
      "div.tray",
      { key: "tray", class: `of-${Math.max(expected.dice, draft.dice.length)}` },
      h("div.slots", { key: "slots", class: choosing && draft.dice.length ? "some-kept" : "" }, choosing ? choosingSlots(expected, draft) : slots(expected, draft)),
      h("div.verdict", { key: "verdict" }, verdict(game, draft, choosing, fault)),
    ),
    keptStrip(expected, draft, choosing),
    keypad(expected, draft),
    actions(expected, draft, choosing, fault),
    hint(expected, draft, choosing, fault),
  );
}

function heading(expected, game) {
  const what = game.rolloff ? t("throw.rolloff") : t("throw.number", { number: expected.throw, of: expected.of });
  return h("h2.turn-name", { key: "heading" }, nameOf(expected.player), h("span.which", null, what));
}

function choosingSlots(expected, draft) {
  const marks = drafts.marksOf(draft);
  return expected.hand.map((value, place) => {
    const kept = marks.includes(place);
    const can = kept || drafts.canKeep(expected, draft, place);
    const toggle = () => setDraft(drafts.toggleKept(expected, app.draft, place));
    return h(
      "div.slot",
      { key: `h${place}`, class: kept ? "kept" : "ghost" },
      button(
        "button.die-button",
        {
          key: "die", off: !can, onclick: toggle, "aria-pressed": kept ? "true" : "false",
          "aria-label": t(kept ? "die.kept_value" : "die.keep_value", { value }),
        },
        face(value),
      ),
      caption(t(kept ? "die.kept" : "die.throw_again"), can ? toggle : null),
    );
  });
}

function slots(expected, draft) {
  const count = Math.max(expected.dice, draft.dice.length);
  return Array.from({ length: count }, (_, place) =>
    place < draft.dice.length ? dieSlot(expected, draft, place) : emptySlot(expected, draft, place),
  );
}

function dieSlot(expected, draft, place) {
  const die = draft.dice[place];
  const doubt = die.seen && !die.corrected && die.hand === null ? die.seen.reasons : [];
  const kept = die.hand !== null;
  const open = app.ring === place;
  const classes = [kept ? "kept" : "thrown", doubt.length ? "doubtful" : "", open ? "open" : ""].join(" ");
  const label = [t("die.value", { value: die.value }), ...doubt.map(reasonWords), t("die.correct")].join(", ");
  return h(
    "div.slot",
    { key: `d${place}`, class: classes, "data-die": place },
    button(
      "button.die-button",
      {
        key: "die", waits: false, "aria-label": label, "aria-expanded": open ? "true" : "false",
        onclick: () => change({ ring: open ? null : place }),
      },
      face(die.value),
    ),
    tag(expected, draft, place, doubt),
    open ? facesOf(expected, place, die.value) : null,
  );
}

function tag(expected, draft, place, doubt) {
  const die = draft.dice[place];
  if (!expected.hand.length) {
    const text = doubt.length ? doubt.map(reasonWords).join(", ") : die.corrected ? t("die.corrected") : "";
    return h("span.tag", { key: "tag", class: doubt.length ? "reason" : "" }, text);
  }
  const kept = die.hand !== null;
  const where = drafts.keepablePlace(expected, draft, place);
  const text = doubt.length ? reasonWords(doubt[0]) : t(kept ? "die.kept" : "die.thrown");
  if (where === null) {
    return caption(text, () => change({ ring: app.ring === place ? null : place }), doubt.length ? "reason" : "");
  }
  return button(
    "button.tag-button",
    {
      key: "tag", waits: false, "aria-pressed": kept ? "true" : "false",
      "aria-label": t(kept ? "die.kept_value" : "die.keep_value", { value: die.value }),
      onclick: () => setDraft(drafts.toggleKept(expected, app.draft, where)),
    },
    t(kept ? "die.kept" : "die.thrown"),
  );
}

// The word under a die: all look alike and may be tapped alike; this one does what its die does, which speaks for it.
function caption(text, onclick, reason = "") {
  return h("span.tag", { key: "caption", class: reason || "caption", "aria-hidden": reason ? null : true, onclick }, text);
}

function facesOf(expected, place, value) {
  if (value === null) return ringOfFaces(null, (number) => setDraft(drafts.add(app.draft, number)), null);
  const correct = (number) => setDraft(drafts.correct(expected, app.draft, place, number));
  return ringOfFaces(value, correct, () => setDraft(drafts.remove(app.draft, place)));
}

function emptySlot(expected, draft, place) {
  const open = app.ring === place;
  const first = place === draft.dice.length;
  return h(
    "div.slot",
    { key: `d${place}`, class: open ? "empty open" : "empty", "data-die": place },
    button(
      "button.die-button",
      {
        key: "die", waits: false, off: !first, "aria-label": t("die.add"), "aria-expanded": open ? "true" : "false",
        onclick: () => change({ ring: open ? null : place }),
      },
      hole(first ? "+" : ""),
    ),
    h("span.tag", { key: "tag" }, ""),
    open ? facesOf(expected, place, null) : null,
  );
}

function verdict(game, draft, choosing, fault) {
  const { expected } = game;
  if (choosing) {
    return [h("strong.hand-name", { key: "name" }, drafts.handName(expected.hand)), worthLine(game, expected.hand)];
  }
  if (fault?.key === "throw.kept_or_thrown") return contradiction(expected, draft);
  if (fault || expected.dice !== 3) return null;
  const values = draft.dice.map((die) => die.value);
  return [h("strong.hand-name", { key: "name" }, drafts.handName(values)), worthLine(game, values)];
}

function worthLine(game, values) {
  const name = drafts.handName(values);
  const known = game.expected.worth?.[name];
  const own = game.players.find((player) => player.name === game.expected.player);
  const worth = known ?? (own?.hand?.length && drafts.handName(own.hand) === name ? own.value : undefined);
  return typeof worth === "number" ? h("span.worth", { key: "worth" }, t("chips.count", { count: worth })) : null;
}

// Dice that were kept may lie beside the tray, where the camera does not see them.
function keptStrip(expected, draft, choosing) {
  if (choosing || !expected.hand.length || drafts.missing(expected, draft) <= 0) return null;
  const marks = drafts.marksOf(draft);
  const offers = expected.hand
    .map((value, place) => ({ value, place }))
    .filter(({ place }) => !marks.includes(place) && drafts.canKeep(expected, draft, place));
  if (!offers.length) return null;
  const question = t("throw.which_kept", { count: drafts.missing(expected, draft) });
  return h(
    "div.strip",
    { key: "strip", role: "group", "aria-label": question },
    h("span", { key: "text" }, question),
    offers.map(({ value, place }) =>
      button(
        "button.face-button",
        {
          key: `k${place}`, waits: false, "aria-label": t("die.keep_value", { value }),
          onclick: () => setDraft(drafts.toggleKept(expected, app.draft, place)),
        },
        face(value),
      ),
    ),
  );
}

// Somebody said that a die is kept, and none that lies there shows it: only the table knows which is right.
// The answers stand where the hand would be, so that nothing moves.
function contradiction(expected, draft) {
  const lost = drafts.contradicted(expected, draft).map((place) => expected.hand[place]);
  return h(
    "div.asks",
    { key: "asks", role: "group", "aria-label": keptOrThrown(expected, draft) },
    button(
      "button.plain",
      {
        key: "kept", waits: false, "aria-label": t("throw.was_kept", { values: listed(lost), count: lost.length }),
        onclick: () => setDraft(drafts.insist(expected, app.draft)),
      },
      lost.map((value, at) => h("span.asked-die", { key: at }, face(value))),
      t("die.kept"),
    ),
    button(
      "button.plain",
      { key: "thrown", waits: false, onclick: () => setDraft(drafts.allThrown(expected, app.draft)) },
      t("throw.all_thrown", { count: lost.length }),
    ),
  );
}

function keypad(expected, draft) {
  if (!entersByHand()) return null;
  if (drafts.missing(expected, draft) <= 0 && !drafts.isChoosing(expected, draft)) return null;
  return h(
    "div.faces",
    { key: "faces", role: "group", "aria-label": t("faces") },
    [1, 2, 3, 4, 5, 6].map((value) =>
      button(
        "button.face-button",
        {
          key: value, waits: false, "aria-label": t("die.enter", { value }),
          onclick: () => setDraft(drafts.add(app.draft, value)),
        },
        face(value),
      ),
    ),
  );
}

// Every button has its place for the whole turn: what cannot be pressed now is dimmed, and nothing moves under a thumb.
function actions(expected, draft, choosing, fault) {
  const ready = !fault;
  const several = expected.of > 1 && !app.view.game.rolloff;
  const act = (tag, off, onclick, ...words) => button(tag, { key: tag.split(".")[1], rests: true, off, onclick }, ...words);
  const list = [act("button.confirm", choosing || !ready, confirmThrow, t("confirm"))];
  if (several) {
    // Standing on a throw just read confirms it first: one tap for the most common end of a turn.
    const can = choosing ? expected.can_stand : ready && expected.throws_left > 1;
    const both = can && !choosing;
    list.push(act(`button.stand${both ? ".both" : ""}`, !can, choosing ? stand : confirmAndStand, t(both ? "confirm_stand" : "stand")));
  }
  const [off, onclick, drawing, words] = lastAction(expected, draft);
  list.push(act("button.plain", off, onclick, icon(drawing), words));
  return h("div.actions", { key: "actions", class: several ? "" : "single" }, list);
}

// The last place: what else can be done with the dice that lie there.
function lastAction(expected, draft) {
  const roll = rollOnOffer();
  const camera = !BLIND.has(app.view.camera.state);
  const thrown = draft.dice.some((die) => die.hand === null);
  if (drafts.isOvertaken(draft, roll)) return [false, takeNewer, "newer", t("newer")];
  if (rollBefore() && !draft.edited) return [false, takeBefore, "before", t("before")];
  if (roll && (draft.roll === roll.id || !thrown)) return [false, again, "again", t("again")];
  if (thrown || !camera) return [!thrown, clearDraft, "cross", t("clear")];
  if (app.byHand) return [false, () => setByHand(false), "camera", t("by_camera")];
  return [false, () => setByHand(true), "hand", t("by_hand")];
}
