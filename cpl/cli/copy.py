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
    program = loader.find(options.program)
    folder = options.folder
    texts = _belonging(program)
    files = {folder / name: text for name, text in texts.items()}
    existing = [path for path in files if os.path.lexists(path)]
    if options.force:  # which writes over files, but not over folders
        existing = [path for path in existing if not path.is_file()]
    if existing:
        raise Failed(f"{existing[0]} already exists{'' if options.force else ': --force overwrites it'}")
    entries = _entries(program, texts)
    if entries:
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
    folder = program.parent
    entry = loader.entry(str(program))
    main, library, _ = loader.load(loader.read(program))
    names = [*entry.companions, *filter(None, [entry.session])]
    for text in (main, *library.companions, *library.libraries):
        place = Path(os.path.relpath(text.source.path, folder)).parent
        if os.pardir in place.parts:  # it stands elsewhere, and so is packaged
            continue
        gets = (statement for statement in text.program.statements if isinstance(statement, nodes.Get))
        for statement in gets:
            path = str(place / statement.path)
            if os.path.lexists(folder / path) and not os.path.isdir(folder / path):
                names.append(path)

    strays = [name for name in names if Path(name).is_absolute() or os.pardir in Path(name).parts]
    if strays:
        raise Failed(f"{strays[0]} is not below the folder of {program}, and cannot be copied with it")

    texts = {program.name: main.source.text}
    for name in names:
        texts[name] = loader.read(folder / name, below=[folder]).text
    return texts


def _entries(program: Path, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the entries of the files in the manifest. A copy of a historical text is no longer verbatim."""
    above = loader.manifest(program.parent.parent).get(f"{program.parent.name}/{program.name}")
    manifest = {program.name: above, **loader.manifest(program.parent)}
    entries = {}
    for name in names:
        entry = manifest.get(name)
        if entry:
            entries[name] = {key: value for key, value in entry.items() if key != "verbatim"}
    return entries


def _extended(path: Path, entries: dict[str, dict[str, Any]]) -> str:
    """The text of the manifest at this path, with those of the entries that it does not have yet."""
    before = loader.manifest(path.parent)
    text = loader.read(path, below=[path.parent]).text if os.path.lexists(path) else ""
    for name, entry in entries.items():
        if before.get(name, entry) != entry:
            raise Failed(f"{path} already has another entry for {name}: remove it first")
        if name in before:
            continue
        if text:
            text += "\n"
        text += f"[{_toml(name)}]\n"
        for key, value in entry.items():
            text += f"{key} = {_toml(value)}\n"
    return text


def _toml(value: Any) -> str:
    """A value as TOML: that is JSON, but the character DEL must be escaped, too."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
