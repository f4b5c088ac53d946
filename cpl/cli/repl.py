r"""Type definitions, commands and expressions, and see what they do at once.

examples:
  cpl repl                              begin with nothing
  cpl repl strachey.cpl                 begin with the program of 1966
  printf 'F(x) = 2x\nF(21)\n' | cpl repl
                                        piped: results are printed, without prompts

An entry is a line, with the lines after it while a bracket, a section or a statement is open. An empty line always ends
the entry; Alt-Enter adds a line to an entry that is already complete. You may paste several entries at once, even from
a session, from Python or from a notebook: prompts (cpl>, >>>, In [3]:) are ignored. If the terminal marks pasted text,
results between the entries are ignored as well.

All entries are one program that grows. Definitions stay, commands run once, and the value of an expression is printed
as CPL writes it. Redefining a name also affects functions defined earlier; values already computed stay. A function
that does not compile with the new meaning is set aside: a warning tells you to define it again, and using it before
that is an error.

A line that begins with a colon is a command; :help lists them. Ctrl-C stops a run or discards the line that you are
typing, and Ctrl-D ends the session. At a terminal, `pip install 'cplc[repl]'` adds colours, completion with Tab (of
names, words and commands, and of Greek letters: \sigma), and a history.

A program's input is read from the lines after the entry that runs it.

exit status: 0 if all went well, and always at a terminal; 1 if an entry failed.
"""

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, Final

from cplrt import show
from platformdirs import user_state_path

from cpl.cli import terminal
from cpl.cli.commands import summary_of_method
from cpl.cli.program import guard
from cpl.cli.terminal import CPL_AT_FAULT, DONE
from cpl.compiler import readings
from cpl.compiler.diagnostics import CplError, Error, Invalid
from cpl.compiler.loader import packaged_files
from cpl.compiler.source import Source
from cpl.compiler.syntax.parser import is_unfinished
from cpl.compiler.workspace import CALLED, Workspace
from cpl.editors.completion import begins, spelled, typed_at, words
from cpl.limits import DEEPEST_RECORDING, MOST_CALLS_RECORDED, RECORDING_SECONDS
from cpl.outside import printable
from cpl.study.run.record import record_call, tree_lines
from cpl.study.run.values import ValueTable

if TYPE_CHECKING:
    from prompt_toolkit.history import History


FIRST: Final = "cpl> "
MORE: Final = "  …> "
"""The prompts of an entry and of its other lines."""

_PASTED: Final = rf"{FIRST}|>>> ?|In \[[0-9]+\]: ?"
_PASTED_MORE: Final = rf"{MORE}|\.\.\. ?| *\.\.\.: ?"
_PASTED_RESULT: Final = r"Out\[[0-9]+\]: "
"""How lines begin that are pasted from a session of this command, of Python, or of IPython and notebooks: the first
line of an entry, its other lines, and a result.
"""

_PASTED_END: Final = r" *\.\.\.:? *"
"""The empty line with which Python ends an entry of several lines."""

_WITHOUT_COLON: Final = {
    **dict.fromkeys(("help", "?"), ":help"),
    **dict.fromkeys(("quit", "exit", "bye", "q"), ":quit"),
}
"""The commands that people mean who type these words as an entry."""

_ABOUT: Final = """\
Type definitions, commands and expressions of CPL:
  F(x) = 2x + 1     let n = 3     n := F(n)     WriteLine(‘n is ’, n)     [n, F(n)]
A line continues while a bracket, a section § or a statement is open. An empty
line always ends it, and Alt-Enter begins another line. Redefining a name also
affects functions defined earlier; values already computed stay.
Tab completes names, words and commands, and makes σ of \\sigma. Ctrl-C stops
what runs, Ctrl-D ends.
These commands may be shortened:"""


