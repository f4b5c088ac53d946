"""Options and paths that the tests share, and how they share the processors."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cplrt import allow_deep_recursion

ROOT = Path(__file__).resolve().parent.parent

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
    reports = [each for several in terminalreporter.stats.values() for each in several if hasattr(each, "when")]
    lines = [
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
