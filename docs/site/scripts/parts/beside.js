/** A program beside its Python: an editor, a listing, and lines that light up together. */

import { make } from "../../../../cpl/study/views/static/elements.js";
import { CplEditor } from "./editor.js";
import { fill, find } from "./page.js";
import { problem } from "./problems.js";
import { Refused, quietly } from "./python.js";

/** @typedef {{from: number, to: number, text: string, advice: string}} Fix */
/** @typedef {{from: number, to: number, where: string, line: number, severity: string, message: string, help: string, fixes: Fix[]}} Finding */
/** @typedef {{cpl: (number | null)[], python: (number | null)[]}} Groups for each line a number that lines which belong together share */
/** @typedef {{lines: string[], groups: Groups, changed: {cpl: number[], python: number[]}, styled: boolean}} PythonFound */

const MARGIN = 24;

export class Beside {
  /**
   * @param {object} settings
   * @param {HTMLElement} settings.editor where the editor goes; what is in it is replaced
   * @param {HTMLElement} settings.target the `pre` of the Python
   * @param {HTMLElement} settings.problems the list of problems
   * @param {HTMLElement} [settings.older] says that the Python is that of an older text
   * @param {string} settings.text
   * @param {import("./python.js").Python} settings.python
   * @param {() => {name: string, reading: string}} settings.program
   * @param {(text: string) => void} [settings.typed]
   * @param {() => Promise<void>} [settings.compiled] after the Python of a sound text is shown
   * @param {(errors: number) => void} [settings.failed] when the number of errors is known
   * @param {() => void} [settings.run] what Ctrl-Enter does in the editor
   * @param {(text: string) => boolean} [settings.isKnown] whether the Python of a text is shown without asking
   */
  constructor({ editor, target, problems, older, text, python, program, typed, compiled, failed, run, isKnown }) {
    this.target = target;
    this.problems = problems;
    this.older = older;
    this.python = python;
    this.compiled = compiled;
    this.failed = failed;
    this.isKnown = isKnown;
    this.isOlder = false;
    /** @type {Groups} */
    this.groups = { cpl: [], python: [] };
    /** @type {{cpl: number[], python: number[]}} what the reading changes */
    this.changed = { cpl: [], python: [] };
    /** @type {number | null} */
    this.lit = null;
    editor.replaceChildren();
    this.editor = new CplEditor({
      parent: editor,
      text,
      label: "Program in CPL",
      python,
      program,
      typed: (source) => {
        this.target.classList.add("stale");
        this.#expect();
        typed?.(source);
      },
      run,
      checked: (found, source) => this.#checked(found, source),
      pointed: (line) => this.light(this.groups.cpl[line - 1] ?? null),
    });
    for (const name of ["mousemove", "click"]) target.addEventListener(name, (event) => this.#point(event));
    target.addEventListener("mouseleave", () => this.light(null));
  }

  /** Everything anew, as the text or the reading is another one. */
  refresh() {
    this.#expect();
    return this.editor.check();
  }

  /**
   * Show what is known already of the text.
   * @param {{check: any, python: PythonFound | null}} found
   */
  show({ check, python }) {
    this.editor.show(check);
    this.#list(check.diagnostics);
    if (!python) return;
    this.#showPython(python);
    const first = python.groups.python.findIndex((group) => group !== null);
    if (first > 0) scrollTo(this.target, this.target.children[first]);
  }

  /**
   * Show no Python, but these words, until that of the text is there.
   * @param {string} words
   */
  clear(words) {
    this.groups = { cpl: [], python: [] };
    this.target.replaceChildren(make("span", { class: "note" }, [words]));
    this.#tellAge(false);
    this.editor.markLines({ changed: [], lit: [] });
    this.problems.replaceChildren();
  }

  /** Bring what a reading changes into sight, on both sides. */
  reveal() {
    const [line] = this.changed.cpl;
    if (line) this.editor.reveal(line);
    const changed = this.target.querySelector(".changed");
    if (changed) scrollInto(this.target, changed);
  }

  /**
   * Light the lines of a group on both sides.
   * @param {number | null} group
   */
  light(group) {
    if (this.isOlder) group = null; // its lines do not belong to those of the text
    if (group === this.lit) return;
    this.lit = group;
    const numbers =
      group === null ? [] : this.groups.cpl.flatMap((number, index) => (number === group ? [index + 1] : []));
    this.editor.markLines({ lit: numbers });
    [...this.target.children].forEach((line, index) =>
      line.classList.toggle("lit", group !== null && this.groups.python[index] === group),
    );
    const first = this.target.querySelector(".lit");
    const isHere = this.target.matches(":hover");
    if (first && !isHere) scrollInto(this.target, first);
  }

  /** @param {Event} event */
  #point({ target, type }) {
    const line = /** @type {Element} */ (target).closest(".line");
    const group = line ? (this.groups.python[[...this.target.children].indexOf(line)] ?? null) : null;
    this.light(group);
    const isOfText = !this.isOlder && !this.target.classList.contains("stale");
    if (type === "click" && group !== null && isOfText) {
      const { doc } = this.editor.view.state;
      this.editor.goTo(doc.line(this.groups.cpl.indexOf(group) + 1).from);
    }
  }

