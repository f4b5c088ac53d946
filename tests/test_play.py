"""`cpl play`: what people see and may say at the board; the game in progress and the files behind it."""

import io
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import chdir
from math import inf
from pathlib import Path
from typing import Any

import pytest
from command_line import command_line, run
from screen import Screen

from cpl import outside
from cpl.cli import cpl as cli
from cpl.cli.play import COMMANDS, understood
from cpl.cli.terminal import Failed
from cpl.games import checkers, pdn
from cpl.games.analysis import Analysis, Line
from cpl.games.game import BadMove, End, Turn
from cpl.games.live import LiveGame, NotNow
from cpl.games.moves import is_capture
from cpl.games.playable import NAMES, game_of
from cpl.games.players import player

TWO = ("--black", "human", "--white", "human")
QUICK = ("--white", "alphabeta:1")


class Terminal:
    """Plays with what is typed, by pipe; `out` and `err` are what it prints."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys
        self.out = self.err = ""

    def __call__(self, typed: str, *arguments: str | Path) -> int:
        self._monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        try:
            return cli.main(["play", *map(str, arguments)])
        finally:
            self.out, self.err = self._capsys.readouterr()


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    for name in ("PYTHONIOENCODING", "LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    return Terminal(monkeypatch, capsys)


def live(fen: str | None = None, seats: Any = None, plies: int = 300, name: str = "checkers") -> LiveGame:
    """A game between people, unless others sit there."""
    game = game_of(name)
    return LiveGame(game, seats or dict.fromkeys(game.sides), plies, game.from_fen(fen) if fen else None)


def say(table: LiveGame, *lines: str) -> str:
    for line in lines:
        assert understood(line) == ("move", line)
        text = table.play(table.read(line))
    return text


# ---- the game in progress


@pytest.mark.parametrize(
    ("name", "fen", "lines", "move"),
    [
        ("checkers", None, ["11-15", "11–15", " 11x15", "11 15", "11 : 15", "1115", "5"], "11-15"),
        ("checkers", None, ["913", "0913"], "9-13"),
        ("checkers", "B:W18,26:B15", ["15x22x31", "15 22 31", "15 22x31", "152231", "15 31", "1531"], "15x22x31"),
        ("capture", None, ["b4b3", "b4 b3", "B4-B3", " b4 x b3 "], "b4-b3"),
    ],
)
def test_a_move_may_be_written_in_many_ways(name: str, fen: str | None, lines: list[str], move: str) -> None:
    for line in lines:
        table = live(fen, name=name)
        assert (say(table, line), table.side == table.game.sides[0]) == (move, False)


def test_a_line_of_two_moves_is_refused() -> None:
    table = live("B:W6,7,14,15:B2")
    with pytest.raises(BadMove, match=r"^218 can be 2x9x18 or 2x11x18: write one of these$"):
        table.read("218")
    assert say(table, "21118") == "2x11x18"


def test_pieces_are_counted() -> None:
    assert live().count() == {"black": "12 men", "white": "12 men"}
    assert live("B:WK22,K31:B1,K2,3,4").count() == {"black": "3 men, 1 king", "white": "2 kings"}
    assert live("B:W:B1").count() == {"black": "1 man", "white": "no pieces"}
    assert live(name="capture").count() == {"white": "5 pawns, 1 flag", "black": "5 pawns, 1 flag"}


def test_a_command_may_be_shortened_while_no_other_begins_so() -> None:
    for name in COMMANDS:
        assert understood(name) == understood(name.upper()) == (name, "")
        for length in range(1, len(name)):
            others = [other for other in COMMANDS if other.startswith(name[:length])]
            if others == [name]:
                assert understood(name[:length]) == (name, "")
            else:
                with pytest.raises(Failed, match=f"{name[:length]} can be {' or '.join(others)}"):
                    understood(name[:length])


def test_arguments_belong_to_some_commands() -> None:
    with pytest.raises(Failed, match="undo stands alone"):
        understood("undo 2")
    assert understood("save  my game.pdn ") == ("save", "my game.pdn")


def test_commands_have_other_names() -> None:
    assert (understood("?"), understood("Exit")) == (("help", ""), ("quit", ""))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("11-20", "11-20' cannot be played: the piece on 11 can go 11-15 or 11-16"),
        ("nonsense", "is not a move: write one like 11-15 or 15x22x31"),
        ("0", "there is no move 0: there are moves 1 to 7"),
        ("8", "there is no move 8: there are moves 1 to 7"),
        pytest.param("9" * 6000, "there is no move 99999999999999999999: ", id="many nines"),
        ("15", "there is no move 15: there are moves 1 to 7"),
        ("1120", "'11-20' cannot be played"),
        ("11 20", "'11-20' cannot be played"),
        ("1199", "'99' is not a square"),
        ("²", "is not a move"),
    ],
)
def test_a_line_that_is_no_move_is_refused_in_one_line(line: str, why: str) -> None:
    table = live()
    with pytest.raises((BadMove, NotNow)) as caught:
        table.read(line)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not table.played


def against_a_computer() -> LiveGame:
    """Black is a person, white is not."""
    return live(seats={"black": None, "white": player("alphabeta:1", game_of("checkers"))})


def test_undo_takes_back_the_answer_of_the_computer_too() -> None:
    table = against_a_computer()
    with pytest.raises(NotNow, match="no move of yours"):
        table.undo()
    say(table, "11-15")
    assert table.player is not None
    table.play(table.player(table.state))
    after = table.state
    assert (table.undo(), table.side, len(table.states)) == (2, "black", 1)
    assert (table.redo(), table.state) == (2, after)
    table.undo()
    say(table, "9-13")
    with pytest.raises(NotNow, match="nothing to play again"):
        table.redo()


def test_undo_takes_a_capture_back_whole() -> None:
    table = live("B:W18,19,26,27:B15")
    before = table.state
    assert say(table, "15x22x31") == "15x22x31"
    assert table.game.to_fen(table.state) == "W:W19,27:BK31"
    assert (table.undo(), table.state, table.played) == (1, before, [])


def test_undo_between_people_takes_back_one_move() -> None:
    table = live()
    say(table, "11-15", "22-18")
    assert (table.undo(), table.side) == (1, "white")
    assert (table.undo(), table.side) == (1, "black")
    assert (table.redo(), table.redo(), table.side) == (1, 1, "black")


@pytest.fixture
def three_moves() -> LiveGame:
    """Played by both sides for each other; it is the computer's turn."""
    table = against_a_computer()
    say(table, "11-15", "22-18", "15x22")
    return table


