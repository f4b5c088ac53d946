/**
 * The games of draughts: positions as FEN, and moves from number to number. A square is its index, 0 to 31, in the order
 * of the official numbers.
 */

import { Game, NotHere } from "./game.js";

/** @typedef {import("./native.js").Native} Native */
/** @typedef {import("./native.js").Value} Value */
/** @typedef {import("./game.js").Described} Described */
/** @typedef {import("./game.js").Rules} Rules */
/** @typedef {import("./game.js").Move} Move */
/** @typedef {import("./game.js").Turn} Turn */
/** @typedef {import("./game.js").End} End */
/** @typedef {bigint[]} Position (X, Y, K, σ): pieces of the player to move, his opponent's, kings, and whose turn it is */

const STEPS = [4, 5, -4, -5];
const ROW = 4;
const FEN = /^([BW]):W([K\d,]*):B([K\d,]*)$/;
const PIECE = /^(K?)([1-9]\d?)$/;

class Draughts extends Game {
  /**
   * @param {Native} native
   * @param {Described} described
   * @param {Rules} rules
   */
  constructor(native, described, rules) {
    super(native, described, rules);
    this.squares = rules.numbers.map((number) => 1n << BigInt(number));
    this.board = union(this.squares);
    this.crowning = [union(this.squares.slice(-ROW)), union(this.squares.slice(0, ROW))];
  }

  // What differs between the games

  /**
   * @param {Value} state
   * @returns {Position}
   */
  position(state) {
    return state;
  }

  /**
   * The state of a position of which nothing else is known.
   * @param {Position} position
   * @returns {Value}
   */
  stateAt(position) {
    return position;
  }

  // What is the same

  /** @param {Value} state */
  isFirst(state) {
    return this.position(state)[3] === 1n;
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

  /** @param {any} state */
  fen(state) {
    const [own, other, kings, mover] = this.position(state);
    const listed = (/** @type {bigint} */ side) =>
      this.indices(side)
        .map((index) => `${kings & this.squares[index] ? "K" : ""}${this.names[index]}`)
        .join(",");
    return mover === 1n ? `B:W${listed(other)}:B${listed(own)}` : `W:W${listed(own)}:B${listed(other)}`;
  }

  /** @param {string} fen */
  stateOf(fen) {
    return this.stateAt(this.#read(fen));
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
   * A move over these squares: a capture if the first of its steps is a jump.
   * @param {number[]} path
   * @param {Value} value
   */
  along(path, value) {
    const [left, reached] = path.map((index) => this.rowOf(index));
    return this.move(path, Math.abs(reached - left) === 2, value);
  }
}

/** English draughts: a state is a position with the counts of the 50-move rule, a move is a list of squares. */
export class Checkers extends Draughts {
  /** @param {any} state */
  position(state) {
    return state[0];
  }

  /** @param {Position} position */
  stateAt(position) {
    return [position, 0n, 0n];
  }

  /** @param {any} state */
  moves(state) {
    /** @type {bigint[][]} */
    const found = this.native.call("Moves", this.position(state));
    return found
      .map((squares) => {
        const path = squares.map((square) => this.squares.indexOf(square));
        return this.along(path, squares);
      })
      .sort(({ path: one }, { path: other }) => compared(one, other));
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
      return this.along(ways[Math.min(times, ways.length - 1)], after);
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
