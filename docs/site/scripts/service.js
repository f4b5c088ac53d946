/**
 * A service worker: after one visit the pages, their scripts and Python are there without a net, and so is every other
 * page that was visited. Who only reads gets no Python. A new build has another version, and takes the place of the old one.
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const { version, files, reading } = BUILD; // put before this script by scripts.py
const { scope } = worker.registration;
const prefix = `site ${scope} `;
const isWhole = location.search === "?whole"; // as pages with Python ask for it

worker.addEventListener("install", (event) => {
  worker.skipWaiting();
  event.waitUntil(keep());
});
worker.addEventListener("activate", (event) => event.waitUntil(replace()));
worker.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && isOurs(url)) event.respondWith(answer(event.request));
});

/** @param {string} url */
const isOurs = (url) => url.startsWith(scope) && !url.startsWith(`${scope}lab/`); // which has its own

/**
 * A request past the browser's own cache, which may have the file of another version. What has not changed is not sent.
 * @param {string} address
 */
const checked = (address) => new Request(address, { cache: "no-cache" });

/**
 * Where a file is kept.
 * @param {string} url
 */
const placeOf = (url) => url.replace(/[?#].*$/, "").replace(/\/$/, "/index.html");

async function keep() {
  const cache = await caches.open(prefix + version);
  const open = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const pages = new Set(open.map(({ url }) => placeOf(url)).filter(isOurs));
  await cache.addAll((isWhole ? files : reading).map(checked));
  await Promise.allSettled([...pages].map((page) => cache.add(checked(page))));
}

async function replace() {
  const old = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== prefix + version);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(prefix + version);
  const place = placeOf(request.url);
  const kept = await cache.match(place);
  if (kept) return kept;
  const isPage = request.mode === "navigate"; // a request that no other one can be made of
  try {
    const response = await fetch(isPage ? request.url : request, { cache: "no-cache", redirect: request.redirect });
    if (response.status === 200) cache.put(place, response.clone()).catch(() => {}); // there may be no room
    return response;
  } catch (error) {
    if (!isPage) throw error;
    return Response.redirect(`${scope}offline.html#${encodeURIComponent(request.url)}`);
  }
}
