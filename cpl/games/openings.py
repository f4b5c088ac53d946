"""Openings for matches: a text of PDN, or a list of FEN, in; the positions and moves that games begin with out."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from cpl import packaged
from cpl.games import pdn
from cpl.games.game import Game, Turn
from cpl.games.position import BadFen

BALLOTS: Final = ("ballots", "barred")
"""The openings of checkers that travel with the package: `programs/openings` has them, and says where they are from."""


class BadOpening(ValueError):
    """A text that holds no openings, or one that cannot be played. The message is one line."""


@dataclass(frozen=True)
class Opening:
    """How a game begins: a position as FEN, or where the game itself begins, and moves as text."""

    fen: str = ""
    moves: tuple[str, ...] = ()

    def first(self, game: Game) -> Turn:
        """The state before the moves."""
        return game.from_fen(self.fen) if self.fen else game.start()


def ballots(name: str) -> Path:
    """The file of one of BALLOTS."""
    return packaged.folder("programs") / "openings" / f"{name}.pdn"


def read(game: Game, text: str) -> list[Opening]:
    """The openings of a file: games of PDN, or positions, one a line, between lines that begin with `#`, `;` or `%`.

    Raises BadOpening, also for an opening after which nothing can be played.
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line and line[0] not in "#;%"]
    is_list = lines and re.match(r"[BW]\s*:", lines[0][1], re.IGNORECASE)
    try:
        openings = [*(_positions(game, lines) if is_list else _games(game, text))]
    except pdn.BadPdn as error:
        raise BadOpening(str(error)) from None
    if not openings:
        raise BadOpening("there is no opening in it")
    return openings


def identity(openings: Iterable[Opening]) -> str:
    """A short text that differs for other openings."""
    lines = [f"{each.fen} {' '.join(each.moves)}" for each in openings]
    return f"{len(lines)}, {sha256(chr(10).join(lines).encode()).hexdigest()[:8]}"


def position(game: Game, fen: str) -> Opening:
    """A position as an opening. Raises BadOpening."""
    try:
        turn = game.from_fen(fen)
    except BadFen as error:
        raise BadOpening(str(error)) from None
    _check(game, turn)
    return Opening(game.to_fen(turn))


def _positions(game: Game, lines: Iterable[tuple[int, str]]) -> Iterator[Opening]:
    for number, line in lines:
        with _where(f"line {number}"):
            yield position(game, line)


def _games(game: Game, text: str) -> Iterator[Opening]:
    start = game.start()
    for entry in pdn.entries(game, text):
        record = entry.record
        turn, fen = record.first, "" if record.first == start else game.to_fen(record.first)
        for move in record.moves:
            turn = game.play(turn, move)
        with _where(f"line {entry.line}, game {entry.number}"):
            _check(game, turn)
        yield Opening(fen, tuple(map(game.text, record.moves)))


def _check(game: Game, turn: Turn) -> None:
    if end := game.end(turn):
        raise BadOpening(f"nothing can be played after this opening: {end.why}")


@contextmanager
def _where(place: str) -> Iterator[None]:
    """Within, errors say where they are."""
    try:
        yield
    except BadOpening as error:
        raise BadOpening(f"{place}: {error}") from None
