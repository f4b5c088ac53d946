/**
 * An extension of JupyterLab: cells that begin with `%%cpl` have the colours of CPL.
 *
 * JupyterLab loads extensions as containers of module federation. One that a bundler makes is large; this one says in a few
 * lines what it needs of JupyterLab.
 */

import GRAMMAR from "../../../editors/cpl.tmLanguage.json";
import { cutter } from "./parts/cut.js";

const cut = cutter(GRAMMAR);
const MAGIC = /^%%cpl\b[^\n]*(\n|$)/;
/** @type {Record<string, Record<string, {get: () => Promise<() => any>}>>} modules of JupyterLab, by names and versions */
let scope = {};

/**
 * A module of JupyterLab.
 * @param {string} name
 */
async function shared(name) {
  const [module] = Object.values(scope[name]);
  return (await module.get())();
}

async function plugin() {
  const [{ EditorExtensionRegistry, IEditorExtensionRegistry }, { Decoration, EditorView, ViewPlugin }] =
    await Promise.all(["@jupyterlab/codemirror", "@codemirror/view"].map(shared));

  /** @param {string} text */
  function marksOf(text) {
    const magic = MAGIC.exec(text);
    if (!magic) return Decoration.none;
    const start = magic[0].length;
    const pieces = cut(text.slice(start));
    return Decoration.set(
      pieces.map(([from, to, shade]) => Decoration.mark({ class: shade }).range(start + from, start + to)),
    );
  }

  class Cell {
    /** @param {any} view */
    constructor(view) {
      this.marks = marksOf(view.state.doc.toString());
    }
    /** @param {any} update */
    update({ docChanged, state }) {
      if (docChanged) this.marks = marksOf(state.doc.toString());
    }
  }

  const isCpl = (/** @type {any} */ { state }) => MAGIC.test(state.sliceDoc(0, state.doc.line(1).to));
  const extension = [
    ViewPlugin.fromClass(Cell, { decorations: (/** @type {Cell} */ { marks }) => marks }),
    EditorView.contentAttributes.of((/** @type {any} */ view) => (isCpl(view) ? { class: "cpl-cell" } : null)),
  ];
  return {
    id: "cpl-cells:plugin",
    autoStart: true,
    requires: [IEditorExtensionRegistry],
    activate(/** @type {unknown} */ _, /** @type {any} */ registry) {
      registry.addExtension({
        name: "cpl-cells",
        factory: () => EditorExtensionRegistry.createImmutableExtension(extension),
      });
    },
  };
}

/** @type {any} */
const page = globalThis;
page._JUPYTERLAB ??= {};
page._JUPYTERLAB["cpl-cells"] = {
  init(/** @type {typeof scope} */ modules) {
    scope = modules;
  },
  async get() {
    const made = await plugin();
    return () => ({ __esModule: true, default: made });
  },
};
