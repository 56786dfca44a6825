/** Set-up's camera card: what is seen, which camera and which profile, and the way to the calibration. */

import { h } from "../dom.js";
import { openCalibration } from "../later.js";
import { hasPicture } from "../picture.js";
import { loadCameras, set } from "../setting.js";
import { app, change } from "../store.js";
import { language, t } from "../words.js";
import { camera } from "./camera.js";
import { awayFrom, button, icon } from "./parts.js";
import { phoneWay } from "./phoneway.js";

/** The card. */
export function cameraCard() {
  return h(
    "section.card.camera-card",
    { key: "camera", "aria-labelledby": "c1" },
    h("h2", { id: "c1", key: "title" }, t("setup.camera"), app.setting?.source ? h("small", { key: "name" }, titleName(app.setting.source)) : null),
    camera(),
    phoneWay(),
    app.setting ? settings() : null,
    tips(),
  );
}

function tips() {
  if (app.view.camera.state === "none") return h("p.small", { key: "none" }, t(app.setting ? "setup.choose_camera" : "setup.no_camera"));
  if (!hasPicture(app.view.camera) || app.choosing || app.setting?.profile) return null;
  return h(
    "ol.tips",
    { key: "tips" },
    ["setup.tip_whole", "setup.tip_above", "setup.tip_light"].map((key, at) =>
      h("li", { key }, h("b", { "aria-hidden": true }, at + 1), t(key)),
    ),
  );
}

function settings() {
  const { setting } = app;
  return h(
    "div.camera-settings",
    { key: "settings" },
    setting.profile_fault ? h("p.complaint", { key: "fault" }, language() === "en" ? setting.profile_fault : t("service.says", { text: setting.profile_fault })) : null,
    h(
      "div.camera-buttons",
      { key: "buttons" },
      button(
        "button.quiet",
        { key: "choose", waits: false, "aria-expanded": app.choosing ? "true" : "false", onclick: () => choose(!app.choosing) },
        icon("camera"), t(setting.source ? "camera.change" : "camera.choose"),
      ),
      setting.source ? button("button.stand", { key: "calibrate", off: !setting.size, onclick: openCalibration }, t("calibrate")) : null,
    ),
    app.choosing ? chooser(setting) : setting.source ? profiles(setting) : null,
  );
}

function choose(open) {
  change({ choosing: open, notice: null });
  if (open) loadCameras();
}

async function take(body) {
  if (!(await set("/api/camera/source", body))) return;
  change({ choosing: false });
  // The choice may have been far down; what the camera shows is at the top.
  window.scrollTo({ top: 0 });
}

function chooser({ source, known, here }) {
  const own = (app.cameras ?? []).filter((each) => !known.some((other) => other.id === each.id));
  return h(
    "div.chooser",
    { key: "chooser", role: "group", "aria-label": t("camera.choose"), mounted: (element) => element.scrollIntoView({ block: "nearest" }) },
    known.map((each) => choice(`k${each.id}`, sourceName(each), t(`source.${each.kind}`), each.id === source?.id, () => take({ known: each.id }))),
    own.map((each) => choice(`c${each.source}`, each.name, cameraDetail(each), each.own, () => take({ source: each.source }), each.in_use)),
    known.some((each) => each.kind === "phone") ? null : choice("phone", t("phone.a_phone"), t("source.phone"), false, () => take({ source: "phone" })),
    app.cameras === null ? h("p.small", { key: "waiting" }, t("camera.looking")) : null,
    app.cameras?.length === 0 && !known.length ? h("p.small", { key: "no" }, t("camera.no_cameras")) : null,
    here
      ? h(
          "form.adder",
          { key: "other", onsubmit: (event) => { event.preventDefault(); takeTyped(event.target.elements[0]); } },
          h("input", { key: "spec", type: "text", placeholder: t("camera.address"), "aria-label": t("camera.address"), autocomplete: "off", spellcheck: "false", autocapitalize: "off" }),
          h("button.stand", { key: "take", type: "submit" }, t("camera.take")),
        )
      : h("p.small", { key: "elsewhere" }, t("camera.elsewhere")),
    source ? choice("none", t("camera.by_hand"), t("camera.none_help"), false, () => take({})) : null,
  );
}

function cameraDetail({ problem, size }) {
  if (problem) return language() === "en" ? problem : t("camera.message", { text: problem });
  return size ? `${size[0]} × ${size[1]}` : t("source.camera");
}

function takeTyped(input) {
  if (input.value.trim()) take({ source: input.value.trim() });
}

function choice(key, name, detail, chosen, onclick, off = false) {
  return button(
    "button.quiet.source-row",
    { key, off, class: chosen ? "chosen" : "", "aria-pressed": chosen ? "true" : "false", onclick },
    h("bdi", { key: "name" }, name), h("small", { key: "detail" }, off === true ? t("camera.in_use") : detail),
  );
}

// A profile is a choice like a camera; what does not fit this picture cannot be chosen, and says why.
function profiles({ profile, profiles: all, size }) {
  if (!all.length) return h("p.small", { key: "none" }, t("profile.none"));
  return h(
    "div.profiles",
    { key: "profiles", role: "group", "aria-label": t("profile") },
    all.map((each) => {
      const fits = !each.fault && (!each.size || !size || (each.size[0] === size[0] && each.size[1] === size[1]));
      const detail = each.fault ? t("profile.damaged") : fits ? t(`shape.${each.shape}`) : t("profile.other_size", { width: each.size[0], height: each.size[1] });
      const used = each.name === profile?.name;
      return h(
        "div.ruleset-row",
        { key: each.name },
        choice("use", each.name, used ? t("profile.in_use") : detail, used, () => set("/api/camera/profile", { profile: used ? null : each.name }), !fits && !used ? "no" : false),
        removal(each.name),
      );
    }),
    profile ? null : h("p.small", { key: "no" }, t("profile.whole_picture")),
  );
}

function removal(name) {
  const asked = app.removing === `profile ${name}`;
  return button(
    asked ? "button.danger.remove-rules" : "button.quiet.remove-rules",
    {
      key: "remove", "aria-label": t(asked ? "rules.remove_sure" : "rules.remove", { name }),
      onclick: () => {
        change({ removing: asked ? null : `profile ${name}` });
        if (asked) set("/api/camera/profile/remove", { profile: name });
      },
      mounted: (element) => awayFrom(element, () => app.removing === `profile ${name}` && change({ removing: null })),
    },
    asked ? t("rules.remove_short") : icon("cross"),
  );
}

// Beside the word "Camera" a phone needs no more than what it is.
function titleName(source) {
  return source.kind === "phone" ? t("source.phone") : sourceName(source);
}

// A camera of the machine is called by its number, in the language of the page; anything else by its own name.
function sourceName({ kind, name }) {
  if (kind === "phone") return t("phone.a_phone");
  const number = /^camera (\d+)$/.exec(name);
  return kind === "camera" && number ? t("source.numbered", { number: number[1] }) : name;
}
