/** Let the browser keep the site, so that it works without a net. */

const SITE = new URL("..", import.meta.url);
const { serviceWorker } = navigator; // not there without HTTPS, except on localhost

/** Keep all that works here, and each page that is visited. */
export function keepAll() {
  serviceWorker?.register(new URL("service.js?whole", SITE)).catch(() => {}); // it may have no room
}

/** Keep each page that is visited, and no Python. */
export async function keepPages() {
  const kept = await serviceWorker?.getRegistration(SITE);
  if (!kept) serviceWorker?.register(new URL("service.js", SITE)).catch(() => {});
}