def run(options: argparse.Namespace) -> int:
    """Evaluate what is typed, entry by entry, until it ends, and return the exit status."""
    session = Session(options)
    read = _read_entry
    if session.is_at_terminal:
        print("CPL. :help explains, Ctrl-D ends.")
    if session.is_at_terminal and sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        if find_spec("prompt_toolkit"):
            read = prompt_reader(session.workspace)
        else:
            terminal.say("(For completion, colours and a history: pip install 'cplc[repl]')")
    for file in options.files:
        session.attempt(partial(session.workspace.load, file))

    while not session.has_quit:
        try:
            text = read()
        except EOFError:
            break
        except KeyboardInterrupt:
            if not session.is_at_terminal:
                raise
            print()
            continue
        for entry in entries(text):
            session.answer(entry)
            if session.has_quit:
                break
    return CPL_AT_FAULT if session.has_failed and not session.is_at_terminal else DONE


def _read_entry() -> str:
    """Read an entry, line by line. Raises EOFError if there is none."""
    line = _read_line(FIRST)
    entry = line
    while line.strip() and is_unfinished(entry):
        try:
            line = _read_line(MORE)
        except EOFError:
            break
        entry += f"\n{line}"
    return entry


def _read_line(prompt: str) -> str:
    """Read a line, and remove a prompt that was pasted with it. A pasted result counts as an empty line. The prompt is
    printed only at a terminal. Raises EOFError.
    """
    at_terminal = sys.stdin.isatty()
    try:
        line = input(prompt if at_terminal else "")
    except EOFError:
        if at_terminal:
            print()
        raise
    if re.match(_PASTED_RESULT, line) or re.fullmatch(_PASTED_END, line):
        return ""
    pasted = _PASTED if prompt == FIRST else _PASTED_MORE
    return re.sub(rf"\A(?:{pasted})", "", line)


def entries(text: str) -> list[str]:
    """The entries in a text. If it has prompts, it was pasted from a session: each prompt begins an entry, and results
    between them are left out. Else the text is one entry.
    """

    def without_prompts(entry: str) -> str:
        return re.sub(rf"\n(?:{_PASTED_MORE})", "\n", entry)

    pasted = re.findall(rf"^(?:{_PASTED})(.*(?:\n(?:{_PASTED_MORE}).*)*)", text, re.MULTILINE)
    if not pasted:
        return [text]
    if is_unfinished(without_prompts(pasted[-1])):
        # Its last lines were typed after the paste: they have no prompts, and so the pattern has not found them. The
        # entry is all that follows the last prompt.
        pasted[-1] = re.split(rf"^(?:{_PASTED})", text, flags=re.MULTILINE)[-1]
    return [without_prompts(entry) for entry in pasted]


