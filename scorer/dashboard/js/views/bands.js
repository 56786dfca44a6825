/** A band across the top when something is wrong: what happens by itself, and what the table can do meanwhile. */

import { TROUBLE, addressIn, stateWords } from "../camerastates.js";
import { h } from "../dom.js";
import { openCalibration } from "../later.js";
import { livePicture } from "../picture.js";
import { set } from "../setting.js";
import { app } from "../store.js";
import { language, t } from "../words.js";
import { button } from "./parts.js";

/** All bands that apply now. */
export function bands() {
  return h("div.bands", { key: "bands", role: "alert" }, [lineBand(), tableBand(), cameraBand()]);
}

function lineBand() {
  if (app.connection === "lost") return band("line", "fault", t("band.lost"), t("band.lost_help"));
  if (app.pending?.retrying) return band("line", "fault", t("band.retrying"), t("band.retrying_help"));
  return null;
}

// What the whole table must know, such as that the last game cannot be read; the service says it in English.
function tableBand() {
  const notice = app.view?.notice;
  if (!notice) return null;
  return band("notice", "calm", language() === "en" ? notice : t("band.notice", { text: notice }), "");
}

function cameraBand() {
  const { view } = app;
  if (!view || app.connection === "lost" || view.game?.over || !TROUBLE.has(view.camera.state)) return null;
  if (view.camera.state === "moved") return app.route === "calibrate" ? null : movedBand();
  if (view.camera.state === "unfit") return app.route === "calibrate" ? null : unfitBand();
  const kind = view.camera.state === "ended" ? "calm" : "fault";
  if (view.camera.source === "phone" && view.camera.state === "stale") return silentPhoneBand(view.camera);
  // The service's own sentence knows more, and says what to do; it is in English.
  if (language() === "en" && view.camera.message) return band("camera", kind, view.camera.message, "");
  return band("camera", kind, stateWords(view.camera), t("band.by_hand"));
}

// The service calls it by the name of its source; of what it says the address alone is needed.
function silentPhoneBand(camera) {
  const address = addressIn(camera.message);
  const help = [address ? t("phone.open_on", { address }) : null, t("band.by_hand")];
  return band("camera", "fault", stateWords(camera), help.filter(Boolean).join(" "));
}

// Only somebody who looks can say whether the picture still fits; until then nothing is read.
function movedBand() {
  return h(
    "div.band.fault.moved",
    { key: "moved" },
    app.route === "table" ? h("div.band-picture", { key: "look" }, livePicture()) : null,
    h(
      "div.band-words",
      { key: "words" },
      h("p", { key: "text" }, h("strong", null, t("band.moved")), " ", h("span", null, t("band.moved_help"))),
      app.setting
        ? [
            button("button.in-band", { key: "right", onclick: () => set("/api/camera/in_place") }, t("band.moved_right")),
            button("button.in-band", { key: "calibrate", onclick: openCalibration }, t("calibrate")),
          ]
        : null,
    ),
  );
}

// The profile was made for another picture: another one is made, or none is used.
function unfitBand() {
  const { profile, size } = app.setting ?? {};
  const sizes = profile?.size && size ? { name: profile.name, width: profile.size[0], height: profile.size[1], now: `${size[0]} × ${size[1]}` } : null;
  return h(
    "div.band.fault.moved",
    { key: "unfit" },
    h("p", { key: "words" }, h("strong", null, sizes ? t("band.unfit", sizes) : t("camera.unfit")), " ", h("span", null, t("band.unfit_help"))),
    app.setting
      ? [
          button("button.in-band", { key: "without", onclick: () => set("/api/camera/profile", { profile: null }) }, t("band.without_profile")),
          button("button.in-band", { key: "calibrate", onclick: openCalibration }, t("calibrate")),
        ]
      : null,
  );
}

function band(key, kind, text, help) {
  return h(`p.band.${kind}`, { key }, h("strong", null, text), " ", h("span", null, help));
}
