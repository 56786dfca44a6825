/** The printed sheet, which gives true sizes and what the lens bends: printed once, laid on the table, read. */

import { readSheet, setCalibrate } from "../calibrate.js";
import { h } from "../dom.js";
import { app } from "../store.js";
import { language, t } from "../words.js";
import { saidByService } from "./calibrate.js";
import { button, icon } from "./parts.js";

/** A part of the first step that nobody needs to open. */
export function sheetPart() {
  const { sheet } = app.setting.calibration;
  const open = app.calibrate.sheet || Boolean(sheet);
  return h(
    "div.sheet-part",
    { key: "sheet" },
    button(
      "button.quiet",
      { key: "open", waits: false, "aria-expanded": open ? "true" : "false", onclick: () => setCalibrate({ sheet: !app.calibrate.sheet }) },
      icon(open ? "up" : "down"), t("sheet"),
    ),
    open
      ? h(
          "div.sheet-inside",
          { key: "inside" },
          h("p.small", { key: "how" }, t("sheet.how")),
          h("div.tray-extras", { key: "links" },
            ["a4", "letter"].map((paper) =>
              h("a.button.quiet", { key: paper, href: `/api/calibration/sheet.pdf?paper=${paper}&lang=${language()}`, download: true }, icon("save"), t(`paper.${paper}`)),
            ),
            button("button.quiet", { key: "read", onclick: readSheet }, icon("camera"), t("sheet.read")),
          ),
          sheet ? h("p.small", { key: "said", role: "status", class: sheet.found ? "sure" : "reason" }, sheetWords(sheet)) : null,
        )
      : null,
  );
}

function sheetWords(sheet) {
  if (!sheet.found) return saidByService(`sheet_${sheet.code}`, sheet.message);
  return t(sheet.lens ? "sheet.lens" : sheet.views > 1 ? "sheet.views" : "sheet.found", { count: sheet.views });
}
