"""Output files: written whole or not at all, and never over what was read."""

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from cpl import outside
from cpl.cli.exits import Failed, Usage


def check(path: Path, *, in_place: bool = False) -> Path:
    """Where the text of an output file goes, links resolved. Raises Failed if its folder is missing or, `in_place`,
    it is not a regular file; Usage if it was read, and is not to be changed in place.
    """
    with errors(path):
        target = path.resolve()
        if target.is_symlink():  # a circle of links; Python before 3.13 has raised already
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if not target.parent.exists():
            raise Failed(f"{path}: the folder {path.parent} does not exist")
        if in_place and path.exists() and not path.is_file():
            raise Failed(f"{path}: this is not a regular file, and cannot be changed in place")
    if not in_place and outside.was_read(path):
        raise Usage(f"{path} is part of the input, and would be overwritten: name another output file")
    return target


def write(path: Path, text: str, *, in_place: bool = False, is_new: bool = False) -> None:
    """Write a file as `outside.write` does. Raises what `check` does, and Failed if it must be new and is not."""
    check(path, in_place=in_place)
    with errors(path):
        outside.write(path, text, is_new=is_new)


def write_result(output: str | None, text: str) -> None:
    """Write the result of a command to this file, or to standard output if there is none or it is `-`: on a terminal
    with escapes for what would steer it.
    """
    if output is None or output == "-":
        sys.stdout.write(outside.shown_on(sys.stdout, text))
    else:
        write(Path(output), text)


@contextlib.contextmanager
def owned(path: Path) -> Iterator[IO[bytes]]:
    """Within, no other command can own this file, which is open to be read and added to. Raises what `check` does, and
    Failed if another command has it.
    """
    target = check(path, in_place=True)
    with contextlib.ExitStack() as stack:
        with errors(path):
            file = stack.enter_context(outside.owned(target))
        yield file


@contextlib.contextmanager
def errors(path: Path) -> Iterator[None]:
    """Within, whatever goes wrong with a file is reported in one plain line that names it, or a file elsewhere that is
    needed for it. Raises Failed.
    """
    try:
        yield
    except (OSError, RuntimeError) as error:  # a circle of links is a RuntimeError
        reason = getattr(error, "strerror", None) or str(error)
        cause = str(getattr(error, "filename", None) or path)
        is_elsewhere = os.path.dirname(os.path.realpath(cause)) != os.path.dirname(os.path.realpath(path))
        raise Failed(f"{cause if is_elsewhere else path}: {reason[0].lower()}{reason[1:]}") from None
