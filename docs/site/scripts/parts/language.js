/** CPL for the editor before Python is asked: comments, brackets, where the next line begins, and what one looks for. */

import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { indentService, indentUnit } from "@codemirror/language";
import { SearchQuery, search, searchKeymap, setSearchQuery } from "@codemirror/search";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";

// The file by which VS Code knows the same
import { autoClosingPairs, comments, onEnterRules } from "../../../../editors/language-configuration.json";
import { indentationAfter } from "./typing.js";

const INDENTATION = "  ";
const longPairs = autoClosingPairs.filter(({ open }) => open.length > 1);
const brackets = autoClosingPairs.map(({ open }) => open).filter((open) => open.length === 1);
/** Before these, and before a blank, brackets are closed. */
const closers = `,;§$${autoClosingPairs.map(({ close }) => close).join("")}`;

const indentation = indentService.of(({ state, simulatedBreak, unit }, at) => {
  const line = state.doc.lineAt(at);
  if (simulatedBreak === at) return indentationAfter(line.text.slice(0, at - line.from), onEnterRules, unit);
  return line.number === 1 ? 0 : indentationAfter(state.doc.line(line.number - 1).text, onEnterRules, unit);
});

/** Closes brackets that are typed in two characters, which CodeMirror's own function does not know: `$(`. */
const longBrackets = EditorView.inputHandler.of((view, from, to, typed) => {
  const { state } = view;
  const isInCode = state.languageDataAt("closeBrackets", from)[0]?.brackets.length;
  if (view.composing || from !== to || !isInCode) return false;
  const { text, from: start } = state.doc.lineAt(from);
  const [head, tail] = [text.slice(0, from - start) + typed, text.slice(from - start)];
  const begun = longPairs.find(({ open }) => head.endsWith(open));
  const ended = longPairs.find(({ close }) => head.endsWith(close) && tail.startsWith(close));
  if (!ended && !(begun && (!tail.trim() || closers.includes(tail[0])))) return false;
  view.dispatch({
    changes: { from, to: from + (ended?.close.length ?? 0), insert: typed + (begun?.close ?? "") },
    selection: { anchor: from + typed.length },
    userEvent: "input.type",
    scrollIntoView: true,
  });
  return true;
});

/** What one looks for is meant as it is written: the `\t` of `\to` is no tab. CodeMirror's panel cannot say so. */
const literal = EditorState.transactionExtender.of(({ effects }) => {
  const asked = effects.find((effect) => effect.is(setSearchQuery))?.value;
  if (!asked || asked.literal || asked.regexp) return null;
  const { search, replace, caseSensitive, wholeWord } = asked;
  return { effects: setSearchQuery.of(new SearchQuery({ search, replace, caseSensitive, wholeWord, literal: true })) };
});

/**
 * @param {(state: EditorState, at: number) => boolean} isCode whether a place is neither in a comment nor in a string
 */
export const cpl = (isCode) => [
  indentUnit.of(INDENTATION),
  indentation,
  EditorState.languageData.of((state, at) => [
    {
      commentTokens: { line: comments.lineComment },
      closeBrackets: { brackets: isCode(state, at) ? brackets : [], before: closers },
      wordChars: "'′",
    },
  ]),
  Prec.high(longBrackets),
  closeBrackets(),
  search({ top: true, literal: true }),
  literal,
  keymap.of([...closeBracketsKeymap, ...searchKeymap]),
];
