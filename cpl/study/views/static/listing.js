/**
 * A listing whose lines and expressions can be marked: in goes a `pre` with an element for each line, as
 * cpl/study/views/steps.py writes it. Offsets count code points, as Python does.
 */

/** @typedef {{line: number, column: number}} Place column in the units of JavaScript's strings, both from 0 */

const MOST_MARKED = 3; // lines of an expression; a longer one has its lines marked instead
const ROOM = 48; // pixels beside an expression that was scrolled into sight

export class Listing {
  /**
   * @param {HTMLElement} box the `pre`
   * @param {string} text
   */
  constructor(box, text) {
    this.box = box;
    this.texts = text.split("\n");
    this.lines = /** @type {HTMLElement[]} */ ([...box.querySelectorAll(".line")]);
    /** @type {number[]} where each line begins */
    this.starts = [];
    let start = 0;
    for (const line of this.texts) {
      this.starts.push(start);
      start += [...line].length + 1;
    }
    /** @type {Map<number, HTMLElement>} marked lines, as they were */
    this.saved = new Map();
  }

  clear() {
    for (const [line, before] of this.saved) {
      this.lines[line].replaceWith(before);
      this.lines[line] = before;
    }
    this.saved.clear();
  }

  /**
   * Mark an expression and its lines, and write its value behind it.
   * @param {number} start
   * @param {number} end
   * @param {string} value
   * @returns {[number, number]} the first and last line, from 0
   */
  markSpan(start, end, value = "") {
    const from = this.#place(start);
    const to = this.#place(end);
    if (to.line - from.line >= MOST_MARKED) {
      this.markLines(from.line, to.line);
    } else {
      for (let line = from.line; line <= to.line; line++) {
        const first = line === from.line ? from.column : (this.texts[line] ?? "").search(/\S|$/);
        const last = line === to.line ? to.column : (this.texts[line] ?? "").length;
        const element = this.#fresh(line);
        element.classList.add("here");
        markText(element, first, last);
      }
    }
    if (value) {
      const after = document.createElement("span");
      after.className = "after-value";
      after.textContent = ` → ${value}`;
      this.#fresh(to.line).append(after);
    }
    this.show(from.line, Math.min(to.line, from.line + MOST_MARKED));
    return [from.line, to.line];
  }

  /**
   * @param {number} first
   * @param {number} last
   */
  markLines(first, last) {
    for (let line = first; line <= last && line < this.lines.length; line++) this.#fresh(line).classList.add("here");
  }

  /**
   * Scroll the box, and nothing else, so that these lines can be seen.
   * @param {number} first
   * @param {number} last
   */
  show(first, last) {
    const box = this.box;
    const top = this.lines[Math.min(first, this.lines.length - 1)];
    const bottom = this.lines[Math.min(last, this.lines.length - 1)];
    if (!top || !bottom) return;
    const frame = box.getBoundingClientRect();
    const above = top.getBoundingClientRect().top - frame.top;
    const below = bottom.getBoundingClientRect().bottom - frame.top;
    if (above < 0 || below > box.clientHeight) box.scrollTop += above - box.clientHeight / 3;
    const mark = top.querySelector("mark");
    if (!mark) return;
    const { left, right } = mark.getBoundingClientRect();
    const end = right + box.scrollLeft;
    if (end < box.clientWidth + frame.left) box.scrollLeft = 0;
    else if (right > box.clientWidth + frame.left) box.scrollLeft += right - frame.left - box.clientWidth + ROOM;
    else if (left < frame.left + ROOM) box.scrollLeft += left - frame.left - ROOM;
  }

  /**
   * The line, to be changed until the next `clear`.
   * @param {number} line
   */
  #fresh(line) {
    const element = this.lines[line];
    if (!this.saved.has(line)) {
      const copy = /** @type {HTMLElement} */ (element.cloneNode(true));
      element.replaceWith(copy);
      this.saved.set(line, element);
      this.lines[line] = copy;
    }
    return this.lines[line];
  }

  /**
   * @param {number} offset
   * @returns {Place}
   */
  #place(offset) {
    let low = 0;
    let high = Math.min(this.starts.length, this.lines.length);
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= offset) low = middle;
      else high = middle;
    }
    const signs = [...(this.texts[low] ?? "")].slice(0, Math.max(0, offset - this.starts[low]));
    return { line: low, column: signs.join("").length };
  }
}

/**
 * Put what stands between two columns of a line into `mark` elements, one for each piece of text.
 * @param {HTMLElement} line
 * @param {number} first
 * @param {number} last
 */
function markText(line, first, last) {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const texts = [];
  while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
  let column = 0;
  for (const text of texts) {
    const end = column + text.data.length;
    const from = Math.max(first, column) - column;
    const to = Math.min(last, end) - column;
    if (from < to) {
      const piece = from ? text.splitText(from) : text;
      if (to - from < piece.data.length) piece.splitText(to - from);
      const mark = document.createElement("mark");
      piece.replaceWith(mark);
      mark.append(piece);
    }
    column = end;
  }
}
