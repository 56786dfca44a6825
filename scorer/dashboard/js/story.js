/** From the steps of a game's log: what became of each event that stands. Pure. */

/**
 * For each of the `count` events that stand, the steps that made it what it is, oldest first: the one that brought it in,
 * then every change and every change taken back. Empty lists where the steps do not lead to so many events.
 */
export function stories(steps, count) {
  let items = [];
  const taken = new Map();
  for (const step of steps) {
    const place = step.number - 1;
    if (step.kind === "undo") {
      const { removed, cut } = taken.get(step.of) ?? { removed: [], cut: [] };
      const now = items.splice(place, step.removed.length);
      items.splice(place, 0, ...removed.map((story, at) => [...(now[at] ?? story), step]));
      items = [...items, ...cut];
      continue;
    }
    const removed = items.splice(place, step.removed.length);
    const cut = step.cut.length ? items.splice(-step.cut.length) : [];
    items.splice(place, 0, ...step.added.map((_, at) => [...(removed[at] ?? []), step]));
    taken.set(step.of ?? step.seq, { removed, cut });
  }
  return items.length === count ? items : Array.from({ length: count }, () => []);
}

/** What a step is about: its own kind, or that of the step that it took back or did again. */
export function deedOf(step, steps) {
  return step.of === null ? step.kind : (steps.find((other) => other.seq === step.of)?.kind ?? "append");
}

/** How an event came to be as it stands: `corrected`, `inserted`, `camera`, `hand`. */
export function howOf(item, story, steps) {
  const changes = new Set();
  for (const step of story) {
    if (step.kind === "undo") changes.delete(step.of);
    else if (deedOf(step, steps) === "change") changes.add(step.of ?? step.seq);
  }
  if (changes.size) return "corrected";
  if (story.some((step) => deedOf(step, steps) === "insert")) return "inserted";
  if (item.source === "camera") return "camera";
  // What the camera saw and a hand confirmed otherwise.
  return item.roll && item.event.type === "throw" ? "corrected" : "hand";
}
