"""The texts that a command is given: files, packaged programs, standard input, and what is in folders."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from cpl import outside
from cpl.cli import terminal
from cpl.compiler import loader
from cpl.compiler.source import Source
from cpl.limits import MOST_BYTES_OF_PROGRAM


def read_input(name: str, called: str = terminal.SHOWN_STDIN, below: Sequence[Path] | None = None) -> Source:
    """Read the text that FILE means: standard input, which is `called` this, a path, or a packaged program by its name;
    with `below`, as `loader.read` does. Raises Unreadable, CplError and Usage.
    """
    if name == terminal.STDIN:
        return loader.decode(terminal.read_standard_input(MOST_BYTES_OF_PROGRAM), called)
    return loader.read(loader.find(name), below=below)


def inputs(names: list[str], *, companions: bool = True) -> Iterator[tuple[str, list[Path] | None]]:
    """Yield the names, with the *.cpl files below a folder in its place, and each of these with that folder, below
    which it is to be read; hidden ones, and links out of the folder, are left out, and with `companions` false those
    that go with another of the files.
    """
    for name in names:
        folder = Path(name)
        if not folder.is_dir():
            yield name, None
            continue
        paths = sorted(outside.files_below(folder, ".cpl"))
        if not paths:
            terminal.say(f"{name}: no *.cpl file is in this folder")
        if not companions:
            paths = _without_companions(paths)
        for path in paths:
            yield str(path), [folder]


def _without_companions(paths: list[Path]) -> list[Path]:
    """Leave out the companions of other files; of two that go with each other, neither."""
    companions: dict[Path, list[Path]] = {path: [] for path in paths}
    for path in paths:
        with suppress(loader.Unreadable):  # reported when the file is read
            companions[path] = [path.parent / name for name in loader.entry(str(path)).companions]

    identities: set[tuple[int, int] | None] = set()  # since the manifest may name a companion by another path
    for group in companions.values():
        identities.update(map(outside.identity, group))
    return [path for path in paths if companions[path] or outside.identity(path) not in identities]
