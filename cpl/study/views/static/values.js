/** The values of a trace as text and as boards: in go the numbers of values, out come texts and pictures. */

import { drawBoard, piecesOf, squaresOf } from "./board.js";

/** @import { Value } from "./replay.js" */
/** @import { Signs } from "./board.js" */

const DEEPEST = 4;

export class Values {
  /** @param {Value[]} values */
  constructor(values) {
    this.values = values;
  }

  /**
   * A value as CPL writes it, cut after so many characters.
   * @param {number} id
   * @param {number} most
   */
  text(id, most) {
    const text = this.#written(id, most);
    const signs = [...text];
    return signs.length > most ? `${signs.slice(0, most).join("")}…` : text;
  }

  /**
   * @param {number} id
   * @param {number} room characters that are looked at
   * @returns {string}
   */
  #written(id, room) {
    const value = this.values[id];
    if (typeof value === "string") return value;
    if ("function" in value) return value.function;
    if ("bits" in value) return logical(BigInt(`0x${value.bits}`));
    if ("position" in value) {
      const [own, other, kings, mover] = value.position;
      return `(${[own, other, kings].map((part) => this.#written(part, room)).join(",")},${mover})`;
    }
    const [open, members, close] = "list" in value ? ["[", value.list, "]"] : ["(", value.tuple, ")"];
    let text = open;
    for (const [index, member] of members.entries()) {
      if (text.length > room) break;
      text += (index ? "," : "") + this.#written(member, room - text.length);
    }
    return text + close;
  }

  /**
   * The bits of a bit string, or null for other values.
   * @param {number} id
   */
  bits(id) {
    const value = this.values[id];
    return typeof value === "object" && "bits" in value ? BigInt(`0x${value.bits}`) : null;
  }

  /**
   * The parts of a position: X, Y, K and σ, and in the middle of a move Φ, the piece that moves. Null for other values.
   * @param {number} id
   * @returns {{sides: number[], mover: number, moving: number[]} | null}
   */
  position(id) {
    const value = this.values[id];
    if (typeof value === "string") return null;
    if ("position" in value) {
      const [own, other, kings, mover] = value.position;
      return { sides: [own, other, kings], mover: Number(mover), moving: [] };
    }
    if (!("tuple" in value) || value.tuple.length !== 5) return null;
    const [own, other, kings, mover, moving] = value.tuple;
    const isPosition =
      [own, other, kings, moving].every((part) => this.bits(part) !== null) &&
      ["1", "-1"].includes(String(this.values[mover]));
    return isPosition ? { sides: [own, other, kings], mover: Number(this.values[mover]), moving: [moving] } : null;
  }

  /**
   * The positions that a value is, or holds.
   * @param {number} id
   * @returns {number[]}
   */
  positions(id, depth = 0) {
    const value = this.values[id];
    if (typeof value === "string" || depth > DEEPEST) return [];
    if (this.position(id)) return [id];
    const members = "list" in value ? value.list : "tuple" in value ? value.tuple : [];
    return members.flatMap((member) => this.positions(member, depth + 1));
  }

  /**
   * A position on its board, with signs for more squares.
   * @param {number} id
   * @param {Signs[]} signs
   */
  board(id, signs) {
    const position = this.position(id);
    if (!position) throw new TypeError("this value is no position");
    const [own, other, kings] = position.sides.map((side) => this.bits(side) ?? 0n);
    const marked = position.moving.flatMap((bits) => this.squares(bits));
    const player = position.mover === 1 ? "Black" : "White";
    const caption = position.moving.length ? `${player} moves` : `${player} to play`;
    return drawBoard({ pieces: piecesOf(own, other, kings, position.mover), caption, marked, signs });
  }

  /**
   * The squares of the board that a bit string names.
   * @param {number} id
   */
  squares(id) {
    return squaresOf(this.bits(id) ?? 0n);
  }
}

/**
 * A bit string as the call that makes it.
 * @param {bigint} bits
 */
function logical(bits) {
  const ones = [...bits.toString(2)].reverse().flatMap((digit, place) => (digit === "1" ? [place] : []));
  return `Logical(${ones.length ? `[${ones.join(",")}]` : "NIL"})`;
}
