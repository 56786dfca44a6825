/** Calibration, step by step: where the tray is, the light, five throws, and what is kept. */

import * as doing from "../calibrate.js";
import { face } from "../dice.js";
import { h } from "../dom.js";
import { app } from "../store.js";
import { has, language, t } from "../words.js";
import { reasonWords } from "./camera.js";
import { calibratePicture } from "./calibratepicture.js";
import { button, icon, preferences } from "./parts.js";
import { sheetPart } from "./sheet.js";

const SHAPES = ["round", "square", "hexagon", "picture"];
const PANELS = { tray: trayStep, light: lightStep, throws: throwsStep, save: saveStep };

/** The whole page. */
export function calibrateView() {
  const { calibrate, setting } = app;
  const under = calibrate.id && setting?.calibration;
  return h(
    "main.calibrate",
    { key: "calibrate", class: `at-${calibrate.step}` },
    h(
      "header.setup-head",
      { key: "head" },
      h("h1", null, t("calibrate")),
      under ? steps() : h("span.gap", { key: "gap" }),
      button("button.quiet", { key: "close", "aria-label": t("calibrate.close"), onclick: doing.closeCalibration }, icon("cross"), h("span.wide-only", null, t("calibrate.close"))),
      preferences(),
    ),
    h("section.calibrate-room", { key: "room", "aria-label": t("picture.alt") }, h("div.picture-room", { key: "inner" }, calibratePicture())),
    h(
      "section.card.calibrate-card",
      { key: "card" },
      under ? PANELS[calibrate.step](setting.calibration) : outside(),
      app.notice ? h("p.complaint", { key: "notice", role: "alert", class: app.notice.kind }, app.notice.text) : null,
    ),
  );
}

function steps() {
  const { step, reached } = app.calibrate;
  return h(
    "ol.step-list",
    { key: "steps", "aria-label": t("calibrate.steps") },
    doing.STEPS.map((name, at) =>
      h(
        "li",
        { key: name, class: name === step ? "now" : at <= reached ? "done" : "" },
        button(
          "button.quiet",
          { key: "go", off: at > reached, "aria-current": name === step ? "step" : null, onclick: () => name !== step && doing.goTo(name) },
          h("b", { "aria-hidden": true }, at + 1), h("span", null, t(`step_name.${name}`)),
        ),
      ),
    ),
  );
}

// Not begun: somebody else does it, or it could not begin.
function outside() {
  const { ended } = app.calibrate;
  const key = ended ?? (app.pending ? "beginning" : "not_begun");
  const resumable = ended === "busy" || ended === "left";
  return [
    h("p.told-plainly", { key: "why", role: "status" }, t(`calibrating.${key}`)),
    app.pending ? null : buttons(
      resumable ? button("button.plain", { key: "on", onclick: doing.goOn }, t("calibrate.go_on")) : null,
      button("button.confirm", { key: "begin", onclick: doing.begin }, t(ended ? "calibrate.begin_anew" : "calibrate.try_again")),
    ),
  ];
}

