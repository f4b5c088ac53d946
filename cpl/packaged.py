"""The files that travel with the package: the grammar, the programs and the table of endgames, in the wheel, else in
the checkout; the scripts and style sheets of pages; the beginning of all C.
"""

from pathlib import Path

_HERE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder `grammar` or `programs`."""
    packed = _HERE / "_data" / name
    return packed if packed.is_dir() else _HERE.parent / name


def grammar() -> str:
    """The grammar, as lark reads it."""
    return (folder("grammar") / "cpl.lark").read_text(encoding="utf-8")


def tables() -> str:
    """The parser's tables, which `grammar/hatch_build.py` makes; empty in a checkout that was never installed."""
    path = folder("grammar") / "tables.json"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def static(name: str) -> str:
    """A script or a style sheet of the pages."""
    return (_HERE / "views" / "static" / name).read_text(encoding="utf-8")


def explanations() -> str:
    """What the codes of diagnostics mean."""
    return (_HERE / "edit" / "explanations.md").read_text(encoding="utf-8")


def prelude() -> str:
    """What the C of programs stands on."""
    return (_HERE / "fast" / "c" / "prelude.h").read_text(encoding="utf-8")


def endgames() -> bytes:
    """The table of `cpl.games.endgames`, as it is saved."""
    return (folder("programs") / "endgames" / "kings.z").read_bytes()


def short(path: str) -> str:
    """What to call a file in messages: a packaged program by its short name, any other by its path."""
    programs = folder("programs")
    return Path(path).relative_to(programs).as_posix() if Path(path).is_relative_to(programs) else path
