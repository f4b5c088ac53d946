/** The worker in which Python runs: requests as JSON go in, each with a number, and answers come out. */

/** @returns {Promise<(request: string) => string>} */
async function start() {
  const folder = new URL("../python/", import.meta.url).href;
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  const pyodide = await loadPyodide({ indexURL: folder, packages: ["cplc"], stdin: () => null });
  return pyodide.runPython(`
from cpl.edit.browser.answers import answer
from cpl.games.game import use
use("plain")  # which is compiled in a tenth of the time
answer`);
}

const python = start();
python.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ dead: `Python cannot be loaded: ${error}` }),
);

onmessage = async ({ data: { number, request } }) => {
  try {
    const answer = await python;
    postMessage({ number, ...JSON.parse(answer(request)) });
  } catch (error) {
    const isDeep = error instanceof RangeError || /RangeError|stack/i.test(String(error));
    const why = isDeep ? "Functions called each other more deeply than the browser allows." : String(error);
    postMessage({ dead: why });
  }
};
