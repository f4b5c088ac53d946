"""How long one waits on the site: for Python, for the problems of a text, for its Python, and after Stop.

    python benchmarks/waiting.py build/site                    a built site
    python benchmarks/waiting.py ../cplc-2.0/build/site build/site --rounds 5    two, in turn

It drives Chromium by Playwright, from a server on this machine, without delay. Each round of each site has a browser
that has never seen it. Prints seconds: the median of the rounds, and the least and the largest. A key is an insertion
at the end of the text; its problem is a warning that names the key, and its Python the function that it adds.
"""

import argparse
import shutil
import statistics
from pathlib import Path

from compile_time import program
from measure import how_often
from playwright.sync_api import Browser, Page, sync_playwright
from visiting import ENDLESS, PASTE, STOP, served

PATIENCE = 120_000
"""Milliseconds that anything may take."""

READY = "html[data-python=ready]"

WATCH = """name => new Promise((done) => {
  let typed = 0, problem = 0;
  addEventListener("beforeinput", () => (typed ||= performance.now()), { capture: true });
  const seen = (place) => document.querySelector(place).textContent.includes(name);
  const look = () => {
    const now = performance.now();
    if (!problem && seen("#problems")) problem = now;
    if (seen("#python")) done([(problem - typed) / 1000, (now - typed) / 1000]);
    else requestAnimationFrame(look);
  };
  look();
})"""
"""The seconds from what is typed next until a name is among the problems, and until it is in the Python."""

SHOWN = """name => document.querySelector("#python").textContent.includes(name) && performance.now() / 1000"""
"""The seconds since the page was asked for, as soon as a name is in the Python; asked in each frame."""

REMEMBERED = """async () => {
  for (;;) {
    const name = (await caches.keys()).find((name) => name.startsWith("memory"));
    const [memory] = name ? await (await caches.open(name)).matchAll() : [];
    if (memory && (await memory.blob()).size > 1000000) return;
    await new Promise((done) => setTimeout(done, 50));
  }
}"""


class Visitor:
    """Somebody who writes in the playground of a site."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.keys = 0

    def write(self, text: str) -> None:
        """Replace the text."""
        content = self.page.locator("#editor .cm-content")
        content.click()
        self.page.keyboard.press("Control+a")
        content.evaluate(PASTE, text)

    def shown(self, name: str) -> float:
        """Wait until a name is in the Python; the seconds since the page was asked for."""
        seconds: float = self.page.wait_for_function(SHOWN, arg=name, timeout=PATIENCE).json_value()
        return seconds

    def key(self) -> list[float]:
        """Seconds from a key at the end of the text to its problem and to its Python."""
        self.page.wait_for_selector(READY, timeout=PATIENCE)
        self.page.wait_for_timeout(300)
        self.page.keyboard.press("Control+End")
        return self.added()

    def burst(self, keys: int, pause: int) -> list[float]:
        """The same for the last of several keys, one after the other."""
        self.page.wait_for_selector(READY, timeout=PATIENCE)
        self.page.keyboard.press("Control+End")
        self.page.keyboard.insert_text("\n")
        for _ in range(keys):
            self.page.wait_for_timeout(pause)
            self.page.keyboard.insert_text("|| ")
        self.page.wait_for_timeout(pause)
        return self.added()

    def added(self) -> list[float]:
        """Add a function whose variable is not read; the seconds to this problem, and to the Python."""
        self.keys += 1
        name = f"Unread{self.keys}"
        self.page.evaluate(f"name => {{ window.found = ({WATCH})(name); }}", name)
        self.page.keyboard.insert_text(f"\nKey{self.keys}(x) = value of § let {name} = 2x; result is x §")
        found: list[float] = self.page.evaluate("window.found")
        return found


def round_of(browser: Browser, url: str) -> dict[str, float]:
    """What one visitor sees, who has never been there."""
    seconds: dict[str, float] = {}
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    context.set_default_timeout(PATIENCE)
    for visit in ("first visit", "next page"):
        page = context.new_page()
        visitor = Visitor(page)
        page.goto(f"{url}playground.html")
        visitor.write(f"{program(100)}\nMine(x) = 2x\n")
        seconds[f"{visit}: opened, to the Python of 100 lines of one's own"] = visitor.shown("Mine")
        page.evaluate(REMEMBERED)
        if visit == "first visit":
            page.close()
    for lines in (100, 500):
        visitor.write(program(lines))
        for which in ("first", "second", "third"):
            problems, python = visitor.key()
            seconds[f"{lines} lines: {which} key to its problems"] = problems
            seconds[f"{lines} lines: {which} key to its Python"] = python
    problems, python = visitor.burst(12, 250)
    seconds["500 lines: last of 12 keys, 0.25 s apart, to its problems"] = problems
    seconds["500 lines: last of 12 keys, 0.25 s apart, to its Python"] = python
    visitor.write(ENDLESS)
    visitor.shown("Loop")
    page.locator("#call").fill("Loop(1)")
    page.locator("#run button", has_text="Run").click()
    page.wait_for_timeout(1_000)
    seconds["Stop, until Python is ready"] = page.evaluate(STOP)
    context.close()
    return seconds


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sites", nargs="+", type=Path, metavar="SITE", help="the folder of a built site")
    parser.add_argument("--rounds", type=how_often, default=3, metavar="N", help="visitors of each site")
    options = parser.parse_args()
    found: dict[Path, list[dict[str, float]]] = {site: [] for site in options.sites}
    with sync_playwright() as playwright:
        for _ in range(options.rounds):
            for site, rounds in found.items():
                with served(site) as url:
                    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
                    rounds.append(round_of(browser, url))
                    browser.close()
    for name in next(iter(found.values()))[0]:
        cells = []
        for rounds in found.values():
            times = [each[name] for each in rounds]
            cells.append(f"{statistics.median(times):6.2f} ({min(times):.2f}–{max(times):.2f})")
        print(f"{name:62} {'  '.join(f'{cell:>20}' for cell in cells)}")


if __name__ == "__main__":
    main()
