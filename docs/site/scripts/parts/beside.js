/** A program beside its Python: an editor, a listing, and lines that light up together. */

import { CplEditor } from "./editor.js";
import { find, make } from "./elements.js";
import { Refused, newest } from "./python.js";

const MARGIN = 24;

export class Beside {
  /**
   * @param {object} settings
   * @param {HTMLElement} settings.editor where the editor goes; what is in it is replaced
   * @param {HTMLElement} settings.target the `pre` of the Python
   * @param {HTMLElement} settings.problems the list of problems
   * @param {string} settings.text
   * @param {import("./python.js").Python} settings.python
   * @param {() => {name: string, reading: string}} settings.program
   * @param {(text: string) => void} [settings.typed]
   * @param {(text: string) => Promise<void>} [settings.compiled] after the Python of a sound text is shown
   */
  constructor({ editor, target, problems, text, python, program, typed, compiled }) {
    this.target = target;
    this.problems = problems;
    this.python = python;
    this.program = program;
    this.compiled = compiled;
    /** @type {{cpl: (number | null)[], python: (number | null)[]}} */
    this.groups = { cpl: [], python: [] };
    this.compile = newest((source) => this.#compile(source));
    editor.replaceChildren();
    this.editor = new CplEditor({
      parent: editor,
      text,
      label: "Program in CPL",
      python,
      program,
      typed: (source) => {
        this.target.classList.add("stale");
        typed?.(source);
      },
      checked: (found, source) => this.#checked(found, source),
      pointed: (line) => this.light(this.groups.cpl[line - 1] ?? null),
    });
    for (const event of ["mousemove", "click"]) target.addEventListener(event, (each) => this.#point(each));
    target.addEventListener("mouseleave", () => this.light(null));
  }

  /** Everything anew, as the text or the reading is another one. */
  refresh() {
    return this.editor.check();
  }

  /**
   * Show what is known already of the text.
   * @param {{check: any, python: any}} found
   */
  show({ check, python }) {
    this.editor.show(check);
    this.#list(check.diagnostics);
    this.#showPython(python);
    const first = python.groups.python.findIndex((each) => each !== null);
    if (first > 0) scrollTo(this.target, this.target.children[first]);
  }

  /**
   * Light the lines of a group on both sides.
   * @param {number | null} group
   */
  light(group) {
    if (group === this.lit) return;
    this.lit = group;
    const numbers = group === null ? [] : this.groups.cpl.flatMap((each, index) => (each === group ? [index + 1] : []));
    this.editor.markLines({ lit: numbers });
    [...this.target.children].forEach((line, index) =>
      line.classList.toggle("lit", group !== null && this.groups.python[index] === group),
    );
    const first = this.target.querySelector(".lit");
    const isHere = this.target.matches(":hover");
    if (first && !isHere) scrollInto(this.target, first);
  }

  #point({ target, type }) {
    const line = target.closest?.(".line");
    const group = line ? this.groups.python[[...this.target.children].indexOf(line)] ?? null : null;
    this.light(group);
    if (type === "click" && group !== null) {
      const { doc } = this.editor.view.state;
      this.editor.goTo(doc.line(this.groups.cpl.indexOf(group) + 1).from);
    }
  }

  /** @param {any[]} found */
  #checked(found, source) {
    this.#list(found);
    if (found.some(({ severity }) => severity === "error")) return;
    this.compile(source);
  }

  async #compile(source) {
    try {
      const found = await this.python.ask("python", { ...this.program(), text: source });
      if (source !== this.editor.text) return;
      this.#showPython(found);
      await this.compiled?.(source);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }

  #showPython({ lines, groups, changed }) {
    this.groups = groups;
    this.lit = null;
    const marked = new Set(changed.python);
    this.target.classList.remove("stale");
    this.target.innerHTML = lines
      .map((line, index) => `<span class="line${marked.has(index + 1) ? " changed" : ""}">${line || "​"}</span>`)
      .join("");
    this.editor.markLines({ changed: changed.cpl, lit: [] });
  }

  /** @param {any[]} found */
  #list(found) {
    this.problems.replaceChildren(
      ...found.map((each) =>
        make("li", { class: each.severity }, [
          make("button", { type: "button", class: "place", onclick: () => this.editor.goTo(each.from) }, [
            `Line ${each.line}`,
          ]),
          make("span", {}, [
            make("b", {}, [`${each.severity}: `]),
            each.message,
            ...(each.help ? [make("small", {}, [` ${each.help}`])] : []),
          ]),
          ...each.fixes.map((fix) =>
            make("button", { type: "button", class: "fix", onclick: () => this.editor.apply(fix) }, [fix.advice]),
          ),
        ]),
      ),
    );
    const count = find("[data-problems]");
    if (count) count.textContent = found.length ? `${found.length} problem${found.length > 1 ? "s" : ""}` : "No problems";
  }
}

/** Scroll a box, and nothing else, so that a line is at its top. */
function scrollTo(box, line) {
  box.scrollTop += line.getBoundingClientRect().top - box.getBoundingClientRect().top - MARGIN;
}

/** The same if the line cannot be seen, with some lines above it. */
function scrollInto(box, line) {
  const top = line.getBoundingClientRect().top - box.getBoundingClientRect().top;
  if (top < 0 || top > box.clientHeight - MARGIN) box.scrollTop += top - box.clientHeight / 3;
}
