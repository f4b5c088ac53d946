/** An editor for CPL: what it knows of the language it asks Python; until that is there it is a plain editor. */

import { acceptCompletion, autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  WidgetType,
  drawSelection,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import SPELLINGS from "spellings.json";

import { make } from "../../../../cpl/study/views/static/elements.js";
import { commands } from "./commands.js";
import { cpl } from "./language.js";
import { quietly } from "./python.js";
import { spelled } from "./typing.js";
import { worded } from "./words.js";
import { wrapping } from "./wrapping.js";

/** @type {import("@codemirror/state").StateEffectType<[number, number, string][]>} */
const coloured = StateEffect.define();
/** @type {import("@codemirror/state").StateEffectType<Record<string, number[]>>} */
const linesMarked = StateEffect.define();
/** @type {import("@codemirror/state").StateEffectType<Step | null>} */
const stepMarked = StateEffect.define();

/** @import { Finding, Fix } from "./beside.js" */
/** @typedef {{from: number, to: number, value: string}} Step an expression, and its value if it has one */

/** Pixels above and below what a step is about. */
const STEP_ROOM = 60;
/** Lines of an expression that is marked itself; of a longer one its lines are. */
const MOST_MARKED = 3;
const [COMMENT, STRING, UNFINISHED] = ["c-c1", "c-s", "c-err"];

/** The colours of the text, as Python cut it; they move with what is typed. */
const colours = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    let now = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(coloured)) {
        now = RangeSet.of(effect.value.map(([from, to, name]) => Decoration.mark({ class: name }).range(from, to)));
      }
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * Whether a place is neither in a comment nor in a string, as the colours have them.
 * @param {EditorState} state
 * @param {number} at
 */
function isCode(state, at) {
  const start = state.doc.lineAt(at).from;
  let isFree = true;
  state.field(colours).between(start, at, (from, to, { spec }) => {
    const isQuoted = '‘“"'.includes(state.sliceDoc(from, from + 1));
    const isInComment = spec.class === COMMENT && start <= from && from < at; // what is typed at its end is in it
    const isInString = spec.class === STRING && from < at && at < to;
    const isInUnfinished = spec.class === UNFINISHED && isQuoted && from < at;
    if (isInComment || isInString || isInUnfinished) isFree = false;
  });
  return isFree;
}

/**
 * The signs and letters that a spelling may become. Brackets may be meant as they are: they are offered if one asks.
 * @param {import("@codemirror/autocomplete").CompletionContext} context
 * @returns {import("@codemirror/autocomplete").CompletionResult | null}
 */
function spell({ state, pos, explicit }) {
  const line = state.doc.lineAt(pos);
  const found = spelled(SPELLINGS, line.text.slice(0, pos - line.from));
  if (!found || !isCode(state, pos) || (!explicit && /[()]$/.test(found.typed))) return null;
  return {
    from: pos - found.typed.length,
    filter: false,
    options: found.offers.map(({ typed, text, words }) => ({ label: typed, apply: text, detail: text, info: words })),
  };
}

/** Lines that are lit, or changed by a reading: classes by line numbers. */
const lines = StateField.define({
  create: () => ({ classes: /** @type {Record<string, number[]>} */ ({}), marks: Decoration.none }),
  update({ classes, marks }, transaction) {
    for (const effect of transaction.effects) if (effect.is(linesMarked)) classes = { ...classes, ...effect.value };
    if (transaction.docChanged || transaction.effects.some((effect) => effect.is(linesMarked))) {
      const { doc } = transaction.state;
      const found = Object.entries(classes).flatMap(([name, numbers]) =>
        numbers
          .filter((number) => number <= doc.lines)
          .map((number) => Decoration.line({ class: name }).range(doc.line(number).from)),
      );
      marks = RangeSet.of(found, true);
    }
    return { classes, marks };
  },
  provide: (field) => EditorView.decorations.from(field, ({ marks }) => marks),
});

/** What a step of a run is about. */
const stepped = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    const effect = transaction.effects.findLast((each) => each.is(stepMarked));
    if (effect) return effect.value ? stepMarks(transaction.state, effect.value) : Decoration.none;
    return marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * @param {EditorState} state
 * @param {Step} step
 */
