/** Long lines of an editor that wrap: the rest of a line stands deeper than the line, unless that is very deep. */

import { RangeSetBuilder, countColumn } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin } from "@codemirror/view";

/** @import { DecorationSet, ViewUpdate } from "@codemirror/view" */

const DEEPER = 2;
/** An indentation beyond this leaves a phone no room. */
const DEEPEST = 16;

class Hanging {
  /** @param {EditorView} view */
  constructor(view) {
    this.decorations = hanging(view);
  }

  /** @param {ViewUpdate} update */
  update({ docChanged, viewportChanged, view }) {
    if (docChanged || viewportChanged) this.decorations = hanging(view);
  }
}

/**
 * The lines in sight, each with its own indentation for what wraps.
 * @param {EditorView} view
 * @returns {DecorationSet}
 */
function hanging({ state: { doc, tabSize }, visibleRanges }) {
  /** @type {RangeSetBuilder<Decoration>} */
  const builder = new RangeSetBuilder();
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to;) {
      const line = doc.lineAt(at);
      const blanks = line.text.slice(0, line.text.length - line.text.trimStart().length);
      const indentation = countColumn(blanks, tabSize);
      const columns = Math.min(indentation + DEEPER, DEEPEST);
      const style = `padding-left: calc(6px + ${columns}ch); text-indent: -${columns}ch`;
      builder.add(line.from, line.from, Decoration.line({ attributes: { style } }));
      at = line.to + 1;
    }
  }
  return builder.finish();
}

export const wrapping = [
  EditorView.lineWrapping,
  ViewPlugin.fromClass(Hanging, { decorations: ({ decorations }) => decorations }),
];
