/** Everything the page knows. Views read it, actions change it, a change redraws the page once. */

export const app = {
  /** The newest table view of the service, null before the first one. */
  view: null,
  /** `opening`, `live` or `lost`. */
  connection: "opening",
  /** What the service offers, null until asked. */
  rulesets: null,
  /** What to show: `table`, `setup`, `history` or `calibrate`. */
  route: "table",
  /** The throw being put together (see draft.js), null when nobody is to throw. */
  draft: null,
  /** True for a moment after the game or the roll has changed: a tap meant for what was there before does nothing. */
  resting: false,
  /** Which die has its six faces open: its place in the draft, or null. */
  ring: null,
  /** True while somebody enters dice by hand although there is a camera. */
  byHand: false,
  /**
   * A question on the table: `{ask: "leave"}`, `{ask: "leave", player}`, `{ask: "abandon"}`, `{ask: "why"}` for the newest
   * settlement, or on the score pad `{ask: "chips", player, sign, typed}`.
   */
  question: null,
  /** The command on its way: `{path, retrying}`, or null. */
  pending: null,
  /** One short sentence about what just happened: `{text, kind: "news" | "fault", say}`, `say()` being the text in the language of the page, or null. */
  notice: null,
  /** The games kept, on show on the set-up screen: `{list, shown}`, `list` null until it came, or null. */
  games: null,
  /** The set-up form, see form.js. */
  setup: null,
  /** What speaks against house files that somebody wanted to add: `{file, say, faults}` each, see rulesets.js. */
  misfits: [],
  /** Which ruleset a second tap removes, or null. */
  removing: null,
  /** True while a file is held over the set-up screen. */
  dropping: false,
  /** The history on show, see history.js, or null. */
  history: null,
  /** What the camera is set to, see setting.js; undefined until asked, null where the service cannot be set. */
  setting: undefined,
  /** The cameras of the service's machine, null while they are looked for. */
  cameras: null,
  /** True while the list of cameras is open. */
  choosing: false,
  /** The calibration that this screen does, see calibrate.js, or null. */
  calibrate: null,
};

const listeners = new Set();
let scheduled = false;

/** Changes fields of `app` and redraws. */
export function change(fields) {
  Object.assign(app, fields);
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    for (const listener of listeners) listener();
  });
}

/** Calls `listener` after every change. */
export function onChange(listener) {
  listeners.add(listener);
}
