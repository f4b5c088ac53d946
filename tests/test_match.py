"""Matches: reproducible, whole on disk, gone on with after any end; and the score that is kept."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path

import pytest

import cpl
from cpl.cli import cpl as command
from cpl.games.checkers import read_pdn
from cpl.games.game import End, Game, Speed, use
from cpl.games.match import (
    Match,
    Pairing,
    Played,
    Score,
    elo,
    pairings,
    played,
    recorded,
    results,
    table,
    text_of,
)
from cpl.games.playable import NAMES, game_of
from cpl.games.players import BadPlayer, player

RANDOM = Match("checkers", ("random:1", "random:2", "random:3"), 4, seed=5)
QUICK = ["match", "random:1", "random:2", "--games", "6", "--seed", "3"]


@pytest.fixture(params=NAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return game_of(request.param)


@pytest.fixture
def speeds() -> Iterator[None]:
    yield
    use("optimised")


# The games behind the protocol


@pytest.mark.long
@pytest.mark.parametrize("speed", ["plain", "native"])
def test_searches_choose_the_same_at_every_speed(game: Game, speed: Speed, speeds: None) -> None:
    players = ("minimax:2", "alphabeta:3", *(["strachey:2"] if game.name == "strachey" else []))
    match = Match(game.name, players, 2, plies=30, opening=6)
    expected = [*results(match, [*pairings(match)])]
    assert [*results(match, [*pairings(match)], speed=speed)] == expected
    assert any(len(done.moves) == 30 for done in expected)


def test_a_game_at_random_by_its_own_texts(game: Game) -> None:
    """Every move is written in a way of its own, and what is written is read as that move."""
    done = played(Match(game.name, ("random:1", "random:2"), 1), Pairing(1, ("random:1", "random:2")))
    turn = game.start()
    for ply, text in enumerate(done.moves):
        assert turn.side == game.sides[ply % 2]
        texts = [game.text(move) for move in turn.legal]
        assert len({*texts}) == len(texts)
        assert game.end(turn) is None
        move = game.read(turn, f" {text.upper()} ")
        assert game.text(move) == text
        turn = game.play(turn, move)
    assert game.end(turn) == done.end or "plies" in done.end.why


def test_looking_at_a_state_does_not_change_it(game: Game) -> None:
    turn = game.start()
    before, picture = repr(turn), turn._repr_svg_()
    assert picture == game.board(turn).svg()
    for move in turn.legal:
        after = game.play(turn, move)
        assert after._repr_svg_() not in (picture, game.board(after, move).svg())
    game.search(turn, "alphabeta", 2)
    assert repr(turn) == before


def test_strachey_s_depth_is_each_player_s_own() -> None:
    """Two of them side by side, and the program that others load, keep theirs."""
    game = game_of("strachey")
    deep, flat = player("strachey:3", game), player("strachey:0", game)
    turn, differ = game.start(), False
    for _ in range(12):
        moves = [choose(turn) for choose in (deep, flat, deep, flat)]
        assert moves[:2] == moves[2:]
        differ |= moves[0] != moves[1]
        turn = game.play(turn, moves[0])
    assert differ
    assert cpl.load("strachey.cpl").DepthLimit == 2


@pytest.mark.long
def test_strachey_wins_against_chance_by_its_own_rules(measured: Callable[[str], None]) -> None:
    match = Match("strachey", ("strachey:3", "random:1"), 2, seed=1)
    score = table(match.players, results(match, [*pairings(match)]))["strachey:3"]
    measured(f"strachey:3 against random:1, {score.games} games: {score.points:g} points")
    assert score.share >= 0.95


@pytest.mark.parametrize(
    ("text", "game", "fault"),
    [
        ("alpha:3", "checkers", "is not a player"),
        ("", "checkers", "is not a player"),
        ("minimax:0", "checkers", "1 or more"),
        ("minimax:x", "checkers", "how many plies"),
        ("minimax:", "checkers", "how many plies"),
        ("random:-1", "checkers", "a seed"),
        ("minimax:²", "checkers", "how many plies"),
        ("strachey:2", "checkers", "plays the game strachey only"),
    ],
)
def test_invalid_players(text: str, game: str, fault: str) -> None:
    with pytest.raises(BadPlayer, match=fault):
        player(text, game_of(game))


# Matches


def test_everybody_meets_everybody_with_both_sides() -> None:
    met = [each.players for each in pairings(RANDOM)]
    assert len(met) == 12
    assert [each.number for each in pairings(RANDOM)] == [*range(1, 13)]
    for one in RANDOM.players:
        for other in RANDOM.players:
            assert met.count((one, other)) == (0 if one == other else 2)


def test_the_same_whatever_the_jobs() -> None:
    waiting = [*pairings(RANDOM)]
    alone, together = ([*results(RANDOM, waiting, jobs)] for jobs in (1, 2))
    assert sorted(together, key=lambda each: each.pairing.number) == alone
    assert [*results(RANDOM, waiting[5:7])] == alone[5:7], "a game does not depend on those before it"
    assert alone != [*results(Match("checkers", RANDOM.players, 4, seed=6), waiting)]


def test_openings_at_random() -> None:
    """Two that always choose the same play different games, and each opening with both colours."""
    match = Match("checkers", ("alphabeta:1", "minimax:1"), 4, opening=6)
    games = [*results(match, [*pairings(match)])]
    assert games[0].moves[:6] == games[1].moves[:6] != games[2].moves[:6] == games[3].moves[:6]


def test_only_games_without_draws_have_a_limit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for command_name in ("match", "play"):
        with pytest.raises(SystemExit):
            command.main([command_name, "--help"])
        assert "(default: 300; checkers has its own rules for draws)" in " ".join(capsys.readouterr().out.split())
    monkeypatch.setattr(Game, "most_plies", 9)
    for name in NAMES:
        match = Match(name, ("random:1", "random:2"), 1)
        (done,) = results(match, [*pairings(match)])
        if name == "checkers":
            assert len(done.moves) > 9
            assert "; any number of plies; " in str(match)
        else:
            assert (len(done.moves), done.end, done.points) == (9, End(None, "9 plies were played"), 0.5)
            assert "; 9 plies; " in str(match)


def made(winner: str | None, one: str = "a", other: str = "b") -> Played:
    return Played(Pairing(1, (one, other)), (), End(winner, ""), ("red", "black"))


def test_the_table() -> None:
    games = [made("red"), made("red"), made(None), made("black", "b", "a"), made("red", "b", "a")]
    scores = table(("a", "b"), games)
    assert (scores["a"].first, scores["a"].second) == ([2, 1, 0], [1, 0, 1])
    assert (scores["b"].first, scores["b"].second) == ([1, 0, 1], [0, 1, 2])
    assert (scores["a"].points, scores["a"].games, scores["a"].share) == (3.5, 5, 0.7)


def test_ratings_and_intervals() -> None:
    assert elo(0.5) == 0
    assert round(elo(0.75)) == 191
    assert (elo(1), elo(0)) == (inf, -inf)
    low, high = Score([5, 0, 5], [0, 0, 0]).interval
    assert (round(low, 4), round(high, 4)) == (0.2366, 0.7634)  # Wilson's for 5 of 10, as tables have it
    assert Score([0, 0, 0], [0, 0, 0]).interval == (0, 1)
    for games in range(1, 600):  # all and nothing have no limit
        assert Score([games, 0, 0], [0, 0, 0]).interval[1] == 1
        assert Score([0, 0, 0], [0, 0, games]).interval[0] == 0


# Files


def test_a_file_of_games_is_read_back(game: Game) -> None:
    match = Match(game.name, ("random:1", "random:2"), 2, seed=2, plies=40)
    games = [*results(match, [*pairings(match)])]
    text = "".join(text_of(game, match, each) for each in games)
    assert recorded(text, game, match) == games


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('[Result "', '[Result "*'),
        ('[Round "1"]', '[Round "?"]'),
        ('[White "random:2"]\n', ""),
        ('[Round "1"]', '[Round "99"]'),
        ('[Black "random:1"]\n[White "random:2"]', '[Black "random:2"]\n[White "random:1"]'),
    ],
)
def test_a_damaged_file_is_refused(old: str, new: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.pdn"
    shown(capsys, *QUICK, "--pdn", str(file))
    damaged = file.read_text().replace(old, new, 1)
    file.write_text(damaged)
    status, _, err = shown(capsys, *QUICK, "--pdn", str(file), "--resume")
    assert status == 1
    assert "something else than games of this match, where game 1 of the file should be" in err
    assert file.read_text() == damaged


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = command.main(arguments)
    out, err = capsys.readouterr()
    return status, out, err


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.pdn"
    status, out, err = shown(capsys, *QUICK, "--pdn", str(file))
    assert (status, err) == (0, "")
    assert "6 games" in out
    assert "random:1" in out
    whole = file.read_text()
    assert [game.tags["Round"] for game in read_pdn(whole)] == ["1", "2", "3", "4", "5", "6"]

    status, _, err = shown(capsys, *QUICK, "--pdn", str(file))
    assert status == 1
    assert "--resume" in err
    assert file.read_text() == whole

    file.write_text("".join(re.split(r"(?=\[Event)", whole)[:4]))
    assert shown(capsys, *QUICK, "--pdn", str(file), "--resume", "--jobs", "2")[:2] == (0, out)
    assert file.read_text() == whole

    file.write_text(whole + whole)  # what is there twice counts once
    assert shown(capsys, *QUICK, "--pdn", str(file), "--resume")[:2] == (0, out)
    assert file.read_text() == whole

    status, _, err = shown(capsys, *QUICK[:-1], "4", "--pdn", str(file), "--resume")
    assert status == 1
    assert "another match" in err
    assert file.read_text() == whole


OWN = '[Event "Checkers, by the official rules"]\n[Date "2026.01.01"]\n[Black "human"]\n\n1. 11-15 *\n'
"""A game as `cpl play` saves one."""


@pytest.mark.parametrize(
    "text",
    [
        OWN,
        OWN + "\n" + OWN,
        '[Event "World Championship"]\n[Site "?"]\n1. 11-15 23-18 1-0\n',
        '[Event "my notes of today"]\nhello\n',
        "1. 11-15 *\n",
        "something else",
        OWN.replace("Date", "Round"),
    ],
)
@pytest.mark.parametrize("first", [False, True])
def test_a_match_does_not_go_on_in_the_file_of_another(
    first: bool, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not even after games of its own: it would lose what is there."""
    file = tmp_path / "games.pdn"
    if first:
        shown(capsys, *QUICK, "--pdn", str(file))
        text = file.read_text() + text
    file.write_text(text)
    status, _, err = shown(capsys, *QUICK, "--pdn", str(file), "--resume")
    assert status == 1
    assert "something else than games of this match" in err or "games of another match" in err
    assert file.read_text() == text


