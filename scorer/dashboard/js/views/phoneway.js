/** Set-up's camera card while a phone is the camera and sends nothing yet: what to open on it. */

import { read } from "../api.js";
import { h } from "../dom.js";
import { qr } from "../qr.js";
import { app, change } from "../store.js";
import { t } from "../words.js";

const NOTHING_YET = new Set(["starting", "stale", "gone"]);
const QUIET_ZONE = 4;

/** What the service said of its phone when it was asked last, or null. */
let service = null;

/** The address and its code, or null where a phone sends, or something else is the camera. */
export function phoneWay() {
  if (app.setting?.source?.kind !== "phone" || !NOTHING_YET.has(app.view.camera.state)) return null;
  const address = service && addressOf(service);
  return h(
    "div.phone-way",
    { key: "phone-way", mounted: ask },
    address
      ? [
          h("p", { key: "way" }, t("phone.way")),
          h("div.phone-address", { key: "address" }, code(address), h("bdi.address", { key: "text" }, ...breakable(address))),
          h("p.small", { key: "warns" }, t("phone.way_warns")),
        ]
      : service ? h("p", { key: "here" }, t("phone.way_here")) : null,
    h("a.button.quiet", { key: "own", href: window.isSecureContext ? "/camera" : (address ?? "/camera") }, t("phone.this_device")),
  );
}

async function ask() {
  try {
    service = await read("/api/phone");
    change({});
  } catch {
    // Asked again when the card is shown anew; the way by this device is there meanwhile.
  }
}

// By the name under which this screen reaches the service, a phone in the same network will too.
function addressOf({ https_port: port, addresses }) {
  if (!port) return null;
  const here = location.hostname;
  const loopback = here === "localhost" || here === "[::1]" || here.startsWith("127.");
  return loopback ? addresses.at(-1) : `https://${here}:${port}/camera`;
}

// Too long for a line, an address is broken before its path, not within a word.
function breakable(address) {
  const path = new URL(address).pathname;
  return [address.slice(0, -path.length), h("wbr", { key: "break" }), path];
}

function code(address) {
  const rows = qr(address);
  if (!rows) return null;
  const size = rows.length + 2 * QUIET_ZONE;
  const dark = rows.flatMap((row, y) => row.map((is, x) => (is ? `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z` : "")));
  return h(
    "svg.code",
    { key: "code", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": t("phone.code", { address }) },
    h("rect", { key: "paper", width: size, height: size, class: "paper" }),
    h("path", { key: "dark", d: dark.join("") }),
  );
}
