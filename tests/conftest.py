"""Options and paths that the tests share, and how they share the processors."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cplrt import allow_deep_recursion
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

# The same examples in every run of CI: a new one that fails is found where it can be looked into.
SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck), derandomize=bool(os.environ.get("CI")))

# The commands that tests start keep their compiled modules, as they do for users: each starts a third faster.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-cases",
        action="store_true",
        help="write what is found into tests/cases and docs/language; review the diff",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """One process writes the cases back, as it must have run them all."""
    if config.getoption("--update-cases"):
        config.option.numprocesses = 0


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was measured, and of the tests that need more than Python whether they ran."""
    stats = terminalreporter.stats
    reports = [each for several in stats.values() for each in several if hasattr(each, "when")]
    lines = []
    for part in ("browser", "website"):
        own = {how: sum(f"tests/{part}/" in getattr(each, "nodeid", "") for each in stats[how]) for how in stats if how}
        if any(own.values()):
            lines.append(f"tests/{part}: {', '.join(f'{count} {how}' for how, count in own.items() if count)}")
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


@pytest.fixture
def deep() -> Iterator[None]:
    """Calls may nest as deep as under `cpl run`."""
    before = sys.getrecursionlimit()
    allow_deep_recursion()
    yield
    sys.setrecursionlimit(before)
