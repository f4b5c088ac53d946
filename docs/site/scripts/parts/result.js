/** What a call gives, as elements. */

import { make } from "../../../../cpl/study/views/static/elements.js";
import { fill } from "./page.js";

/** @typedef {{written: string, values: string[], boards: string[], fault: string | null, places: string[]}} Found */

/** @param {Found} found what `run` answered */
export function resultOf({ written, values, boards, fault, places }) {
  /** @type {HTMLElement[]} */
  const parts = [];
  if (fault) parts.push(part("The run failed", [fault, ...places].join("\n  "), "fault"));
  for (const value of values) parts.push(part("Value", value, "value"));
  if (written) parts.push(part("Written", written, ""));
  if (boards.length) {
    const pictures = make("div", { class: "boards" });
    fill(pictures, boards.join(""));
    parts.push(pictures);
  }
  return parts.length ? parts : [make("p", { class: "note" }, ["The program ran, and wrote nothing."])];
}

/**
 * @param {string} title
 * @param {string} text
 * @param {string} kind
 */
function part(title, text, kind) {
  return make("div", { class: "part" }, [make("h2", {}, [title]), make("pre", { class: kind, tabindex: "0" }, [text])]);
}
