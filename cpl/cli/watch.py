"""Do something again whenever a file changes that it reads or looks for."""

import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NoReturn

from cpl import outside
from cpl.cli import output
from cpl.cli.exits import Usage
from cpl.diagnostics import Error

_PAUSE: Final = 0.4
_CLEAR: Final = "\x1b[H\x1b[2J\x1b[3J"


def repeat(action: Callable[[], object], names: list[str]) -> NoReturn:
    """Do it now, and after each change of these files and folders, and of all else that it looks for. What changes
    while it works is not lost.
    """
    seen = _versions(names)
    while True:
        if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
            print(_CLEAR, end="")
        print(f"{time.strftime('%H:%M:%S')} checking (Ctrl-C ends)", flush=True)
        with outside.remembered():
            try:
                action()
            except (Usage, Error) as error:
                output.say(str(error))
            seen |= outside.sought()
        print(flush=True)
        while (now := _versions(names, seen)) == seen:
            time.sleep(_PAUSE)
        seen = now


def _versions(names: list[str], known: Iterable[Path] = ()) -> dict[Path, outside.Version]:
    """The present versions of the named files, those in the named folders, and those known before."""
    walked = [(folder, found) for name in names for folder, _, found in os.walk(name)]
    below = [Path(folder, each) for folder, found in walked for each in found if each.endswith(".cpl")]
    return {path: outside.version(path) for path in {*map(Path, names), *below, *known}}
