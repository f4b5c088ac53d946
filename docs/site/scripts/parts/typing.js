/** What happens while one types CPL, as functions of the text: the editor asks them, and so do the tests. */

/** @typedef {{typed: string, text: string, words: string}} Spelling what one types for a sign or a letter, as cpl/editors/completion.py lists it */
/** @typedef {{beforeText: string, action: {indent: string, appendText?: string, removeText?: number}}} EnterRule a rule of VS Code */

const NAME = /\\[A-Za-z]*$/;
const ASCII = /^[ -~]*$/;
const PAIR = /[!-@[-`{-~]{2}$/;

/**
 * What is being spelled at the end of a text, and the signs and letters that it may become, one that is whole first.
 * @param {Spelling[]} spellings
 * @param {string} before
 * @returns {{typed: string, offers: Spelling[]} | null} null if nothing is
 */
export function spelled(spellings, before) {
  const pair = PAIR.exec(before)?.[0];
  const ofPair = spellings.filter(({ typed }) => typed === pair);
  if (pair && ofPair.length) return { typed: pair, offers: ofPair };

  const match = NAME.exec(before);
  if (!match || before[match.index - 1] === "/") return null; // the backslash of /\ spells nothing else
  const [typed] = match;
  /** @type {Map<string, Spelling>} */
  const offers = new Map();
  const isWhole = (/** @type {Spelling} */ spelling) => spelling.typed === typed;
  for (const spelling of [...spellings.filter(isWhole), ...spellings]) {
    if (spelling.typed.startsWith(typed) && !offers.has(spelling.text)) offers.set(spelling.text, spelling);
  }
  return { typed, offers: [...offers.values()] };
}

/**
 * The signs that no keyboard has, each with its names and all that a keyboard can type for it.
 * @param {Spelling[]} spellings
 */
export function signsOf(spellings) {
  /** @type {Map<string, {text: string, words: string, typed: string[], names: string[]}>} */
  const signs = new Map();
  for (const { typed, text, words } of spellings) {
    if (!words || ASCII.test(text) || !ASCII.test(typed)) continue;
    const sign = signs.get(text) ?? { text, words, typed: [], names: [] };
    sign.typed.push(typed);
    if (/^\\\w/.test(typed)) sign.names.push(typed.slice(1));
    signs.set(text, sign);
  }
  return [...signs.values()].filter(({ names }) => names.length);
}

/**
 * The column at which the next line begins, after this part of a line.
 * @param {string} before
 * @param {EnterRule[]} rules the first that fits counts
 * @param {number} unit
 */
export function indentationAfter(before, rules, unit) {
  const column = before.length - before.trimStart().length;
  const rule = rules.find(({ beforeText }) => new RegExp(beforeText).test(before));
  if (!rule) return /[([{]\s*$/.test(before) ? column + unit : column;
  const { indent, appendText = "", removeText = 0 } = rule.action;
  const more = indent === "indent" ? unit : appendText.length;
  return Math.max(0, column + more - removeText);
}

/**
 * A key as it is written on the keyboard.
 * @param {string} key in the words of CodeMirror: `Mod-Enter`
 * @param {boolean} isMac
 */
export function keyName(key, isMac) {
  /** @type {Record<string, string>} */
  const names = isMac ? { Mod: "⌘", Alt: "⌥", Shift: "⇧", Ctrl: "⌃" } : { Mod: "Ctrl" };
  const parts = key.split("-").map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part));
  return parts.join(isMac ? " " : "+");
}