class Session:
    """A workspace in a dialogue: entries are run in it, and results and errors printed. `has_failed` says whether an
    entry has failed, `has_quit` whether one was the command to end.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self.workspace = Workspace(reading=options.reading)
        self.is_at_terminal = sys.stdin.isatty()
        self.has_failed = False
        self.has_quit = False
        self._options = options

    def answer(self, entry: str) -> None:
        """Do what an entry says, and print what comes of it."""
        word, _, argument = entry.strip().partition(" ")
        if word.startswith(":"):
            self.attempt(partial(self._obey, word, argument.strip()))
        else:
            self.attempt(partial(self._evaluate, entry))

    def attempt(self, job: Callable[[], None]) -> None:
        """Do something, and report what goes wrong. A program may `finish`, which does not end the session."""
        warnings = self.workspace.warnings
        failure: Exception | None = None
        try:
            guard(job)
        except SystemExit:
            pass
        except KeyboardInterrupt as stopped:
            if not self.is_at_terminal:
                raise
            notes = getattr(stopped, "__notes__", ())  # such as where in the program it was stopped
            failure = Error("\n  ".join(["interrupted", *notes]))
        except Error as error:
            failure = error
        except OSError:  # standard output cannot be written: errors of other files are of the class Error, too
            raise
        except Exception as error:
            if self._options.debug:
                raise
            failure = error
        if self.workspace.warnings is not warnings:
            sys.stdout.flush()
            terminal.show(self.workspace.warnings, self._options)
        if failure:  # last, where one looks first
            self._report(failure)

    def _report(self, error: Exception) -> None:
        """Note that an entry has failed, and say why, after what it has written."""
        self.has_failed = True
        sys.stdout.flush()
        match error:
            case CplError():
                terminal.show(error.diagnostics, self._options)
            case Error():
                print(f"{terminal.painter(sys.stderr)('error', 'error')}: {printable(str(error))}", file=sys.stderr)
            case _:
                terminal.blame_ourselves("cpl repl", error)

    def _evaluate(self, entry: str) -> None:
        """Run an entry of CPL, and print its value."""
        try:
            value = self.workspace.run(entry)
        except CplError:
            # Of `quit()` and `help about` the word remains.
            word = re.sub(r"\(\)$|(?<=^help) .*", "", entry.strip(), flags=re.IGNORECASE)
            command = _WITHOUT_COLON.get(word.lower())
            if command and word not in self.workspace.names:
                raise Invalid(f"commands begin with a colon: {command} (:help lists them)") from None
            raise
        if value is not None:
            terminal.tell(show(value))

    def _obey(self, word: str, argument: str) -> None:
        """Do what a command says, and print its answer."""
        typed = word.removeprefix(":").lower()
        matching = [name for name in COMMANDS if typed and name.startswith(typed)]
        if not matching:
            suggestion = terminal.suggestion(word, [f":{name}" for name in COMMANDS])
            raise Invalid(f"there is no command {word}{suggestion} (:help lists them)")

        name = matching[0]
        command = COMMANDS[name]
        parameter = _parameter(name)
        if parameter is None:
            answer = command(self)
        elif argument or parameter.default is not parameter.empty:
            answer = command(self, argument)
        else:
            raise Invalid(f"write :{_usage(name)}")
        if answer:
            print(printable(answer))

    # The commands, in the order of :help, which shows their docstrings and parameters; each returns what is printed

    def do_type(self, expr: str) -> str:
        """The type of an expression, which is not evaluated."""
        return f"{expr} : {self.workspace.type_of(expr)}"

    def do_python(self, name: str) -> str:
        """The Python of a definition."""
        return self.workspace.python(name).rstrip("\n")

    def do_trace(self, expr: str) -> str:
        """Evaluate it, and show the calls that lead to its value."""
        return trace(self.workspace, expr)

    def do_reading(self, name: str = "") -> str:
        """How to read what follows, or how it is read now."""
        if not name:
            return self.workspace.reading.name
        try:
            self.workspace.reading = readings.named(name)
        except ValueError as error:
            raise Invalid(str(error)) from None
        return ""

    def do_load(self, file: str) -> str:
        """Run a file, or a packaged program such as strachey.cpl."""
        self.workspace.load(os.path.expanduser(file))
        return ""

    def do_help(self) -> str:
        """Show this list."""
        lines = [_ABOUT]
        for name, command in COMMANDS.items():
            usage = f":{_usage(name)}"
            lines.append(f"  {usage:15}  {summary_of_method('repl', command)}")
        return "\n".join(lines)

    def do_quit(self) -> str:
        """End, as Ctrl-D does."""
        self.has_quit = True
        return ""


COMMANDS: Final[Mapping[str, Callable[..., str]]] = {
    name.removeprefix("do_"): method for name, method in vars(Session).items() if name.startswith("do_")
}
"""The commands, which are typed after a colon."""


def _parameter(command: str) -> Parameter | None:
    """Return the parameter of a command, which is the rest of the line; None if it has none."""
    _, *parameters = signature(COMMANDS[command]).parameters.values()
    return parameters[0] if parameters else None


def _usage(command: str) -> str:
    """Return a command and its argument, in brackets if that may be left out."""
    parameter = _parameter(command)
    if parameter is None:
        return command
    word = parameter.name.upper()
    is_optional = parameter.default is not parameter.empty
    return f"{command} [{word}]" if is_optional else f"{command} {word}"


def trace(workspace: Workspace, expression: str) -> str:
    """Evaluate an expression on the live values, where its effects stay, and return the calls that led to its value.
    Raises Invalid, and prints the calls, if it fails.
    """
    workspace.prepare(expression)
    call = record_call(
        workspace.namespace, CALLED, [], seconds=RECORDING_SECONDS, deepest=DEEPEST_RECORDING, reads=True
    )
    call.function = " ".join(expression.split())
    values = ValueTable()

    def text_of(value: Any, width: int) -> str:
        return values.text(values.number(value), width)

    lines = [call.written.removesuffix("\n"), *tree_lines(call, text_of)]
    if call.is_cut:
        lines.append(f"(only the first {MOST_CALLS_RECORDED:,} calls are recorded)")
    text = "\n".join(filter(None, lines))
    if call.is_failed:
        print(printable(text))
        raise Invalid(call.fault or "")
    return text


Offer = tuple[str, int, str]
"""A text that may be typed, the number of characters before the cursor that it replaces, and how a list shows it."""


def offers(workspace: Workspace, before: str) -> list[Offer]:
    """Return what may be typed after the text before the cursor: names and reserved words, letters and signs for their
    spellings, commands and their arguments.
    """
    command = re.fullmatch(r"\s*:(?P<name>\w*)(?:\s+(?P<argument>.*))?", before)
    if command and command["argument"] is None:
        return _beginning(f":{command['name']}", (f":{name}" for name in COMMANDS))
    if command and command["name"] in ("python", "reading", "load"):
        programs = (path.name for path in packaged_files())
        arguments = {"python": workspace.names, "reading": readings.NAMED, "load": programs}
        return _beginning(command["argument"], arguments[command["name"]])

    source = Source("", before)
    signs = spelled(source, len(before))
    if signs is not None:
        return [(sign.text, len(sign.replaced.text), f"{sign.text} {sign.typed}") for sign in signs]

    typed = typed_at(source, len(before)).text
    if not typed:
        return []
    names = [name for name in {*workspace.all_names, *words()} if name != typed and begins(name, typed)]
    return [(name, len(typed), name) for name in sorted(names)]


def _beginning(typed: str, texts: Iterable[str]) -> list[Offer]:
    """Return the texts that begin with what was typed, and have more."""
    return [(text, len(typed), text) for text in sorted(texts) if text.startswith(typed) and text != typed]


_STYLE: Final = {
    "prompt": "ansiblue",
    "pygments.keyword": "bold",
    "pygments.keyword.pseudo": "nobold",
    "pygments.name.variable": "italic",
    "pygments.name.function": "ansiblue",
    "pygments.literal.string": "ansiyellow",
    "pygments.comment": "italic ansibrightblack",
    "pygments.error": "underline ansired",
}
"""The journal style in the colours of the terminal."""


def prompt_reader(workspace: Workspace) -> Callable[[], str]:
    """Return what asks for an entry at a terminal: several lines, colours, completion and a history, by prompt_toolkit.
    It raises EOFError at Ctrl-D, and KeyboardInterrupt at Ctrl-C.
    """
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
    from prompt_toolkit.lexers import PygmentsLexer
    from prompt_toolkit.styles import Style

    from cpl.study.views.highlighting import CplLexer

    class Offered(Completer):
        def get_completions(self, document: Any, complete_event: object) -> Iterator[Completion]:
            for text, length, shown in offers(workspace, document.text_before_cursor):
                yield Completion(text, -length, shown)

    keys = KeyBindings()

    @keys.add("enter")
    def _(event: KeyPressEvent) -> None:
        """Choose what is marked in a list; else end the entry, or begin a line of an unfinished one."""
        buffer = event.current_buffer
        if buffer.complete_state and buffer.complete_state.current_completion:
            buffer.complete_state = None
        elif buffer.document.current_line.strip() and is_unfinished(entries(buffer.text)[-1]):
            buffer.newline()
        else:
            buffer.validate_and_handle()

    @keys.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        """Begin a line."""
        event.current_buffer.newline()

    prompts: PromptSession[str] = PromptSession(
        [("class:prompt", FIRST)],
        multiline=True,
        prompt_continuation=[("class:prompt", MORE)],
        lexer=PygmentsLexer(CplLexer),
        style=Style.from_dict(_STYLE),
        include_default_pygments_style=False,
        completer=Offered(),
        complete_while_typing=False,
        key_bindings=keys,
        history=_history(),
    )
    return prompts.prompt


def _history() -> "History":
    """Return the history of earlier sessions, in a file that only its owner can read, or in memory."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    try:
        path = user_state_path("cplc") / "history"
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.chmod(0o600)
    except (OSError, RuntimeError):  # the second if the user has no home
        return InMemoryHistory()
    return FileHistory(str(path))