function trayStep({ found }) {
  const { edit } = app.calibrate;
  return [
    h("h2", { key: "title" }, t("calibrate.tray_title")),
    h("p", { key: "said", role: "status" }, trayWords(found, edit)),
    found?.message && edit.handles ? h("p.small.reason", { key: "why" }, saidByService(`tray_${found.code}`, found.message)) : null,
    h(
      "div.shapes-row",
      { key: "shapes", role: "radiogroup", "aria-label": t("calibrate.shape") },
      SHAPES.map((shape) =>
        button(
          "button.quiet.shape",
          { key: shape, waits: false, role: "radio", "aria-checked": edit.shape === shape ? "true" : "false", onclick: () => doing.chooseShape(shape) },
          shapeDrawing(shape), h("span", null, t(`shape.${shape}`)),
        ),
      ),
    ),
    h("p.small", { key: "how" }, edit.handles ? t("calibrate.drag") : t("calibrate.whole")),
    h(
      "div.tray-extras",
      { key: "extras" },
      button("button.quiet", { key: "again", onclick: doing.findAgain }, icon("again"), t("calibrate.find_again")),
      found?.others?.length ? button("button.quiet", { key: "other", waits: false, onclick: doing.takeOther }, icon("newer"), t("calibrate.other")) : null,
      button(
        "button.quiet",
        { key: "kept", waits: false, "aria-pressed": edit.kept ? "true" : "false", onclick: doing.switchKept },
        icon(edit.kept ? "cross" : "add"), t(edit.kept ? "calibrate.kept_away" : "calibrate.kept_add"),
      ),
    ),
    edit.kept ? h("p.small", { key: "kept-how" }, t("calibrate.kept_drag")) : null,
    sheetPart(),
    buttons(button("button.confirm", { key: "next", onclick: doing.sayTray }, t("calibrate.looks_right"))),
  ];
}

function trayWords(found, edit) {
  if (!edit.handles) return t("calibrate.tray_picture");
  return t(found?.outline ? "calibrate.tray_found" : "calibrate.tray_not_found");
}

function lightStep({ light }) {
  const waiting = app.pending?.path === "/api/calibration/light";
  const good = light && !light.some((finding) => finding.grave);
  return [
    h("h2", { key: "title" }, t("calibrate.light_title")),
    h("p", { key: "said", role: "status" }, t(waiting || !light ? "calibrate.light_waiting" : good && !light.length ? "calibrate.light_good" : good ? "calibrate.light_nearly" : "calibrate.light_found")),
    light?.length
      ? h("ol.findings", { key: "findings" }, light.map(({ code, message, value }, at) => h("li", { key: `${code}${at}` }, h("b", { "aria-hidden": true }, at + 1), h("span", null, saidByService(`light_${code}`, message, { value: Math.round(value) })))))
      : null,
    buttons(
      button("button.plain", { key: "again", onclick: doing.checkLight }, icon("again"), t("calibrate.check_again")),
      button("button.confirm", { key: "next", onclick: () => doing.goTo("throws") }, t(good ? "calibrate.next" : "calibrate.next_anyway")),
    ),
  ];
}

function throwsStep({ throws }) {
  const rolls = throws?.rolls ?? [];
  const { wanted, dice } = throws ?? { wanted: 5, dice: 3 };
  const done = rolls.length >= wanted;
  return [
    h("h2", { key: "title" }, t("calibrate.throws_title")),
    h("p", { key: "said", role: "status" }, throwsWords(throws, rolls, done, dice)),
    h("ol.trial", { key: "trial" }, Array.from({ length: wanted }, (_, at) => trialRow(rolls[at], at, throws?.running && at === rolls.length))),
    throws?.advice.length
      ? h("ul.advice", { key: "advice" }, throws.advice.map(({ code, message }, at) => h("li", { key: `${code}${at}` }, saidByService(`trial_${code}`, message))))
      : null,
    buttons(
      throws?.running
        ? button("button.plain", { key: "stop", onclick: () => doing.tryThrows(false) }, t("calibrate.stop"))
        : button("button.plain", { key: "again", onclick: () => doing.tryThrows(true) }, icon("again"), t(rolls.length ? "calibrate.throws_again" : "calibrate.throws_begin")),
      button("button.confirm", { key: "next", onclick: () => doing.goTo("save") }, t(done ? "calibrate.next" : "calibrate.skip")),
    ),
  ];
}

function throwsWords(throws, rolls, done, dice) {
  if (done && throws.passed) return t("calibrate.throws_passed", { sure: rolls.filter((roll) => roll.sure).length, count: rolls.length });
  if (done) return t("calibrate.throws_done", { sure: rolls.filter((roll) => roll.sure).length, count: rolls.length });
  if (!throws?.running) return t("calibrate.throws_stopped");
  return rolls.length ? t("calibrate.throws_more", { count: throws.wanted - rolls.length }) : t("calibrate.throws_first", { count: dice });
}

