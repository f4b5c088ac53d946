/**
 * The step view: in goes the element that cpl/views/step_view.py writes, with a recorded run in it. The element gets
 * buttons and keys to go through the run, its stack, its values, and the boards of its positions.
 */

import { Listing } from "./listing.js";
import { CALL, FAULT, RETURN, Replay, SET, VALUE } from "./replay.js";
import { Values } from "./values.js";

/** @import { Trace, Variable } from "./replay.js" */
/** @import { Signs } from "./board.js" */

const MOST_FRAMES = 40;
const MOST_BOARDS = 4;
/** Characters of a value: where it has a picture, too; in a sentence; and alone. */
const SHORT = 40;
const MIDDLE = 120;
const LONG = 400;
const SHAPES = /** @type {("ring" | "cross")[]} */ (["ring", "cross"]);
const SHAPE_MARKS = { ring: "○", cross: "×", dot: "●" };

/** @typedef {{verb: string, label: string, key: string, keyName: string, go: (view: StepView) => number}} Action */

/** @type {Action[]} */
const ACTIONS = [
  { verb: "first", label: "First", key: "Home", keyName: "Home", go: () => 0 },
  { verb: "back", label: "◀ Back", key: "ArrowLeft", keyName: "←", go: (view) => view.step - 1 },
  { verb: "step", label: "Step ▶", key: "ArrowRight", keyName: "→", go: (view) => view.step + 1 },
  { verb: "over", label: "Over", key: "ArrowDown", keyName: "↓", go: (view) => view.replay.over(view.step) },
  { verb: "out", label: "Out", key: "ArrowUp", keyName: "↑", go: (view) => view.replay.out(view.step) },
  { verb: "last", label: "Last", key: "End", keyName: "End", go: (view) => view.replay.length - 1 },
];

