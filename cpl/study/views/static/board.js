/**
 * Boards as SVG: in go the pieces by their squares, out comes an element with a title in words.
 *
 * The drawing is that of cpl/games/board.py, with the values of the same file. Squares are indices, row by row from the
 * top: in draughts 0 to 31, from Black's side of the board to White's. Letters are pieces: b, w and r are men, capitals are
 * kings or flags; "k" is a ghost, a king's mark without a piece.
 */

import VALUES from "../../../games/board_style.json";
import { draw } from "./elements.js";

/**
 * @typedef {object} Picture
 * @property {Map<number, string>} pieces letters by squares
 * @property {string[]} [labels] a name for each square, in draughts written into its corner
 * @property {number} [size] the squares to a side of a board on all of whose squares pieces stand; it has letters and
 *   numbers on its rim. Without it the board is that of draughts.
 * @property {string} [small] what small letters stand for
 * @property {string} [capital] what capital letters stand for
 * @property {string} [caption]
 * @property {Iterable<number>} [marked] squares that stand out
 * @property {number[][]} [arrows] each goes over its squares
 * @property {Signs[]} [signs] sets of squares with a sign each
 * @property {boolean} [flipped] whether it is turned by half a turn
 */

/**
 * @typedef {object} Layout
 * @property {number} size squares to a side
 * @property {number} margin
 * @property {number[][]} places row and column of each square
 */

/**
 * @typedef {object} Signs
 * @property {string} name
 * @property {"ring" | "cross" | "diamond" | "square" | "dot"} shape
 * @property {Iterable<number>} squares
 */

/** The program's own number of each square: 5 to 12, 14 to 21, 23 to 30 and 32 to 39. */
export const NUMBERS = [5, 14, 23, 32].flatMap((first) => Array.from({ length: 8 }, (_, index) => first + index));

/** The names of squares as the program of 1966 has them. */
export const PROGRAM_LABELS = NUMBERS.map(String);

const {
  units: CELL,
  margin: MARGIN,
  rim: RIM,
  colours: COLOURS,
  disc: DISC,
  crown: CROWN,
  label: LABEL,
  flag: FLAG,
} = VALUES;
const CROWNED = { d: CROWN.path, stroke: COLOURS.ink, "stroke-width": CROWN.stroke, "stroke-linejoin": "round" };
const { arrow: ARROWS } = VALUES;
const CAPTION = 22;
/** @type {Layout} */
const DRAUGHTS = {
  size: 8,
  margin: MARGIN,
  places: NUMBERS.map((_, square) => [Math.floor(square / 4), 2 * (square % 4) + 1 - (Math.floor(square / 4) % 2)]),
};
/** Pieces stand below the label of their square. */
const MIDDLE = { cx: DISC.x, cy: DISC.y };
/** @type {Record<string, { name: string, fill: string, rim: string, ring: string }>} */
const PIECES = VALUES.pieces;

/**
 * The squares of a bit string: bit n is the program's square n. Bits beside the board are left out.
 * @param {bigint} bits
 * @returns {number[]}
 */
export function squaresOf(bits) {
  return NUMBERS.flatMap((number, index) => ((bits >> BigInt(number)) & 1n ? [index] : []));
}

/**
 * The pieces of a position (X, Y, K, σ) by their squares, ghosts among them.
 * @param {bigint} own X, the pieces of the player to move
 * @param {bigint} other Y, the opponent's
 * @param {bigint} kings K, those of both
 * @param {number} mover σ, 1 for Black and -1 for White
 * @returns {Map<number, string>}
 */
export function piecesOf(own, other, kings, mover) {
  const [black, white] = mover === 1 ? [own, other] : [other, own];
  const crowned = new Set(squaresOf(kings));
  /** @type {Map<number, string>} */
  const pieces = new Map([...crowned].map((square) => [square, "k"]));
  for (const square of squaresOf(white)) pieces.set(square, crowned.has(square) ? "W" : "w");
  for (const square of squaresOf(black)) pieces.set(square, crowned.has(square) ? "B" : "b");
  return pieces;
}

/**
 * The board as a picture.
 * @param {Picture} picture
 * @returns {SVGElement}
 */
