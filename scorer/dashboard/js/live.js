/** Keeps the page in step with the table: server-sent events, and a fresh look whenever the page wakes up. */

import { read } from "./api.js";

const REOPEN_AFTER = 2000;

/** The service says something every 15 s, be it only a ping: after two missed ones the line is dead. */
const SILENT_AFTER = 35_000;

/**
 * Follows the table. `onView(view, {first})` gets every view, `first` telling that an event stream has just been opened
 * and begins with it; `onConnection("live" | "lost")` tells how the line is.
 */
export function follow(onView, onConnection) {
  let source = null;
  let reopening = null;
  let silence = null;

  function open() {
    close();
    const opened = new EventSource("/api/events");
    let first = true;
    source = opened;
    // The browser opens a broken stream again by itself: that one begins anew, too.
    opened.onopen = () => {
      first = true;
    };
    opened.addEventListener("ping", heard);
    opened.addEventListener("table", (event) => {
      heard();
      onView(JSON.parse(event.data), { first });
      first = false;
    });
    opened.onerror = () => {
      onConnection("lost");
      // After a refused or broken answer the browser gives up by itself; after a lost line it tries again.
      if (opened.readyState === EventSource.CLOSED) reopening = setTimeout(open, REOPEN_AFTER);
    };
    awaitWord();
  }

  function close() {
    clearTimeout(reopening);
    clearTimeout(silence);
    source?.close();
  }

  function heard() {
    onConnection("live");
    awaitWord();
  }

  // A line that is half open reports nothing, not even that it is broken.
  function awaitWord() {
    clearTimeout(silence);
    silence = setTimeout(() => {
      onConnection("lost");
      open();
    }, SILENT_AFTER);
  }

  async function wake() {
    if (document.visibilityState !== "visible") return;
    if (source.readyState === EventSource.CLOSED) open();
    try {
      onView(await read("/api/table"), { first: false });
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
  addEventListener("pagehide", close);
}
