/** Keeps the page in step with the table: server-sent events, and a fresh look whenever the page wakes up. */

import { read } from "./api.js";

const REOPEN_AFTER = 2000;

/**
 * Follows the table. `onView(view, {stream})` gets every view, `stream` telling that it came in order by the event
 * stream; `onConnection("live" | "lost")` tells how the line is.
 */
export function follow(onView, onConnection) {
  let source = null;
  let reopening = null;

  function open() {
    clearTimeout(reopening);
    source?.close();
    source = new EventSource("/api/events");
    source.addEventListener("table", (event) => {
      onConnection("live");
      onView(JSON.parse(event.data), { stream: true });
    });
    source.onerror = () => {
      onConnection("lost");
      // After a refused or broken answer the browser gives up by itself; after a lost line it tries again.
      if (source.readyState === EventSource.CLOSED) reopening = setTimeout(open, REOPEN_AFTER);
    };
  }

  async function wake() {
    if (document.visibilityState !== "visible") return;
    if (source.readyState === EventSource.CLOSED) open();
    try {
      onView(await read("/api/table"), { stream: false });
    } catch {
      // The event stream tells about a lost line, and brings the view when it is back.
    }
  }

  open();
  document.addEventListener("visibilitychange", wake);
  addEventListener("pageshow", (event) => {
    if (event.persisted) open();
    wake();
  });
  addEventListener("online", open);
  addEventListener("pagehide", () => source.close());
}
