/** What is on a page already: its elements, and the data that the build has put into it. */

/**
 * @param {string} selector
 * @returns {any} the first such element
 */
export const find = (selector) => document.querySelector(selector);

/** @returns {any} the data */
export function pageData() {
  return JSON.parse(find("#given").textContent);
}

/**
 * Fill an element with what Python has made for a page; all text in it is escaped there.
 * @param {Element} element
 * @param {string} html
 */
export function fill(element, html) {
  element.innerHTML = html;
}

/**
 * Say what is wrong with the address that was opened, or nothing.
 * @param {string[]} problems
 */
export function complain(problems) {
  const notice = find("#address");
  notice.hidden = !problems.length;
  notice.textContent = problems.length ? `The link is not right. ${problems.join(" ")}` : "";
}

/** @param {string} text */
export const capital = (text) => text[0].toUpperCase() + text.slice(1);
