"""Black and White: every door through which people meet checkers gives a side the same name, and Black moves first.

The oracle is FEN, whose letters say whose move it is and whose pieces stand where. Calls of 2.0, which said red and
black, mean the same as today or are refused.
"""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from colours import contrast
from command_line import run

import cpl
from cpl.editors.browser import games as site
from cpl.games import checkers, pdn
from cpl.games.analysis import analyse
from cpl.games.annotation import name_of
from cpl.games.board import Board
from cpl.games.checkers.game import MODEL
from cpl.games.game import Turn
from cpl.games.hub import Hub
from cpl.games.live import LiveGame
from cpl.games.playable import game_of
from cpl.games.position import DARK
from cpl.games.sides import PLAYERS, SIDES

WRITTEN_BY_2_0 = Path(__file__).parent / "written_by_2_0"

DRAUGHTS = ("checkers", "strachey")
SIDE_OF_LETTER = {"B": "black", "W": "white"}
TWO_PEOPLE = ("--black", "me", "--white", "me")

PIECES = ":W18,26,K30:BK2,11"
IN_WORDS = {"11": "black man", "2": "black king", "18": "white man", "26": "white man", "30": "white king"}
IN_UNICODE = {"11": "●", "2": "♛", "18": "○", "26": "○", "30": "♕"}
IN_ASCII = {"11": "b", "2": "B", "18": "w", "26": "w", "30": "W"}


def printed(*arguments: str | Path, input: str = "") -> str:
    """What a command prints that reports nothing."""
    return run("cpl", *arguments, input=input, well=True).stdout


def at_play(game: str, fen: str, *options: str) -> str:
    """What `cpl play` prints that begins at a position with two people, and ends at once."""
    return printed("play", "--game", game, "--fen", fen, *TWO_PEOPLE, *options, input="quit\n")


# Whose move it is


def by_analyse(game: str, fen: str) -> str:
    return printed("analyse", fen, "--game", game, "--depth", "1", "-O").partition(" to move")[0]


def by_analyse_as_json(game: str, fen: str) -> str:
    found = json.loads(printed("analyse", fen, "--game", game, "--depth", "1", "-O", "--format", "json"))
    return str(found["side"])


def by_play(game: str, fen: str) -> str:
    return at_play(game, fen).splitlines()[-2].removesuffix("> quit")


def by_hub(game: str, fen: str) -> str:
    hub = Hub(game_of(game))
    signs = [IN_ASCII.get(str(number), "e") for number in range(1, 33)]
    assert hub.receive(f"pos pos={fen[0]}{''.join(signs)}") == hub.receive("go think") == []
    assert hub.search
    return hub.search.turn.side


def by_file(game: str, fen: str) -> str:
    turn = cpl.read_game(f'[FEN "{fen}"]\n\n*', game=game).first
    return name_of(turn.game, turn.side)


TO_MOVE: dict[str, Callable[[str, str], str]] = {
    "cpl analyse": by_analyse,
    "cpl analyse --format json": by_analyse_as_json,
    "cpl board": lambda _, fen: printed("board", fen).splitlines()[-1].removesuffix(" to play."),
    "cpl play": by_play,
    "cpl hub": by_hub,
    "cpl.board": lambda _, fen: cpl.board(fen).caption.removesuffix(" to play."),
    "cpl.boards": lambda _, fen: cpl.boards(one=fen).boards["one"].caption.removesuffix(" to play."),
    "cpl.read_game": by_file,
    "from_fen": lambda game, fen: game_of(game).from_fen(fen).side,
    "LiveGame": lambda game, fen: LiveGame(game_of(game), {}, first=game_of(game).from_fen(fen)).side,
    "analyse": lambda game, fen: [*analyse(game_of(game).from_fen(fen), depth=1)][-1].turn.side,
    "the site": lambda game, fen: str(site.state(game, fen, [], False)["side"]),
}
"""The side whose turn it is at a position of a game, as each of the doors names it."""


@pytest.mark.parametrize("game", DRAUGHTS)
@pytest.mark.parametrize("letter", SIDE_OF_LETTER)
@pytest.mark.parametrize("door", TO_MOVE)
def test_the_side_to_move_is_the_one_that_fen_names(door: str, letter: str, game: str) -> None:
    assert TO_MOVE[door](game, letter + PIECES).lower() == SIDE_OF_LETTER[letter]


@pytest.mark.parametrize("game", DRAUGHTS)
def test_black_moves_first_and_from_squares_1_to_12(game: str) -> None:
    turn = game_of(game).start()
    assert (turn.game.sides, turn.side, turn.game.to_fen(turn)[0]) == (SIDES, "black", "B")
    assert {DARK.index(move[0]) + 1 for move in turn.legal} <= {*range(1, 13)}


# Whose pieces stand where


def in_words(board: Board) -> dict[str, str]:
    """The pieces of a board by their squares, from its description for those who cannot see it."""
    return {number: f"{side} {kind}" for side, kind, number in re.findall(r"(\w+) (\w+) on (\d+)", board.described())}


