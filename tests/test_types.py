"""What the checker finds in programs that are right, which is nothing, and in programs that fail, which is why."""

import io
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from case_files import Case, read_cases
from cplrt import CplFault

import cpl
from cpl import compiler
from cpl.diagnostics import Diagnostic
from cpl.source import Source, Span

TYPES = Path(__file__).parent / "types"
CORRECT = read_cases(TYPES / "correct.case")
WRONG = read_cases(TYPES / "wrong.case")


def written(text: str, *, interpreted: bool = False) -> str:
    """What a program writes."""
    meaning = compiler.understand(Source("case.cpl", text))
    with redirect_stdout(io.StringIO()) as output:
        list(compiler.evaluations(meaning, interpreted=interpreted))
    return output.getvalue().rstrip()


def told(found: Diagnostic) -> str:
    """A finding with the texts of its places."""
    related = [f"  {text_of(span)}: {label}" for span, label in found.related]
    return "\n".join([f"{found.code}: {text_of(found.span)}", *related])


def text_of(span: Span) -> str:
    return span.source.text[span.start : span.end]


@pytest.mark.parametrize("case", CORRECT, ids=lambda case: case.title)
def test_nothing_is_found_in_what_is_right(case: Case) -> None:
    assert written(case.cpl) == case.sections["output"].rstrip()
    assert cpl.check_text(case.cpl) == []


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case.title)
def test_what_fails_is_found_in_its_place(case: Case) -> None:
    with pytest.raises(CplFault):
        written(case.cpl, interpreted=True)
    found = cpl.check_text(case.cpl)
    assert "\n".join(map(told, found)) == case.sections["found"].rstrip()
