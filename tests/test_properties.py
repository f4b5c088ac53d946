"""Properties over random texts and names."""

import io
import keyword
import os
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

from conftest import SLOW
from cplrt import CplFault, show
from hypothesis import given, settings
from hypothesis import strategies as st

import cpl
from cpl.compiler import pipeline
from cpl.compiler.python.names import Spelling, Taken, spell
from cpl.compiler.source import Source
from cpl.compiler.syntax.tokens import GREEK


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


def evaluated(meaning: pipeline.Meaning, *, interpreted: bool) -> str:
    return show([*pipeline.evaluations(meaning, interpreted=interpreted)][-1])


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
        for diagnostic in error.diagnostics:
            assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(diagnostic.span.source.text)
    else:
        compile(compiled.python, "out.py", "exec")


@settings(SLOW, max_examples=100)
@given(st.text(st.sampled_from('*NSTn\n\t"‘’“” 2é') | st.characters(exclude_categories=["C"]), max_size=12))
def test_a_string_is_read_as_it_is_shown(string: str) -> None:
    meaning = pipeline.understand(Source("strings.cpl", ""), calls=[show(string)])
    assert [*pipeline.evaluations(meaning, interpreted=True)][-1] == string


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


LETTERS = [letter for letter in GREEK if letter != "λ"]
SMALL = st.builds(
    lambda letter, primes: letter + "'" * primes,
    st.sampled_from(LETTERS + list("abcxyzl")),
    st.integers(min_value=0, max_value=3),
)
SPELLED = st.builds(
    lambda letter, rest: GREEK[letter].capitalize() + rest,
    st.sampled_from(LETTERS),
    st.sampled_from(["", "'", "_"[:0], "1"]),
)
LARGE = st.from_regex(r"[A-Z][A-Za-z0-9']{0,6}", fullmatch=True)
TRICKY = st.sampled_from(
    ["None", "True", "False", "None'", "A'prime", "A''", "A'primeprime", "Phi", "Phi'", "Sigma", "Xprime"]
)
NAMES = st.lists(st.one_of(SMALL, SPELLED, LARGE, TRICKY), unique=True, max_size=30)


@given(NAMES)
def test_different_names_stay_different(names: list[str]) -> None:
    spelling = Spelling(names)
    python = [spelling(name) for name in names]
    assert len(set(python)) == len(names)
    for name in python:
        assert name.isidentifier() and name.isascii() and not keyword.iskeyword(name)
        assert unicodedata.normalize("NFKC", name) == name


@given(SMALL, LARGE)
def test_a_name_stays_as_it_is_where_it_can(small: str, large: str) -> None:
    for name in (small, large):
        if name.isascii() and name.isidentifier() and not keyword.iskeyword(name):
            assert spell(name) == name


def test_spellings_of_names() -> None:
    names = {"σ": "sigma", "Φ": "Phi", "x'": "x_prime", "A''": "A_prime_prime", "None": "None_", "ς": "varsigma"}
    for name, python in {**names, "ChosenPosition": "ChosenPosition"}.items():
        assert spell(name) == python
    assert Spelling(["Φ", "Phi"])("Φ") == "Phi_"
    assert Taken(["x", "x_1"]).fresh("x") == "x_2"
    # Python would take ϕ and φ for one name, so CPL does too, from the first.
    module: dict[str, object] = {}
    exec(cpl.compile_text("F(ϕ,µ) = φμ\n").python, module)
    assert module["F"](3, 4) == 12  # type: ignore[operator]


@given(st.lists(st.one_of(SMALL, LARGE, TRICKY), unique=True, min_size=1, max_size=12))
def test_a_module_of_such_names(names: list[str]) -> None:
    """Compiled, every definition is there under its own name and has its own value."""
    text = "\n".join(f"{name} = {value}" for value, name in enumerate(names) if name != "NIL")
    module: dict[str, object] = {}
    exec(cpl.compile_text(text, pretty=False).python, module)
    spelling = Spelling(names)
    for value, name in enumerate(names):
        if name != "NIL":
            assert module[spelling(name)] == value