def on_site(game: str, fen: str) -> dict[str, str]:
    """The pieces by their squares, as the page reads them out."""
    squares = [square for row in site.state(game, fen, [], False)["rows"] for square in row if square]
    return {square["name"]: f"{square['side']} {square['piece']}" for square in squares if square["piece"]}


def signs(text: str) -> dict[str, str]:
    """The pieces of a board for the terminal on which every square has its number, by these numbers."""
    return dict(re.findall(r"(\d+)([●○♛♕bwBW])", text))


@pytest.mark.parametrize("game", DRAUGHTS)
@pytest.mark.parametrize("letter", SIDE_OF_LETTER)
def test_pieces_have_the_names_that_fen_gives_them(letter: str, game: str) -> None:
    fen = letter + PIECES
    turn = game_of(game).from_fen(fen)
    view = cpl.game_view(pdn.Record(turn, [], {}, "*", {}))
    for board in (turn.game.board(turn), cpl.board(fen), view.frames[0].board):
        assert in_words(board) == IN_WORDS
    assert on_site(game, fen) == IN_WORDS


@pytest.mark.parametrize(("option", "expected"), [("--no-ascii", IN_UNICODE), ("--ascii", IN_ASCII)])
@pytest.mark.parametrize("game", DRAUGHTS)
@pytest.mark.parametrize("letter", SIDE_OF_LETTER)
def test_signs_at_the_terminal_are_those_of_the_colours(
    letter: str, game: str, option: str, expected: dict[str, str]
) -> None:
    fen = letter + PIECES
    assert signs(at_play(game, fen, "--numbers", option)) == expected
    assert signs(printed("board", fen, "--numbers", option)) == expected
    file = f'[FEN "{fen}"]\n\n*\n'
    assert signs(printed("pdn", "-", "--game", game, "--board", "0", "--numbers", option, input=file)) == expected


@pytest.mark.parametrize("game", DRAUGHTS)
def test_blacks_men_are_drawn_dark_and_whites_light(game: str) -> None:
    fills = []
    for fen in ("B:W:B11", "B:W11:B"):
        turn = game_of(game).from_fen(fen)
        fills.append(re.findall(r'<circle [^>]*fill="(#\w+)"', turn.game.board(turn).svg())[0])
    black, white = fills
    assert contrast(black, "#000000") < 1.6
    assert contrast(white, "#ffffff") < 1.1


# Who plays, and how it ends


