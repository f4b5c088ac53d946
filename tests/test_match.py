"""Matches: reproducible, whole on disk, gone on with after any end; and the score that is kept."""

import json
import os
import re
import signal
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from math import inf
from pathlib import Path

import pytest
from command_line import run, started

import cpl
from cpl.cli import cpl as command
from cpl.executors import workers
from cpl.games import checkers, pdn
from cpl.games.checkers import read_pdn
from cpl.games.game import SEARCHES, End, Game, Speed, use
from cpl.games.live import Adjudication
from cpl.games.match import (
    Match,
    Opening,
    Pairing,
    Played,
    Score,
    ballots,
    elo,
    opening_at,
    pairings,
    played,
    read_openings,
    recorded,
    table,
    text_of,
)
from cpl.games.playable import NAMES, game_of
from cpl.games.players import BadPlayer, player

RANDOM = Match("checkers", ("random:1", "random:2", "random:3"), 4, seed=5)
QUICK = ["match", "random:1", "random:2", "--games", "6", "--seed", "3"]


def results(
    match: Match, waiting: Iterable[Pairing] | None = None, jobs: int = 1, *, speed: Speed = "optimised"
) -> list[Played]:
    """What is played of a match: of these pairings, or of all."""
    with workers(jobs) as staff:
        return [*staff.map(partial(played, match, speed), pairings(match) if waiting is None else waiting)]


