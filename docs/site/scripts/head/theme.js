/**
 * A classic script in the head of each page: it obeys the theme that the visitor has chosen before anything is drawn, and
 * lets the button of the bar choose another one. The documentation's own scripts keep the theme under the same name, and
 * look for it at the body.
 */

(() => {
  const NAME = "theme";
  /** The themes in the order in which the button goes through them, with its sign and what it says. */
  const THEMES = {
    auto: ["\u25d0", "as the system has it"],
    light: ["\u2600", "light"],
    dark: ["\u263e", "dark"],
  };
  const names = /** @type {(keyof typeof THEMES)[]} */ (Object.keys(THEMES));

  /** @returns {keyof typeof THEMES} */
  function kept() {
    try {
      const name = localStorage.getItem(NAME);
      return names.find((each) => each === name) ?? "auto";
    } catch {
      return "auto"; // a browser may forbid storage
    }
  }

  let theme = kept();
  document.documentElement.dataset.theme = theme;
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-switch]");
    if (!(button instanceof HTMLButtonElement)) return;

    /** @param {keyof typeof THEMES} name */
    const obey = (name) => {
      theme = name;
      document.documentElement.dataset.theme = name;
      document.body.dataset.theme = name;
      const [sign, words] = THEMES[name];
      button.textContent = `${sign}\ufe0e`; // a sign, and not a coloured picture
      button.title = `Theme: ${words}`;
      button.setAttribute("aria-label", `Theme: ${words}`);
    };

    obey(theme);
    button.hidden = false;
    button.addEventListener("click", () => {
      obey(names[(names.indexOf(theme) + 1) % names.length]);
      keep(theme);
    });
    addEventListener("storage", ({ key }) => key === NAME && obey(kept())); // another tab has changed it
  });

  /** @param {string} name */
  function keep(name) {
    try {
      localStorage.setItem(NAME, name);
    } catch {
      // then it lasts as long as the page
    }
  }
})();
