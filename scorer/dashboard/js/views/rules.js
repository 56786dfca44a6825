/** The card of the rules: the rulesets on offer, files of the house, and the options of the one chosen. */

import { h } from "../dom.js";
import { rulesetOf, setForm } from "../form.js";
import { app } from "../store.js";
import { pick, t } from "../words.js";
import { houseFiles, removal } from "./housefiles.js";

/** The whole card. */
export function rulesCard(form) {
  const chosen = rulesetOf(form);
  return h(
    "section.card.rules-card",
    { key: "rules", "aria-labelledby": "c3" },
    h("h2", { key: "title", id: "c3" }, t("setup.rules")),
    h(
      "div.rulesets",
      { key: "list", role: "radiogroup", "aria-labelledby": "c3" },
      (app.rulesets ?? []).map((ruleset) => rulesetRow(ruleset, chosen?.id === ruleset.id)),
    ),
    houseFiles(),
    chosen?.options?.length
      ? h("div.options", { key: `o-${chosen.id}` }, chosen.options.map((option) => optionField(form, chosen, option)))
      : null,
  );
}

function rulesetRow(ruleset, chosen) {
  return h(
    "div.ruleset-row",
    { key: ruleset.id },
    rulesetCard(ruleset, chosen),
    ruleset.removable ? removal(ruleset) : null,
  );
}

function rulesetCard(ruleset, chosen) {
  return h(
    "label.ruleset",
    { key: "card", class: chosen ? "chosen" : "" },
    h("input", { type: "radio", name: "ruleset", value: ruleset.id, checked: chosen, onchange: () => setForm({ ruleset: ruleset.id }) }),
    h(
      "span.ruleset-words",
      null,
      h("strong", null, pick(ruleset.name), h("small", null, t("setup.seats", { least: ruleset.min_players, most: ruleset.max_players }))),
      h("span", null, ruleset.house ? h("b.house", null, t("rules.house")) : null, " ", pick(ruleset.about)),
    ),
  );
}

// An option of the service: `{"id", "name", "values", "low", "high", "default", "labels"}`. Yes and no make a switch,
// named values a list, bounds alone a number.
function optionField(form, ruleset, option) {
  const mine = form.options[ruleset.id] ?? {};
  const value = option.id in mine ? mine[option.id] : option.default;
  const choose = (wish) => setForm({ options: { ...form.options, [ruleset.id]: { ...mine, [option.id]: wish } } });
  return h("label.option", { key: option.id }, h("span.option-words", { key: "words" }, pick(option.name)), field(option, value, choose));
}

function field(option, value, choose) {
  if (typeof option.default === "boolean") {
    const onchange = (event) => choose(event.target.checked);
    return h("input.switch", { key: "field", type: "checkbox", role: "switch", checked: value, onchange });
  }
  if (!option.values.length) {
    const onchange = (event) => {
      const wish = Math.round(Number(event.target.value));
      choose(Math.min(option.high, Math.max(option.low, wish || option.default)));
    };
    return h("input", { key: "field", type: "number", min: option.low, max: option.high, value: String(value), onchange });
  }
  const onchange = (event) => choose(option.values[event.target.selectedIndex]);
  return h(
    "select",
    { key: "field", onchange },
    option.values.map((item) =>
      h("option", { key: String(item), selected: item === value }, pick(option.labels[item] ?? String(item))),
    ),
  );
}