@pytest.mark.parametrize("resume", [[], ["--resume"]])
def test_a_match_is_kept_in_a_plain_file(resume: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path(os.devnull)):
        status, _, err = shown(capsys, *QUICK, "--pdn", str(path), *resume)
        assert status == 1
        assert "is not a regular file" in err


def test_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = shown(capsys, *QUICK, "--format", "json")
    data = json.loads(out)
    assert status == 0
    assert [each["number"] for each in data["games"]] == [1, 2, 3, 4, 5, 6]
    assert sum(data["scores"]["random:1"]["first"]) == 3
    assert data["match"]["plies"] is None
    _, out, _ = shown(capsys, "match", "minimax:1", "random:1", "--game", "capture", "--games", "2", "--format", "json")
    scores = json.loads(out)["scores"]
    assert [scores[each]["elo"] for each in scores] == ["infinity", "-infinity"]
    assert [*map(type, scores["random:1"]["elo_interval"])] == [str, float]


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["random:1"], "two different players or more"),
        (["random:1", "random:1"], "random:1 and random:2 are different"),
        (["random:1", "best:3"], "is not a player"),
        (["random:1", "random:2", "--resume"], "--pdn"),
        (["random:1", "strachey:2"], "plays the game strachey only"),
    ],
)
def test_invalid_matches(arguments: list[str], fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = shown(capsys, "match", *arguments)
    assert status == 2
    assert fault in err


@pytest.mark.parametrize(("option", "least"), [("--opening", 0), ("--plies", 1), ("--games", 1), ("--jobs", 1)])
def test_invalid_numbers(option: str, least: int, capsys: pytest.CaptureFixture[str]) -> None:
    for text in (str(least - 1), "x", "1.5"):
        with pytest.raises(SystemExit):
            command.main(["match", "random:1", "random:2", f"{option}={text}"])
        assert f"expected a whole number of at least {least}, found {text!r}" in capsys.readouterr().err


STARTED = "import multiprocessing, sys; multiprocessing.set_start_method(sys.argv.pop(1)); import cpl.__main__"
"""`python -m cpl`, with the way to start processes before what the command is given."""


def started(start: str, *arguments: str | Path) -> subprocess.Popen[str]:
    """A match in a process of its own, with two jobs."""
    return subprocess.Popen(
        [sys.executable, "-c", STARTED, start, "match", *map(str, arguments), "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("how", "start"),
    [(signal.SIGINT, "fork"), (signal.SIGKILL, "forkserver")],  # Python 3.14 has the server if nothing is said
)
def test_a_match_that_was_killed_gives_the_same_table_in_the_end(
    how: signal.Signals, start: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Half-way; the games that were finished are whole, and no process is left behind."""
    arguments = ["random:1", "minimax:1", "--games", "24", "--seed", "3"]
    _, expected, _ = shown(capsys, "match", *arguments, "--pdn", str(tmp_path / "whole.pdn"))
    file = tmp_path / "games.pdn"
    process = started(start, *arguments, "--pdn", file)
    while process.poll() is None and (not file.exists() or file.read_text().count("[Round") < 3):
        time.sleep(0.02)
    os.kill(process.pid, how)
    try:
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    if how == signal.SIGINT and process.returncode != 0:
        assert process.returncode == 130
        assert "--resume continues" in err
    match = Match("checkers", ("random:1", "minimax:1"), 24, 3)
    assert len(recorded(file.read_text(), game_of("checkers"), match)) >= 2
    status, out, _ = shown(capsys, "match", *arguments, "--pdn", str(file), "--resume", "--jobs", "2")
    assert (status, out) == (0, expected)
    assert file.read_text() == (tmp_path / "whole.pdn").read_text()


@pytest.mark.parametrize("pause", [0, 1])
def test_nobody_waits_for_games_that_are_interrupted(tmp_path: Path, pause: float) -> None:
    """They would take minutes. The processes may be about to begin, or to play."""
    file = tmp_path / "games.pdn"
    process = started("fork", "alphabeta:9", "alphabeta:8", "--pdn", file)
    while not file.exists():
        time.sleep(0.002)
    time.sleep(pause)
    os.kill(process.pid, signal.SIGINT)
    try:
        _, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 130
    assert "0 of 10 games" in err
    assert "Traceback" not in err
