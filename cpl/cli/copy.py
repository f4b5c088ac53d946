"""Copy a program and everything it needs into a folder, to change it there.

examples:
  cpl copy strachey.cpl mine            mine/strachey.cpl, its companion and its recorded examples
  cpl diff strachey.cpl mine/strachey.cpl
                                        what your changes do
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
    """Copy the program, and all files that it needs, into the folder. Raises Failed if one exists there."""
    program = loader.find(options.program)
    folder = options.folder
    texts = _belonging(program)
    files = {folder / name: text for name, text in texts.items()}
    for path in files:
        if options.force and os.path.lexists(path) and not path.is_file():
            raise Failed(f"{path} already exists")  # --force overwrites files only
        if not options.force and os.path.lexists(path):
            raise Failed(f"{path} already exists: --force overwrites it")

    entries = _entries(program, texts)
    if entries:
        manifest = folder / loader.MANIFEST
        files[manifest] = _extended(manifest, entries)

    # All that can be known to fail fails here, before anything is written.
    terminal.check_output(folder)
    for path in files:
        nearest = next(parent for parent in path.parents if os.path.lexists(parent))
        if not nearest.is_dir():
            raise Failed(f"{nearest} already exists, and is not a folder")
        if path.exists():
            terminal.check_output(path, in_place=path.name == loader.MANIFEST)

    # Only the manifest may be a file that this command has read: it is added to.
    for path, text in files.items():
        with file_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        terminal.write(path, text, in_place=path.name == loader.MANIFEST)
    terminal.tell("\n".join(map(str, files)))

    copy = folder / program.name
    # The name that the user typed may mean the copy now, if that is in the current folder.
    names = (options.program, program.stem, str(program))
    original = next(name for name in names if loader.find(name) == program)
    terminal.tell(f"\nChange {copy}, then see what that changes:\n  cpl diff {quote(original)} {quote(str(copy))}")


def _belonging(program: Path) -> dict[str, str]:
    """The texts of the program and of what belongs to it, by their paths from its folder. Raises Failed if one of them
    is not below that folder, and Unreadable.
    """
    folder = program.parent
    entry = loader.entry(str(program))
    main, library, _ = loader.load(loader.read(program))
    names = [*entry.companions, *filter(None, [entry.session])]
    for text in (main, *library.companions, *library.libraries):
        place = Path(os.path.relpath(text.source.path, folder)).parent
        if os.pardir in place.parts:  # it stands elsewhere, and so is packaged
            continue
        for statement in text.program.statements:
            if isinstance(statement, nodes.Get):
                path = str(place / statement.path)
                if os.path.lexists(folder / path) and not os.path.isdir(folder / path):  # else it is packaged
                    names.append(path)

    strays = [name for name in names if Path(name).is_absolute() or os.pardir in Path(name).parts]
    if strays:
        raise Failed(f"{strays[0]} is not below the folder of {program}, and cannot be copied with it")

    texts = {program.name: main.source.text}
    for name in names:
        texts[name] = loader.read(folder / name, below=[folder]).text
    return texts


def _entries(program: Path, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the entries that the manifest of the program's folder has for these files; that of the program itself may
    be in the folder above. A copy of a historical text is no longer verbatim.
    """
    folder = program.parent
    from_above = loader.manifest(folder.parent).get(f"{folder.name}/{program.name}")
    manifest = {program.name: from_above, **loader.manifest(folder)}
    entries = {}
    for name in names:
        entry = manifest.get(name)
        if entry:
            entries[name] = {key: value for key, value in entry.items() if key != "verbatim"}
    return entries


def _extended(path: Path, entries: dict[str, dict[str, Any]]) -> str:
    """The text of the manifest at this path, with those of the entries that it does not have yet. Raises Failed if it
    has another entry for one of the files, and Unreadable.
    """
    before = loader.manifest(path.parent)
    text = loader.read(path, below=[path.parent]).text if os.path.lexists(path) else ""
    for name, entry in entries.items():
        if name in before:
            if before[name] != entry:
                raise Failed(f"{path} already has another entry for {name}: remove it first")
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
