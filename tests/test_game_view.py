"""Games to look through: the right positions, whatever the game, and nothing in a file gets out of its text."""

import json
import re
import warnings
from itertools import product
from pathlib import Path

import pytest
from cplrt import Logical

import cpl
from cpl.games.game import Game, Turn
from cpl.games.live import LiveGame
from cpl.games.pdn import BadPdn, PdnWarning
from cpl.games.playable import NAMES, game_of
from cpl.games.players import player
from cpl.games.position import from_fen

FOUR_MOVES = '[Black "A"]\n[White "B"]\n[Result "1-0"]\n\n1. 11-15 22-18 2. 15x22 25x18 1-0\n'


def played(game: Game, plies: int) -> LiveGame:
    live = LiveGame(game, {side: player("random:3", game) for side in game.sides}, plies)
    live.finish()
    return live


def script_data(html: str) -> dict:
    found = re.search(r'<script type="application/json">(.*?)</script>', html, re.DOTALL)
    assert found
    return json.loads(found[1])


def test_a_game_is_shown_move_by_move() -> None:
    view = cpl.game_view(cpl.read_game(FOUR_MOVES))
    assert view.to_dict() == {
        "title": "A – B",
        "tags": {"Black": "A", "White": "B"},
        "result": "1-0",
        "moves": ["11-15", "22-18", "15x22", "25x18"],
        "positions": [frame.fen for frame in view.frames],
    }
    assert view.frames[-1].fen.startswith("B:W18,21,23,24,26,27,28,29,30,31,32:B1,2,")
    text = repr(view)
    assert text.startswith(
        "A – B\nCheckers, by the official rules · 1-0, black won\n1. 11-15 22-18 2. 15x22 25x18 1-0\n"
    )
    assert text.endswith(view.frames[-1].board.text())


@pytest.mark.long
def test_every_game_and_its_positions_can_be_looked_through() -> None:
    for name in NAMES:
        live = played(game_of(name), 12)
        view = cpl.game_view(live)
        assert view.moves == [live.game.text(move) for move in live.played]
        data = script_data(live._repr_html_())
        assert len(data["frames"]) == len(live.states)
        for frame, shown in zip(view.frames, data["frames"], strict=True):
            assert "\n".join(data["lines"][number] for number in shown["lines"]) == frame.board.svg()
    live = played(game_of("strachey"), 10)
    positions = [turn.state for turn in live.states]
    view = cpl.game_view(positions)
    assert view.moves == [live.game.text(move) for move in live.played]
    assert [from_fen(fen) for fen in view.to_dict()["positions"]] == positions
    assert cpl.game_view([positions[0], positions[5]]).moves[0].startswith("to ")
    on, beside = ((Logical(squares), Logical([35]), Logical([]), 1) for squares in ([5], [5, 100]))
    assert cpl.game_view([beside, on, beside]).to_dict()["positions"] == ["", "B:W28:B1", ""]
    game = game_of("strachey")
    assert cpl.game_view(LiveGame(game, {}, first=Turn(game, beside, "black"))).frames[0].fen == ""
    tags = {"Event": "Open", "Date": "1966.09.??", "Black": "A", "White": "B"}
    headings = dict.fromkeys(("Black", "White"), "Open\n1966.09.?? · ") | {
        "Event": "A – B\nCheckers, by the official rules · 1966.09.?? · ",
        "Date": "A – B\nOpen · ",
    }
    for (tag, heading), unknown in product(headings.items(), ("", "?", "????.??.??")):
        text = "".join(f'[{name} "{value}"]\n' for name, value in (tags | {tag: unknown}).items())
        assert repr(cpl.game_view(cpl.read_game(f"{text}\n1. 11-15 *"))).startswith(f"{heading}unfinished\n")
    for result, words in (("1/2-1/2", "a draw"), ("1-1", "a draw"), ("0-0", "both lost")):
        assert f"\n{result}, {words}\n" in repr(cpl.game_view(cpl.read_game(f"1. 11-15 {result}")))


def test_long_games_are_cut_and_texts_stay_texts() -> None:
    live = played(game_of("strachey"), 300)
    again = live.states + live.states[-2::-1]
    html = cpl.game_view([turn.state for turn in again * 3])._repr_html_()
    frames = len(script_data(html)["frames"])
    assert frames > 300
    assert len(html) < 1_000_000
    assert html.count("<img") == 11
    assert f"… {frames - 11} positions left out …" in html
    hostile = "</script><img src=x onerror=alert(1)>\x1b[31m"
    record = cpl.read_game(f'[Black "{hostile}"]\n[White "{hostile}"]\n[Event "{hostile}"]\n\n1. 11-15 *')
    html = record._repr_html_()
    assert "onerror=alert(1)&gt;" in html
    assert "<img src=x" not in html
    assert "\x1b" not in repr(cpl.game_view(record))
    for wrong in ([], [1, 2], "11-15"):
        with pytest.raises((TypeError, ValueError), match="a game"):
            cpl.game_view(wrong)  # type: ignore[arg-type]


def test_files_and_texts(tmp_path: Path) -> None:
    path = tmp_path / "club.pdn"
    path.write_text(FOUR_MOVES + "\n" + FOUR_MOVES.replace('"A"', '"C"'))
    assert cpl.read_game(str(path)).tags["Black"] == "A"
    assert cpl.read_game(path, number=2).tags["Black"] == "C"
    with pytest.raises(BadPdn, match=r"club\.pdn: there is no game 3"):
        cpl.read_game(path, number=3)
    with pytest.raises(FileNotFoundError):
        cpl.read_game("nowhere.pdn")
    with pytest.raises(BadPdn, match="cannot be played"):
        cpl.read_game("1. 11-20")
    with pytest.raises(ValueError, match="there is no game 'chess'"):
        cpl.read_game(FOUR_MOVES, game="chess")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_files_in_older_encodings(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "games.pdn"
    path.write_text('[Black "J\xf6rg"]\n\n1. 11-15 *\n', encoding=encoding)
    record = cpl.read_game(path)
    assert (record.tags["Black"], len(record.moves)) == ("J\xf6rg", 1)
    with path.open("ab") as file:
        file.write(b"\n")  # half a sign of UTF-16
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PdnWarning)  # it is no move
        assert len(cpl.read_game(path).moves) == 1
