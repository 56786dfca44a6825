/**
 * The words of the page, in the language of whoever looks at it.
 *
 * `words/LANG.json` maps keys to sentences; `{name}` marks what is put in. A sentence that depends on a number is an
 * object by plural category (`one`, `other`), chosen by `{count}`.
 */

import { recall, remember } from "./memory.js";

export const LANGUAGES = ["en", "fr"];

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

let table = {};
let plural = new Intl.PluralRules("en");
let current = "en";

/** The language in use: `en` or `fr`. */
export function language() {
  return current;
}

/** The language somebody chose here before, or the browser's, or English. */
export function preferredLanguage() {
  const wishes = [recall("language", null), ...(navigator.languages ?? [navigator.language])];
  for (const wish of wishes) {
    const short = String(wish ?? "").slice(0, 2).toLowerCase();
    if (LANGUAGES.includes(short)) return short;
  }
  return "en";
}

/** Loads the words of `lang` and uses them from now on. */
export async function useLanguage(lang, { chosen = false } = {}) {
  const answer = await fetch(`words/${lang}.json`);
  if (!answer.ok) throw new Error(`words/${lang}.json: ${answer.status}`);
  table = await answer.json();
  current = lang;
  plural = new Intl.PluralRules(lang);
  document.documentElement.lang = lang;
  if (chosen) remember("language", lang);
}

/** True where the words know `key`. */
export function has(key) {
  return key in table;
}

/** The sentence for `key`, with `values` put in. An unknown key shows itself: it is a fault, and tests look for it. */
export function t(key, values = {}) {
  let sentence = table[key];
  if (sentence === undefined) return key;
  if (typeof sentence === "object") sentence = sentence[plural.select(values.count ?? 0)] ?? sentence.other;
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? isolated(values[name]) : whole));
}

/** A text that the service gives in every language (`{"en", "fr"}`), or in one (a string). */
export function pick(text) {
  if (text === null || text === undefined) return "";
  if (typeof text === "string") return text;
  return text[current] ?? text.en ?? "";
}

// A name written from right to left must not turn the sentence around it: FSI ... PDI keep it to itself.
function isolated(value) {
  return RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : String(value);
}