export function drawBoard(picture) {
  const { pieces, labels = PROGRAM_LABELS, caption = "", arrows = [], signs = [], flipped = false } = picture;
  const layout = picture.size ? wholeOf(picture.size) : DRAUGHTS;
  const { size, margin, places } = layout;
  const corner = (/** @type {number} */ square) => cornerOf(layout, flipped ? places.length - 1 - square : square);
  const marked = new Set(picture.marked ?? []);
  const crossed = cornersUnder(arrows.map((path) => path.map(corner)));
  const width = size * CELL + 2 * margin;
  const height = width + (caption ? CAPTION : 0);
  const words = describeBoard(picture);
  const board = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words });
  board.append(
    draw("title", {}, [words]),
    draw("rect", { width, height, rx: 3, fill: COLOURS.frame }),
    draw("rect", { x: margin, y: margin, width: size * CELL, height: size * CELL, fill: COLOURS.light }),
  );
  places.forEach(([row, column], square) => {
    const [x, y] = corner(square);
    const shade = (row + column) % 2 ? COLOURS.dark : COLOURS.light;
    board.append(draw("rect", { x, y, width: CELL, height: CELL, fill: marked.has(square) ? COLOURS.mark : shade }));
    if (!picture.size) board.append(drawLabel(labels[square], x, y, crossed));
    const piece = pieces.get(square);
    if (piece) board.append(drawPiece(piece, x, y, picture.capital));
  });
  if (picture.size) board.append(...drawRim(picture.size, flipped));
  for (const { shape, squares } of signs) {
    for (const square of squares) board.append(drawSign(shape, ...corner(square)));
  }
  for (const path of arrows) if (path.length > 1) board.append(drawArrow(path.map(corner)));
  const below = { x: width / 2, y: width + 13, "text-anchor": "middle", "font-size": 14, fill: COLOURS.light };
  if (caption) board.append(draw("text", { ...below, "font-family": "sans-serif" }, [caption]));
  return board;
}

/**
 * The board in words, for readers who cannot see it.
 * @param {Picture} picture
 * @returns {string}
 */
export function describeBoard(picture) {
  const { pieces, labels = PROGRAM_LABELS, caption = "", arrows = [], signs = [] } = picture;
  const placed = [...pieces]
    .sort(([one], [other]) => one - other)
    .map(([square, piece]) => `${pieceName(piece, picture)} on ${labels[square]}`);
  const moves = arrows
    .filter((path) => path.length > 1)
    .map((path) => `an arrow from ${path.map((square) => labels[square]).join(" to ")}`);
  const sets = signs.map(({ name, squares }) => {
    const names = [...squares].map((square) => labels[square]);
    return `${name}: ${names.join(", ") || "no squares"}`;
  });
  const first = caption ? [caption.replace(/\.$/, "")] : [];
  return [...first, ...(placed.length ? placed : ["an empty board"]), ...sets, ...moves].join("; ");
}

/**
 * @param {string} piece
 * @param {Picture} picture
 */
function pieceName(piece, { small = "man", capital = "king" }) {
  if (piece === "k") return "a king's mark without a piece";
  return `${PIECES[piece.toLowerCase()].name} ${piece === piece.toLowerCase() ? small : capital}`;
}

/**
 * The layout of a board on all of whose squares pieces stand.
 * @param {number} size
 * @returns {Layout}
 */
function wholeOf(size) {
  const places = Array.from({ length: size * size }, (_, square) => [Math.floor(square / size), square % size]);
  return { size, margin: RIM, places };
}

/**
 * @param {Layout} layout
 * @param {number} square
 * @returns {[number, number]} its upper left corner
 */
function cornerOf({ margin, places }, square) {
  const [row, column] = places[square];
  return [margin + column * CELL, margin + row * CELL];
}

/**
 * The letters of the columns below a board, and the numbers of the rows left of it.
 * @param {number} size
 * @param {boolean} flipped
 */
function drawRim(size, flipped) {
  const bottom = size * CELL + 2 * RIM - 5;
  const pen = { "font-family": "sans-serif", "font-size": 11, "text-anchor": "middle", fill: COLOURS.light };
  const order = Array.from({ length: size }, (_, index) => (flipped ? size - 1 - index : index));
  return order.flatMap((index, seen) => {
    const middle = RIM + seen * CELL + CELL / 2;
    const letter = String.fromCharCode("a".charCodeAt(0) + index);
    return [
      draw("text", { x: middle, y: bottom, ...pen }, [letter]),
      draw("text", { x: RIM / 2, y: middle + 4, ...pen }, [String(size - index)]),
    ];
  });
}

/** The corners of a square, by what leads to them from its middle. The label stands in the first one that is free. */
const CORNERS = [
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
];

/**
 * A corner of a square as text.
 * @param {number} x
 * @param {number} y
 * @param {number} right
 * @param {number} down
 */
const cornerName = (x, y, right, down) => `${x} ${y} ${right} ${down}`;

/**
 * The corners of squares over which arrows go.
 * @param {[number, number][][]} arrows the upper left corners of the squares of each
 */
function cornersUnder(arrows) {
  /** @type {Set<string>} */
  const crossed = new Set();
  for (const path of arrows) {
    for (const [index, [endX, endY]] of path.slice(1).entries()) {
      let [x, y] = path[index];
      const [right, down] = [Math.sign(endX - x), Math.sign(endY - y)];
      while (x !== endX) {
        crossed.add(cornerName(x, y, right, down));
        x += right * CELL;
        y += down * CELL;
        crossed.add(cornerName(x, y, -right, -down));
      }
    }
  }
  return crossed;
}

