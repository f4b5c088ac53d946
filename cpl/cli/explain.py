"""What `cpl help CODE` says: what a code of a diagnostic means, and an example of it."""

import argparse
from collections.abc import Sequence
from textwrap import indent

from cpl.cli import terminal
from cpl.cli.commands import COMMANDS
from cpl.editors.signs import explanations


def explain(code: str, parser: argparse.ArgumentParser, general: Sequence[str]) -> int:
    """Print it; the result is the exit status."""
    if code not in explanations():
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
