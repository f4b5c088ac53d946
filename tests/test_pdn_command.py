"""`cpl pdn`: files of games listed, filtered, checked, converted and drawn."""

import json
import re
from pathlib import Path

import pytest
from command_line import run, run_alone

from cpl.games.checkers import action_text, from_fen, read_pdn

GAMES = """\
[Event "Club"]
[Date "1987.05.01"]
[Black "Ann Archer"]
[White "Bob Baker"]
[Result "1-0"]

1. 11-15 {as always} 22-18! 2. 15x22 25x18 (26x17) 1-0

[Event "Club"]
[Date "1988"]
[Black "Bob Baker"]
[White "Zoë \x1b[31mred"]

1. 9-13 9-13 1/2-1/2

[Event "Study"]
[SetUp "1"]
[FEN "B:W6,7,14,15,32:B2"]

1. 2x18 14-9 *
"""
BAD = "line 14, game 2: '9-13' cannot be played: "


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.pdn"
    path.write_text(GAMES, encoding="utf-8")
    return path


def test_the_list(file: Path) -> None:
    done = run("cpl", "pdn", file, well=True)
    assert done.stdout == (
        "game  Black – White                    event  date        result   plies\n"
        "   1  Ann Archer – Bob Baker           Club   1987.05.01  1-0          4\n"
        "   2  Bob Baker – Zoë <U+001B>[31mred  Club   1988        1/2-1/2      2\n"
        "   3  ? – ?                            Study              *            2\n"
        "\n"
        "3 games\n"
    )


def test_filters(file: Path) -> None:
    for options, numbers in {
        "--player BAKER": [1, 2],
        "--player zoë": [2],
        "--event stud": [3],
        "--result 1/2-1/2": [2],
        "--date 1987": [1],
        "--number 2": [2],
        "--number 2-9 --event club": [2],
        "--player baker --result 0-1": [],
    }.items():
        done = run("cpl", "pdn", file, *options.split(), well=True)
        assert [int(number) for number in re.findall(r"^ +(\d+)  ", done.stdout, re.MULTILINE)] == numbers, options


def test_games_that_come_to_a_position(file: Path) -> None:
    fen = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15"
    done = run("cpl", "pdn", file, "--position", fen)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "1 game")
    assert "Ann Archer" in done.stdout
    assert done.stderr.startswith(f"cpl pdn: {file}: {BAD}")
    assert run("cpl", "pdn", file, "--position", f"B{fen[1:]}").stdout.endswith("\n0 games\n")


def test_a_check_and_a_warning_are_plain_lines(file: Path) -> None:
    done = run("cpl", "pdn", file, "--check")
    assert (done.returncode, done.stderr) == (1, "")
    error, summary = done.stdout.splitlines()
    assert error.startswith(f"{file}: {BAD}")
    assert summary == "3 games: 1 error, 0 warnings; 2 games with 6 plies legal"
    done = run("cpl", "pdn", "-", "--check", input='[FEN "B:W32:B1,29"]\n1-5\n', status=0)
    warning, summary = done.stdout.splitlines()
    assert warning.startswith("-: warning: line 1, game 1: 'B:W32:B1,29' has a man on 29, where he is crowned")
    assert summary == "1 game: 0 errors, 1 warning; 1 game with 1 ply legal"
    done = run("cpl", "pdn", "-", "--format", "pdn", input='[FEN "B:W32:B1,29"]\n1-5\n')
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert done.stderr.startswith(
        "cpl pdn: warning: line 1, game 1: 'B:W32:B1,29' has a man on 29, where he is crowned"
    )
    assert '[FEN "B:W32:B1,K29"]' in done.stdout
    done = run("cpl", "rules", "strachey.cpl", "--fen", "B:W32:B1,29")
    assert done.stderr == "cpl rules: warning: 'B:W32:B1,29' has a man on 29, where he is crowned: read as a king\n"


@pytest.mark.parametrize("speed", ["--plain", pytest.param("--native", marks=pytest.mark.long)])
def test_the_same_at_every_speed(file: Path, speed: str) -> None:
    for options in (["--check"], ["--format", "json"]):
        assert run("cpl", "pdn", file, *options, speed).stdout == run("cpl", "pdn", file, *options).stdout


