"""Compile the packaged games with -O for the browser, where the byte code is that of Pyodide, in which this runs.

What comes of it are entries of the cache; pack.py puts them into the archive, and worker.py says that they are sound.
"""

from pathlib import Path

from cpl import cache
from cpl.games.game import program, use
from cpl.games.playable import NAMES, game_of

OUT = Path("/out/games")
USUAL_LIMIT = "DepthLimit = 2\n"
"""Of the program of 1966 as the opponent with which the page begins."""

cache.take_compiler_as_it_is()
use("optimised")


def write(folder: str) -> None:
    """Move the entries of the cache to a folder."""
    (OUT / folder).mkdir(parents=True)
    for path, _ in cache.entries():
        (OUT / folder / path.name).write_bytes(path.read_bytes())
        path.unlink()


game_of("strachey").start()
write("first")
for name in NAMES:
    game_of(name).start()
    game_of(name).searching()
program("strachey.cpl", USUAL_LIMIT, in_one_call=True)
write("later")