def test_steps_back_go_to_the_first_position_and_the_computer_waits(three_moves: LiveGame) -> None:
    table = three_moves
    with pytest.raises(NotNow, match="last position"):
        table.next()
    assert table.player is not None
    states = [*table.states]
    for ply in (2, 1, 0):
        table.back()
        assert (table.state, table.player, len(table.ahead)) == (states[ply], None, 3 - ply)
    with pytest.raises(NotNow, match="first position"):
        table.back()


def test_a_move_while_stepping_goes_on_from_there(three_moves: LiveGame) -> None:
    table = three_moves
    states = [*table.states]
    for _ in range(3):
        table.back()
    table.next()
    table.next()
    assert (table.states, table.player) == (states[:3], None)
    assert say(table, "15x22") == "15x22"
    assert (table.ahead, table.player is None) == ([], False)


def test_rewind_goes_to_the_first_position(three_moves: LiveGame) -> None:
    table = three_moves
    first = table.states[0]
    table.rewind()
    assert (table.state, len(table.ahead), table.people) == (first, 3, True)
    table.stepping = False
    say(table, "9-13")
    assert table.ahead == []


def test_what_is_taken_back_lies_ahead() -> None:
    table = live()
    say(table, "11-15", "22-18")
    table.undo()
    table.undo()
    assert list(map(table.game.text, table.ahead)) == ["11-15", "22-18"]
    table.next()
    assert table.redo() == 1
    assert (len(table.played), table.ahead, table.stepping) == (2, [], False)


def test_a_step_back_from_a_resignation_takes_a_move_back() -> None:
    table = live()
    say(table, "11-15", "22-18")
    table.resign()
    table.back()
    assert (table.end, len(table.played)) == (None, 1)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Analyses find these values of the legal moves."""

    def judge(*values: float) -> None:
        def analyse(turn: Turn, *, seconds: float, lines: int) -> Iterator[Analysis]:
            found = tuple(Line(value, (move,)) for value, move in zip(values, turn.legal, strict=False))
            yield Analysis(turn, 1, 10, 0.1, (Line(999, found[0].moves),))
            yield Analysis(turn, 9, 12345, 1.5, found[:lines])

        monkeypatch.setattr("cpl.games.live.analyse", analyse)

    return judge


KINGS = "B:WK32:BK1"


def wanderings() -> list[str]:
    """40 plies of two kings who keep out of each other's way, and as far as possible go where they have not been."""
    table = live(KINGS)
    seen = Counter[str]()
    for _ in range(40):
        nexts = {move: table.game.play(table.state, move) for move in table.moves()}
        calm = [move for move, turn in nexts.items() if not any(map(is_capture, turn.legal))]
        chosen = min(calm, key=lambda move: seen[table.game.to_fen(nexts[move])])
        table.play(chosen)
        seen[table.game.to_fen(table.state)] += 1
    assert max(seen.values()) <= 2
    return [*map(table.game.text, table.played)]


