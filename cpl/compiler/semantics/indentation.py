"""Commands that are indented as if they belonged to the loop, the choice or the routine before them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cpl.compiler import messages
from cpl.compiler.diagnostics import Diagnostic
from cpl.compiler.source import Span
from cpl.compiler.syntax import nodes, surface
from cpl.compiler.syntax.lexer import first_word

ITS_BODY: Final = "its body is one command"
"""What is said of the word that `containing` finds."""

_TAKES_ONE: Final = (nodes.If, nodes.Test, nodes.While, nodes.ForStep, nodes.ForList, nodes.Routine)
"""What has one command as its body, or as its last arm."""


def containing(command: nodes.Statement, following: nodes.Statement) -> Span | None:
    """The word, such as `for`, of a loop, a choice or a routine that seems to contain the statement after it."""
    head = _head(command, following.span.column) if _begins_line(following) else None
    return None if head is None else first_word(head.span)


def with_bodies(diagnostics: Sequence[Diagnostic], program: nodes.Program) -> list[Diagnostic]:
    """These diagnostics. If a name is unknown where it seems to be in the body of what defines it, such as a parameter
    in the second line of a routine without section brackets, the error says so.
    """
    unknown = [diagnostic for diagnostic in diagnostics if diagnostic.cause is messages.UNKNOWN_NAME]
    words: dict[Span, Span] = {}  # for the places of such names the word before the body
    for section in surface.walk(program) if unknown else ():
        if not isinstance(section, nodes.Program | nodes.Section):
            continue
        for index, command in enumerate(section.statements):
            for following in section.statements[index + 1 :]:
                word = containing(command, following)
                if word is None:
                    break
                names = {name.name for name, _ in surface.bindings(command)}
                inside = [error.span for error in unknown if following.span.holds(error.span)]
                words.update((span, word) for span in inside if span.text in names)
    return [_with_body(each, words[each.span]) if each.span in words else each for each in diagnostics]


def _with_body(error: Diagnostic, word: Span) -> Diagnostic:
    related = (*error.related, (word, ITS_BODY))
    return replace(error, related=related, help=messages.INDENTED.help, fixes=())


def _head(command: nodes.Statement, column: int) -> nodes.Statement | None:
    """The outermost loop, choice or routine, `command` itself or one that ends it, that seems to contain the command
    after it, by the `column` in which that begins. None if there is none, or if section brackets end `command`: then
    the reader sees where it ends.

    Of these lines, the third begins at column 3, further right than the `for` at column 1, which seems to contain it:

        for i = 1 to 9 do
          Write(i)
          NewLine[]
    """
    found = None
    while isinstance(command, _TAKES_ONE):
        last = command.otherwise if isinstance(command, nodes.Test) else command.command
        if found is None and column > _column_of_lead(command, last):
            found = command
        command = last
    return None if isinstance(command, nodes.Section) else found


def _column_of_lead(head: nodes.Statement, last: nodes.Statement) -> int:
    """The column of what leads to the last command of such a statement: of its own word, or of what begins the line
    of the last arm, such as `or do`.
    """
    source, line = last.span.source, last.span.line
    if _begins_line(last):  # what leads to it stands in the last line above that is not blank
        lines_above = range(head.span.line, line)
        line = max(number for number in lines_above if source.line(number).strip())
    if line == head.span.line:
        return head.span.column
    text = source.line(line)
    return len(text) - len(text.lstrip()) + 1


def _begins_line(command: nodes.Statement) -> bool:
    """Whether only blanks stand before a command in its line."""
    line = command.span.source.line(command.span.line)
    return not line[: command.span.column - 1].strip()
