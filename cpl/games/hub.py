"""The Hub protocol, version 2, by which draughts programs use engines: lines of the other program in, our lines out.

There are no threads and no clock here. `go` begins a `Search`. Whoever runs it passes on what is found to `Hub.found`,
and its end to `Hub.finished`, and sends the lines that these return. docs/hub.md describes what is understood.
"""

import re
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from math import copysign, isfinite, nan
from typing import Any, Final
from warnings import catch_warnings, simplefilter

from cpl import __version__
from cpl.compiler.diagnostics import Invalid
from cpl.games.analysis import Analysis, Limits, new_memory
from cpl.games.game import BadMove, Game, Path, Turn
from cpl.games.moves import is_capture
from cpl.games.position import BadFen, FenWarning, Square

PARAMETERS: Final = {"variant": ("english",), "position": ("official", "pydraughts")}
"""What the other program can set, and to what; the first is the default. english is the name that pydraughts has."""
USUAL_SECONDS: Final = 1.0
"""For a move, if the other program sets no limit."""
LEAST_SECONDS: Final = 0.01
_MOVES_LEFT: Final = 30
"""How many moves the remaining time must last for, if the other program does not say it."""
_WON: Final = 100
"""The score of a game that is won, in men; a hundredth less for each ply that the win takes."""
_ARGUMENT: Final = re.compile(r'\s+([^\s="]+)(?:\s*=\s*(?:"([^"]*)"|([^\s="]+)))?')
_OTHER_COLOUR: Final = str.maketrans("wbWB", "bwBW")
_WHILE_SEARCHING: Final = ("ping", "ponder-hit", "stop", "quit")

Values = dict[str, str]
"""The arguments of a line; those without a value have an empty one."""


class BadLine(Invalid):
    """A line whose command cannot be done. The message is one line."""


@dataclass
class Search:
    """A search that was asked for, and the last analysis that it has found.

    A search that ponders runs while the opponent thinks. Its clock starts when he has made the expected move: `seconds`
    are those that it may take from then on.
    """

    turn: Turn
    limits: Limits
    seconds: float | None = None
    analysis: Analysis | None = None


