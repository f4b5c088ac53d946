/**
 * A classic script on the page that a server shows in place of one that it does not have, at whatever address that was
 * asked for. The folder of the site ends before the first folder of the address that is one of the site's own.
 */

(() => {
  const FOLDERS = [
    "api",
    "assets",
    "benchmarks",
    "docs",
    "editors",
    "grammar",
    "lab",
    "notebooks",
    "programs",
    "tests",
  ];
  const parts = location.pathname.split("/");
  const first = parts.findIndex((part) => FOLDERS.includes(part));
  const site = `${parts.slice(0, first < 0 ? -1 : first).join("/")}/`;
  document.addEventListener("DOMContentLoaded", () => {
    for (const link of document.querySelectorAll("a[href]")) {
      link.setAttribute("href", site + link.getAttribute("href"));
    }
    const wanted = document.getElementById("wanted");
    if (wanted) wanted.textContent = location.pathname.slice(site.length);
  });
})();
