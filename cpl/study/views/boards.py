"""Boards and games to look at: one position, several in a row, or a game to look through.

`games/board` draws each board, with the colours of `games/board_style.json`. A game is shown as a strip of small boards
and, where scripts run, as one large board with buttons to step through it. The input is a game of `cpl.games`, or
positions of the program of 1966. Each board is a complete picture; `static/game_view.js` only replaces one by another.
"""

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Final, cast

from cplrt.checkers import is_position

from cpl import outside
from cpl.compiler.diagnostics import Invalid
from cpl.compiler.wording import form
from cpl.games import checkers, pdn
from cpl.games.board import Board, is_drawable, picture
from cpl.games.game import Draughts, Game, Path, Turn
from cpl.games.live import LiveGame
from cpl.games.moves import OFFICIAL, BadMove, moves_between, named
from cpl.games.pdn import Record
from cpl.games.playable import game_of
from cpl.games.position import NUMBERS, Position, from_fen
from cpl.outside import escape, printable
from cpl.study.views.page_style import bundle, embedded, fragment


@dataclass(frozen=True, repr=False)
class Boards:
    """Boards by their names: notebooks show them in rows, and as text they are one below the other."""

    boards: Mapping[str, Board]

    def __repr__(self) -> str:
        return "\n\n".join(f"{printable(name)}\n{board.text()}" for name, board in self.boards.items())

    def _repr_html_(self) -> str:
        figures = "".join(
            f"<figure><figcaption>{escape(name)}</figcaption>\n{board.svg()}</figure>\n"
            for name, board in self.boards.items()
        )
        return fragment("boards", _BOARDS_CSS, figures)


_BOARDS_CSS: Final = """\
display: flex; flex-wrap: wrap; gap: 12px;
figure { margin: 0; flex: 0 1 280px; min-width: 0; }
figcaption { margin: 0 0 2px; padding: 0; text-align: left; font-size: 14px; color: var(--ink); }
svg { display: block; width: 100%; height: auto; }
"""


def board(position: Any, before: Any = None) -> Board:
    """Return the board of a position: of a FEN such as `B:W18,30:B15,K2`, of `(X,Y,K,σ)`, or of `(X,Y,K,σ,Φ)` in the
    middle of a move. The squares have the official numbers if it is a FEN, else those that the program of 1966 gives
    them.

    With the position `before` it, the squares that changed are marked, and an arrow shows the move if only one leads
    here. A dashed crown is a king's mark without a piece.

    Raises ValueError for anything but positions.
    """
    is_fen = isinstance(position, str)
    position, before = _position(position), _position(before)
    positions = [position] if before is None else [position, before]
    for value in positions:
        if not is_drawable(value):
            raise Invalid(
                f"a position is a FEN, or (X,Y,K,σ) or (X,Y,K,σ,Φ) with bit strings of squares, not {value!r:.80}"
            )

    arrows: list[Path] = []
    are_whole = before is not None and len(before) == len(position) == 4
    if are_whole and before[3] != position[3]:  # the other side is to move, so a single move may lead here
        arrows = _arrows(*moves_between(before, position))
    drawn = replace(picture(position, before), arrows=arrows)
    return replace(drawn, labels=NUMBERS) if is_fen else drawn


def _position(value: Any) -> Any:
    """Return the position of a FEN; anything else as it is. Raises BadFen, a ValueError."""
    return from_fen(value) if isinstance(value, str) else value


def boards(positions: Mapping[str, Any] | None = None, /, **named: Any) -> Boards:
    """Show several positions, or boards, by their names: `cpl.boards(before=p, after=q)`, or a mapping if the names are
    not identifiers. Raises ValueError as `board` does.
    """
    named_positions = {**(positions or {}), **named}
    named_boards = {}
    for name, value in named_positions.items():
        named_boards[name] = value if isinstance(value, Board) else board(value)
    return Boards(named_boards)


def _arrows(*moves: str) -> list[Path]:
    """Return the arrows to draw for moves that may have been made: one if there is a single move, which leads only over
    squares of the board; else none.
    """
    if len(moves) != 1:
        return []
    try:
        return [OFFICIAL.path(moves[0])]
    except BadMove:
        return []


FIRST, LAST = 8, 3
"""How many boards the strip shows of the beginning and of the end of a game."""

_SMALL: Final = 18
"""Pixels of a square in the strip."""


@dataclass(frozen=True)
class Frame:
    """A position of a game: who made which move to reach it, its board, and its FEN if it has one. The first position
    has no move.
    """

    board: Board
    move: str = ""
    side: str = ""
    fen: str = ""


@dataclass(frozen=True)
class GameView:
    """A game to look through: notebooks show its boards, as text it is the moves and the last board."""

    title: str
    frames: Sequence[Frame]
    about: str = ""
    result: str = pdn.UNFINISHED
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def moves(self) -> list[str]:
        """The moves, as they are written."""
        return [frame.move for frame in self.frames[1:]]

    def __repr__(self) -> str:
        words = [*pdn.numbered(self.moves)]
        if self.result in pdn.WINNERS:
            words.append(self.result)
        moves = pdn.filled(words) if words else ""
        heading = [printable(self.title), printable(self.about), moves]
        return "\n".join([*filter(None, heading), self.frames[-1].board.text()])

    def to_dict(self) -> dict[str, Any]:
        """Return the game as data for JSON: the positions as FEN (empty for one that has none), one more than moves."""
        return {
            "title": self.title,
            "tags": {**self.tags},
            "result": self.result,
            "moves": self.moves,
            "positions": [frame.fen for frame in self.frames],
        }

    def _repr_html_(self) -> str:
        moves = " ".join(pdn.numbered(self.moves))
        count = f"{len(self.moves):,} {form(len(self.moves), 'move')}"
        about = f'<p class="about">{escape(self.about)}</p>\n' if self.about else ""
        body = f"""\
<p class="title"><strong>{escape(self.title)}</strong></p>
{about}<div class="still">
<div class="strip">
{self._strip()}</div>
<details><summary>{count}</summary><p>{escape(moves)}</p></details>
</div>
<script type="application/json">{embedded(self._script_data())}</script>
<script>
{bundle("game_view")}</script>
"""
        return fragment("game", outside.packaged_text("cpl/study/views/static/game_view.css"), body)

    @property
    def _labels(self) -> list[str]:
        """What stands below each board: its move with its number."""
        return ["Start", *pdn.numbered(self.moves)]

    def _strip(self) -> str:
        figures = [
            f"<figure>{small(frame.board)}<figcaption>{escape(label)}</figcaption></figure>\n"
            for frame, label in zip(self.frames, self._labels, strict=True)
        ]
        left_out = len(figures) - FIRST - LAST
        if left_out > 1:  # a note takes as much room as a board: it is not worth it for one
            figures[FIRST:-LAST] = [f'<p class="more">… {left_out:,} positions left out …</p>\n']
        return "".join(figures)

    def _script_data(self) -> dict[str, Any]:
        """Return the data for `game_view.js`: the lines of SVG of all boards, and for each frame the numbers of its
        lines. Boards of one game have most lines in common, which are written once.
        """
        numbers: dict[str, int] = {}
        frames = []
        for frame, label in zip(self.frames, self._labels, strict=True):
            line_numbers = []
            for line in frame.board.svg().split("\n"):
                if line not in numbers:
                    numbers[line] = len(numbers)
                line_numbers.append(numbers[line])
            words = f"{frame.side} {frame.move}".strip() or "Start"
            frames.append({"label": label, "says": words, "lines": line_numbers})
        return {"lines": [*numbers], "frames": frames}


