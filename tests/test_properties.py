"""Properties over random programs and random texts."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cplrt import CplFault, show
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_programs import PARTS, SLOW, programs, try_programs

import cpl
from cpl import compiler
from cpl.source import Source

EXAMPLES = int(os.environ.get("CPLC_EXAMPLES", "400"))


@contextmanager
def passed_over_if_refused() -> Iterator[None]:
    try:
        yield
    except cpl.CplError as error:
        assume(not {found.code for found in error.diagnostics} <= {"too-deep", "not-yet"})  # as random ones may be
        raise


def outcome(run) -> str:
    try:
        with passed_over_if_refused():
            return show(run())
    except CplFault:
        return "fault"


def agree(drawn: tuple[str, str]) -> None:
    """The text is read once and run both ways, as reading takes longer than all the rest."""
    text, call = drawn
    with passed_over_if_refused():
        meaning = compiler.understand(Source("random.cpl", text), (), [call])
    judged = outcome(lambda: [*compiler.evaluations(meaning, interpreted=True)][-1])
    assert outcome(lambda: [*compiler.evaluations(meaning)][-1]) == judged


@pytest.mark.parametrize("part", PARTS)
def test_interpreter_and_compiled_python_agree(part: int) -> None:
    try_programs(agree, part, EXAMPLES)


@settings(SLOW, max_examples=60)
@given(programs())
def test_the_text_of_a_module_does_what_the_module_does(drawn: tuple[str, str]) -> None:
    """Formatted, alone or not: executed as text."""
    text, call = drawn
    source = Source("random.cpl", text + f"Answer() = {call}\n")
    wanted = outcome(lambda: compiler.evaluate(source, "Answer()"))
    for alone in (False, True):
        compiled = compiler.compile_source(source, standalone=alone)
        names: dict[str, object] = {"__name__": "out"}
        exec(compile(compiled.python, "out.py", "exec"), names)
        fault = names.get("CplFault", CplFault)
        try:
            found = names["Answer"]()
            shown = repr(found) if alone else show(found)
        except fault:  # type: ignore[misc]
            shown = "fault"
        if alone and wanted != "fault":
            assert shown == repr(compiler.evaluate(source, "Answer()"))
        else:
            assert shown == wanted


WORDS = """
    § §| ( ) [ ] , → = + - × / ~ ∧ ∨ < > ; ≤ let if then value of result is F Null NIL x σ' 12 3.5 ‘a’ " || ##
""".split()
SIGNS = st.sampled_from([*WORDS, "\n", "\t"])


@settings(SLOW, max_examples=500)
@given(
    st.one_of(
        st.text(max_size=60), st.lists(SIGNS, max_size=40).map(" ".join), st.lists(SIGNS, max_size=40).map("".join)
    )
)
def test_any_text_compiles_or_is_refused(text: str) -> None:
    try:
        compiled = cpl.compile_text(text)
    except cpl.CplError as error:
        assert error.diagnostics
        for found in error.diagnostics:
            assert 0 <= found.span.start <= found.span.end <= len(found.span.source.text)
    else:
        compile(compiled.python, "out.py", "exec")


def test_output_does_not_depend_on_the_process(root: Path) -> None:
    """The same bytes whatever Python's hash seed."""
    program = root / "programs" / "strachey.cpl"
    command = [sys.executable, "-m", "cpl.cli.cplc", str(program), "--standalone"]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", "import sys; from cpl.cli.cplc import main; sys.exit(main())", *command[3:]],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1
