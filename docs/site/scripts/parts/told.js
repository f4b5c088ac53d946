/** How Python stands, in words: in every element with `data-python`, and beside a button that waits for it. */

import { make } from "../../../../cpl/study/views/static/elements.js";

/** @typedef {{words: string, came: number, isLoading: boolean}} News `came` is a part of 1, 0 if it is not known */

/** @type {News} */
let now = { words: "", came: 0, isLoading: false };

/** @param {News} news */
export function tell(news) {
  now = news;
  for (const place of document.body.querySelectorAll("[data-python]")) write(place);
}

/**
 * An element that says how Python stands, from now on.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} [classes]
 */
export function teller(name, classes = "note") {
  const place = make(name, { class: classes, "data-python": "" });
  write(place);
  return place;
}

/**
 * Say beside a button, until something ends, what is loading for it.
 * @template Result
 * @param {HTMLElement} button
 * @param {Promise<Result>} work
 */
export async function beside(button, work) {
  const place = make("span", { class: "python-state", role: "status", "data-python": "loading" });
  button.after(place);
  write(place);
  try {
    return await work;
  } finally {
    place.remove();
  }
}

/** @param {Element} place */
function write(place) {
  const { words, came, isLoading } = now;
  const isOnlyLoading = /** @type {HTMLElement} */ (place).dataset.python === "loading";
  const shown = isOnlyLoading && !isLoading ? "" : words;
  const bar = place.querySelector("progress") ?? make("progress", { "aria-label": "Python" });
  const text = place.firstChild instanceof Text ? place.firstChild.data : "";
  if (text !== shown) place.replaceChildren(shown, bar);
  bar.hidden = !isLoading || !came || came >= 1;
  if (!bar.hidden) bar.value = came;
}
