"""What `cpl help` says of a code of a diagnostic, with an example, and of a name of the library."""

import argparse
from collections.abc import Sequence
from textwrap import indent

from cpl.cli import terminal
from cpl.cli.commands import COMMANDS
from cpl.compiler.source import Source
from cpl.editors.hover import hover
from cpl.editors.signs import explanations
from cpl.editors.text_analysis import analyse


def _of_library(name: str) -> str:
    """Return what the library says of one of its names, as editors show it; empty if it has no such name."""
    if not name.isidentifier():
        return ""
    shown = hover(analyse(Source("library.cpl", f"{name}\n")), 0)
    if shown is None:
        return ""
    paragraphs = [terminal.wrapped(paragraph) for paragraph in shown.words.split("\n\n")]
    return "\n\n".join(["\n".join(shown.code), *paragraphs]) + "\n"


def explain(code: str, parser: argparse.ArgumentParser, general: Sequence[str]) -> int:
    """Print it; the result is the exit status."""
    if code not in explanations():
        about = _of_library(code)
        if about:
            return terminal.run("cpl help", lambda: print(about, end=""), parser.parse_args(general))
        meant = terminal.suggestion(code, ("cplc", *COMMANDS, *explanations()))
        parser.error(f"there is no command and no code {code!r}{meant} (cpl help lists the commands)")
    explanation = explanations()[code]
    text = f"{code}\n\n{terminal.wrapped(explanation.words)}\n"
    if explanation.told:
        text += f"\n{terminal.wrapped(explanation.told)}\n"
    for title, example in (("wrong", explanation.wrong), ("right", explanation.right)):
        if example:
            text += f"\n{title}:\n{indent(example, '  ')}"
    return terminal.run("cpl help", lambda: print(text, end=""), parser.parse_args(general))
