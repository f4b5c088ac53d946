/** Runs pack.py in Pyodide under Node.js: `node pack.mjs FOLDER`, where the folder has Pyodide, the wheels and their lock file. */

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const pyodide = await loadPyodide({ indexURL: folder });
await pyodide.loadPackage("cplc", { messageCallback: () => {} });
pyodide.mountNodeFS("/out", folder);
try {
  pyodide.runPython(readFileSync(new URL("pack.py", import.meta.url), "utf8"));
} catch ({ message }) {
  process.stderr.write(message);
  process.exitCode = 1;
}
