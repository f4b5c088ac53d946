/**
 * Games as a page asks about them: a worker answers in which they run as WebAssembly, and Python what that cannot answer.
 * Python begins only when it is needed, or when the page says so.
 */

import { OFFICIAL_LABELS, drawBoard } from "../../../../cpl/study/views/static/board.js";
import VALUES from "../../../../cpl/games/board.json";
import { Asked, Failed, GaveUp, NotHere } from "./asked.js";
import { Refused } from "./python.js";
import { beside } from "./told.js";

/** @typedef {import("./python.js").Python} Python */

const WORKER = new URL("./games.js", import.meta.url).href;
/** A worker that is made from a blob has the policy of the page: see python.js. */
const SCRIPT = new Blob([`import ${JSON.stringify(WORKER)};`], { type: "text/javascript" });
const ADDRESS = URL.createObjectURL(SCRIPT);
const SIZE = 8;

export class Games extends Asked {
  /**
   * @param {() => Python} python begins it, if it has not begun
   * @param {(isBusy: boolean) => void} changed when the worker begins or ends what may take long
   */
  constructor(python, changed) {
    const canRun = typeof WebAssembly === "object" && typeof BigInt64Array === "function";
    super(canRun ? () => new Worker(ADDRESS, { type: "module" }) : null, changed);
    this.python = python;
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
      if (error instanceof GaveUp && !this.python().isReady) throw new Refused(`the program gave up: ${error.message}`);
      if (!(error instanceof GaveUp || error instanceof NotHere)) throw error;
    }
    return awaited(this.python().ask(ask, given));
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

/** @typedef {{pieces: [number, string][], last: number[]}} Placed */

/**
 * The picture of a board of draughts, and its squares in rows.
 * @param {Placed} placed
 * @param {boolean} flipped
 */
function drawn({ pieces, last }, flipped) {
  const placed = new Map(pieces);
  const marked = last.length ? [last[0], last[last.length - 1]] : [];
  const picture = drawBoard({ pieces: placed, labels: OFFICIAL_LABELS, marked, arrows: [last], flipped });
  const inView = Array.from({ length: SIZE }, (_, index) => (flipped ? SIZE - 1 - index : index));
  const rows = inView.map((row) => inView.map((column) => squareAt(placed, row, column)));
  return { picture, rows };
}

/** @type {Record<string, {name: string}>} */
const PIECES = VALUES.pieces;

/**
 * What stands on a square, in words; nothing of a light one, which no piece may stand on.
 * @param {Map<number, string>} pieces
 * @param {number} row
 * @param {number} column
 */
function squareAt(pieces, row, column) {
  if ((row + column) % 2 === 0) return null;
  const index = (SIZE / 2) * row + Math.floor(column / 2);
  const letter = pieces.get(index);
  const name = OFFICIAL_LABELS[index];
  if (!letter) return { name, side: "", piece: "" };
  const small = letter.toLowerCase();
  return { name, side: PIECES[small].name, piece: letter === small ? "man" : "king" };
}
