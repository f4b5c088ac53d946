/**
 * A game as a page asks about it, and a game in progress: what all games have in common. The rules are those of the
 * programs, in WebAssembly; the rest does what cpl/games does in Python, with its numbers.
 *
 * A square is an index in the list of the squares that are played on, row by row from the top. What Python has to read,
 * or to explain, raises NotHere.
 */

/** @typedef {import("./native.js").Native} Native */
/** @typedef {import("./native.js").Value} Value */
/** @typedef {{winner: string | null, why: string}} End */

/**
 * @typedef {object} Described what the build says of a game
 * @property {string[]} sides
 * @property {{form: string, words: string[]}} start the first state
 * @property {number} man
 * @property {number[]} weights
 * @property {number} size the squares to a side of its board
 * @property {string[]} squares the names of those that are played on
 * @property {string} capital what a capital letter stands for: a king or a flag
 * @property {string} small what a small one stands for: a man or a pawn
 */

/**
 * @typedef {object} Rules what is the same for all games
 * @property {number[]} numbers the numbers of the squares of draughts in the programs
 * @property {Record<string, string>} plurals of kinds of pieces that do not just take an s
 * @property {number} repeated
 * @property {number} idle
 * @property {string} hint
 * @property {Record<string, string>} strengths
 * @property {number} won
 * @property {number} plies
 * @property {number} memories
 * @property {number} thinking
 * @property {number} lines
 * @property {Record<string, string>} searches the functions that look so many plies ahead
 * @property {number} memory
 * @property {number} stack
 */

/**
 * @typedef {object} Move
 * @property {string} text
 * @property {number[]} path the squares that a piece goes over
 * @property {Value} value what the program has for it
 */

/**
 * @typedef {object} Turn a state of a game
 * @property {Value} state as the program has it
 * @property {string} side whose turn it is
 * @property {Turn | null} before
 * @property {Move[]} legal
 */

/** What is asked for is not here, but in Python. */
export class NotHere extends Error {}

export class Game {
  /**
   * @param {Native} native
   * @param {Described} described
   * @param {Rules} rules
   */
  constructor(native, described, rules) {
    this.native = native;
    this.described = described;
    this.rules = rules;
    this.names = described.squares;
    this.start = native.value(described.start);
  }

  // What differs between the games

  /**
   * Whether it is the turn of the first side.
   * @param {Value} _state
   * @returns {boolean}
   */
  isFirst(_state) {
    throw new NotHere();
  }

  /**
   * The pieces by their squares: the first letter of a side, a capital for a king or a flag.
   * @param {Value} _state
   * @returns {[number, string][]}
   */
  pieces(_state) {
    throw new NotHere();
  }

  /**
   * The moves of a state, in the order in which people see them.
   * @param {Value} _state
   * @returns {Move[]}
   */
  moves(_state) {
    throw new NotHere();
  }

  /**
   * @param {Value} state
   * @param {Value} move
   * @returns {Value}
   */
  after(state, move) {
    return this.native.call("Play", state, move);
  }

  /**
   * What the search "minimax" or "alphabeta" plays, so many plies deep.
   * @param {Value} state
   * @param {string} search the function of the program
   * @param {number} depth
   */
  best(state, search, depth) {
    return this.native.call(search, state, BigInt(depth))[1];
  }

  /**
   * What the program of 1966 plays.
   * @param {Value} _state
   * @param {number} _limit
   * @returns {Value}
   */
  own(_state, _limit) {
    throw new NotHere();
  }

  /**
   * The end by the rules of the game.
   * @param {Turn} turn
   * @returns {End | null}
   */
  end({ legal, side }) {
    return legal.length ? null : this.blocked(side);
  }

  /**
   * The state as FEN; empty if the game has none.
   * @param {Value} _state
   */
  fen(_state) {
    return "";
  }

  /**
   * The state of a FEN.
   * @param {string} _fen
   * @returns {Value}
   */
  stateOf(_fen) {
    throw new NotHere();
  }

  // What is the same

  /**
   * @param {Value} state
   * @param {Turn | null} before
   * @returns {Turn}
   */
  turn(state, before = null) {
    const [first, second] = this.described.sides;
    return { state, side: this.isFirst(state) ? first : second, before, legal: this.moves(state) };
  }

  /** @param {string} fen empty for the usual start */
  begin(fen) {
    return this.turn(fen ? this.stateOf(fen) : this.start);
  }

  /**
   * @param {Turn} turn
   * @param {Move} move
   */
  play(turn, move) {
    return this.turn(this.after(turn.state, move.value), turn);
  }

  /**
   * @param {string} side that cannot move
   * @returns {End}
   */
  blocked(side) {
    return { winner: this.other(side), why: `${side} cannot move` };
  }

  /** @param {string} side */
  other(side) {
    const [first, second] = this.described.sides;
    return side === first ? second : first;
  }

