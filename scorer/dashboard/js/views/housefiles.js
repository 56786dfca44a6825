/** Files of the house: the way in, what speaks against one, the way out by a second tap. */

import { h } from "../dom.js";
import { addRulesFiles, forgetMisfits, removeRuleset } from "../rulesets.js";
import { app, change } from "../store.js";
import { pick, t } from "../words.js";
import { awayFrom, button, icon } from "./parts.js";

/** Below the rulesets: add a file, and the faults of those that did not do. */
export function houseFiles() {
  return h(
    "div.house-files",
    { key: "files" },
    h(
      "div.file-adder",
      { key: "adder" },
      h("input", { key: "file", type: "file", accept: ".toml", multiple: true, hidden: true, "aria-label": t("rules.add"), onchange: chosen }),
      button("button.quiet", { key: "add", onclick: (event) => event.currentTarget.previousSibling.click() }, icon("add"), t("rules.add")),
      h("span.small.drop-hint", { key: "hint" }, t("rules.drop")),
    ),
    app.misfits.length
      ? h(
          "div.misfits",
          { key: "misfits", role: "alert", mounted: (element) => element.scrollIntoView({ block: "nearest" }) },
          app.misfits.map(misfit),
          button("button.quiet", { key: "close", waits: false, onclick: forgetMisfits }, t("rules.close")),
        )
      : null,
  );
}

function chosen(event) {
  const files = [...event.target.files];
  // The same file may be chosen again once it is mended.
  event.target.value = "";
  addRulesFiles(files);
}

function misfit({ file, say, faults }, at) {
  const listed = faults?.length > 0;
  return h(
    "section.misfit",
    { key: `m${at}` },
    h("p.complaint", { key: "what" }, h("bdi", null, file), " – ", listed ? t("rules.faults", { count: faults.length }) : say()),
    listed ? h("ol.faults", { key: "faults" }, faults.map((fault, number) => faultLine(fault, number))) : null,
  );
}

// The service says what is wrong in English; where it is wrong is said in the language of the page.
function faultLine({ key, line, text }, number) {
  return h(
    "li",
    { key: number },
    line === null ? null : h("b", { key: "line" }, t("rules.line", { number: line })),
    key ? h("code", { key: "key" }, key) : null,
    h("span", { key: "text", lang: "en", dir: "auto" }, text),
  );
}

/** The way out for a ruleset that a screen has added. */
export function removal(ruleset) {
  const asked = app.removing === ruleset.id;
  const name = pick(ruleset.name);
  return button(
    asked ? "button.danger.remove-rules" : "button.quiet.remove-rules",
    {
      key: "remove", "aria-label": t(asked ? "rules.remove_sure" : "rules.remove", { name }), onclick: () => removeRuleset(ruleset.id),
      mounted: (element) => awayFrom(element, () => app.removing === ruleset.id && change({ removing: null })),
    },
    asked ? t("rules.remove_short") : icon("cross"),
  );
}
