"""CPL names and Python names: different names stay different, and all are names that Python allows."""

import keyword
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

import cpl
from cpl.python.names import Spelling, fresh, spell
from cpl.syntax.tokens import GREEK

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


def test_spellings() -> None:
    names = {"σ": "sigma", "Φ": "Phi", "x'": "x_prime", "A''": "A_prime_prime", "None": "None_", "ς": "varsigma"}
    for name, python in {**names, "ChosenPosition": "ChosenPosition"}.items():
        assert spell(name) == python
    assert Spelling(["Φ", "Phi"])("Φ") == "Phi_"
    assert fresh("x", {"x", "x_1"}) == "x_2"


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


def test_letters_that_look_alike_are_one_name() -> None:
    """Python would take ϕ and φ for one name, so CPL does too, from the first."""
    module: dict[str, object] = {}
    exec(cpl.compile_text("F(ϕ,µ) = φμ\n").python, module)
    assert module["F"](3, 4) == 12  # type: ignore[operator]
