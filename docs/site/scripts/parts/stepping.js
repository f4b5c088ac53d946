/** The steps of a call, with the text of the editor as the CPL whose expressions are marked. */

import { StepView } from "../../../../cpl/study/views/static/step_view.js";
import { fill } from "./page.js";

/** @typedef {import("./editor.js").CplEditor} CplEditor */

/**
 * Fill a box with the view of the steps; its buttons and keys mark the text of the editor.
 * @param {HTMLElement} box
 * @param {string} html what `steps` answered
 * @param {CplEditor} editor
 */
export function showSteps(box, html, editor) {
  fill(box, html);
  const view = new StepView(/** @type {HTMLElement} */ (box.querySelector(".cpl-steps")), new Marks(editor));
  const sections = /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll(".state > section"));
  for (const section of sections) section.tabIndex = 0; // as it scrolls in a window that is not high
  return view;
}

/** What a step is about, marked in an editor. Offsets count code points, as Python does. */
class Marks {
  /** @param {CplEditor} editor */
  constructor(editor) {
    this.editor = editor;
    this.signs = [...editor.text];
  }

  clear() {
    this.editor.markStep(null);
  }

  /**
   * @param {number} start
   * @param {number} end
   * @param {string} value
   */
  markSpan(start, end, value) {
    const from = this.#unit(start);
    this.editor.markStep({ from, to: from + this.signs.slice(start, end).join("").length, value });
  }

  /** @param {number} offset */
  #unit(offset) {
    return this.signs.slice(0, offset).join("").length;
  }
}
