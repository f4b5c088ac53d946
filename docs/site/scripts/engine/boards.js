/** The games on boards whose squares are all played on, with letters and numbers. A move is the board that it leads to. */

import { Game, NotHere } from "./game.js";

/** @typedef {import("./game.js").Move} Move */
/** @typedef {import("./game.js").End} End */
/** @typedef {import("./game.js").Turn} Turn */
/** @typedef {import("./native.js").Value} Value */

class Boards extends Game {
  /**
   * The boards that can be next.
   * @param {Value} _state
   * @returns {Value[]}
   */
  next(_state) {
    throw new NotHere();
  }

  /**
   * The pieces on a board.
   * @param {Value} _board
   * @returns {[number, string][]}
   */
  placed(_board) {
    throw new NotHere();
  }

  /** @param {Value} state */
  pieces([board]) {
    return this.placed(board);
  }

  /** @param {Value} state */
  moves(state) {
    const before = new Map(this.pieces(state));
    return this.next(state).map((board) => this.#moveTo(board, before));
  }

  /**
   * @param {Value} board
   * @param {Map<number, string>} before
   * @returns {Move}
   */
  #moveTo(board, before) {
    const after = new Map(this.placed(board));
    // No piece becomes another one. A captured one has left its square, too, but it is the opponent's.
    const [[reached, piece]] = [...after].filter(([square, letter]) => before.get(square) !== letter);
    const [[left]] = [...before].filter(([square, letter]) => letter === piece && !after.has(square));
    return this.move([left, reached], this.#isJump(left, reached), board);
  }

  /**
   * @param {number} left
   * @param {number} reached
   */
  #isJump(left, reached) {
    const { size } = this.described;
    const rows = this.rowOf(reached) - this.rowOf(left);
    const columns = (reached % size) - (left % size);
    return Math.max(Math.abs(rows), Math.abs(columns)) === 2;
  }
}

/** Men who step and block each other: a state is rows of squares, each −1, 0 or 1, with the player to move. */
export class SimpleCheckers extends Boards {
  /** @param {Value} state */
  isFirst([, player]) {
    return player === this.start[1];
  }

  /** @param {Value} state */
  next(state) {
    return this.native.call("Moves", state);
  }

  /**
   * @param {Value} state
   * @param {Value} board
   * @returns {Value}
   */
  after([, player], board) {
    return [board, -player];
  }

  /**
   * @param {bigint[][]} board
   * @returns {[number, string][]}
   */
  placed(board) {
    const [first, second] = this.described.sides;
    return board.flat().flatMap((man, index) => {
      const letter = man === this.start[1] ? first[0] : second[0];
      return man ? [/** @type {[number, string]} */ ([index, letter])] : [];
    });
  }
}

const WHITE = 1n;
/** The letters of the pieces in the order of a board: pawns and flag of White, and those of Black. */
const LETTERS = "wWbB";

/** Pawns and a flag each: a state is a board of bit strings, those that were before, and what else the rules need. */
export class Capture extends Boards {
  /** @param {Value} state */
  isFirst([, , , mover]) {
    return mover === WHITE;
  }

  /** @param {Value} state */
  next(state) {
    return this.native.call("Choices", state);
  }

  /**
   * @param {bigint[]} board
   * @returns {[number, string][]}
   */
  placed(board) {
    /** @type {[number, string][]} */
    const pieces = [];
    this.names.forEach((_, index) => {
      const square = this.#squareOf(index);
      const kind = board.findIndex((squares) => squares & square);
      if (kind >= 0) pieces.push([index, LETTERS[kind]]);
    });
    return pieces;
  }

  /**
   * The square as the program has it, which leaves out a number after each row.
   * @param {number} index
   */
  #squareOf(index) {
    return 1n << BigInt(index + this.rowOf(index));
  }

  /**
   * @param {Turn} turn
   * @returns {End | null}
   */
  end({ state }) {
    const [winner, why] = this.native.call("Outcome", state);
    const [first, second] = this.described.sides;
    return winner ? { winner: winner === WHITE ? first : second, why } : null;
  }
}
