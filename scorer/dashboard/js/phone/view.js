/** What the camera page shows: the picture, what happens in one sentence, and what to do about it. */

import { h } from "../dom.js";
import { button, icon, preferences } from "../views/parts.js";
import { t } from "../words.js";
import { switchLamp } from "./capture.js";
import { phone, show, turnPicture } from "./state.js";

/** The sentence of each state, and what helps. */
const SENTENCES = {
  idle: ["phone.idle", "phone.idle_help"],
  asking: ["phone.asking", "phone.asking_help"],
  connecting: ["phone.connecting", null],
  sending: ["phone.sending", null],
  insecure: ["phone.insecure", "phone.insecure_help"],
  unsupported: ["phone.unsupported", "phone.unsupported_help"],
  denied: ["phone.denied", "phone.denied_help"],
  missing: ["phone.missing", "phone.missing_help"],
  busy: ["phone.busy", "phone.busy_help"],
  stalled: ["phone.stalled", "phone.stalled_help"],
  unwanted: ["phone.unwanted", "phone.unwanted_help"],
  taken: ["phone.taken", "phone.taken_help"],
  lost: ["phone.lost", "phone.lost_help"],
};
const BEGINS = new Set(["idle", "denied", "missing", "busy", "taken"]);
const TROUBLE = new Set(["insecure", "unsupported", "denied", "missing", "busy", "stalled", "unwanted", "taken", "lost"]);
const SEEN = {
  starting: "phone.sees_starting",
  empty: "phone.sees_empty",
  moving: "phone.sees_moving",
  hand: "phone.sees_moving",
  settling: "phone.sees_settling",
  still: "phone.sees_still",
  read: "phone.sees_still",
  unsure: "phone.sees_still",
};

/** The whole page; `start` and `stop` are what its buttons do. */
export function phoneView(acts) {
  const { state } = phone;
  return h(
    "main.phone",
    { key: "phone", class: [state, phone.stream ? "with-picture" : ""].join(" ") },
    phone.stream ? preview() : null,
    h(
      "section.panel",
      { key: "panel" },
      h("header.panel-head", { key: "head" }, h("h1", null, t("phone.title")), h("span.gap"), preferences()),
      message(),
      state === "insecure" ? secureWay() : null,
      buttons(acts),
    ),
  );
}

function preview() {
  return h(
    "div.preview",
    { key: "preview" },
    h("video", { key: "video", class: `turn-${phone.turn}`, playsinline: true, autoplay: true, "aria-label": t("phone.preview"), mounted: play, updated: play }),
  );
}

function play(video) {
  if (video.srcObject === phone.stream) return;
  video.muted = true;
  video.srcObject = phone.stream;
  video.play().catch(() => {});
}

function message() {
  const [sentence, help] = SENTENCES[phone.state];
  const lines = [
    h(
      "p.state",
      { key: "state", role: "status", class: TROUBLE.has(phone.state) ? "trouble" : phone.state },
      h("i.dot", { "aria-hidden": true }),
      h("span", null, t(sentence)),
    ),
    help ? h("p.help", { key: "help" }, t(help)) : null,
  ];
  if (phone.state === "sending") {
    if (SEEN[phone.camera]) lines.push(h("p.help", { key: "sees" }, t(SEEN[phone.camera])));
    lines.push(h("p.figures", { key: "figures" }, figures()));
    if (!phone.awake) lines.push(h("p.help", { key: "awake" }, t("phone.sleeps")));
  }
  return h("div.message", { key: "message" }, lines);
}

function figures() {
  const { rate, size } = phone;
  return rate && size ? t("phone.figures", { count: rate, width: size.width, height: size.height }) : "\u00a0";
}

// On plain http there is no camera; the same page over HTTPS has one, after a warning that is better explained before.
function secureWay() {
  const port = phone.service?.https_port;
  if (!port) return h("p.help", { key: "off" }, t("phone.https_off"));
  const name = location.hostname;
  return h(
    "div.secure",
    { key: "secure" },
    h("p.help", { key: "warns" }, t("phone.warns")),
    h(
      "ul.browsers",
      { key: "browsers" },
      ["phone.warns_chrome", "phone.warns_safari", "phone.warns_firefox"].map((key) => h("li", { key }, t(key))),
    ),
    h("a.button.confirm", { key: "go", href: `https://${name}:${port}/camera` }, t("phone.go_secure")),
    phone.service.fingerprint
      ? h("details", { key: "print" }, h("summary", null, t("phone.fingerprint")), h("p.help", null, t("phone.fingerprint_help")), h("code", null, phone.service.fingerprint))
      : null,
  );
}

function buttons({ start, stop, switchCamera }) {
  const { state, lamp } = phone;
  const begin = state === "taken" ? "phone.take_over" : state === "idle" ? "phone.start" : "phone.again";
  return h(
    "div.acts",
    { key: "acts" },
    BEGINS.has(state)
      ? button("button.confirm", { key: "start", onclick: () => start({ takeOver: state === "taken" }) }, t(begin))
      : null,
    phone.stream
      ? button("button.quiet", { key: "turn", onclick: turnPicture, title: t("phone.turn") }, icon("again"), t("phone.turn"))
      : null,
    phone.stream && phone.other
      ? button("button.quiet", { key: "other", onclick: switchCamera }, t("phone.other"))
      : null,
    phone.stream && lamp !== null
      ? button(
          "button.quiet",
          {
            key: "lamp", "aria-pressed": lamp ? "true" : "false",
            onclick: async () => show({ lamp: await switchLamp(phone.stream, !lamp) }),
          },
          t("phone.lamp"),
        )
      : null,
    phone.stream ? button("button.plain", { key: "stop", onclick: stop }, t("phone.stop")) : null,
  );
}
