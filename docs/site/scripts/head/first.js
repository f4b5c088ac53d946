/**
 * A classic script in the head of each page. It runs before all others, also where those do not come, and from a file:
 * controls appear only where scripts run, and what keeps the page from working is said.
 */

(() => {
  const { classList } = document.documentElement;
  if (location.protocol === "file:") {
    classList.add("from-file");
    return;
  }
  classList.add("scripts");
  let isAlive = false;

  document.addEventListener("load", ({ target }) => (isAlive ||= target instanceof HTMLScriptElement), true);
  addEventListener(
    "error",
    ({ target, message }) => {
      if (target instanceof HTMLScriptElement) {
        const name = target.src.replace(/^.*\//, "");
        tell(`The scripts of this page did not load: ${name}, or a file that it needs, is missing or damaged.`);
      } else if (message) {
        tellError(message);
      }
    },
    true,
  );
  addEventListener("unhandledrejection", ({ reason }) => tellError(String(reason)));

  /** @param {string} message */
  function tellError(message) {
    if (message.startsWith("ResizeObserver")) return; // which is no error: it goes on with the next frame
    tell(`A script of this page failed: ${message}.`);
  }

  /**
   * Say what is wrong. If the page has not come alive, its controls do nothing, and are taken away.
   * @param {string} what
   */
  function tell(what) {
    const notice = document.getElementById("trouble");
    if (!isAlive) classList.remove("scripts");
    if (!notice) return;
    notice.hidden = false;
    notice.textContent = `${what} Reload the page. If that does not help, the server may lack a part of the site.`;
  }
})();
