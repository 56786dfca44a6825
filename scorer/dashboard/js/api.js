/** Commands to the service. Each carries the events seen and a key, so that a repeated one is applied once. */

const PAUSES = [400, 800, 1500, 3000, 5000];
const TRIES = 40;

/**
 * The service said no: `code` is its short word, `message` its sentence, `table` the view it sent along, `faults` those of
 * a rules file, `preview` what a correction would break.
 */
export class Refused extends Error {
  constructor(status, body) {
    super(body?.message ?? `HTTP ${status}`);
    this.status = status;
    this.code = body?.error ?? "http";
    this.table = body?.table ?? null;
    this.faults = body?.faults ?? null;
    this.preview = body?.preview ?? null;
  }
}

/** The service could not be reached at all. */
export class Unreachable extends Error {}

/** Reads JSON from the service. */
export async function read(path) {
  return answerOf(await reach(path, { cache: "no-store" }));
}

/** Asks what something would come to; nothing is done by it. */
export async function ask(path, body) {
  return answerOf(await reach(path, requestOf(body)));
}

/**
 * Sends a command and gives its answer. Where no answer comes it is sent again with the same key, `onRetry` being
 * told each time.
 */
export async function send(path, body, onRetry = () => {}) {
  const request = requestOf({ ...body, key: newKey() });
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await answerOf(await reach(path, request));
    } catch (error) {
      if (!(error instanceof Unreachable) || attempt + 1 >= TRIES) throw error;
      onRetry();
      await pause(PAUSES[Math.min(attempt, PAUSES.length - 1)]);
    }
  }
}

function requestOf(body) {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

async function reach(path, request) {
  try {
    return await fetch(path, request);
  } catch (error) {
    throw new Unreachable(String(error));
  }
}

async function answerOf(response) {
  let body = null;
  try {
    body = await response.json();
  } catch (error) {
    // The line broke in the middle of an answer, or something else than the service answered.
    if (response.ok) throw new Unreachable(String(error));
  }
  if (!response.ok) throw new Refused(response.status, body);
  return body;
}

// crypto.randomUUID exists on https only; a tablet reaches the table over plain http.
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
