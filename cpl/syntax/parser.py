"""Source to surface tree, by an LALR(1) parser over the tokens that `layout` prepares."""

import re
from collections.abc import Sequence
from itertools import islice, pairwise
from typing import Any, Final

from cpl import messages
from cpl.diagnostics import Diagnostic, as_warning, has_errors, report, sort
from cpl.records import replace
from cpl.source import Source, Span
from cpl.syntax import nodes, suggest
from cpl.syntax.brackets import DEFINITION
from cpl.syntax.build import Builder
from cpl.syntax.errors import explain, in_comment, of_bcpl, without_swallowed
from cpl.syntax.lalr import Refused, Tables, Tree
from cpl.syntax.layout import Layout, join, lay_out, lay_out_tokens
from cpl.syntax.lexer import Token
from cpl.syntax.tokens import CLOSERS, PRINTED


def parse(source: Source) -> tuple[nodes.Program, list[Diagnostic]]:
    """The surface tree of a program, and what is wrong with it. With errors, the tree has the sound statements only.
    A look-alike counts as the sign that is meant.
    """
    layout = lay_out(source)
    builder = Builder(source)
    tree = _tree(layout.tokens) if all(each.fixes for each in layout.diagnostics) else None  # no more than look-alikes
    if isinstance(tree, Tree):
        program = builder.program(tree, layout.comments)
        lost = None if program.statements else lost_lines(source)
        return program, sort([*layout.diagnostics, *builder.diagnostics, *([as_warning(lost)] if lost else [])])
    if layout.statements:
        layout = lay_out(source, cut=True)
    found = [in_comment(each) for each in without_swallowed(layout.diagnostics)]
    statements: list[nodes.Statement] = []
    wrong = {each.span.start for each in layout.diagnostics if not each.fixes}
    pairs = [each for each in layout.diagnostics if each.cause is not messages.UNCLOSED_BRACKET]
    wrong |= {place.start for each in pairs for place, _ in each.related}
    for tokens in layout.statements:  # one by one, so that one error does not hide the next
        if wrong.isdisjoint(token.span.start for token in tokens):
            outcome = _tree_or_error(source, tokens, "program", tokens[-1].span.end)
            if isinstance(outcome, Diagnostic):
                found.append(outcome)
            else:
                statements += builder.program(outcome).statements
    span = Span(source, 0, len(source.text))
    found += builder.diagnostics
    lost = lost_lines(source)
    return nodes.Program(tuple(statements), span=span), [lost] if lost else sort(found + of_bcpl(found))


def lost_lines(source: Source) -> Diagnostic | None:
    """The error of a text, at fault or without a statement, on whose only line a definition follows another one."""
    lines = [line for line in source.text.splitlines() if line.strip()]
    code = [line for line in lines if not line.lstrip().startswith("||")] or lines
    line = code[0] if len(code) == 1 else ""
    headings = [match.start() for match in islice(_HEADING.finditer(line), _MOST_HEADINGS)]
    pieces = [line[start:end] for start, end in pairwise([0, *headings, len(line)])]
    for heading, before, after in zip(headings, pieces, pieces[1:], strict=False):
        if _is_definition(before) and _is_definition(after):
            start = source.text.index(line) + heading
            return report(messages.LOST_LINES, Span(source, start, start + len(after.split()[0])))
    return None


_HEADING: Final = re.compile(
    rf"(?<=\s)(?<!let )(?<!rec )(?=(?:let|rec|routine)\b|{DEFINITION.pattern}|[A-Z]\w*[ \t]*=(?![=<>\u0338]))"
)
"""Where a definition may begin after another one."""

_MOST_HEADINGS: Final = 10


def _is_definition(text: str) -> bool:
    """Whether a text is one definition."""
    program, found = parse(Source("tried", text))
    return not found and [isinstance(each, nodes.ValueCommand) for each in program.statements] == [False]


def build_program(tokens: Sequence[Token], layout: Layout) -> nodes.Program | None:
    """The program of these tokens of a text, with all its comments; None if they do not parse."""
    found: list[Diagnostic] = []
    laid = join(lay_out_tokens(tokens, found, stroked=layout.stroked))
    builder = Builder(layout.source)
    tree = None if found else _tree(laid)
    program = builder.program(tree, layout.comments) if isinstance(tree, Tree) else None
    return None if has_errors(builder.diagnostics) else program


