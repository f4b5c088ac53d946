"""The Hub protocol, version 2, by which draughts programs use engines: lines of the other program in, our lines out.

There are no threads and no clock here. `go` begins a `Search`. Whoever runs it passes on what is found to `Hub.found`,
and its end to `Hub.finished`, and sends the lines that these return. docs/hub.md describes what is understood.
"""

import re
import reprlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import pairwise
from math import copysign, isfinite, isinf
from typing import Any, Final, Protocol, TypeAlias

from cpl import __version__
from cpl.diagnostics import Invalid
from cpl.draughts.board import Square
from cpl.draughts.fen import BadFen
from cpl.draughts.moves import is_capture
from cpl.games.game import BadMove, Game, Path, Turn

PARAMETERS: Final = {"variant": ("english",), "position": ("official", "pydraughts")}
"""What the other program can set, and to what; the first is the default. english is the name that pydraughts has."""
USUAL_SECONDS: Final = 1.0
"""For a move, if the other program sets no limit."""
LEAST_SECONDS: Final = 0.01
_MOVES_LEFT: Final = 30
"""How many moves the remaining time must last for, if the other program does not say it."""
_WIN: Final = 100
"""The score of a game that is won, in men; a hundredth less for each ply that the win takes."""
_ARGUMENT: Final = re.compile(r'\s+([^\s="]+)(?:\s*=\s*(?:"([^"]*)"|([^\s="]+)))?')
_OTHER_COLOUR: Final = str.maketrans("wbWB", "bwBW")
_WHILE_SEARCHING: Final = ("ping", "ponder-hit", "stop", "quit")


class BadLine(Invalid):
    """A line that cannot be obeyed. The message is one line."""


class LineOfPlay(Protocol):
    """Moves, and what they are worth to the side that makes the first: a man is 100, a win infinite."""

    @property
    def value(self) -> float:
        """What it is worth."""

    @property
    def moves(self) -> Sequence[Path]:
        """One or more."""


class Finding(Protocol):
    """What a search has found at one depth: the lines of play, the best first."""

    @property
    def depth(self) -> int:
        """How many plies it looked ahead."""

    @property
    def nodes(self) -> int:
        """The positions that it looked at."""

    @property
    def seconds(self) -> float:
        """How long that took."""

    @property
    def lines(self) -> Sequence[LineOfPlay]:
        """None if there is no move."""