@pytest.mark.parametrize("game", DRAUGHTS)
@pytest.mark.parametrize(
    ("options", "black", "white"),
    [
        ((), "human", "alphabeta:3"),
        (("--black", "me", "--white", "random:1"), "me", "random:1"),
        (("--black", "me"), "me", "alphabeta:3"),
        (("--white", "me"), "alphabeta:3", "me"),
        (("--black", "random:1"), "random:1", "human"),
        (("--white", "random:1"), "human", "random:1"),
    ],
)
def test_options_name_the_players_and_so_does_the_file(
    options: tuple[str, ...], black: str, white: str, game: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.pdn"
    said = printed("play", "--game", game, *options, "--plies", "2", "--save", file, "-O", "--ascii", input="quit\n")
    assert f"black: {black}, white: {white}." in said.splitlines()[0]
    text = file.read_text(encoding="utf-8")
    assert f'[Black "{black}"]\n[White "{white}"]\n' in text


@pytest.mark.parametrize("value", ["me", "human", "easy", "random:1"])
@pytest.mark.parametrize(
    ("game", "message"),
    [
        (
            "checkers",
            "checkers has no side red: the side that moves first is black; cplc 2.0 called it red; use --black",
        ),
        ("strachey", "strachey has no side red: it has black and white"),
        ("capture", "capture has no side red: it has white and black"),
    ],
)
def test_red_is_refused_where_nobody_is_red(game: str, message: str, value: str) -> None:
    for others in ((), ("--black", "me")):
        done = run("cpl", "play", "--game", game, "--red", value, *others, fails=2)
        assert done.stderr == f"cpl play: {message}\n"


def test_red_moves_first_in_simple_checkers() -> None:
    said = printed("play", "--game", "simple-checkers", "--red", "me", "--black", "me", "--ascii", input="quit\n")
    assert "red: me, black: me." in said
    assert "red> quit" in said
    run("cpl", "play", "--game", "simple-checkers", "--white", "me", fails=2)


@pytest.mark.parametrize("game", DRAUGHTS)
@pytest.mark.parametrize(
    ("typed", "loser", "winner", "result"),
    [("resign\n", "black", "white", "0-1"), ("11-15\nresign\n", "white", "black", "1-0")],
)
def test_who_gives_up_has_lost_under_the_same_name(
    typed: str, loser: str, winner: str, result: str, game: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.pdn"
    said = printed("play", "--game", game, *TWO_PEOPLE, "--save", file, input=typed)
    assert f"\n{winner.capitalize()} wins: {loser} resigns.\n" in said
    record = cpl.read_game(file, game=game)
    assert (record.result, record.tags["Termination"]) == (result, f"{loser} resigns")
    assert f"{result}, {winner} won" in repr(cpl.game_view(record))


def test_a_match_names_the_sides_as_files_do() -> None:
    arguments = ("match", "random:1", "alphabeta:1", "--games", "2", "-O")
    assert "as black" in printed(*arguments) and "as white" in printed(*arguments)
    games = json.loads(printed(*arguments, "--format", "json"))["games"]
    for game in games:
        loser = SIDES[game["players"].index("random:1")]
        assert (game["winner"], game["why"]) == (SIDES[1 - SIDES.index(loser)], f"{loser} cannot move")


# The model, which has words of its own


@pytest.mark.parametrize(("player", "side"), [*zip(PLAYERS, SIDES, strict=True)])
def test_the_model_calls_black_red_and_white_black(player: Any, side: str) -> None:
    fen = side[0].upper() + PIECES
    state, found = checkers.from_fen(fen)
    assert (found, checkers.to_fen(state, player)) == (player, fen)
    game = checkers.Game(state=state, player=player, result="1-0" if player == "red" else "0-1")
    assert (game.winner, game.record.first.side) == (player, side)
    assert f"{side} won" in repr(cpl.game_view(game))
    [read] = checkers.read_pdn(checkers.write_pdn([game]))
    assert (read.player, read.state) == (player, state)
    with pytest.raises(ValueError, match='a player is "red" or "black"; this is \'white\''):
        checkers.actions(state, "white")
    backwards = [DARK[11 - 1], DARK[7 - 1]] if player == "red" else [DARK[18 - 1], DARK[22 - 1]]
    with pytest.raises(ValueError, match=f"^{player} cannot go"):
        checkers.successor(state, backwards)


def test_a_game_of_the_model_is_won_by_the_same_player_in_both_words() -> None:
    game = checkers.play(red=checkers.AlphaBeta(2), black=checkers.Random(7))
    assert (game.winner, game.result) == ("red", "1-0")
    assert "1-0, black won" in repr(cpl.game_view(game))


# What 2.0 wrote and what was written for it


@pytest.mark.parametrize("seats", [{"red": None, "black": None}, {"red": None}])
def test_seats_of_2_0_are_refused(seats: dict[str, None]) -> None:
    with pytest.raises(ValueError, match=r"no side red: the side that moves first is black; cplc 2\.0 called it red"):
        LiveGame(game_of("checkers"), seats)


@pytest.mark.parametrize(("letter", "side_in_2_0"), [("B", "red"), ("W", "black")])
def test_turns_of_2_0_are_refused(letter: str, side_in_2_0: str) -> None:
    game = game_of("checkers")
    turn = game.from_fen(letter + PIECES)
    with pytest.raises(ValueError, match=r"cplc 2\.0 called it red|it is the turn of white in this state"):
        Turn(game, turn.state, side_in_2_0)
    assert Turn(MODEL, turn.state, side_in_2_0).state == turn.state  # the model's words have stayed


def test_a_match_of_2_0_is_continued_and_its_games_stay_as_they_are(tmp_path: Path) -> None:
    arguments = ("match", "random:1", "alphabeta:1", "--games", "4", "--adjudicate", "4,6", "-O", "--pdn")
    written = (WRITTEN_BY_2_0 / "match.pdn").read_text(encoding="utf-8")
    new, old, cut = (tmp_path / f"{name}.pdn" for name in ("new", "old", "cut"))
    table = printed(*arguments, new)
    old.write_text(written, encoding="utf-8")
    assert printed(*arguments, old, "--resume") == table
    assert old.read_text(encoding="utf-8") == written

    kept, last = written.split('[Round "4"]')
    cut.write_text(f'{kept}[Round "4"]{last[:300]}', encoding="utf-8")
    assert printed(*arguments, cut, "--resume") == table
    mended = cut.read_text(encoding="utf-8")
    assert mended == f'{kept}[Round "4"]{last.replace("black cannot move", "white cannot move")}'
    assert new.read_text(encoding="utf-8").endswith(mended.removeprefix(kept))


def test_a_game_of_2_0_keeps_its_reason_until_it_goes_on(tmp_path: Path) -> None:
    file = shutil.copy(WRITTEN_BY_2_0 / "resigned.pdn", tmp_path)
    record = cpl.read_game(file)
    assert (record.result, record.tags["Termination"]) == ("0-1", "red resigns")
    for typed, reason in (("quit\n", "red resigns"), ("resign\n", "black resigns")):
        saved = tmp_path / f"{reason}.pdn"
        printed("play", *TWO_PEOPLE, "--load", file, "--save", saved, input=typed)
        assert cpl.read_game(saved).tags["Termination"] == reason
