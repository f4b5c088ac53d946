/**
 * The games of draughts as a page asks about them: positions as FEN, legal moves as texts, how a game ends. The rules are
 * those of the programs, in WebAssembly; the rest does what cpl/games does in Python, with its numbers.
 *
 * A square is its index, 0 to 31, in the order of the official numbers. What Python has to read, or to explain, raises
 * NotHere.
 */

/** @typedef {import("./native.js").Native} Native */
/** @typedef {bigint[]} Position (X, Y, K, σ): pieces of the player to move, his opponent's, kings, and whose turn it is */
/** @typedef {{winner: string | null, why: string}} End */

/**
 * @typedef {object} Described what the build says of a game
 * @property {string} title
 * @property {string[]} sides
 * @property {string} start
 * @property {number} man
 * @property {number[]} weights
 */

/**
 * @typedef {object} Rules what is the same for all games
 * @property {string[]} squares their names
 * @property {number[]} numbers their numbers in the programs
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
 * @property {any} value what the program has for it
 */

/**
 * @typedef {object} Turn a state of a game
 * @property {any} state as the program has it
 * @property {string} side whose turn it is
 * @property {Turn | null} before
 * @property {Move[]} legal
 */

/** What is asked for is not here, but in Python. */
export class NotHere extends Error {}

const STEPS = [4, 5, -4, -5];
const ROW = 4;
const FEN = /^([BW]):W([K\d,]*):B([K\d,]*)$/;
const PIECE = /^(K?)([1-9]\d?)$/;

export class Draughts {
  /**
   * @param {Native} native
   * @param {Described} described
   * @param {Rules} rules
   */
  constructor(native, described, rules) {
    this.native = native;
    this.described = described;
    this.rules = rules;
    this.names = rules.squares;
    this.squares = rules.numbers.map((number) => 1n << BigInt(number));
    this.board = union(this.squares);
    this.crowning = [union(this.squares.slice(-ROW)), union(this.squares.slice(0, ROW))];
  }

  // What differs between the games

  /**
   * @param {any} state
   * @returns {Position}
   */
  position(state) {
    return state;
  }

  /**
   * @param {Position} position
   * @returns {any}
   */
  stateOf(position) {
    return position;
  }

  /**
   * The moves of a state, in the order in which people see them.
   * @param {any} _state
   * @returns {Move[]}
   */
  moves(_state) {
    throw new NotHere();
  }

  /**
   * @param {any} _state
   * @param {any} _move
   * @returns {any}
   */
  after(_state, _move) {
    throw new NotHere();
  }

  /**
   * What the search "minimax" or "alphabeta" plays, so many plies deep.
   * @param {any} state
   * @param {string} search the function of the program
   * @param {number} depth
   */
  best(state, search, depth) {
    return this.native.call(search, state, BigInt(depth))[1];
  }

  /**
   * What the program of 1966 plays.
   * @param {any} _state
   * @param {number} _limit
   * @returns {any}
   */
  own(_state, _limit) {
    throw new NotHere();
  }

  /**
   * @param {Turn} turn
   * @returns {End | null}
   */
  end({ legal, side }) {
    return legal.length ? null : this.blocked(side);
  }

  // What is the same

  /**
   * @param {any} state
   * @param {Turn | null} before
   * @returns {Turn}
   */
  turn(state, before = null) {
    const [first, second] = this.described.sides;
    const side = this.position(state)[3] === 1n ? first : second;
    return { state, side, before, legal: this.moves(state) };
  }

