"""Answers to a page about a game: how it stands, what can be played, what a player chooses and why, its PDN.

A game is its name, the FEN that it begins at (empty for the usual start) and its moves as texts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Any, Final
from warnings import catch_warnings, simplefilter

from cpl.games import pdn
from cpl.games.analysis import Limits, Line, search
from cpl.games.board import Board, colour_of
from cpl.games.live import HINT, LiveGame
from cpl.games.moves import spaced
from cpl.games.playable import game_of
from cpl.games.players import player
from cpl.games.position import Square, square_names
from cpl.study.views.tree import as_html, search_tree

THINKING: Final = 2.0
"""Seconds of an analysis,"""
LINES: Final = 3
"""and how many lines of play it shows."""
MOST_GAMES: Final = 1000
"""Games of a file of PDN that are listed."""


def state(game: str, fen: str, moves: Sequence[str], flipped: bool) -> dict[str, Any]:
    """Return how a game stands after its moves: its board as a picture and square by square, and the legal moves."""
    live = _live(game, fen, moves)
    last_move = live.played[-1] if live.played else ()
    board = live.game.board(live.state, last_move)
    names = board.labels or square_names(board.size)

    in_view = range(board.size)
    if flipped:
        in_view = in_view[::-1]
    rows = [[_square(board, names, (row, column)) for column in in_view] for row in in_view]

    legal = []
    for move in live.moves():
        legal.append({"text": live.game.text(move), "squares": [names[square] for square in move]})

    end = live.end
    return {
        "title": live.game.title,
        "sides": live.game.sides,
        "side": live.side,
        "board": replace(board, flipped=flipped).svg(),
        "rows": rows,
        "legal": legal,
        "counts": live.count(),
        "fen": live.game.to_fen(live.state),
        "end": {"winner": end.winner, "why": end.why} if end else None,
    }


def choose(game: str, fen: str, moves: Sequence[str], player: str) -> str:
    """The move that a player chooses, `hint` for the one that gives hints."""
    live = _live(game, fen, moves)
    live.refuse_end()
    chosen = _player(game, HINT if player == "hint" else player)
    return live.game.text(chosen(live.state))


def understand(game: str, fen: str, moves: Sequence[str], typed: str) -> str:
    """The legal move that a text means. Raises BadMove with the reason if it means none."""
    live = _live(game, fen, moves)
    live.refuse_end()
    return live.game.text(live.game.read(live.state, spaced(typed)))


def why(game: str, fen: str, moves: Sequence[str]) -> dict[str, Any]:
    """Return what speaks for a move in the last position: the search tree of the program of 1966 by its own rules, else
    the best lines of play.
    """
    live = _live(game, fen, moves)
    live.refuse_end()
    if live.game.name == "strachey":
        return {"tree": as_html(search_tree(live.state.state))}
    analysis = search(live.state, Limits(seconds=THINKING), LINES)
    lines = []
    for line in analysis.lines:
        lines.append({"value": _value(line), "moves": [*map(live.game.text, line.moves)]})
    return {"side": live.side, "depth": analysis.depth, "positions": analysis.nodes, "lines": lines}


def write(game: str, fen: str, moves: Sequence[str], players: Sequence[str]) -> str:
    """The game as PDN."""
    live = _live(game, fen, moves)
    tags = {}
    if not live.game.game_type:  # else the type of game says which game it is
        tags["Event"] = live.game.title
    tags |= dict(zip(live.game.tags, players, strict=True))
    result = pdn.result_of(live.game, live.end)
    return pdn.write(live.game, pdn.Record(live.states[0], live.played, tags, result))


def listed(game: str, text: str) -> list[str]:
    """What tags and result say of each game of a text of PDN, in a line. Raises BadPdn if there is none."""
    entries = islice(pdn.entries(game_of(game), text), MOST_GAMES)
    summaries = [_summary(entry) for entry in entries]
    if not summaries:
        raise pdn.BadPdn("there is no game in it")
    return summaries


def _summary(entry: pdn.Entry) -> str:
    """Players, event, date and result of a game, in a line."""
    known = {name.lower(): value for name, value in entry.tags.items() if value.strip("?. ")}  # ? stands for unknown
    players = " – ".join(known[side] for side in ("black", "white") if side in known)
    return ", ".join(filter(None, [players, known.get("event"), known.get("date"), entry.result])) or "a game"


def read(game: str, text: str, number: int) -> dict[str, Any]:
    """The game of that number, from 1, in a text of PDN, with warnings. Raises BadPdn."""
    with catch_warnings(record=True) as caught:
        simplefilter("always")
        record = pdn.nth(game_of(game), text, number)
    first = record.first
    fen = first.game.to_fen(first)
    usual_fen = first.game.to_fen(first.game.start())
    live = LiveGame(first.game, {}, first=first)
    moves = [live.play(move) for move in record.moves]
    warnings = [str(warning.message) for warning in caught]
    return {"fen": "" if fen == usual_fen else fen, "moves": moves, "warnings": warnings}


def _value(line: Line) -> str:
    """Return the value of a line of play for the side to move, a man being worth 1."""
    if line.plies is None:
        return f"{line.value / 100:+.2f}"
    outcome = "wins" if line.value > 0 else "loses"
    return f"{outcome} in {line.plies} plies"


@lru_cache(maxsize=8)
def _player(game: str, text: str) -> Any:
    return player(text, game_of(game))


@lru_cache(maxsize=1)
def _begun(name: str, fen: str) -> LiveGame:
    """A game from its first position, which `_live` plays on; the same object as long as it is asked about."""
    game = game_of(name)
    first = game.from_fen(fen) if fen else None
    return LiveGame(game, dict.fromkeys(game.sides), first=first)


def _live(name: str, fen: str, moves: Sequence[str]) -> LiveGame:
    """The game. That of the question before is taken up: mostly it has a move more or less."""
    live = _begun(name, fen)
    common = 0
    for played, move in zip(live.played, moves, strict=False):
        if live.game.text(played) != move:
            break
        common += 1

    while len(live.played) > common:
        live.back()
    for text in moves[common:]:
        live.play(live.game.read(live.state, text))
    return live


def _square(board: Board, names: Mapping[Square, str], square: Square) -> dict[str, Any] | None:
    """A square that pieces may stand on: its name, and what stands there in words."""
    if square not in names:
        return None
    piece = board.pieces.get(square)
    if not piece:
        return {"name": names[square], "side": "", "piece": ""}
    return {"name": names[square], "side": colour_of(piece), "piece": board.kind(piece)}
