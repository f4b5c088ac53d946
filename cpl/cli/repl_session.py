"""What `cpl repl` does with an entry: a text in; values, reports and answers to commands on the terminal out."""

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TextIO

from cplrt import show

from cpl import loader, readings
from cpl.cli import exits, output
from cpl.cli.faults import guard
from cpl.diagnostics import CplError, Error, Invalid
from cpl.outside import printable
from cpl.run.record import FRAMES, MOST_RECORDED, SECONDS, record_call, tree_lines
from cpl.run.values import ValueTable
from cpl.syntax.parser import is_unfinished
from cpl.workspace import CALLED, Workspace

FIRST: Final = "cpl> "
MORE: Final = "  …> "
"""The prompts of an entry and of its other lines."""


def entries(text: str) -> list[str]:
    """The entries in a text: all that follow prompts in it, which were pasted, perhaps with results between them, which
    are left out; or the text itself.
    """
    found = re.findall(f"^{FIRST}(.*(?:\n{MORE}.*)*)", text, re.MULTILINE) or [text]
    if is_unfinished(found[-1].replace(f"\n{MORE}", "\n")):  # its end was typed
        found[-1] = re.split(f"^{FIRST}", text, flags=re.MULTILINE)[-1]
    return [entry.replace(f"\n{MORE}", "\n") for entry in found]


class Screen:
    """Standard output that knows whether its last line has ended."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._has_ended = True

    def write(self, text: str) -> int:
        """Write a text."""
        self._has_ended = text.endswith("\n") if text else self._has_ended
        return self._stream.write(text)

    def end_line(self) -> None:
        """End the last line, if it has not."""
        if not self._has_ended:
            self.write("\n")
        self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class Session:
    """A workspace, and what is printed of it. `has_failed` says whether any entry did."""

    def __init__(self, options: argparse.Namespace, screen: Screen, *, at_terminal: bool) -> None:
        self.workspace = Workspace(reading=options.reading)
        self.has_failed = False
        self._options, self._screen, self._at_terminal = options, screen, at_terminal

    def answer(self, entry: str) -> bool:
        """Do what an entry says, and print what comes of it; False if it ends the session."""
        word, _, argument = entry.strip().partition(" ")
        if not word.startswith(":"):
            self._attempt(partial(self._evaluate, entry))
            return True
        name = _named(word)
        if name != "quit":
            self._attempt(partial(self._obey, word, name, argument.strip()))
        return name != "quit"

    def load(self, file: str) -> None:
        """Load a file, or report what is wrong with it."""
        self._attempt(partial(_load, self.workspace, file))

    def _evaluate(self, entry: str) -> None:
        try:
            value = self.workspace.run(entry)
        except CplError:
            word = re.sub(r"\(\)$|(?<=^help) .*", "", entry.strip(), flags=re.IGNORECASE)
            if (command := _WITHOUT_COLON.get(word.lower())) and word not in self.workspace.names:
                raise Invalid(f"commands begin with a colon: {command} (:help lists them)") from None
            raise
        if value is not None:
            text = show(value)
            self._screen.end_line()
            output.tell(text)

    def _obey(self, word: str, name: str, argument: str) -> None:
        if not name:
            advice = output.suggestion(word, [f":{each}" for each in COMMANDS])
            raise Invalid(f"there is no command {word}{advice} (:help lists them)")
        command = COMMANDS[name]
        if command.needs_argument and not argument:
            raise Invalid(f"write :{name} {command.argument}")
        answer = command.answer(self.workspace, argument)
        if answer:
            print(printable(answer))

    def _attempt(self, job: Callable[[], None]) -> None:
        """Do something, and report what goes wrong."""
        before = self.workspace.warnings
        failed = True
        try:
            guard(partial(_until_finished, job))
            failed = False
        except CplError as error:
            self._screen.end_line()
            output.show(error.diagnostics, self._options)
        except Error as error:
            self._say(str(error))
        except KeyboardInterrupt:
            if not self._at_terminal:
                raise
            self._say("interrupted")
        except OSError:  # of standard output
            raise
        except Exception as error:
            if self._options.debug:
                raise
            self._screen.end_line()
            exits.blame_ourselves("cpl repl", error)
        self.has_failed |= failed
        if self.workspace.warnings is not before:
            output.show(self.workspace.warnings, self._options)

    def _say(self, what: str) -> None:
        self._screen.end_line()
        print(f"{output.painter(sys.stderr)('error', 'error')}: {printable(what)}", file=sys.stderr)


def _until_finished(job: Callable[[], None]) -> None:
    """Do something; a program may `finish`, which does not end the session."""
    try:
        job()
    except SystemExit:
        return


def _named(word: str) -> str:
    """The command that a word such as `:t` means, which may be shortened; empty if there is none."""
    return next((name for name in COMMANDS if name.startswith(word[1:].lower())), "") if word != ":" else ""


@dataclass(frozen=True)
class Command:
    """A command: the argument that it takes, what it does, its answer, and the arguments that Tab offers."""

    argument: str
    about: str
    answer: Callable[[Workspace, str], str | None]
    offers: Callable[[Workspace], Iterable[str]] = lambda _: ()

    @property
    def needs_argument(self) -> bool:
        """Whether it cannot do without the argument; one that can has brackets round it."""
        return self.argument[:1] not in ("", "[")


def _trace(workspace: Workspace, expression: str) -> str:
    """Evaluate an expression on the live values, where its effects stay, and return the calls that led to its value."""
    workspace.prepare(expression)
    call = record_call(workspace.namespace, CALLED, [], seconds=SECONDS, deepest=FRAMES, reads=True)
    call.function = " ".join(expression.split())
    values = ValueTable()
    lines = [*tree_lines(call, lambda value, width: values.text(values.number(value), width))]
    notes = [f"(only the first {MOST_RECORDED:,} calls are recorded)"] if call.is_cut else []
    text = call.written + "\n".join([*lines, *notes])
    if call.is_failed:
        print(printable(text))
        raise Invalid(call.fault or "")
    return text


def _reading(workspace: Workspace, name: str) -> str | None:
    if not name:
        return workspace.reading.name
    try:
        workspace.reading = readings.named(name)
    except ValueError as error:
        raise Invalid(str(error)) from None
    return None


def _load(workspace: Workspace, file: str) -> None:
    workspace.load(os.path.expanduser(file))


def _help(_workspace: Workspace, _argument: str) -> str:
    rows = [(f":{name} {each.argument}".rstrip(), each.about) for name, each in COMMANDS.items()]
    width = max(len(left) for left, _ in rows)
    return "\n".join([_ABOUT, *(f"  {left:{width}}  {about}" for left, about in rows)])


_ABOUT: Final = """\
Type definitions, commands and expressions of CPL:
  F(x) = 2x + 1     let n = 3     n := F(n)     Write(‘n is ’, n)     [n, F(n)]
