/** CPL cut into pieces by the grammar that other editors have, where there is no Python to cut it. */

import GRAMMAR from "../../../../editors/cpl.tmLanguage.json";

/** Scopes of the grammar by their beginnings, and the classes of listings. */
const CLASSES = {
  comment: "c-c1",
  string: "c-s",
  keyword: "c-k",
  "constant.language": "c-k",
  storage: "c-k",
  "entity.name.function": "c-nf",
  "variable.other.readwrite": "c-nv",
  invalid: "c-err",
};
/** Scopes of signs, which have no colour. */
const PLAIN = "keyword.operator";

/** @param {string} scope */
function classOf(scope) {
  if (scope.startsWith(PLAIN)) return "";
  return Object.entries(CLASSES).find(([beginning]) => scope.startsWith(beginning))?.[1] ?? "";
}

/** The beginning of the text, as the grammar says it. */
const BEGINNING = /(?<!\\)\\A/g;
const PATTERNS = GRAMMAR.patterns.map(({ match, name = "" }) => ({
  pattern: new RegExp(match.replaceAll(BEGINNING, "(?<![^])"), "uy"),
  shade: classOf(name),
}));

/**
 * The pieces that have a class: where each begins and ends, and its class.
 * @param {string} text
 * @returns {[number, number, string][]}
 */
export function cut(text) {
  /** @type {[number, number, string][]} */
  const pieces = [];
  for (let at = 0; at < text.length;) {
    const { end, shade } = pieceAt(text, at);
    if (shade) pieces.push([at, end, shade]);
    at = end;
  }
  return pieces;
}

/**
 * @param {string} text
 * @param {number} at
 */
function pieceAt(text, at) {
  for (const { pattern, shade } of PATTERNS) {
    pattern.lastIndex = at;
    if (pattern.test(text) && pattern.lastIndex > at) return { end: pattern.lastIndex, shade };
  }
  const sign = text.codePointAt(at) ?? 0;
  return { end: at + String.fromCodePoint(sign).length, shade: "" };
}
