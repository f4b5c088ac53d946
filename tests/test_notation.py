"""Positions and moves as people write them, in all games; those of checkers beside pydraughts."""

import random
import re

import draughts
import pytest

from cpl.games import checkers
from cpl.games import position as positions
from cpl.games.checkers import BadFen, BadMove, action_text, from_fen, read_action, to_fen
from cpl.games.game import Turn
from cpl.games.playable import game_of
from cpl.games.position import FenWarning
from cpl.study.compare.inputs import scattered

FENS = [positions.to_fen(position) for position, _ in zip(scattered(random.Random(1994)), range(150), strict=False)]
START = "B:W21-32:B1-12"


def ours(fen: str) -> str:
    """pydraughts orders squares otherwise."""
    return to_fen(*from_fen(fen))


def test_the_start_is_that_of_checkers() -> None:
    assert from_fen(START) == (checkers.start(), "red")
    assert to_fen(checkers.start(), "black").startswith("W:W21,")


def test_positions_are_written_as_by_pydraughts() -> None:
    for fen in FENS:
        assert ours(fen) == fen
        assert ours(draughts.Board(variant="english", fen=fen).fen) == fen


def test_a_position_is_read_square_by_square() -> None:
    state, player = from_fen("B:WK4,29:B1,K32")
    assert player == "red"
    pieces = {(row, column): piece for row, line in enumerate(state) for column, piece in enumerate(line) if piece}
    assert pieces == {(0, 1): 1, (7, 6): 2, (7, 0): 3, (0, 7): 4}


def test_a_man_on_the_last_row_is_warned_of_and_read_as_a_king() -> None:
    with pytest.warns(FenWarning, match="'W:W4,K3:B29,30,28' has a man on 4, 29, 30, where he is crowned"):
        assert ours("W:W4,K3:B29,30,28") == "W:WK3,K4:B28,K29,K30"


@pytest.mark.parametrize(
    ("written", "fen"),
    [
        ("B:W:B1,K2", "B:W:B1,K2"),
        ("W:W21,22", "W:W21,22:B"),
        ("W:B21,K22.", "W:W:B21,K22"),
        (" w : bk1 - 3 , 05 : wK30,\t29. ", "W:W29,K30:BK1,K2,K3,5"),
        ("W:W31,32:B1,K2:H0:F1", "W:W31,32:B1,K2"),
        ("W:W31:B1:H12:F60.", "W:W31:B1"),
        ('[SetUp "1"]\n[FEN "W:W31:B1"]\n', "W:W31:B1"),
        (' [fen " B:W31:B1. " ] ', "B:W31:B1"),
        ("W:W:W30,29:B1,2", "W:W29,30:B1,2"),
        ("B : B : W30:B1", "B:W30:B1"),
        ("W:W:B1", "W:W:B1"),
        (START, "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"),
    ],
)
def test_a_position_may_be_written_in_many_ways(written: str, fen: str) -> None:
    assert ours(written) == fen


def test_pieces_that_are_none_are_refused() -> None:
    for pieces in "1 2|9-5|9-|K|9:W7|9:B1:W7|5-9:B7|9:H0:B1|9:B1:F|1:W2|33:B1|0:B1|7:B7|8,8:B2|KK1:B2".split("|"):
        with pytest.raises(BadFen):
            from_fen(f"B:W{pieces}")


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("W:WK4,WK5,55:B4", "^'WK5' is not a piece: write a square from"),
        ("B:W1,2,3:B3,2", "two pieces stand on one square, 2, 3$"),
        ("B:W32-21:B1", "'32-21' is not a piece: .* a range like 21-32"),
    ],
)
def test_a_position_is_refused_with_its_fault(written: str, fault: str) -> None:
    with pytest.raises(BadFen, match=fault):
        from_fen(written)


def test_what_is_no_position_is_refused() -> None:
    for written in ("W:B:W9:B1", "W:W:W:W9", "", "B", "?:W9", '[FEN "B:W9', "B:W" + 5000 * "9" + ":B"):
        with pytest.raises(BadFen):
            from_fen(written)


def test_moves_are_written_as_by_pydraughts_and_read_back() -> None:
    """Short captures, too: several with the same ends are listed, a single one is found."""
    for fen in FENS:
        state, player = from_fen(fen)
        legal = checkers.actions(state, player)
        theirs = draughts.Board(variant="english", fen=fen).legal_moves()
        assert sorted(map(action_text, legal)) == sorted(
            ("x" if move.has_captures else "-").join(map(str, move.steps_move)) for move in theirs
        )
        for action in legal:
            assert read_action(state, player, action_text(action)) == action
            ends = [action[0], action[-1]]
            short = re.sub("[-x].*[-x]", "x", action_text(action))
            alike = {action_text(each) for each in legal if [each[0], each[-1]] == ends}
            if len(alike) == 1 or ends in legal:
                assert read_action(state, player, short)[:: len(action) - 1] == ends
            else:
                with pytest.raises(BadMove) as caught:
                    read_action(state, player, short)
                assert set(re.findall(r"\d+(?:x\d+){2,}", str(caught.value))) == alike


FORKED = "B:W6,7,14,15:B2"
LONG = "B:W6,14,23:B2"
ROUND = "W:WK22:B9,10,17,18"
DETOUR = "W:WK3:B6,7,14,15,22,23"
CROWNED = "W:W12,17:B4,7,8,26,K31"
"""Where a man who is crowned by a capture jumps on, by the rules of 1966."""


