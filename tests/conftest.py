"""Options and paths that the tests share, how they share the processors, and how their processes end."""

import contextlib
import ctypes
import gc
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from multiprocessing import resource_tracker
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest
from cplrt import allow_deep_recursion
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir

if TYPE_CHECKING:
    from ways import Ways

ROOT = Path(__file__).resolve().parent.parent

# No example has a deadline: on a busy machine any may take long.
settings.register_profile("no deadline", settings.default, deadline=None)
settings.load_profile("no deadline")

# The same examples in every run of CI: a new one that fails is found where it can be looked into.
SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck), derandomize=bool(os.environ.get("CI")))

# The commands that tests start keep their compiled modules, as they do for users: each starts a third faster.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# What tests keep alive is looked through for rubbish less often than Python would.
gc.set_threshold(50_000, 20, 100)

# A shell without job control ignores these for what runs in the background, and what a test starts would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# `kill` ends a run as Ctrl-C does. A process whose parent has ended becomes ours.
signal.signal(signal.SIGTERM, signal.default_int_handler)
if sys.platform != "win32":
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    os.register_at_fork(after_in_child=partial(signal.signal, signal.SIGTERM, signal.SIG_DFL))
    resource_tracker.ensure_running()  # it serves all tests
    signal.signal(signal.SIGALRM, lambda *_: pytest.fail("the test takes too long"))
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-cases",
        action="store_true",
        help="write what is found into tests/cases and docs/language; review the diff",
    )
    parser.addoption("--rest", action="store_true", help="leave out what passed in the last run without this option")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """All processors share the tests, if xdist is there. One process writes the cases back, as it has all of them."""
    option = config.option
    if not config.pluginmanager.hasplugin("xdist") or hasattr(config, "workerinput"):
        return
    if config.getoption("--update-cases"):
        option.numprocesses = 0
    elif option.numprocesses is None:
        option.numprocesses = "logical"
        option.dist = "worksteal"


@pytest.fixture(scope="session", autouse=True)
def caches(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Nothing is compiled again that the tests have compiled before, in this run or, with a cache of pytest, an earlier
    one. Without it, as in a folder that is read-only, all that is kept stands in pytest's temporary folder.
    """
    if hasattr(request.config, "cache") and os.access(ROOT, os.W_OK):
        folder = ROOT / ".pytest_cache"
    else:
        folder = tmp_path_factory.mktemp("caches")
        os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "python")
    os.environ.setdefault("XDG_CACHE_HOME", str(folder / "home"))
    os.environ.setdefault("MYPY_CACHE_DIR", str(folder / "mypy"))
    os.environ.setdefault("IPYTHONDIR", str(folder / "ipython"))
    set_hypothesis_home_dir(folder / "hypothesis")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--rest"):
        passed = {*config.cache.get("cplc/passed", [])}
        left_out = {item for item in items if item.nodeid in passed and not item.get_closest_marker("again")}
        config.hook.pytest_deselected(items=[*left_out])
        items[:] = [item for item in items if item not in left_out]


def children() -> set[int]:
    """The processes that this one has started, and not yet asked for their status; none where Linux does not tell."""
    lists = list(Path("/proc/self/task").glob("*/children"))
    with contextlib.suppress(OSError):  # of a thread that ends now
        return {int(number) for file in lists for number in file.read_text().split()}
    return children()


def end_children(but: set[int]) -> None:
    """End the processes that were started, and those that they started."""
    while started := children() - but:
        for number in started:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(number, signal.SIGKILL)
                os.waitid(os.P_PID, number, os.WEXITED | os.WNOWAIT)
        but = but | started


@pytest.fixture(autouse=True)
def limited(request: pytest.FixtureRequest) -> Iterator[None]:
    """No test takes longer than this, no process that it starts outlives it, and Python's limit is what it was."""
    before, depth = children(), sys.getrecursionlimit()
    alarm = getattr(signal, "alarm", lambda seconds: None)  # Windows has none
    alarm(1800 if request.node.get_closest_marker("long") else 600)
    yield
    alarm(0)
    sys.setrecursionlimit(depth)
    end_children(before)


def pytest_unconfigure() -> None:
    end_children(set())


def reasons_of_skips(reports: Iterable[pytest.TestReport | pytest.CollectReport]) -> str:
    """Why tests were skipped, and how many for each reason, in one line; empty if none was."""
    reasons: Counter[str] = Counter()
    for report in reports:
        if isinstance(report.longrepr, tuple):
            reasons[report.longrepr[2].removeprefix("Skipped: ")] += 1
    return "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was measured, of the tests that need more than Python whether they ran, and why tests were skipped."""
    stats = terminalreporter.stats
    reports = [report for several in stats.values() for report in several if hasattr(report, "when")]
    lines, cache = [], getattr(terminalreporter.config, "cache", None)  # -p no:cacheprovider
    if terminalreporter.config.getoption("--rest"):
        lines.append(f"left out, as they passed before: {len(cache.get('cplc/passed', []))}")
    elif cache:
        cache.set("cplc/passed", [report.nodeid for report in stats.get("passed", ()) if report.when == "call"])
    for part in ("browser", "website"):
        own = {
            how: sum(f"tests/{part}/" in getattr(report, "nodeid", "") for report in stats[how]) for how in stats if how
        }
        if any(own.values()):
            lines.append(f"tests/{part}: {', '.join(f'{count} {how}' for how, count in own.items() if count)}")
    if skips := reasons_of_skips(stats.get("skipped", ())):
        lines.append(f"skipped: {skips}")
    lines += [
        line
        for report in sorted(reports, key=lambda report: report.nodeid)
        for name, line in getattr(report, "user_properties", ())
        if name == "measured" and report.when == "call"
    ]
    if lines:
        terminalreporter.section("measured")
        for line in lines:
            terminalreporter.write_line(line)


@pytest.fixture
def measured(request: pytest.FixtureRequest):
    """Prints a line at the end of the run: rates and times that a reader of the tests wants to see.

    The lines travel with the reports, as each process of a run has tests of its own.
    """
    return lambda line: request.node.user_properties.append(("measured", line))


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def game() -> ModuleType:
    """The program of 1966, corrected; a test that changes it loads its own."""
    from cpl import load

    return load("strachey.cpl")


@pytest.fixture(scope="session")
def ways() -> "Callable[..., Ways]":
    """Runs a program in all ways (`ways.py`): `ways(text, calls=["F(1)"]).agreed()` is the outcome that they share."""
    from ways import ways

    return ways


@pytest.fixture
def deep() -> None:
    """Calls may nest as deep as under `cpl run`, in this test."""
    allow_deep_recursion()
