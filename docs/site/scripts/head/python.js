/**
 * A classic script in the head of the pages that begin Python at once: it begins here, before the editor has come.
 * `parts/python.js` takes the worker over, with what it has said until then.
 */

(() => {
  if (location.protocol === "file:") return;
  // A worker that is made from a blob has the policy of the page (parts/python.js).
  const script = `import ${JSON.stringify(new URL("assets/worker.js", location.href).href)};`;
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const worker = new Worker(address, { type: "module" });
  /** @type {(MessageEvent | ErrorEvent)[]} */
  const heard = [];
  worker.onmessage = (event) => heard.push(event);
  worker.onerror = (event) => heard.push(event);
  window.begun = { worker, heard, at: performance.now() };
})();
