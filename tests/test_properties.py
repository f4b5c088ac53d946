"""Properties over random texts."""

import io
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

from conftest import SLOW
from cplrt import CplFault, show
from hypothesis import given, settings
from hypothesis import strategies as st

import cpl
from cpl import compiler
from cpl.source import Source


def outcome(run: Callable[[], str], faults: type[Exception] = CplFault) -> tuple[str, str]:
    """The value as CPL writes it, or how the run ended without one; and what was written meanwhile."""
    written = io.StringIO()
    with redirect_stdout(written):
        try:
            ended = run()
        except faults:
            ended = "fault"
        except SystemExit:
            ended = "finish"
        except Exception as error:
            ended = repr(error)
    return ended, written.getvalue()


def evaluated(meaning: compiler.Meaning, *, interpreted: bool) -> str:
    return show([*compiler.evaluations(meaning, interpreted=interpreted)][-1])


WORDS = """
    § §| ( ) [ ] , → = + - × / ~ ∧ ∨ < > ; ≤ let if then value of result is F Null NIL x σ' 12 3.5 ‘a’ " || ##
""".split()
SIGNS = st.sampled_from([*WORDS, "\n", "\t"])


@settings(SLOW, max_examples=200)
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


@settings(SLOW, max_examples=100)
@given(st.text(st.sampled_from('*NSTn\n\t"‘’“” 2é') | st.characters(exclude_categories=["C"]), max_size=12))
def test_a_string_is_read_as_it_is_shown(string: str) -> None:
    meaning = compiler.understand(Source("strings.cpl", ""), (), [show(string)])
    assert [*compiler.evaluations(meaning, interpreted=True)][-1] == string


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
