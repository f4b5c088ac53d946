"""What the page on security promises of the site: what runs, what is loaded, and what is kept, as Chromium has it."""

import base64
import hashlib
import re
import zlib
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from conftest import ROOT

from website.conftest import Site
from website.test_loading import KEPT, REMEMBERED
from website.test_pages import LOADED, ready, write

Visit = Callable[..., Any]

ENDLESS = "Loop(n) = value of § while true do n := n + 1; result is n §\n"
RUN = """() => {
  const { postMessage } = Worker.prototype;
  window.asked = [];
  Worker.prototype.postMessage = function (message) {
    if (message.request) window.asked.push(JSON.parse(message.request).ask);
    return postMessage.call(this, message);
  };
}"""
"""Keeps what a page asks Python to do."""
RUNS = {"run", "steps", "opening"}
"""Questions for which the program is run."""


@pytest.fixture
def alone(chromium: Any) -> Iterator[Any]:
    """A page that shares nothing with others, and may meet errors."""
    context = chromium.new_context()
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.add_init_script(f"({RUN})()")
    yield page
    context.close()


def linked(text: str, times: int = 1) -> str:
    """A text, repeated, as links have it."""
    packing = zlib.compressobj(9, wbits=-15)
    packed = b"".join([*(packing.compress(text.encode()) for _ in range(times)), packing.flush()])
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


@pytest.mark.parametrize("pane", ["python", "types", "tokens", "meant", "trace"])
def test_a_link_runs_nothing_before_the_button(alone: Any, site: Site, pane: str) -> None:
    alone.goto(f"{site.url}playground.html#pane={pane}&call=Loop%281%29&example=&z={linked(ENDLESS)}")
    if pane == "trace":
        alone.locator("#stage", has_text="Press Steps to run Loop(1) and record its steps.").wait_for(timeout=LOADED)
    alone.locator("#python", has_text="def Loop").wait_for(timeout=LOADED, state="attached")
    ready(alone)
    assert not RUNS & {*alone.evaluate("asked")}
    alone.reload()
    alone.locator("#python", has_text="def Loop").wait_for(timeout=LOADED, state="attached")
    ready(alone)
    assert not RUNS & {*alone.evaluate("asked")}
    alone.locator("#steps").click()
    alone.locator("html[data-python=busy]").wait_for()
    assert "steps" in alone.evaluate("asked")


def test_steps_that_are_asked_for_before_python_is_there_stay(alone: Any, site: Site) -> None:
    alone.goto(f"{site.url}playground.html#pane=trace")
    alone.locator("#steps").click()
    alone.locator("#stage .cpl-steps").wait_for(timeout=LOADED)
    ready(alone)
    alone.wait_for_timeout(1_000)
    assert alone.locator("#stage .cpl-steps").is_visible()


def test_the_front_page_runs_nothing_of_a_link_before_the_button(alone: Any, site: Site) -> None:
    text = (ROOT / "programs/strachey.cpl").read_text(encoding="utf-8").replace("(s = 5) → 4", "(s = 5) → 44")
    alone.goto(f"{site.url}index.html#z={linked(text)}")
    alone.locator("#why", has_text="This text came with the link").wait_for(timeout=LOADED)
    alone.locator("#python", has_text="return 44").wait_for(timeout=LOADED)
    ready(alone)
    assert not RUNS & {*alone.evaluate("asked")}
    alone.locator("#run").click()
    alone.locator("#result", has_text="44").wait_for(timeout=LOADED)
    assert not alone.locator("#run").is_visible()


@pytest.mark.parametrize("megabytes", [20, 550])
def test_a_link_that_unfolds_to_too_much_is_refused(visit: Visit, megabytes: int) -> None:
    page = visit(f"playground.html#z={linked('x' * 1_000_000, megabytes)}", alone=True)
    page.locator("#address", has_text="The program in it has more than 2,000,000 characters").wait_for()
    page.locator("#python", has_text="def Fact").wait_for(timeout=LOADED)
    ready(page)


