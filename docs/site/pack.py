"""Pack what the pages need of Python, compiled, as two archives: what questions need first, and all else.

It runs in Pyodide, whose byte code the browser runs, with cplc and what that needs installed.
"""

import gzip
import importlib.util
import io
import json
import marshal
import sys
import tarfile
import zipfile
from pathlib import Path

from cpl import cache, outside
from cpl.compiler import loader
from cpl.editors.browser.answers import answer
from cpl.games.game import use
from cpl.games.playable import NAMES, game_of

LIBRARY = Path("/lib/python3.14")
SITE = LIBRARY / "site-packages"
OUT = Path("/out")

RUNTIME = SITE / "cplrt"
LATER = {RUNTIME / "kings.pyc", SITE / "cpl" / "games" / "kings.z", LIBRARY / "ssl.pyc", LIBRARY / "_ssl.pyc"}
"""A table that is large, and that only some endings of games need, and what reads it; and what asyncio, with which
Pyodide begins, imports only if it is there.
"""


def games(folder: str) -> dict[Path, bytes]:
    """The games that compile_games.py has put into a folder, by the paths of their entries in the cache."""
    return {cache.folder() / path.name: path.read_bytes() for path in (OUT / "games" / folder).iterdir()}


def keep(folder: str) -> None:
    """Put the games of a folder into the cache."""
    for path, content in games(folder).items():
        path.write_bytes(content)
        path.chmod(0o600)


def check_games() -> None:
    """See that no game had to be compiled since there is a cache."""
    assert "cpl.compiler.optimise.passes" not in sys.modules, "the games that are compiled were not found"


def exercise() -> None:
    """Ask what visitors ask first, so that all modules are loaded that answer it."""
    cache.take_compiler_as_it_is()
    cache.folder().mkdir(mode=0o700, parents=True)
    keep("first")
    use("optimised")
    name = "strachey.cpl"
    program = {"name": name, "text": loader.read(outside.packaged("programs") / name).text}
    read = {**program, "reading": "set"}
    game = {"game": "strachey", "fen": "", "moves": []}
    questions = [
        {"ask": "check", "name": "", "text": "f(x) = (2x", "reading": "set"},
        {"ask": "python", **read},
        {"ask": "describe", **read, "offset": 0},
        {"ask": "complete", **program, "offset": 4},
        {"ask": "run", **read, "call": "NextMoveDirection(5)"},
        {"ask": "steps", **read, "call": "NextMoveDirection(5)"},
        {"ask": "stage", **read, "which": "types"},
        {"ask": "state", **game, "flipped": False},
    ]
    for question in questions:
        reply = json.loads(answer(json.dumps(question)))
        assert "answer" in reply, reply
    check_games()


def play_others() -> None:
    """Begin and search all games, as visitors do later."""
    keep("later")
    for name in NAMES:
        game_of(name).start()
        game_of(name).searching()
    check_games()


def make_tables() -> None:
    """Put the tables of black's grammar beside it: in a browser, to make them takes longer than to import black."""
    from blib2to3.pgen2 import driver

    for name in ("Grammar.txt", "PatternGrammar.txt"):
        driver.load_packaged_grammar(str(SITE / "blib2to3" / name))


def compiled(source: bytes, path: Path, optimize: int) -> bytes:
    """The byte code of a module, as a file that is never compared with its source."""
    code = compile(source, str(path), "exec", dont_inherit=True, optimize=optimize)
    head = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + importlib.util.source_hash(source)
    return head + marshal.dumps(code)


def files() -> dict[Path, bytes]:
    """The standard library without docstrings, and the packages, by the paths that they have in the browser.

    The runtime is there as sources, too, which standalone modules have in them.
    """
    contents: dict[Path, bytes] = {}
    with zipfile.ZipFile("/lib/python314.zip") as archive:
        for name in archive.namelist():
            path = LIBRARY / name
            if path.suffix == ".py":
                contents[path.with_suffix(".pyc")] = compiled(archive.read(name), path, 2)
    for path in SITE.rglob("*"):
        if path.suffix == ".py":
            contents[path.with_suffix(".pyc")] = compiled(path.read_bytes(), path, 0)
        if path.is_file() and ".dist-info/" not in str(path) and (path.suffix != ".py" or path.parent == RUNTIME):
            contents[path] = path.read_bytes()
    return contents


def pack(name: str, contents: dict[Path, bytes]) -> None:
    """Write an archive: tar, compressed."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, content in sorted(contents.items()):
            member = tarfile.TarInfo(str(path).lstrip("/"))
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    (OUT / name).write_bytes(gzip.compress(buffer.getvalue(), mtime=0))


exercise()
loaded = {getattr(module, "__file__", None) or "" for module in sys.modules.values()}
needed = {Path(file.replace("/lib/python314.zip", str(LIBRARY))).with_suffix(".pyc") for file in loaded if file}
play_others()
make_tables()
contents = files() | games("first") | games("later")
needed |= {path for path in contents if path.suffix != ".pyc" and SITE / "cpl" in path.parents}
needed |= {*games("first")}
needed -= LATER
pack("first.bin", {path: content for path, content in contents.items() if path in needed})
highlighters = SITE / "pygments"  # of languages that no page shows
others = {path for path in contents if path not in needed and highlighters not in path.parents}
pack("rest.bin", {path: contents[path] for path in others})
