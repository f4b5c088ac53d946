/**
 * The step view: in goes the element that cpl/study/views/steps.py writes, with a recorded run in it. The element gets
 * buttons and keys to go through the run, its stack, its values, and the boards of its positions.
 */

import { button, make } from "./elements.js";
import { Listing } from "./listing.js";
import { CALL, FAULT, RETURN, Replay, SET, VALUE } from "./replay.js";
import { Values } from "./values.js";

/** @import { Frame, Trace, Variable } from "./replay.js" */
/** @import { Signs } from "./board.js" */

const MOST_FRAMES = 40;
const MOST_BOARDS = 4;
const MOST_SIGNED = 8; // squares of a set that has a sign for as long as its variable lives
/** Characters of a value: as an argument; where it has a picture, too; in a sentence; and alone. */
const SHORTEST = 16;
const SHORT = 40;
const MIDDLE = 120;
const LONG = 400;
const SHAPES = /** @type {("ring" | "cross" | "diamond" | "square")[]} */ (["ring", "cross", "diamond", "square"]);
const SHAPE_MARKS = { ring: "○", cross: "×", diamond: "◇", square: "□", dot: "●" };

/**
 * The boards that are shown, whose they are, and whether others could be shown instead.
 * @typedef {{name: string, positions: number[], signs: Signs[], isChoice: boolean}} Picture
 */

/** @typedef {{clear: () => void, markSpan: (start: number, end: number, value: string) => unknown}} Marked */

/** @typedef {{verb: string, label: string, key: string, keyName: string, go: (view: StepView) => number}} Action */

/** @type {Action[]} */
const ACTIONS = [
  { verb: "first", label: "First", key: "Home", keyName: "Home", go: () => 0 },
  { verb: "back", label: "◀ Back", key: "ArrowLeft", keyName: "←", go: (view) => view.replay.back(view.step) },
  { verb: "step", label: "Step ▶", key: "ArrowRight", keyName: "→", go: (view) => view.replay.next(view.step) },
  { verb: "over", label: "Over", key: "ArrowDown", keyName: "↓", go: (view) => view.replay.over(view.step) },
  { verb: "out", label: "Out", key: "ArrowUp", keyName: "↑", go: (view) => view.replay.out(view.step) },
  { verb: "last", label: "Last", key: "End", keyName: "End", go: (view) => view.replay.length - 1 },
];

export class StepView {
  /**
   * @param {HTMLElement} root
   * @param {Marked} [main] what else shows the first of the texts, such as an editor; what is marked is marked there, too
   */
  constructor(root, main) {
    this.root = root;
    this.main = main;
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
    this.show(this.#isWhole(0) ? Math.max(0, this.replay.nextCall(0)) : 0);
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
        ...(this.trace.values.some((_, id) => this.values.position(id)) ? [panel("Boards", parts.boards)] : []),
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
    const variables = call === null ? [] : this.replay.variables(this.replay.settled[this.step], call);
    const value = call === innermost ? this.#value() : null;
    const picture = this.#picture(variables, value);
    this.#renderValues(variables, value, picture);
    this.#renderBoards(picture);
    this.#mark();
  }

  /**
   * Whether a call is that of the expression as a whole.
   * @param {number} call
   */
  #isWhole(call) {
    return call === 0 && this.trace.functions[this.trace.steps.a[call]] === this.trace.title;
  }

