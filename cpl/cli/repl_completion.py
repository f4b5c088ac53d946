"""What may be typed next in `cpl repl`: the text before the cursor in, what may stand there out."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from cpl.cli.repl_session import COMMANDS
from cpl.syntax.tokens import GREEK_LETTERS, WORDS
from cpl.workspace import Workspace


@dataclass(frozen=True)
class Offer:
    """A text in place of the last `length` characters before the cursor; `shown` is how a list shows it."""

    text: str
    length: int
    shown: str


_COMMAND: Final = re.compile(r"\s*:(\w*)")
_ARGUMENT: Final = re.compile(r"\s*:(\w+)\s+(.*)")
_GREEK: Final = re.compile(r"\\[A-Za-z]*\Z")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9'′]*\Z")


def offers(workspace: Workspace, before: str) -> list[Offer]:
    """Names and reserved words, Greek letters for their spellings, commands and their arguments."""
    if command := _COMMAND.fullmatch(before):
        return _beginning(f":{command[1]}", (f":{name}" for name in COMMANDS))
    if (argument := _ARGUMENT.fullmatch(before)) and (arguments := _arguments(workspace, argument[1])):
        return _beginning(argument[2], arguments)
    if greek := _GREEK.search(before):
        spelled = [name for name in GREEK_LETTERS if f"\\{name}".startswith(greek[0])]
        return [Offer(GREEK_LETTERS[name], len(greek[0]), f"{GREEK_LETTERS[name]} {name}") for name in spelled]
    if word := _WORD.search(before):
        return _beginning(word[0], {*workspace.all_names, *WORDS})
    return []


def _arguments(workspace: Workspace, command: str) -> list[str]:
    found = COMMANDS.get(command)
    return [*found.offers(workspace)] if found else []


def _beginning(typed: str, texts: Iterable[str]) -> list[Offer]:
    """Those that begin as was typed, and go on."""
    return [Offer(text, len(typed), text) for text in sorted(texts) if text.startswith(typed) and text != typed]
