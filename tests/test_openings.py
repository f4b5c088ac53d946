"""Openings of matches: the three-move ballots, and what is read from files."""

import re
from pathlib import Path

import pytest
from command_line import run

from cpl.games import checkers
from cpl.games.game import Turn
from cpl.games.openings import BadOpening, Opening, ballots, identity, read
from cpl.games.playable import game_of

CHECKERS = game_of("checkers")
BALLOTS, BARRED = (ballots(name).read_text(encoding="utf-8") for name in ("ballots", "barred"))


def after(opening: Opening) -> Turn:
    turn = opening.first(CHECKERS)
    for move in opening.moves:
        turn = CHECKERS.play(turn, CHECKERS.read(turn, move))
    return turn


def test_the_ballots_are_all_openings_of_three_moves_that_do_not_lose_a_man() -> None:
    """The 302 ways to play three moves come to 216 positions. 42 lose a man within five plies more, and are no
    ballots; each of the others is one ballot.
    """
    positions = [CHECKERS.start()]
    for _ in range(3):
        positions = [CHECKERS.play(turn, move) for turn in positions for move in turn.legal]
    assert len(positions) == 302
    drawn = [after(each).pieces for each in (*read(CHECKERS, BALLOTS), *read(CHECKERS, BARRED))]
    others = {str(turn.pieces): turn for turn in positions if turn.pieces not in drawn}
    assert len(drawn) == len({*map(str, drawn)}) == 174
    assert len(others) == 216 - 174
    player = checkers.AlphaBeta(5, {"Pieces": 1})
    for turn in others.values():
        value, _ = player.consider(*checkers.from_cpl(turn.state))
        assert value


def test_the_ballots_are_numbered() -> None:
    """156 in the deck, 12 of them new, and 18 that are barred: 174 in their order."""
    found = {
        int(number): (moves, status)
        for text, status in ((BALLOTS, ""), (BARRED, "barred"))
        for moves, number in re.findall(r"^1\. (\S+ \S+ 2\. \S+) \{(\d+)", text, re.MULTILINE)
    }
    assert [*sorted(found)] == [*range(1, 175)]
    assert sum(status == "" for _, status in found.values()) == 156
    assert BALLOTS.count(", new}") == 12
    squares = [[int(digits) for digits in re.findall(r"\d+(?!\.)", found[number][0])] for number in sorted(found)]
    assert [each[:4] for each in squares] == sorted((each[:4] for each in squares), key=lambda each: each)


def test_openings_are_read_from_positions_and_games() -> None:
    text = "# two\n\n B:W21,K30:B1,K2\n; and\n% then\nw:bK1:wK32.\n"
    assert read(CHECKERS, text) == [Opening("B:W21,K30:B1,K2"), Opening("W:WK32:BK1")]
    # With a position, or from the start.
    text = '[FEN "W:WK32:BK1"]\n\n1. 32-28 *\n\n[Event "x"]\n\n1. 11-15 {a comment} 22-18 *\n'
    assert read(CHECKERS, text) == [Opening("W:WK32:BK1", ("32-28",)), Opening("", ("11-15", "22-18"))]
    game = game_of("capture")
    assert read(game, f'[Event "{game.title}"]\n\n1. b4-b3 *\n') == [Opening("", ("b4-b3",))]
    one, other = Opening("", ("11-15",)), Opening("", ("11-16",))
    assert len({identity(each) for each in ([one], [other], [one, other], [other, one])}) == 4


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "there is no opening in it"),
        ("# B:W21:B1\n", "line 1, game 1: '#' is not a move"),
        ("B:W21:B1\nB:W21\nB:W99:B1\n", "line 2: nothing can be played after this opening"),
        ("B:W21:B1\n\nB:W99:B1\n", "line 3: '99' is not a piece"),
        ("1. 11-15 23-18 *\n1. 11-16 16-11 *\n", "line 2, game 2: "),
        ('[FEN "B:W18:B15"]\n\n1. 15x22 *', "line 1, game 1: nothing can be played after this opening: black"),
    ],
)
def test_texts_that_are_no_openings(text: str, fault: str) -> None:
    with pytest.raises(BadOpening, match=re.escape(fault)):
        read(CHECKERS, text)


def test_files_of_openings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One in the folder comes before the ballots of that name."""
    monkeypatch.chdir(tmp_path)
    match = ("match", "random:1", "random:2", "--openings")
    Path("bad.pdn").write_bytes(b"1. 11-15 \xff *")
    for name in ("missing.pdn", "bad.pdn", "."):
        done = run("cpl", *match, name)
        assert (done.returncode, done.stderr.startswith(f"cpl match: {name}: ")) == (1, True)
    Path("ballots").write_text("B:WK32:BK1\n", encoding="utf-8")
    assert run("cpl", *match, "ballots", "--pdn", "out.pdn").returncode == 0
    assert Path("out.pdn").read_text(encoding="utf-8").count('[FEN "B:WK32:BK1"]') == 10
