/**
 * What a search finds of a position while it looks deeper and deeper, as cpl/games/analysis.py does it: a search one ply
 * deep, another two plies deep, and so on, until a limit is reached. One such search is a call of the program.
 */

import { sinceProgress } from "./game.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./game.js").Turn} Turn */
/** @typedef {import("./game.js").Move} Move */

/**
 * @typedef {object} Limits
 * @property {number} memory the number of the table of positions
 * @property {number} [depth]
 * @property {number} [seconds]
 * @property {number} [slice] seconds after which a look is broken off, and begun again: the table knows most of it
 */

/** @typedef {{value: number, plies: number | null, moves: string[]}} Line its value in hundredths of a man */
/** @typedef {{depth: number, positions: number, seconds: number, lines: Line[]}} Analysis */

const NO_LIMIT = 1n << 60n;
/** How much longer a look may take that was broken off. */
const LONGER = 1.2;

/**
 * Yields the best lines of play after each depth, and null when a look was broken off. The game must not be over.
 * @param {Game} game
 * @param {Turn} turn
 * @param {Limits} limits
 * @param {number} wanted how many lines
 * @returns {Generator<Analysis | null, Analysis, void>}
 */
export function* search(game, turn, { memory, depth: most, seconds = Infinity, slice = Infinity }, wanted = 1) {
  const { native, rules } = game;
  const [, ...earlier] = sinceProgress(game, turn);
  const seen = earlier.map(({ state }) => game.mark(state));
  const began = performance.now();
  const isOver = () => performance.now() - began >= 1000 * seconds;
  let positions = 0;
  let order = turn.legal.map((_, number) => number);
  /** @type {Analysis | null} */
  let analysis = null;

  for (let depth = 1; depth <= (most ?? rules.plies);) {
    const until = performance.now() + 1000 * slice;
    let isBroken = false;
    native.isOver = () => {
      isBroken = performance.now() >= until;
      return isBroken || isOver();
    };
    /** @type {[bigint, [number | bigint, bigint, any[]][]]} */
    let found;
    try {
      const limits = [BigInt(depth), BigInt(wanted), NO_LIMIT];
      found = native.call("BestLines", turn.state, limits, [BigInt(memory), order.map(BigInt), seen]);
    } finally {
      native.isOver = () => false;
    }
    positions += Number(found[0]);
    if (isBroken && !isOver()) {
      slice *= LONGER;
      yield null;
      continue;
    }
    // The table of positions may have changed the value of a line after it was found.
    const best = found[1].sort(([one], [other]) => Number(other) - Number(one));
    const took = (performance.now() - began) / 1000;
    if (analysis && best.length < Math.min(wanted, order.length)) {
      // The values of two depths do not compare, so all lines remain those of the last depth.
      return { ...analysis, positions, seconds: took };
    }
    const lines = best.map(([value, , moves]) => lineOf(game, turn, Number(value), moves));
    analysis = { depth, positions, seconds: took, lines };
    yield analysis;
    if (isOver() || lines.every(({ plies }) => plies !== null && plies <= depth)) return analysis;
    const first = best.map(([, number]) => Number(number));
    order = [...first, ...order.filter((number) => !first.includes(number))];
    depth++;
  }
  return /** @type {Analysis} */ (analysis);
}

/**
 * What the search finds in the end.
 * @param {Generator<Analysis | null, Analysis, void>} steps
 */
export function result(steps) {
  for (;;) {
    const { value, done } = steps.next();
    if (done) return value;
  }
}

/**
 * @param {Game} game
 * @param {Turn} turn
 * @param {number} value
 * @param {any[]} moves
 * @returns {Line}
 */
function lineOf(game, turn, value, moves) {
  /** @type {string[]} */
  const texts = [];
  for (const each of moves) {
    const move = game.legalOf(turn, each);
    texts.push(move.text);
    turn = game.play(turn, move);
  }
  const { won } = game.rules;
  if (Math.abs(value) <= won / 2) return { value: (100 * value) / game.described.man, plies: null, moves: texts };
  return { value: Math.sign(value) * Infinity, plies: won - Math.abs(value), moves: texts };
}