class Hub:
    """An engine for one game, as the other program sees it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.search: Search | None = None
        """The search that is to run now."""
        self.is_over = False
        """Whether the other program wants the engine to end."""
        self._turn: Turn | None = None
        """The last position; before there is one, the game begins at its start."""
        self._is_refused = False
        """Whether the last position could not be read."""
        self._level: dict[str, Any] | None = None
        """The limits of the next search, if the other program has set any."""
        self._memory = new_memory()
        """The number under which the searches of a game remember what they found."""
        self._values = {name: choices[0] for name, choices in PARAMETERS.items()}

    def receive(self, line: str) -> list[str]:
        """Return the answer to a line: an error for a command that cannot be done, which changes nothing else. An
        unknown command is ignored, as the protocol says.
        """
        words = line.split(None, 1)
        command = words[0] if words else ""
        try:
            if command not in COMMANDS:
                return []
            if self.search and command not in _WHILE_SEARCHING:
                raise BadLine(f"{command} cannot be obeyed during a search: send stop first")
            values = _arguments(line.strip()[len(command) :])
            answer = COMMANDS[command](self, values)
            return [] if answer is None else [*answer]
        except FenWarning:
            return [_line("error", message="a man stands where he would have been made a king")]
        except (BadLine, BadFen, BadMove) as error:
            return [_line("error", message=error)]

    def found(self, analysis: Analysis) -> list[str]:
        """Return what to send when the search has found this."""
        assert self.search
        self.search.analysis = analysis
        best = analysis.lines[0]
        score = best.value / 100
        if best.plies is not None:
            score = copysign(_WON - best.plies / 100, best.value)
        per_second = analysis.nodes / max(analysis.seconds, LEAST_SECONDS)
        info = _line(
            "info",
            depth=analysis.depth,
            score=f"{round(score, 2) + 0.0:.2f}",  # + 0.0, so that it is never -0.00
            nodes=analysis.nodes,
            time=f"{analysis.seconds:.3f}",
            nps=f"{per_second / 1e6:.3f}",
            pv=" ".join(self._texts(analysis.turn, best.moves)),
        )
        return [info]

    def finished(self) -> list[str]:
        """Return what to send when the search has ended, stopped or by itself: the best move, and the answer to it that
        the search expects.
        """
        search = self.search
        assert search
        self.search = None
        moves = search.analysis.lines[0].moves if search.analysis else (next(iter(search.turn.legal)),)
        move, *answer = self._texts(search.turn, moves[:2])
        values = {"move": move}
        if answer:
            values["ponder"] = answer[0]
        return [_line("done", **values)]

    # The commands of the other program, with the values of their arguments; each returns the lines of its answer

    def do_hub(self, values: Values) -> Iterator[str]:
        """Say who we are, and what can be set."""
        yield _line("id", name="cplc", version=__version__, author="The cplc authors")
        for name, value in self._values.items():
            yield _line("param", name=name, value=value, type="enum", values=" ".join(PARAMETERS[name]))
        yield "wait"

    def do_set_param(self, values: Values) -> None:
        """Set a parameter. One that was not offered is ignored."""
        name, value = values.get("name", ""), values.get("value", "")
        if name not in PARAMETERS:
            return
        if value not in PARAMETERS[name]:
            possible = " or ".join(PARAMETERS[name])
            raise BadLine(f"{name} cannot be {reprlib.repr(value)}: it is {possible}")
        self._values[name] = value

    def do_init(self, values: Values) -> list[str]:
        """Compile the program, before the other program counts the time."""
        assert self.game.program
        return ["ready"]

    def do_ping(self, values: Values) -> list[str]:
        """Answer."""
        return ["pong"]

    def do_new_game(self, values: Values) -> None:
        """Forget what was found in the game before."""
        self._memory = new_memory()

    def do_pos(self, values: Values) -> None:
        """Read a position, and moves from there."""
        self._turn = None
        self._is_refused = True  # unless it can be read
        self._turn = self._read(values.get("pos", ""), values.get("moves", ""))
        self._is_refused = False

    def do_level(self, values: Values) -> None:
        """Limit the next search. Several levels add up, but for an infinite one."""
        if "infinite" in values:
            self._level = {}
        else:
            self._level = (self._level or {}) | _level(values)

    def do_go(self, values: Values) -> list[str]:
        """Begin a search."""
        level = self._level
        self._level = None
        if self._is_refused:
            return [_line("error", message="there is no position: the last was refused"), "done"]
        turn = self._turn or self.game.start()
        if not turn.legal:
            return [_line("error", message="there is no move to search for"), "done"]

        if level is None:
            level = {} if "analyze" in values else {"seconds": USUAL_SECONDS}
        seconds = None
        if "ponder" in values:  # the clock of this side starts when the opponent has moved
            seconds = level.pop("seconds", None)
        self.search = Search(turn, Limits(**level, memory=self._memory), seconds)
        return []

    def do_ponder_hit(self, values: Values) -> None:
        """Do nothing: whoever runs the search starts its clock."""

    def do_stop(self, values: Values) -> None:
        """Stop the search."""
        if self.search:
            self.search.limits.stopped.set()

    def do_quit(self, values: Values) -> None:
        """Stop the search, and end."""
        self.is_over = True
        self.do_stop(values)

    def _read(self, position: str, moves: str) -> Turn:
        """The turn after these moves from a position on; it knows those before."""
        fen = _fen(position, is_turned=self._values["position"] == "pydraughts")
        with catch_warnings():
            simplefilter("error", FenWarning)
            turn = self.game.from_fen(fen)
        for text in moves.split():
            after = self.game.play(turn, read_move(turn, text))
            turn = replace(after, before=turn)
        return turn

    def _texts(self, turn: Turn, moves: Iterable[Path]) -> Iterator[str]:
        """Yield the moves of a line of play as Hub writes them."""
        for move in moves:
            yield move_text(turn, move)
            turn = self.game.play(turn, move)


COMMANDS: Final[Mapping[str, Callable[[Hub, Values], Iterable[str] | None]]] = {
    name.removeprefix("do_").replace("_", "-"): method for name, method in vars(Hub).items() if name.startswith("do_")
}
"""The commands that are understood."""


def move_text(turn: Turn, move: Path) -> str:
    """Write a move as Hub does: `11-15`, and for captures where from, where to, and the captured pieces, `15x31x18x26`.

    The pieces are in the order of their squares; the squares between are left out.
    """
    sign = "x" if is_capture(move) else "-"
    squares = [move[0], move[-1], *sorted(_captured(move))]
    return sign.join(turn.game.notation.squares[square] for square in squares)


def read_move(turn: Turn, text: str) -> Path:
    """Return the legal move that Hub writes so; the captured pieces may stand in any order.

    Moves as people write them are read, too. Raises BadMove.
    """
    start, end, *captured = turn.game.notation.path(text)
    for path in turn.legal:
        if (path[0], path[-1]) == (start, end) and {*_captured(path)} == {*captured}:
            return path
    return turn.game.read(turn, text)


def _captured(move: Path) -> Iterator[Square]:
    """Yield the squares that a move jumps over."""
    if is_capture(move):
        for (row, column), (to_row, to_column) in pairwise(move):
            yield (row + to_row) // 2, (column + to_column) // 2


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
        side = side.translate(_OTHER_COLOUR)
        squares = squares[::-1].translate(_OTHER_COLOUR)
    pieces: dict[str, list[str]] = {"W": [], "B": []}
    for number, sign in enumerate(squares, 1):
        if sign != "e":
            pieces[sign.upper()].append(f"K{number}" if sign.isupper() else str(number))
    return f"{side}:W{','.join(pieces['W'])}:B{','.join(pieces['B'])}"


def _level(values: Values) -> dict[str, Any]:
    """The limits of a level, as the fields of Limits."""
    level: dict[str, Any] = {name: _count(values[name], name) for name in ("depth", "nodes") if name in values}
    if "move-time" in values:
        level["seconds"] = max(_seconds(values["move-time"], "move-time"), LEAST_SECONDS)
    if "time" in values:
        remaining = _seconds(values["time"], "time")
        increment = _seconds(values.get("inc", "0"), "inc")
        moves = _count(values.get("moves", str(_MOVES_LEFT)), "moves")
        # The increment is added before the move, and some time is left for what comes unexpected.
        share = remaining / moves + increment
        most = 0.8 * (remaining + increment)
        level["seconds"] = max(min(share, most), LEAST_SECONDS)
    return level


def _count(text: str, name: str) -> int:
    """Return a whole number of at least 1. Raises BadLine."""
    if not re.fullmatch("[0-9]{1,18}", text) or not int(text):
        raise BadLine(f"{name} is a whole number of at least 1, not {reprlib.repr(text)}")
    return int(text)


def _seconds(text: str, name: str) -> float:
    """Return a number of seconds, which may be negative. Raises BadLine."""
    try:
        value = float(text)
    except ValueError:
        value = nan
    if not isfinite(value):
        raise BadLine(f"{name} is a number of seconds, not {reprlib.repr(text)}")
    return value


def _arguments(text: str) -> Values:
    """The arguments after a command. Raises BadLine."""
    wrong = _ARGUMENT.sub("", text).strip()
    if wrong:
        raise BadLine(f"{reprlib.repr(wrong)} is not an argument: write name=value")
    return {name: quoted or plain for name, quoted, plain in _ARGUMENT.findall(text)}


def _line(command: str, **values: Any) -> str:
    """A line with these arguments, quoted where they must be."""
    arguments = [f"{name}={_quoted(str(value))}" for name, value in values.items()]
    return " ".join([command, *arguments])


def _quoted(value: str) -> str:
    plain = value.replace('"', "'")
    return plain if re.fullmatch(r"[^\s=]+", plain) else f'"{plain}"'