@dataclass(frozen=True)
class Limits:
    """How long a search may take; None is no limit."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None


@dataclass(eq=False)
class Search:
    """A search that was asked for: the turn, those before it, its limits, and the best that was found so far.

    While it is pondering, the opponent has still to make the move that was expected, and the clock stands still.
    """

    turn: Turn
    before: tuple[Turn, ...]
    limits: Limits
    is_pondering: bool
    best: Finding | None = None
    must_stop: bool = False


Thinker: TypeAlias = Callable[[Search], Iterable[Finding]]
"""Runs a search: what it finds at each depth."""


def think(search: Search) -> Iterator[Finding]:
    """The search of `cpl.games.analysis`."""
    analyse = import_module("cpl.games.analysis").analyse
    seconds = None if search.is_pondering else search.limits.seconds
    yield from analyse(search.turn, seconds=seconds, depth=search.limits.depth, history=search.before)


class Hub:
    """An engine for one game, as the other program sees it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.search: Search | None = None
        """What is to be searched now."""
        self.is_over = False
        """Whether the other program wants the engine to end."""
        self._turns = [game.start()]
        self._limits: Limits | None = None
        self._values = {name: choices[0] for name, choices in PARAMETERS.items()}

    def receive(self, line: str) -> list[str]:
        """The answer to a line. What cannot be obeyed is answered by an error, and changes nothing else."""
        try:
            command, values = _parsed(line)
            if self.search and command not in _WHILE_SEARCHING:
                raise BadLine(f"{command} cannot be obeyed during a search: send stop first")
            return self._obey(command, values)
        except (BadLine, BadFen, BadMove) as error:
            return [_line("error", message=error)]

    def found(self, search: Search, finding: Finding) -> list[str]:
        """What to send when a search has found this; nothing if the search was stopped."""
        if search is not self.search or not finding.lines:
            return []
        search.best = finding
        most = search.limits.nodes
        is_enough = search.must_stop or (most is not None and finding.nodes >= most)
        return [self._info(search, finding), *(self._done() if is_enough else [])]

    def finished(self, search: Search) -> list[str]:
        """What to send when a search has ended by itself; nothing if it was stopped before."""
        return self._done() if search is self.search else []

    def _obey(self, command: str, values: dict[str, str]) -> list[str]:
        match command:
            case "hub":
                offers = (
                    _line("param", name=name, value=value, type="enum", values=" ".join(PARAMETERS[name]))
                    for name, value in self._values.items()
                )
                return [_line("id", name="cplc", version=__version__, author="The cplc authors"), *offers, "wait"]
            case "set-param":
                self._set(values.get("name", ""), values.get("value", ""))
            case "init":
                return ["ready"]
            case "ping":
                return ["pong"]
            case "pos":
                self._turns = []
                self._turns = self._read(values.get("pos", ""), values.get("moves", ""))
            case "level":
                self._limits = _limits(values, self._limits or Limits())
            case "go":
                return self._go(values)
            case "ponder-hit":
                if self.search:
                    self.search.is_pondering = False
            case "stop":
                return self._stop()
            case "quit":
                self.is_over = True
            case "" | "new-game":  # nothing is kept from one search to the next
                pass
            case _:
                raise BadLine(f"{reprlib.repr(command)} is not a command of the Hub protocol, version 2")
        return []

    def _set(self, name: str, value: str) -> None:
        if name not in PARAMETERS:
            raise BadLine(f"there is no parameter {reprlib.repr(name)}: there are {' and '.join(PARAMETERS)}")
        if value not in PARAMETERS[name]:
            raise BadLine(f"{name} is {' or '.join(PARAMETERS[name])}, not {reprlib.repr(value)}")
        self._values[name] = value

    def _read(self, position: str, moves: str) -> list[Turn]:
        """The turns of a game from a position on, the last one last."""
        turns = [self.game.from_fen(_fen(position, is_turned=self._values["position"] == "pydraughts"))]
        for text in moves.split():
            turns.append(self.game.play(turns[-1], read_move(turns[-1], text)))
        return turns

    def _go(self, values: dict[str, str]) -> list[str]:
        limits, self._limits = self._limits, None
        if not self._turns or not self._turns[-1].legal:
            why = "there is no move to search for" if self._turns else "there is no position: the last was refused"
            return [_line("error", message=why), "done"]
        *before, turn = self._turns
        usual = Limits() if "analyze" in values else Limits(seconds=USUAL_SECONDS)
        self.search = Search(turn, (*before,), limits or usual, is_pondering="ponder" in values)
        return []

    def _stop(self) -> list[str]:
        """The end of the search, at once if it has found anything yet."""
        if self.search is None:
            return []
        self.search.must_stop = True
        return self._done() if self.search.best else []

    def _info(self, search: Search, finding: Finding) -> str:
        best, *_ = finding.lines
        value = copysign(_WIN - len(best.moves) / 100, best.value) if isinf(best.value) else best.value / 100
        speed = finding.nodes / max(finding.seconds, LEAST_SECONDS) / 1e6
        return _line(
            "info",
            depth=finding.depth,
            score=f"{round(value, 2) + 0.0:.2f}",
            nodes=finding.nodes,
            time=f"{finding.seconds:.3f}",
            nps=f"{speed:.6f}",
            pv=" ".join(self._texts(search.turn, best.moves)),
        )

    def _done(self) -> list[str]:
        search, self.search = self.search, None
        assert search
        moves = search.best.lines[0].moves[:2] if search.best else [*search.turn.legal][:1]
        names = ("move", "ponder")
        return [_line("done", **dict(zip(names, self._texts(search.turn, moves), strict=False)))]

    def _texts(self, turn: Turn, moves: Iterable[Path]) -> Iterator[str]:
        for move in moves:
            yield move_text(turn, move)
            turn = self.game.play(turn, move)


def move_text(turn: Turn, move: Path) -> str:
    """A move as Hub writes it: `11-15`, and for captures where from, where to, and the captured pieces, `15x31x18x26`.

    The pieces are in the order of their squares; the squares between are left out.
    """
    if not is_capture(move):
        return turn.game.text(move)
    squares = [move[0], move[-1], *sorted(_captured(move))]
    return "x".join(turn.game.notation.squares[square] for square in squares)