  /**
   * The legal move that a text means. Squares between the first and the last may be left out if only one move is possible.
   * @param {Turn} turn
   * @param {string} text
   */
  read(turn, text) {
    const exact = turn.legal.find((move) => move.text === text);
    if (exact) return exact;
    const squares = text.split(/[-x]/).map((name) => this.names.indexOf(name));
    const matching = turn.legal.filter(({ path }) => shortens(squares, path));
    if (matching.length !== 1) throw new NotHere(); // which can say why
    return matching[0];
  }

  /**
   * A move of a program, as one of the legal ones.
   * @param {Turn} turn
   * @param {Value} value
   */
  legalOf(turn, value) {
    const wanted = String(value);
    const found = turn.legal.find((move) => String(move.value) === wanted);
    if (!found) throw new NotHere();
    return found;
  }

  /**
   * The number of a state in a search.
   * @param {Value} state
   * @returns {bigint}
   */
  mark(state) {
    return this.native.call("Mark", state);
  }

  /**
   * What changes only when a piece is captured or a man advances.
   * @param {Value} state
   */
  progress(state) {
    const pieces = this.pieces(state);
    const men = pieces.filter(([, letter]) => letter === letter.toLowerCase());
    const rows = men.map(([index, letter]) => `${this.rowOf(index)}${letter}`).sort();
    return `${rows} ${pieces.length}`;
  }

  /**
   * The pieces of each side, in words.
   * @param {Value} state
   * @returns {Record<string, string>}
   */
  counts(state) {
    const { sides, small, capital } = this.described;
    const letters = this.pieces(state).map(([, letter]) => letter);
    const counts = sides.map((side) => {
      const words = [];
      for (const [letter, kind] of [
        [side[0], small],
        [side[0].toUpperCase(), capital],
      ]) {
        const count = letters.filter((each) => each === letter).length;
        if (count) words.push(`${count} ${count === 1 ? kind : (this.rules.plurals[kind] ?? `${kind}s`)}`);
      }
      return [side, words.join(", ") || "no pieces"];
    });
    return Object.fromEntries(counts);
  }

  /** @param {number} index */
  rowOf(index) {
    const { size, squares } = this.described;
    return Math.floor((index * size) / squares.length);
  }

  /**
   * @param {number[]} path
   * @param {boolean} isCapture
   * @param {Value} value
   * @returns {Move}
   */
  move(path, isCapture, value) {
    return { text: path.map((index) => this.names[index]).join(isCapture ? "x" : "-"), path, value };
  }
}

/** A game with all its states, so that the next question about it has little to do. */
export class LiveGame {
  /**
   * @param {Game} game
   * @param {string} fen
   */
  constructor(game, fen) {
    this.game = game;
    this.fen = fen;
    this.states = [game.begin(fen)];
    /** @type {Move[]} */
    this.played = [];
  }

  get turn() {
    return this.states[this.states.length - 1];
  }

  /**
   * Go to where these moves lead. Mostly that is a move more or less.
   * @param {string[]} texts
   */
  go(texts) {
    let common = 0;
    while (common < texts.length && this.played[common]?.text === texts[common]) common++;
    this.played.length = common;
    this.states.length = common + 1;
    for (const text of texts.slice(common)) {
      const move = this.game.read(this.turn, text);
      this.states.push(this.game.play(this.turn, move));
      this.played.push(move);
    }
  }

  /**
   * The end: by the rules of the game, or at the table.
   * @returns {End | null}
   */
  get end() {
    return this.game.end(this.turn) ?? this.#tableEnd();
  }

  /** @returns {End | null} */
  #tableEnd() {
    const { game, turn } = this;
    const { repeated, idle } = game.rules;
    const since = sinceProgress(game, turn);
    const here = `${turn.side} ${game.pieces(turn.state)}`;
    const times = since.filter(({ side, state }) => `${side} ${game.pieces(state)}` === here).length;
    if (times >= repeated) return { winner: null, why: "the same position for the third time" };
    if (since.length > idle) return { winner: null, why: "50 moves of each without progress" };
    return null;
  }
}

/**
 * The turns back to the last progress, from this one on, which is among them.
 * @param {Game} game
 * @param {Turn} turn
 */
export function sinceProgress(game, turn) {
  const progress = game.progress(turn.state);
  const turns = [turn];
  for (let { before } = turn; before && game.progress(before.state) === progress; { before } = before) {
    turns.push(before);
  }
  return turns;
}

/**
 * Whether squares are those of a path without some of those between its ends.
 * @param {number[]} squares
 * @param {number[]} path
 */
function shortens(squares, path) {
  if (squares.length < 2 || squares[0] !== path[0] || squares.at(-1) !== path.at(-1)) return false;
  const between = path.slice(1, -1)[Symbol.iterator]();
  return squares.slice(1, -1).every((square) => {
    for (const passed of between) if (passed === square) return true;
    return false;
  });
}
