/** What this device remembers between visits: names, language, theme. A browser that forbids it just forgets. */

const PREFIX = "piste.";

/** The value kept under `name`, or `otherwise`. */
export function recall(name, otherwise) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** Keeps `value` under `name`. */
export function remember(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Private windows and full disks: the page works all the same.
  }
}
