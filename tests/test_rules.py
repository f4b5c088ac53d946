"""The rules of the 1966 program beside those of English draughts: each difference is known, and a new one is seen."""

import json
import re
import subprocess
import sys
from pathlib import Path

import draughts
import pytest
from command_line import run, with_commands
from conftest import ROOT
from cplrt.checkers import board
from html_pages import Page
from test_executors import PUBLISHED

from cpl.cli import cpl as cli
from cpl.compiler import pipeline
from cpl.compiler.source import Source
from cpl.games.moves import moves_between, names
from cpl.games.position import from_fen, number, to_fen
from cpl.study.compare.inputs import positions as drawn_positions
from cpl.study.compare.recorded import Replayed, report
from cpl.study.compare.report import as_text
from cpl.study.compare.rules import (
    MEANING,
    Exchange,
    LineComparison,
    Ply,
    compare,
    compare_plies,
    compare_positions,
    exchanges,
    jumping_on,
    official,
    tallies,
)
from cpl.study.views.reports import as_html

COUNT = 1500


@pytest.fixture(scope="module")
def positions(game):
    return [*drawn_positions(game.LegalPositionsFrom, game.StartPosition, COUNT, seed=1966)]


def test_squares_and_moves_have_their_names(game, positions) -> None:
    assert [number(square) for square in board] == [str(count) for count in range(1, 33)]
    assert number(13) == "?13"
    assert to_fen(game.StartPosition) == ("B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12")
    first = names(game.StartPosition, game.LegalPositionsFrom(game.StartPosition))
    assert first == ["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"]
    # Its own notation, and its own way to play a move: what it offers in public, where we use what lies below.
    for position in positions[::10]:
        shown = draughts.Board(variant="english", fen=to_fen(position))
        moves = shown.legal_moves()
        theirs = ["x".join(map(str, move.steps_move)) for move in moves if move.has_captures]
        theirs += ["-".join(map(str, move.steps_move)) for move in moves if not move.has_captures]
        assert sorted(names(position, official(position))) == sorted(theirs)
        played = []
        for move in moves:
            after = draughts.Board(variant="english", fen=to_fen(position))
            after.push(move)
            played.append(to_fen(from_fen(after.fen)))
        assert sorted(map(to_fen, official(position))) == sorted(played)


@pytest.mark.long
def test_every_next_position_of_the_program_has_a_name(game, positions) -> None:
    for position in positions:
        listed = game.LegalPositionsFrom(position)
        assert sum(len(moves_between(position, each)) for each in {*listed}) == len(listed)


def test_moves_without_a_name_and_with_several_are_told_apart() -> None:
    position = from_fen("B:W32:B1")
    assert names(position, [position, position]) == ["to B:W32:B1"] * 2, "what no move leads to"
    round_trips = ["22x13x6x15x22", "22x13x6x15x22", "22x15x6x13x22"]
    assert names(from_fen("W:WK22:B9,10,17,18"), [from_fen("B:WK22:B")] * 3) == round_trips


@pytest.mark.long
def test_a_position_that_comes_twice_is_seen(game) -> None:
    assert compare(game.LegalPositionsFrom, from_fen("W:WK22:B9,10,17,18")).repeats
    assert not compare(lambda each: game.LegalPositionsFrom(each) * 2, game.StartPosition).repeats


@pytest.mark.long
def test_the_first_plies_are_the_published_ones(game) -> None:
    plies = list(compare_plies(game.LegalPositionsFrom, game.StartPosition, 5))
    assert [ply.program for ply in plies] == [ply.official for ply in plies] == PUBLISHED[:5]
    assert not any(ply.differing or ply.line for ply in plies)


def test_a_wrong_program_is_seen_in_one_ply(game) -> None:
    first = next(compare_plies(lambda position: game.LegalPositionsFrom(position)[1:], game.StartPosition, 1))
    assert (first.program, first.official, first.line) == (6, 7, (game.StartPosition,)), "a wrong program"


@pytest.mark.long
def test_plies_part_where_the_rule_of_1966_does(game) -> None:
    """The oracle and the program with the oracle's one rule changed part as the oracle and the program do."""
    start = from_fen("B:W20,21,23,25,26,27,28,29,30,31,32:B1,2,3,4,5,7,8,10,12,13,16")
    plies = list(compare_plies(game.LegalPositionsFrom, start, 4))
    assert plies == list(compare_plies(jumping_on, start, 4))
    assert [bool(ply.line) for ply in plies] == [False, True, False, False]
    assert names(plies[1].line[0], [plies[1].line[1]]) == ["2-6"]
    assert plies[2].program - plies[2].official == sum(
        gain(each) for each in exchanges(game.LegalPositionsFrom, plies[1])
    )
    assert plies[3].program != plies[3].official