@pytest.fixture(params=NAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return game_of(request.param)


@pytest.fixture
def speeds() -> Iterator[None]:
    yield
    use("optimised")


@pytest.mark.long
@pytest.mark.parametrize("speed", ["plain", "native"])
def test_searches_choose_the_same_at_every_speed(game: Game, speed: Speed, speeds: None) -> None:
    players = ("minimax:2", "alphabeta:3", *(["strachey:2"] if game.name == "strachey" else []))
    match = Match(game.name, players, 2, plies=30, opening=6)
    expected = results(match)
    assert results(match, speed=speed) == expected
    assert any(len(done.moves) == 30 for done in expected)


def test_games_behind_the_protocol_do_not_change_what_they_look_at(game: Game) -> None:
    """Every move is written in a way of its own, and what is written is read as that move."""
    done = played(
        Match(game.name, ("random:1", "random:2"), 1), "optimised", Pairing(1, ("random:1", "random:2"), Opening())
    )
    turn = game.start()
    for ply, text in enumerate(done.moves):
        assert turn.side == game.sides[ply % 2]
        texts = [game.text(move) for move in turn.legal]
        assert len({*texts}) == len(texts)
        assert game.end(turn) is None
        move = game.read(turn, f" {text.upper()} ")
        assert game.text(move) == text
        turn = game.play(turn, move)
    assert game.end(turn) == done.end or done.end.winner is None
    turn = game.start()
    before, picture = repr(turn), turn._repr_svg_()
    assert picture == game.board(turn).svg()
    for move in turn.legal:
        after = game.play(turn, move)
        assert after._repr_svg_() not in (picture, game.board(after, move).svg())
    game.search(turn, "alphabeta", 2)
    assert repr(turn) == before


@pytest.mark.long
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
    # So it plays as alphabeta with one more: both judge by TerminalValue, and take the first of the best moves.
    game = game_of("strachey")
    turn, chance = game.start(), player("random:4", game)
    for ply in range(12):
        if ply % 3 == 0:
            for depth in (0, 1, 2):
                assert player(f"strachey:{depth}", game)(turn) == player(f"alphabeta:{depth + 1}", game)(turn)
        turn = game.play(turn, chance(turn))


@pytest.mark.parametrize("kind", ["minimax", "alphabeta"])
def test_players_with_weights(kind: str) -> None:
    """They choose as those of Python with the same weights, and not as the usual ones."""
    game, usual = game_of("checkers"), checkers.weights()
    chosen = usual | {"Pieces": 1, "SafeRunners": -500.5}
    named, listed = f"{kind}:2@Pieces=1,SafeRunners=-500.5", f"{kind}:2@{','.join(map(str, chosen.values()))}"
    strategy, turn, moves = SEARCHES[kind], game.start(), set()
    assert strategy
    for _ in range(8):
        expected = getattr(game.program, strategy)(turn.state, 2, [*chosen.values()])[1]
        move = player(named, game)(turn)
        assert turn.legal[move] == turn.legal[player(listed, game)(turn)] == expected
        moves.add(move == player(f"{kind}:2", game)(turn))
        turn = game.play(turn, move)
    assert False in moves


def test_invalid_players_and_matches() -> None:
    for text, game, fault in (
        ("alpha:3", "checkers", "is not a player"),
        ("", "checkers", "is not a player"),
        ("minimax:0", "checkers", "1 or more"),
        ("minimax:x", "checkers", "how many plies"),
        ("minimax:", "checkers", "how many plies"),
        ("random:-1", "checkers", "a seed"),
        ("minimax:²", "checkers", "how many plies"),
        ("strachey:2", "checkers", "plays the game strachey only"),
        ("random:2@Kings=1", "checkers", "for minimax and alphabeta, in checkers"),
        ("alphabeta:2@Pawns=1", "capture", "for minimax and alphabeta, in checkers"),
        ("alphabeta:2@", "checkers", "10 weights, or some by name, as in Kings=80"),
        ("alphabeta:2@1,2", "checkers", "10 weights, or some by name, as in Kings=80"),
        ("alphabeta:2@King=1", "checkers", "no feature 'King', only CaptureStep, "),
        ("alphabeta:2@Kings=1001", "checkers", "'1001' is not a weight from -1000 to 1000"),
        ("alphabeta:2@Kings=nan", "checkers", "'nan' is not a weight"),
        ("alphabeta:2@Kings=", "checkers", "'' is not a weight"),
    ):
        with pytest.raises(BadPlayer, match=fault):
            player(text, game_of(game))
    for arguments, fault in (
        (["random:1"], "two different players or more"),
        (["random:1", "random:1"], "random:1 and random:2 are different"),
        (["random:1", "best:3"], "is not a player"),
        ([*TWO, "--resume"], "--pdn"),
        (["random:1", "strachey:2"], "plays the game strachey only"),
        ([*TWO, "--fen", "B:W1:B1"], "argument --fen: 'B:W1:B1' is not a position"),
        ([*TWO, "--openings", "ballots", "--game", "capture"], "openings of checkers, and not of capture"),
        ([*TWO, "--fen", "W:W5:B1"], "argument --fen: nothing can be played"),
        ([*TWO, "--adjudicate=3"], "expected LEAD,PLIES, such as 3,20, found '3'"),
        ([*TWO, "--adjudicate=3,0"], "expected LEAD,PLIES, such as 3,20, found '3,0'"),
        *(
            ([*TWO, f"{option}={text}"], f"expected a whole number of at least {least}, found {text!r}")
            for option, least in (("--opening", 0), ("--plies", 1), ("--games", 1), ("--jobs", 1))
            for text in (str(least - 1), "x", "1.5")
        ),
    ):
        done = run("cpl", "match", *arguments)
        assert (done.returncode, fault in done.stderr) == (2, True), done.stderr


def test_every_player_meets_every_other_with_both_sides() -> None:
    met = [each.players for each in pairings(RANDOM)]
    assert len(met) == 12
    assert [each.number for each in pairings(RANDOM)] == [*range(1, 13)]
    for one in RANDOM.players:
        for other in RANDOM.players:
            assert met.count((one, other)) == (0 if one == other else 2)


def test_a_game_of_a_match_depends_on_its_number_and_the_seed_only() -> None:
    waiting = [*pairings(RANDOM)]
    alone = results(RANDOM)
    assert results(RANDOM, jobs=2) == alone
    assert results(RANDOM, waiting[5:7]) == alone[5:7], "a game does not depend on those before it"
    assert alone != results(Match("checkers", RANDOM.players, 4, seed=6), waiting)


def test_each_opening_is_played_twice_with_the_sides_changed() -> None:
    """Every pair of players meets in the same ones, by the seed."""
    openings = read_openings(game_of("checkers"), ballots("ballots").read_text())
    match = Match("checkers", RANDOM.players, 8, openings=(*openings[:3],))
    games = results(match)
    assert {each.pairing.opening for each in games} == {*openings[:3]}
    assert all(each.moves[:3] == each.pairing.opening.moves for each in games)
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert one.pairing.opening == other.pairing.opening
        assert one.pairing.players == other.pairing.players[::-1]
    order = [each.pairing.opening for each in games]
    assert order[:8] == order[8:16] == order[16:]
    assert order[:2] == order[6:8]
    assert any([each.opening for each in pairings(replace(match, seed=seed))] != order for seed in range(1, 5))


def test_players_that_always_choose_the_same_play_different_games() -> None:
    """And each opening with both colours."""
    match = Match("checkers", ("alphabeta:1", "minimax:1"), 4, opening=6)
    games = results(match)
    assert games[0].moves[:6] == games[1].moves[:6] != games[2].moves[:6] == games[3].moves[:6]


def test_the_first_side_need_not_be_the_one_to_move() -> None:
    game = game_of("checkers")
    match = Match("checkers", ("alphabeta:3", "random:1"), 2, openings=(opening_at(game, "W:WK22,K23,K24:BK31"),))
    games = results(match)
    assert [each.end.winner for each in games] == ["white", "white"]
    text = "".join(text_of(game, match, each) for each in games)
    assert [*recorded(text, game, match)] == games
    assert [record.first for record in pdn.read(game, text)] == [game.from_fen("W:WK22,K23,K24:BK31")] * 2


def test_a_game_is_adjudicated_where_one_side_stays_ahead() -> None:
    match = Match("checkers", ("alphabeta:2", "random:1"), 2, adjudication=Adjudication(2, 4))
    games = results(match)
    assert all(
        "adjudicated: " in each.end.why and each.end.winner == ("black", "white")[each.pairing.number - 1]
        for each in games
    )
    assert all(len(each.moves) < 60 for each in games)
    assert str(match) != str(replace(match, adjudication=None)) != str(replace(match, adjudication=Adjudication(2, 5)))


def played_between(winner: str | None, one: str = "a", other: str = "b") -> Played:
    return Played(Pairing(1, (one, other), Opening()), (), End(winner, ""))


def test_a_table_counts_the_results_of_each_side() -> None:
    won = [played_between(winner) for winner in ("black", "black", None)]
    scores = table(
        game_of("checkers"), ("a", "b"), [*won, played_between("white", "b", "a"), played_between("black", "b", "a")]
    )
    assert (scores["a"].first, scores["a"].second) == ([2, 1, 0], [1, 0, 1])
    assert (scores["b"].first, scores["b"].second) == ([1, 0, 1], [0, 1, 2])
    assert (scores["a"].points, scores["a"].games, scores["a"].share) == (3.5, 5, 0.7)


def test_a_share_of_points_is_a_difference_of_elo() -> None:
    assert elo(0.5) == 0
    assert round(elo(0.75)) == 191
    assert (elo(1), elo(0)) == (inf, -inf)


def test_the_interval_of_a_score_is_wilsons() -> None:
    low, high = Score([5, 0, 5], [0, 0, 0]).interval
    assert (round(low, 4), round(high, 4)) == (0.2366, 0.7634)  # Wilson's for 5 of 10, as tables have it
    assert Score([0, 0, 0], [0, 0, 0]).interval == (0, 1)
    for games in range(1, 600):  # all and nothing have no limit
        assert Score([games, 0, 0], [0, 0, 0]).interval[1] == 1
        assert Score([0, 0, 0], [0, 0, games]).interval[0] == 0


def test_a_match_is_data(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = shown(capsys, *QUICK, "--format", "json")
    data = json.loads(out)
    assert status == 0
    assert [each["number"] for each in data["games"]] == [1, 2, 3, 4, 5, 6]
    assert sum(data["scores"]["random:1"]["first"]) == 3
    assert data["match"]["plies"] is None


def test_an_elo_without_limit_is_a_word_in_the_data(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = shown(capsys, "match", "minimax:1", "random:1", "--game", "capture", "--games", "2", "--format", "json")
    scores = json.loads(out)["scores"]
    assert [scores[each]["elo"] for each in scores] == ["infinity", "-infinity"]
    assert [*map(type, scores["random:1"]["elo_interval"])] == [str, float]


def test_a_file_of_games_is_read_back(game: Game) -> None:
    match = Match(game.name, ("random:1", "random:2"), 2, seed=2, plies=40)
    games = results(match)
    assert [*recorded("".join(text_of(game, match, each) for each in games), game, match)] == games


def refused(capsys: pytest.CaptureFixture[str], file: Path, *match: str) -> str:
    """What is said when a match cannot go on in a file, which stays as it is."""
    before = file.read_bytes()
    status, out, err = shown(capsys, *match, "--pdn", str(file), "--resume")
    assert (status, out, file.read_bytes()) == (1, "", before)
    return err


@pytest.mark.parametrize(
    ("players", "old", "new", "why"),
    [
        ("random:1", r'\[Result "', '[Result "*', "something else than games of this match"),
        ("random:1", r'\[Round "1"\]', '[Round "?"]', "something else than games of this match"),
        ("random:1", r'\[White "random:2"\]\n', "", "something else than games of this match"),
        ("random:1", r'\[Round "1"\]', '[Round "99"]', "something else than games of this match"),
        (
            "random:1",
            r"(?s)\[Black (.*?)\](.*?)\[White (.*?)\]",
            r"[Black \3]\2[White \1]",
            "something else than games",
        ),
        ("minimax:1", "1-0\n\n", "0-1\n\n", "differs from what its moves make"),
        ("minimax:1", r'\[Result "1-0"\]', '[Result "0-1"]', "differs from what its moves make"),
        ("minimax:1", r"(1\. \d+)-(\d+)", r"\1-30", "cannot be played"),
        (
            "minimax:1",
            r"(?s)\n\n1\..*?([01/2]+-[01/2]+\n\n)",
            r"\n\n1. 11-15 22-18 2. 15x22 25x18 \1",
            "is not finished",
        ),
        ("minimax:1", r"(?s) ([01/2]+-[01/2]+\n\n)", r" 99. 1-5 \1", "it goes on after its end"),
    ],
)
def test_a_damaged_file_is_refused_and_a_game_is_replayed_before_it_counts(
    players: str, old: str, new: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.pdn"
    match = ("match", players, "random:2", "--games", "2", "--seed", "3")
    damaged, changes = re.subn(old, new, whole_match(*match)[1], count=1)
    assert changes
    file.write_text(damaged)
    err = refused(capsys, file, *match)
    assert why in err and "where game 1 of the file should be" in err


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = command.main(arguments)
    out, err = capsys.readouterr()
    return status, out, err


@cache
def whole_match(*match: str) -> tuple[str, str]:
    """What a whole match prints, and its file. The match is played once, however many tests ask for it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.pdn"
        done = run("cpl", *match, "--pdn", file, well=True)
        return done.stdout, file.read_text()


def test_the_command_prints_a_table_and_writes_the_games() -> None:
    out, whole = whole_match(*QUICK)
    assert "6 games" in out
    assert "random:1" in out
    assert [game.tags["Round"] for game in read_pdn(whole)] == ["1", "2", "3", "4", "5", "6"]


def test_a_file_of_games_is_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, (_, whole) = tmp_path / "games.pdn", whole_match(*QUICK)
    file.write_text(whole)
    status, _, err = shown(capsys, *QUICK, "--pdn", str(file))
    assert status == 1
    assert "--resume" in err
    assert file.read_text() == whole


@pytest.mark.parametrize(
    ("part", "options"),
    [
        (lambda whole: "".join(re.split(r"(?=\[Event)", whole)[:4]), ["--jobs", "2"]),
        (lambda whole: whole[: whole.index("[Result", 2000)], []),
    ],
    ids=["after three games", "killed while it wrote"],
)
def test_a_match_goes_on_in_its_file(
    part: Callable[[str], str],
    options: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file, (out, whole) = tmp_path / "games.pdn", whole_match(*QUICK)
    file.write_text(part(whole))
    assert shown(capsys, *QUICK, "--pdn", str(file), "--resume", *options)[:2] == (0, out)
    assert file.read_text() == whole


def test_another_match_does_not_go_on_in_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, (_, whole) = tmp_path / "games.pdn", whole_match(*QUICK)
    file.write_text(whole)
    status, _, err = shown(capsys, *QUICK[:-1], "4", "--pdn", str(file), "--resume")
    assert status == 1
    assert "another match" in err
    assert file.read_text() == whole


OWN = b'[Event "Checkers, by the official rules"]\n[Date "2026.01.01"]\n[Black "human"]\n\n1. 11-15 *\n'
"""A game as `cpl play` saves one."""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (OWN, "something else than games of this match|games of another match"),
        (OWN + b"\n" + OWN, "something else than games of this match|games of another match"),
        (b'[Event "World Championship"]\n[Site "?"]\n1. 11-15 23-18 1-0\n', "something else than games of this match"),
        (b'[Event "my notes of today"]\nhello\n', "something else than games of this match"),
        (b"1. 11-15 *\n", "something else than games of this match"),
        (b"something else", "something else than games of this match"),
        (OWN.replace(b"Date", b"Round"), "something else than games of this match|games of another match"),
        (b"\xff\xfe\n\n\n", "something else than games of this match"),
    ],
)
def test_a_match_does_not_go_on_in_the_file_of_another(
    text: bytes, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not even after games of its own: it would lose what is there."""
    file = tmp_path / "games.pdn"
    for whole in (text, whole_match(*QUICK)[1].encode() + text):
        file.write_bytes(whole)
        assert re.search(why, refused(capsys, file, *QUICK))


@pytest.mark.parametrize("number", [1, 2, 5, 6])
def test_a_match_that_goes_on_loses_no_game_behind_a_damaged_one(
    number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.pdn"
    games = re.split(r"(?=\[Event)", whole_match(*QUICK)[1])
    games[number] = games[number].replace("]\n\n", "]\n")  # the blank line between tags and moves
    file.write_text("".join(games))
    assert re.search("damaged|something else", refused(capsys, file, *QUICK))


BEGUN = {
    "note": ("", "\n{lost by a blunder}"),
    "note before moves": ("", "note"),
    "text after a move": ("", " see page 12\n"),
    "illegal move": ("", " 1-32 "),
    "another seed": ("; seed 3;", "; seed 8;"),
    "another tag": ("[GameType", '[Annotator "me"]\n[GameType'),
}


@pytest.mark.parametrize("what", BEGUN)
@pytest.mark.parametrize("opening", [[], ["--opening", "4"]])
def test_only_the_beginning_of_a_game_of_the_match_is_cut_off(
    what: str, opening: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.pdn"
    _, whole = whole_match(*QUICK, *opening)
    before, last = re.fullmatch(r"(?s)(.*)(\[Event.*)", whole).groups()  # type: ignore[union-attr]
    begun = re.match(r"(?s).*?\n\n(\S+ ){9}", last)[0].rstrip()  # type: ignore[index]
    old, new = BEGUN[what]
    changed = begun.replace(old, new) if old else begun + new
    assert changed != begun
    file.write_text(before + changed)
    assert re.search("damaged|another match|something else", refused(capsys, file, *QUICK, *opening))


@pytest.mark.parametrize("lost", ["\n", "\n\n"])
def test_a_last_game_without_the_blank_line_after_it_is_whole(
    lost: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, (out, whole) = tmp_path / "games.pdn", whole_match(*QUICK)
    for text in (whole, "".join(re.split(r"(?=\[Event)", whole)[:4])):
        file.write_text(text.removesuffix(lost))
        assert shown(capsys, *QUICK, "--pdn", str(file), "--resume")[:2] == (0, out)
        assert file.read_text() == whole


@pytest.mark.parametrize("step", [29, pytest.param(7, marks=pytest.mark.long)])
def test_what_is_left_of_a_game_that_was_not_written_whole_is_played_again(
    step: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = (*QUICK, "--opening", "5")
    file, (out, whole) = tmp_path / "games.pdn", whole_match(*match)
    last = whole.rindex("[Event")
    for end in range(last, len(whole), step):
        file.write_text(whole[:end])
        assert shown(capsys, *match, "--pdn", str(file), "--resume")[:2] == (0, out), end
        assert file.read_text() == whole


def test_a_match_is_kept_in_a_plain_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path(os.devnull)):
        for resume in ([], ["--resume"]):
            status, _, err = shown(capsys, *QUICK, "--pdn", str(path), *resume)
            assert (status, "is not a regular file" in err) == (1, True)


TWO = ["random:1", "random:2"]


STARTED = "import multiprocessing, sys; multiprocessing.set_start_method(sys.argv.pop(1)); import cpl.__main__"
"""`python -m cpl`, with the way to start processes before what the command is given."""


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
    process = started("-c", STARTED, start, "match", *arguments, "--pdn", file, "--jobs", "2")
    while process.poll() is None and (not file.exists() or file.read_text().count("[Round") < 3):
        time.sleep(0.02)
    os.kill(process.pid, how)
    _, err = process.communicate(timeout=60)
    if how == signal.SIGINT and process.returncode != 0:
        assert process.returncode == 130
        assert "--resume continues" in err
    match = Match("checkers", ("random:1", "minimax:1"), 24, 3)
    assert len([*recorded(file.read_text(), game_of("checkers"), match)]) >= 2
    status, out, _ = shown(capsys, "match", *arguments, "--pdn", str(file), "--resume", "--jobs", "2")
    assert (status, out) == (0, expected)
    assert file.read_text() == (tmp_path / "whole.pdn").read_text()


@pytest.mark.parametrize("pause", [0, 1])
def test_nobody_waits_for_games_that_are_interrupted(tmp_path: Path, pause: float) -> None:
    """They would take minutes. The processes may be about to begin, or to play."""
    file = tmp_path / "games.pdn"
    process = started("-c", STARTED, "fork", "match", "alphabeta:9", "alphabeta:8", "--pdn", file, "--jobs", "2")
    while not file.exists():
        time.sleep(0.002)
    time.sleep(pause)
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "0 of 10 games" in err
    assert "Traceback" not in err
