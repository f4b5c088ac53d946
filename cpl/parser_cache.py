"""The parser's tables, kept in the user's cache folder: lark takes a fifth of a second to make them."""

import contextlib
import json
import sys
import zlib
from functools import cache
from pathlib import Path
from typing import Any, Final

from cpl import __version__, outside, packaged
from cpl.syntax.parser import use_tables

_MOST_BYTES: Final = 4_000_000


@cache
def prepare() -> None:
    """Give the parser its tables from the cache; if there are none that can be trusted, it makes its own."""
    with contextlib.suppress(Exception):  # without a cache, which is of no importance
        path = _path()
        try:
            use_tables(_kept(path))
        except Exception:  # whatever is there, it is of no use
            from cpl.syntax.tables import made

            tables = made()
            use_tables(tables)
            _keep(path, tables)


def _path() -> Path:
    """A name that changes with all that the tables depend on. Raises RuntimeError if the user has no home."""
    from platformdirs import user_cache_path

    known = (packaged.grammar(), sys.version_info, __version__)
    return user_cache_path("cplc") / f"tables-{_digest(repr(known))}.json"


def _digest(text: str) -> str:
    """That nothing is damaged: who may write the file is another matter. (To import hashlib takes longer.)"""
    return f"{zlib.crc32(text.encode()):08x}"


def _kept(path: Path) -> Any:
    """A cache file's contents, if it is whole and only this user can have written it. Raises OSError, ValueError."""
    digest, _, text = outside.read_private(path, _MOST_BYTES).decode().partition("\n")
    if digest != _digest(path.name + text):
        raise ValueError("damaged")
    return json.loads(text)


def _keep(path: Path, data: Any) -> None:
    text = json.dumps(data, separators=(",", ":"))
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.unlink(missing_ok=True)  # whoever made it
    outside.write(path, f"{_digest(path.name + text)}\n{text}", mode=0o600)
