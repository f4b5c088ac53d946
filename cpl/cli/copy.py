"""Copy a program and everything it needs into a folder, to change it there.

examples:
  cpl copy strachey.cpl mine            mine/strachey.cpl, its companion and its recorded examples
  cpl diff strachey.cpl mine/strachey.cpl
                                        what your changes change
  cplc --list                           the packaged programs

The command copies the program, the companions and recorded examples that programs.toml lists for it, and the files in
its folder that its `get` lines name. It creates DIR if necessary, and adds the program's entry to DIR/programs.toml. If
one of the files exists already, it copies nothing unless --force is given.

exit status: 0 if all went well; 1 if a file cannot be read or written, or exists already.
"""

import argparse
import json
import os
from collections.abc import Iterable
from pathlib import Path
from shlex import quote
from typing import Any

from cpl.cli import terminal
from cpl.cli.terminal import Failed, file_errors
from cpl.compiler import loader
from cpl.compiler.syntax import nodes


def run(options: argparse.Namespace) -> None:
    """Copy the program."""
    program, folder = loader.find(options.program), options.folder
    texts = _belonging(program)
    files = {folder / name: text for name, text in texts.items()}
    if existing := [path for path in files if os.path.lexists(path) and not (options.force and path.is_file())]:
        raise Failed(f"{existing[0]} already exists{'' if options.force else ': --force overwrites it'}")
    if entries := _entries(program, texts):
        files[folder / loader.MANIFEST] = _extended(folder / loader.MANIFEST, entries)
    terminal.check_output(folder)
    for path in files:
        parent = next(parent for parent in path.parents if os.path.lexists(parent))
        if not parent.is_dir():
            raise Failed(f"{parent} already exists, and is not a folder")
        if path.exists():
            terminal.check_output(path, in_place=path.name == loader.MANIFEST)  # which is added to
    for path, text in files.items():
        with file_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        terminal.write(path, text, in_place=path.name == loader.MANIFEST)
    terminal.tell("\n".join(map(str, files)))
    copy = folder / program.name
    # Another name of the original may be needed: the copy may have the first one now.
    original = next(name for name in (options.program, program.stem, str(program)) if loader.find(name) == program)
    terminal.tell(f"\nChange {copy}, then see what that changes:\n  cpl diff {quote(original)} {quote(str(copy))}")


def _belonging(program: Path) -> dict[str, str]:
    """The program and what belongs to it: the texts by their paths from its folder. Raises Unreadable for a file that
    stands elsewhere.
    """
    folder, entry = program.parent, loader.entry(str(program))
    main, library, _ = loader.load(loader.read(program))
    names = [*entry.companions, *filter(None, [entry.session])]
    for text in (main, *library.companions, *library.libraries):
        beside = Path(os.path.relpath(text.source.path, folder)).parent
        if os.pardir not in beside.parts:  # else it is packaged
            gets = (statement for statement in text.program.statements if isinstance(statement, nodes.Get))
            paths = [str(beside / statement.path) for statement in gets]
            names += [path for path in paths if os.path.lexists(folder / path) and not os.path.isdir(folder / path)]
    if strays := [name for name in names if Path(name).is_absolute() or os.pardir in Path(name).parts]:
        raise Failed(f"{strays[0]} is not below the folder of {program}, and cannot be copied with it")
    return {program.name: main.source.text} | {name: loader.read(folder / name, below=[folder]).text for name in names}


def _entries(program: Path, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the entries of the files in the manifest. A copy of a historical text is no longer verbatim."""
    above = loader.manifest(program.parent.parent).get(f"{program.parent.name}/{program.name}")
    manifest = {program.name: above, **loader.manifest(program.parent)}
    return {
        name: {key: value for key, value in entry.items() if key != "verbatim"}
        for name in names
        if (entry := manifest.get(name))
    }


def _extended(path: Path, entries: dict[str, dict[str, Any]]) -> str:
    """The text of the manifest at this path, with those of the entries that it does not have yet."""
    before = loader.manifest(path.parent)
    text = loader.read(path, below=[path.parent]).text if os.path.lexists(path) else ""
    for name, entry in entries.items():
        if before.get(name, entry) != entry:
            raise Failed(f"{path} already has another entry for {name}: remove it first")
        if name not in before:
            lines = [f"[{_toml(name)}]", *(f"{key} = {_toml(value)}" for key, value in entry.items())]
            text += "\n" * bool(text) + "".join(f"{line}\n" for line in lines)
    return text


def _toml(value: Any) -> str:
    """A value as TOML: that is JSON, but the character DEL must be escaped, too."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
