"""What may be typed next in `cpl repl`: the text before the cursor in, what may stand there out."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from cpl.cli.repl_session import COMMANDS
from cpl.edit.completion import begins, spelled, typed_at, words
from cpl.source import Source
from cpl.workspace import Workspace


@dataclass(frozen=True)
class Offer:
    """A text in place of the last `length` characters before the cursor; `shown` is how a list shows it."""

    text: str
    length: int
    shown: str


_COMMAND: Final = re.compile(r"\s*:(\w*)")
_ARGUMENT: Final = re.compile(r"\s*:(\w+)\s+(.*)")


def offers(workspace: Workspace, before: str) -> list[Offer]:
    """Names and reserved words, letters and signs for their spellings, commands and their arguments."""
    if command := _COMMAND.fullmatch(before):
        return _beginning(f":{command[1]}", (f":{name}" for name in COMMANDS))
    if (argument := _ARGUMENT.fullmatch(before)) and (arguments := _arguments(workspace, argument[1])):
        return _beginning(argument[2], arguments)
    source = Source("", before)
    signs = spelled(source, len(before))
    if signs is not None:
        return [Offer(each.text, len(each.replaced.text), f"{each.text} {each.typed}") for each in signs]
    typed = typed_at(source, len(before)).text
    known = sorted({*workspace.all_names, *words()})
    return [Offer(each, len(typed), each) for each in known if typed and begins(each, typed) and each != typed]


def _arguments(workspace: Workspace, command: str) -> list[str]:
    found = COMMANDS.get(command)
    return [*found.offers(workspace)] if found else []


def _beginning(typed: str, texts: Iterable[str]) -> list[Offer]:
    """Those that begin as was typed, and go on."""
    return [Offer(text, len(typed), text) for text in sorted(texts) if text.startswith(typed) and text != typed]
