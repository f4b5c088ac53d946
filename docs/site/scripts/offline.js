/** The page that comes without a net in place of one that is not kept: which pages are kept. */

import { make } from "../../../cpl/study/views/static/elements.js";
import { find } from "./parts/page.js";

const SITE = new URL("..", import.meta.url).href;

const wanted = decodeURIComponent(location.hash.slice(1));
if (wanted.startsWith(SITE)) {
  find("#wanted").hidden = false;
  find("#again").href = wanted;
  find("#address").textContent = wanted.slice(SITE.length).replace(/#.*/, "");
}

const name = (await self.caches?.keys())?.find((each) => each.startsWith(`site ${SITE} `));
const cache = name && (await caches.open(name));
const found = cache ? await Promise.all((await cache.keys()).map(({ url }) => pageOf(cache, url))) : [];
const pages = found.filter((page) => page !== null).sort((one, other) => one.title.localeCompare(other.title));
find("#kept").append(...pages.map(({ url, title }) => make("li", {}, [make("a", { href: url }, [title])])));
find("#none").hidden = pages.length > 0;

/**
 * What a kept file is called, null if it is not a page to read.
 * @param {Cache} cache
 * @param {string} url
 */
async function pageOf(cache, url) {
  if (!url.endsWith(".html") || url === location.href.replace(/[?#].*$/, "")) return null;
  const text = await (await cache.match(url))?.text();
  const { title } = new DOMParser().parseFromString(text ?? "", "text/html");
  return { url, title: title.replace(/ [-–] cplc.*$/, "") };
}