function trialRow(roll, at, next) {
  const reasons = roll && !roll.sure ? roll.reasons : [];
  return h(
    "li",
    { key: at, class: roll ? (roll.sure ? "sure" : "unsure") : next ? "next" : "" },
    h("b", { key: "number" }, at + 1),
    roll
      ? h("span.trial-dice", { key: "dice", role: "img", "aria-label": roll.dice.map((die) => die.value).join(" ") }, roll.dice.map((die, place) => face(die.value, { key: `d${place}` })))
      : h("span.trial-dice.none", { key: "none" }),
    h("span.trial-words", { key: "words" }, roll ? (roll.sure ? t("calibrate.sure") : t("calibrate.unsure", { reasons: reasons.map(reasonWords).join(", ") })) : next ? t("calibrate.throw_now") : ""),
  );
}

function saveStep(calibration) {
  const { name, asked } = app.calibrate;
  return [
    h("h2", { key: "title" }, t("calibrate.save_title")),
    h("dl.summary", { key: "summary" }, summary(calibration).map(([what, value]) => h("div", { key: what }, h("dt", null, t(what)), h("dd", null, value)))),
    h("label.profile-name", { key: "name" }, h("span", null, t("calibrate.name")), h("input", {
      type: "text", value: name, maxlength: 60, autocomplete: "off", spellcheck: "false",
      oninput: (event) => doing.setCalibrate({ name: event.target.value, asked: event.target.value.trim() === app.setting.profile?.name }),
      onkeydown: (event) => event.key === "Enter" && doing.save(),
    })),
    asked && app.setting.profiles.some((profile) => profile.name === name.trim()) ? h("p.small", { key: "replaces" }, t("calibrate.replaces", { name: name.trim() })) : null,
    buttons(button("button.confirm", { key: "save", off: !name.trim(), onclick: doing.save }, icon("save"), t("calibrate.save"))),
  ];
}

function summary({ tray, light, throws, die_px: die, sheet }) {
  const rows = [["summary.tray", t(`shape.${tray.shape}`)]];
  rows.push(["summary.kept", t(tray.kept ? "summary.kept_marked" : "summary.kept_none")]);
  rows.push(["summary.light", !light ? t("summary.not_checked") : light.length ? t("summary.findings", { count: light.length }) : t("summary.light_good")]);
  const rolls = throws?.rolls ?? [];
  rows.push(["summary.throws", rolls.length ? t("summary.rolls", { sure: rolls.filter((roll) => roll.sure).length, count: rolls.length }) : t("summary.not_tried")]);
  if (die) rows.push(["summary.die", t("summary.pixels", { count: Math.round(die) })]);
  if (sheet) rows.push(["summary.sheet", t("summary.sheet_read")]);
  return rows;
}

/** What the service says, by its code in the language of the page; one without words is shown as it came. */
export function saidByService(code, message, values = {}) {
  const key = `finding.${code}`;
  if (has(key)) return t(key, values);
  return language() === "en" ? message : t("service.says", { text: message });
}

function buttons(...all) {
  return h("div.calibrate-buttons", { key: "buttons" }, all);
}

function shapeDrawing(shape) {
  const drawings = {
    round: h("circle", { cx: 12, cy: 12, r: 9 }),
    square: h("path", { d: "M4 5h16v14H4z" }),
    hexagon: h("path", { d: "M7 3.5h10L22 12l-5 8.5H7L2 12z" }),
    picture: h("path", { d: "M2 5h4M2 5v4M22 5h-4M22 5v4M2 19h4M2 19v-4M22 19h-4M22 19v-4" }),
  };
  return h("svg.icon", { key: "drawing", viewBox: "0 0 24 24", "aria-hidden": true, focusable: "false" }, drawings[shape]);
}
