/** The live picture: one request at a time, about five a second, none while nobody can see it. */

import { SHOWN, UNDER_WAY, stateWords } from "./camerastates.js";
import { h } from "./dom.js";
import { fateOf } from "./draft.js";
import { app } from "./store.js";
import { t } from "./words.js";

const EVERY = 200;
const AFTER_FAULT = 1500;
const PENCIL = "M3 21l1.5-6L17 2.5l4.5 4.5L9 19.5z";
/** Where a die was read before tells nothing of where it is now. */
const UNSEEN = new Set(["moving", "hand", "moved", "unfit"]);
let number = 0;

/** True where there is a picture to show, or soon will be; one that somebody must look at is in the band at the top. */
export function hasPicture(camera) {
  if (camera.state === "moved" && app.route === "table") return false;
  return camera.state === "starting" || SHOWN.has(camera.state);
}

/** The newest frame with the dice of the roll on offer outlined. */
export function livePicture() {
  const { camera, roll } = app.view;
  const width = camera.width || 4;
  const height = camera.height || 3;
  return h(
    "div.picture",
    { key: "picture", style: { "--w": width, "--h": height }, class: width / height > 1.5 ? "wide" : "" },
    frameImage(width, height),
    trayLines(camera),
    roll && !UNSEEN.has(camera.state) && app.connection === "live"
      ? h(
          "svg.outlines",
          { key: "outlines", viewBox: `0 0 ${width} ${height}`, "aria-hidden": true, focusable: "false" },
          roll.dice.map((die, at) => outline(die, at, height)),
        )
      : null,
    SHOWN.has(camera.state) ? null : h("p.no-picture", { key: "none" }, stateWords(camera)),
  );
}

/** The newest frame, asked for again and again. */
export function frameImage(width, height) {
  return h("img", { key: "frame", alt: t("picture.alt"), width, height, draggable: "false", mounted: keepFresh });
}

/** Points as an SVG polygon has them; a tenth of a pixel is more than anybody can see. */
export function polygon(points) {
  return points.map((point) => point.map((value) => Math.round(value * 10) / 10).join(",")).join(" ");
}

// Where the tray is thought to be: on set-up, and where somebody must say whether it still is there.
function trayLines({ state, width, height }) {
  const profile = app.setting?.profile;
  if (!profile || (app.route === "table" && state !== "moved")) return null;
  if (profile.size && (profile.size[0] !== width || profile.size[1] !== height)) return null;
  return h(
    "svg.outlines.tray-lines",
    { key: "tray-lines", viewBox: `0 0 ${width} ${height}`, "aria-hidden": true, focusable: "false" },
    profile.kept ? h("polygon.kept-line", { key: "kept", points: polygon(profile.kept) }) : null,
    profile.outline ? h("polygon.tray-line", { key: "tray", points: polygon(profile.outline) }) : null,
  );
}

// A die that somebody corrected shows what it was corrected to, with a pencil; one that was taken out shows nothing.
function outline(die, at, height) {
  const fate = fateOf(app.draft, app.view.roll, die);
  if (!fate) return null;
  const corrected = Boolean(fate.corrected);
  const [x0, y0, x1, y1] = die.box;
  const margin = (x1 - x0) * 0.08;
  const size = Math.max((x1 - x0) * 0.34, height * 0.045);
  const tag = { x: x0 - margin, y: y0 - margin };
  return h(
    "g",
    { key: at, class: `${corrected ? "corrected" : die.reasons.length ? "doubtful" : "certain"} ${die.kept ? "lay-there" : ""}` },
    h("rect.box", {
      x: x0 - margin, y: y0 - margin, width: x1 - x0 + 2 * margin, height: y1 - y0 + 2 * margin,
      rx: (x1 - x0) * 0.2,
    }),
    h("circle.face-tag", { cx: tag.x, cy: tag.y, r: size * 0.72 }),
    h(
      "text.face-text",
      { x: tag.x, y: tag.y, "font-size": size, "text-anchor": "middle", "dominant-baseline": "central" },
      fate.value,
    ),
    corrected ? h("path.pencil", { key: "pencil", d: PENCIL, transform: `translate(${tag.x + size * 0.95} ${tag.y - size * 0.6}) scale(${size / 24})` }) : null,
  );
}

// The next frame is asked for only when the last one has come (or failed): a slow line gets fewer pictures, never
// a queue. The picture before stays until the next one is there.
function keepFresh(img) {
  let onScreen = true;
  let waiting = false;
  let timer = null;
  let asked = 0;

  const wanted = () => onScreen && document.visibilityState === "visible";
  const next = () => {
    if (!img.isConnected) {
      observer.disconnect();
      document.removeEventListener("visibilitychange", wake);
      return;
    }
    if (waiting || !wanted()) return;
    if (!SHOWN.has(app.view.camera.state)) {
      later(AFTER_FAULT);
      return;
    }
    waiting = true;
    asked = performance.now();
    number += 1;
    img.src = `/api/picture.jpg?n=${number}`;
  };
  const later = (wait) => {
    clearTimeout(timer);
    timer = setTimeout(next, wait);
  };
  const wake = () => later(0);
  img.onload = () => {
    waiting = false;
    img.classList.add("loaded");
    later(Math.max(0, EVERY - (performance.now() - asked)));
  };
  img.onerror = () => {
    waiting = false;
    img.classList.remove("loaded");
    later(AFTER_FAULT);
  };
  const observer = new IntersectionObserver((entries) => {
    onScreen = entries[entries.length - 1].isIntersecting;
    if (onScreen) wake();
  });
  observer.observe(img);
  document.addEventListener("visibilitychange", wake);
  next();
}
