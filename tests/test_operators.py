"""Every operator between every two kinds of operands, interpreted and compiled; and what a new operator still lacks."""

import re
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT
from ways import Ways

import cpl
from cpl.compiler.precedence import LOOSE, RELATIONS
from cpl.compiler.syntax.tokens import SYMBOLS
from cpl.editors.signs import SIGNS

GRAMMAR = (ROOT / "grammar" / "cpl.lark").read_text(encoding="utf-8")
INFIX = re.findall(r"\w+", GRAMMAR.partition("?infix:")[2].partition("\n\n")[0])
OPERATORS = sorted({*INFIX, *LOOSE.infix} - {"JUXTAPOSED", "MAYBE_PRODUCT"})
"""Those with a sign of their own."""
COMPARING = RELATIONS | {"EQUIVALENT", "INEQUIVALENT"}
"""Those whose faults show values alone."""
OPERANDS = ["3", "true", "Logical([1,3])", "‘ab’", "[1,2]"]
CALLS = [f"F({left},{right})" for left in OPERANDS for right in OPERANDS]

RULE = "put {kind} into the rule `infix`, and into `%declare`, in grammar/cpl.lark"
MEANING = "say what {kind} does: in _ARITHMETIC or _BITWISE, in runtime/cplrt/checked.py"
LACKING = {
    "chains.py": "give {kind} a rank in LOOSE, in cpl/compiler/precedence.py",
    "generate.py": "say in _ALLOWED, in cpl/compiler/types/generate.py, of which types the operands of {kind} are",
    "lower.py": "say in cpl/compiler/python/lower.py how Python writes {kind}: in _BINARY, or in `binary` if by a call",
}
"""What is to be done, by the last file that an exception went through."""


def remedy(kind: str, error: Exception) -> str:
    """What a contributor forgot, if a table has no row for an operator."""
    files = [Path(frame.filename).name for frame in traceback.extract_tb(error.__traceback__)]
    known = [file for file in files if file in LACKING]
    words = LACKING[known[-1]] if known else "a table has no row for {kind}"
    return f"{words.format(kind=kind)} ({error!r})"


@pytest.mark.parametrize("kind", OPERATORS)
def test_compiled_operators_do_what_the_interpreter_says(kind: str, ways: Callable[..., Ways]) -> None:
    sign = SYMBOLS[kind][0]
    text = f"F(x,y) = x {sign} y\n"
    try:
        cpl.compile_text(text)
    except cpl.CplError as error:
        pytest.fail(f"{RULE.format(kind=kind)}: {error}")
    except Exception as error:
        pytest.fail(remedy(kind, error))

    each_way = ways(text, calls=CALLS, only=("interpreted", "optimised"))
    faults = [value for value in each_way.outcome("interpreted").values if value.startswith("fault: ")]
    assert len(faults) < len(CALLS), MEANING.format(kind=kind)
    if kind not in COMPARING:
        unnamed = [fault for fault in faults if sign not in fault and "expected" not in fault]
        assert not unnamed, f"give {kind} its sign in SIGNS, in runtime/cplrt/checked.py: {unnamed[0]}"
    each_way.agreed()


@pytest.mark.parametrize("kind", OPERATORS)
def test_editors_can_explain_an_operator(kind: str) -> None:
    assert kind in SIGNS, f"explain {kind} in SIGNS, in cpl/editors/signs.py"
