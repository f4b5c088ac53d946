"""Positions and moves of the seeds' checkers as draughts players write them, beside pydraughts."""

import random
import re

import draughts
import pytest

from cpl.draughts import fen as positions
from cpl.games import checkers
from cpl.games.checkers import BadFen, BadMove, Game, action_text, from_fen, read_action, to_fen
from cpl.kit.positions import scattered

POSITIONS = [position for position, _ in zip(scattered(random.Random(1994)), range(150), strict=False)]
FENS = [positions.to_fen(position) for position in POSITIONS]
START = "B:W21-32:B1-12"


def ours(fen: str) -> str:
    """pydraughts orders squares otherwise."""
    return to_fen(*from_fen(fen))


# Positions


def test_the_start() -> None:
    assert to_fen(checkers.start(), "red") == positions.to_fen(positions.from_fen("B:W21-32:B1-12"))
    assert from_fen("B:W21-32:B1-12") == (checkers.start(), "red")
    assert to_fen(checkers.start(), "black").startswith("W:W21,")
    assert Game().state == checkers.start()


@pytest.mark.parametrize("fen", FENS)
def test_positions_there_and_back(fen: str) -> None:
    state, player = from_fen(fen)
    assert to_fen(state, player) == fen
    assert ours(draughts.Board(variant="english", fen=fen).fen) == fen


def test_every_piece_and_corner() -> None:
    state, player = from_fen("B:WK4,29:B1,K32")
    assert player == "red"
    assert {(row, column): piece for row, line in enumerate(state) for column, piece in enumerate(line) if piece} == {
        (0, 1): 1,
        (7, 6): 2,
        (7, 0): 3,
        (0, 7): 4,
    }


@pytest.mark.parametrize(
    ("written", "fen"),
    [
        ("B:W:B1,K2", "B:W:B1,K2"),
        ("W:W21,22", "W:W21,22:B"),
        ("W:B21,K22.", "W:W:B21,K22"),
        (" w : bk1 - 3 , 05 : wK30,\t29. ", "W:W29,K30:BK1,K2,K3,5"),
        ("B:W21-32:B1-12", "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"),
    ],
)
def test_what_files_have_for_positions(written: str, fen: str) -> None:
    assert ours(written) == fen


@pytest.mark.parametrize("written", ["B:W1 2", "B:W9-5", "B:W9-", "B:WK", "B:W9:W7", "?:W9", "B:W9:B1:W7", "B:W5-9:B7"])
def test_what_is_no_position(written: str) -> None:
    with pytest.raises(BadFen):
        from_fen(written)


def test_what_is_no_state() -> None:
    with pytest.raises(ValueError, match=re.escape("a piece stands on (0, 0)")):
        to_fen([[1, *[0] * 7], *[[0] * 8] * 7], "red")
    with pytest.raises(ValueError, match="a player is"):
        to_fen(checkers.start(), "white")


# Moves


def meant(fen: str, text: str) -> str:
    state, player = from_fen(fen)
    return action_text(read_action(state, player, text))


FORKED = "B:W6,7,14,15:B2"
LONG = "B:W6,14,23:B2"
ROUND = "W:WK22:B9,10,17,18"
DETOUR = "W:WK3:B6,7,14,15,22,23"


@pytest.mark.parametrize("fen", FENS)
def test_moves_are_those_of_pydraughts_and_come_back(fen: str) -> None:
    state, player = from_fen(fen)
    legal = checkers.actions(state, player)
    theirs = draughts.Board(variant="english", fen=fen).legal_moves()
    assert sorted(map(action_text, legal)) == sorted(
        ("x" if move.has_captures else "-").join(map(str, move.steps_move)) for move in theirs
    )
    for action in legal:
        assert read_action(state, player, action_text(action)) == action


