/** Small helpers for elements. */

/**
 * @param {string} name
 * @param {Record<string, string | boolean | EventListener>} attributes `onclick` and the like are listeners
 * @param {(string | Node)[]} content
 */
export function make(name, attributes = {}, content = []) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false) made.setAttribute(key, value);
  }
  made.append(...content);
  return made;
}

/**
 * @param {string} selector
 * @returns {any}
 */
export const find = (selector) => document.querySelector(selector);

/** The data that the build has put into the page. */
export function given() {
  return JSON.parse(find("#given").textContent);
}