def test_the_computer_agrees_to_a_draw_of_an_even_game(judged: Callable[..., None]) -> None:
    table = live(KINGS)
    judged(0)
    *moves, last = wanderings()
    say(table, *moves)
    assert "before 20 moves of each side" in table.declines_draw()
    say(table, last)
    for value, agrees in ((0, True), (50, True), (-50, True), (51, False), (-51, False), (inf, False)):
        judged(value)
        assert (table.declines_draw() == "") == agrees
    table.agree()
    assert table.end == End(None, "the players agree")
    assert table.undo() == 0
    assert table.end is None


def test_a_game_may_end_by_a_limit_or_when_somebody_resigns() -> None:
    table = live()
    say(table, "11-15")
    table.resign()
    assert table.end == End("black", "white resigns")
    assert table.texts() == []
    for attempt in (table.resign, table.hint, lambda: table.read("22-18")):
        with pytest.raises(NotNow, match="the game is over: white resigns"):
            attempt()
    assert table.undo() == 0
    assert table.end is None
    assert len(table.played) == 1
    # A game that goes on is a draw; one that was loaded has as many plies again; a win with the last ply is a win.
    table = live(plies=2)
    say(table, "11-15")
    assert table.end is None
    say(table, "22-18")
    assert table.end == End(None, "2 plies were played")
    again = LiveGame(table.game, table.seats, 2, table.states[0], table.played)
    say(again, "15x22")
    assert again.end is None
    say(again, "26x17")
    assert again.end == End(None, "4 plies were played")
    table = live("B:W18:B15,14", plies=1)
    say(table, "15x22")
    assert table.end == End("black", "white cannot move")


# ---- files


def test_files_come_back_or_are_none() -> None:
    for name in NAMES:
        game = game_of(name)
        table = LiveGame(game, dict.fromkeys(game.sides, player("random:5", game)), 40)
        result = pdn.result_of(game, table.finish())
        text = pdn.write(game, pdn.Record(table.states[0], tuple(table.played), {"Event": game.title}, result))
        back = pdn.nth(game, f"{text}\n{text}", 2)
        assert (back.first, list(back.moves), back.result) == (table.states[0], table.played, result)
        assert back.tags["Event"] == game.title
    for name, text, number, why in (
        ("checkers", "", 1, "there is no game in it"),
        ("checkers", "1. 11-15 *", 2, "there is no game 2 in it: it has 1"),
        ("checkers", "1. 11-16 16-11 *", 1, "line 1, game 1: "),
        ("checkers", "\0\0", 1, "line 1, game 1: "),
        ("capture", f'[Event "{game_of("capture").title}"]\n[FEN "W:Wa1"]\n\n*\n', 1, "positions are read in checkers"),
    ):
        with pytest.raises(pdn.BadPdn, match=re.escape(why)):
            pdn.nth(game_of(name), text, number)


# ---- the terminal


COMMANDS_IN_ORDER = ["moves", "hint", "5", "undo", "redo", "board", "flip", "save", "load", "help", "resign"]