  /** @param {string} fen empty for the usual start */
  begin(fen) {
    return this.turn(this.stateOf(this.#read(fen || this.described.start)));
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
    const squares = /^\d+([-x]\d+)+$/.test(text) ? text.split(/[-x]/).map((name) => this.names.indexOf(name)) : [];
    const matching = turn.legal.filter(({ path }) => shortens(squares, path));
    if (matching.length !== 1) throw new NotHere(); // which can say why
    return matching[0];
  }

  /**
   * A move of a program, as one of the legal ones.
   * @param {Turn} turn
   * @param {any} value
   */
  legalOf(turn, value) {
    const wanted = String(value);
    const found = turn.legal.find((move) => String(move.value) === wanted);
    if (!found) throw new NotHere();
    return found;
  }

  /**
   * The number of a state in a search.
   * @param {any} state
   * @returns {bigint}
   */
  mark(state) {
    return this.native.call("Mark", state);
  }

  /**
   * The pieces by their squares: the first letter of a side, a capital for a king.
   * @param {any} state
   * @returns {[number, string][]}
   */
  pieces(state) {
    const [own, other, kings, mover] = this.position(state);
    const letters = this.described.sides.map(([letter]) => letter);
    const [first, second] = mover === 1n ? [own, other] : [other, own];
    return this.squares.flatMap((square, index) => {
      const side = [first, second].findIndex((pieces) => pieces & square);
      if (side < 0) return [];
      const letter = letters[side];
      return [/** @type {[number, string]} */ ([index, kings & square ? letter.toUpperCase() : letter])];
    });
  }

  /**
   * What changes only when a piece is captured or a man advances.
   * @param {any} state
   */
  progress(state) {
    const pieces = this.pieces(state);
    const men = pieces.filter(([, letter]) => letter === letter.toLowerCase());
    const rows = men.map(([index, letter]) => `${rowOf(index)}${letter}`).sort();
    return `${rows} ${pieces.length}`;
  }

  /**
   * The pieces of each side, in words.
   * @param {any} state
   * @returns {Record<string, string>}
   */
  counts(state) {
    const letters = this.pieces(state).map(([, letter]) => letter);
    const counts = this.described.sides.map((side) => {
      const [men, kings] = [side[0], side[0].toUpperCase()].map(
        (wanted) => letters.filter((letter) => letter === wanted).length,
      );
      const words = [
        ...(men ? [`${men} ${men === 1 ? "man" : "men"}`] : []),
        ...(kings ? [`${kings} king${kings === 1 ? "" : "s"}`] : []),
      ];
      return [side, words.join(", ") || "no pieces"];
    });
    return Object.fromEntries(counts);
  }

  /** @param {any} state */
  fen(state) {
    const [own, other, kings, mover] = this.position(state);
    const listed = (/** @type {bigint} */ side) =>
      this.indices(side)
        .map((index) => `${kings & this.squares[index] ? "K" : ""}${this.names[index]}`)
        .join(",");
    return mover === 1n ? `B:W${listed(other)}:B${listed(own)}` : `W:W${listed(own)}:B${listed(other)}`;
  }

  /**
   * The position of a FEN as `fen` writes it. Others are for Python.
   * @param {string} fen
   * @returns {Position}
   */
  #read(fen) {
    const found = FEN.exec(fen);
    if (!found) throw new NotHere();
    let kings = 0n;
    const [white, black] = found.slice(2).map((list) => {
      let pieces = 0n;
      for (const piece of list.split(",").filter(Boolean)) {
        const [, king, name] = PIECE.exec(piece) ?? [];
        const square = this.squares[this.names.indexOf(name)];
        if (!square || pieces & square) throw new NotHere();
        pieces |= square;
        if (king) kings |= square;
      }
      return pieces;
    });
    const unmarked = (black & this.crowning[0]) | (white & this.crowning[1]);
    if (white & black || unmarked & ~kings) throw new NotHere();
    return found[1] === "B" ? [black, white, kings, 1n] : [white, black, kings, -1n];
  }

  /**
   * The squares of a bit string.
   * @param {bigint} bits
   */
  indices(bits) {
    return this.squares.flatMap((square, index) => (bits & square ? [index] : []));
  }

  /**
   * @param {number[]} path
   * @param {any} value
   * @returns {Move}
   */
  move(path, value) {
    const sign = Math.abs(rowOf(path[1]) - rowOf(path[0])) === 2 ? "x" : "-";
    return { text: path.map((index) => this.names[index]).join(sign), path, value };
  }
}

/** English draughts: a state is a position with the counts of the 50-move rule, a move is a list of squares. */
export class Checkers extends Draughts {
  /** @param {any} state */
  position(state) {
    return state[0];
  }

  /** @param {Position} position */
  stateOf(position) {
    return [position, 0n, 0n];
  }

  /** @param {any} state */
  moves(state) {
    /** @type {bigint[][]} */
    const found = this.native.call("Moves", this.position(state));
    return found
      .map((squares) => {
        const path = squares.map((square) => this.squares.indexOf(square));
        return this.move(path, squares);
      })
      .sort(({ path: one }, { path: other }) => compared(one, other));
  }

