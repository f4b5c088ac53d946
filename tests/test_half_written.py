"""What an editor knows of programs with errors: all of the rest, and nothing that is false."""

import pytest

from cpl.editor.analysis import Analysis, analyse
from cpl.source import Source


def known(text: str) -> Analysis:
    return analyse(Source("half.cpl", text), advice=False)


def types(text: str) -> dict[str, str | None]:
    """The types of the names that a text defines."""
    analysis = known(text)
    return {
        each.name: analysis.type_of(each.span)
        for each in analysis.definitions.values()
        if each.span.source == analysis.source
    }


@pytest.mark.parametrize(
    "broken", ["F(x) = (x", "F(x) = value of § let a = 1", "F(x) = value of § let a = \n result is a §", "F(x) = )"]
)
def test_what_parses_is_known(broken: str) -> None:
    expected = {"G": "real ⇒ real", "y": "real", "H": "real ⇒ real", "z": "real"}
    assert types(f"G(y) = y + 1\n{broken}\nH(z) = G(z)\n").items() >= expected.items()


def test_types_and_targets_that_come_from_errors_are_not_known() -> None:
    found = types("F(x) = Unknown\nG(x) = F(x)\nc = G(1)\nH(y) = y + 1\n")
    assert found == {"F": None, "G": None, "c": None, "x": None, "H": "real ⇒ real", "y": "real"}
    assert types("c = F(1)\nd = c\nF(x) = x +\n") == {"c": None, "d": None}


def test_targets_without_values_are_a_finding() -> None:
    text = "F(x) = value of § let a, b = 1, 2\n a, b := 1\n result is a §\nG(y) = (y\n"
    assert known(text).diagnostics
