"""The built site on a server. A test fails if a page asks another host for anything, or reports an error."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from chromium import launched, opening
from conftest import ROOT
from visiting import served

WORK = ROOT / "build/site-work"
"""Where the parts are kept from one run to the next, as they are for those who build the site by hand."""

SECONDS = 60
"""How long a test waits for something on a page, unless it says otherwise."""
PHONE = {"width": 390, "height": 844}


@dataclass(frozen=True)
class Site:
    """The folder, the address at which it is served, and axe-core, which looks for what keeps people out."""

    folder: Path
    origin: str
    axe: str

    @property
    def url(self) -> str:
        """Where it is served: not at the top of its server."""
        return f"{self.origin}some/folder/"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, built once, whichever process of a run asks first. It is not at the top of its server."""
    if not os.access(ROOT, os.W_OK):
        pytest.skip("the parts of the site are kept in this tree, which is read-only")
    for package in (
        "furo",
        "hatchling",
        "jupyterlite_core",
        "jupyterlite_pyodide_kernel",
        "myst_nb",
        "sphinx",
        "ziglang",
    ):
        if not find_spec(package):
            pytest.skip(f"{package} is not installed: pip install -e '.[site]' brings it")
    if not shutil.which("npm"):
        pytest.skip("there is no program npm")
    base = tmp_path_factory.getbasetemp()
    is_shared = "PYTEST_XDIST_WORKER" in os.environ
    folder = (base.parent if is_shared else base) / "server/some/folder"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            command = [sys.executable, ROOT / "docs/site", "-o", folder, "--work", WORK]
            done = subprocess.run(command, capture_output=True, text=True, cwd=base)
            assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def site(built: Path) -> Iterator[Site]:
    axe = (WORK / "npm/node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
    with served(built.parent.parent) as origin:
        yield Site(built, origin, axe)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Any]:
    with launched() as browser:
        yield browser


@pytest.fixture(scope="package")
def contexts() -> dict[str, Any]:
    """What `opening` shares between the tests."""
    return {}


@pytest.fixture
def visit(chromium: Any, site: Site, contexts: dict[str, Any]) -> Iterator[Callable[..., Any]]:
    """Opens a page of the site."""
    with opening(chromium, SECONDS, (site.origin, "data:", "blob:"), contexts) as opened:
        yield lambda path, **settings: opened(f"{site.url}{path}", **settings)


@pytest.fixture
def lacking(chromium: Any, site: Site) -> Iterator[Callable[..., Any]]:
    """Opens a page on a phone, from a server that answers otherwise for some files, or never. What the page reports of
    that is no trouble.
    """
    contexts = []

    def opened(path: str, pattern: str, wait: bool = True, **answer: Any) -> Any:
        context = chromium.new_context(viewport=PHONE, service_workers="block")
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1000 * SECONDS)
        page.route(pattern, lambda route: route.fulfill(**answer) if answer else None)
        page.goto(f"{site.url}{path}", wait_until="load" if wait else "commit")
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def barriers(site: Site) -> Callable[[Any], list[str]]:
    """What axe-core finds in a page, one in a line."""

    def found(page: Any) -> list[str]:
        page.evaluate(site.axe)
        violations = page.evaluate("axe.run().then(result => result.violations)")
        return [f"{each['id']}: {node['html'][:200]}" for each in violations for node in each["nodes"]]

    return found
