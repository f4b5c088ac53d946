/** Elements of pages: those of HTML, and those of pictures. */

/** @typedef {string | number | boolean | ((event: any) => void)} Attribute `onclick` and the like are listeners */

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, Attribute>} attributes those that are false are left out
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function make(name, attributes = {}, children = []) {
  return filled(document.createElement(name), attributes, children);
}

/**
 * @param {string} name
 * @param {Record<string, Attribute>} attributes
 * @param {(Node | string)[]} children
 * @returns {SVGElement}
 */
export function draw(name, attributes = {}, children = []) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  return filled(/** @type {SVGElement} */ (element), attributes, children);
}

/**
 * @param {string} words
 * @param {() => void} act
 * @param {string} [label] in words, if the text is a sign
 */
export function button(words, act, label) {
  /** @type {Record<string, string>} */
  const names = label ? { "aria-label": label, title: label } : {};
  return make("button", { type: "button", onclick: act, ...names }, [words]);
}

/**
 * @template {Element} Kind
 * @param {Kind} element
 * @param {Record<string, Attribute>} attributes
 * @param {(Node | string)[]} children
 * @returns {Kind}
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}
