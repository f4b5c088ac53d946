"""`cpl analyse --all`: whole games with the value of every position, and the better moves that were missed."""

import json
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import run, started
from draughts.PDN import PDNReader
from screen import Screen

from cpl.games import annotation, pdn
from cpl.games.analysis import Analysis, Limits, Line, search
from cpl.games.annotation import MISTAKE, Judged, annotated, is_clearly_less, judge, line_in_words, value_in_words
from cpl.games.checkers import read_pdn, write_pdn
from cpl.games.game import Turn
from cpl.games.pdn import PdnWarning
from cpl.games.playable import NAMES, game_of
from cpl.limits import MOST_PLIES

INFINITE = float("inf")
CHECKERS = game_of("checkers")
OTHERS = [name for name in NAMES if name != "checkers"]

MISSED = """\
[Event "Missed"]
[Black "A \\"quoted\\" name"]
[White "B"]
[Annotator "nobody"]
[SetUp "1"]
[FEN "B:W17,25:B14,22"]
{to move and win} 1. 22x29? {hasty} (14x21x30) 17x10 $2 2. 29-25 ; he hopes
10-7 1/2-1/2
"""
"""Black takes one man where he could take both, which are the last, and is taken himself."""
BROKEN = '[Event "Broken"]\n1. 9-13 23-18 2. 13-18 0-1\n'
SHORT = '[Event "Short"]\n1. 11-15 {as usual} 22-18 2. 15x22 1-0\n'
THREE = "\n".join([MISSED, BROKEN, SHORT])

ANNOTATED = """\
[Event "Missed"]
[Black "A \\"quoted\\" name"]
[White "B"]
[Result "1/2-1/2"]
[GameType "21"]
[SetUp "1"]
[FEN "B:W17,25:B14,22"]
[Annotator "nobody"]

{to move and win} {Black wins in 1 ply} 1. 22x29? {hasty} (14x21x30) {even;
better 14x21x30, Black wins in 1 ply} 17x10 $2 {even} 2. 29-25 {he hopes} {even}
10-7 {even} 1/2-1/2
"""
MISTAKE_OF_A = "game 1, move 1, Black: 22x29, even; better 14x21x30, Black wins in 1 ply\n"
DEPTH = ("--depth", "7")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.pdn"
    path.write_text(THREE, encoding="utf-8")
    return path


def broken(name: object) -> str:
    return f"cpl analyse: {name}: line 11, game 2: '13-18' cannot be played: there is a piece on 18\n"


def test_a_missed_win_is_found_and_everything_else_is_kept(file: Path) -> None:
    done = run("cpl", "analyse", file, "--all", *DEPTH)
    first, second = done.stdout.split('\n[Event "Short"]')
    assert first == ANNOTATED
    assert "{as usual} {" in second and "better" not in second
    assert (done.returncode, done.stderr) == (1, broken(file))
    assert run("cpl", "analyse", file, "--all", *DEPTH).stdout == done.stdout
    in_c, in_python = (run("cpl", "analyse", file, "--all", "--depth", "3", *speed).stdout for speed in ([], ["-O"]))
    assert in_c == in_python
    assert run("cpl", "analyse", "-", "--all", *DEPTH, input=THREE).stdout == done.stdout


def test_a_file_of_its_own_and_the_mistakes_on_standard_output(file: Path) -> None:
    out = file.parent / "out.pdn"
    done = run("cpl", "analyse", file, "--all", *DEPTH, "-o", out)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", broken(file))
    assert out.read_text(encoding="utf-8") == run("cpl", "analyse", file, "--all", *DEPTH).stdout
    done = run("cpl", "analyse", file, "--all", *DEPTH, "-o", out, "-v")
    assert done.stdout == MISTAKE_OF_A
    done = run("cpl", "analyse", file, "--all", *DEPTH, "-o", "-", "-v")
    assert done.stdout.startswith(ANNOTATED)
    assert MISTAKE_OF_A in done.stderr


