/**
 * Games as a page asks about them: a worker answers in which they run as WebAssembly, and Python what that cannot answer.
 * Python begins only when it is needed, or when the page says so.
 */

import { OFFICIAL_LABELS, drawBoard } from "../../../../cpl/study/views/static/board.js";
import VALUES from "../../../../cpl/games/board.json";
import { Refused, Stopped } from "./python.js";

/** @typedef {import("./python.js").Python} Python */
/** @typedef {{ask: string, given: any}} Asked */
/** @typedef {{resolve: (answer: any) => void, reject: (error: Error) => void, report: (found: any) => void, asked: Asked}} Waiting */

const WORKER = new URL("./games.js", import.meta.url).href;
/** A worker that is made from a blob has the policy of the page: see python.js. */
const SCRIPT = new Blob([`import ${JSON.stringify(WORKER)};`], { type: "text/javascript" });
const ANSWERED = ["state", "choose", "understand", "why", "analyse"];
/** What may take long, so that one may want to stop it. */
const SLOW = ["choose", "why"];
const SIZE = 8;
/** Milliseconds that a worker has to end what it does, so that it keeps what it knows of positions. */
const GRACE = 600;

/** What the worker does not know, Python may. */
class NotHere extends Error {}

/** The program gave a call up: the message says why. */
class GaveUp extends Error {}

export class Games {
  /**
   * @param {() => Python} python begins it, if it has not begun
   * @param {(isBusy: boolean) => void} changed when the worker begins or ends what may take long
   */
  constructor(python, changed) {
    this.python = python;
    this.changed = changed;
    this.isHere = typeof WebAssembly === "object" && typeof BigInt64Array === "function";
    /** @type {Map<number, Waiting>} */
    this.waiting = new Map();
    /** @type {Set<number>} what the worker has been asked and has not answered, even if nobody waits for it any more */
    this.running = new Set();
    this.count = 0;
    this.timer = 0;
    if (this.isHere) this.worker = this.#start();
  }

  /**
   * @param {string} ask one of the questions of cpl/editors/browser/answers.py about games
   * @param {any} given its arguments
   * @returns {Promise<any>}
   */
  async ask(ask, given) {
    try {
      return await this.#asked(ask, given, () => {});
    } catch (error) {
      if (error instanceof GaveUp && !this.python().isReady) throw new Refused(`the program gave up: ${error.message}`);
      if (!(error instanceof GaveUp || error instanceof NotHere)) throw error;
    }
    return this.python().ask(ask, given);
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
   * Report the best lines of play, deeper and deeper, until something else is asked. False if that is not possible here.
   * @param {any} given
   * @param {(found: any) => void} report
   */
  async analyse(given, report) {
    try {
      await this.#asked("analyse", given, report);
      return true;
    } catch (error) {
      if (error instanceof GaveUp || error instanceof NotHere) return false;
      throw error;
    }
  }

  /** End an analysis; the lines that it has found stay. */
  endAnalysis() {
    this.worker?.postMessage({ ask: "stop" });
  }

  /** End whatever runs. What the worker knows of positions stays, unless it does not end soon. */
  stop() {
    const given = [...this.waiting.values()];
    this.waiting.clear();
    if (this.running.size) {
      this.worker?.postMessage({ ask: "stop" });
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.#replace(), GRACE);
    }
    for (const { reject } of given) reject(new Stopped("Stopped."));
    this.#tell();
  }

  #start() {
    const worker = new Worker(URL.createObjectURL(SCRIPT), { type: "module" });
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = () => this.#fail();
    return worker;
  }

  /** Put another worker in the place of one that does not end. It is asked what is still wanted. */
  #replace() {
    this.worker?.terminate();
    this.running.clear();
    this.worker = this.#start();
    for (const [number, { asked }] of this.waiting) this.#post(number, asked);
  }

  /** Without the worker all is Python's. */
  #fail() {
    this.isHere = false;
    const given = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of given) reject(new NotHere());
    this.#tell();
  }

  /**
   * @param {string} ask
   * @param {any} given
   * @param {(found: any) => void} report
   * @returns {Promise<any>}
   */
  #asked(ask, given, report) {
    if (!this.isHere || !ANSWERED.includes(ask)) return Promise.reject(new NotHere());
    return new Promise((resolve, reject) => {
      const number = ++this.count;
      const asked = { ask, given };
      this.waiting.set(number, { resolve, reject, report, asked });
      this.#post(number, asked);
      this.#tell();
    });
  }

  /**
   * @param {number} number
   * @param {Asked} asked
   */
  #post(number, asked) {
    this.running.add(number);
    this.worker?.postMessage({ number, ...asked });
  }

  /** @param {any} data */
  #receive(data) {
    const asked = this.waiting.get(data.number);
    if (data.report) {
      asked?.report(data.report);
      return;
    }
    this.running.delete(data.number);
    if (![...this.running].some((number) => !this.waiting.has(number))) clearTimeout(this.timer);
    this.waiting.delete(data.number);
    if (data.failed) console.warn(data.failed);
    if (data.isNotHere || data.failed) asked?.reject(new NotHere());
    else if (data.gaveUp) asked?.reject(new GaveUp(data.gaveUp));
    else asked?.resolve(data.answer);
    this.#tell();
  }

  #tell() {
    this.changed([...this.waiting.values()].some(({ asked: { ask } }) => SLOW.includes(ask)));
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