  /**
   * A call with its arguments; long ones are represented by the names of their parameters.
   * @param {number} call
   */
  #applied(call) {
    const name = this.trace.functions[this.trace.steps.a[call]];
    const values = this.replay.arguments(call).map(({ name, value }) => {
      const text = this.values.text(value, SHORTEST);
      return text.endsWith("…") ? name : text;
    });
    return values.length ? `${name}(${values.join(",")})` : name;
  }

  /** What happens in this step, as a sentence. */
  #event() {
    const { kind, a, b } = this.trace.steps;
    const { names } = this.trace;
    const step = this.step;
    const applied = kind[step] === CALL || kind[step] === RETURN ? this.#applied(this.replay.frame[step]) : "";
    const value = b[step] >= 0 ? this.values.text(b[step], MIDDLE) : "";
    if (kind[step] === CALL) return `${applied} is called`;
    if (kind[step] === SET) return `${names[a[step]]} is now ${value}`;
    if (kind[step] === RETURN) return `${applied} gives ${value}`;
    if (kind[step] === FAULT) return `The run fails: ${value}`;
    return `The marked expression is ${value}`;
  }

  /** The value of the expression, or the result, that this step is about. */
  #value() {
    const { kind, b } = this.trace.steps;
    return kind[this.step] === VALUE || kind[this.step] === RETURN ? b[this.step] : null;
  }

  /**
   * @param {Frame[]} frames
   * @param {number | null} chosen
   */
  #renderStack(frames, chosen) {
    const shown = frames.slice(-MOST_FRAMES);
    const items = shown.map(({ call }) => {
      const choose = button(this.#applied(call), () => {
        this.selected = call;
        this.#renderState();
        /** @type {HTMLElement | null} */ (this.parts.stack.querySelector("[aria-current]"))?.focus();
      });
      choose.title = choose.textContent ?? "";
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
   * @param {Picture | null} picture
   */
  #renderValues(variables, value, picture) {
    const rows = variables.map(({ name, value, step }) => {
      const isDrawn = this.values.positions(value).length > 0;
      const cell = make("td", {}, [code(this.values.text(value, isDrawn ? SHORT : LONG))]);
      if (isDrawn && picture?.isChoice) {
        const look = button("Show on board", () => {
          this.pictured = name;
          this.#renderState();
        });
        look.setAttribute("aria-label", `Show ${name} on the board`);
        look.setAttribute("aria-pressed", String(picture?.name === name));
        cell.append(" ", look);
      }
      const sign = picture?.signs.find((each) => each.name === name);
      if (sign) cell.append(make("span", { class: "sign", "aria-hidden": "true" }, [` ${SHAPE_MARKS[sign.shape]}`]));
      const row = make("tr", {}, [make("th", { scope: "row" }, [make("var", {}, [name])]), cell]);
      if (step === this.step) row.className = "changed";
      return row;
    });
    if (value !== null) {
      const name = this.trace.steps.kind[this.step] === RETURN ? "result" : "value";
      const isDrawn = this.values.positions(value).length > 0;
      const cell = make("td", {}, [code(this.values.text(value, isDrawn ? MIDDLE : LONG))]);
      rows.unshift(make("tr", { class: "changed" }, [make("th", { scope: "row" }, [name]), cell]));
    }
    const empty = make("p", { class: "note" }, ["No values yet."]);
    const table = make("table", {}, [make("tbody", {}, rows)]);
    this.parts.variables.replaceChildren(rows.length ? table : empty);
    const changed = rows.findLast((row) => row.className === "changed");
    const box = this.parts.variables.parentElement;
    if (box) box.scrollTop = changed ? changed.offsetTop + changed.offsetHeight - box.clientHeight : 0;
  }

  /**
   * The positions of the variable that the reader chose, else of the value, else of the variable that changes, else of the first.
   * @param {Variable[]} variables
   * @param {number | null} value
   * @returns {Picture | null}
   */
  #picture(variables, value) {
    const { values } = this;
    const holding = variables.filter((each) => values.positions(each.value).length);
    const chosen = holding.find(({ name }) => name === this.pictured);
    const changed = holding.find(({ step }) => step === this.step);
    const isDrawn = value !== null && values.positions(value).length > 0;
    const isOfValue = isDrawn && !chosen;
    const variable = chosen ?? changed ?? holding[0];
    if (!isOfValue && !variable) return null;
    const positions = values.positions(isOfValue ? value : variable.value);
    const signs = positions.length === 1 ? this.#signs(variables, value, positions[0]) : [];
    const isChoice = holding.length + (isDrawn ? 1 : 0) > 1;
    return { name: isOfValue ? "this value" : variable.name, positions, signs, isChoice };
  }

  /** @param {Picture | null} picture */
  #renderBoards(picture) {
    const { values, parts } = this;
    if (!picture) {
      parts.boards.replaceChildren(make("p", { class: "note" }, ["No position here."]));
      return;
    }
    const { name, positions, signs } = picture;
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
   * Bit strings as signs on a board: those of few squares, the latest first if there are many, and the one that this
   * step is about. The position's own parts are its pieces already.
   * @param {Variable[]} variables
   * @param {number | null} value
   * @param {number} position
   * @returns {Signs[]}
   */
  #signs(variables, value, position) {
    const { values } = this;
    const parts = values.position(position)?.sides ?? [];
    const sets = variables
      .filter((each) => values.bits(each.value) !== null && !parts.includes(each.value))
      .map(({ name, value, step }) => ({ name, step, squares: values.squares(value) }));
    const small = sets.filter(({ squares }) => squares.length && squares.length <= MOST_SIGNED).slice(-SHAPES.length);
    /** @type {Signs[]} */
    const signs = small.map(({ name, squares }, index) => ({ name, shape: SHAPES[index], squares }));
    const changed = sets.find((each) => each.step === this.step && each.squares.length > MOST_SIGNED);
    if (changed) signs.push({ name: changed.name, shape: "dot", squares: changed.squares });
    if (value !== null && values.bits(value) !== null) {
      signs.push({ name: "this value", shape: "dot", squares: values.squares(value) });
    }
    return signs;
  }

  /** Mark the expression, in the frame that is looked at, and the Python that comes from its lines. */
  #mark() {
    const { kind, b } = this.trace.steps;
    for (const listing of [...this.listings, this.python, this.main]) listing?.clear();
    const frames = this.replay.stack(this.step);
    const inner = frames.findIndex(({ call }) => call === this.selected) + 1;
    const step = inner && frames[inner] ? frames[inner].call : this.step;
    const place = step === this.step && kind[step] === CALL ? this.#heading(step) : this.#place(step);
    if (!place) return;
    const [source, start, end] = place;
    this.root.dataset.source = String(source);
    this.listings.forEach(({ box }, each) => (box.hidden = each !== source));
    const caption = this.root.querySelector(".source figcaption");
    if (caption) caption.textContent = `CPL, ${this.trace.sources[source].name}`;
    const hasValue = step === this.step && [SET, VALUE, RETURN].includes(kind[step]);
    const value = hasValue ? this.values.text(b[step], SHORT) : "";
    const [first, last] = this.listings[source].markSpan(start, end, value);
    if (source === 0) this.main?.markSpan(start, end, value);
    const pieces = this.trace.python_lines.filter(
      ([from, line]) => from === source && line - 1 >= first && line - 1 <= last,
    );
    for (const [, , from, to] of pieces) this.python?.markLines(from - 1, to - 1);
    if (pieces.length) this.python?.show(Math.min(...pieces.map((piece) => piece[2])) - 1, pieces[0][3] - 1);
  }

  /**
   * The expression that a step is about; for the call of a function, where it is called.
   * @param {number} step
   * @returns {[number, number, number] | null}
   */
  #place(step) {
    const { steps, spans, function_spans } = this.trace;
    const isCallOrReturn = steps.kind[step] === CALL || steps.kind[step] === RETURN;
    const index = steps.span[step] >= 0 ? steps.span[step] : isCallOrReturn ? function_spans[steps.a[step]] : -1;
    return index < 0 ? null : spans[index];
  }

  /**
   * The heading of the function that is called: its name and its parameters.
   * @param {number} call
   * @returns {[number, number, number] | null}
   */
  #heading(call) {
    const { steps, spans, function_spans } = this.trace;
    const index = function_spans[steps.a[call]];
    const last = this.#place(this.replay.settled[call]);
    if (index < 0 || !last) return null;
    const [source, start, end] = spans[index];
    const isInside = last[0] === source && last[1] >= start && last[2] <= end && this.replay.settled[call] > call;
    return [source, start, isInside ? Math.min(last[2] + 1, end) : end]; // with the bracket
  }
}

/**
 * Code that can be broken behind its commas.
 * @param {string} text
 */
function code(text) {
  return make(
    "code",
    {},
    text.split(/(?<=,)/).flatMap((piece) => [piece, make("wbr", {})]),
  );
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
  return make("section", { "aria-label": name }, [make("p", { class: "part-name" }, [name]), content]);
}

/** @param {number} count */
function number(count) {
  return count.toLocaleString("en");
}

for (const root of document.querySelectorAll(".cpl-steps:not(.live)")) {
  new StepView(/** @type {HTMLElement} */ (root));
}
