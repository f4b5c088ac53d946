/** What can be done in the editor, each by a key and by a button; and a row of the signs that no keyboard has. */

import { startCompletion } from "@codemirror/autocomplete";
import { indentLess, indentMore, isolateHistory, redo, toggleComment, undo } from "@codemirror/commands";
import { nextDiagnostic } from "@codemirror/lint";
import { findNext, gotoLine, openSearchPanel } from "@codemirror/search";
import { EditorView, keymap, showDialog, showPanel } from "@codemirror/view";
import SPELLINGS from "spellings.json";

import { make } from "../../../../cpl/study/views/static/elements.js";
import { capital } from "./page.js";
import { Refused, Stopped } from "./python.js";
import { keyName, signsOf } from "./typing.js";

/** @typedef {{words: string, key: string, run: (view: EditorView) => unknown}} Command */
/** @typedef {{from: number, to: number, text: string}} Change */

/**
 * @typedef {object} Settings
 * @property {import("./python.js").Python} python
 * @property {() => {name: string, reading: string}} program
 * @property {() => void} [run] runs the text; without it no key does
 */

const SPELLED = signsOf(SPELLINGS);
const isMac = /Mac|iP(hone|ad)/.test(navigator.platform);

/** @param {Settings} settings */
export function commands(settings) {
  const { run } = settings;
  const keys = new Keys();
  /** @type {Command[]} */
  const all = [
    ...(run ? [{ words: "Run", key: "Mod-Enter", run }] : []),
    { words: "Complete a name or a sign", key: "Ctrl-Space", run: startCompletion },
    { words: "Find and replace", key: "Mod-f", run: openSearchPanel },
    { words: "Find the next", key: "F3", run: findNext },
    { words: "Turn lines into comments, or back", key: "Mod-/", run: toggleComment },
    { words: "Go to the definition", key: "F12", run: (view) => showDefinition(view, settings) },
    { words: "Rename", key: "F2", run: (view) => rename(view, settings) },
    { words: "Format", key: "Shift-Alt-f", run: (view) => format(view, settings) },
    { words: "Indent more", key: "Mod-]", run: indentMore },
    { words: "Indent less", key: "Mod-[", run: indentLess },
    { words: "Go to the next problem", key: "F8", run: nextDiagnostic },
    { words: "Go to a line", key: "Mod-Alt-g", run: gotoLine },
    { words: "Undo", key: "Mod-z", run: undo },
    { words: "Redo", key: isMac ? "Mod-Shift-z" : "Mod-y", run: redo },
    { words: "Show the keys", key: "F1", run: () => keys.open() },
  ];
  return [
    keymap.of(all.map(({ key, run }) => ({ key, run: (view) => run(view) !== false }))),
    EditorView.domEventHandlers({ mousedown: (event, view) => followed(event, view, settings) }),
    showPanel.of((view) => signRow(view, keys, all)),
    EditorView.scrollMargins.of((view) => {
      const row = view.dom.querySelector(".signs");
      return row && getComputedStyle(row).position === "fixed" ? { bottom: row.clientHeight } : null;
    }),
  ];
}

// What Python knows

/**
 * Ask Python about the text, and act on the answer if it still is the text. Say why if Python refuses.
 * @param {EditorView} view
 * @param {Settings} settings
 * @param {string} question
 * @param {object} given
 * @param {(answer: any) => unknown} act
 */
async function asked(view, { python }, question, given, act) {
  const { doc } = view.state;
  const wanted = () => view.state.doc.eq(doc);
  try {
    const answer = await python.ask(question, { text: doc.toString(), ...given }, wanted);
    if (wanted()) await act(answer);
  } catch (error) {
    if (error instanceof Refused) say(view, error.message);
    else if (!(error instanceof Stopped)) throw error;
  }
}

/**
 * @param {EditorView} view
 * @param {string} words
 */
function say(view, words) {
  const sentence = `${capital(words)}${words.endsWith(".") ? "" : "."}`;
  const content = () =>
    make("form", { role: "alert" }, [sentence, " ", make("button", { class: "cm-button", type: "submit" }, ["OK"])]);
  showDialog(view, { content, focus: "button" });
}

/**
 * @param {EditorView} view
 * @param {Change[]} changes
 */
function change(view, changes) {
  view.dispatch({
    changes: changes.map(({ from, to, text }) => ({ from, to, insert: text })),
    annotations: isolateHistory.of("full"),
  });
}

/**
 * @param {EditorView} view
 * @param {Settings} settings
 * @param {number} offset
 */
function showDefinition(view, settings, offset = view.state.selection.main.head) {
  asked(view, settings, "definition", { ...settings.program(), offset }, ({ from, to }) => {
    const effects = EditorView.scrollIntoView(from, { y: "center" });
    view.dispatch({ selection: { anchor: from, head: to }, effects });
    view.focus();
  });
}

/**
 * A name that is pressed with Ctrl, or ⌘, leads to its definition.
 * @param {MouseEvent} event
 * @param {EditorView} view
 * @param {Settings} settings
 */