class Elsewhere(BaseHTTPRequestHandler):
    """Another host, which answers everyone."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Type", "text/javascript")
        self.end_headers()
        self.wfile.write(b"export const came = 1;")

    def log_message(self, *arguments: Any) -> None:
        pass


@pytest.fixture
def elsewhere() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/a.js"
    server.shutdown()
    server.server_close()


REACHED = """async (address) => {
  const reached = [];
  const attempt = async (name, act) => {
    try {
      if (await act()) reached.push(name);
    } catch {}
  };
  await attempt("fetch", async () => (await fetch(address)).ok);
  await attempt("import", async () => (await import(address)).came);
  await attempt("request", () => {
    const request = new XMLHttpRequest();
    request.open("GET", address, false);
    request.send();
    return request.status;
  });
  await attempt("worker", () => new Promise((resolve) => {
    const script = `import ${JSON.stringify(address)}; postMessage(1);`;
    const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })), { type: "module" });
    worker.onmessage = () => resolve(true);
    worker.onerror = () => resolve(false);
  }));
  return reached;
}"""


@pytest.mark.long
@pytest.mark.parametrize("path", ["playground.html", "play.html", "docs/cpl-for-python-programmers.html"])
def test_a_page_and_its_worker_reach_their_own_server_only(alone: Any, site: Site, elsewhere: str, path: str) -> None:
    alone.goto(f"{site.url}{path}")
    if path.startswith("docs"):
        alone.locator(".try-open").first.click()
        alone.locator(".try-bar", has_text="Python is ready.").first.wait_for(timeout=LOADED)
    else:
        ready(alone)
    workers = alone.workers
    assert len(workers) == (2 if path == "play.html" else 1)
    for place in (alone, *workers):
        assert place.evaluate(REACHED, elsewhere) == []
        assert place.evaluate("(address) => fetch(address).then(({ ok }) => ok)", f"{site.url}index.html")


@pytest.mark.long
def test_the_python_of_a_notebook_may_reach_other_hosts(alone: Any, site: Site, elsewhere: str) -> None:
    """The page on security says so; the page around it may not."""
    alone.goto(f"{site.url}lab/lab/index.html?path=5-writing-cpl.ipynb")
    alone.get_by_text("Python (Pyodide) | Idle").wait_for(timeout=LOADED)
    assert alone.evaluate(REACHED, elsewhere) == []
    assert "fetch" in alone.workers[0].evaluate(REACHED, elsewhere)


SCRIPT = re.compile(r"""<script(?![^>]*(?:src=|type="application/json"))[^>]*>(.*?)</script>""", re.DOTALL)
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')


def test_every_page_has_a_policy(built: Path) -> None:
    pages = sorted(built.rglob("*.html"))
    assert len(pages) > 150
    for page in pages:
        text = page.read_text(encoding="utf-8")
        [policy] = POLICY.findall(text)
        sources = dict(part.split(" ", 1) for part in policy.split("; "))
        assert sources["default-src"] == "'self'", page
        assert not any("http" in source or "*" in source for source in sources.values()), page
        if page.relative_to(built).parts[0] != "lab":
            assert "unsafe" not in sources["script-src"].replace("wasm-unsafe-eval", ""), page
            digests = {
                base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in SCRIPT.findall(text)
            }
            assert {*re.findall(r"'sha256-([^']+)'", sources["script-src"])} == digests, page


KEPT_HERE = """async () => ({
  cookies: document.cookie,
  local: Object.keys(localStorage).sort(),
  session: Object.values(sessionStorage).map((each) => Object.keys(JSON.parse(each)).sort().join(" ")),
  caches: (await caches.keys()).map((name) => name.split(" ")[0]).sort(),
  databases: (await indexedDB.databases()).map(({ name }) => name.split(" - ")[0]),
})"""


@pytest.mark.long
def test_what_the_browser_keeps_is_what_is_said(alone: Any, site: Site) -> None:
    alone.goto(f"{site.url}playground.html")
    ready(alone)
    alone.evaluate(KEPT)
    alone.evaluate(REMEMBERED)
    assert alone.evaluate(KEPT_HERE) == {
        "cookies": "",
        "local": [],
        "session": [],
        "caches": ["memory", "site"],
        "databases": [],
    }
    write(alone, "Secret(x) = 2x\n")
    alone.locator("#python", has_text="def Secret").wait_for(timeout=LOADED)
    [state] = alone.evaluate(KEPT_HERE)["session"]
    assert {*state.split()} >= {"text", "call", "moves"}
    alone.wait_for_url(re.compile("#.*z="))
    held = """async () => {
      const texts = [];
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const answer of await cache.matchAll()) {
          texts.push(new TextDecoder("latin1").decode(await answer.arrayBuffer()));
        }
      }
      return texts.some((text) => text.includes("Secret(x)"));
    }"""
    assert not alone.evaluate(held)
    alone.goto(f"{site.url}docs/tour.html")
    alone.locator("[data-theme-switch]").click()
    alone.goto(f"{site.url}search.html?q=transcription")
    alone.locator("#search-results a").first.wait_for()
    kept = alone.evaluate(KEPT_HERE)
    works = [name for name in kept["local"] if name.startswith("cplc work ")]
    assert len(works) == 1
    assert {*kept["local"]} - {*works} <= {"theme", "sphinx_highlight_terms"} and "theme" in kept["local"]
    assert kept["cookies"] == "" and kept["databases"] == []
    context = alone.context
    other = context.new_page()
    other.goto(f"{site.url}playground.html")
    assert other.evaluate("sessionStorage.length") == 0
    other.goto(f"{site.url}lab/lab/index.html?path=5-writing-cpl.ipynb")
    other.get_by_text("Python (Pyodide) | Idle").wait_for(timeout=LOADED)
    assert other.evaluate(KEPT_HERE)["databases"] == ["JupyterLite Storage"]


def test_nothing_but_the_words_of_a_search_is_sent(visit: Visit, site: Site) -> None:
    page = visit("playground.html", alone=True)
    asked: list[str] = []
    sent: list[Any] = []
    page.context.on("request", lambda request: (asked.append(request.url), sent.append(request.post_data)))
    ready(page)
    write(page, "Secret(x) = 2x\n")
    page.locator("#call").fill("Secret(21)")
    page.get_by_role("button", name="Run").click()
    page.locator("#output .value", has_text="42").wait_for(timeout=LOADED)
    page.goto(page.url.replace("#", "?again#"))
    page.locator("#editor .cm-line", has_text="Secret").wait_for()
    addresses = [each.partition("#")[0] for each in asked if each.startswith("http")]
    assert addresses
    assert not any("Secret" in each or "z=" in each for each in addresses)
    assert not any(sent)
