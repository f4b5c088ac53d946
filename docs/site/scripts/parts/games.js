/**
 * Games as a page asks about them: a worker answers in which they run as WebAssembly, and Python what that cannot answer.
 * Python begins only when it is needed, or when the page says so.
 */

import { drawBoard } from "../../../../cpl/study/views/static/board.js";
import VALUES from "../../../../cpl/games/board_style.json";
import { Asked, Failed, GaveUp, NotHere } from "./asked.js";
import { beside } from "./told.js";

/** @typedef {import("./python.js").Python} Python */

const WORKER = new URL("./games.js", import.meta.url).href;
/** A worker that is made from a blob has the policy of the page: see python.js. */
const SCRIPT = new Blob([`import ${JSON.stringify(WORKER)};`], { type: "text/javascript" });
const ADDRESS = URL.createObjectURL(SCRIPT);

export class Games extends Asked {
  /**
   * @param {() => Python} python begins it, if it has not begun
   * @param {(isBusy: boolean) => void} changed when the worker begins or ends what may take long
   * @param {(words: string) => void} told why an answer has to wait for Python, and nothing when it waits no more
   */
  constructor(python, changed, told) {
    const canRun = typeof WebAssembly === "object" && typeof BigInt64Array === "function";
    super(canRun ? () => new Worker(ADDRESS, { type: "module" }) : null, changed);
    this.python = python;
    this.told = told;
  }

  /**
   * @param {string} ask one of the questions of cpl/editors/browser/answers.py about games
   * @param {any} given its arguments
   * @returns {Promise<any>}
   */
  ask(ask, given) {
    return this.#ask(ask, given, (answer) => answer);
  }

  /**
   * The same for one who pressed a button: what has to be loaded for it is said beside it.
   * @param {HTMLElement} button
   * @param {string} ask
   * @param {any} given
   * @returns {Promise<any>}
   */
  askFor(button, ask, given) {
    return this.#ask(ask, given, (answer) => beside(button, answer));
  }

  /**
   * @param {string} ask
   * @param {any} given
   * @param {(answer: Promise<any>) => Promise<any>} awaited what is done while Python answers
   */
  async #ask(ask, given, awaited) {
    try {
      return await super.ask(ask, given);
    } catch (error) {
      if (error instanceof GaveUp) return this.#askPython(ask, given, error.message, awaited);
      if (error instanceof NotHere) return awaited(this.python().ask(ask, given));
      throw error;
    }
  }

  /**
   * What Python answers to a question that the program gave up.
   * @param {string} ask
   * @param {any} given
   * @param {string} why
   * @param {(answer: Promise<any>) => Promise<any>} awaited
   */
  async #askPython(ask, given, why, awaited) {
    const python = this.python();
    if (python.isReady) return python.ask(ask, given);
    this.told(`The program gave up: ${why}. Python will answer as soon as it is loaded.`);
    try {
      return await awaited(python.ask(ask, given));
    } finally {
      this.told("");
    }
  }

  /**
   * How a game stands, with a picture of the board or the text of one, and its squares in rows.
   * @param {any} given
   */
  async state(given) {
    const found = await this.ask("state", given);
    return "pieces" in found ? { ...found, ...drawn(found, given.flipped) } : found;
  }

  /**
   * Report the best lines of play, deeper and deeper, until something else is asked.
   * @param {any} given
   * @param {(found: any) => void} report
   * @returns {Promise<string>} what is to be said of how it ended, if anything
   */
  async analyse(given, report) {
    try {
      await super.ask("analyse", given, report);
      return "";
    } catch (error) {
      if (error instanceof GaveUp) return `The program gave up: ${error.message}.`;
      if (error instanceof Failed) return "The analysis ended with an error.";
      if (error instanceof NotHere) return "This game has no analysis here.";
      throw error;
    }
  }
}

/** @typedef {{size: number, names: string[], small: string, capital: string}} Described what a game says of its board */
/** @typedef {{board: Described, pieces: [number, string][], last: number[]}} Placed */

/**
 * The picture of a board, and its squares in rows.
 * @param {Placed} placed
 * @param {boolean} flipped
 */
function drawn({ board, pieces, last }, flipped) {
  const { size, names: labels, small, capital } = board;
  const placed = new Map(pieces);
  const marked = last.length ? [last[0], last[last.length - 1]] : [];
  const kinds = { small, capital, ...(isWhole(board) ? { size } : {}) };
  const picture = drawBoard({ pieces: placed, labels, marked, arrows: [last], flipped, ...kinds });
  const inView = Array.from({ length: size }, (_, index) => (flipped ? size - 1 - index : index));
  const rows = inView.map((row) => inView.map((column) => squareAt(board, placed, row, column)));
  return { picture, rows };
}

/** Whether pieces stand on all squares of a board, and not on the dark ones only. */
const isWhole = (/** @type {Described} */ { size, names }) => names.length === size * size;

/** @type {Record<string, {name: string}>} */
const PIECES = VALUES.pieces;

/**
 * What stands on a square, in words; nothing of a light one, if no piece may stand on it.
 * @param {Described} board
 * @param {Map<number, string>} pieces
 * @param {number} row
 * @param {number} column
 */
function squareAt(board, pieces, row, column) {
  const { size, names, small, capital } = board;
  if (!isWhole(board) && (row + column) % 2 === 0) return null;
  const index = isWhole(board) ? size * row + column : (size / 2) * row + Math.floor(column / 2);
  const letter = pieces.get(index);
  const name = names[index];
  if (!letter) return { name, side: "", piece: "" };
  const lower = letter.toLowerCase();
  return { name, side: PIECES[lower].name, piece: letter === lower ? small : capital };
}
