/** The worker in which Python runs: requests as JSON go in, each with a number, and answers come out. */

import begin from "./worker.py";

const { version, lock, bytes } = BUILD; // put before this script by scripts.py
const folder = new URL("../python/", import.meta.url).href;
const NO_FILES = "data:application/zip;base64,UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==";

// What worker.py asks for: where the rest of Python is, as an address in a blob begins nowhere, and that it is awaited
Object.assign(self, { restOfPython: `${folder}rest.bin`, tellOfRest: () => postMessage({ more: true }) });

// What is loaded: whether it came, and how much of it

const { fetch } = self;
let came = 0;

/** The type of a file of WebAssembly, which not every server knows. */
const WASM = "application/wasm";

/** @type {(error: Error) => void} ends a start: Pyodide waits for ever for a file that does not come */
let fail = () => {};
/** @type {Promise<never>} */
const failure = new Promise((_, reject) => (fail = reject));
failure.catch(() => {}); // it is awaited together with the start

/**
 * What a server answers; none that has no such file is taken for the file.
 * @param {RequestInfo | URL} address
 * @returns {Promise<Response>}
 */
async function fetched(address) {
  const name = nameOf(address);
  const response = await fetch(address).catch(() => {
    throw failed(`${name} did not come: is there a net?`);
  });
  if (!response.ok) throw failed(`the server does not give ${name} (status ${response.status})`);
  const isKnown = response.headers.get("Content-Type") === WASM; // the browser keeps what it compiled of such an answer
  return name.endsWith(".wasm") && !isKnown
    ? new Response(response.body, { headers: { "Content-Type": WASM } })
    : response;
}

/** @param {RequestInfo | URL} address */
const nameOf = (address) => String(address instanceof Request ? address.url : address).replace(/^.*\/(?=\w+\/)/, "");

/** @param {string} why */
function failed(why) {
  const error = new Error(why);
  fail(error);
  return error;
}

const { instantiateStreaming } = WebAssembly;
WebAssembly.instantiateStreaming = async (source, imports) => {
  try {
    return await instantiateStreaming(source, imports);
  } catch (error) {
    throw failed(`the server sends something else for python/pyodide.asm.wasm (${error})`);
  }
};

/**
 * A script of Python.
 * @param {string} name
 * @returns {Promise<any>}
 */
const imported = (name) =>
  import(`${folder}${name}`).catch(() => {
    throw failed(`python/${name} did not load`);
  });

/** @param {RequestInfo | URL} address */
async function counted(address) {
  const response = await fetched(address);
  const counter = new TransformStream({
    transform(chunk, controller) {
      came += chunk.length;
      postMessage({ came: came / bytes });
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(counter), response);
}

// The memory of Python once it has begun: with it, the next page need not begin anew

const UNTIL_REMEMBERED = 1000;
const memories = self.caches?.open(`memory of ${folder}`); // not there without HTTPS, except on localhost
const place = `${folder}memory?${version}`;
const remembered = async () => (await memories)?.match(place);

/**
 * Keep the memory, a second after the start: to write it takes a while, and most ask something at once. Who leaves before
 * that begins anew on the next page.
 * @param {Uint8Array<ArrayBuffer>} memory
 */
async function remember(memory) {
  await python;
  await new Promise((rested) => setTimeout(rested, UNTIL_REMEMBERED));
  const cache = await memories;
  if (!cache) return;
  for (const old of await cache.keys()) if (old.url !== place) await cache.delete(old);
  await cache.put(place, new Response(memory));
  postMessage({ remembered: true });
}

// Python

/**
 * The files of a tar archive, compressed by gzip.
 * @param {Response} response
 * @returns {Promise<[string, Uint8Array][]>}
 */
async function unpacked({ body }) {
  const stream = body?.pipeThrough(new DecompressionStream("gzip"));
  const archive = new Uint8Array(await new Response(stream).arrayBuffer());
  const text = (/** @type {number} */ from, /** @type {number} */ length) =>
    new TextDecoder().decode(archive.subarray(from, from + length)).split("\0")[0];
  /** @type {[string, Uint8Array][]} */
  const files = [];
  for (let at = 0; archive[at];) {
    const [name, size, folder] = [text(at, 100), parseInt(text(at + 124, 12), 8), text(at + 345, 155)];
    files.push([`/${folder && `${folder}/`}${name}`, archive.subarray(at + 512, at + 512 + size)]);
    at += 512 * (1 + Math.ceil(size / 512));
  }
  return files;
}

/**
 * @param {Promise<ArrayBuffer>} [memory]
 * @returns {Promise<(request: string) => string>}
 */
async function start(memory) {
  const core = imported("pyodide.asm.mjs");
  const library = self
    .fetch(`${folder}first.bin`)
    .then(unpacked)
    .catch((error) => {
      throw failed(`the server sends something else for python/first.bin (${error})`);
    });
  const { loadPyodide } = await imported("pyodide.mjs");
  const pyodide = await loadPyodide({
    indexURL: folder,
    packageBaseUrl: folder,
    lockFileContents: lock,
    stdLibURL: NO_FILES,
    env: { PYTHONPATH: "/lib/python3.14" },
    async fsInit(/** @type {any} */ files) {
      for (const [path, content] of await library) {
        files.mkdirTree(path.replace(/\/[^/]*$/, ""));
        files.writeFile(path, content, { canOwn: true });
      }
    },
    async createPyodideModule(/** @type {any} */ settings) {
      const module = await (await core).default(settings);
      if (memory) module._free(module._malloc((await memory).byteLength)); // which makes its memory as large
      return module;
    },
    ...(memory ? { _loadSnapshot: memory } : { _makeSnapshot: true }),
  });
  if (!memory) {
    pyodide.runPython(begin);
    remember(pyodide.makeMemorySnapshot()).catch(console.warn); // there may be no room
  }
  pyodide.setStdin({ stdin: () => null });
  return pyodide.runPython("answers()");
}

async function begun() {
  self.fetch = fetched;
  const memory = await remembered();
  if (memory) {
    try {
      return await start(memory.arrayBuffer());
    } catch (error) {
      console.warn(error); // and begin anew
    }
  }
  self.fetch = counted;
  return start();
}

const python = Promise.race([begun(), failure]);
python.then(
  () => postMessage({ ready: true }),
  (error) => {
    console.warn(error);
    postMessage({ dead: error instanceof Error ? error.message : String(error) });
  },
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
