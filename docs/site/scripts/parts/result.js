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
  const parts = [];
  if (fault) parts.push(titled("The run failed", faultOf(fault, places, text)));
  for (const value of values) parts.push(titled("Value", textOf(value, "value")));
  if (written) parts.push(titled("Written", textOf(written)));
  if (boards.length) parts.push(picturesOf(boards));
  return orNothing(parts);
}

/**
 * The same for a lesson: what was written, the values, and a fault last, without titles. A board stands in place of its value.
 * @param {Found} found
 * @param {Goal} text
 */
export function briefResultOf({ written, values, boards, fault, places }, text) {
  const parts = [];
  if (written) parts.push(textOf(written));
  if (boards.length) parts.push(picturesOf(boards));
  else for (const value of values) parts.push(textOf(value, "value"));
  if (fault) parts.push(faultOf(fault, places, text));
  return orNothing(parts);
}

/**
 * @param {string} title
 * @param {HTMLElement} part
 */
const titled = (title, part) => make("div", { class: "part" }, [make("h2", {}, [title]), part]);

/** @param {string} text */
const textOf = (text, kind = "") => make("pre", { class: kind, tabindex: "0" }, [text]);

/**
 * @param {string} fault
 * @param {Place[]} places
 * @param {Goal} text
 */
const faultOf = (fault, places, text) => make("ul", { class: "problems" }, [failure(fault, places, text)]);

/** @param {string[]} boards as SVG */
function picturesOf(boards) {
  const pictures = make("div", { class: "boards" });
  fill(pictures, boards.join(""));
  return pictures;
}

/** @param {HTMLElement[]} parts */
const orNothing = (parts) =>
  parts.length ? parts : [make("p", { class: "note" }, ["The program ran, and wrote nothing."])];
