r"""Format programs in one style.

examples:
  cpl fmt mine.cpl                  rewrite it, unless it is in the style already
  cpl fmt --check programs          list the files of a folder that are not; change none
  cpl fmt --diff mine.cpl           show what would change
  cpl fmt - < mine.cpl              standard input to standard output
  cpl fmt - --stdin-filename NAME   the same for an editor, whose file of that name may be missing or not saved yet
  cpl fmt --ascii - < mine.cpl      with the characters of a plain keyboard: -> for →, \sigma for σ

Your line breaks are kept; lines of more than 100 characters are broken. Comments stay, and so does the meaning: the
result is parsed again and compared. Texts that programs.toml marks as verbatim, those of 1966, are skipped unless you
name only that file; with --stdin-filename they come out as they went in. A packaged program is never rewritten: its
formatted text goes to standard output.

exit status: 0 if all files are in the style now; 1 if a program is at fault, or a file would change under --check.
"""

import argparse
import difflib
import io
import sys
from collections import Counter
from pathlib import Path
from typing import Final

from cpl.cli import output, output_files
from cpl.cli.arguments import FILES, FORMAT_ERRORS, exclusive, option
from cpl.cli.exits import CPL_AT_FAULT, DONE, OURSELVES_AT_FAULT, Failed, Usage

OPTIONS: Final = (
    FILES,
    option("--check", action="store_true", help="change nothing; exit with 1 if a file would change"),
    option("--diff", action="store_true", help="change nothing; print what would change"),
    option("--skip-verbatim", action="store_true", help="skip a historical text even if you name only that file"),
    option(
        "--stdin-filename",
        metavar="NAME",
        help="the name of the text on standard input, for messages and programs.toml",
    ),
    exclusive(
        option("--ascii", dest="signs", action="store_const", const="ascii", help="write ASCII forms: -> $( \\sigma"),
        option("--unicode", dest="signs", action="store_const", const="unicode", help="write printed forms: → § σ"),
    ),
    FORMAT_ERRORS,
)


def run(options: argparse.Namespace) -> int:
    """Format the files; the result is the exit status."""
    from cpl.cli.input import inputs, read_input
    from cpl.diagnostics import CplError
    from cpl.formatting import Unfaithful
    from cpl.loader import Unreadable, find

    if options.stdin_filename and "-" not in options.files:
        raise Usage("--stdin-filename names standard input, which is the FILE -")
    found, done, status = [], Counter[str](), DONE
    for name in inputs(options.files):
        try:
            path = None if name == "-" else find(name)
            place = path or options.stdin_filename
            if place and _passed_over(str(place), options):
                if path is None and not (options.check or options.diff):
                    output_files.write_result(None, read_input(name, options.stdin_filename).text)
                hint = "" if options.skip_verbatim else "; to format it, name it alone"
                output.say(f"{place}: skipped, as it is a historical text{hint}")
                continue
            outcome = _format(path, options, in_place=path == Path(name))
        except CplError as error:
            found += error.diagnostics
            outcome = "failed"
        except (Unreadable, Failed, Unfaithful) as error:
            output.say(f"cpl fmt: {error}")
            outcome, status = "failed", OURSELVES_AT_FAULT if isinstance(error, Unfaithful) else status
        done[outcome] += 1
    if found or options.format_errors != "text":
        output.show(found, options)
    if options.format_errors == "text" and options.files != ["-"] and done.keys() != {"streamed"}:
        _summarize(done, "would change" if options.check or options.diff else "changed")
    return status or (CPL_AT_FAULT if done["failed"] or (options.check and done["changed"]) else DONE)


def _summarize(done: Counter[str], verb: str) -> None:
    """Say on standard error how many files are changed, unchanged and at fault."""
    changed, unchanged, failed = (output.count(done[each], "file") for each in ("changed", "unchanged", "failed"))
    left = f", {failed} left as {'it is' if done['failed'] == 1 else 'they are'}" if done["failed"] else ""
    output.say(f"{changed} {verb}, {unchanged} already formatted{left}")


def _passed_over(path: str, options: argparse.Namespace) -> bool:
    """Whether this is a historical text that the user does not ask for by its name."""
    from cpl.loader import entry

    named = options.files
    many = options.skip_verbatim or options.stdin_filename or len(named) > 1 or Path(named[0]).is_dir()
    return bool(many) and entry(path).verbatim


def _format(path: Path | None, options: argparse.Namespace, *, in_place: bool) -> str:
    """Format one file, to standard output if not in its place: `changed`, `unchanged` or `streamed`."""
    from cpl import loader
    from cpl.cli.input import read_input
    from cpl.formatting import format_source

    source = loader.read(path) if path else read_input("-", options.stdin_filename or "<stdin>")
    text = format_source(source, options.signs)
    changes = text != source.text
    if options.diff:
        _show_difference(source.text, text, source.path)
    elif options.check:
        if changes:
            output.say(f"would change {source.path}")
    elif not path or not in_place:
        output_files.write_result(None, text)
        return "streamed"
    elif changes:
        output_files.check(path, in_place=True)
        if loader.read(path).text != source.text:
            raise Failed(f"{path}: this file was changed meanwhile, and is left as it is")
        output_files.write(path, text, in_place=True)
        output.say(f"changed {path}")
    return "changed" if changes else "unchanged"


_ROLES: Final = {"+": "after", "-": "before", "@": "place"}


def _show_difference(old: str, new: str, name: str) -> None:
    from cpl.outside import printable

    paint = output.painter(sys.stdout)
    before, after = (io.StringIO(text, newline="").readlines() for text in (old, new))
    for line in difflib.unified_diff(before, after, name, f"{name} (formatted)"):
        text = printable(line.rstrip("\r\n")) if sys.stdout.isatty() else line.rstrip("\n")  # a patch stays exact
        print(paint(text, _ROLES.get(line[0], "")))
        if not line.endswith("\n"):
            print("\\ No newline at end of file")
