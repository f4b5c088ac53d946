"""Visit the site where it is published, as a browser does, and see that it works.

    python docs/site/visit.py URL --build BUILD   wait until URL has this build; then compile a text, and make a move
    python docs/site/visit.py --build-of FOLDER   print the build of the site in a folder

A server may show an old build for some minutes after a new one has been published. It needs the extra [browser], and
Chromium or Chrome. The exit status is 1 if the site is not that of this checkout, or does not work.
"""

import argparse
import json
import re
import shutil
import sys
import time
from pathlib import Path
from typing import Any, Final
from urllib.error import URLError
from urllib.request import Request, urlopen

import cpl

_SERVICE: Final = "service.js"
"""The script of the site that says of which build it is."""
_BUILD: Final = re.compile(r'const BUILD=\{"version": "([0-9a-f]+)"')
_PATIENCE: Final = 600
"""Seconds until a server must have the build,"""
_PAUSE: Final = 10
"""from one question for it to the next,"""
_LOADED: Final = 120
"""and until a page must have done what is asked of it."""
_BROWSERS: Final = ("chromium", "google-chrome")
"""Commands; without one of them Playwright starts a browser that it has installed."""


class Trouble(Exception):
    """The site is not as it should be, for the reason that this says."""


def build_of(script: str) -> str:
    """Return the build that the script of the service worker names."""
    found = _BUILD.match(script)
    if not found:
        raise Trouble(f"{_SERVICE} names no build")
    return found[1]


def _read(address: str) -> str:
    request = Request(address, headers={"Cache-Control": "no-cache"})
    with urlopen(request, timeout=_LOADED) as response:
        return str(response.read().decode())


def wait_for(url: str, build: str, patience: float = _PATIENCE) -> None:
    """Wait until the server has the build. Raises Trouble if it has another one, or none, when patience is over."""
    late = time.monotonic() + patience
    while True:
        try:
            found = build_of(_read(f"{url}{_SERVICE}"))
        except (URLError, Trouble) as error:
            found = f"nothing that can be read ({error})"
        if found == build:
            return
        if time.monotonic() > late:
            raise Trouble(f"{url} has {found}, and not the build {build}")
        time.sleep(_PAUSE)


def check_version(url: str) -> None:
    """See that the Python of the site has the cplc of this checkout. Raises Trouble if it has another version."""
    packages = json.loads(_read(f"{url}python/pyodide-lock.json"))["packages"]
    version = packages["cplc"]["version"]
    if version != cpl.__version__:
        raise Trouble(f"{url} has cplc {version}, and not {cpl.__version__}")


def use(browser: Any, url: str) -> None:
    """Change a letter of the program on the front page, which Python compiles; then make a move, which
    WebAssembly answers. Raises the TimeoutError of Playwright if an answer does not come.
    """
    page = browser.new_page()
    page.set_default_timeout(1000 * _LOADED)
    page.goto(f"{url}index.html")
    page.locator("#suggested").click()
    page.locator("#python", has_text="v >= V").wait_for()
    page.goto(f"{url}play.html")
    moves = page.locator("#moves button")
    moves.first.click()
    page.locator("#history li").nth(1).wait_for()
    page.close()


def visit(url: str, build: str) -> None:
    """Do all of this in a browser. Raises what says why the site does not work."""
    from playwright.sync_api import sync_playwright

    wait_for(url, build)
    check_version(url)
    path = next(filter(None, map(shutil.which, _BROWSERS)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        use(browser, url)
        browser.close()


def main() -> int:
    """Visit or print; the result is the exit status."""
    what, _, more = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        prog="python docs/site/visit.py",
        description=what,
        epilog=more,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("url", metavar="URL", nargs="?", help="the address of the site")
    parser.add_argument("--build", metavar="BUILD", help="the build that must be there")
    parser.add_argument("--build-of", metavar="FOLDER", type=Path, help="print the build of the site in this folder")
    options = parser.parse_args()
    if options.build_of:
        print(build_of((options.build_of / _SERVICE).read_text(encoding="utf-8")))
        return 0
    if not options.url or not options.build:
        parser.error("name the address and the build, or a folder")
    url = options.url.rstrip("/") + "/"
    try:
        visit(url, options.build)
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 1
    print(f"{url} has the build {options.build} of cplc {cpl.__version__}; it compiles, and answers a move")
    return 0


if __name__ == "__main__":
    sys.exit(main())
