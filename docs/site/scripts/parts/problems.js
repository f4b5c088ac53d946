/** Problems of a text, of a call and of a run, as items of a list. */

import { make } from "../../../../cpl/study/views/static/elements.js";

/** @import { Finding, Fix } from "./beside.js" */
/**
 * @typedef {object} Place a line that led to a failure, in three pieces, of which the second is meant
 * @property {string} words how it was reached
 * @property {string | null} where as for a finding; null if there are only words
 * @property {number} line
 * @property {number | null} from
 * @property {[string, string, string]} pieces
 */
/**
 * @typedef {object} Goal where a text is written
 * @property {(from: number, to: number) => void} goTo
 * @property {(fix: Fix) => void} apply
 */

/**
 * @param {Finding} finding
 * @param {Goal} text
 * @param {Goal} [call]
 */
export function problem({ severity, from, to, where, line, message, help, fixes: [fix] }, text, call) {
  const goal = where === "call" ? call : where ? undefined : text;
  return make("li", { class: severity }, [
    placed(where, line, goal && (() => goal.goTo(from, to))),
    make("span", {}, [make("b", {}, [`${severity}: `]), message, ...(help ? [make("small", {}, [` ${help}`])] : [])]),
    ...(fix && goal
      ? [make("button", { type: "button", class: "fix", onclick: () => goal.apply(fix) }, [fix.advice])]
      : []),
  ]);
}

/**
 * A fault, and the lines that led to it.
 * @param {string} fault
 * @param {Place[]} places
 * @param {Goal} text
 */
export function failure(fault, places, text) {
  const lines = places.map(({ words, where, line, from, pieces }) => {
    if (where === null) return make("div", {}, [words]);
    const [before, meant, after] = pieces;
    const goTo = from === null ? undefined : () => text.goTo(from, from);
    const code = make("code", {}, [before, make("mark", {}, [meant]), after]);
    return make("div", {}, [`${words} `, placed(where, line, goTo), " ", code]);
  });
  return make("li", { class: "error" }, [
    make("span", {}, [make("b", { class: "fault" }, ["fault: "]), fault, ...lines]),
  ]);
}

/**
 * Where something is, as a button that leads there if it can.
 * @param {string} where
 * @param {number} line
 * @param {(() => void) | undefined} goTo
 */
function placed(where, line, goTo) {
  const words = where === "call" ? "Call" : where ? `Line ${line} of ${where}` : `Line ${line}`;
  return goTo ? make("button", { type: "button", class: "place", onclick: goTo }, [words]) : make("span", {}, [words]);
}

/**
 * The field of a call, in which problems have their places, too.
 * @param {HTMLInputElement} field
 * @returns {Goal}
 */
export function goalOf(field) {
  const goTo = (/** @type {number} */ from, /** @type {number} */ to) => {
    field.focus();
    field.setSelectionRange(from, to);
  };
  return {
    goTo,
    apply({ from, to, text }) {
      field.setRangeText(text, from, to, "end");
      field.dispatchEvent(new Event("input"));
      field.focus();
    },
  };
}
