/** CPL cut into pieces by the grammar that other editors have, where there is no Python to cut it. */

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

/**
 * The ends of a text, which JavaScript writes otherwise than the grammar.
 * @type {Record<string, string>}
 */
const ENDS = { A: "(?<![^])", Z: "(?![^])" };
const MAY_BE_ESCAPED = /[\w^$\\.*+?()[\]{}|/]/;

/**
 * How JavaScript writes a sign after a backslash.
 * @param {string} escape
 */
function escaped(escape) {
  const [, sign] = escape;
  return MAY_BE_ESCAPED.test(sign) ? (ENDS[sign] ?? escape) : `\\x${sign.charCodeAt(0).toString(16)}`;
}

/**
 * What cuts a text by a grammar into pieces that have a class: where each begins and ends, and its class.
 * @param {{patterns: {match: string, name?: string}[]}} grammar
 * @returns {(text: string) => [number, number, string][]}
 */
export function cutter(grammar) {
  const patterns = grammar.patterns.map(({ match, name = "" }) => ({
    pattern: new RegExp(match.replace(/\\./gs, escaped), "uy"),
    shade: classOf(name),
  }));
  return (text) => {
    /** @type {[number, number, string][]} */
    const pieces = [];
    for (let at = 0; at < text.length;) {
      const { end, shade } = pieceAt(text, at, patterns);
      if (shade) pieces.push([at, end, shade]);
      at = end;
    }
    return pieces;
  };
}

/**
 * @param {string} text
 * @param {number} at
 * @param {{pattern: RegExp, shade: string}[]} patterns
 */
function pieceAt(text, at, patterns) {
  for (const { pattern, shade } of patterns) {
    pattern.lastIndex = at;
    if (pattern.test(text) && pattern.lastIndex > at) return { end: pattern.lastIndex, shade };
  }
  const sign = text.codePointAt(at) ?? 0;
  return { end: at + String.fromCodePoint(sign).length, shade: "" };
}
