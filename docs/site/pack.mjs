/**
 * Runs compile_games.py and then pack.py in Pyodide under Node.js, each in one of its own: `node pack.mjs FOLDER`, where the
 * folder has Pyodide, the wheels and their lock file.
 */

import { readFileSync, rmSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const BEGUN = "import sys\nbegun = {*sys.modules}";
/** What only the installer needs is not loaded then: pages install nothing. */
const INSTALLED = "for name in {*sys.modules} - begun: del sys.modules[name]";
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
try {
  for (const script of ["compile_games.py", "pack.py"]) {
    const pyodide = await loadPyodide({ indexURL: folder });
    pyodide.runPython(BEGUN);
    await pyodide.loadPackage("cplc", { messageCallback: () => {} });
    pyodide.runPython(INSTALLED);
    pyodide.mountNodeFS("/out", folder);
    pyodide.runPython(readFileSync(new URL(script, import.meta.url), "utf8"));
  }
} catch ({ message }) {
  process.stderr.write(message);
  process.exitCode = 1;
} finally {
  rmSync(`${folder}/games`, { recursive: true, force: true });
}
