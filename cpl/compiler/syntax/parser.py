"""Source to surface tree, by lark's LALR(1) parser over the tokens that `layout` prepares.

A text that does not parse as a whole is parsed statement by statement, so that one error does not hide the next. Where
lark stops, `errors.explain` says what is wrong, unless the text gets further with a reserved word in the place of one
that resembles it (`_misspelt`).
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from cpl import outside
from cpl.compiler import messages, suggestions
from cpl.compiler.diagnostics import Diagnostic, has_errors, report, sort
from cpl.compiler.source import Source, Span
from cpl.compiler.syntax import errors, nodes
from cpl.compiler.syntax.build import Builder
from cpl.compiler.syntax.errors import explain, in_comment, of_other_language, without_swallowed
from cpl.compiler.syntax.layout import Layout, join, lay_out, lay_out_tokens
from cpl.compiler.syntax.lexer import Token
from cpl.compiler.syntax.preference import with_preferences
from cpl.compiler.syntax.tokens import CLOSERS, PRINTED
from cpl.limits import MOST_CHARACTERS_TRIED, MOST_WORDS_TRIED

if TYPE_CHECKING:
    from lark import Lark, Tree

STARTS: Final = ("program", "value")
"""What the grammar describes: a whole text, or one expression."""


def make_parser(*, strict: bool = False) -> "Lark":
    """Lark's parser, made from the grammar; `strict` refuses a grammar with conflicts (and needs interegular)."""
    from lark import Lark

    return Lark(
        outside.packaged_text("grammar/cpl.lark"),
        parser="lalr",
        lexer="basic",
        start=[*STARTS],
        maybe_placeholders=False,
        strict=strict,
    )


@cache
def lark_parser() -> "Lark":
    """Lark's parser from the tables of the last build; made anew if the grammar or lark has changed since."""
    import lark

    path = "grammar/tables.json"  # which a checkout that was never installed lacks
    text = outside.packaged_text(path) if outside.packaged(path).is_file() else "{}"
    tables = json.loads(text, object_hook=_with_numbers)
    if tables.get("grammar") == outside.packaged_text("grammar/cpl.lark") and tables.get("lark") == lark.__version__:
        return lark.Lark.load(tables)
    return make_parser()


def _with_numbers(pairs: dict[str, Any]) -> dict[str | int, Any]:
    """An object of JSON, with the numbers among its keys that JSON wrote as strings."""
    return {int(key) if key.isdigit() else key: value for key, value in pairs.items()}


def parse(source: Source) -> tuple[nodes.Program, list[Diagnostic]]:
    """The surface tree of a program, and what is wrong with it. With errors, the tree has the sound statements only.
    A look-alike counts as the sign that is meant.
    """
    layout = lay_out(source)
    builder = Builder(source)
    only_look_alikes = all(diagnostic.fixes for diagnostic in layout.diagnostics)
    tree = tree_of(layout.tokens)[0] if only_look_alikes else None
    if tree:
        program = builder.program(tree, layout.comments)
        return program, sort(layout.diagnostics + builder.diagnostics)

    if layout.statements:
        layout = lay_out(source, cut=True)
    diagnostics = [in_comment(diagnostic) for diagnostic in without_swallowed(layout.diagnostics)]
    statements: list[nodes.Statement] = []
    wrong = _wrong_places(layout.diagnostics)
    for tokens in layout.statements:  # one by one, so that one error does not hide the next
        has_unknown = any(token.kind == "UNKNOWN" for token in tokens)
        if has_unknown or not wrong.isdisjoint(token.span.start for token in tokens):
            continue  # the lexer or the layout has reported what is wrong with it
        outcome = _tree_or_error(source, tokens, "program", tokens[-1].span.end)
        if isinstance(outcome, Diagnostic):
            diagnostics.append(outcome)
        else:
            statements += builder.program(outcome).statements

    diagnostics += builder.diagnostics
    program = nodes.Program(with_preferences(statements), span=Span(source, 0, len(source.text)))
    return program, sort(diagnostics + of_other_language(diagnostics))


def _wrong_places(diagnostics: Sequence[Diagnostic]) -> set[int]:
    """The offsets of the tokens that these errors are about, but for look-alikes, which count as the signs meant."""
    places: set[int] = set()
    for diagnostic in diagnostics:
        if not diagnostic.fixes:
            places.add(diagnostic.span.start)
        if diagnostic.cause is not messages.UNCLOSED_BRACKET:  # whose related place is where it is still open
            places.update(place.start for place, _ in diagnostic.related)
    return places


def build_program(tokens: Sequence[Token], layout: Layout) -> nodes.Program | None:
    """The program of these tokens of a text, with all its comments; None if they do not parse."""
    diagnostics: list[Diagnostic] = []
    laid = join(lay_out_tokens(tokens, diagnostics, stroked=layout.stroked))
    builder = Builder(layout.source)
    tree = None if diagnostics else tree_of(laid)[0]
    program = builder.program(tree, layout.comments) if tree else None
    return None if has_errors(builder.diagnostics) else program


