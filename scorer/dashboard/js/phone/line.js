/**
 * The line to the table: pictures go up one at a time, each answered before the next is sent.
 *
 * Over a websocket where that can be had. Some browsers, those of iPhones above all, accept Piste's own certificate for
 * pages but never for websockets; there each picture is a request of its own.
 */

const SOCKET = "/api/phone";
const PICTURE = "/api/phone/frame";
const OPEN_WITHIN = 6000;
const ANSWER_WITHIN = 6000;
const FAILURES = 2;

/** The service does not take pictures from here: `code` is its short word. */
export class Refused extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/** There is no connection, or it has broken. */
export class Lost extends Error {}

let failures = 0;

/** A line for `sender`, who makes the one that sends now go if `takeOver`. Throws Refused, Lost. */
export async function connect(sender, takeOver) {
  if (failures < FAILURES) {
    try {
      const line = await openSocket(sender, takeOver);
      failures = 0;
      return line;
    } catch (error) {
      if (error instanceof Refused) throw error;
    }
  }
  const service = await askService();
  if (!service.wanted) throw new Refused("unwanted");
  // The service is there, so it is the websocket that does not come through; once may be chance.
  failures += 1;
  if (failures < FAILURES) throw new Lost("the websocket did not open");
  return posts(sender, takeOver);
}

/** What the service says of the table's phone. Throws Lost. */
export async function askService() {
  const { response, body } = await fetched(SOCKET, { cache: "no-store" });
  if (!response.ok) throw new Lost(body.error);
  return body;
}

function openSocket(sender, takeOver) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${SOCKET}`);
    let waiting = { resolve: () => resolve({ send, close }), reject };
    let timer = null;

    const settle = (how, value) => {
      clearTimeout(timer);
      const asked = waiting;
      waiting = null;
      asked?.[how](value);
    };
    const expect = (within) => {
      timer = setTimeout(() => {
        settle("reject", new Lost("no answer"));
        socket.close();
      }, within);
    };
    const send = (blob) =>
      new Promise((resolve_, reject_) => {
        if (socket.readyState !== WebSocket.OPEN) {
          reject_(new Lost("closed"));
          return;
        }
        waiting = { resolve: resolve_, reject: reject_ };
        expect(ANSWER_WITHIN);
        socket.send(blob);
      });
    const close = () => socket.close();

    socket.onopen = () => socket.send(JSON.stringify({ sender, take_over: takeOver }));
    socket.onmessage = (event) => {
      const answer = JSON.parse(event.data);
      if (answer.type === "refused") settle("reject", new Refused(answer.error));
      else settle("resolve", answer);
    };
    socket.onclose = () => settle("reject", new Lost("closed"));
    expect(OPEN_WITHIN);
  });
}

function posts(sender, takeOver) {
  let first = takeOver;
  return {
    async send(blob) {
      const query = new URLSearchParams({ sender, take_over: String(first) });
      const { response, body } = await fetched(`${PICTURE}?${query}`, {
        method: "POST",
        headers: { "Content-Type": "image/jpeg" },
        body: blob,
      });
      if (response.ok) {
        first = false;
        return body;
      }
      if (response.status === 409) throw new Refused(body.error);
      if (body.error === "picture") return { type: "bad" };
      throw new Lost(body.error);
    },
    close() {
      // The next connection tries the better way again.
      failures = 0;
    },
  };
}

async function fetched(path, options) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), ANSWER_WITHIN);
  try {
    const response = await fetch(path, { ...options, signal: stop.signal });
    return { response, body: await response.json() };
  } catch (error) {
    throw new Lost(String(error));
  } finally {
    clearTimeout(timer);
  }
}
