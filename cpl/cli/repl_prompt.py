"""The prompt of `cpl repl` at a terminal, by prompt_toolkit: several lines, colours, completion and a history."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.lexers import PygmentsLexer
from prompt_toolkit.styles import Style

from cpl.cli.repl_completion import offers
from cpl.cli.repl_session import entries
from cpl.syntax.parser import is_unfinished
from cpl.views.highlighting import CplLexer
from cpl.workspace import Workspace

_STYLE: Final = Style.from_dict(
    {
        "prompt": "ansiblue",
        "pygments.keyword": "bold",
        "pygments.keyword.pseudo": "nobold",
        "pygments.name.variable": "italic",
        "pygments.name.function": "ansiblue",
        "pygments.literal.string": "ansiyellow",
        "pygments.comment": "italic ansibrightblack",
        "pygments.error": "underline ansired",
    }
)
"""The journal style in the colours of the terminal."""


def prompt_reader(workspace: Workspace, first: str, more: str) -> Callable[[], str]:
    """What asks for an entry. It raises EOFError at Ctrl-D, and KeyboardInterrupt at Ctrl-C."""
    prompts: PromptSession[str] = PromptSession(
        [("class:prompt", first)],
        multiline=True,
        prompt_continuation=[("class:prompt", more)],
        lexer=PygmentsLexer(CplLexer),
        style=_STYLE,
        include_default_pygments_style=False,
        completer=_Completer(workspace),
        complete_while_typing=False,
        key_bindings=_bindings(),
        history=_history(),
    )
    return prompts.prompt


class _Completer(Completer):
    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        for offer in offers(self._workspace, document.text_before_cursor):
            yield Completion(offer.text, -offer.length, offer.shown)


def _bindings() -> KeyBindings:
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

    return keys


def _history() -> History:
    """That of the sessions before, in a file that only its owner can read; without one if there can be none."""
    from platformdirs import user_state_path

    try:
        path = user_state_path("cplc") / "history"
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.chmod(0o600)
    except (OSError, RuntimeError):  # the second if the user has no home
        return InMemoryHistory()
    return _History(path)


class _History(FileHistory):
    """A history of which nothing is lost but what cannot be written or read."""

    def store_string(self, string: str) -> None:
        with suppress(OSError):
            super().store_string(string)
