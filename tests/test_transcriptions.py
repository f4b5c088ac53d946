"""docs/transcriptions.md: slips of another transcription, put into our text one by one, and what is said of each."""

import re
from pathlib import Path
from types import ModuleType

import pytest
from conftest import ROOT
from cplrt import CplFault

import cpl
from cpl.compiler import load_source, understand
from cpl.kit.perft import perft
from cpl.records import dataclass
from cpl.source import Source
from cpl.syntax.parser import parse
from cpl.syntax.repair import without_grouping

CORRECTED = ROOT / "programs" / "strachey.cpl"
PRINTED = ROOT / "programs" / "strachey-original.cpl"


@dataclass(frozen=True)
class Slip:
    """What stands in our text, once or first, and what stands there in its place."""

    ours: str
    theirs: str

    def into(self, path: Path) -> Source:
        text = path.read_text(encoding="utf-8")
        assert self.ours in text
        return Source(str(path), text.replace(self.ours, self.theirs, 1))


BRACKET = "a `)` left out in FindMoveList"
FOUR = "four names for five values in FinalPosition"
LONGER = "`K, -4,` too much in the result of PCP"
RENAMED = "`ChoosePosition` for `ChosenPosition`"
NESTED = "the inner brackets of NextMoveDirection dropped"
OF_TYPE = (FOUR, LONGER)
"""What is found by its types: cplc compiles it all the same."""

SLIPS = {
    BRACKET: Slip("(Shift(Empty,σs) ∧ Y), Empty", "(Shift(Empty,σs) ∧ Y, Empty"),
    "`Let` for `let`": Slip("let Empty", "Let Empty"),
    "`join` for `Join`": Slip("is Join(l", "is join(l"),
    "`LeagalPositionFrom` for `LegalPositionsFrom`": Slip("= LegalPositionsFrom", "= LeagalPositionFrom"),
    FOUR: Slip("let (X,Y,K,σ,Φ) = Ip", "let (X,Y,K,σ) = Ip"),
    LONGER: Slip("(Y - ψ),(K - ψ - Φ + Xk),σ,θ)§", "(Y - ψ),K, -4,(K - ψ - Φ + Xk),σ,θ)§"),
    RENAMED: Slip("ChosenPosition(P) =", "ChoosePosition(P) ="),
    NESTED: Slip("( (s = 4) → - 4, -5)", "(s = 4) → - 4, -5"),
}


PAGE = (ROOT / "docs" / "transcriptions.md").read_text(encoding="utf-8")


def table() -> dict[str, tuple[str, ...]]:
    """For each slip what it is caught by, the message, the help, and the fault if the program runs all the same."""
    row = r"^\| (.*?) \| (`check`|`run`|nothing) \| (.*?) ?\| (.*?) ?\| (.*?) ?\|$"
    return {slip: (caught.strip("`"), *others) for slip, caught, *others in re.findall(row, PAGE, re.MULTILINE)}


TABLE = table()


def compiled(slip: str) -> ModuleType:
    return load_source(SLIPS[slip].into(CORRECTED))


@pytest.mark.parametrize("slip", SLIPS)
def test_check_finds_what_the_table_says(slip: str) -> None:
    assert TABLE.keys() == SLIPS.keys()
    variant = SLIPS[slip].into(CORRECTED)
    found = [("check", each.message, each.help or "") for each in cpl.check_text(variant.text, path=variant.path)]
    caught, message, help, fault = TABLE[slip]
    assert found == ([(caught, message, help)] if caught == "check" else [])
    assert bool(fault) == (slip in OF_TYPE)


def test_the_page_counts_what_check_finds() -> None:
    found = [slip for slip, (caught, *_) in TABLE.items() if caught == "check"]
    words = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")
    assert f"`check` finds {words[len(found)]} of the {words[len(SLIPS)]}" in PAGE
    assert f"{words[len(found) - len(OF_TYPE)].capitalize()} are refused by the compiler" in PAGE


@pytest.mark.parametrize(
    ("slip", "severity", "place"),
    [(FOUR, "error", "(X,Y,K,σ)"), (LONGER, "warning", "(Y - ψ),K, -4,(K - ψ - Φ + Xk),σ,θ)")],
)
def test_slips_of_type_are_warnings_to_the_compiler(slip: str, severity: str, place: str) -> None:
    """At the names that take apart too little, and at the list that is too long, which only some runs meet."""
    variant = SLIPS[slip].into(CORRECTED)
    [error] = cpl.check_text(variant.text, path=variant.path)
    [warning] = cpl.compile_text(variant.text, path=variant.path).diagnostics
    assert (error.severity, warning.severity) == (severity, "warning")
    assert (error.code, error.message, error.span) == (warning.code, warning.message, warning.span)
    assert error.span.text.endswith(place)
    assert "list of 5" in " ".join(label for _, label in error.related)


