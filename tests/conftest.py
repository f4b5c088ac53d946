"""Options and paths that the tests share."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-cases", action="store_true", help="write what is found into tests/cases; review the diff"
    )


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT
