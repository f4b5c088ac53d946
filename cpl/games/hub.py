"""The Hub protocol, version 2, by which draughts programs use engines: lines of the other program in, our lines out.

There are no threads and no clock here. `go` begins a `Search`. Whoever runs it passes on what is found to `Hub.found`,
and its end to `Hub.finished`, and sends the lines that these return. docs/hub.md describes what is understood.
"""

import re
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from math import copysign, isfinite
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
    """A line that cannot be obeyed. The message is one line."""


@dataclass
class Search:
    """A search that was asked for, and the last that it has found.

    While it is pondering, the opponent has still to make the move that was expected, and the `seconds` do not count.
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
        self._is_refused = False  # the last position; before the first it is the start of the game
        self._level: dict[str, Any] | None = None
        self._memory = new_memory()  # of this game
        self._values = {name: choices[0] for name, choices in PARAMETERS.items()}

    def receive(self, line: str) -> list[str]:
        """The answer to a line. What cannot be obeyed is answered by an error, and changes nothing else. A command that
        is unknown is ignored, as the protocol says.
        """
        command = "".join(line.split(None, 1)[:1])
        try:
            if command not in COMMANDS:
                return []
            if self.search and command not in _WHILE_SEARCHING:
                raise BadLine(f"{command} cannot be obeyed during a search: send stop first")
            values = _arguments(line.strip()[len(command) :])
            return [*(COMMANDS[command](self, values) or ())]
        except FenWarning:
            return [_line("error", message="a man stands where he would have been made a king")]
        except (BadLine, BadFen, BadMove) as error:
            return [_line("error", message=error)]

    def found(self, analysis: Analysis) -> list[str]:
        """Return what to send when the search has found this."""
        assert self.search
        self.search.analysis = analysis
        best, *_ = analysis.lines
        value = best.value / 100 if best.plies is None else copysign(_WON - best.plies / 100, best.value)
        return [
            _line(
                "info",
                depth=analysis.depth,
                score=f"{round(value, 2) + 0.0:.2f}",
                nodes=analysis.nodes,
                time=f"{analysis.seconds:.3f}",
                nps=f"{analysis.nodes / max(analysis.seconds, LEAST_SECONDS) / 1e6:.3f}",
                pv=" ".join(self._texts(analysis.turn, best.moves)),
            )
        ]

    def finished(self) -> list[str]:
        """Return what to send when the search has ended, stopped or by itself."""
        search, self.search = self.search, None
        assert search
        moves = search.analysis.lines[0].moves[:2] if search.analysis else [*search.turn.legal][:1]
        return [_line("done", **dict(zip(("move", "ponder"), self._texts(search.turn, moves), strict=False)))]

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
        """Take a position, and moves from there."""
        self._turn, self._is_refused = None, True
        self._turn = self._read(values.get("pos", ""), values.get("moves", ""))
        self._is_refused = False

    def do_level(self, values: Values) -> None:
        """Limit the next search."""
        self._level = {} if "infinite" in values else (self._level or {}) | _level(values)

    def do_go(self, values: Values) -> list[str]:
        """Begin a search."""
        level, self._level = self._level, None
        turn = self._turn or self.game.start()
        if self._is_refused or not turn.legal:
            refused = "there is no position: the last was refused"
            return [_line("error", message=refused if self._is_refused else "there is no move to search for"), "done"]
        if level is None:
            level = {} if "analyze" in values else {"seconds": USUAL_SECONDS}
        seconds = level.pop("seconds", None) if "ponder" in values else None
        self.search = Search(turn, Limits(**level, memory=self._memory), seconds)
        return []

    def do_ponder_hit(self, values: Values) -> None:
        """Do nothing: whoever runs the search has a clock."""

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
        with catch_warnings():
            simplefilter("error", FenWarning)
            turn = self.game.from_fen(_fen(position, is_turned=self._values["position"] == "pydraughts"))
        for text in moves.split():
            turn = replace(self.game.play(turn, read_move(turn, text)), before=turn)
        return turn

    def _texts(self, turn: Turn, moves: Iterable[Path]) -> Iterator[str]:
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
    squares = [move[0], move[-1], *sorted(_captured(move))]
    return ("x" if is_capture(move) else "-").join(turn.game.notation.squares[square] for square in squares)


def read_move(turn: Turn, text: str) -> Path:
    """Return the legal move that Hub writes so; the captured pieces may stand in any order.

    Moves as people write them are read, too. Raises BadMove.
    """
    start, end, *captured = turn.game.notation.path(text)
    written = (path for path in turn.legal if (path[0], path[-1], {*_captured(path)}) == (start, end, {*captured}))
    return next(written, ()) or turn.game.read(turn, text)


def _captured(move: Path) -> list[Square]:
    """The squares that a move jumps over."""
    steps = pairwise(move) if is_capture(move) else ()
    return [((row + to_row) // 2, (column + to_column) // 2) for (row, column), (to_row, to_column) in steps]


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
    pieces = [(sign.upper(), f"{'K' * sign.isupper()}{number}") for number, sign in enumerate(squares, 1)]
    white, black = (",".join(piece for owner, piece in pieces if owner == colour) for colour in "WB")
    return f"{side}:W{white}:B{black}"


def _level(values: Values) -> dict[str, Any]:
    """The limits of a level, as the fields of Limits."""
    level: dict[str, Any] = {name: _count(values[name], name) for name in ("depth", "nodes") if name in values}
    if "move-time" in values:
        level["seconds"] = max(_seconds(values["move-time"], "move-time"), LEAST_SECONDS)
    if "time" in values:
        remaining, increment = (_seconds(values.get(name, "0"), name) for name in ("time", "inc"))
        moves = _count(values.get("moves", str(_MOVES_LEFT)), "moves")
        # the increment is added before the move, and some time is kept for what comes unexpected
        level["seconds"] = max(min(remaining / moves + increment, 0.8 * (remaining + increment)), LEAST_SECONDS)
    return level


def _count(text: str, name: str) -> int:
    if not re.fullmatch("[0-9]{1,18}", text) or not int(text):
        raise BadLine(f"{name} is a whole number of at least 1, not {reprlib.repr(text)}")
    return int(text)


def _seconds(text: str, name: str) -> float:
    with suppress(ValueError):
        if isfinite(value := float(text)):
            return value
    raise BadLine(f"{name} is a number of seconds, not {reprlib.repr(text)}")


def _arguments(text: str) -> Values:
    """The arguments after a command. Raises BadLine."""
    if wrong := _ARGUMENT.sub("", text).strip():
        raise BadLine(f"{reprlib.repr(wrong)} is not an argument: write name=value")
    return {name: quoted or plain for name, quoted, plain in _ARGUMENT.findall(text)}


def _line(command: str, **values: Any) -> str:
    """A line with these arguments, quoted where they must be."""
    return " ".join([command, *(f"{name}={_quoted(str(value))}" for name, value in values.items())])


def _quoted(value: str) -> str:
    plain = value.replace('"', "'")
    return plain if re.fullmatch(r"[^\s=]+", plain) else f'"{plain}"'
