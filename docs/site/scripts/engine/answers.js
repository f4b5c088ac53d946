/** Answers to a page about a game, as cpl/editors/browser/games.py gives them, without Python. */

import { Capture, SimpleCheckers } from "./boards.js";
import { Checkers, Strachey } from "./draughts.js";
import { LiveGame, NotHere } from "./game.js";
import { Native } from "./native.js";
import { result, search } from "./search.js";

/** @typedef {import("./game.js").Rules} Rules */
/** @typedef {import("./game.js").Described & import("./native.js").Described} Described */
/** @typedef {import("./search.js").Analysis} Analysis */
/** @typedef {{game: string, fen: string, moves: string[]}} About the game, where it begins, and its moves */
/** @typedef {{side: string, depth: number, positions: number, lines: {value: string, moves: string[]}[]}} Shown */

const PLAYER = /^(minimax|alphabeta|strachey):(\d{1,3})$/;
const TIMED = /^alphabeta:(\d{1,4}(?:\.\d{1,4})?)s$/;

/** @type {Record<string, typeof import("./game.js").Game>} */
const GAMES = { checkers: Checkers, strachey: Strachey, "simple-checkers": SimpleCheckers, capture: Capture };

/** To `trim` this is a blank, and to Python it is none. */
const NO_BLANK = "\ufeff";
/** Seconds after which an analysis looks whether another question waits. */
const SLICE = 0.2;

export class Answers {
  /**
   * @param {string} name of the game
   * @param {WebAssembly.Module} module
   * @param {Described} described
   * @param {Rules} rules
   */
  constructor(name, module, described, rules) {
    this.native = new Native(module, described, rules);
    this.game = new GAMES[name](this.native, described, rules);
    this.rules = rules;
    this.live = new LiveGame(this.game, "");
    /** @type {string[]} who remembers positions, each in a table of his own */
    this.remembering = [];
  }

  /**
   * How a game stands: what is on the board, the moves, and the end.
   * @param {About} about
   */
  state(about) {
    const { turn, played, end } = this.#live(about);
    const { names, described } = this.game;
    const { size, small, capital } = described;
    return {
      board: { size, names, small, capital },
      side: turn.side,
      pieces: this.game.pieces(turn.state),
      last: played.at(-1)?.path ?? [],
      legal: (end ? [] : turn.legal).map(({ text, path }) => ({ text, squares: path.map((index) => names[index]) })),
      counts: this.game.counts(turn.state),
      fen: this.game.fen(turn.state),
      end,
    };
  }

  /**
   * The move that a player chooses, `hint` for the one that gives hints.
   * @param {About & {player: string}} about
   */
  choose({ player, ...about }) {
    const { turn } = this.#going(about);
    const { hint, strengths, searches } = this.rules;
    const known = player === "hint" ? hint : (strengths[player] ?? player);
    const seconds = Number(TIMED.exec(known)?.[1] ?? 0);
    if (seconds) {
      if (turn.legal.length === 1) return turn.legal[0].text;
      const limits = { seconds, memory: this.#memoryOf(known) };
      return result(search(this.game, turn, limits)).lines[0].moves[0];
    }
    const [, kind, number] = PLAYER.exec(known) ?? [];
    if (!kind || (kind in searches && !Number(number))) throw new NotHere();
    const value =
      kind in searches
        ? this.game.best(turn.state, searches[kind], Number(number))
        : this.game.own(turn.state, Number(number));
    return this.game.legalOf(turn, value).text;
  }

  /**
   * The legal move that a text means.
   * @param {About & {typed: string}} about
   */
  understand({ typed, ...about }) {
    const { turn } = this.#going(about);
    const text = typed.includes(NO_BLANK) ? typed : typed.trim();
    return this.game.read(turn, text).text;
  }

  /**
   * What speaks for a move in the last position. For the program of 1966 that is its search tree, which Python draws.
   * @param {About} about
   */
  why(about) {
    if (about.game === "strachey") throw new NotHere();
    const { turn } = this.#going(about);
    const limits = { seconds: this.rules.thinking, memory: this.#memoryOf("why") };
    return shown(turn.side, result(search(this.game, turn, limits, this.rules.lines)));
  }

  /**
   * The best lines of play, deeper and deeper, and null where one may stop to look around.
   * @param {About} about
   */
  *analyse(about) {
    const { turn } = this.#going(about);
    const limits = { slice: SLICE, memory: this.#memoryOf("analyse") };
    for (const found of search(this.game, turn, limits, this.rules.lines)) {
      yield found && shown(turn.side, found);
    }
  }

  /** Whether so few pieces are left that constants which come later count. */
  isEnding(/** @type {About} */ about) {
    return this.game.pieces(this.#live(about).turn.state).length <= MOST_IN_ENDING;
  }

  /**
   * The game; that of the question before is taken up.
   * @param {About} about
   */
  #live({ fen, moves }) {
    if (fen !== this.live.fen) this.live = new LiveGame(this.game, fen);
    this.live.go(moves);
    return this.live;
  }

  /**
   * The game, which must not be over: else Python says what is to be said.
   * @param {About} about
   */
  #going(about) {
    const live = this.#live(about);
    if (live.end) throw new NotHere();
    return live;
  }

  /**
   * The number of the table of positions of a player.
   * @param {string} player
   */
  #memoryOf(player) {
    if (!this.remembering.includes(player)) this.remembering.push(player);
    return this.remembering.indexOf(player) % this.rules.memories;
  }
}

/** With so few pieces a search may reach the endings of `KingEndings`, of at most five kings. */
const MOST_IN_ENDING = 10;

/**
 * What a search found, as a page shows it.
 * @param {string} side
 * @param {Analysis} analysis
 * @returns {Shown}
 */
function shown(side, { depth, positions, lines }) {
  return { side, depth, positions, lines: lines.map((line) => ({ value: worth(line), moves: line.moves })) };
}

/**
 * The value of a line for the side to move, a man being worth 1.
 * @param {import("./search.js").Line} line
 */
function worth({ value, plies }) {
  if (plies !== null) return `${value > 0 ? "wins" : "loses"} in ${plies} plies`;
  const [sign, men] = [value < 0 || Object.is(value, -0) ? "-" : "+", Math.abs(value) / 100];
  return `${sign}${men.toFixed(2)}`;
}