@pytest.mark.parametrize("fen", FENS)
def test_short_captures_are_told_apart(fen: str) -> None:
    """What has the same ends is listed, all of it; what stands alone is found."""
    state, player = from_fen(fen)
    legal = checkers.actions(state, player)
    for action in legal:
        ends = [action[0], action[-1]]
        short = re.sub("[-x].*[-x]", "x", action_text(action))
        alike = {action_text(each) for each in legal if [each[0], each[-1]] == ends}
        if len(alike) == 1 or any(each == ends for each in legal):
            assert read_action(state, player, short)[:: len(action) - 1] == ends
        else:
            with pytest.raises(BadMove) as caught:
                read_action(state, player, short)
            assert set(re.findall(r"\d+(?:x\d+){2,}", str(caught.value))) == alike


@pytest.mark.parametrize(
    ("fen", "text", "whole"),
    [
        (START, "11-15", "11-15"),
        (START, " 09 x 13 ", "9-13"),
        (FORKED, "2x11x18", "2x11x18"),
        (FORKED, "2-9-18", "2x9x18"),
        (LONG, "2x27", "2x9x18x27"),
        (LONG, "2X18:27", "2x9x18x27"),
        (LONG, "2x9x18x27", "2x9x18x27"),
        (ROUND, "22x13x6x22", "22x13x6x15x22"),
        (DETOUR, "3x10x1", "3x10x1"),
    ],
)
def test_forms_of_moves(fen: str, text: str, whole: str) -> None:
    assert meant(fen, text) == whole


@pytest.mark.parametrize(
    ("fen", "text", "message"),
    [
        (FORKED, "2x18", "'2x18' can be 2x9x18 or 2x11x18: say which, with the squares between"),
        (ROUND, "22x22", "22x13x6x15x22 or 22x15x6x13x22"),
        (ROUND, "22x13x22", "22x13x6x15x22 or 22x15x6x13x22"),
        (ROUND, "22x14x22", "the piece on 22 can go 22x13x6x15x22 or 22x15x6x13x22"),
        (DETOUR, "3x1", "3x10x1 or 3x10x17x26x19x10x1 or 3x10x19x26x17x10x1"),
        (START, "11", "'11' is no move: it is written like 11-15 or 15x22x31"),
        (START, "11-", "is no move"),
        (START, "e3-f4", "is no move"),
        (START, "32-33", "'33' is no square: they are 1 to 32"),
        (START, "0-1", "'0' is no square"),
        (START, "11-" + 5000 * "9", "is no square"),
        (START, "15-18", "'15-18' cannot be played: there is no piece on 15"),
        (START, "23-18", "the piece on 23 is not red's, whose move it is"),
        (START, "8-11", "there is a piece on 11"),
        (START, "11-18", "the piece on 11 can go 11-15 or 11-16"),
        (START, "3-10", "there is a piece on 10"),
        (START, "3-19", "the piece on 3 cannot move"),
        ("B:W32:B9", "9-6", "the piece on 9 is a man, who goes forwards only"),
        ("B:W:B", "9-6", "there is no piece on 9"),
        ("B:W13,17,18,14:B9,10", "9-13", "there is a piece on 13"),
        ("B:W18:B1,15", "1-5", "a capture must be made, 15x22"),
        ("B:W18:B1,15", "15-19", "a capture must be made, 15x22"),
        ("B:W18:B1,15", "1x10", "a capture must be made, 15x22"),
        ("B:W18:B1,15", "15x24", "the piece on 15 can go 15x22"),
        (LONG, "2x9x18", "the capture goes on, 2x9x18x27"),
        ("B:W5,6,9,10:B1", "1-5", "red has no move left"),
    ],
)
def test_why_a_move_cannot_be_played(fen: str, text: str, message: str) -> None:
    with pytest.raises(BadMove, match=re.escape(message)):
        meant(fen, text)


@pytest.mark.parametrize(
    "action",
    [
        [],
        [(2, 1)],
        [(2, 1), (3, 1)],
        [(2, 1), (8, 1)],
        [(0, 1), (1,)],
        [(0, 1), (7, 0)],
        [(0, 1), (0, 1)],
        [(0, 1), (1, 0), (2, 1)],
        [(0, 1), (0, 3)],
        [(2, 1), (4, 3), (5, 4)],
        5,
    ],
)
def test_what_is_no_action(action: object) -> None:
    with pytest.raises(ValueError, match="an action is a list of dark tiles"):
        action_text(action)