@pytest.fixture(scope="module")
def saved_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the game is saved in which each command is given once."""
    return tmp_path_factory.mktemp("commands") / "game.pdn"


@pytest.fixture(scope="module")
def said(saved_game: Path) -> dict[str, str]:
    """What each command prints in that game."""
    typed = [f"{name} {saved_game}" if name in {"save", "load"} else name for name in COMMANDS_IN_ORDER]
    done = run("cpl", "play", *TWO, "--ascii", input="\n".join([*typed, "quit"]), status=0)
    assert done.stdout.isascii()
    return dict(
        re.findall(r"(?:black|white|over)> (\w+)[^\n]*\n(.*?)(?=(?:black|white|over)> )", done.stdout, re.DOTALL)
    )


def test_moves_are_listed_and_hinted(said: dict[str, str]) -> None:
    assert re.match(r"  1 9-13 +2 9-14 +3 10-14 .* 7 12-16\n$", said["moves"])
    assert re.match(r"You could play \d+-\d+\.\n$", said["hint"])


def test_undo_and_redo_say_how_many_moves(said: dict[str, str]) -> None:
    assert said["undo"].startswith("Taken back: 1 move.\n")
    assert said["redo"].startswith("Played again: 1 move.\n")


def test_flip_turns_the_board(said: dict[str, str]) -> None:
    board = said["board"].strip().splitlines()
    flipped = said["flip"].strip().splitlines()
    assert [re.findall(r"\w+", line)[::-1] for line in reversed(flipped)] == [re.findall(r"\w+", row) for row in board]


def test_save_and_load_name_the_file(said: dict[str, str], saved_game: Path) -> None:
    assert said["save"] == f"Saved in {saved_game}.\n"
    assert said["load"].startswith(f"Game 1 of {saved_game}, after 1 move.\n")


def test_help_names_every_command(said: dict[str, str]) -> None:
    assert all(name in said["help"] for name in COMMANDS)


def test_who_resigns_loses(said: dict[str, str]) -> None:
    assert "Black wins: white resigns." in said["resign"]


def answers(out: str) -> list[tuple[str, str]]:
    """What was typed, and what was printed after it."""
    return re.findall(r"(?:red|black|white|over)> ([^\n]*)\n(.*?)(?=(?:red|black|white|over)> |\Z)", out, re.DOTALL)


def boards(text: str) -> int:
    """How many boards are shown: of each, the last row from one side or from the other."""
    return len(re.findall(r"^ *(?:29|4) ", text, re.MULTILINE))


def test_the_board_is_shown_once_a_turn(play: Terminal) -> None:
    assert play("11-15\nundo\n9-13\n", *QUICK) == 0
    assert [boards(said) for _, said in answers(play.out)] == [1, 1, 1, 0]
    assert re.match(r"White plays \d+-\d+\.\n\n32 ", answers(play.out)[0][1])
    assert play("undo\n", "--black", "alphabeta:1") == 0
    assert boards(play.out) == 1


def test_the_end_says_why_and_what_can_be_done(play: Terminal) -> None:
    assert play("", "--fen", "B:W18:B15", *QUICK) == 0
    assert play("15x22\n", "--fen", "B:W18:B15", *QUICK) == 0
    assert re.search("\n\nBlack wins: white cannot move.\n`new` begins another game; .*\n$", answers(play.out)[0][1])


def test_computers_play_as_many_plies_as_are_allowed(play: Terminal) -> None:
    assert play("", "--black", "alphabeta:1", "--white", "random:1", "--plies", "6") == 0
    assert boards(play.out) == 7


def test_commands_tell_the_game_so_far(play: Terminal) -> None:
    typed = ["history", "11-15", "22 18", "15x22", "history", "fen", "count", "numbers", "new", "history"]
    assert play("\n".join(typed), *TWO, "--ascii") == 0
    said = answers(play.out)
    assert said[0][1] == "No move was played.\n"
    assert said[4][1] == "1. 11-15 22-18  2. 15x22\n"
    assert said[5][1] == "W:W21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,22\n"
    assert said[6][1] == "Black: 12 men.\nWhite: 11 men.\n"
    assert re.search(r"^ *12b +11 +10b +9b$", said[7][1], re.MULTILINE)
    assert re.search(r"^ *12b +11b +10b +9b$", said[8][1], re.MULTILINE)
    assert said[9][1] == "No move was played.\n"


def test_setup_takes_a_position(play: Terminal) -> None:
    assert play("\n".join(["setup", "setup nonsense", "setup B:W18:BK15", "fen", "count"]), *TWO, "--ascii") == 0
    said = answers(play.out)
    assert said[0][1] == "setup which position? setup FEN\n"
    assert said[1][1].startswith("'nonsense' is not a position")
    assert said[3][1] == "B:W18:BK15\n"
    assert said[4][1] == "Black: 1 king.\nWhite: 1 man.\n"


def test_positions_belong_to_games_of_draughts(play: Terminal) -> None:
    assert play("fen\nsetup B:W1:B2\n", "--game", "capture") == 0
    assert [said for _, said in answers(play.out)][:2] == [
        "capture has no FEN.\n",
        "positions are read in checkers and strachey only\n",
    ]
    assert play("", "--game", "capture", "--fen", "W:W1:B2") == 2
    assert play.err == "cpl play: positions are read in checkers and strachey only\n"
    assert play("", "--fen", "nonsense") == 2
    assert play.err.startswith("cpl play: 'nonsense' is not a position")
    assert play("fen\n", "--game", "strachey", "--fen", "w:bk1:w32", "--black", "random:1", "--white", "me") == 0
    assert answers(play.out)[0][1] == "W:W32:BK1\n"


@pytest.mark.long
def test_a_game_that_was_set_up_is_saved_with_its_position(play: Terminal, tmp_path: Path) -> None:
    assert play(f"setup B:W18:BK15\n1\nsave {tmp_path / 'a.pdn'}\n", *TWO) == 0
    [game] = checkers.read_pdn((tmp_path / "a.pdn").read_text(encoding="utf-8"))
    assert (len(game.actions), game.winner) == (1, "red")
    assert checkers.to_fen(game.state, game.player) == "B:W18:BK15"


@pytest.mark.long
def test_the_whole_game_is_saved_after_a_step_back(play: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "game.pdn"
    assert play(f"setup B:W18,26:B15\n15x31\nback\nsave {file}\nfen\n", *TWO) == 0
    assert answers(play.out)[4][1] == "B:W18,26:B15\n"
    [game] = checkers.read_pdn(file.read_text(encoding="utf-8"))
    assert (len(game.actions), game.result) == (1, "1-0")


@pytest.mark.long
def test_a_file_is_of_one_game_only(play: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "game"
    assert play(f"1\nsave {file}\n", "--game", "simple-checkers") == 0
    assert play("", "--game", "capture", "--load", file) == 1
    assert re.fullmatch(r"cpl play: \S+: line 1, game 1: its Event is 'Simple .*', and not .Capture.*, .*\n", play.err)
    assert play("", "--game", "strachey", "--load", file) == 1
    assert "its Event is 'Simple checkers, after a recipe': this is the game simple-checkers, not strachey" in play.err
    file.write_text(f'[Event "{game_of("strachey").title}"]\n\n1. 9-9 *\n', encoding="utf-8")
    assert play("", "--game", "strachey", "--load", file) == 1
    assert "line 3, game 1: '9-9' cannot be played: " in play.err


CUP = '[Event "Cup"]\n[Black "A"]\n[White "B"]\n[Result "1-0"]\n[GameType "21"]\n\n1. 11-15 22-18 2. 15x22 1-0\n'


@pytest.fixture
def two_games(tmp_path: Path) -> Path:
    """The second is the cup's."""
    file = tmp_path / "game.pdn"
    file.write_text(f"1. 9-13 *\n\n{CUP}", encoding="utf-8")
    return file


