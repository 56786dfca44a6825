/** Green felt by day, bordeaux by night: what the system asks for, until somebody chooses. */

import { recall, remember } from "./memory.js";

const night = matchMedia("(prefers-color-scheme: dark)");
const BAR = { light: "#0b3b2a", dark: "#2c0810" };

/** `light` or `dark`. */
export function theme() {
  return recall("theme", null) ?? (night.matches ? "dark" : "light");
}

/** Puts the theme on the page, now and whenever the system changes its mind. */
export function startTheme() {
  show();
  night.addEventListener("change", show);
}

/** The other theme, remembered. */
export function switchTheme() {
  remember("theme", theme() === "dark" ? "light" : "dark");
  show();
}

function show() {
  document.documentElement.dataset.theme = theme();
  document.querySelector('meta[name="theme-color"]').content = BAR[theme()];
}