def test_pdn_comes_out_clean(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.pdn"
    done = run("cpl", "pdn", file, "--format", "pdn", "-o", out)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    text = out.read_text(encoding="utf-8")
    assert "\n1. 11-15 {as always} 22-18! 2. 15x22 25x18 (26x17) 1-0\n" in text
    assert "\n1. 2x11x18 14-9 *\n" in text
    assert run("cpl", "pdn", out, "--format", "pdn").stdout == text
    plain = run("cpl", "pdn", out, "--format", "pdn", "--no-remarks").stdout
    assert "\n1. 11-15 22-18 2. 15x22 25x18 1-0\n" in plain
    assert [game.actions for game in read_pdn(plain)] == [game.actions for game in read_pdn(text)]


def test_json(file: Path) -> None:
    done = run("cpl", "pdn", file, "--format", "json", status=1)
    data = json.loads(done.stdout)
    first, last = data["games"]
    found = read_pdn(GAMES, errors="collect")
    assert first["moves"] == [action_text(action) for action in found[0].actions]
    assert first["remarks"] == {"1": ["{as always}"], "2": ["!"], "4": ["(26x17)"]}
    assert (first["tags"], first["result"], first["line"]) == (found[0].tags, "1-0", 1)
    assert (last["number"], from_fen(last["fen"])) == (3, (found[1].state, "red"))
    assert [(each["line"], each["game"]) for each in data["errors"]] == [(14, 2)]
    bare = run("cpl", "pdn", file, "--number", "1", "--format", "json", "--no-remarks")
    assert "remarks" not in json.loads(bare.stdout)["games"][0]


def test_a_board(file: Path, tmp_path: Path) -> None:
    done = run("cpl", "pdn", file, "--number", "3", "--board", "1", "--ascii", status=0)
    assert (done.stdout.count("b"), done.stdout.count("r"), done.stdout.count("[")) == (3, 1, 3)
    assert done.stdout.isascii()
    done = run_alone("cpl", "pdn", file, "--number", "3", "--board", "1", "--flip", "--numbers", LC_ALL="C")
    assert done.stdout.isascii()
    assert done.stdout.split()[0] == "32b"
    assert "○" in run_alone("cpl", "pdn", file, "--number", "3", "--board", "1", LC_ALL="C.UTF-8").stdout
    picture = tmp_path / "board.svg"
    assert run("cpl", "pdn", file, "--number", "3", "--board", "0", "-o", picture).returncode == 0
    assert "red man on 2; black man on 6;" in picture.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (["--board", "1"], 2, "--board draws one game, and 3 are chosen: name one with --number"),
        (["--number", "1", "--board", "5"], 2, "game 1 has 4 moves, not 5"),
        (["--number", "2", "--board", "0"], 1, BAD),
        (["--number", "4"], 1, "there is no game 4 in it: it has 3"),
        (["--number", "0"], 2, "expected a number or a range such as 10-20, found '0'"),
        (["--number", "3-2"], 2, "a range goes from the smaller number to the larger, found '3-2'"),
        (["--position", "nonsense"], 2, "'nonsense' is not a position"),
        (["--check", "--format", "pdn"], 2, "not allowed with"),
        (["--format", "pdn", "-o", "nowhere/x.pdn"], 1, "the folder nowhere does not exist"),
    ],
)
def test_what_cannot_be_done(file: Path, options: list[str], status: int, said: str) -> None:
    assert said in run("cpl", "pdn", file, *options, cwd=file.parent, fails=status).stderr


def test_the_file_itself_is_not_overwritten(file: Path) -> None:
    assert "is part of the input" in run("cpl", "pdn", file, "--format", "pdn", "-o", file, fails=2).stderr
    assert file.read_text(encoding="utf-8") == GAMES


def test_files_of_other_games_are_refused_by_name_and_have_their_own() -> None:
    text = '[GameType "20,W,10,10,N2,0"]\n32-28 *\n' * 30
    done = run("cpl", "pdn", "-", input=text)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "30 games")
    *lines, last = done.stderr.splitlines()
    assert len(lines) == 20
    assert all("international draughts, ten by ten, which is not read" in line for line in lines)
    assert last == "cpl pdn: -: 10 more errors; --check lists all"
    assert run("cpl", "pdn", "-", "--check", input=text).stdout.count("international") == 30
    text = '[Event "Capture the Flag"]\n\n1. b4-b3 b2xb4 *\n'
    assert run("cpl", "pdn", "-", "--game", "capture", "--check", input=text).stdout.endswith(
        "1 game with 2 plies legal\n"
    )


def test_what_is_no_file_of_games() -> None:
    for text in (b"", b"\xff\xfe\x00", b"{ nothing"):
        done = run("cpl", "pdn", "-", input=text, status=1)
        assert "Traceback" not in done.stderr
        assert done.stderr.startswith("cpl pdn: -: ")
    assert run("cpl", "pdn", "nowhere.pdn").stderr == "cpl pdn: nowhere.pdn: no such file or directory\n"


def test_who_goes_on_with_a_game_keeps_what_was_said_of_it(tmp_path: Path) -> None:
    """The tags, and the remarks on moves that stand. A game can be loaded whatever is wrong with those before it."""
    file, saved = tmp_path / "games.pdn", tmp_path / "saved.pdn"
    file.write_text('1. 11-16 11-16 *\n\n[Annotator "A"] {first} 11-15 {good} 22-18 {bad} *\n', encoding="utf-8")
    two = ("--red", "human", "--black", "human", "--ascii")
    typed = f"load {file} 2\nundo\n23-19\nsave {saved}\nquit\n"
    assert run("cpl", "play", *two, input=typed).returncode == 0
    text = saved.read_text(encoding="utf-8")
    assert '[Annotator "A"]' in text
    assert text.endswith("{first} 1. 11-15 {good} 23-19 *\n")
