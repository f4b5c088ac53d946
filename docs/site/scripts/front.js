/** The front page: the program of 1966 beside its Python, alive once Python is there. */

import { Beside } from "./parts/beside.js";
import { complain, fill, find, given } from "./parts/page.js";
import { Refused, pythonOf } from "./parts/python.js";
import { EMPTY, Kept } from "./parts/state.js";

/**
 * @typedef {object} Known what the build has computed of a text
 * @property {string} text
 * @property {any} check
 * @property {any} python
 * @property {Opening} opening
 */

/** @typedef {{move: string | null, board: string | null, why: string | null}} Opening how a program begins a game */

const { name, call, original, suggested } = given();
/** @type {Known[]} */
const known = [original, suggested];
const kept = new Kept({ ...EMPTY, example: name }, show);
const python = pythonOf();
const program = () => ({ name, reading: "set" });
const page = new Beside({
  editor: find("#editor"),
  target: find("#python"),
  problems: find("#problems"),
  text: original.text,
  python,
  program,
  typed,
  compiled: evaluate,
});

find("#suggested").addEventListener("click", () => change(suggested.text));
find("#again").addEventListener("click", () => change(original.text));
show(kept.state, await kept.restore());
page.refresh();

/**
 * @param {import("./parts/state.js").State} _
 * @param {string[]} problems
 */
function show(_, problems) {
  complain(problems);
  change(kept.state.text ?? original.text);
}

/**
 * Replace the text.
 * @param {string} text
 */
function change(text) {
  page.editor.text = text;
  typed(text);
}

/** @param {string} text */
function typed(text) {
  kept.replace({ text: text === original.text ? null : text });
  showKnown(text);
}

/** @param {string} text */
function showKnown(text) {
  const found = known.find((each) => each.text === text);
  if (found) {
    page.show(found);
    open(found.opening);
  }
  find("#belongs").hidden = text === original.text;
}

/** @param {Opening} opening */
function open({ move, board, why }) {
  find("#move").textContent = move ?? "no move";
  find("#why").textContent = why ?? "";
  if (board) fill(find("#board"), board);
}

/** @param {string} source */
async function evaluate(source) {
  const asked = { ...program(), text: source };
  try {
    if (!known.some(({ text }) => text === source)) {
      const opening = await python.ask("opening", asked);
      if (source !== page.editor.text) return;
      open(opening);
    }
    const found = await python.ask("run", { ...asked, call });
    find("#result").textContent = found.fault ?? found.values[0];
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    find("#result").textContent = error.message.split("\n")[0];
  }
}