def finished(source: Source, tokens: Sequence[Token], most: int = 100) -> nodes.Program | None:
    """The program that begins with these laid-out tokens, and goes on with what the grammar wants, so many tokens at
    the most; None if there is none.
    """
    tokens = list(tokens)
    end = tokens[-1].span.end
    for _ in range(most + 1):
        outcome = _tree(tokens)
        if isinstance(outcome, Tree):
            return Builder(source).program(outcome)
        if outcome.at < len(tokens):
            break
        allowed = _tables().allowed(tokens, "program")
        kind = next((kind for kind in _MISSING if kind in allowed), "LARGE")
        tokens.append(Token(kind, PRINTED.get(kind, "x"), Span(source, end, end)))
    return None


_MISSING: Final = (*CLOSERS, "THEN", "DO", "ELSE", "DEFINED", "COMMA", "COLON", "DOT", "INTO", "OPEN", "SMALL")
"""What may be missing at the end of a text, the first that the grammar allows."""


def parse_expression(source: Source) -> tuple[nodes.Expression | None, list[Diagnostic]]:
    """The surface tree of a text that is one expression, as `cpl run --call` takes it."""
    layout = lay_out(source, expression=True)
    builder = Builder(source)
    if layout.diagnostics:
        return None, layout.diagnostics
    outcome = _tree_or_error(source, layout.tokens, "value", len(source.text))
    if isinstance(outcome, Diagnostic):
        return None, [outcome]
    return builder.expression(outcome), builder.diagnostics


def reach(tokens: Sequence[Token]) -> int:
    """How many of these laid-out tokens can begin a program."""
    return _reached(tokens, _tree(tokens))


def _tree(tokens: Sequence[Token], start: str = "program") -> Tree | Refused:
    """The tree of these tokens, or the first that cannot follow."""
    return _tables().parse(tokens, start)


def _reached(tokens: Sequence[Token], outcome: Tree | Refused) -> int:
    """The index of the token that the parser refused; their number if it refused none or their end."""
    return len(tokens) if isinstance(outcome, Tree) else outcome.at


def _tree_or_error(source: Source, tokens: Sequence[Token], start: str, end: int) -> Tree | Diagnostic:
    """The tree of these tokens, or what is wrong with the first that cannot follow; `end` is where they run out."""
    outcome = _tree(tokens, start)
    if isinstance(outcome, Tree):
        return outcome
    at = _reached(tokens, outcome)
    if misspelt := _misspelt(tokens, at, start):
        return misspelt
    allowed = _tables().allowed(tokens[:at], start)
    return explain(tokens, at, allowed, _tables().terminals, Span(source, end, end))


def _misspelt(tokens: Sequence[Token], at: int, start: str) -> Diagnostic | None:
    """A misspelt word, if with the word that was meant the parser gets beyond the token at this index."""
    if not tokens or tokens[-1].span.end - tokens[0].span.start > _LONGEST_TRIED:
        return None
    margin = tokens[0].span.column - 1
    text = " " * margin + tokens[0].span.to(tokens[-1].span).text
    shift = tokens[0].span.start - margin
    reached = _offset(tokens, at)
    for run, word in suggest.suspects(tokens, at)[:_MOST_TRIED]:
        source = Source("tried", text[: run.start - shift] + word + text[run.end - shift :])
        tried = lay_out(source, expression=start == "value").tokens
        outcome = _tree(tried, start)
        further = _offset(tried, _reached(tried, outcome)) + shift - len(word) + len(run.text) > max(reached, run.end)
        may_be_name = suggest.is_short(run) or run.source.text.startswith("(", run.end)
        if isinstance(outcome, Tree) or (further and not may_be_name):
            found = report(messages.MISSPELT, run, run=run.text, help=suggest.meant(run.text, [word]))
            return replace(found, fixes=suggest.fixes(run, [word]))
    return None


def _offset(tokens: Sequence[Token], at: int) -> int:
    return tokens[at].span.start if at < len(tokens) else tokens[-1].span.end


_MOST_TRIED: Final = 12
_LONGEST_TRIED: Final = 20_000


_TABLES: Final[list[Tables]] = []


def _tables() -> Tables:
    """The parser's tables, made on first use unless `use_tables` had them before."""
    if not _TABLES:
        from cpl.syntax.tables import made

        use_tables(made())
    return _TABLES[0]


def use_tables(made: Any) -> None:
    """Parse by these tables, which are the result of `cpl.syntax.tables.made`, perhaps by way of JSON. Raises any
    exception if they are not.
    """
    terminals = {kind for state in made["states"] for kind in state if kind.isupper()}
    _TABLES[:] = [Tables(**made, terminals=frozenset(terminals))]
