/** The extension: starts the language server, shows the Python of a text beside it, and runs the text. */
"use strict";

const os = require("node:os");
const vscode = require("vscode");
const {
  CloseAction,
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  State,
} = require("vscode-languageclient/node");
const { programPath } = require("./command.js");
const { PythonView } = require("./python_view.js");

/** @typedef {{output: string, ok: boolean}} Outcome what the server answers when it has run something */

const CPL = [
  { language: "cpl", scheme: "file" },
  { language: "cpl", scheme: "untitled" },
];
const INSTALL = "pip install 'cplc[lsp]'";
const SEARCHED = "It is looked for in the folders of PATH, but not in those that are open here.";
const RELATIVE = "A relative path begins at the open folder, and no folder is open.";
const MOST_RESTARTS = 3; // within three minutes

/** A client that keeps its errors to the log: the server, below, says what a person must know. */
class Client extends LanguageClient {
  /**
   * @param {string} message
   * @param {unknown} data
   */
  error(message, data) {
    super.error(message, data, false);
  }
}

class Server {
  constructor() {
    this.log = vscode.window.createOutputChannel("CPL language server", { log: true });
    /** @type {Client | undefined} */
    this.client = undefined;
    this.told = false;
    this.ready = this.#start();
  }

  restart() {
    this.ready = this.ready.then(() => this.#stop()).then(() => this.#start());
    return this.ready;
  }

  async dispose() {
    await this.ready;
    await this.#stop();
    this.log.dispose();
  }

  /**
   * Have the server obey a command; nothing comes of it if there is no server.
   * @param {string} command
   * @param {unknown[]} words
   * @param {import("vscode").CancellationToken} [token]
   */
  async ask(command, words, token) {
    await this.ready;
    if (this.client?.state !== State.Running) return undefined;
    return this.client.sendRequest(ExecuteCommandRequest.type, { command, arguments: words }, token);
  }

  async #start() {
    const settings = vscode.workspace.getConfiguration("cpl.server");
    const path = settings.get("path", "cpl");
    const words = settings.get("args", ["lsp"]);
    const atOnce = `"${[path, ...words].join(" ")}" ended before it answered: run ${INSTALL}, or see the log.`;
    this.told = false;
    const opened = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
    const program = programPath(
      path,
      opened.map(({ uri }) => uri.fsPath),
    );
    if (!program) {
      this.tell(
        `There is no program "${path}": run ${INSTALL}, or set cpl.server.path. ${/[\\/]/.test(path) ? RELATIVE : SEARCHED}`,
      );
      return;
    }
    // Python looks for modules in the folder where it starts, unless it is told otherwise.
    const options = { cwd: os.homedir(), env: { PYTHONSAFEPATH: "1" } };
    /** @type {Client} */
    const client = new Client(
      "cpl",
      "CPL",
      { command: program, args: words, options },
      {
        documentSelector: CPL,
        outputChannel: this.log,
        initializationFailedHandler: () => false,
        errorHandler: {
          error: () => ({ action: ErrorAction.Continue, handled: true }),
          closed: async () => {
            const running = client.state === State.Running;
            const { action } = running ? await usual.closed() : { action: CloseAction.DoNotRestart };
            if (action === CloseAction.DoNotRestart) {
              this.tell(running ? "The language server of CPL stopped again and again: see the log." : atOnce);
            }
            return { action, handled: true };
          },
        },
      },
    );
    const usual = client.createDefaultErrorHandler(MOST_RESTARTS);
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      const missing = `There is no program "${program}": run ${INSTALL}, or set cpl.server.path.`;
      this.tell(String(error).includes("ENOENT") ? missing : atOnce);
    }
  }

  async #stop() {
    await this.client?.dispose().catch(() => {}); // one that never ran cannot be stopped
  }

  /**
   * Say once what is wrong.
   * @param {string} message
   */
  async tell(message) {
    if (this.told) return;
    this.told = true;
    const answer = await vscode.window.showErrorMessage(message, "Settings", "Log", "Restart");
    if (answer === "Settings") await vscode.commands.executeCommand("workbench.action.openSettings", "cpl.server");
    if (answer === "Log") this.log.show();
    if (answer === "Restart") await this.restart();
  }
}

/** @param {import("vscode").ExtensionContext} context */
function activate(context) {
  const server = new Server();
  const output = vscode.window.createOutputChannel("CPL");
  const view = new PythonView((uri) => server.ask("cpl.showPython", [uri]));
  let last = "";

  /** @param {string | null} call an expression, or nothing for the commands of the text */
  async function run(call) {
    const document = vscode.window.activeTextEditor?.document;
    if (!document) return;
    const progress = { location: vscode.ProgressLocation.Notification, title: "CPL runs", cancellable: true };
    /** @type {Outcome | undefined} */
    const outcome = await vscode.window.withProgress(progress, async (_, token) => {
      try {
        return await server.ask("cpl.run", [document.uri.toString(), call], token);
      } catch (error) {
        return { output: token.isCancellationRequested ? "Stopped.\n" : `${error}\n`, ok: false };
      }
    });
    output.clear();
    output.append(
      outcome?.output ?? "The language server of CPL does not run. The command CPL: Restart server starts it.\n",
    );
    output.show(true);
  }

  async function evaluate() {
    const prompt = "An expression, evaluated as if it stood in the text";
    const call = await vscode.window.showInputBox({ prompt, value: last, placeHolder: "F(1)" });
    if (!call?.trim()) return;
    last = call;
    await run(call);
  }

  function runThis() {
    const editor = vscode.window.activeTextEditor;
    return run(editor?.document.getText(editor.selection).trim() || null);
  }

  const top = new vscode.Range(0, 0, 0, 0);
  context.subscriptions.push(
    server,
    output,
    view,
    vscode.commands.registerCommand("cpl.runThis", runThis),
    vscode.commands.registerCommand("cpl.evaluate", evaluate),
    vscode.commands.registerCommand("cpl.restartServer", () => server.restart()),
    vscode.commands.registerTextEditorCommand("cpl.showPythonBeside", (editor) => view.show(editor)),
    vscode.languages.registerCodeLensProvider(CPL, {
      provideCodeLenses: () => [
        new vscode.CodeLens(top, { title: "Run", command: "cpl.runThis" }),
        new vscode.CodeLens(top, { title: "Evaluate …", command: "cpl.evaluate" }),
        new vscode.CodeLens(top, { title: "Show the Python", command: "cpl.showPythonBeside" }),
      ],
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("cpl.server")) server.restart();
    }),
  );
}

module.exports = { activate };