def test_a_terminal_shows_the_mistakes(file: Path) -> None:
    screen = Screen("analyse", str(file), "--all", *DEPTH, "-o", str(file.parent / "out.pdn"))
    assert screen.ended() == 1
    assert screen.seen == (MISTAKE_OF_A + broken(file)).replace("\n", "\r\n")


def test_our_reader_and_pydraughts_read_the_same_games(file: Path) -> None:
    text = run("cpl", "analyse", file, "--all", *DEPTH).stdout
    before, after = read_pdn(THREE, errors="collect"), read_pdn(text)
    theirs = PDNReader(pdn_text=text).games
    assert len(before) == len(after) == len(theirs) == 2
    for old, new, other in zip(before, after, theirs, strict=True):
        assert (new.tags, new.state, new.actions, new.result) == (old.tags, old.state, old.actions, old.result)
        for plies, remarks in old.remarks.items():
            assert new.remarks[plies][: len(remarks)] == remarks
        assert [*new.remarks] == [*range(len(new.actions) + 1)]
        assert (other.game_ending, other.tags["Event"]) == (new.result, new.tags["Event"])
    # Of a game that Black begins from a position, pydraughts takes the first move twice, with comments and without.
    without = PDNReader(pdn_text=write_pdn(before)).games
    assert [game.moves for game in theirs] == [game.moves for game in without]
    assert theirs[1].moves == ["11-15", "22-18", "15x22"]
    assert pdn.write(CHECKERS, pdn.nth(CHECKERS, text)) == ANNOTATED


def test_a_value_is_that_of_the_position_by_itself(file: Path) -> None:
    data = json.loads(run("cpl", "analyse", file, "--all", "--depth", "4", "--format", "json").stdout)
    for game in data["games"]:
        for ply, position in enumerate(game["positions"]):
            options = ["--number", str(game["number"]), "--ply", str(ply), "--depth", "4", "--format", "json"]
            alone = json.loads(run("cpl", "analyse", file, *options).stdout)
            assert (position["position"], position["side"]) == (alone["position"], alone["side"])
            assert [position["best"]] == alone["lines"]
    missed = data["games"][0]["positions"][0]
    assert (missed["best"]["wins"], missed["best"]["moves"]) == (True, ["14x21x30"])
    assert (missed["mistake"], missed["played"]) == (True, "22x29")
    assert [position["mistake"] for position in data["games"][0]["positions"]].count(True) == 1
    assert [error["game"] for error in data["errors"]] == [2]
    last = data["games"][1]["positions"][-1]
    assert (last["played"], last["mistake"]) == (None, False)


@pytest.mark.parametrize("name", ["checkers", *(pytest.param(name, marks=pytest.mark.long) for name in OTHERS)])
def test_a_search_of_one_move_finds_its_value_among_all(name: str) -> None:
    turn = game_of(name).start()
    for number in (1, 3, 2):
        turn = turn.game.play(turn, [*turn.legal][number % len(turn.legal)])
        lines = search(turn, Limits(depth=3), lines=len(turn.legal)).lines
        assert len(lines) == len(turn.legal)
        for line in lines:
            found = search(turn, Limits(depth=3, moves=[line.moves[0]])).lines
            assert [(each.moves[0], each.value) for each in found] == [(line.moves[0], line.value)]


@pytest.mark.parametrize("name", OTHERS)
def test_other_games_are_annotated(name: str) -> None:
    game = game_of(name)
    turn, moves = game.start(), []
    for _ in range(3):
        moves.append(next(iter(turn.legal)))
        turn = game.play(turn, moves[-1])
    text = pdn.write(game, pdn.Record(game.start(), moves, {"Event": game.title}))
    done = run("cpl", "analyse", "-", "--all", "--game", name, "--depth", "1", "-O", input=text, well=True)
    record = pdn.nth(game, done.stdout)
    assert record.moves == moves
    assert [*record.remarks] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("best", "played", "is_mistake"),
    [
        (30, 30 - MISTAKE, True),
        (30, 31 - MISTAKE, False),
        (30, 90, False),  # it was seen to be better when it was searched by itself
        (INFINITE, INFINITE, False),
        (INFINITE, 800, True),
        (-INFINITE, -INFINITE, False),
        (-900, -INFINITE, True),
    ],
)
def test_what_is_a_mistake(best: float, played: float, is_mistake: bool) -> None:
    assert is_clearly_less(played, best) is is_mistake


