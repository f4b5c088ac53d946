"""CPL locations in Python tracebacks of compiled modules.

The comment at the end of such a module says which of its lines come from which line of the CPL.
"""

import re
import sys
from collections.abc import Iterator
from types import TracebackType

BASE_64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
"""The digits by which a module says where its lines come from."""


def cpl_place(traceback: TracebackType | None) -> str | None:
    """The CPL location of the innermost compiled frame, such as `strachey.cpl:12`; None if there is none."""
    place = None
    places: dict[str, dict[int, str]] = {}
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if file not in places:
            places[file] = _lines(file)
        place = places[file].get(traceback.tb_lineno, place)
        traceback = traceback.tb_next
    return place


def _lines(file: str) -> dict[int, str]:
    """The CPL location of each line of a compiled module."""
    import linecache  # here, as every module imports this one, and few fail

    lines = linecache.getlines(file)
    places: dict[int, str] = {}
    starts: list[tuple[int, str, int, int]] = []
    comment = ""
    for line in reversed(lines):
        if not line.startswith("# "):
            break
        comment = f"{line[2:].strip()} {comment}"
        heading, _, entries = comment.rpartition(": ")
        if heading.startswith("Lines from "):
            name = heading.removeprefix("Lines from ")
            digits = entries.replace(" ", "")
            starts += [(first, name, number, step) for first, number, step in _runs(digits)]
        elif heading.startswith("Lines of "):  # as 2.0 wrote it
            places |= _ranges(heading.removeprefix("Lines of "), entries)
        else:
            continue
        comment = ""
    starts.sort()
    ends = [first for first, *_ in starts[1:]] + [len(lines) + 1]
    for (first, name, number, step), end in zip(starts, ends, strict=False):
        places |= {at: f"{name}:{number + step * (at - first)}" for at in range(first, end)}
    return places


def _runs(digits: str) -> Iterator[tuple[int, int, int]]:
    """The runs of lines of a text: the first line of each, the line of the CPL that it comes from, and 1 if the lines
    after it come from the lines after that, 0 if they come from the same.
    """
    numbers: list[int] = []
    number = power = 0
    for digit in digits:
        value = BASE_64.find(digit)
        number |= (value & 31) << power
        power += 5
        if value < 32:
            numbers.append(number)
            number = power = 0

    first = place = 0
    for lines, further in zip(numbers[::2], numbers[1::2], strict=False):
        first += lines // 2
        place += -(further // 2) if further % 2 else further // 2
        yield first, place, lines % 2


def _ranges(name: str, entries: str) -> dict[int, str]:
    """The locations by entries such as `118-119=20` and `120-122=21-23`."""
    places: dict[int, str] = {}
    for entry in re.findall(r"[\d-]+=[\d-]+", entries):
        (first, last), (start, stop) = (_ends(part) for part in entry.split("="))
        for line in range(first, last + 1):
            places[line] = f"{name}:{min(start + line - first, stop)}"
    return places


def _ends(written: str) -> tuple[int, int]:
    """The first and the last number of a range such as `8` or `8-10`."""
    first, _, last = written.partition("-")
    return int(first), int(last or first)


def note_cpl_lines() -> None:
    """Make Python add the place in the CPL to a traceback. Endless recursion, lack of memory and Ctrl-C become one
    line.
    """
    python = sys.excepthook
    if python.__name__ == "with_cpl_line":
        return

    def with_cpl_line(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        place = cpl_place(traceback)
        if place is None:
            python(kind, error, traceback)
        elif issubclass(kind, KeyboardInterrupt):
            print(f"interrupted at {place}", file=sys.stderr)
        elif issubclass(kind, RecursionError):
            print(f"{kind.__name__} at {place}: the recursion goes too deep; does it ever end?", file=sys.stderr)
        elif issubclass(kind, MemoryError | SystemError):  # the second if there is no memory for one more call
            print(f"MemoryError at {place}: memory ran out", file=sys.stderr)
        else:
            error.add_note(f"in the CPL: {place}")
            python(kind, error, traceback)

    sys.excepthook = with_cpl_line
