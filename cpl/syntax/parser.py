"""Source to surface tree, by lark's LALR(1) parser over the tokens that `layout` prepares."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import lark
from lark.grammar import Rule
from lark.lexer import Lexer, TerminalDef

from cpl import messages, packaged
from cpl.diagnostics import Diagnostic, has_errors, report, sort
from cpl.source import Source, Span
from cpl.syntax import nodes, suggest
from cpl.syntax.build import Branch, Builder
from cpl.syntax.errors import explain, in_comment
from cpl.syntax.layout import Layout, join, lay_out, lay_out_tokens
from cpl.syntax.lexer import Token

START = ("program", "value")


def parse(source: Source) -> tuple[nodes.Program, list[Diagnostic]]:
    """The surface tree of a program, and what is wrong with it. With errors, the tree has the sound statements only."""
    layout = lay_out(source)
    builder = Builder(source)
    tree = None if layout.diagnostics else _tree(layout.tokens)
    if isinstance(tree, lark.Tree):
        return builder.program(tree, layout.comments), builder.diagnostics
    if layout.statements:
        layout = lay_out(source, cut=True)
    found = [in_comment(each) for each in layout.diagnostics]
    statements: list[nodes.Statement] = []
    wrong = {place.start for each in layout.diagnostics for place in (each.span, *(other for other, _ in each.related))}
    for tokens in layout.statements:  # one by one, so that one error does not hide the next
        if wrong.isdisjoint(token.span.start for token in tokens):
            outcome = _tree_or_error(source, tokens, "program", tokens[-1].span.end)
            if isinstance(outcome, Diagnostic):
                found.append(outcome)
            else:
                statements += builder.program(outcome).statements
    span = Span(source, 0, len(source.text))
    return nodes.Program(tuple(statements), span=span), sort(found + builder.diagnostics)


def build_program(tokens: Sequence[Token], layout: Layout) -> nodes.Program | None:
    """The program of these tokens of a text, with all its comments; None if they do not parse."""
    found: list[Diagnostic] = []
    laid = join(lay_out_tokens(tokens, found, stroked=layout.stroked))
    builder = Builder(layout.source)
    tree = None if found else _tree(laid)
    program = builder.program(tree, layout.comments) if isinstance(tree, lark.Tree) else None
    return None if has_errors(builder.diagnostics) else program


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


def _tree(tokens: Sequence[Token], start: str = "program") -> Branch | lark.UnexpectedToken:
    """Lark's tree of these tokens, or its error at the first that cannot follow."""
    try:
        return _parser().parse(tokens, start=start)
    except lark.UnexpectedToken as error:
        return error


def _reached(tokens: Sequence[Token], outcome: Branch | lark.UnexpectedToken) -> int:
    """The index of the token that the parser refused; their number if it refused none or their end."""
    if isinstance(outcome, lark.Tree):
        return len(tokens)
    refused = outcome.token.type, outcome.token.start_pos
    return next((at for at, token in enumerate(tokens) if (token.kind, token.span.start) == refused), len(tokens))


def _tree_or_error(source: Source, tokens: Sequence[Token], start: str, end: int) -> Branch | Diagnostic:
    """The tree of these tokens, or what is wrong with the first that cannot follow; `end` is where they run out."""
    outcome = _tree(tokens, start)
    if isinstance(outcome, lark.Tree):
        return outcome
    at = _reached(tokens, outcome)
    if misspelt := _misspelt(tokens, at, start):
        return misspelt
    terminals = {symbol.name for rule in _parser().rules for symbol in rule.expansion if symbol.is_term}
    before = _parser().parse_interactive(start=start)  # the parser that refused the token has acted on it already
    for token in tokens[:at]:
        before.feed_token(lark.Token(token.kind, token.text))
    allowed: set[str] = before.accepts()  # type: ignore[no-untyped-call]
    return explain(tokens, at, allowed, terminals, Span(source, end, end))


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
        if isinstance(outcome, lark.Tree) or (further and not may_be_name):
            return report(messages.MISSPELT, run, run=run.text, help=suggest.meant(run.text, [word]))
    return None


def _offset(tokens: Sequence[Token], at: int) -> int:
    return tokens[at].span.start if at < len(tokens) else tokens[-1].span.end


_MOST_TRIED: Final = 12
_LONGEST_TRIED: Final = 20_000


class _Tokens(Lexer):
    """Lark's view of our tokens: it lexes nothing."""

    def __init__(self, conf: object) -> None:
        pass

    def lex(self, data: Any) -> Iterator[lark.Token]:  # type: ignore[override]
        """The tokens as lark expects them."""
        for token in data:
            yield lark.Token(token.kind, token.text, start_pos=token.span.start, end_pos=token.span.end)


def make_parser(*, strict: bool = False) -> lark.Lark:
    """A parser fresh from the grammar; `strict` refuses a grammar with conflicts (and needs interegular)."""
    return lark.Lark(
        packaged.grammar(),
        parser="lalr",
        lexer=_Tokens,
        start=list(START),
        maybe_placeholders=False,
        strict=strict,
    )


_PARSER: Final[list[lark.Lark]] = []


def _parser() -> lark.Lark:
    """The parser, made on first use unless `use_tables` made it before."""
    if not _PARSER:
        _PARSER.append(make_parser())
    return _PARSER[0]


def tables() -> Any:
    """The parse tables, which take lark a fifth of a second to make, as plain data for JSON."""
    data, memo = _parser().memo_serialize([Rule, TerminalDef])
    data["options"]["lexer"] = data["parser"]["lexer_conf"]["lexer_type"] = None
    return {"data": data, "memo": memo}


def use_tables(tables: Any) -> None:
    """Make the parser from the result of `tables`. Raises any exception if the data are not such a result."""
    data, memo = tables["data"], tables["memo"]
    data["options"]["lexer"] = data["parser"]["lexer_conf"]["lexer_type"] = _Tokens
    actions = data["parser"]["parser"]
    actions["tokens"] = _by_number(actions["tokens"])
    actions["states"] = {state: _by_number(row) for state, row in _by_number(actions["states"]).items()}
    _PARSER[:] = [lark.Lark.load({"data": data, "memo": _by_number(memo)})]


def _by_number(table: dict[str, Any]) -> dict[int, Any]:
    """A table whose keys JSON has made strings."""
    return {int(key): value for key, value in table.items()}
