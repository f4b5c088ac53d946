/**
 * A service worker: after one visit the pages, their scripts and Python are there without a net, and so is every other
 * page that was visited. A new build has another version, and takes the place of the old one.
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const { version, files } = BUILD; // put before this script by scripts.py
const { scope } = worker.registration;
const prefix = `site ${scope} `;

worker.addEventListener("install", (event) => {
  worker.skipWaiting();
  event.waitUntil(keep());
});
worker.addEventListener("activate", (event) => event.waitUntil(replace()));
worker.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const isOurs = method === "GET" && url.startsWith(scope) && !url.startsWith(`${scope}lab/`); // which has its own
  if (isOurs) event.respondWith(answer(event.request));
});

async function keep() {
  const cache = await caches.open(prefix + version);
  await cache.addAll(files.map((file) => new Request(file, { cache: "no-cache" }))); // what has not changed is not sent
}

async function replace() {
  const old = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== prefix + version);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(prefix + version);
  const address = request.url.replace(/[?#].*$/, "").replace(/\/$/, "/index.html");
  const kept = await cache.match(address);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.status === 200) cache.put(address, response.clone()).catch(() => {}); // there may be no room
  return response;
}