def meant(name: str, fen: str, text: str) -> str:
    """What a text means in a game, from a position or the start."""
    game = game_of(name)
    turn = game.start()
    if fen and name == "strachey":
        turn = Turn(game, positions.from_fen(fen), {"B": "black", "W": "white"}[fen[0]])
    elif fen:
        turn = game.from_fen(fen)
    return game.text(game.read(turn, text))


def test_forms_of_moves_and_why_some_are_illegal() -> None:
    for name, fen, text, whole in (
        ("checkers", START, "11-15", "11-15"),
        ("checkers", START, " 09 x 13 ", "9-13"),
        ("checkers", FORKED, "2x11x18", "2x11x18"),
        ("checkers", FORKED, "2-9-18", "2x9x18"),
        ("checkers", LONG, "2x27", "2x9x18x27"),
        ("checkers", ROUND, "22x13x6x22", "22x13x6x15x22"),
        ("checkers", DETOUR, "3x10x1", "3x10x1"),
        ("strachey", CROWNED, "12-10", "12x3x10"),
        ("capture", "", "b4b3", "b4-b3"),
        ("capture", "", " b4 x b3", "b4-b3"),
        ("simple-checkers", "", "a3 b4", "a3-b4"),
    ):
        assert meant(name, fen, text) == whole
    for name, fen, text, message in ILLEGAL:
        with pytest.raises(BadMove, match=re.escape(message)) as caught:
            meant(name, fen, text)
        assert len(str(caught.value)) < 200 and "\n" not in str(caught.value)
    game = game_of("capture")
    turn = game.start()
    for text in ("d4-e4", "d2-e2", "e4d4"):
        turn = game.play(turn, game.read(turn, text))
    with pytest.raises(BadMove, match="that board was there before, and none may come twice"):
        game.read(turn, "e2-d2")
    short = [[], [(2, 1)], [(2, 1), (3, 1)], [(2, 1), (8, 1)], [(0, 1), (1,)], [(0, 1), (7, 0)], [(0, 1), (0, 1)]]
    long = [[(0, 1), (1, 0), (2, 1)], [(0, 1), (0, 3)], [(2, 1), (4, 3), (5, 4)], [(2, 1), (3, 2), "x"]]
    for action in (*short, *long, [(2, 1), (3, [])], "11-15", 5):
        for use in (action_text, lambda action: checkers.successor(checkers.start(), action)):
            with pytest.raises(ValueError, match="an action is a list of dark tiles"):
                use(action)


ILLEGAL = [
    ("checkers", FORKED, "2x18", "'2x18' can be 2x9x18 or 2x11x18: say which, with the squares between"),
    ("checkers", ROUND, "22x22", "22x13x6x15x22 or 22x15x6x13x22"),
    ("checkers", ROUND, "22x14x22", "the piece on 22 can go 22x13x6x15x22 or 22x15x6x13x22"),
    ("checkers", DETOUR, "3x1", "3x10x1 or 3x10x17x26x19x10x1 or 3x10x19x26x17x10x1"),
    ("checkers", START, "11", "'11' is not a move: write one like 11-15 or 15x22x31"),
    ("checkers", START, "e3-f4", "is not a move"),
    ("checkers", START, "32-33", "'33' is not a square: squares are 1 to 32"),
    ("checkers", START, "11-" + 5000 * "9", "is not a square"),
    ("checkers", START, "15-18", "'15-18' cannot be played: there is no piece on 15"),
    ("checkers", START, "23-18", "the piece on 23 is not black's, whose move it is"),
    ("checkers", START, "8-11", "there is a piece on 11"),
    ("checkers", START, "11-18", "the piece on 11 can go 11-15 or 11-16"),
    ("checkers", START, "3-19", "the piece on 3 cannot move"),
    ("checkers", "B:W32:B9", "9-6", "a man goes forwards only"),
    ("checkers", "B:W:B", "9-6", "there is no piece on 9"),
    ("checkers", "B:W13,17,18,14:B9,10", "9-13", "there is a piece on 13"),
    ("checkers", "B:W18:B1,15", "1-5", "a capture must be made, 15x22"),
    ("checkers", "B:W18:B1,15", "15x24", "the piece on 15 can go 15x22"),
    ("checkers", LONG, "2x9x18", "the capture goes on, 2x9x18x27"),
    ("checkers", "B:W5,6,9,10:B1", "1-5", "black has no move left"),
    ("strachey", "", "22-18", "the piece on 22 is not black's, whose move it is"),
    ("strachey", "", "15-19", "no piece on 15"),
    ("strachey", "W:W9:B25", "9-13", "a man goes forwards only"),
    ("strachey", CROWNED, "12x3", "the capture goes on, 12x3x10"),
    ("strachey", FORKED, "2x18", "'2x18' can be 2x9x18 or 2x11x18"),
    ("capture", "", "a1-a2", "no piece on a1"),
    ("capture", "", "b2-b3", "not white's"),
    ("capture", "", "b5-b4", "a piece on b4"),
    ("capture", "", "b4-c3", "a pawn goes one square forwards or to the side, or jumps over one opposing piece; "),
    ("capture", "", "b4-b1", "there is a piece on b1"),
    ("capture", "", "c5-e3", "never jumps; it cannot move now"),
    ("capture", "", "b4-b4", "; it can go b4-a4 or b4-b3"),
    ("capture", "", "b4", "is not a move: write one like b4-b3"),
    ("capture", "", "b" + "4" * 5000 + "-b3", "is not a square"),
    ("capture", "", "b4-z9", "'z9' is not a square: squares are a1 to e5"),
    ("simple-checkers", "", "a1-b2", "a piece on b2"),
    ("simple-checkers", "", "a3-a4", "a man goes one square obliquely forwards; it can go a3-b4"),
]
