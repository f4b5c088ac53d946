"""The parser's tables, made by lark from the grammar: the only module that knows lark."""

from collections.abc import Iterator
from typing import Any, Final

import lark
from lark.grammar import Rule
from lark.lexer import Lexer
from lark.parsers.lalr_analysis import Shift

from cpl import packaged

START: Final = ("program", "value")


class _Tokens(Lexer):
    """Lark's view of our tokens: it lexes nothing."""

    def __init__(self, conf: object) -> None:
        pass

    def lex(self, data: Any) -> Iterator[lark.Token]:  # type: ignore[override]
        """The tokens as lark expects them."""
        for token in data:
            yield lark.Token(token.kind, token.text, start_pos=token.span.start, end_pos=token.span.end)


def make_parser(*, strict: bool = False) -> lark.Lark:
    """Lark's parser of the grammar; `strict` refuses a grammar with conflicts (and needs interegular)."""
    return lark.Lark(
        packaged.grammar(),
        parser="lalr",
        lexer=_Tokens,
        start=list(START),
        maybe_placeholders=False,
        strict=strict,
    )


def made() -> dict[str, Any]:
    """The fields of `lalr.Tables` but the terminals, as plain data for JSON."""
    parser: Any = make_parser().parser
    table = parser.parser._parse_table
    rules: dict[Rule, int] = {}
    states = [
        {
            symbol: arg if action is Shift else ~rules.setdefault(arg, len(rules))
            for symbol, (action, arg) in table.states[state].items()
        }
        for state in range(len(table.states))
    ]
    return {
        "states": states,
        "rules": [_plain(rule) for rule in rules],
        "starts": table.start_states,
        "ends": table.end_states,
    }


def _plain(rule: Rule) -> list[Any]:
    """A rule as `lalr.Rule`: lark leaves out terminals without a name of their own, and puts the children of rules that
    begin with an underscore into the tree round them.
    """
    kept = [
        (at, not symbol.is_term and symbol.name.startswith("_"))
        for at, symbol in enumerate(rule.expansion)
        if rule.options.keep_all_tokens or not (symbol.is_term and symbol.filter_out)  # type: ignore[attr-defined]
    ]
    is_single = bool(rule.options.expand1) and not rule.alias
    return [rule.origin.name, len(rule.expansion), rule.alias or rule.origin.name, is_single, kept]