def test_a_replay_goes_on_by_steps(play: Terminal, two_games: Path, tmp_path: Path) -> None:
    """An empty line steps on; the computer waits; a game that nobody changed is saved as it was."""
    same = tmp_path / "same.pdn"
    assert play(f"\n\nback\nnext\n\n\nsave {same}\nback\nback\n", "--replay", two_games, "--number", "2", *QUICK) == 0
    said = [what.splitlines()[0] for _, what in answers(play.out) if what.strip()]
    first, second, third = "Move 1 of 3: 11-15.", "Move 2 of 3: 22-18.", "Move 3 of 3: 15x22."
    assert said[:5] == [first, second, first, second, third]
    assert "plays" not in play.out and "Move 0 of 3.\n" in play.out
    assert same.read_text(encoding="utf-8") == CUP


def test_a_move_in_a_replay_begins_another_game(play: Terminal, two_games: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.pdn"
    assert play("next\nnext\n15x22\n", "--replay", two_games, "--number", "2", *QUICK, "--save", other) == 0
    assert re.match(r"White plays 2[56]x1[78]", answers(play.out)[2][1])
    [game] = checkers.read_pdn(other.read_text(encoding="utf-8"))
    assert (len(game.actions), game.result, game.tags["White"]) == (4, "*", "alphabeta:1")


def test_the_computer_waits_after_a_step_back_until_it_is_told_to_go_on(play: Terminal) -> None:
    assert play("11-15\nback\ngo\nback\nback\n9-13\nback\nback\nback\n", *QUICK) == 0
    said = dict(enumerate(what for _, what in answers(play.out)))
    assert said[1].startswith("Move 1 of 2: 11-15.\n")
    assert re.match(r"White plays ", said[2])
    assert "Move 0 of 2.\n" in said[4]
    assert re.match(r"White plays ", said[5])
    assert said[8] == "this is the first position of the game\n"


def test_a_draw_between_people_needs_a_yes(play: Terminal) -> None:
    assert play("draw\nno\n11-15\ndraw\n y\nundo\ndraw\nyes\ndraw\n", *TWO) == 0
    assert "black> draw\nwhite, do you agree to a draw? (yes or no) no\nWhite declines: the game goes on.\n" in play.out
    assert "white> draw\nblack, do you agree to a draw? (yes or no)  y\n" in play.out
    assert play.out.count("A draw: the players agree.") == 2
    assert "over> draw\nthe game is over: the players agree\n" in play.out
    assert play("draw\n", *TWO) == 0
    assert play.out.endswith("do you agree to a draw? (yes or no) \nThe game is not finished.\n")


def test_a_computer_agrees_to_a_draw_if_nobody_is_ahead(
    play: Terminal, judged: Callable[..., None], tmp_path: Path
) -> None:
    file, drawn = tmp_path / "long.pdn", tmp_path / "drawn.pdn"
    assert play("\n".join([f"setup {KINGS}", *wanderings(), f"save {file}"]), *TWO) == 0
    judged(-51)
    assert play("draw\n", "--load", file) == 0
    assert "black> draw\nWhite declines: it thinks that one side is ahead.\n" in play.out
    judged(20)
    assert play("draw\n", "--load", file, "--save", drawn) == 0
    assert "\nA draw: the players agree.\n" in play.out
    [game] = checkers.read_pdn(drawn.read_text(encoding="utf-8"))
    assert (game.result, game.tags["Termination"]) == ("1/2-1/2", "the players agree")


def test_a_computer_agrees_to_no_draw_early_in_a_game(play: Terminal) -> None:
    assert play("draw\n", *QUICK) == 0
    assert "White declines: it accepts no draw before 20 moves of each side.\n" in play.out


def test_an_analysis(play: Terminal, judged: Callable[..., None]) -> None:
    judged(35, 0, -120, -130)
    assert play("analyse\nresign\nanalyse\n", *TWO) == 0
    assert answers(play.out)[0][1] == (
        "Black to move, 9 plies ahead, 12,345 positions in 1.5 s:\n"
        "           +0.35  9-13\n           +0.00  9-14\n           -1.20  10-14\n"
    )
    assert answers(play.out)[2][1] == "the game is over: black resigns\n"


def test_the_program_of_1966_takes_games_of_english_draughts(play: Terminal, tmp_path: Path) -> None:
    """As far as its own rules allow them, and says where they differ."""
    official, crowned = tmp_path / "official.pdn", tmp_path / "crowned.pdn"
    assert play(f"11-15\n22-18\n15x22\nsave {official}\n", *TWO) == 0
    assert '[GameType "21"]' in official.read_text(encoding="utf-8")
    assert play("fen\n", "--game", "strachey", "--load", official, "--white", "human") == 0
    assert answers(play.out)[0][1] == "W:W21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,22\n"
    fen = "W:W12,17:B4,7,8,26,K31"
    assert play(f"12x3\nsave {crowned}\n", "--fen", fen, *TWO) == 0
    assert play("", "--game", "strachey", "--load", crowned) == 1
    why = "the capture goes on, 12x3x10, since by the rules of 1966 a man who is crowned jumps on"
    assert play.err.endswith(f": '12x3' cannot be played: {why}\n")
    assert play("12x10\n", "--game", "strachey", "--fen", fen, "--black", "me", "--white", "me") == 0
    assert "white> 12x10\n\n" in play.out


def test_a_game_that_was_loaded_goes_on_in_another_file(play: Terminal, tmp_path: Path) -> None:
    file, other = tmp_path / "one.pdn", tmp_path / "two.pdn"
    assert play("11-15\n22-18\n", *TWO, "--save", file) == 0
    assert "1. 11-15 22-18 *" in file.read_text(encoding="utf-8")
    assert play("undo\n22-17\nresign\n", *TWO, "--load", file, "--save", other) == 0
    [game] = checkers.read_pdn(other.read_text(encoding="utf-8"))
    assert [checkers.action_text(each) for each in game.actions] == ["11-15", "22-17"]
    assert game.result == "0-1"
    assert game.tags["Termination"] == "black resigns"
    assert sorted(os.listdir(tmp_path)) == ["one.pdn", "two.pdn"]


@pytest.fixture
def my_games(tmp_path: Path) -> Path:
    """Two games in a file whose name has a space, in Latin 1."""
    file = tmp_path / "my games.pdn"
    file.write_text('[Black "J\xf6rg"]\n\n1. 11-15 *\n\n[Result "1-0"]\n\n1. 9-13 22-18 1-0\n', encoding="latin-1")
    return file


def test_a_game_that_the_file_says_is_won_can_go_on(play: Terminal, my_games: Path) -> None:
    assert play("", *TWO, "--load", my_games, "--number", "2") == 0
    assert f"Game 2 of {my_games}, after 2 moves. The file says 1-0, but play can continue.\n" in play.out


def test_load_takes_a_file_and_a_number(play: Terminal, my_games: Path) -> None:
    assert play(f"load {my_games} 2\nload {my_games}\nload {my_games} 3\nload {my_games}.x\nload\n", *TWO) == 0
    assert f"Game 2 of {my_games}, after 2 moves." in play.out
    assert f"Game 1 of {my_games}, after 1 move." in play.out
    assert f"{my_games}: there is no game 3 in it: it has 2\n" in play.out
    assert f"{my_games}.x: no such file or directory\n" in play.out
    assert "load which file? load FILE\n" in play.out


def test_no_file_of_others_is_written_over(play: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "precious.pdn"
    file.write_text("1. 11-15 *", encoding="utf-8")
    assert play(f"load {file}\nsave {file}\nresign\n", *TWO) == 0
    assert f"{file} already exists" in play.out
    assert play("11-15\n", *TWO, "--save", file) == 1
    assert play.err == f"cpl play: {file} already exists, and was not saved in this session: choose another name\n"
    assert file.read_text(encoding="utf-8") == "1. 11-15 *"


def test_a_file_of_this_session_is_written_over(play: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "precious.pdn"
    assert play(f"save {file}2\n11-15\nsave {file}2\n", *TWO) == 0
    assert "1. 11-15 *" in (tmp_path / "precious.pdn2").read_text(encoding="utf-8")


def test_no_game_begins_that_cannot_be_saved(play: Terminal, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in ("/proc/none/game.pdn", tmp_path / "file" / "game.pdn"):
        assert play("11-15\n", "--save", path) == 1
        assert "11-15" not in play.out


def test_a_game_is_saved_while_it_goes_on(play: Terminal, tmp_path: Path) -> None:
    assert play("11-15\n", *TWO, "--save", tmp_path / "game.pdn") == 0
    assert "1. 11-15 *" in (tmp_path / "game.pdn").read_text(encoding="utf-8")


def test_a_file_that_another_program_changed_is_not_written_over(
    play: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor one that stands in its place, and may have its number on the disk."""
    file, write = tmp_path / "game.pdn", outside.write
    for kept, added in ((0, ""), (0, "mine"), (None, "mine")):

        def write_and_change(*arguments: Any, kept: int | None = kept, added: str = added, **options: Any) -> None:
            write(*arguments, **options)
            file.write_text(file.read_text()[:kept] + added)

        file.unlink(missing_ok=True)
        monkeypatch.setattr(outside, "write", write_and_change)
        assert play("11-15\n22-18\n", *TWO, "--save", file) == 1
        assert "was changed by another program since it was saved" in play.err
        assert "11-15" not in file.read_text()


def test_each_game_of_a_session_is_kept(play: Terminal, tmp_path: Path) -> None:
    file, old = tmp_path / "games.pdn", tmp_path / "old.pdn"
    old.write_text("1. 9-13 *\n")
    said = f"11-15\nresign\nnew\nnew\n12-16\nsetup B:W32:B1\nload {old}\nload {old}\n22-17\nload {old}\n"
    assert play(said, *TWO, "--save", file) == 0
    games = checkers.read_pdn(file.read_text())
    moves = [" ".join(map(checkers.action_text, game.actions)) for game in games]
    assert moves == ["11-15", "12-16", "9-13 22-17", "9-13"]
    assert games[0].result == "1-0"


def test_names_of_files_may_be_none(play: Terminal) -> None:
    for name in ["\0", "/", "~no-such-person/x", "x" * 5000, "/dev/null/x"]:
        assert play(f"save {name}\nload {name}\n11-15\n", *TWO) == 0
        assert play.err == ""
        assert "white> \nThe game is not finished.\n" in play.out
    for option in ["--load", "--replay", "--save"]:
        with pytest.raises(SystemExit):
            play("", option, "-")
        assert f"argument {option}: expected the name of a file, found '-'" in play.err
        assert play("save -\nload -\n", *TWO) == 0
        assert "black> save -\nsave which file? save FILE\nblack> load -\nload which file? load FILE\n" in play.out


@pytest.mark.parametrize("name", NAMES)
def test_every_game_can_be_played_and_saved(play: Terminal, tmp_path: Path, name: str) -> None:
    one = tmp_path / "one"
    assert play(f"1\nhint\nmoves\nundo\nredo\nflip\nresign\nsave {one}\n", "--game", name) == 0
    assert "Taken back: 2 moves." in play.out
    assert play.err == ""
    assert '[Termination "' in one.read_text(encoding="utf-8")


@pytest.fixture
def saved(play: Terminal, tmp_path: Path, name: str) -> Path:
    """A game in which a person resigned after a move and the computer's answer."""
    file = tmp_path / "saved"
    computer = (f"--{game_of(name).sides[1]}", "alphabeta:1")
    assert play(f"1\nresign\nsave {file}\n", "--game", name, *computer) == 0
    assert "alphabeta" in file.read_text(encoding="utf-8")
    return file


def people(name: str) -> list[str]:
    return [word for side in game_of(name).sides for word in (f"--{side}", "human")]


@pytest.mark.parametrize("name", NAMES)
def test_every_game_that_was_loaded_is_what_it_was_until_it_goes_on(
    play: Terminal, tmp_path: Path, saved: Path, name: str
) -> None:
    other, third = tmp_path / "other", tmp_path / "third"
    assert play(f"save {other}\n1\nsave {third}\n", "--game", name, "--load", saved, *people(name)) == 0
    assert f"Game 1 of {saved}, after 2 moves." in play.out
    assert other.read_text(encoding="utf-8") == saved.read_text(encoding="utf-8")
    assert "resigns" in other.read_text(encoding="utf-8")
    gone_on = third.read_text(encoding="utf-8")
    assert "resigns" not in gone_on and "alphabeta" not in gone_on and '[Result "*"]' in gone_on


@pytest.mark.parametrize("name", NAMES)
def test_every_game_that_was_resigned_can_be_taken_back(play: Terminal, tmp_path: Path, saved: Path, name: str) -> None:
    end = tmp_path / "end"
    assert play("resign\nundo\nundo\n", "--game", name, "--load", saved, *people(name), "--save", end) == 0
    assert re.search(r"^\w+ wins: \w+ resigns\.$", play.out, re.MULTILINE)
    assert '[Result "*"]' in end.read_text(encoding="utf-8")


def test_a_command_line_at_fault(play: Terminal, tmp_path: Path) -> None:
    for arguments, status, message in (
        (("--game", "capture", "--red", "human"), 2, "capture has no side red: it has white and black"),
        (("--black", "nobody"), 2, "'nobody' is not a player: there are random:N, minimax:N"),
        (("--white", "alphabeta:0"), 2, "'alphabeta:0' is not a player: "),
        (("--white", "strachey:3"), 2, "strachey:3 plays the game strachey only"),
        (("--number", "3"), 2, "--number says which game of a file"),
        (("--black", "nobody"), 2, "a person is human or me"),
        (("--load", "bad.pdn"), 1, "cpl play: bad.pdn: line 1, game 1: '1-2' cannot be played: "),
        (("--load", "none.pdn"), 1, "cpl play: none.pdn: no such file or directory\n"),
    ):
        (tmp_path / "bad.pdn").write_text("1. 11-16 1-2", encoding="utf-8")
        with chdir(tmp_path):
            assert play("11-15\n", *arguments) == status
        assert message in play.err
        assert play.err.count("\n") == 1
        assert play.out == ""


@pytest.mark.parametrize(
    ("settings", "arguments", "ascii"),
    [
        ({"LANG": "C"}, (), True),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, (), True),  # as Python itself has it (PEP 538)
        ({"LANG": "de_DE@euro"}, (), True),
        ({"LC_ALL": "C", "LANG": "en_GB.UTF-8"}, (), True),
        ({"LANG": "en_GB.UTF-8"}, (), False),
        ({"LANG": "C", "LC_CTYPE": "en_GB.utf8"}, (), False),
        ({"LANG": "C"}, ("--no-ascii",), False),
        ({"LANG": "en_GB.UTF-8"}, ("--ascii",), True),
    ],
)
def test_ascii_where_nothing_else_is_known(
    play: Terminal, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], arguments: tuple[str, ...], ascii: bool
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert play("", *arguments) == 0
    assert play.out.isascii() == ascii


def test_the_command_and_its_help() -> None:
    done = subprocess.run(
        command_line("cpl", "play", *QUICK),
        input=b"11-15\n\xff\xfe\nquit\n",
        capture_output=True,
        env={**os.environ, "LANG": "", "LC_ALL": "", "LC_CTYPE": ""},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    out = done.stdout.decode()
    assert "black> 11-15\n" in out
    assert re.search(r"^White plays \d+-\d+\.$", out, re.MULTILINE)
    assert "is not a move" in out
    assert out.endswith("black> quit\nThe game is not finished.\n")
    assert "\x1b" not in out and "●" in out
    done = run("cpl", "play", "--help")
    assert all(name in done.stdout for name in NAMES)
    assert "printf '11-15\\nhint\\nquit\\n' | cpl play" in done.stdout


@pytest.mark.long
def test_terminals_have_colours_unless_told_otherwise(tmp_path: Path) -> None:
    screen = Screen("play", *QUICK)
    assert "\x1b[48;5;" in screen.until("black> ")
    screen.type("11-15\n")
    assert "White plays" in screen.until("black> ")
    screen.type("\x1b[A\n")  # the line before, which is played no more
    assert "11-15" in screen.until("black> ")
    screen.type("\x04")
    assert screen.ended() == 0
    assert screen.seen.endswith("The game is not finished.\r\n")
    screen = Screen("play", *TWO, "--save", str(tmp_path / "kept.pdn"), NO_COLOR="1")
    assert "\x1b[48" not in screen.until("black> ")
    screen.type("11-15\n")
    screen.until("white> ")
    assert "1. 11-15 *" in (tmp_path / "kept.pdn").read_text(encoding="utf-8")
    screen.interrupt()
    assert screen.ended() == 130
    assert screen.seen.endswith(f"\r\nSaved in {tmp_path / 'kept.pdn'}.\r\ncpl play: interrupted\r\n")
    assert "1. 11-15 *" in (tmp_path / "kept.pdn").read_text(encoding="utf-8")


def test_a_thought_can_be_interrupted_and_the_game_stays() -> None:
    screen = Screen("play", "--white", "alphabeta:600s")
    screen.until("black> ")
    screen.type("11-15\n")
    screen.until("white thinks")
    screen.interrupt()
    screen.until("The computer waits: `go` lets it play, `quit` ends.")
    screen.until("white> ")
    screen.type("history\n")
    assert "1. 11-15" in screen.until("white> ")
    screen.type("exit\n")
    assert screen.ended() == 0
