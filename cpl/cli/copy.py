"""`cpl copy`: a program, and all that belongs to it, put into a folder to be changed."""

import argparse
import json
import os
from collections.abc import Collection
from contextlib import ExitStack
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, Final

from cpl.cli import common
from cpl.cli.common import Failed, option

if TYPE_CHECKING:
    from cpl.source import Source

WHAT: Final = "copy a program into a folder, with all that belongs to it, to be changed there"
MORE: Final = """\
examples:
  cpl copy strachey.cpl mine            mine/strachey.cpl, its companion and its recorded examples
  cpl diff strachey.cpl mine/strachey.cpl
                                        what your changes change
  cplc --list                           the programs there are

The companions and the examples that programs.toml names for the program come with it, and so do files beside it that
it gets. DIR is made if it is missing; in its programs.toml, which is made or added to, the program has the entry that
it has here. Everything is copied or nothing.

exit status: 0 done; 1 a file cannot be read or written, or is there already; 2 the command line is at fault.
"""


add_options: Final = common.options(
    option("program", metavar="PROGRAM", help="a packaged program, or a file"),
    option("folder", metavar="DIR", type=Path, help="where to put it"),
    option("--force", action="store_true", help="write over files that are there already"),
)


def run(options: argparse.Namespace) -> int:
    """Copy; the result is the exit status."""
    from cpl import loader

    program, folder = loader.find(options.program), options.folder
    files = {folder / name: _read(program, name).text for name in _belonging(program)}
    for path in files:
        if os.path.lexists(path) and not (options.force and path.is_file()):
            raise Failed(f"{path} is there already{'' if options.force else ': --force writes over it'}")
    if entries := _entries(program, files, folder):
        path = folder / loader.MANIFEST
        files[path] = _added(path, entries)
    _write(folder, files)
    for path in files:
        print(path)
    copy = folder / program.name
    names = (options.program, program.stem, str(program))  # the copy may have the first name now
    original = next(name for name in names if loader.find(name) == program)
    print(f"\nChange {copy}, then see what that changes:\n  cpl diff {quote(original)} {quote(str(copy))}")
    return common.DONE


def _read(program: Path, name: str) -> "Source":
    """The program, or a file that is named with it: then nothing from outside of its folder."""
    from cpl import loader

    return loader.read(program.parent / name, below=None if name == program.name else [program.parent])


def _belonging(program: Path) -> list[str]:
    """The program and what belongs to it, as paths from its folder."""
    from cpl import loader
    from cpl.syntax import nodes
    from cpl.syntax.parser import parse

    names, folder = [program.name], program.parent
    for name in names:
        got = [each.path for each in parse(_read(program, name))[0].statements if isinstance(each, nodes.Get)]
        beside = [str(Path(name).parent / each) for each in got if (folder / Path(name).parent / each).is_file()]
        names += [each for each in (*loader.entry(str(folder / name)).companions, *beside) if each not in names]
    session = loader.entry(str(program)).session
    for name in (names := [*names, *([session] if session else [])]):
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise Failed(f"{name} is not below the folder of {program}, and cannot be copied with it")
    return names


def _entries(program: Path, files: Collection[Path], folder: Path) -> dict[str, Any]:
    """What the manifest says of the files. A copy of a historical text is no longer verbatim."""
    from cpl import loader

    above = f"{program.parent.name}/{program.name}"
    known = {program.name: loader.manifest(program.parent.parent).get(above), **loader.manifest(program.parent)}
    names = [path.relative_to(folder).as_posix() for path in files]
    return {
        name: {key: value for key, value in known[name].items() if key != "verbatim"}
        for name in names
        if known.get(name)
    }


def _added(path: Path, entries: dict[str, Any]) -> str:
    """The text of the manifest at this path, with those of the entries that it does not have yet."""
    from cpl import loader

    before = loader.manifest(path.parent)
    text = loader.read(path, below=[path.parent]).text if os.path.lexists(path) else ""
    for name, known in entries.items():
        if before.get(name, known) != known:
            raise Failed(f"{path} says something else of {name}: take that out first")
        if name not in before:
            lines = [f"{key} = {_written(value)}\n" for key, value in known.items()]
            text = f"{text}{chr(10) if text else ''}[{_written(name)}]\n{''.join(lines)}"
    return text


def _written(value: Any) -> str:
    """A value as TOML: that is JSON, but the sign DEL must be escaped too."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _write(folder: Path, files: dict[Path, str]) -> None:
    """Write all files, or leave everything as it was."""
    from cpl import loader

    with ExitStack() as undo:
        for path, text in files.items():
            for parent in reversed([*path.parents][: len(path.relative_to(folder).parts)]):
                if not parent.is_dir():
                    common.check_output(parent)
                    with common.file_errors(parent):
                        parent.mkdir()
                    undo.callback(parent.rmdir)
            if path.exists():
                undo.callback(path.write_bytes, path.read_bytes())
            else:
                undo.callback(path.unlink, missing_ok=True)
            common.write_output(path, text, in_place=path.name == loader.MANIFEST)  # which is added to
        undo.pop_all()