/**
 * @param {string} label
 * @param {number} x
 * @param {number} y
 * @param {Set<string>} crossed corners where it should not stand
 */
function drawLabel(label, x, y, crossed) {
  const free = CORNERS.find(([right, down]) => !crossed.has(cornerName(x, y, right, down)));
  const [right, down] = free ?? CORNERS[0];
  const place = {
    x: right > 0 ? x + CELL - LABEL.side : x + LABEL.side,
    y: down > 0 ? y + CELL - 2 : y + LABEL.top,
    "text-anchor": right > 0 ? "end" : "start",
  };
  return draw("text", { ...place, "font-family": "sans-serif", "font-size": LABEL.size, fill: COLOURS.ink }, [label]);
}

/**
 * @param {string} piece
 * @param {number} x
 * @param {number} y
 * @param {string} [capital] what a capital letter stands for
 */
function drawPiece(piece, x, y, capital = "king") {
  const group = draw("g", { transform: `translate(${x} ${y})` });
  if (piece === "k") {
    group.append(draw("path", { ...CROWNED, fill: "none", "stroke-dasharray": "3 2" }));
    return group;
  }
  const { fill, rim, ring } = PIECES[piece.toLowerCase()];
  if (capital === "flag" && piece === piece.toUpperCase()) {
    const pole = { fill: "none", stroke: COLOURS.ink, "stroke-width": 3, "stroke-linecap": "round" };
    group.append(draw("path", { d: FLAG.pole, ...pole }));
    group.append(draw("path", { d: FLAG.cloth, fill, stroke: rim, "stroke-width": 1.5 }));
    return group;
  }
  group.append(draw("circle", { ...MIDDLE, r: DISC.radius, fill, stroke: rim, "stroke-width": 1.5 }));
  if (piece === piece.toUpperCase()) {
    group.append(draw("path", { ...CROWNED, fill: COLOURS.gold }));
  } else {
    group.append(draw("circle", { ...MIDDLE, r: DISC.ring, fill: "none", stroke: ring }));
  }
  return group;
}

/**
 * A sign over a square, blue with a pale rim so that it shows on pieces of both colours.
 * @param {"ring" | "cross" | "diamond" | "square" | "dot"} shape
 * @param {number} x
 * @param {number} y
 */
function drawSign(shape, x, y) {
  const group = draw("g", {
    transform: `translate(${x} ${y})`,
    fill: "none",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  });
  for (const [stroke, width] of /** @type {[string, number][]} */ ([
    [COLOURS.light, 7],
    [COLOURS.arrow, 3.5],
  ])) {
    const pen = { stroke, "stroke-width": width };
    if (shape === "ring") group.append(draw("circle", { ...MIDDLE, r: DISC.radius, ...pen }));
    if (shape === "cross") group.append(draw("path", { d: "M14.5 17.5 L32.5 35.5 M32.5 17.5 L14.5 35.5", ...pen }));
    if (shape === "diamond") group.append(draw("path", { d: "M23.5 11.5 L38.5 26.5 L23.5 41.5 L8.5 26.5 Z", ...pen }));
    if (shape === "square") group.append(draw("path", { d: "M10.5 13.5 H36.5 V39.5 H10.5 Z", ...pen }));
    if (shape === "dot") group.append(draw("circle", { ...MIDDLE, r: 5, ...pen, fill: COLOURS.arrow }));
  }
  return group;
}

/**
 * An arrow over squares, with a head that ends at the rim of a piece in the middle of the last one.
 * @param {[number, number][]} corners those of the squares
 */
function drawArrow(corners) {
  const points = corners.map((corner) => corner.map((place) => place + CELL / 2));
  const [before, end] = points.slice(-2);
  const way = [end[0] - before[0], end[1] - before[1]];
  const length = Math.hypot(...way) || 1;
  const [dx, dy] = way.map((part) => (part * CELL) / length);
  const tip = [end[0] - ARROWS.gap * dx, end[1] - ARROWS.gap * dy];
  const neck = [tip[0] - ARROWS.head * dx, tip[1] - ARROWS.head * dy];
  const side = [-ARROWS.wing * dy, ARROWS.wing * dx];
  const line = [...points.slice(0, -1), neck];
  const head = [tip, [neck[0] + side[0], neck[1] + side[1]], [neck[0] - side[0], neck[1] - side[1]]];
  const round = { "stroke-linejoin": "round", "stroke-linecap": "round" };
  const pen = { stroke: COLOURS.arrow, "stroke-width": ARROWS.width * CELL, ...round };
  const group = draw("g", {});
  group.append(
    draw("polyline", { points: line.join(" "), fill: "none", ...pen }),
    draw("polygon", { points: head.join(" "), fill: COLOURS.arrow }),
  );
  return group;
}
