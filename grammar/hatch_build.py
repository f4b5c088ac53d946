"""Makes the parser's tables of the grammar, whenever the project is built or installed: `tables.json`, beside it.

They are lark's own, as `Lark.load` takes them, with the grammar and the version of lark that they hold for. The states
are numbered in the order in which a parser meets them, so that everybody who makes the tables gets the same file.
"""

import json
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Tables(BuildHookInterface[Any]):
    """Writes the tables before files are gathered for a wheel or for an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the tables by the grammar and the compiler of this checkout."""
        sys.path[:0] = [self.root, f"{self.root}/runtime"]
        path, text = Path(self.root) / "grammar" / "tables.json", tables()
        if not path.is_file() or path.read_text(encoding="utf-8") != text:  # others may read it now
            path.write_text(text, encoding="utf-8")


def tables() -> str:
    """The parser's tables as JSON."""
    import lark
    from lark.grammar import Rule
    from lark.lexer import TerminalDef
    from lark.parsers.lalr_analysis import Shift

    from cpl.compiler.syntax.parser import STARTS, make_parser

    parser = make_parser()
    table: Any = parser.parser.parser._parse_table  # type: ignore[attr-defined]
    order = [table.start_states[start] for start in STARTS]
    for state in order:  # which grows
        table.states[state] = dict(sorted(table.states[state].items()))
        order += [arg for action, arg in table.states[state].values() if action is Shift and arg not in order]
    numbers = {state: number for number, state in enumerate(order)}
    table.states = {
        numbers[state]: {
            symbol: (action, numbers[arg] if action is Shift else arg)
            for symbol, (action, arg) in table.states[state].items()
        }
        for state in order
    }
    for states in (table.start_states, table.end_states):
        states.update({start: numbers[states.pop(start)] for start in STARTS})
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    made = {"grammar": parser.source_grammar, "lark": lark.__version__, "data": data, "memo": memo}
    return json.dumps(made, ensure_ascii=False, separators=(",", ":"))
