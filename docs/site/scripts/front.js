/** The front page: the program of 1966 beside its Python, alive once Python is there. */

import { Beside } from "./parts/beside.js";
import { offerWorks } from "./parts/offer.js";
import { complain, fill, find, pageData } from "./parts/page.js";
import { Refused, pythonOf } from "./parts/python.js";
import { EMPTY, Kept } from "./parts/state.js";
import { beside } from "./parts/told.js";

/**
 * @typedef {object} Known what the build has computed of a text
 * @property {string} text
 * @property {any} check
 * @property {any} python
 * @property {Opening} opening
 * @property {string} result of the call that is shown
 */

/** @typedef {{move: string | null, board: string | null, why: string | null}} Opening how a program begins a game */

const { name, call, original, suggested } = pageData();
/** @type {Known[]} */
const known = [original, suggested];
/** @param {string} text */
const knownOf = (text) => known.find((version) => version.text === text);
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
  isKnown: (text) => Boolean(knownOf(text)),
  failed: (errors) => errors && blame("The text has an error, which is below the program."),
});

/** Whether the text came with a link, and was not changed: it waits for the button. */
let isWaiting = false;

const change = find("#suggested");
const again = find("#again");
for (const [button, version, other] of [
  [change, suggested, again],
  [again, original, change],
]) {
  button.addEventListener("click", () => {
    page.editor.replace(version.text);
    page.editor.pointAt(suggested.python.changed.cpl[0]);
    other.focus(); // as the button that was pressed goes
  });
}
find("#run").addEventListener("click", () => {
  wait(false);
  kept.replace({ text: page.editor.text });
  beside(find("#run"), page.refresh());
});
show(await kept.restore());
offerWorks(kept);

/** @param {boolean} isNew whether it waits now */
function wait(isNew) {
  isWaiting = isNew;
  find("#run").hidden = !isNew;
}

/** @param {string[]} problems of the address */
function show(problems) {
  complain(problems);
  page.editor.text = kept.state.text ?? original.text;
  wait(kept.isLinked && !knownOf(page.editor.text));
  if (isWaiting) blame("This text came with the link. It runs when you press the button.");
  page.refresh();
  showKnown(page.editor.text);
}

/** @param {string} text */
function typed(text) {
  wait(false);
  kept.replace({ text: text === original.text ? null : text });
  showKnown(text);
}

/** @param {string} text */
function showKnown(text) {
  const version = knownOf(text);
  if (version) {
    page.show(version);
    tell(version.opening, version.result);
  }
  again.hidden = find("#belongs").hidden = text === original.text;
  change.hidden = text === suggested.text;
}

/**
 * @param {Opening} opening
 * @param {string} result of the call
 */
function tell({ move, board, why }, result) {
  blame(why ?? "");
  find("#move").textContent = move ?? "no move";
  find("#result").textContent = result;
  if (board) fill(find("#board"), board);
}

/**
 * Say why what is shown does not belong to the text; nothing if it does.
 * @param {string} why
 */
function blame(why) {
  find("#why").textContent = why;
  for (const part of ["#board", "#move", "#result"]) find(part).classList.toggle("stale", Boolean(why));
}

async function evaluate() {
  if (isWaiting) return;
  const { asked, wanted } = page.editor.asWritten();
  try {
    const opening = await python.ask("opening", asked, wanted);
    const found = await python.ask("run", { ...asked, call }, wanted);
    if (wanted()) tell(opening, found.fault ?? found.values[0]);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (wanted()) blame(error.message.split("\n")[0]);
  }
}