def gain(exchange: Exchange) -> int:
    """The number of lines of play that the program has more for it, one ply later."""
    return exchange.lines * (exchange.program_replies - exchange.official_replies)


@pytest.mark.long
def test_differences_are_of_a_known_kind_and_gone_when_put_right(game, positions) -> None:
    found, _ = tallies(compare(game.LegalPositionsFrom, position) for position in positions)
    assert found.counts.total() == COUNT
    assert not found.counts["unexplained"], to_fen(found.smallest("unexplained").position)
    assert found.counts["jumps-on"] >= 5
    for fen, kind, program, right in (
        ("W:W12:B7,8", "jumps-on", "12x3x10", "12x3"),
        ("B:W25,26:B21", "jumps-on", "21x30x23", "21x30"),
        ("W:W12:B8", "same", "12x3", "12x3"),
        ("W:W7:B8,K11", "same", "7-2 7-3", "7-2 7-3"),
        ("W:WK3:B7,8", "same", "3x10 3x12", "3x10 3x12"),
        ("W:WK22:B9,10,17,18", "same", "22x13x6x15x22 22x15x6x13x22", "22x13x6x15x22 22x15x6x13x22"),
        ("B:W15,16,24:B11", "same", "11x18 11x20x27", "11x18 11x20x27"),
        ("B:W:B1", "same", "1-5 1-6", "1-5 1-6"),
        ("B:W5:B", "same", "", ""),
        ("B:W9,10,13,14,15:B5,6", "same", "", ""),
    ):
        found = compare(game.LegalPositionsFrom, from_fen(fen))
        assert (found.kind, names(found.position, found.program)) == (kind, program.split())
        assert names(found.position, found.official) == right.split()
    # The known difference is all: put right, it leaves none.
    right = changed(
        ("Null(Φ ∧ K) → (θ ∧ LastRows)", "Null(Φ ∧ K) → Zero"),
        ("result is (Y,X,K, - σ)", "result is (Y,X,K + (Φ ∧ LastRows), - σ)"),
    )
    assert tallies(compare(right.LegalPositionsFrom, position) for position in positions)[0].counts == {"same": COUNT}


def changed(*edits: tuple[str, str]):
    """The program with some of its text replaced."""
    path = ROOT / "programs" / "strachey.cpl"
    text = path.read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return pipeline.load(Source(str(path), text))


WRONG = {
    "kings do not go back": ("(s > 0) → Φ, Φ ∧ K", "(s > 0) → Φ, Zero"),
    "men go back as they go on capturing": ("PCP(P,Φ ∧ K, - 4)", "PCP(P,Φ, - 4)"),
    "nobody need capture": (
        "Null(L)→RemainingPositionList(P,NonCapture,5),L",
        "Join(L,RemainingPositionList(P,NonCapture,5))",
    ),
    "everything is listed twice": ("P,NonCapture,5),L §", "P,NonCapture,5),Join(L,L) §"),
    "a capture may stop on its way": ("CombineCaptureTrees(L) §", "Join(FinalPosition(Ip),CombineCaptureTrees(L)) §"),
    "men stay men": ("(θ ∧ LastRows), θ\n", "Zero, θ\n"),
    "what is captured stays": ("((X - Φ + θ), (Y - ψ)", "((X - Φ + θ), Y"),
    "the board has no edge": ("~ X ∧ ~ Y ∧ Board", "~ X ∧ ~ Y"),
}


