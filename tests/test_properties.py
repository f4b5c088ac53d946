"""Properties over random programs and random texts."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from cplrt import CplFault, show
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_programs import PARTS, SLOW, Drawn, programs, try_programs

import cpl
from cpl import compiler
from cpl.semantics import core, within
from cpl.source import Source

EXAMPLES = int(os.environ.get("CPLC_EXAMPLES", "5000"))
LEAST = -(-100 // len(PARTS))
"""How often each kind of core node must occur in a part of 5 000 programs."""

KINDS_OF_NODES = [
    each for each in vars(core).values() if isinstance(each, type) and issubclass(each, core.Node) and each != core.Node
]


@contextmanager
def passed_over_if_refused() -> Iterator[None]:
    try:
        yield
    except cpl.CplError as error:
        assume(not {found.code for found in error.diagnostics} <= {"too-deep", "not-yet"})  # as random ones may be
        raise


def outcome(run: Callable[[], str], fault: type[BaseException] = CplFault) -> tuple[str, str]:
    """What comes of it, and what is written."""
    written = StringIO()
    with redirect_stdout(written), passed_over_if_refused():
        try:
            end = run()
        except fault:
            end = "fault"
        except SystemExit:
            end = "finish"
    return end, written.getvalue()


@pytest.mark.parametrize("part", PARTS)
def test_interpreter_and_compiled_python_agree(part: int, measured: Callable[[str], None]) -> None:
    """The text is read once and run both ways, as reading takes longer than all the rest."""
    ends: Counter[str] = Counter()
    seen: Counter[type] = Counter()

    def agree(drawn: Drawn) -> None:
        ends["drawn"] += 1
        with passed_over_if_refused():
            meaning = compiler.understand(Source("random.cpl", drawn.text), (), [drawn.call])
        judged = outcome(lambda: show([*compiler.evaluations(meaning, interpreted=True)][-1]))
        assert outcome(lambda: show([*compiler.evaluations(meaning)][-1])) == judged
        ends["understood"] += 1
        ends["fault"] += judged[0] == "fault"
        seen.update(type(node) for one in meaning.core.definitions for node in within.walk(one))

    try_programs(agree, part, EXAMPLES)
    rarest = min(KINDS_OF_NODES, key=lambda each: seen[each])
    measured(f"random programs, part {part}: {dict(ends)}, rarest {rarest.__name__} ({seen[rarest]} times)")
    assert ends["understood"] >= 0.8 * ends["drawn"]
    assert ends["fault"] <= 0.2 * ends["drawn"] or EXAMPLES < 5000
    assert seen[rarest] >= LEAST or EXAMPLES < 5000, rarest


@settings(SLOW, max_examples=60)
@given(programs())
def test_the_text_of_a_module_does_what_the_module_does(drawn: Drawn) -> None:
    """Formatted, alone or not: executed as text."""
    source = Source("random.cpl", f"{drawn.text}Answer() = {drawn.call}\n")
    for alone, written in ((False, show), (True, repr)):
        wanted = outcome(lambda: written(compiler.evaluate(source, "Answer()")))  # noqa: B023
        with passed_over_if_refused():
            python = compiler.compile_source(source, standalone=alone).python
        names: dict[str, Any] = {"__name__": "out"}

        def run() -> str:
            exec(compile(python, "out.py", "exec"), names)  # noqa: B023
            return written(names["Answer"]())  # noqa: B023

        assert outcome(run, fault=Exception) == wanted


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