def game_view(game: GameView | Record | LiveGame | checkers.Game | Iterable[Position]) -> GameView:
    """Show a game to look through: one that `cpl.read_game` read or `checkers.play` played, or positions one after
    another, (X, Y, K, σ), as the program of 1966 has them.

    Raises BadMove, a ValueError, if a move is illegal, TypeError for what is no game, and ValueError if there is no
    position.
    """
    match game:
        case GameView():
            return game
        case Record(first=first, moves=moves, tags=tags, result=result):
            return _view(first.game, _states(first, moves), tags, result)
        case LiveGame():
            moves_before = [(), *game.played]  # no move leads to the first state
            states = zip(game.states, moves_before, strict=True)
            return _view(game.game, states, {}, pdn.result_of(game.game, game.end))
        case checkers.Game():
            return game_view(game.record)

    positions = [*game]
    if not positions:
        raise ValueError("a game has one position or more")
    if not all(map(is_position, positions)):
        raise TypeError("a game is a record, a game in progress, a game of checkers, or positions (X, Y, K, σ)")
    return GameView("Positions of checkers", _frames_between(positions))


def game_html(game: Any) -> str:
    """Show a game in a notebook."""
    return game_view(game)._repr_html_()


def as_text(game: Any) -> str:
    """Return a game as text: the moves and the last board."""
    return repr(game_view(game))


def small(board: Board) -> str:
    """Return a board as a small picture, without numbers, which could not be read."""
    return image(replace(board, labels=dict.fromkeys(board.labels, ""), cell=_SMALL))


def image(board: Board) -> str:
    """Return a board as an image element: notebooks that are not trusted remove drawings, and may show images. Where
    they do not, there is a description in words.
    """
    data = base64.b64encode(board.svg().encode()).decode()
    return f'<img alt="{escape(board.described())}" src="data:image/svg+xml;base64,{data}">'


def _states(turn: Turn, moves: Iterable[Path]) -> Iterator[tuple[Turn, Path]]:
    """Yield the states of a game, each with the move that led to it. Raises BadMove if one is illegal."""
    yield turn, ()
    for move in moves:
        if move not in turn.legal:
            raise BadMove(f"{turn.side} cannot play {turn.game.text(move)}: {turn.game.why_illegal(turn, move)}")
        turn = turn.game.play(turn, move)
        yield turn, move


def _view(game: Game, states: Iterable[tuple[Turn, Path]], tags: Mapping[str, str], result: str) -> GameView:
    """Make the view of a game from its states, each with the move that led to it, and from what PDN says about it. The
    title is the two players; if one is not known it is the event.
    """
    frames = []
    for turn, move in states:
        picture_of_turn = game.board(turn, move)
        fen = game.to_fen(turn)
        if move:
            frames.append(Frame(picture_of_turn, game.text(move), game.other(turn.side), fen))
        else:
            frames.append(Frame(picture_of_turn, fen=fen))

    stated = {name: value for name, value in tags.items() if value.strip(" ?.")}  # "?" and "????.??.??" say nothing
    event = stated.get("Event", game.title)
    players = [stated[tag] for tag in game.tags if tag in stated]
    title = " – ".join(players) if len(players) == len(game.tags) else event
    about = [stated.get("Date", ""), _ending(game, result)]
    if event != title:
        about.insert(0, event)
    return GameView(title, tuple(frames), " · ".join(filter(None, about)), result, tags)


def _ending(game: Game, result: str) -> str:
    """Write who won, or how the game ended without a winner."""
    if result not in pdn.WINNERS:
        return "unfinished"
    winner = pdn.WINNERS[result]
    if winner is not None:
        return f"{result}, {game.sides[winner]} won"
    if result == "0-0":
        return f"{result}, both lost"
    return f"{result}, a draw"


def _frames_between(positions: Sequence[Position]) -> tuple[Frame, ...]:
    """Return frames of positions that follow each other. There is no arrow where no move leads from one to the next."""
    game = cast(Draughts, game_of("strachey"))
    turns = [*map(game.turn, positions)]
    frames = [Frame(game.board(turns[0]), fen=game.to_fen(turns[0]))]
    for before, after in pairwise(turns):
        [(_, move)] = named(before.state, [after.state])
        arrows = _arrows(move)
        picture_of_turn = game.board(after, arrows[0]) if arrows else game.picture(after.state)
        frames.append(Frame(picture_of_turn, move, before.side, game.to_fen(after)))
    return tuple(frames)