def test_the_bracket_is_put_back_but_letters_are_not_repaired() -> None:
    mended = cpl.compile_text(SLIPS[BRACKET].into(CORRECTED).text, path=str(CORRECTED), repair=True)
    whole = parse(Source(str(CORRECTED), CORRECTED.read_text(encoding="utf-8")))[0]
    assert without_grouping(mended.surface) == without_grouping(whole)
    for slip, (by, *_) in TABLE.items():
        if by == "check" and slip not in (BRACKET, *OF_TYPE):
            variant = SLIPS[slip].into(CORRECTED)
            with pytest.raises(cpl.CplError):
                cpl.compile_text(variant.text, path=variant.path, repair=True)


def test_four_names_and_a_longer_result_fail_where_they_are_met() -> None:
    game = compiled(FOUR)
    with pytest.raises(CplFault) as fault:
        game.LegalPositionsFrom(game.StartPosition)
    assert str(fault.value) == TABLE[FOUR][3]
    game = compiled(LONGER)
    once = game.Logical([15]), game.Logical([19]), game.Zero, game.Black
    assert len(game.LegalPositionsFrom(once)) == 1
    counts = perft(game.LegalPositionsFrom, game.StartPosition, 6)
    assert [next(counts) for _ in range(5)] == [7, 49, 302, 1469, 7361]
    twice = game.Logical([5]), game.Logical([10, 19]), game.Zero, game.Black
    for job in (lambda: next(counts), lambda: game.LegalPositionsFrom(twice)):
        with pytest.raises(CplFault) as fault:
            job()
        assert str(fault.value) == TABLE[LONGER][3]


def test_the_other_name_is_told_to_who_asks_and_the_inner_brackets_say_nothing() -> None:
    with pytest.raises(cpl.CplError) as error:
        understand(SLIPS[RENAMED].into(CORRECTED), calls=["ChosenPosition(StartPosition)"])
    [found] = error.value.diagnostics
    assert ("run", found.message, found.help) == TABLE[RENAMED][:3]
    game = compiled(RENAMED)
    assert game.ChoosePosition(game.StartPosition) in game.LegalPositionsFrom(game.StartPosition)
    direction, ours = compiled(NESTED).NextMoveDirection, cpl.load(CORRECTED).NextMoveDirection
    assert [direction(s) for s in (5, 4, -4)] == [4, -4, -5]
    assert [direction(s) for s in range(-9, 10)] == [ours(s) for s in range(-9, 10)]


def test_what_the_list_leaves_out_is_found_too() -> None:
    """An opening bracket, in the second of two places with those names, and the name of an intermediate position."""
    text = CORRECTED.read_text(encoding="utf-8")
    head, names, tail = text.rpartition("let (X,Y,K,σ,Φ) = Ip")
    without = cpl.check_text(f"{head}{names.replace('(', '')}{tail}", path=str(CORRECTED))
    assert [found.message for found in without] == [
        "5 on the left but 1 on the right",
        ") has no matching opening bracket",
    ]
    small = cpl.check_text(text.replace("Ip", "ip"), path=str(CORRECTED))
    assert "found ip, which means i × p" in small[0].message
    assert small[0].help is not None and small[0].help.endswith("Ip")


def test_slips_together_are_told_in_turn() -> None:
    text = CORRECTED.read_text(encoding="utf-8")
    said = []
    for slip in SLIPS.values():
        text = text.replace(slip.ours, slip.theirs, 1)
    for slip in [None, *SLIPS.values()]:
        text = text.replace(slip.theirs, slip.ours, 1) if slip else text
        said.append([found.message for found in cpl.check_text(text, path=str(CORRECTED))])
    messages = [row[1] for row in TABLE.values()]
    assert said[:3] == [messages[:1], messages[1:2], [messages[3], messages[2]]]
    assert said[3:] == [messages[3:4], messages[5:6], messages[5:6], [], [], []]


def test_two_missing_brackets_are_both_blamed_and_not_repaired() -> None:
    variant = SLIPS[BRACKET].into(PRINTED)
    with pytest.raises(cpl.CplError) as error:
        cpl.compile_text(variant.text, path=variant.path, repair=True)
    assert [each.message for each in error.value.diagnostics] == [TABLE[BRACKET][1]] * 2