  /**
   * @param {Finding[]} found
   * @param {string} source
   */
  #checked(found, source) {
    const errors = found.filter(({ severity }) => severity === "error").length;
    if (errors && !this.target.querySelector(".line")) this.clear("The text has an error: there is no Python of it.");
    if (errors) this.#tellAge(true);
    this.failed?.(errors);
    this.#list(found); // which `clear` empties
    if (!errors && !this.isKnown?.(source)) quietly(() => this.#compile());
  }

  async #compile() {
    const { asked, wanted } = this.editor.asWritten();
    try {
      const found = await this.python.ask("python", { ...asked, soon: true }, wanted);
      if (!wanted()) return;
      this.#showPython(found);
      await this.compiled?.();
      if (found.styled) return;
      const styled = await this.python.ask("python", asked, wanted);
      if (wanted()) this.#showPython(styled);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }

  /** @param {PythonFound} found */
  #showPython({ lines, groups, changed }) {
    this.groups = groups;
    this.changed = changed;
    this.lit = null;
    const marked = new Set(changed.python);
    this.target.classList.remove("stale");
    this.#tellAge(false);
    const classes = lines.map((_, index) => (marked.has(index + 1) ? "line changed" : "line"));
    fill(
      this.target,
      lines.map((line, index) => `<span class="${classes[index]}">${line || "\u200b"}</span>`).join(""),
    );
    this.editor.markLines({ changed: changed.cpl, lit: [] });
  }

  /** @param {Finding[]} found */
  #list(found) {
    this.problems.replaceChildren(...found.map((finding) => problem(finding, this.editor)));
    const words = found.length ? `${found.length} problem${found.length > 1 ? "s" : ""}` : "No problems";
    this.#count(words, true);
  }

  /** Say that the problems of the text are not known yet. The fixes of those that are listed belong to another text. */
  #expect() {
    this.#count("Not checked yet", false);
  }

  /**
   * @param {string} words
   * @param {boolean} isOfText whether they, and the list, are about the text as it is
   */
  #count(words, isOfText) {
    this.problems.inert = !isOfText;
    const count = find("[data-problems]");
    if (!count) return;
    count.setAttribute("aria-busy", String(!isOfText));
    count.classList.toggle("errors", isOfText && this.problems.querySelector(".error") !== null);
    count.textContent = words;
  }

  /** @param {boolean} isOlder whether the Python is that of an older text, as this one has an error */
  #tellAge(isOlder) {
    this.isOlder = isOlder;
    if (isOlder) this.light(null);
    if (!this.older) return;
    this.older.hidden = !isOlder || !this.target.querySelector(".line");
    this.older.textContent = "The text has an error. This is the Python of the last text that compiled.";
  }
}

/**
 * Scroll a box, and nothing else, so that a line is at its top.
 * @param {Element} box
 * @param {Element} line
 */
function scrollTo(box, line) {
  box.scrollTop += line.getBoundingClientRect().top - box.getBoundingClientRect().top - MARGIN;
}

/**
 * The same if the line cannot be seen, with some lines above it.
 * @param {Element} box
 * @param {Element} line
 */
function scrollInto(box, line) {
  const top = line.getBoundingClientRect().top - box.getBoundingClientRect().top;
  if (top < 0 || top > box.clientHeight - MARGIN) box.scrollTop += top - box.clientHeight / 3;
}
