/** The live picture of a calibration: the outline with its handles, what the light check found, the dice as read. */

import { putHandle } from "../calibrate.js";
import { h } from "../dom.js";
import { outlineOf } from "../outline.js";
import { frameImage, polygon } from "../picture.js";
import { app, change } from "../store.js";
import { t } from "../words.js";

/** So far an arrow key moves a handle, in pixels of the picture; with shift ten times as far. */
const STEP = 1;
const LOUPE = 160;
const LOUPE_SCALE = 3;
/** Dice lie where they were read last. */
const LYING = new Set(["read", "unsure"]);
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The picture; it can be dragged in while the tray is outlined. */
export function calibratePicture() {
  const { id, step, edit, which, dragged } = app.calibrate;
  const calibration = id ? app.setting.calibration : null;
  const [width, height] = calibration?.size ?? [app.view.camera.width || 4, app.view.camera.height || 3];
  const editing = step === "tray" && Boolean(calibration);
  const tray = id && edit.handles ? outlineOf(edit.shape, edit.handles, [width, height]) : null;
  return h(
    "div.picture.calibrate-picture",
    {
      key: "picture", style: { "--w": width, "--h": height }, class: editing ? "editing" : "",
      onpointerdown: editing ? (event) => tapped(event, [width, height]) : null,
      mounted: (element) => keepSnapshot(element.querySelector("img")),
    },
    frameImage(width, height),
    h(
      "svg.outlines.tray-lines",
      { key: "lines", viewBox: `0 0 ${width} ${height}`, "aria-hidden": true, focusable: "false" },
      tray ? h("path.beside", { key: "beside", d: `M0,0H${width}V${height}H0Z M${polygon(tray).replaceAll(" ", "L")}Z` }) : null,
      id && edit.kept ? h("polygon.kept-line", { key: "kept", points: polygon(edit.kept) }) : null,
      tray ? h("polygon.tray-line", { key: "tray", points: polygon(tray) }) : null,
      id && !tray ? h("rect.tray-line", { key: "whole", x: 2, y: 2, width: width - 4, height: height - 4 }) : null,
      step === "light" ? findingMarks(calibration?.light, height) : null,
      step === "throws" && LYING.has(app.view.camera.state) ? diceMarks(calibration?.throws?.rolls.at(-1), height) : null,
    ),
    editing ? [handles("tray", edit.handles, which, [width, height]), handles("kept", edit.kept, which, [width, height])] : null,
    editing && dragged ? loupe(dragged, [width, height]) : null,
  );
}

function handles(kind, points, which, size) {
  return (points ?? []).map(([x, y], at) =>
    h(
      "button.handle",
      {
        key: `${kind}${at}`, type: "button", class: `of-${kind} ${which === kind ? "chosen" : ""}`,
        style: { left: `${(100 * x) / size[0]}%`, top: `${(100 * y) / size[1]}%` },
        "aria-label": t(kind === "kept" ? "calibrate.kept_handle" : "calibrate.handle", { number: at + 1, of: points.length }),
        onkeydown: (event) => pushed(event, kind, at, [x, y]),
        onpointerdown: (event) => dragFrom(event, kind, at, size),
      },
      h("i", { key: "dot" }),
    ),
  );
}

function pushed(event, kind, at, [x, y]) {
  const way = ARROWS[event.key];
  if (!way) return;
  event.preventDefault();
  const far = event.shiftKey ? 10 * STEP : STEP;
  putHandle(kind, at, [x + way[0] * far, y + way[1] * far]);
}

function dragFrom(event, kind, at, size) {
  if (event.button !== 0) return;
  const handle = event.currentTarget;
  const picture = handle.closest(".picture");
  event.preventDefault();
  event.stopPropagation();
  handle.focus({ preventScroll: true });
  handle.setPointerCapture(event.pointerId);
  // The finger need not hit the middle of the dot: what is between them stays.
  const box = handle.getBoundingClientRect();
  const off = [event.clientX - (box.left + box.width / 2), event.clientY - (box.top + box.height / 2)];
  handle.onpointermove = (move) => {
    const point = pointIn(picture, move.clientX - off[0], move.clientY - off[1], size);
    putHandle(kind, at, point);
    change({ calibrate: { ...app.calibrate, dragged: point } });
  };
  handle.onpointerup = handle.onpointercancel = handle.onlostpointercapture = () => {
    handle.onpointermove = null;
    if (app.calibrate?.dragged) change({ calibrate: { ...app.calibrate, dragged: null } });
  };
}

// A tap beside the handles fetches the nearest one: four taps on four corners outline a tray.
function tapped(event, size) {
  if (event.button !== 0 || event.target.closest(".handle")) return;
  putHandle(app.calibrate.which, null, pointIn(event.currentTarget, event.clientX, event.clientY, size));
}

function pointIn(picture, x, y, [width, height]) {
  const box = picture.getBoundingClientRect();
  return [((x - box.left) / box.width) * width, ((y - box.top) / box.height) * height];
}

let snapshot = null;

// An image on its way to the next picture has none to draw for a moment: the last one is kept.
function keepSnapshot(image) {
  image.addEventListener("load", () => {
    if (app.calibrate?.step !== "tray") return;
    snapshot ??= document.createElement("canvas");
    snapshot.width = image.naturalWidth;
    snapshot.height = image.naturalHeight;
    snapshot.getContext("2d").drawImage(image, 0, 0);
  });
}

// What lies under the finger, larger, in a corner where the finger is not.
function loupe([x, y], [width]) {
  return h("canvas.loupe", {
    key: "loupe", class: x < width / 2 ? "to-right" : "", width: LOUPE, height: LOUPE, "aria-hidden": true, opaque: true,
    updated: (canvas) => {
      const context = canvas.getContext("2d");
      const shown = LOUPE / LOUPE_SCALE;
      context.fillStyle = "#000";
      context.fillRect(0, 0, LOUPE, LOUPE);
      if (snapshot) context.drawImage(snapshot, x - shown / 2, y - shown / 2, shown, shown, 0, 0, LOUPE, LOUPE);
      context.strokeStyle = "#fff";
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(LOUPE / 2, 0);
      context.lineTo(LOUPE / 2, LOUPE);
      context.moveTo(0, LOUPE / 2);
      context.lineTo(LOUPE, LOUPE / 2);
      context.stroke();
    },
  });
}

function findingMarks(findings, height) {
  return (findings ?? []).map(({ box }, at) => {
    if (!box) return null;
    const [x0, y0, x1, y1] = box;
    return h(
      "g.finding-mark",
      { key: `f${at}` },
      h("rect.box", { x: x0, y: y0, width: x1 - x0, height: y1 - y0, rx: height * 0.01 }),
      mark(x0, y0, at + 1, height),
    );
  });
}

function diceMarks(roll, height) {
  return (roll?.dice ?? []).map(({ box, value, reasons }, at) => {
    const [x0, y0, x1, y1] = box;
    return h(
      "g",
      { key: `d${at}`, class: reasons.length ? "doubtful" : "certain" },
      h("rect.box", { x: x0, y: y0, width: x1 - x0, height: y1 - y0, rx: (x1 - x0) * 0.2 }),
      mark(x0, y0, value, height),
    );
  });
}

function mark(x, y, text, height) {
  const size = height * 0.05;
  const [cx, cy] = [Math.max(x, size * 0.8), Math.max(y, size * 0.8)];
  return [
    h("circle.face-tag", { key: "tag", cx, cy, r: size * 0.72 }),
    h("text.face-text", { key: "text", x: cx, y: cy, "font-size": size, "text-anchor": "middle", "dominant-baseline": "central" }, text),
  ];
}