  /**
   * @param {any} state
   * @param {any} move
   */
  after(state, move) {
    return this.native.call("Play", state, move);
  }

  /**
   * @param {any} state
   * @param {string} search
   * @param {number} depth
   */
  best(state, search, depth) {
    return this.native.call(search, state, BigInt(depth), this.described.weights.map(BigInt))[1];
  }

  /**
   * @param {Turn} turn
   * @returns {End | null}
   */
  end({ state, side }) {
    if (!this.native.call("IsEnd", state)) return null;
    const worth = Number(this.native.call("Utility", state));
    if (!worth) return { winner: null, why: "50 moves of each without a capture or without a man's advance" };
    return this.blocked(worth < 0 ? side : this.other(side));
  }
}

/** The checkers of the program of 1966: a state is a position, a move is the position that it leads to. */
export class Strachey extends Draughts {
  /** @param {Position} state */
  moves(state) {
    /** @type {Map<string, number>} how often a position was listed before, for each way to it */
    const listed = new Map();
    return this.#next(state).map((after) => {
      const ways = this.#ways(state, after);
      const times = listed.get(String(after)) ?? 0;
      listed.set(String(after), times + 1);
      return this.move(ways[Math.min(times, ways.length - 1)], after);
    });
  }

  /**
   * @param {Position} _state
   * @param {Position} move
   */
  after(_state, move) {
    return move;
  }

  /**
   * The choice of the program, but a win that comes at once, and the first move where all lose.
   * @param {Position} state
   * @param {number} limit
   */
  own(state, limit) {
    const next = this.#next(state);
    const win = next.find((after) => !this.#next(after).length);
    if (win) return win;
    const chosen = this.native.call("ChosenFor", state, BigInt(limit));
    return chosen.length ? chosen : next[0];
  }

  /**
   * @param {Position} state
   * @returns {Position[]}
   */
  #next(state) {
    return this.native.call("LegalPositionsFrom", state);
  }

  /**
   * The ways from a position to the next: one, or for captures one for each way round.
   * @param {Position} before
   * @param {Position} after in which the opponent's pieces come first
   * @returns {number[][]}
   */
  #ways([own, other], [otherAfter, ownAfter]) {
    const captured = other & ~otherAfter;
    const left = this.indices(own & ~ownAfter);
    const reached = this.indices(ownAfter & ~own);
    if (!captured) return [[...left, ...reached]];
    const starts = left.length || reached.length ? left : this.indices(own); // a king may end where he began
    return starts.flatMap((start) => {
      const free = (this.board & ~own & ~other) | this.squares[start];
      const [end] = reached.length ? reached : [start];
      return [...this.#jumps(start, captured, free)].filter((path) => path.at(-1) === end);
    });
  }

  /**
   * The squares of each series of jumps from a square over all these pieces and no others.
   * @param {number} start
   * @param {bigint} captured
   * @param {bigint} free
   * @returns {Generator<number[]>}
   */
  *#jumps(start, captured, free) {
    if (!captured) yield [start];
    const number = this.rules.numbers[start];
    for (const step of STEPS) {
      const jumped = this.squares[this.rules.numbers.indexOf(number + step)] ?? 0n;
      const landing = this.rules.numbers.indexOf(number + 2 * step);
      if (!(jumped & captured) || !((this.squares[landing] ?? 0n) & free)) continue;
      for (const rest of this.#jumps(landing, captured & ~jumped, free)) yield [start, ...rest];
    }
  }
}

/** @type {Record<string, typeof Draughts>} */
export const GAMES = { checkers: Checkers, strachey: Strachey };

/** A game with all its states, so that the next question about it has little to do. */
export class LiveGame {
  /**
   * @param {Draughts} game
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
 * @param {Draughts} game
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

/** @param {number} index */
const rowOf = (index) => Math.floor(index / ROW);

/** @param {bigint[]} squares */
const union = (squares) => squares.reduce((all, square) => all | square, 0n);

/**
 * Less than 0 if a path comes before another one.
 * @param {number[]} one
 * @param {number[]} other
 */
function compared(one, other) {
  const at = one.findIndex((square, index) => square !== other[index]);
  return at < 0 ? one.length - other.length : one[at] - (other[at] ?? -1);
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