@pytest.mark.long
@pytest.mark.parametrize("edit", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_rule_is_seen(game, edit: tuple[str, str]) -> None:
    wrong = changed(edit).LegalPositionsFrom
    positions = drawn_positions(game.LegalPositionsFrom, game.StartPosition, 400)
    assert tallies(compare(wrong, position) for position in positions)[0].counts["unexplained"]


def test_the_command_in_text_as_data_and_by_depth(game) -> None:
    done = run("cpl", "rules", "strachey.cpl", "--positions", "300", "--seed", "7", "--verbose", well=True)
    counts = [int(count) for count in re.findall(r"^ +(\d+)  ", done.stdout, re.MULTILINE)]
    assert sum(counts[:3]) == 300 and counts[2] == 0
    done = run("cpl", "rules", "strachey.cpl", "--positions", "300", "--seed", "7", "--format", "json")
    data = json.loads(done.stdout)
    assert [data["kinds"][kind]["count"] for kind in MEANING] == counts[:3]
    assert data["repeated"]["count"] == counts[3]
    smallest = data["kinds"]["jumps-on"]["smallest"]
    position = from_fen(smallest["fen"])
    assert names(position, official(position)) == smallest["official"] != smallest["program"]
    done = run("cpl", "rules", "strachey.cpl", "--depth", "2")
    assert re.findall(r"^ +\d+ +(\d+) +(\d+) +0$", done.stdout, re.MULTILINE) == [("7", "7"), ("49", "49")]
    assert done.stdout.endswith("The program and the official rules agree at every length.\n")
    done = run("cpl", "rules", "strachey.cpl", "--depth", "2", "--format", "json")
    assert json.loads(done.stdout) == {
        "file": "strachey.cpl",
        "reading": "and=loose,plusminus=set,nil=list",
        "counts": [
            {"moves": 1, "program": 7, "official": 7, "differing": 0},
            {"moves": 2, "program": 49, "official": 49, "differing": 0},
        ],
        "parting": None,
        "unexplained": None,
    }


def test_every_report_is_printed_as_text_and_as_html(game) -> None:
    """Whatever its parts are: of rules, and of a session."""
    moves = game.LegalPositionsFrom
    wrong = LineComparison(lambda position: moves(position)[1:], game.StartPosition, 1)
    session = [Replayed(1, "F(1)", "a\nb", "<i>", holds=False), Replayed(4, "F(2)", "2", "2", holds=True)]
    for parts, said, drawn in (
        ([*compare(moves, from_fen("W:W12:B7,8")).report()], "jumps-on: a man who is crowned", 1),
        ([*wrong.report()], "They first differ at move 1:", 2),
        ([*compare_positions(moves, game.StartPosition, 20, 0).report()], "20 positions, half from play", 0),
        ([*report(session)], "1 of 2 examples hold", 0),
    ):
        assert said in as_text(parts)
        page = Page(as_html(parts))
        assert said in page.text and page.tags.count("svg") >= drawn
    assert as_text(report(session)).startswith("line 1: F(1)\n  expected a\n           b\n  found    <i>\n")


def test_an_unexplained_difference_is_status_1(tmp_path: Path) -> None:
    text = (ROOT / "programs" / "strachey.cpl").read_text(encoding="utf-8")
    wrong = tmp_path / "wrong.cpl"
    wrong.write_text(text.replace(*WRONG["kings do not go back"]), encoding="utf-8")
    library = ("--library", ROOT / "programs" / "library" / "checkers-1966.cpl")
    done = run("cpl", "rules", wrong, *library, "--positions", "50")
    assert done.returncode == 1 and "unexplained: " in done.stdout
    done = run("cpl", "rules", wrong, *library, "--fen", "B:W32:BK17", status=1)
    assert "program   17-21 17-22\nofficial  17-13 17-14 17-21 17-22\nunexplained: " in done.stdout
    assert run("cpl", "rules", wrong, *library, "--fen", "B:W32:B17").returncode == 0
    wrong.write_text(text.replace("(P,NonCapture,5)", "(P,NonCapture,4)"), encoding="utf-8")
    done = run("cpl", "rules", wrong, *library, "--depth", "1", status=1)
    assert "They first differ at move 1:" in done.stdout and "A difference that nothing explains:" in done.stdout


def test_what_cannot_be_done_or_is_no_checkers_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments, status, said in (
        (("strachey.cpl", "--fen", "nonsense"), 2, "'nonsense' is not a position"),
        (("strachey.cpl", "--positions", "0"), 2, "expected a whole number of at least 1, found '0'"),
        (("strachey.cpl", "--depth", "x"), 2, "expected a whole number of at least 1, found 'x'"),
        (("strachey.cpl", "--depth", "2", "--fen", "B:W1:B2"), 2, "not allowed with"),
        (("nowhere.cpl",), 1, "nowhere.cpl: no such file"),
        (("bridge.cpl",), 1, "defines no StartPosition and no LegalPositionsFrom"),
    ):
        done = run("cpl", "rules", *arguments, status=status)
        assert said in done.stderr and "Traceback" not in done.stderr
    for text, said in (
        ("StartPosition = 1\nLegalPositionsFrom(P) = NIL\n", "expected a position (X,Y,K,σ) StartPosition"),
        ("{start}LegalPositionsFrom(P) = [1]\n", "gives is not a list of positions"),
        ("{start}LegalPositionsFrom(P) = P\n", "gives is not a list of positions"),
        ("{start}LegalPositionsFrom(P) = [(~ Zero,Zero,Zero,1)]\n", "gives is not a list of positions"),
        ("{start}LegalPositionsFrom(P) = Head(NIL)\n", "Head"),
        ("{start}LegalPositionsFrom(P,Q) = NIL\n", "LegalPositionsFrom"),
    ):
        start = "Zero = Logical(0)\nStartPosition = (Logical([5]),Logical([39]),Zero,1)\n"
        done = run("cpl", "rules", "-", "--positions", "10", input=text.format(start=start), status=1)
        assert said in done.stderr and "Traceback" not in done.stderr
    monkeypatch.setitem(sys.modules, "draughts", None)
    assert cli.main(["rules", "strachey.cpl"]) == 1
    assert "pip install 'cplc[rules]'" in capsys.readouterr().err


PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
BLOCKS = [
    example.partition("\n")[::2]
    for part in re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    for example in re.split(r"^\$ ", part, flags=re.MULTILINE)[1:]
]
MANY = "cpl rules strachey.cpl --positions 100000 --seed 1 | head -6"
DEEP = "cpl rules strachey.cpl --depth 9"


@pytest.mark.long
@pytest.mark.parametrize(("command", "wanted"), [part for part in BLOCKS if part[0] not in (MANY, DEEP)])
def test_what_the_page_shows(command: str, wanted: str) -> None:
    done = subprocess.run(command, shell=True, cwd=ROOT, env=with_commands(), capture_output=True, check=False)
    assert (done.stdout.decode(), done.stderr) == (wanted, b"")


def test_the_positions_of_the_page_have_the_same_moves(game) -> None:
    rows = re.findall(r"^\| .* \| `(.*)` \| (.*)\|$", PAGE, re.MULTILINE)
    assert len(rows) >= 12
    for fen, moves in rows:
        found = compare(game.LegalPositionsFrom, from_fen(fen))
        assert (found.kind, names(found.position, found.program)) == ("same", moves.split()), fen


# What takes minutes is not counted again: the counts are the published ones, and the parts make the sum.
def counts_of_plies() -> list[list[int]]:
    """By the program and by the official rules, ply for ply, and what differs."""
    shown = dict(BLOCKS)[DEEP]
    return [[*map(int, row)] for row in re.findall(r"^ +(\d+) +(\d+) +(\d+) +(\d+)$", shown, re.MULTILINE)]


@pytest.fixture(scope="module")
def deep_rows() -> list[tuple[str, ...]]:
    """The rows about exchanges."""
    return re.findall(r"^ +(\d+)  (\S+) +(\d+)  (\S+) +(\d+)  (\S+)$", dict(BLOCKS)[DEEP], re.MULTILINE)


@pytest.fixture(scope="module")
def deep_exchanges(game, deep_rows: list[tuple[str, ...]]) -> list[Exchange]:
    where = {from_fen(fen): int(lines) for lines, *_, fen in deep_rows}
    assert len(where) == 9
    return list(exchanges(game.LegalPositionsFrom, Ply(8, 0, 0, where)))


def test_the_counts_of_the_page_are_the_published_ones() -> None:
    counts = counts_of_plies()
    assert [official for _, _, official, _ in counts] == [*PUBLISHED, 845931, 3963680]
    assert [differing for _, _, _, differing in counts[:8]] == [0] * 7 + [9]


def test_exchanges_of_the_page_are_where_the_rules_part(
    deep_rows: list[tuple[str, ...]], deep_exchanges: list[Exchange]
) -> None:
    for each, (_, right, replies, program, more, _) in zip(deep_exchanges, deep_rows, strict=True):
        assert each.comparison.kind == "jumps-on"
        assert names(each.comparison.position, each.comparison.only_official) == [right]
        assert names(each.comparison.position, each.comparison.only_program) == [program]
        assert (each.official_replies, each.program_replies) == (int(replies), int(more))


def test_exchanges_of_the_page_make_the_difference_of_the_counts(deep_exchanges: list[Exchange]) -> None:
    counts = counts_of_plies()
    assert sum(map(gain, deep_exchanges)) == counts[8][1] - counts[8][2] == -51


def test_the_line_of_the_page_leads_to_the_first_exchange(game, deep_exchanges: list[Exchange]) -> None:
    position = game.StartPosition
    line = re.search(r"for example after (.*):", dict(BLOCKS)[DEEP])
    assert line
    for move in re.findall(r"\d+(?:[-x]\d+)+", line[1]):
        assert compare(game.LegalPositionsFrom, position).kind == "same"
        (position,) = (each for each in official(position) if move in moves_between(position, each))
    assert position == deep_exchanges[0].comparison.position


def test_the_counts_of_positions_at_random_add_up() -> None:
    counts = [int(count) for count in re.findall(r"^ +(\d+)  ", dict(BLOCKS)[MANY], re.MULTILINE)]
    assert sum(counts[:3]) == 100000 and counts[2] == 0