function followed(event, view, settings) {
  const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
  if (event.button || !(isMac ? event.metaKey : event.ctrlKey) || at === null) return false;
  showDefinition(view, settings, at);
  return true;
}

/**
 * @param {EditorView} view
 * @param {Settings} settings
 */
function rename(view, settings) {
  const { name } = settings.program();
  const { doc, selection } = view.state;
  const offset = selection.main.head;
  asked(view, settings, "renamable", { name, offset }, async (old) => {
    const input = { type: "text", value: old, autocapitalize: "off", autocomplete: "off", spellcheck: "false" };
    const label = `New name of ${old}`;
    const form = await showDialog(view, { label, input, submitLabel: "Rename", focus: true }).result;
    const given = form && String(new FormData(form).get("input")).trim();
    if (!given || given === old || !view.state.doc.eq(doc)) return;
    await asked(view, settings, "rename", { name, offset, new: given }, (changes) => change(view, changes));
  });
}

/**
 * @param {EditorView} view
 * @param {Settings} settings
 */
function format(view, settings) {
  const { name } = settings.program();
  asked(view, settings, "formatted", { name }, (changes) => {
    if (changes.length) change(view, changes);
    else say(view, "the text has the style of cpl fmt");
  });
}

// What can be pressed

/** The list of the keys. What it lists can be pressed, too, as a phone has no such keys. */
class Keys {
  constructor() {
    this.dialog = make("dialog", { class: "keys", "aria-label": "Keys and signs", closedby: "any" });
  }

  open() {
    this.dialog.showModal();
  }

  /**
   * @param {EditorView} view
   * @param {Command[]} all
   */
  fill(view, all) {
    const close = () => this.dialog.close();
    const obey = (/** @type {Command} */ { run }) => {
      close();
      view.focus();
      run(view);
    };
    const items = all.map((command) =>
      make("li", {}, [
        make("button", { type: "button", onclick: () => obey(command) }, [
          make("span", {}, [command.words]),
          " ",
          make("kbd", {}, [keyName(command.key, isMac)]),
        ]),
      ]),
    );
    const signs = SPELLED.map(({ text, typed }) => make("li", {}, [make("b", {}, [text]), typed.join(" ")]));
    const mouse = `${keyName("Mod", isMac)} and a click on a name lead to its definition.`;
    this.dialog.replaceChildren(
      make("h2", {}, ["Keys"]),
      make("ul", { class: "commands" }, items),
      make("p", {}, [`The Tab key leaves the editor; while a list is open, it takes what is chosen there. ${mouse}`]),
      make("h2", {}, ["Signs"]),
      make("p", {}, ["Type a name and press Enter: \\to becomes →. Greek letters have names, too: \\sigma becomes σ."]),
      make("ul", { class: "spelled" }, signs),
      make("button", { type: "button", onclick: close }, ["Close"]),
    );
  }
}

/**
 * A row of the signs. On a phone it stands above the keyboard while one types.
 * @param {EditorView} view
 * @param {Keys} keys
 * @param {Command[]} all
 * @returns {import("@codemirror/view").Panel}
 */
function signRow(view, keys, all) {
  const insert = (/** @type {string} */ text) => {
    view.dispatch(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
    view.focus();
  };
  const buttons = SPELLED.map(({ text, typed, words, names }) => {
    const title = `${words} Typed ${typed.join(" or ")}.`;
    const label = `${text} ${names[0]}`;
    return make("button", { type: "button", "aria-label": label, title, onclick: () => insert(text) }, [text]);
  });
  buttons.push(make("button", { type: "button", onclick: () => keys.open() }, ["Keys"]));
  keys.fill(view, all);

  // One stop for the Tab key; the arrows lead from button to button.
  buttons.forEach((button, index) => (button.tabIndex = index ? -1 : 0));
  const move = (/** @type {KeyboardEvent} */ event) => {
    const at = buttons.findIndex((button) => button === event.target);
    /** @type {Record<string, number>} */
    const goals = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    if (!(event.key in goals)) return;
    const next = buttons.at(goals[event.key] % buttons.length);
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next?.focus();
    event.preventDefault();
  };
  const keep = (/** @type {Event} */ event) => event.preventDefault(); // the focus stays, and so does the keyboard
  const row = make(
    "div",
    { class: "signs", role: "toolbar", "aria-label": "Signs", onkeydown: move, onmousedown: keep },
    buttons,
  );
  const place = () => {
    const { offsetTop, height } = /** @type {VisualViewport} */ (visualViewport);
    row.style.setProperty("--keyboard", `${Math.max(0, innerHeight - offsetTop - height)}px`);
  };
  const changes = /** @type {const} */ (["resize", "scroll"]);
  return {
    dom: make("div", { class: "sign-panel" }, [row, keys.dialog]),
    mount: () => changes.forEach((name) => visualViewport?.addEventListener(name, place)),
    destroy: () => changes.forEach((name) => visualViewport?.removeEventListener(name, place)),
  };
}
