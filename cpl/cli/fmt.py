"""`cpl fmt`: programs in one style, in place or as a difference."""

import argparse
import difflib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cpl.cli import common

WHAT: Final = "lay programs out in one style"
MORE: Final = """\
examples:
  cpl fmt mine.cpl                  rewrite it, if it is not in the style already
  cpl fmt --check programs          say which files of a folder are not; change none
  cpl fmt --diff mine.cpl           show what would change
  cpl fmt - < mine.cpl              standard input to standard output
  cpl fmt --ascii - < mine.cpl      with the signs of a plain keyboard: -> for →, \\sigma for σ

A line ends where its writer let it end, and where it would be longer than 100 characters. Comments stay, and so does
what the program means: the result is parsed again and compared. Texts that programs.toml calls verbatim, those of 1966,
are passed over, unless such a file is the only one that is named.

exit status: 0 if all is done, or nothing need be; 1 if a program is at fault, or with --check if a file would change.
"""


def add_options(made: argparse.ArgumentParser) -> None:
    """The options of `cpl fmt`."""
    made.add_argument(
        "files", nargs="+", metavar="FILE", help="a file, a folder of *.cpl files (hidden ones left out), or -"
    )
    made.add_argument("--check", action="store_true", help="change nothing; exit with 1 if a file would change")
    made.add_argument("--diff", action="store_true", help="change nothing; print what would change")
    signs = made.add_mutually_exclusive_group()
    signs.add_argument("--ascii", dest="signs", action="store_const", const="ascii", help="type signs: -> $( \\sigma")
    signs.add_argument("--unicode", dest="signs", action="store_const", const="unicode", help="print signs: → § σ")
    common.add_error_option(made)


def run(options: argparse.Namespace) -> int:
    """Format the files; the result is the exit status."""
    from cpl.diagnostics import CplError
    from cpl.formatting import Unfaithful
    from cpl.loader import Unreadable

    status = common.DONE
    changed = unchanged = failed = 0
    found = []
    for name in options.files:
        for path in _files(name):
            if path is not None and _passed_over(path, options.files):
                print(f"{path}: a historical text, left as it is; to format it, name no other file", file=sys.stderr)
                continue
            try:
                changes = _format(path, options)
            except CplError as error:
                found += error.diagnostics
                status, failed = max(status, common.CPL_AT_FAULT), failed + 1
                continue
            except (Unreadable, common.Failed, Unfaithful) as error:
                print(f"cpl fmt: {error}", file=sys.stderr)
                at_fault = common.OURSELVES_AT_FAULT if isinstance(error, Unfaithful) else common.CPL_AT_FAULT
                status, failed = max(status, at_fault), failed + 1
                continue
            changed += changes
            unchanged += not changes
    if found or options.format_errors == "json":
        common.show(found, options)
    if options.files != ["-"] and options.format_errors != "json":
        verb = "would change" if options.check or options.diff else "changed"
        rest = f", {_count(failed)} left as they are" if failed else ""
        print(f"{_count(changed)} {verb}, {_count(unchanged)} in style already{rest}", file=sys.stderr)
    return max(status, common.CPL_AT_FAULT if options.check and changed else common.DONE)


def _files(name: str) -> Iterator[Path | None]:
    """The files that FILE means; None is standard input."""
    if name == "-":
        yield None
    elif name and Path(name).is_dir():
        found = (path for path in sorted(Path(name).rglob("*.cpl")) if path.is_file() and _is_within(path, name))
        within = (path.relative_to(name).parts for path in found)
        yield from (Path(name, *parts) for parts in within if not any(part.startswith(".") for part in parts))
    else:
        yield Path(name)


def _is_within(path: Path, folder: str) -> bool:
    """Whether a file of a folder is not a link out of it."""
    return path.resolve().is_relative_to(Path(folder).resolve())


def _passed_over(path: Path, named: list[str]) -> bool:
    """Whether this is a historical text that is not asked for by its name."""
    from cpl.loader import entry

    return entry(str(path)).verbatim and [Path(name) for name in named] != [path]


def _format(path: Path | None, options: argparse.Namespace) -> bool:
    """Format one file; whether that changes it."""
    from cpl import loader
    from cpl.cli.input import read_input
    from cpl.formatting import format_source

    if path == Path() and "" in options.files:
        raise loader.Unreadable("a file has a name; this one has none")
    source = loader.read(path) if path else read_input("-")
    text = format_source(source, options.signs)
    changes = text != source.text
    if options.diff:
        _show_difference(source.text, text, source.path)
    elif options.check:
        if changes:
            print(f"would change {source.path}", file=sys.stderr)
    elif path is None:
        sys.stdout.write(text)
    elif changes:
        common.check_output(path, in_place=True)
        if loader.read(path).text != source.text:
            raise common.Failed(f"{path}: this file was changed meanwhile, and is left as it is")
        common.write_output(path, text, in_place=True)
        print(f"changed {path}", file=sys.stderr)
    return changes


_COLOURS: Final = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}


def _show_difference(old: str, new: str, name: str) -> None:
    paint = common.in_colour(sys.stdout)
    lines = old.splitlines(keepends=True), new.splitlines(keepends=True)
    for line in difflib.unified_diff(*lines, name, f"{name} (formatted)"):
        colour = _COLOURS.get(line[:1], "") if paint else ""
        text = line.rstrip("\n")
        print(f"{colour}{text}\x1b[0m" if colour else text)
        if not line.endswith("\n"):
            print("\\ No newline at end of file")


def _count(files: int) -> str:
    return f"{files} file{'s' if files != 1 else ''}"