def test_a_slow_win_is_no_mistake_though_the_best_move_wins_at_once() -> None:
    record = pdn.nth(CHECKERS, '[FEN "B:W17,25:B14,22,6,1"] 1. 22x29 *')
    first, second = judge(record, depth=9)
    assert first.best and second.best
    assert (first.depth, first.best.plies, second.best.plies) == (1, 1, 2)
    assert not first.is_mistake


@pytest.mark.parametrize("said", [(500, -500), (-500, 500), (-500, -500)])
def test_a_mistake_is_one_that_two_searches_see(said: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the position after it, and that of the move alone."""
    record = pdn.nth(CHECKERS, "1. 11-15 *")
    after, alone = said

    def found(turn: Turn, limits: Limits) -> Analysis:
        value = alone if limits.moves else 0 if turn == record.first else -after
        move = limits.moves[0] if limits.moves else next(iter(turn.legal))
        return Analysis(turn, 3, 9, 0.1, (Line(value, (move,)),))

    monkeypatch.setattr("cpl.games.annotation._result_of_search", found)
    first, _ = judge(record, depth=3)
    assert first.is_mistake is (after == alone == -500)


def test_values_in_words() -> None:
    turn = CHECKERS.start()
    move = next(iter(turn.legal))
    assert line_in_words(turn, Line(150, (move,))) == "Black +1.50"
    assert line_in_words(turn, Line(-4, (move,))) == "White +0.04"
    assert line_in_words(turn, Line(-0.4, (move,))) == "even"
    assert line_in_words(turn, Line(-INFINITE, (move,), 3)) == "White wins in 3 plies"
    over = Judged(CHECKERS.from_fen("W:W:B11"))
    assert (value_in_words(over), over.value) == ("Black has won", -INFINITE)


def test_a_game_that_is_over_has_its_end() -> None:
    record = pdn.nth(CHECKERS, '[FEN "B:W17,25:B14"] 1. 14x21x30 {all} 1-0')
    text = pdn.write(CHECKERS, annotated(record, [*judge(record, depth=2)]))
    assert text.endswith("{Black wins in 1 ply} 1. 14x21x30 {all} {Black has won} 1-0\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--all is for the games of a file: name the file, or - for standard input"),
        (["games.pdn", "--number", "1"], "--number names one position"),
        (["games.pdn", "--ply", "0"], "--ply names one position"),
        (["games.pdn", "--lines", "2"], "--lines is for one position"),
        (["games.pdn", "-o", "games.pdn"], "is part of the input"),
        (["games.pdn", "-o", "mine.cpl"], "name another file"),
    ],
)
def test_wrong_command_lines(arguments: list[str], said: str, file: Path) -> None:
    assert said in run("cpl", "analyse", "--all", *DEPTH, *arguments, cwd=file.parent, fails=2).stderr
    assert file.read_text(encoding="utf-8") == THREE
    for name in ("none.pdn", "B:W18:B14"):
        done = run("cpl", "analyse", "--all", *DEPTH, name, cwd=file.parent, fails=1)
        assert f"--all is for the games of a file, and there is no file {name}" in done.stderr
    assert "-o is for the games of --all" in run("cpl", "analyse", "-o", "out", cwd=file.parent, fails=2).stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"Dear Ada,\nthis is a letter.\n", "line 1, game 1: 'Dear' is not a move: write one like 11-15 or 15x22x31"),
        (b"", "no game in it can be read, so nothing is written"),
        (BROKEN.encode(), "line 2, game 1: '13-18' cannot be played: there is a piece on 18"),
        (b"\0\0\0\1", "this file is UTF-32, or no text"),
    ],
)
def test_what_has_no_game_leaves_the_file_as_it_was(text: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "bad.pdn").write_bytes(text)
    (tmp_path / "out.pdn").write_text("before")
    done = run("cpl", "analyse", "bad.pdn", "--all", *DEPTH, "-o", "out.pdn", cwd=tmp_path, fails=1)
    assert f"cpl analyse: bad.pdn: {said}" in done.stderr
    assert (tmp_path / "out.pdn").read_text() == "before"


def test_what_a_file_does_not_quite_say_is_told(file: Path) -> None:
    with pytest.warns(PdnWarning):
        read_pdn("1. 11-15 23-19 Black resigns 0-1")
    done = run("cpl", "analyse", "-", "--all", "--depth", "1", input="1. 11-15 23-19 Black resigns 0-1", status=0)
    assert done.stderr.startswith("cpl analyse: warning: line 1, game 1: 'Black' is not a move")
    done = run("cpl", "analyse", "-", "--all", "--depth", "1", input='[GameType "25"]\n1. c3-d4 *\n', fails=1)
    assert "is Russian draughts, which is not read" in done.stderr
    done = run("cpl", "analyse", "-", "--all", "--depth", "1", input="1. c3-d4 d6-c5 *\n", fails=1)
    assert "these look like games of another kind" in done.stderr


@pytest.mark.parametrize(("games", "kept"), [(1, "1 finished game written"), (0, "no game was finished")])
def test_an_interruption_keeps_the_games_that_are_finished(
    games: int, kept: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = games

    def interrupted(*arguments: Any, **limits: Any) -> Iterator[Judged]:
        nonlocal left
        if not left:
            raise KeyboardInterrupt
        left -= 1
        return judge(*arguments, **limits)

    monkeypatch.setattr("cpl.cli.analyse.judge", interrupted)
    out = file.parent / "out.pdn"
    out.write_text("before")
    done = run("cpl", "analyse", file, "--all", *DEPTH, "-o", out, status=130)
    where = f" to {out}" if games else ""
    assert done.stderr == (broken(file) if games else "") + f"cpl analyse: interrupted: {kept}{where}\n"
    assert out.read_text() == (ANNOTATED if games else "before")
    left = games
    done = run("cpl", "analyse", file, "--all", *DEPTH, status=130)
    assert done.stdout == (ANNOTATED if games else "")


def test_ctrl_c_ends_a_search_at_once(file: Path) -> None:
    """The mistake of the first game is told before the second one begins, whose search would take minutes."""
    out = file.parent / "out.pdn"
    file.write_text(MISSED + "\n" + SHORT, encoding="utf-8")
    command = ["-m", "cpl", "analyse", file, "--all", "--depth", str(MOST_PLIES), "--seconds", "0.5", "-v", "-o", out]
    process = started(*command)
    assert process.stdout
    assert process.stdout.readline().startswith("game 1, move 1, Black: 22x29, ")
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, "Traceback" in err) == (130, False)
    assert f"cpl analyse: interrupted: 1 finished game written to {out}" in err
    assert re.search(r"\{[^}]*better 14x21x30, Black wins in 1 ply\}", " ".join(out.read_text().split()))


def test_the_games_are_written_though_nobody_reads_the_mistakes(file: Path) -> None:
    out = file.parent / "out.pdn"
    process = started("-m", "cpl", "analyse", file, "--all", *DEPTH, "-v", "-o", out)
    assert process.stdout and process.stderr
    process.stdout.close()
    with process.stderr as err:
        assert broken(file) in err.read()
    assert process.wait(timeout=30) == 1
    assert out.read_text(encoding="utf-8").startswith(ANNOTATED)


def test_the_module_explains_itself() -> None:
    described = re.search(r"`(B:.*)`.*\n\n(.*)\n(.*)\n", str(annotation.__doc__))
    assert described
    position, plain, commented = described.groups()
    record = pdn.nth(CHECKERS, f'[FEN "{position}"]\n{plain}')
    text = pdn.write(CHECKERS, annotated(record, [*judge(record, depth=7)]))
    assert text.split("\n\n")[1].split() == commented.split()
