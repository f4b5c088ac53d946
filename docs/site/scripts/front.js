/** The front page: the program of 1966 beside its Python, alive once Python is there. */

import { Beside } from "./parts/beside.js";
import { find, given } from "./parts/elements.js";
import { Refused, pythonOf } from "./parts/python.js";

const { name, text, call, check, python: known } = given();
const result = find("#result");
const board = find("#board");

const python = pythonOf();
const program = () => ({ name, reading: "set" });
const page = new Beside({
  editor: find("#editor"),
  target: find("#python"),
  problems: find("#problems"),
  text,
  python,
  program,
  compiled: evaluate,
});
page.show({ check, python: known });
find("#call").textContent = call;
find("#again").addEventListener("click", () => {
  page.editor.text = text;
});

/** @param {string} source */
async function evaluate(source) {
  const asked = { ...program(), text: source };
  try {
    const found = await python.ask("run", { ...asked, call });
    result.textContent = found.fault ?? found.values[0];
    const chosen = await python.ask("run", { ...asked, call: "ChosenPosition(StartPosition)" });
    if (source !== page.editor.text) return;
    board.innerHTML = chosen.boards[0] ?? `<p class="fault">${chosen.fault ?? "The program finds no move."}</p>`;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    result.textContent = error.message.split("\n")[0];
  }
}
