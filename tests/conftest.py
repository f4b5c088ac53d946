"""Options and paths that the tests share."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-cases", action="store_true", help="write what is found into tests/cases; review the diff"
    )


MEASURED = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[MEASURED] = []


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if lines := config.stash[MEASURED]:
        terminalreporter.section("measured")
        for line in lines:
            terminalreporter.write_line(line)


@pytest.fixture
def measured(request: pytest.FixtureRequest):
    """Prints a line at the end of the run: rates and times that a reader of the tests wants to see."""
    return request.config.stash[MEASURED].append


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT
