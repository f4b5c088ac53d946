/**
 * A page in one window: the text, what becomes of it, and below them the call and its result. A phone shows one of the
 * three at a time, and the call below it.
 */

/** @typedef {"cpl" | "python" | "result"} View */

export class Workplace {
  /**
   * @param {HTMLElement} main with a `.views` of buttons, one for each view
   * @param {() => void} run what Ctrl-Enter does anywhere on the page
   */
  constructor(main, run) {
    this.main = main;
    this.buttons = /** @type {HTMLButtonElement[]} */ ([...main.querySelectorAll(".views button")]);
    for (const button of this.buttons) {
      button.addEventListener("click", () => this.show(/** @type {View} */ (button.value)));
    }
    document.addEventListener("keydown", (event) => {
      const isRun = event.key === "Enter" && (event.ctrlKey || event.metaKey);
      if (!isRun || event.defaultPrevented) return; // the editor has its own keys
      event.preventDefault();
      run();
    });
  }

  /**
   * Bring a view into the window; where all have room, all stay.
   * @param {View} view
   */
  show(view) {
    this.main.dataset.view = view;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button.value === view));
  }
}