export class StepView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Trace} */
    this.trace = JSON.parse(root.querySelector("script[type='application/json']")?.textContent ?? "");
    this.replay = new Replay(this.trace);
    this.values = new Values(this.trace.values);
    const boxes = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("pre[data-source]")]);
    this.listings = this.trace.sources.map(({ cpl }, index) => new Listing(boxes[index], cpl));
    const python = /** @type {HTMLElement | null} */ (root.querySelector(".target pre"));
    this.python = python && new Listing(python, this.trace.python ?? "");
    this.step = 0;
    /** @type {number | null} the call whose values are shown, if it is not the innermost */
    this.selected = null;
    /** @type {string | null} the variable whose board is shown, if the reader chose one */
    this.pictured = null;
    /** @type {Record<string, HTMLElement>} */
    this.parts = {};
    /** @type {Record<string, HTMLButtonElement>} */
    this.buttons = {};
    this.slider = document.createElement("input");
    this.choice = document.createElement("select");
    if (!this.replay.length) return;
    this.#build();
    this.show(0);
  }

  /** @param {number} step */
  show(step) {
    this.step = Math.max(0, Math.min(step, this.replay.length - 1));
    this.selected = null;
    this.#render();
  }

  #build() {
    const { root, parts } = this;
    parts.event = make("p", { class: "event", role: "status" });
    parts.stack = make("ol", {});
    parts.variables = make("div", { class: "variables" });
    parts.boards = make("div", { class: "boards" });
    parts.count = make("span", { class: "count" });
    root.querySelector(".title")?.append(parts.count);
    const columns = root.querySelector(".columns");
    columns?.before(parts.event, this.#tabs());
    columns?.after(
      make("div", { class: "state" }, [
        panel("Stack", parts.stack),
        panel("Values", parts.variables),
        panel("Boards", parts.boards),
      ]),
      this.#controls(),
    );
    root.classList.add("live");
    root.querySelector(".view")?.setAttribute("tabindex", "-1");
    const listener = root.querySelector("[data-keys='page']") ? document : root;
    listener.addEventListener("keydown", (event) => this.#key(/** @type {KeyboardEvent} */ (event)));
  }

  #tabs() {
    const tabs = ["CPL", "Python"].map((name) => {
      const tab = button(name, () => {
        this.root.dataset.tab = name;
        for (const each of tabs) each.setAttribute("aria-pressed", String(each === tab));
        this.#mark();
      });
      tab.setAttribute("aria-pressed", String(name === "CPL"));
      return tab;
    });
    this.root.dataset.tab = "CPL";
    return make("div", { class: "tabs", role: "group", "aria-label": "Listing" }, tabs);
  }

  #controls() {
    for (const { verb, label, key, keyName, go } of ACTIONS) {
      this.buttons[verb] = button(label, () => this.show(go(this)));
      this.buttons[verb].dataset.verb = verb;
      this.buttons[verb].title = `Key: ${keyName}`;
      this.buttons[verb].setAttribute("aria-keyshortcuts", key);
    }
    const { first, back, step, over, out, last } = this.buttons;
    const next = button("", () => this.show(this.#next()));
    next.dataset.verb = "next";
    next.title = "Key: N";
    next.setAttribute("aria-keyshortcuts", "N");
    this.buttons.next = next;
    this.#fillChoice();
    Object.assign(this.slider, { type: "range", min: "0", max: String(this.replay.length - 1), step: "1" });
    this.slider.setAttribute("aria-label", "Step");
    this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
    const row = make("div", { class: "row" }, [first, back, step, over, out, last, next, this.choice]);
    return make("div", { class: "controls" }, [row, this.slider]);
  }

  /** The functions that are called, for the button that goes to the next call; at first one that is called again. */
  #fillChoice() {
    const { steps, functions } = this.trace;
    const calls = steps.a.filter((_, step) => steps.kind[step] === CALL);
    const called = [...new Set(calls)];
    for (const index of called) this.choice.append(make("option", { value: String(index) }, [functions[index]]));
    this.choice.value = String(
      called.find((index) => calls.indexOf(index) < calls.lastIndexOf(index)) ?? called[0] ?? "",
    );
    this.choice.setAttribute("aria-label", "Function for Next");
    this.choice.addEventListener("change", () => this.#render());
  }

  #next() {
    return this.choice.value === "" ? -1 : this.replay.nextCall(this.step, Number(this.choice.value));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.target === this.choice) return;
    const action = ACTIONS.find(({ key }) => key === event.key);
    const step = action ? action.go(this) : event.key === "n" ? this.#next() : null;
    if (step === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (step >= 0) this.show(step);
  }

  #render() {
    const { step, slider, parts, buttons } = this;
    const count = `step ${number(step + 1)} of ${number(this.replay.length)}`;
    parts.count.textContent = count;
    slider.value = String(step);
    slider.setAttribute("aria-valuetext", count);
    const next = this.#next();
    buttons.next.textContent = `▶▶ Next ${this.trace.functions[Number(this.choice.value)] ?? "call"}`;
    for (const verb of ["first", "back"]) disable(buttons[verb], step === 0);
    for (const verb of ["step", "over", "out", "last"]) disable(buttons[verb], step === this.replay.length - 1);
    disable(buttons.next, next < 0);
    this.#renderState();
  }

  #renderState() {
    const { parts } = this;
    parts.event.textContent = this.#event();
    parts.event.classList.toggle("fault", this.trace.steps.kind[this.step] === FAULT);
    const frames = this.replay.stack(this.step);
    const innermost = frames.at(-1)?.call ?? null;
    const call = this.selected ?? innermost;
    this.#renderStack(frames, call);
    const variables = call === null ? [] : this.replay.variables(this.step, call);
    const value = call === innermost ? this.#value() : null;
    this.#renderValues(variables, value);
    this.#renderBoards(variables, value);
    this.#mark();
  }

  /** What happens in this step, as a sentence. */
  #event() {
    const { kind, a, b } = this.trace.steps;
    const { functions, names } = this.trace;
    const step = this.step;
    const value = b[step] >= 0 ? this.values.text(b[step], MIDDLE) : "";
    if (kind[step] === CALL) return `${functions[a[step]]} is called`;
    if (kind[step] === SET) return `${names[a[step]]} is now ${value}`;
    if (kind[step] === RETURN) return `${functions[a[step]]} gives ${value}`;
    if (kind[step] === FAULT) return `The run fails: ${value}`;
    return `The marked expression is ${value}`;
  }

  /** The value of the expression, or the result, that this step is about. */
  #value() {
    const { kind, b } = this.trace.steps;
    return kind[this.step] === VALUE || kind[this.step] === RETURN ? b[this.step] : null;
  }

  /**
   * @param {import("./replay.js").Frame[]} frames
   * @param {number | null} chosen
   */
  #renderStack(frames, chosen) {
    const shown = frames.slice(-MOST_FRAMES);
    const items = shown.map(({ call, name }) => {
      const choose = button(name, () => {
        this.selected = call;
        this.#renderState();
        /** @type {HTMLElement | null} */ (this.parts.stack.querySelector("[aria-current]"))?.focus();
      });
      if (call === chosen) choose.setAttribute("aria-current", "true");
      return make("li", {}, [choose]);
    });
    const hidden = frames.length - shown.length;
    const more = hidden ? [make("li", { class: "note" }, [`${number(hidden)} calls outside of these`])] : [];
    this.parts.stack.replaceChildren(...more, ...items);
    const list = this.parts.stack.parentElement;
    if (list) list.scrollTop = this.selected === null ? list.scrollHeight : list.scrollTop;
  }

  /**
   * @param {Variable[]} variables
   * @param {number | null} value
   */
  #renderValues(variables, value) {
    const rows = variables.map(({ name, value, step }) => {
      const isDrawn = this.values.positions(value).length > 0;
      const cell = make("td", {}, [make("code", {}, [this.values.text(value, isDrawn ? SHORT : LONG)])]);
      if (isDrawn) {
        const look = button("Show on board", () => {
          this.pictured = name;
          this.#renderState();
        });
        look.setAttribute("aria-label", `Show ${name} on the board`);
        look.setAttribute("aria-pressed", String(this.pictured === name));
        cell.append(" ", look);
      }
      const row = make("tr", {}, [make("th", { scope: "row" }, [make("var", {}, [name])]), cell]);
      if (step === this.step) row.className = "changed";
      return row;
    });
    if (value !== null) {
      const name = this.trace.steps.kind[this.step] === RETURN ? "result" : "value";
      const cell = make("td", {}, [make("code", {}, [this.values.text(value, LONG)])]);
      rows.unshift(make("tr", { class: "changed" }, [make("th", { scope: "row" }, [name]), cell]));
    }
    const empty = make("p", { class: "note" }, ["No values yet."]);
    const table = make("table", {}, [make("tbody", {}, rows)]);
    this.parts.variables.replaceChildren(rows.length ? table : empty);
  }

  /**
   * The positions of the variable that the reader chose, else of the value, else of the variable that changes, else of the first.
   * @param {Variable[]} variables
   * @param {number | null} value
   */
  #renderBoards(variables, value) {
    const { values, parts } = this;
    const holding = variables.filter((each) => values.positions(each.value).length);
    const chosen = holding.find(({ name }) => name === this.pictured);
    const changed = holding.find(({ step }) => step === this.step);
    const isOfValue = !chosen && value !== null && values.positions(value).length > 0;
    const variable = chosen ?? changed ?? holding[0];
    const id = isOfValue ? value : (variable?.value ?? null);
    if (id === null) {
      parts.boards.replaceChildren(make("p", { class: "note" }, ["No position here."]));
      return;
    }
    const name = isOfValue ? "this value" : variable.name;
    const positions = values.positions(id);
    const signs = positions.length === 1 ? this.#signs(variables, value, positions[0]) : [];
    const figures = positions.slice(0, MOST_BOARDS).map((position, index) => {
      const caption = positions.length === 1 ? name : `${name}, ${index + 1} of ${positions.length}`;
      return make("figure", {}, [make("figcaption", {}, [caption]), values.board(position, signs)]);
    });
    const hidden = positions.length - figures.length;
    const legend = signs.map(({ name, shape }) => make("span", {}, [`${SHAPE_MARKS[shape]} ${name}`]));
    const notes = hidden > 0 ? [make("span", {}, [`and ${number(hidden)} more`])] : legend;
    parts.boards.replaceChildren(...figures, make("p", { class: "note legend" }, notes));
    parts.boards.classList.toggle("several", positions.length > 1);
  }

  /**
   * Bit strings as signs on a board: the two variables that changed last, and the value. The position's own parts are
   * its pieces already.
   * @param {Variable[]} variables
   * @param {number | null} value
   * @param {number} position
   * @returns {Signs[]}
   */
  #signs(variables, value, position) {
    const parts = this.values.position(position)?.sides ?? [];
    const candidates = variables.filter((each) => this.values.bits(each.value) !== null && !parts.includes(each.value));
    const newest = [...candidates].sort((one, other) => other.step - one.step).slice(0, SHAPES.length);
    /** @type {Signs[]} */
    const signs = candidates
      .filter((each) => newest.includes(each))
      .map((each, index) => ({ name: each.name, shape: SHAPES[index], squares: this.values.squares(each.value) }));
    if (value !== null && this.values.bits(value) !== null) {
      signs.push({ name: "this value", shape: "dot", squares: this.values.squares(value) });
    }
    return signs;
  }

  /** Mark the expression, in the frame that is looked at, and the Python that comes from its lines. */
  #mark() {
    const { kind, a, span, b } = this.trace.steps;
    for (const listing of [...this.listings, this.python]) listing?.clear();
    const frames = this.replay.stack(this.step);
    const inner = frames.findIndex(({ call }) => call === this.selected) + 1;
    const step = inner && frames[inner] ? frames[inner].call : this.step;
    const isCallOrReturn = kind[step] === CALL || kind[step] === RETURN;
    const index = span[step] >= 0 ? span[step] : isCallOrReturn ? this.trace.function_spans[a[step]] : -1;
    if (index < 0) return;
    const [source, start, end] = this.trace.spans[index];
    this.listings.forEach(({ box }, each) => (box.hidden = each !== source));
    const caption = this.root.querySelector(".source figcaption");
    if (caption) caption.textContent = `CPL, ${this.trace.sources[source].name}`;
    const hasValue = step === this.step && [SET, VALUE, RETURN].includes(kind[step]);
    const value = hasValue ? this.values.text(b[step], SHORT) : "";
    const [first, last] = this.listings[source].markSpan(start, end, value);
    const pieces = this.trace.python_lines.filter(
      ([from, line]) => from === source && line - 1 >= first && line - 1 <= last,
    );
    for (const [, , from, to] of pieces) this.python?.markLines(from - 1, to - 1);
    if (pieces.length) this.python?.show(Math.min(...pieces.map((piece) => piece[2])) - 1, pieces[0][3] - 1);
  }
}

/**
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 * @returns {HTMLElement}
 */
function make(name, attributes, children = []) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/**
 * @param {string} label
 * @param {() => void} act
 */
function button(label, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  made.addEventListener("click", act);
  return made;
}

/**
 * A button that cannot be used keeps the focus, so that keys go on working.
 * @param {HTMLButtonElement} made
 * @param {boolean} isOff
 */
function disable(made, isOff) {
  made.setAttribute("aria-disabled", String(isOff));
}

/**
 * @param {string} name
 * @param {HTMLElement} content
 */
function panel(name, content) {
  return make("section", { "aria-label": name }, [make("h4", {}, [name]), content]);
}

/** @param {number} count */
function number(count) {
  return count.toLocaleString("en");
}

for (const root of document.querySelectorAll(".cpl-steps:not(.live)")) {
  new StepView(/** @type {HTMLElement} */ (root));
}
