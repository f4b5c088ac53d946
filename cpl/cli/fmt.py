r"""Format programs in one style.

examples:
  cpl fmt mine.cpl                  rewrite it, unless it already has the style
  cpl fmt --check programs          list the files of a folder that lack the style; change none
  cpl fmt --diff mine.cpl           show what would change
  cpl fmt - < mine.cpl              standard input to standard output
  cpl fmt - --stdin-filename NAME   the same for an editor; a file of that name need not exist
  cpl fmt --ascii - < mine.cpl      with the characters of a plain keyboard: -> for →, \sigma for σ

Your line breaks are kept; lines of more than 100 characters are broken. Comments and meaning do not change: the result
is parsed again and compared. Historical texts, which programs.toml marks as verbatim, are skipped unless you name only
that file; with --stdin-filename they are written unchanged. A packaged program is never rewritten: its formatted text
goes to standard output.

exit status: 0 if all files have the style now; 1 if a program has an error, or a file would change under --check.
"""

import argparse
import difflib
import io
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cpl.cli import terminal
from cpl.cli.terminal import CPL_AT_FAULT, DONE, OURSELVES_AT_FAULT, Failed
from cpl.cli.texts import inputs, read_input
from cpl.compiler import loader, pipeline
from cpl.compiler.diagnostics import CplError, Diagnostic
from cpl.compiler.loader import Unreadable
from cpl.compiler.wording import counted
from cpl.outside import printable


def run(options: argparse.Namespace) -> int:
    """Format the files, or say how they would change, and return the exit status."""
    findings: list[Diagnostic] = []
    outcomes = Counter[str]()
    is_unfaithful = False
    for name, below in inputs(options.files):
        try:
            outcomes[_format(name, below, options)] += 1
        except CplError as error:
            findings += error.diagnostics
            outcomes["failed"] += 1
        except (Unreadable, Failed, pipeline.Unfaithful) as error:
            terminal.say(f"cpl fmt: {error}")
            outcomes["failed"] += 1
            is_unfaithful |= isinstance(error, pipeline.Unfaithful)
    if findings or options.format_errors != "text":
        terminal.show(findings, options)
    if options.format_errors == "text" and options.files != ["-"] and {*outcomes} - {"skipped"} != {"streamed"}:
        files = {key: counted(outcomes[key], "file") for key in ("changed", "unchanged", "failed")}
        verb = "would change" if options.check or options.diff else "changed"
        left = f", {files['failed']} left as before" if outcomes["failed"] else ""
        terminal.say(f"{files['changed']} {verb}, {files['unchanged']} already formatted{left}")
    if is_unfaithful:
        return OURSELVES_AT_FAULT
    if outcomes["failed"] or (options.check and outcomes["changed"]):
        return CPL_AT_FAULT
    return DONE


def _format(name: str, below: Sequence[Path] | None, options: argparse.Namespace) -> str:
    """Format one file, a packaged one and standard input to standard output: `changed`, `unchanged`, `streamed` or
    `skipped`.
    """
    path = None if name == "-" else loader.find(name)
    source = loader.read(path, below=below) if path else read_input("-", options.stdin_filename or "<stdin>")
    is_alone = options.files == [name] and not (options.skip_verbatim or options.stdin_filename)
    place = str(path or options.stdin_filename or "")
    if place and not is_alone and loader.entry(place).verbatim:
        if not (path or options.check or options.diff):
            terminal.write_result(None, source.text)
        hint = "" if options.skip_verbatim else "; to format it, name it alone"
        terminal.say(f"{source.path}: skipped, as it is a historical text{hint}")
        return "skipped"
    text = pipeline.format_source(source, options.signs)
    is_changed = text != source.text
    if options.diff:
        _show_difference(source.text, text, source.path)
    elif options.check:
        if is_changed:
            terminal.say(f"would change {source.path}")
    elif path != Path(name):  # standard input, or a packaged program that is found by its name
        terminal.write_result(None, text)
        return "streamed"
    elif is_changed:
        terminal.check_output(path, in_place=True)
        if loader.read(path, below=below).text != source.text:
            raise Failed(f"{path}: this file was changed meanwhile, and is left as it is")
        terminal.write(path, text, in_place=True)
        terminal.say(f"changed {path}")
    return "changed" if is_changed else "unchanged"


_ROLES: Final = {"+": "after", "-": "before", "@": "place"}


def _show_difference(old: str, new: str, name: str) -> None:
    """Print the difference of two texts as a patch, in colour at a terminal."""
    paint = terminal.painter(sys.stdout)
    before, after = (io.StringIO(text, newline="").readlines() for text in (old, new))  # keeps CR LF
    for line in difflib.unified_diff(before, after, name, f"{name} (formatted)"):
        text = printable(line.rstrip("\r\n")) if sys.stdout.isatty() else line.rstrip("\n")  # a patch stays exact
        print(paint(text, _ROLES.get(line[0], "")))
        if not line.endswith("\n"):
            print("\\ No newline at end of file")
