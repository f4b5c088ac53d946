r"""Type definitions, commands and expressions, and see what they do at once.

examples:
  cpl repl                              begin with nothing
  cpl repl strachey.cpl                 begin with the program of 1966
  printf 'F(x) = 2x\nF(21)\n' | cpl repl
                                        piped: results are printed, without prompts

An entry is a line, and the lines after it while a bracket, a section or a statement is open. An empty line ends it in
any case; Alt-Enter begins another line of a finished one. Several may be pasted at once. What is pasted from a session
is run without its prompts; where the terminal says what is pasted, results between the entries are left out, too.

What is typed is one program that grows. Definitions stay, commands run once, and the value of an expression is printed
as CPL writes it. A name that is defined again has its new meaning everywhere, in functions that were defined before,
too; but values stay as they were made. A function that the new meaning does not fit is set aside, and a warning says
so.

A line that begins with a colon is a command; :help lists them. Ctrl-C stops what runs or drops the line that is being
typed, and Ctrl-D ends. At a terminal, `pip install 'cplc[repl]'` adds colours, completion with Tab (of names, words and
commands, and of Greek letters: \sigma), and a history.

What a program reads comes from the lines after the entry that runs it.

exit status: 0 at a terminal; else 1 if an entry failed, and 130 if interrupted with Ctrl-C.
"""

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Final

from cpl.cli import output
from cpl.cli.arguments import READING, option
from cpl.cli.exits import CPL_AT_FAULT, DONE

if TYPE_CHECKING:
    from cpl.cli.repl_session import Session

OPTIONS: Final = (
    READING,
    option("files", metavar="FILE", nargs="*", help="load this first: a file, or a packaged program"),
)

_BANNER: Final = "CPL. :help explains, Ctrl-D ends."
_NO_PROMPT: Final = "(For completion, colours and a history: pip install 'cplc[repl]')"


def run(options: argparse.Namespace) -> int:
    """Answer entries until they end; the result is the exit status."""
    from cpl.cli.repl_session import Screen, Session, entries

    at_terminal = sys.stdin.isatty()
    screen = Screen(sys.stdout)
    session = Session(options, screen, at_terminal=at_terminal)
    read = _terminal_reader(session) if at_terminal else lambda: _entry(_piped_line)
    with redirect_stdout(screen):
        for file in options.files:
            session.load(file)
        goes_on = True
        while goes_on:
            if at_terminal:
                screen.end_line()
            try:
                entry = read()
            except EOFError:
                break
            except KeyboardInterrupt:
                if not at_terminal:
                    raise
                print()
            else:
                goes_on = all(session.answer(each) for each in entries(entry))
    return CPL_AT_FAULT if session.has_failed and not at_terminal else DONE


def _terminal_reader(session: "Session") -> Callable[[], str]:
    """What asks for an entry at a terminal: with prompt_toolkit, if that is installed."""
    from cpl.cli.repl_session import FIRST, MORE

    print(_BANNER)
    if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        try:
            from cpl.cli.repl_prompt import prompt_reader
        except ImportError:
            output.say(_NO_PROMPT)
        else:
            return prompt_reader(session.workspace, FIRST, MORE)
    return lambda: _entry(_typed_line)


def _entry(next_line: Callable[[str], str]) -> str:
    """An entry, line by line. Raises EOFError if there is none."""
    from cpl.cli.repl_session import FIRST, MORE
    from cpl.syntax.parser import is_unfinished

    entry = line = next_line(FIRST).removeprefix(FIRST)
    while line.strip() and is_unfinished(entry):
        try:
            line = next_line(MORE).removeprefix(MORE)
        except EOFError:
            break
        entry += f"\n{line}"
    return entry


def _typed_line(prompt: str) -> str:
    try:
        return input(prompt)
    except EOFError:
        print()
        raise


def _piped_line(_: str) -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.removesuffix("\n")