def read_move(turn: Turn, text: str) -> Path:
    """The legal move that Hub writes so; the captured pieces may stand in any order. Moves as people write them are
    read, too. Raises BadMove.
    """
    start, end, *captured = turn.game.notation.path(text)
    for path in turn.legal:
        if (path[0], path[-1], {*_captured(path)}) == (start, end, {*captured}):
            return path
    return turn.game.read(turn, text)


def _captured(move: Path) -> list[Square]:
    """The squares that a move jumps over."""
    if not is_capture(move):
        return []
    return [((row + to_row) // 2, (column + to_column) // 2) for (row, column), (to_row, to_column) in pairwise(move)]


def _fen(position: str, *, is_turned: bool) -> str:
    """The FEN of a position of Hub: the side to move and 32 squares. pydraughts turns its board, and exchanges colours,
    so that White begins there.
    """
    if not re.fullmatch("[WB][wbWBe]{32}", position):
        raise BadLine(
            f"{reprlib.repr(position)} is not a position of english draughts: expected W or B for the side to move, "
            "and w, b, W, B or e for each of the 32 squares"
        )
    side, squares = position[0], position[1:]
    if is_turned:
        side, squares = side.translate(_OTHER_COLOUR), squares[::-1].translate(_OTHER_COLOUR)
    pieces: dict[str, list[str]] = {"W": [], "B": []}
    for number, sign in enumerate(squares, 1):
        if sign != "e":
            pieces[sign.upper()].append(f"{'K' * sign.isupper()}{number}")
    return f"{side}:{':'.join(colour + ','.join(each) for colour, each in pieces.items())}"


def _limits(values: dict[str, str], earlier: Limits) -> Limits:
    """The limits of a level, beside those of earlier ones."""
    if "infinite" in values:
        return Limits()
    limits = earlier
    if "depth" in values:
        limits = replace(limits, depth=_whole(values, "depth"))
    if "nodes" in values:
        limits = replace(limits, nodes=_whole(values, "nodes"))
    if "move-time" in values:
        limits = replace(limits, seconds=max(_real(values, "move-time"), LEAST_SECONDS))
    if "time" in values:
        increment = _real(values, "inc") if "inc" in values else 0
        moves = _whole(values, "moves") if "moves" in values else _MOVES_LEFT
        remaining = _real(values, "time")
        # the increment is added before the move, and some time is kept for what comes unexpected
        share = min(remaining / moves + increment, 0.8 * (remaining + increment))
        limits = replace(limits, seconds=max(share, LEAST_SECONDS))
    return limits


def _whole(values: dict[str, str], name: str) -> int:
    text = values[name]
    if not (text.isascii() and text.isdigit() and len(text) < 19 and int(text)):
        raise BadLine(f"{name} is a whole number of at least 1, not {reprlib.repr(text)}")
    return int(text)


def _real(values: dict[str, str], name: str) -> float:
    try:
        value = float(values[name])
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise BadLine(f"{name} is a number of seconds, not {reprlib.repr(values[name])}")
    return value


def _parsed(line: str) -> tuple[str, dict[str, str]]:
    """The command of a line and its arguments; those without a value have an empty one. Raises BadLine."""
    command, *_ = [*line.split(None, 1), ""]
    rest = line.strip()[len(command) :]
    values: dict[str, str] = {}
    at = 0
    while at < len(rest):
        argument = _ARGUMENT.match(rest, at)
        if not argument:
            raise BadLine(f"{reprlib.repr(rest[at:].strip())} is not an argument: write name=value")
        name, quoted, plain = argument.groups()
        values[name] = quoted or plain or ""
        at = argument.end()
    return command, values


def _line(command: str, **values: Any) -> str:
    """A line with these arguments, quoted where they must be."""
    return " ".join([command, *(f"{name}={_quoted(str(value))}" for name, value in values.items())])


def _quoted(value: str) -> str:
    plain = value.replace('"', "'")
    return plain if re.fullmatch(r"[^\s=]+", plain) else f'"{plain}"'