A line continues while a bracket, a section § or a statement is open. An empty
line ends it in any case, and Alt-Enter begins another line. A name that is
defined again has its new meaning everywhere, in functions defined before, too.
Tab completes names, words and commands, and makes σ of \\sigma. Ctrl-C stops
what runs, Ctrl-D ends.
These commands may be shortened:"""


COMMANDS: Final = {
    "type": Command(
        "EXPR",
        "the type of an expression, which is not evaluated",
        lambda workspace, expression: f"{expression} : {workspace.type_of(expression)}",
    ),
    "python": Command(
        "NAME",
        "the Python of a definition",
        lambda workspace, name: workspace.python(name).rstrip("\n"),
        lambda workspace: workspace.names,
    ),
    "trace": Command("EXPR", "evaluate it, and show the calls that lead to its value", _trace),
    "reading": Command("[NAME]", "how to read what follows, or how it is read now", _reading, lambda _: readings.NAMED),
    "load": Command(
        "FILE",
        "run a file, or a packaged program such as strachey.cpl",
        _load,
        lambda _: [path.name for path in loader.packaged_files()],
    ),
    "help": Command("", "this list", _help),
    "quit": Command("", "end, as Ctrl-D does", lambda *_: None),
}

_WITHOUT_COLON: Final = {
    **dict.fromkeys(("help", "?"), ":help"),
    **dict.fromkeys(("quit", "exit", "bye", "q"), ":quit"),
}
