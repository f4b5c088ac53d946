/** What a call gives, as elements. */

import { make } from "../../../../cpl/study/views/static/elements.js";
import { fill } from "./page.js";
import { failure } from "./problems.js";

/** @import { Goal, Place } from "./problems.js" */
/** @typedef {{written: string, values: string[], boards: string[], fault: string | null, places: Place[]}} Found */

/**
 * @param {Found} found what `run` answered
 * @param {Goal} text where the text is, for the lines that led to a fault
 */
export function resultOf({ written, values, boards, fault, places }, text) {
  /** @type {HTMLElement[]} */
  const parts = [];
  if (fault) {
    const lines = make("ul", { class: "problems" }, [failure(fault, places, text)]);
    parts.push(make("div", { class: "part" }, [make("h2", {}, ["The run failed"]), lines]));
  }
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
