"""The checkpoint of a count: a file to which each part is added as soon as it is counted, so that a count that was
killed goes on where it was.

The first line says which count it is. A last line that was written by half counts for nothing.
"""

import os
import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Final

from cpl.cli import output_files
from cpl.cli.exits import Failed
from cpl.kit.perft_parts import Earlier, Part, most_split

_PART: Final = re.compile(rb"(\d{1,18}) (\d{1,18}) (\d{1,999})\n")
_LONGEST: Final = 1200
"""Bytes of a line, at most."""
_SYNC: Final = 1.0
"""Seconds of work that a power cut may cost."""


class Checkpoint:
    """The file, for the count to this depth of what has this identity."""

    def __init__(self, path: Path, file: IO[bytes], identity: str, depth: int) -> None:
        self.path, self.file, self.most = path, file, most_split(depth)
        self.count = f"cpl perft, count {identity} to depth {depth}, in parts of ply "

    def split(self) -> int | None:
        """The ply at which the count in the file is split, None if there is none yet. Raises Failed for a file that
        holds anything else.
        """
        with output_files.errors(self.path):
            self.file.seek(0)
            head = self.file.readline(_LONGEST)
        if not head:
            return None
        found = re.fullmatch(re.escape(self.count.encode()) + rb"(\d{1,9})\n", head)
        if not found or int(found[1]) > self.most:
            other = "belongs to another count" if head.startswith(b"cpl perft, count ") else "is no checkpoint"
            raise Failed(f"{self.path} {other}, and stays as it is: name another file with --checkpoint")
        return int(found[1])

    def begin(self, split: int) -> None:
        """Write the first line."""
        with output_files.errors(self.path):
            self.file.write(f"{self.count}{split}\n".encode())
            self.file.flush()

    def read(self, earlier: Earlier) -> None:
        """Take the parts in the file as counted `earlier`. Raises Failed for a damaged file."""
        with output_files.errors(self.path):
            file = self.file
            file.seek(0)
            good = len(file.readline())
            for number, line in enumerate(iter(lambda: file.readline(_LONGEST), b""), 2):
                if found := _PART.fullmatch(line):
                    try:
                        earlier.add(*map(int, found.groups()))
                    except LookupError:
                        found = None
                if not found and (line.endswith(b"\n") or len(line) == _LONGEST):
                    raise Failed(f"{self.path} is damaged: line {number} is no part of its count")
                good += len(line) if found else 0
            file.truncate(good)

    def kept(self, found: Iterable[tuple[Part, int]]) -> Iterator[tuple[Part, int]]:
        """What is found, each part when it is in the file."""
        synced = time.monotonic()
        for part, count in found:
            with output_files.errors(self.path):
                self.file.write(f"{part.ply} {part.number} {count}\n".encode())
                self.file.flush()
                if time.monotonic() - synced > _SYNC:
                    os.fsync(self.file.fileno())
                    synced = time.monotonic()
            yield part, count
        os.fsync(self.file.fileno())
