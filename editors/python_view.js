/**
 * The Python of a text: a document beside it that nobody can edit. It follows the text, and the cursor in one of the two
 * lights up its lines in the other.
 */
"use strict";

const vscode = require("vscode");

/** @typedef {[number, number] | null} Origin the first and last line of CPL that a line of Python comes from */
/** @typedef {{python: string, lines: Origin[]}} Listing what the server answers */
/** @typedef {(uri: string) => PromiseLike<Listing | null | undefined>} Ask nothing comes of a text with errors */

const SCHEME = "cpl-python";
const PAUSE = 200; // milliseconds without a key, before the Python is asked for again
const NOTHING = "# The Python appears here when the text has no errors and the language server runs.\n";

/**
 * The lines of Python for a line of CPL: those of what begins there, or else of the least that goes on there.
 * @param {Origin[]} lines
 * @param {number} line
 */
function pythonLines(lines, line) {
  const numbers = [...lines.keys()];
  const begun = numbers.filter((each) => lines[each]?.[0] === line);
  if (begun.length) return begun;
  const size = (/** @type {number} */ each) => {
    const [first, last] = lines[each] ?? [0, -1];
    return first <= line && line <= last ? last - first : Infinity;
  };
  const least = Math.min(...numbers.map(size));
  return least === Infinity ? [] : numbers.filter((each) => size(each) === least);
}

/**
 * The lines of CPL for a line of Python.
 * @param {Origin[]} lines
 * @param {number} line
 */
function cplLines(lines, line) {
  const [first, last] = lines[line] ?? [0, -1];
  return Array.from({ length: last - first + 1 }, (_, each) => first + each);
}

/**
 * The address of the Python of a text; it holds that of the text.
 * @param {import("vscode").Uri} source
 */
function pythonUri(source) {
  return vscode.Uri.from({ scheme: SCHEME, path: `${source.path}.py`, query: source.toString() });
}

class PythonView {
  /** @param {Ask} ask */
  constructor(ask) {
    this.ask = ask;
    /** @type {Map<string, Listing & {stale: boolean}>} by the address of the text */
    this.listings = new Map();
    /** @type {Map<string, NodeJS.Timeout>} */
    this.timers = new Map();
    /** @type {import("vscode").EventEmitter<import("vscode").Uri>} */
    this.changes = new vscode.EventEmitter();
    this.onDidChange = this.changes.event;
    this.lit = vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor("editor.wordHighlightStrongBackground"),
      overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.wordHighlightStrongForeground"),
    });
    this.faded = vscode.window.createTextEditorDecorationType({ opacity: "0.6" });
    this.disposables = [
      this.changes,
      this.lit,
      this.faded,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#changed(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => uri.scheme === SCHEME && this.listings.delete(uri.query)),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#link(textEditor)),
    ];
  }

  dispose() {
    for (const timer of this.timers.values()) clearTimeout(timer);
    for (const each of this.disposables) each.dispose();
  }

  /** @param {import("vscode").TextEditor} editor where the text is */
  async show(editor) {
    const page = await vscode.workspace.openTextDocument(pythonUri(editor.document.uri));
    await vscode.window.showTextDocument(page, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: false,
    });
    this.#link(editor);
  }

  /** @param {import("vscode").Uri} uri */
  async provideTextDocumentContent(uri) {
    if (!this.listings.has(uri.query)) await this.#update(vscode.Uri.parse(uri.query, true));
    return this.listings.get(uri.query)?.python ?? NOTHING;
  }

  /** @param {import("vscode").TextDocument} document */
  #changed({ uri }) {
    const key = uri.toString();
    if (uri.scheme === SCHEME) {
      for (const editor of vscode.window.visibleTextEditors) this.#link(editor);
    } else if (this.listings.has(key)) {
      clearTimeout(this.timers.get(key));
      const refresh = async () => {
        await this.#update(uri);
        this.changes.fire(pythonUri(uri));
      };
      this.timers.set(key, setTimeout(refresh, PAUSE));
    }
  }

  /**
   * Ask for the Python of a text. While the text has errors the last Python stays, faded and without links.
   * @param {import("vscode").Uri} uri
   */
  async #update(uri) {
    const key = uri.toString();
    const version = () => vscode.workspace.textDocuments.find((each) => each.uri.toString() === key)?.version;
    const asked = version();
    const found = await Promise.resolve(this.ask(key)).catch(() => null);
    if (asked !== version()) return; // what changed it asks again
    const before = this.listings.get(key) ?? { python: NOTHING, lines: [] };
    this.listings.set(key, found ? { ...found, stale: false } : { ...before, stale: true });
    this.#fade(key);
  }

  /**
   * The editors that show the Python of a text.
   * @param {string} key
   */
  #pages(key) {
    return vscode.window.visibleTextEditors.filter(
      ({ document: { uri } }) => uri.scheme === SCHEME && uri.query === key,
    );
  }

  /** @param {string} key */
  #fade(key) {
    const all = new vscode.Range(0, 0, Number.MAX_SAFE_INTEGER, 0);
    const stale = this.listings.get(key)?.stale;
    for (const page of this.#pages(key)) {
      page.setDecorations(this.faded, stale ? [all] : []);
      if (stale) page.setDecorations(this.lit, []);
    }
  }

  /**
   * Light up the lines that belong to the cursor of this editor.
   * @param {import("vscode").TextEditor} editor
   */
  #link(editor) {
    const { uri } = editor.document;
    const inPython = uri.scheme === SCHEME;
    const key = inPython ? uri.query : uri.toString();
    const listing = this.listings.get(key);
    if (!listing) return;
    const others = inPython
      ? vscode.window.visibleTextEditors.filter(({ document }) => document.uri.toString() === key)
      : this.#pages(key);
    const find = inPython ? cplLines : pythonLines;
    const found = listing.stale ? [] : find(listing.lines, editor.selection.active.line);
    const ranges = found.map((line) => new vscode.Range(line, 0, line, 0));
    editor.setDecorations(this.lit, []);
    for (const other of others) {
      other.setDecorations(this.lit, ranges);
      if (ranges.length) other.revealRange(ranges[0], vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }
}

module.exports = { PythonView, cplLines, pythonLines, pythonUri };