function stepMarks({ doc }, { from, to, value }) {
  const [first, last] = [doc.lineAt(from).number, doc.lineAt(to).number];
  const isShort = last - first < MOST_MARKED;
  const marks = [];
  for (let number = first; number <= last; number++) {
    const line = doc.line(number);
    const indent = line.text.search(/\S|$/);
    const [start, end] = [Math.max(from, line.from + indent), Math.min(to, line.to)];
    marks.push(Decoration.line({ class: "here" }).range(line.from));
    if (isShort && start < end) marks.push(Decoration.mark({ tagName: "mark" }).range(start, end));
  }
  if (value) marks.push(Decoration.widget({ widget: new Value(value), side: 1 }).range(doc.line(last).to));
  return RangeSet.of(marks, true);
}

/** The value of an expression, behind its line. */
class Value extends WidgetType {
  /** @param {string} value */
  constructor(value) {
    super();
    this.value = value;
  }

  /** @param {Value} other */
  eq(other) {
    return this.value === other.value;
  }

  toDOM() {
    return make("span", { class: "after-value" }, [` → ${this.value}`]);
  }
}

export class CplEditor {
  /**
   * @param {object} settings
   * @param {HTMLElement} settings.parent
   * @param {string} settings.text
   * @param {string} settings.label
   * @param {import("./python.js").Python} settings.python
   * @param {() => {name: string, reading: string}} settings.program what the text is called, and how it is read
   * @param {(text: string) => void} [settings.typed] when the text was changed
   * @param {(diagnostics: Finding[], text: string) => void} [settings.checked] when its findings are known
   * @param {(line: number) => void} [settings.pointed] at a line, by the cursor or the mouse
   * @param {() => void} [settings.run] what Ctrl-Enter does
   */
  constructor({ parent, text, label, python, program, typed, checked, pointed, run }) {
    this.settings = { python, program, checked };
    this.timer = 0;
    const updates = EditorView.updateListener.of((update) => {
      if (update.docChanged) {
        typed?.(this.text);
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.check(), python.pause);
      }
      if (update.selectionSet) pointed?.(this.view.state.doc.lineAt(this.view.state.selection.main.head).number);
    });
    const pointer = EditorView.domEventHandlers({
      mousemove: (event, view) => {
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (at !== null) pointed?.(view.state.doc.lineAt(at).number);
      },
    });
    const isNarrow = matchMedia("(max-width: 40rem)").matches;
    this.extensions = [
      lineNumbers(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      bracketMatching(),
      lintGutter(),
      colours,
      lines,
      stepped,
      autocompletion({ override: [(context) => spell(context) ?? this.#complete(context)] }),
      hoverTooltip((_, at) => this.#describe(at)),
      commands({ python, program, run }),
      cpl(isCode),
      keymap.of([{ key: "Tab", run: acceptCompletion }, ...completionKeymap, ...lintKeymap]),
      keymap.of([...historyKeymap, ...defaultKeymap]),
      EditorView.contentAttributes.of({
        "aria-label": label,
        tabindex: "0",
        spellcheck: "false",
        autocorrect: "off",
      }),
      updates,
      pointer,
      isNarrow ? wrapping : [],
    ];
    this.view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions: this.extensions }) });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Another text, with nothing to undo; `typed` is not told of it. */
  set text(text) {
    if (text !== this.text) this.view.setState(EditorState.create({ doc: text, extensions: this.extensions }));
  }

  /**
   * Replace the text, as if it were typed; one undoes this by itself.
   * @param {string} text
   */
  replace(text) {
    if (text !== this.text) this.#replace(0, this.view.state.doc.length, text, 0);
  }

  /**
   * Give lines these classes, in place of those that had them.
   * @param {Record<string, number[]>} classes
   */
  markLines(classes) {
    this.view.dispatch({ effects: linesMarked.of(classes) });
  }

  /**
   * Mark what a step of a run is about, and bring it into sight; nothing if there is none.
   * @param {Step | null} step
   */
  markStep(step) {
    const { length } = this.view.state.doc;
    const isInText = step && step.to <= length; // which may have been changed since
    const effects = [stepMarked.of(isInText ? step : null)];
    this.view.dispatch({ effects });
    if (isInText)
      this.view.dispatch({ effects: EditorView.scrollIntoView(step.from, { y: "nearest", yMargin: STEP_ROOM }) });
  }

  /** @param {{diagnostics: Finding[], colours: [number, number, string][]}} found what `check` answered for the text as it is */
  show({ diagnostics, colours: found }) {
    this.view.dispatch({ effects: coloured.of(found) });
    const shown = diagnostics.map((finding) => ({
      from: finding.from,
      to: finding.to,
      severity: /** @type {"error" | "warning"} */ (finding.severity),
      message: finding.message,
      renderMessage: () => message(finding),
      actions: finding.fixes.slice(0, 1).map((fix) => ({ name: fix.advice, apply: () => this.apply(fix) })),
    }));
    this.view.dispatch(setDiagnostics(this.view.state, shown));
  }

  /** @param {Fix} fix */
  apply({ from, to, text }) {
    this.#replace(from, to, text, from + text.length);
    this.view.focus();
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {string} insert
   * @param {number} anchor where the cursor is then
   */
  #replace(from, to, insert, anchor) {
    const annotations = isolateHistory.of("full"); // what is typed just before and after stays a change of its own
    this.view.dispatch({ changes: { from, to, insert }, selection: { anchor }, annotations });
  }

  /**
   * Bring a line into sight.
   * @param {number} line from 1
   */
  reveal(line) {
    const { doc } = this.view.state;
    const place = doc.line(Math.min(line, doc.lines)).from;
    this.view.dispatch({ effects: EditorView.scrollIntoView(place, { y: "center" }) });
  }

  /**
   * Put the cursor on a line; the focus and the page stay where they are.
   * @param {number} line from 1
   */
  pointAt(line) {
    this.view.dispatch({ selection: { anchor: this.view.state.doc.line(line).from } });
  }

  /** @param {number} from */
  goTo(from) {
    this.view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    this.view.focus();
  }

  /** Show what is wrong with the text, and its colours. */
  check() {
    return quietly(async () => {
      const { python, checked } = this.settings;
      const { asked, wanted } = this.asWritten();
      const found = await python.ask("check", asked, wanted);
      if (!wanted()) return;
      this.show(found);
      checked?.(found.diagnostics, asked.text);
    });
  }

  /** What is asked about the text as it is now, and whether it still is so. */
  asWritten() {
    const { program } = this.settings;
    const { doc } = this.view.state;
    const asked = { ...program(), text: doc.toString() };
    const wanted = () => {
      const { name, reading } = program();
      return name === asked.name && reading === asked.reading && this.view.state.doc.eq(doc);
    };
    return { asked, wanted };
  }

  /**
   * @param {import("@codemirror/autocomplete").CompletionContext} context
   * @returns {Promise<import("@codemirror/autocomplete").CompletionResult | null>}
   */
  async #complete(context) {
    const { python, program } = this.settings;
    const wanted = () => !context.aborted;
    if (!context.explicit) {
      if (!context.matchBefore(/[A-Za-z][\w'′]+/)) return null;
      await new Promise((rested) => setTimeout(rested, python.pause)); // what may stand there depends on the whole text
      if (context.aborted) return null;
    }
    const { name } = program();
    const asked = { name, text: this.text, offset: context.pos };
    /** @type {{from: number, offers: Record<string, string>[]} | null} */
    const found = await python.ask("complete", asked, wanted).catch(() => null);
    if (!found?.offers.length || context.aborted) return null;
    // After a whole word Enter begins a line.
    const typed = context.state.sliceDoc(found.from, context.pos);
    if (!context.explicit && found.offers.some(({ text }) => text === typed)) return null;
    return {
      from: found.from,
      options: found.offers.map(({ text, shown, about }) => ({
        label: shown,
        apply: text,
        detail: about,
      })),
    };
  }

  /** @param {number} at */
  async #describe(at) {
    const { python } = this.settings;
    if (python.state !== "ready") return null;
    const { asked, wanted } = this.asWritten();
    const found = await python.ask("describe", { ...asked, offset: at }, wanted).catch(() => null);
    if (!found) return null;
    return {
      pos: found.from,
      end: found.to,
      create: () => ({
        dom: make("div", { class: "hover" }, [make("pre", {}, [found.code]), ...found.words.split("\n\n").map(worded)]),
      }),
    };
  }
}

/** @param {Finding} finding */
function message({ message: text, help }) {
  return make("span", {}, [text[0].toUpperCase() + text.slice(1), ...(help ? [make("small", {}, [help])] : [])]);
}
