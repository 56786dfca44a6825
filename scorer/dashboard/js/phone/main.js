/** The page that makes a phone or tablet the table's camera. */

import { patch } from "../dom.js";
import { recall, remember } from "../memory.js";
import { onChange } from "../store.js";
import { startTheme } from "../theme.js";
import { preferredLanguage, t, useLanguage } from "../words.js";
import { keepAwake, letSleep } from "./awake.js";
import { CameraFault, Grabber, closeCamera, hasLamp, isGranted, isLive, nextCamera, obstacle, openCamera } from "./capture.js";
import { Refused, askService, connect } from "./line.js";
import { phone, show } from "./state.js";
import { phoneView } from "./view.js";

const EVERY = 75;
const QUALITIES = [0.85, 0.7, 0.55];
const SLOW = 300;
const FAST = 140;
const PAUSES = [300, 600, 1200, 2500, 4000];
const UNWANTED_PAUSE = 3000;
const WORDS_PAUSE = 1000;

const sender = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Counts the runs: a run that is not the newest any more ends by itself. */
let run = 0;
let wake = () => {};

/** Begins, or begins again; `takeOver` makes another phone stop. */
async function start({ takeOver = false } = {}) {
  run += 1;
  wake();
  const mine = run;
  const current = () => mine === run;
  remember("phone.on", true);
  let failed = 0;
  while (current()) {
    let line = null;
    try {
      await inFront();
      if (!current()) return;
      await withCamera(current);
      if (!current()) return;
      if (phone.state !== "unwanted" && phone.state !== "lost") show({ state: "connecting" });
      line = await connect(sender, takeOver);
      takeOver = false;
      if (!current()) return;
      show({ awake: await keepAwake() });
      await send(line, current, () => {
        failed = 0;
      });
    } catch (error) {
      if (!current()) return;
      failed += 1;
      if (await isOver(error, failed)) return;
    } finally {
      line?.close();
    }
  }
}

/** Says what went wrong, and waits before another try; true where somebody must do something first. */
async function isOver(error, failed) {
  if (error instanceof CameraFault) {
    closeCamera(phone.stream);
    show({ state: error.state, stream: null, rate: 0 });
    if (error.state !== "stalled") letSleep();
    if (error.state !== "stalled") return true;
  } else if (error instanceof Refused && error.code === "taken") {
    letSleep();
    show({ state: "taken", rate: 0 });
    return true;
  } else if (error instanceof Refused) {
    show({ state: "unwanted", rate: 0 });
    await pause(UNWANTED_PAUSE);
    return false;
  } else if (document.visibilityState === "visible") {
    show({ state: "lost", rate: 0 });
  }
  await pause(PAUSES[Math.min(failed, PAUSES.length) - 1]);
  return false;
}

/** Stops, until somebody begins again. */
function stop() {
  run += 1;
  wake();
  remember("phone.on", false);
  letSleep();
  closeCamera(phone.stream);
  show({ state: "idle", stream: null, rate: 0, size: null, camera: null, lamp: null });
}

// A camera that was on while the phone slept may have been taken away.
async function withCamera(current) {
  if (isLive(phone.stream)) return;
  show({ state: "asking", stream: null });
  const stream = await openCamera(phone.chosen);
  const other = await nextCamera(stream);
  // Somebody may have stopped it while the browser was asking.
  if (current()) show({ stream, lamp: hasLamp(stream) ? false : null, other });
  else closeCamera(stream);
}

/** Goes on with the next camera of this device, which is remembered. */
function switchCamera() {
  remember("phone.chosen", phone.other);
  closeCamera(phone.stream);
  show({ chosen: phone.other, stream: null });
  start();
}

/** Sends pictures for as long as the run is `current` and the page in front; `sent` is called after each. */
async function send(line, current, sent) {
  const grabber = new Grabber(document.querySelector("video"));
  let level = 0;
  let took = (SLOW + FAST) / 2;
  let since = performance.now();
  let count = 0;
  while (current() && document.visibilityState === "visible") {
    if (!isLive(phone.stream)) throw new CameraFault("stalled");
    const began = performance.now();
    const { blob, width, height } = await grabber.next(phone.turn, QUALITIES[level]);
    const asked = performance.now();
    const answer = await line.send(blob);
    if (!current()) return;
    const now = performance.now();
    sent();
    count += 1;
    // What a slow line gets is fewer and coarser pictures, never a queue; their size stays what it is.
    took = 0.8 * took + 0.2 * (now - asked);
    if (took > SLOW && level < QUALITIES.length - 1) [level, took] = [level + 1, (SLOW + FAST) / 2];
    else if (took < FAST && level > 0) [level, took] = [level - 1, (SLOW + FAST) / 2];
    const fields = { state: "sending", camera: answer.camera ?? phone.camera, size: { width, height } };
    if (now - since >= 1000) {
      fields.rate = Math.round((count * 1000) / (now - since));
      [since, count] = [now, 0];
    }
    if (Object.entries(fields).some(([name, value]) => JSON.stringify(phone[name]) !== JSON.stringify(value))) show(fields);
    await pause(Math.max(0, EVERY - (performance.now() - began)));
  }
}

/** Waits until the page is in front: behind others a phone gives no pictures. */
function inFront() {
  if (document.visibilityState === "visible") return Promise.resolve();
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState !== "visible") return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
  });
}

// A pause ends early when something has changed that may help: the network is back, the page is in front, a tap.
function pause(milliseconds) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

async function firstWords() {
  for (;;) {
    try {
      return await useLanguage(preferredLanguage());
    } catch {
      await new Promise((resolve) => setTimeout(resolve, WORDS_PAUSE));
    }
  }
}

async function learn() {
  try {
    show({ service: await askService() });
  } catch {
    // The page says what it can without.
  }
}

function draw() {
  document.title = t("phone.title");
  patch(document.getElementById("app"), [phoneView({ start, stop, switchCamera })]);
}

async function open() {
  startTheme();
  await firstWords();
  show({ state: obstacle() ?? "idle" });
  onChange(draw);
  draw();
  learn();
  addEventListener("online", () => wake());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") wake();
  });
  // Whoever left this page while it was sending comes back to a camera, not to a button.
  if (phone.state === "idle" && recall("phone.on", false) && (await isGranted())) start();
}

open();
