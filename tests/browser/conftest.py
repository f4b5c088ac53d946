"""Pages in Chromium. A test fails if its page asks a host for anything, or reports an error."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from chromium import launched, opening


@pytest.fixture(scope="package")
def chromium() -> Iterator[Any]:
    with launched() as browser:
        yield browser


@pytest.fixture
def show(chromium: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Opens HTML in a page."""
    numbers = count()
    with opening(chromium, 10, (), {}) as opened:

        def shown(html: str, **settings: Any) -> Any:
            path = tmp_path / f"{next(numbers)}.html"
            path.write_text(html, encoding="utf-8")
            return opened(path.as_uri(), **settings)

        yield shown
