/** The keyboard: Enter confirms, 1 to 6 correct the die in hand or enter the next one, digits fill a number pad, Escape closes. */

import { confirmThrow, setDraft } from "./actions.js";
import { add, correct, isChoosing, missing, problem, remove } from "./draft.js";
import { cancelEdit, openEvent } from "./history.js";
import { app, change } from "./store.js";
import { enterNumber, typeDigit } from "./views/pad.js";

/** Listens to the whole page. */
export function startKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    if (act(event)) event.preventDefault();
  });
}

function act(event) {
  const { draft, view } = app;
  if (event.key === "Escape" && (app.ring !== null || app.question)) {
    change({ ring: null, question: null });
    return true;
  }
  if (event.key === "Escape" && app.route === "history" && app.history.open !== null) {
    if (app.history.edit) cancelEdit();
    else openEvent(app.history.open);
    return true;
  }
  if (app.route === "table" && app.question?.ask === "chips") return typeNumber(event);
  if (app.route !== "table" || !draft || app.question) return false;
  const { expected } = view.game;
  const place = placeInHand(event.target);
  if (/^[1-6]$/.test(event.key)) {
    const value = Number(event.key);
    if (place !== null && place < draft.dice.length && !isChoosing(expected, draft)) setDraft(correct(expected, draft, place, value));
    else if (missing(expected, draft) > 0) setDraft(add(draft, value));
    else return false;
    change({ ring: null });
    return true;
  }
  if (event.key === "Backspace" || event.key === "Delete") {
    const at = place ?? draft.dice.length - 1;
    if (at < 0 || at >= draft.dice.length || draft.dice[at].hand !== null) return false;
    setDraft(remove(draft, at));
    change({ ring: null });
    return true;
  }
  if (event.key === "Enter" && !event.repeat && app.ring === null && isFree(event.target)) {
    if (app.resting || problem(expected, draft)) return false;
    confirmThrow();
    return true;
  }
  return false;
}

function typeNumber(event) {
  if (/^[0-9]$/.test(event.key)) typeDigit(event.key);
  else if (event.key === "Backspace") typeDigit(null);
  else if (event.key === "Enter" && !event.repeat && isFree(event.target)) enterNumber();
  else return false;
  return true;
}

// The die whose faces are open, or that has the focus.
function placeInHand(target) {
  if (app.ring !== null) return app.ring;
  const slot = target instanceof Element ? target.closest("[data-die]") : null;
  return slot ? Number(slot.dataset.die) : null;
}

// On a die or a face of the row Enter means "that is it": the space bar still presses the button itself.
function isFree(target) {
  if (!(target instanceof HTMLButtonElement)) return true;
  return target.closest("[data-die], .faces, .digits, .pad-steps") !== null;
}
