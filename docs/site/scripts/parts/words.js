/** Words about CPL that Python has written, as elements: what stands in backquotes is code, and evidence is linked. */

import { make } from "../../../../cpl/study/views/static/elements.js";

const EVIDENCE = new URL("../docs/evidence.html", import.meta.url).href;
const CODE = /(`[^`]+`)/;
const ROWS = /(?<=\bEvidence: [A-Za-z0-9, ]*)\b([A-Z][0-9]+[a-z]?)\b/;

/** @param {string} paragraph */
export function worded(paragraph) {
  /** @type {(Node | string)[]} */
  const parts = [];
  for (const part of paragraph.split(CODE)) parts.push(...(CODE.test(part) ? [codeOf(part)] : linked(part)));
  return make("p", {}, parts);
}

/** @param {string} quoted */
const codeOf = (quoted) => make("code", {}, [quoted.slice(1, -1)]);

/** @param {string} text */
function linked(text) {
  return text.split(ROWS).map((part, index) => (index % 2 ? rowOf(part) : part));
}

/** @param {string} row what is open stays open beside it */
const rowOf = (row) => make("a", { href: `${EVIDENCE}#${row}`, target: "_blank" }, [row]);
