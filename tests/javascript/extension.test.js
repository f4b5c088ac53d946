/** The VS Code extension without VS Code: the Python beside a text, the links of their lines, a server that is missing. */

import assert from "node:assert/strict";
import fs from "node:fs";
import Module, { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { after, afterEach, beforeEach, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

const require = createRequire(import.meta.url);
const SOURCE = "file:///here/a.cpl";
/** Two functions: the first on lines 0 to 2 of CPL, the second on line 4. */
const LISTING = {
  python: ["import", "def F(x):", "    while x:", "        x = 0", "    return x", "def G(): return 1"].join("\n"),
  lines: [null, [0, 2], [1, 2], [2, 2], [2, 2], [4, 4]],
};

class Uri {
  constructor(parts) {
    Object.assign(this, { scheme: "file", path: "", query: "", ...parts });
  }
  static from = (parts) => new Uri(parts);
  static parse(text) {
    const [scheme, path] = text.split("://");
    return new Uri({ scheme, path });
  }
  toString() {
    return `${this.scheme}://${this.path}${this.query && `?${this.query}`}`;
  }
}

class Event {
  handlers = [];
  event = (handler) => {
    this.handlers.push(handler);
    return { dispose: () => (this.handlers = this.handlers.filter((each) => each !== handler)) };
  };
  fire = (value) => this.handlers.forEach((handler) => handler(value));
  dispose() {}
}

class Editor {
  marks = new Map();
  constructor(document) {
    this.document = document;
    this.selection = { active: { line: 0 } };
  }
  setDecorations(kind, ranges) {
    this.marks.set(
      kind.name,
      ranges.map((range) => range.line),
    );
  }
  revealRange(range) {
    this.revealed = range.line;
  }
}

const changed = new Event();
const closed = new Event();
const selected = new Event();
let visible, documents, provider, commands, errors, output, input, settings, answer, opened, started;

const anything = () => ({ dispose() {} });
const vscode = {
  Uri,
  EventEmitter: Event,
  CodeLens: class {},
  Range: class {
    constructor(line) {
      this.line = line;
    }
  },
  ThemeColor: class {},
  ProgressLocation: {},
  TextEditorRevealType: {},
  ViewColumn: {},
  workspace: {
    get textDocuments() {
      return documents;
    },
    get workspaceFolders() {
      return opened.map((fsPath) => ({ uri: { scheme: "file", fsPath } }));
    },
    getConfiguration: () => ({ get: (name, otherwise) => settings[name] ?? otherwise }),
    onDidChangeConfiguration: anything,
    onDidChangeTextDocument: changed.event,
    onDidCloseTextDocument: closed.event,
    registerTextDocumentContentProvider(_, found) {
      provider = found;
      return found.onDidChange(async (uri) => {
        const page = documents.find((each) => String(each.uri) === String(uri));
        page.text = await found.provideTextDocumentContent(uri);
        changed.fire({ document: page });
      });
    },
    async openTextDocument(uri) {
      const page = { uri, version: 1, text: await provider.provideTextDocumentContent(uri) };
      documents.push(page);
      return page;
    },
  },
  window: {
    get visibleTextEditors() {
      return visible;
    },
    get activeTextEditor() {
      return visible[0];
    },
    createOutputChannel: () => ({
      append: (text) => (output += text),
      clear: () => (output = ""),
      show() {},
      dispose() {},
    }),
    createTextEditorDecorationType: ({ opacity }) => ({ name: opacity ? "faded" : "lit", dispose() {} }),
    onDidChangeTextEditorSelection: selected.event,
    showErrorMessage: async (message) => void errors.push(message),
    showInputBox: async () => input,
    showTextDocument: async (page) => visible.push(new Editor(page)),
    withProgress: (_, task) => task({}, {}),
  },
  languages: { registerCodeLensProvider: anything },
  commands: {
    registerCommand: (name, run) => ((commands[name] = run), anything()),
    registerTextEditorCommand: (name, run) => ((commands[name] = () => run(visible[0])), anything()),
  },
};

/** A client whose server does what `answer` says: it fails to start, or answers a command. */
class LanguageClient {
  state = "stopped";
  constructor(_id, _name, server) {
    started = server;
  }
  error() {}
  createDefaultErrorHandler = () => ({ closed: async () => ({ action: "restart" }) });
  async start() {
    if (answer instanceof Error) throw answer;
    this.state = "running";
  }
  async dispose() {
    this.state = "stopped";
  }
  sendRequest = async (_, { command, arguments: words }) => answer(command, ...words);
}
const client = {
  CloseAction: {},
  ErrorAction: {},
  ExecuteCommandRequest: {},
  LanguageClient,
  State: { Running: "running" },
};

const load = Module._load;
Module._load = (name, ...rest) => ({ vscode, "vscode-languageclient/node": client })[name] ?? load(name, ...rest);
const { activate } = require("../../editors/extension.js");
const { programPath } = require("../../editors/command.js");
Module._load = load;

/** A folder of the tests, on PATH, with an executable file `cpl`. */
const BIN = fs.mkdtempSync(path.join(os.tmpdir(), "cplc-"));
const PROGRAM = path.join(BIN, "cpl");
fs.writeFileSync(PROGRAM, "", { mode: 0o755 });
process.env.PATH = `${BIN}${path.delimiter}${process.env.PATH}`;
after(() => fs.rmSync(BIN, { recursive: true }));

const text = () => documents[0];
const page = () => visible[1];
const context = { subscriptions: [] };

/** Put the cursor somewhere. */
function goTo(editor, line) {
  editor.selection.active.line = line;
  selected.fire({ textEditor: editor });
}

async function type(result) {
  answer = () => result;
  text().version += 1;
  changed.fire({ document: text() });
  await pause(400);
}

async function start(reply) {
  answer = reply;
  activate(context);
  await pause(0);
}

beforeEach(() => {
  [errors, output, input, settings, commands] = [[], "", undefined, {}, {}];
  [opened, started] = [[], undefined];
  documents = [{ uri: Uri.parse(SOURCE), version: 1, getText: (selection) => selection.text ?? "" }];
  visible = [new Editor(documents[0])];
});

afterEach(() => {
  for (const each of context.subscriptions.splice(0)) each.dispose?.();
});

test("the commands of the manifest are there, and no others", async () => {
  await start(() => null);
  const { contributes } = require("../../editors/package.json");
  assert.deepEqual(Object.keys(commands).sort(), contributes.commands.map(({ command }) => command).sort());
});

test("the Python appears beside the text, and asks for that text", async () => {
  const asked = [];
  await start((...words) => (asked.push(words), LISTING));
  await commands["cpl.showPythonBeside"]();
  assert.deepEqual(asked, [["cpl.showPython", SOURCE]]);
  assert.equal(page().document.text, LISTING.python);
  assert.equal(String(page().document.uri), `cpl-python:///here/a.cpl.py?${SOURCE}`);
});

test("the cursor in the text lights up its Python", async () => {
  await start(() => LISTING);
  await commands["cpl.showPythonBeside"]();
  for (const [line, wanted] of [
    [0, [1]], // what begins there, not all that goes on there
    [1, [2]],
    [2, [3, 4]],
    [3, []], // an empty line
    [4, [5]],
    [99, []],
  ]) {
    goTo(visible[0], line);
    assert.deepEqual(page().marks.get("lit"), wanted, `line ${line}`);
  }
  assert.equal(page().revealed, 5);
});

test("within an expression of several lines the least that goes on there is lit", async () => {
  await start(() => ({
    python: "a\nb\nc",
    lines: [
      [0, 9],
      [2, 5],
      [2, 5],
    ],
  }));
  await commands["cpl.showPythonBeside"]();
  goTo(visible[0], 4);
  assert.deepEqual(page().marks.get("lit"), [1, 2]);
  goTo(visible[0], 7);
  assert.deepEqual(page().marks.get("lit"), [0]);
});

test("the cursor in the Python lights up its text", async () => {
  await start(() => LISTING);
  await commands["cpl.showPythonBeside"]();
  for (const [line, wanted] of [
    [0, []], // what only Python needs
    [1, [0, 1, 2]],
    [4, [2]],
    [5, [4]],
    [6, []],
  ]) {
    goTo(page(), line);
    assert.deepEqual(visible[0].marks.get("lit"), wanted, `line ${line}`);
  }
});

test("the Python follows the text; while that has errors it stays, faded and without links", async () => {
  await start(() => LISTING);
  await commands["cpl.showPythonBeside"]();
  goTo(visible[0], 1);
  await type(null);
  assert.equal(page().document.text, LISTING.python);
  assert.deepEqual(page().marks.get("lit"), []);
  assert.equal(page().marks.get("faded").length, 1);
  goTo(visible[0], 1);
  assert.deepEqual(page().marks.get("lit"), []);
  await type({ python: "x = 1", lines: [[0, 0]] });
  assert.equal(page().document.text, "x = 1");
  assert.deepEqual(page().marks.get("faded"), []);
  goTo(visible[0], 0);
  assert.deepEqual(page().marks.get("lit"), [0]);
});

test("a text that never was without errors gets a remark, and then its Python", async () => {
  await start(() => null);
  await commands["cpl.showPythonBeside"]();
  assert.match(page().document.text, /^# The Python appears here/);
  await type(LISTING);
  assert.equal(page().document.text, LISTING.python);
});

test("an answer about an older text is not shown", async () => {
  await start(() => LISTING);
  await commands["cpl.showPythonBeside"]();
  let late;
  await type(new Promise((resolve) => (late = resolve)));
  await type({ python: "new", lines: [] });
  late({ python: "old", lines: [] });
  await pause(10);
  assert.equal(page().document.text, "new");
});

test("running takes the whole text, or what is selected, or what is typed", async () => {
  await start((command, uri, call) => ({ output: `${command} ${uri} ${call}\n`, ok: true }));
  await commands["cpl.runThis"]();
  assert.equal(output, `cpl.run ${SOURCE} null\n`);
  visible[0].selection.text = " F(1)\n";
  await commands["cpl.runThis"]();
  assert.equal(output, `cpl.run ${SOURCE} F(1)\n`);
  input = "G(2)";
  await commands["cpl.evaluate"]();
  assert.equal(output, `cpl.run ${SOURCE} G(2)\n`);
  input = undefined; // Escape
  await commands["cpl.evaluate"]();
  assert.equal(output, `cpl.run ${SOURCE} G(2)\n`);
});

test("a missing program is one plain sentence", async () => {
  settings = { path: "/nowhere/cpl" };
  await start(new Error("Launching server using command /nowhere/cpl failed. Error: spawn /nowhere/cpl ENOENT"));
  assert.deepEqual(errors, [
    `There is no program "/nowhere/cpl": run pip install 'cplc[lsp]', or set cpl.server.path.`,
  ]);
  await commands["cpl.runThis"]();
  assert.match(output, /does not run/);
  await commands["cpl.showPythonBeside"]();
  assert.match(page().document.text, /^# The Python appears here/);
});

test("so is one that is nowhere but in the open folder, and nothing is started", async () => {
  opened = [path.dirname(BIN)];
  await start(() => null);
  assert.match(errors[0], /^There is no program "cpl": .* not in those that are open/);
  assert.equal(started, undefined);
});

test("a relative path needs an open folder", async () => {
  settings = { path: ".venv/bin/cpl" };
  await start(() => null);
  assert.match(errors[0], /^There is no program ".venv\/bin\/cpl": .* no folder is open/);
});

test("the server is started by its whole path, in no open folder, and imports nothing from where it starts", async () => {
  opened = ["/here"];
  await start(() => null);
  assert.equal(started.command, PROGRAM);
  assert.deepEqual(started.options, { cwd: os.homedir(), env: { PYTHONSAFEPATH: "1" } });
});

test("a program is not looked for in the current folder or in one that is open", () => {
  /** @type {(name: string, folders: string[], PATH: string, ...files: string[]) => string | undefined} */
  const onWindows = (name, folders, PATH, ...files) =>
    programPath(name, folders, { isWindows: true, env: { Path: PATH }, isFile: (file) => files.includes(file) });
  const theirs = "C:\\theirs\\cpl.exe";
  const ours = "D:\\tools\\cpl.exe";
  assert.equal(onWindows("cpl", ["C:\\theirs"], '"D:\\tools"', theirs, ours), ours);
  assert.equal(onWindows("cpl.exe", ["C:\\theirs"], "D:\\tools", ours), ours);
  for (const PATH of [".", "", "C:theirs", "\\theirs;c:\\THEIRS", "C:\\theirs\\", "C:\\theirs\\bin\\.."]) {
    assert.equal(onWindows("cpl", ["C:\\theirs"], `${PATH};D:\\tools`, theirs, ours), ours, PATH);
  }
  assert.equal(onWindows("cpl", ["C:\\theirs"], "C:\\theirs\\deep\\er", "C:\\theirs\\deep\\er\\cpl.exe"), undefined);
  assert.equal(
    onWindows("cpl", ["C:\\theirs"], "C:\\theirs-not", "C:\\theirs-not\\cpl.exe"),
    "C:\\theirs-not\\cpl.exe",
  );
  assert.equal(onWindows("cpl", ["C:\\a", "C:\\theirs"], "C:\\theirs", theirs), undefined);
  assert.equal(onWindows(".venv\\Scripts\\cpl.exe", ["C:\\mine"], ""), "C:\\mine\\.venv\\Scripts\\cpl.exe");
  /** @type {(name: string, PATH: string) => string | undefined} */
  const elsewhere = (name, PATH) =>
    programPath(name, ["/theirs"], { isWindows: false, env: { PATH }, isFile: (file) => !file.startsWith("/bin") });
  assert.equal(elsewhere("cpl", ":.:bin:/theirs/bin:/bin:/usr/bin"), "/usr/bin/cpl");
  assert.equal(elsewhere("cpl", ""), undefined);
  assert.equal(elsewhere(".venv/bin/cpl", ""), "/theirs/.venv/bin/cpl");
  assert.equal(elsewhere("/opt/cpl", ""), "/opt/cpl");
});

test("a folder of PATH that is a link into the open folder is one of its folders", () => {
  const [open, link] = [path.join(BIN, "open"), path.join(BIN, "link")];
  fs.mkdirSync(open);
  fs.writeFileSync(path.join(open, "cpl"), "", { mode: 0o755 });
  fs.symlinkSync(open, link);
  assert.equal(programPath("cpl", [open], { env: { PATH: link } }), undefined);
  assert.equal(programPath("cpl", [], { env: { PATH: link } }), path.join(link, "cpl"));
});

test("so is one that ends before it answers, and a restart finds what was installed meanwhile", async () => {
  opened = ["/here"];
  settings = { path: ".venv/bin/cpl" };
  await start(new Error("connection got disposed"));
  assert.deepEqual(errors, [
    `".venv/bin/cpl lsp" ended before it answered: run pip install 'cplc[lsp]', or see the log.`,
  ]);
  answer = () => ({ output: "1\n", ok: true });
  await commands["cpl.restartServer"]();
  await commands["cpl.runThis"]();
  assert.equal(output, "1\n");
  assert.equal(errors.length, 1);
});
