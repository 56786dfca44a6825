/** The states of a camera, by what they mean for the page. */

/** There is a picture to show, be it an old one. */
export const SHOWN = new Set(["empty", "moving", "hand", "settling", "still", "read", "unsure", "stale", "frozen", "moved", "unfit", "ended"]);

/** Dice can be read, or will be as soon as they lie still. */
export const FINE = new Set(["empty", "moving", "hand", "settling", "still", "read", "unsure"]);

/** Something is in motion: what was outlined before may not be there any more. */
export const UNDER_WAY = new Set(["moving", "hand", "settling"]);

/** Nothing is read: a band across the top says so, and dice are entered by hand. */
export const TROUBLE = new Set(["stale", "frozen", "gone", "ended", "moved", "unfit"]);

/** Dice have to be entered by hand. */
export const BLIND = new Set(["none", ...TROUBLE]);