def finished(source: Source, tokens: Sequence[Token], most: int = 100) -> nodes.Program | None:
    """The program that begins with these laid-out tokens, and goes on with `most` tokens or fewer that the grammar
    wants; None if there is none.
    """
    tokens = list(tokens)
    end = tokens[-1].span.end
    for _ in range(most + 1):
        tree, at = tree_of(tokens)
        if tree:
            return Builder(source).program(tree)
        if at < len(tokens):
            break
        allowed = _allowed(tokens, "program")
        kind = next((kind for kind in _MISSING if kind in allowed), "LARGE")
        tokens.append(Token(kind, PRINTED.get(kind, "x"), Span(source, end, end)))
    return None


_MISSING: Final = (*CLOSERS, "THEN", "DO", "ELSE", "DEFINED", "COMMA", "COLON", "DOT", "INTO", "OPEN", "SMALL")
"""What may be missing at the end of a text, the first that the grammar allows."""


def parse_expression(source: Source) -> tuple[nodes.Expression | None, list[Diagnostic]]:
    """The surface tree of a text that is one expression, as `cpl run --call` takes it."""
    layout = lay_out(source, expression=True)
    if layout.diagnostics:
        return None, layout.diagnostics
    outcome = _tree_or_error(source, layout.tokens, "value", len(source.text))
    if isinstance(outcome, Diagnostic):
        return None, [outcome]
    builder = Builder(source)
    return builder.expression(outcome), builder.diagnostics


def tree_of(tokens: Sequence[Token], start: str = "program") -> "tuple[Tree[Token] | None, int]":
    """The tree of these tokens, if they are a whole text; and how many of them can begin one."""
    from lark import UnexpectedToken

    parser: Any = lark_parser().parse_interactive(start=start)
    accepted = 0
    with suppress(UnexpectedToken):
        for token in tokens:
            parser.feed_token(token)
            accepted += 1
        return parser.feed_eof(), accepted
    return None, accepted


def _tree_or_error(source: Source, tokens: Sequence[Token], start: str, end: int) -> "Tree[Token] | Diagnostic":
    """The tree of these tokens, or what is wrong with the first that cannot follow; `end` is where they run out."""
    tree, at = tree_of(tokens, start)
    if tree:
        return tree
    misspelt = _misspelt(tokens, at, start)
    if misspelt:
        return misspelt
    return explain(tokens, at, _allowed(tokens[:at], start), _terminals(), Span(source, end, end))


@cache
def _terminals() -> set[str]:
    """All terminals of the grammar."""
    terminals: set[str] = set()
    for rule in lark_parser().rules:
        terminals.update(symbol.name for symbol in rule.expansion if symbol.is_term)
    return terminals


def _allowed(tokens: Sequence[Token], start: str) -> set[str]:
    """The kinds of token that can follow these."""
    parser: Any = lark_parser().parse_interactive(start=start)
    for token in tokens:
        parser.feed_token(token)
    return {*parser.accepts()}


def _misspelt(tokens: Sequence[Token], at: int, start: str) -> Diagnostic | None:
    """A misspelt word, if with the word that was meant the parser gets beyond the token at this index."""
    if not tokens or tokens[-1].span.end - tokens[0].span.start > MOST_CHARACTERS_TRIED:
        return None
    margin = tokens[0].span.column - 1  # columns count: the layout looks at indentation
    text = " " * margin + tokens[0].span.to(tokens[-1].span).text
    shift = tokens[0].span.start - margin  # from offsets in `text` to those in the source
    reached = _offset(tokens, at)

    for run, word in errors.suspects(tokens, at)[:MOST_WORDS_TRIED]:
        corrected = Source("tried", text[: run.start - shift] + word + text[run.end - shift :])
        laid = lay_out(corrected, expression=start == "value").tokens
        tree, at_corrected = tree_of(laid, start)
        reached_corrected = _offset(laid, at_corrected) + shift - len(word) + len(run.text)
        is_further = reached_corrected > max(reached, run.end)
        may_be_name = errors.is_short(run) or run.source.text.startswith("(", run.end)
        if tree or (is_further and not may_be_name):
            diagnostic = report(messages.MISSPELT, run, run=run.text, help=suggestions.meant(run.text, [word]))
            return replace(diagnostic, fixes=errors.fixes(run, [word]))
    return None


def _offset(tokens: Sequence[Token], at: int) -> int:
    """Where the token at this index begins, or the last one ends."""
    return tokens[at].span.start if at < len(tokens) else tokens[-1].span.end


def is_unfinished(text: str) -> bool:
    """Tell whether a text is right but ends too early: within a bracket, a section or a statement."""
    source = Source("<typed>", text)
    wrong = [diagnostic for diagnostic in parse(source)[1] if diagnostic.severity == "error"]
    end = max((token.span.end for token in lay_out(source).written if token.kind != "NEWLINE"), default=0)

    def is_about_end(error: Diagnostic) -> bool:
        if error.cause is messages.UNFINISHED:
            return error.span.start >= end
        return error.cause is messages.UNCLOSED_BRACKET

    return bool(wrong) and all(map(is_about_end, wrong))
