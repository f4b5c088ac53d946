"""The checks of the twelve exercises for a class, of notebook 7: read a program of 1966, change it, write CPL."""

import re
from typing import Any, Final

from cpl.compiler import pipeline
from cpl.compiler.source import Source
from cpl.study.exercises.checking import (
    Answer,
    Exercises,
    Field,
    NotYet,
    require,
    require_results,
    require_written,
)

ALL: Final = Exercises()
"""The exercises, in their order. The name of each is `class-` and its number."""

_PROGRAM: Final = ("strachey.cpl", "library/checkers-1966.cpl")
"""The program of 1966 and its companion, as libraries of an answer."""

_NUMBER: Final = r"[-−]?\d+(?:\.\d+)?"
_SIDES: Final = {"black": 1, "white": -1}
"""What σ is in a position for each side that moves next."""


def _number(text: str) -> float:
    """A number as it is typed."""
    require(re.fullmatch(_NUMBER, text.strip()), f"“{text.strip()}” is not a number.")
    number = float(text.replace("−", "-"))
    return int(number) if number.is_integer() else number


def _typed_squares(text: str) -> list[int]:
    """Squares as they are typed: with or without brackets, with commas or blanks between them."""
    listed = text.strip(" []()")
    require(re.fullmatch(r"\d+(?:[\s,]+\d+)*,?", listed), f"“{text.strip()}” is not a list of squares, such as 11, 25.")
    return [int(number) for number in re.findall(r"\d+", listed)]


def _side(text: str) -> int:
    """A side as it is typed."""
    name = text.strip().lower().removeprefix("game.")
    require(name in _SIDES, f"“{text.strip()}” is not a side: write Black or White.")
    return _SIDES[name]


_VALUE: Final = Field(_number, "a number")
_SQUARES: Final = Field(_typed_squares, "squares, as 11, 25")
_SIDE: Final = Field(_side, "Black or White")


def _squares(value: object) -> set[Any]:
    """The squares of an answer. Raises NotYet if they are not a list."""
    if not isinstance(value, (list, tuple, set)):
        raise NotYet("Write the squares as a list: [5, 6]. One square is a list, too.")
    require_written(value)
    return {*value}


def position_to_describe(game: Any) -> tuple[Any, Any, Any, Any]:
    """The position of exercise 2. `game` is the program of 1966."""
    return game.Logical([25, 30, 39]), game.Logical([5, 16]), game.Logical([16, 39]), game.White


def _squares_after(game: Any, square: int, kings: list[int]) -> set[int]:
    """Where a black piece may go that stands alone on a square."""
    position = (game.Logical([square]), game.Zero, game.Logical(kings), game.Black)
    return {next(iter(after[1])) for after in game.LegalPositionsFrom(position)}


@ALL.add(
    "class-1", fields={"direction_after_5": _VALUE, "direction_after_4": _VALUE, "direction_after_minus_4": _VALUE}
)
def _check_directions(answer: Answer) -> None:
    found = {
        5: answer["direction_after_5"],
        4: answer["direction_after_4"],
        -4: answer["direction_after_minus_4"],
    }
    require_written(found.values())
    for s, direction in found.items():
        is_right = direction == answer.game.NextMoveDirection(s)
        require(is_right, f"NextMoveDirection({s}) is not {direction}. Which test holds for {s}?")


@ALL.add("class-2", fields={"X": _SQUARES, "Y": _SQUARES, "K": _SQUARES, "sigma": _SIDE})
def _check_position(answer: Answer) -> None:
    require_written([answer["sigma"]])
    wanted_x, wanted_y, wanted_k, wanted_sigma = position_to_describe(answer.game)
    require(answer["sigma"] == wanted_sigma, "sigma says who moves next. The line below the board tells.")
    x, y, k = (_squares(answer[name]) for name in ("X", "Y", "K"))
    require((x, y) != ({*wanted_y}, {*wanted_x}), "X and Y are exchanged: X are the pieces of the player to move.")
    require(x == {*wanted_x}, "X is not right. It has the square of every white piece, kings, too.")
    require(y == {*wanted_y}, "Y is not right. It has the square of every black piece, kings, too.")
    require(k == {*wanted_k}, "K is not right. It has the squares of the kings of both players, and no others.")


@ALL.add("class-3", fields={"man_on_11": _SQUARES, "king_on_25": _SQUARES})
def _check_steps(answer: Answer) -> None:
    man, king = _squares(answer["man_on_11"]), _squares(answer["king_on_25"])
    right_man, right_king = _squares_after(answer.game, 11, []), _squares_after(answer.game, 25, [25])
    require(man == right_man, "The man on 11 goes elsewhere: he has two directions, 5 and 4.")
    require(king == right_king, "The king on 25 goes elsewhere: he has all four directions.")


@ALL.add("class-4", fields={"chosen": _VALUE, "its_value": _VALUE})
def _check_choice(answer: Answer) -> None:
    chosen, its_value = answer["chosen"], answer["its_value"]
    require_written([chosen, its_value])
    values = [-value for value in (3, -5, 0)]
    require(chosen != 1, "Move 1 is good for the other player. What is good for him is bad for me.")
    is_best = chosen == values.index(max(values)) + 1
    require(is_best, f"Move {chosen} is not the best. What is v for each of the three?")
    require(its_value == max(values), "The move is right, its value is not: it is minus the value of the position.")


@ALL.add("class-5", libraries=_PROGRAM, module="mended", has_advice=False)
def _check_bracket(answer: Answer) -> None:
    require("Moves" in answer.names, "There is no Moves: put in the bracket, and leave the other lines as they are.")
    is_same = answer["Moves"] == answer.game.LegalPositionsFrom(answer.game.StartPosition)
    require(is_same, "It compiles, but does not give the seven moves. Is the bracket in the right place?")


@ALL.add("class-6", fields={"first": _VALUE, "second": _VALUE, "third": _VALUE})
def _check_products(answer: Answer) -> None:
    found = [answer[name] for name in ("first", "second", "third")]
    require_written(found)
    products = pipeline.load(Source("products.cpl", "F(a,b) = [ab + 2a, 12/2b, a(b + 1)]\n"))
    for number, (value, wanted) in enumerate(zip(found, products.F(2, 3), strict=True), 1):
        require(value == wanted, f"Value {number} is not {value}. Put in every × that is left out.")


_KINGS: Final = """\
AsPrinted(K,Φ,ψ,X) = K - ψ ∧ K + X
AsCorrected(K,Φ,ψ,X) = K - ψ - Φ + X
"""
"""The third part of the position that `MakeMove` makes, by both texts of exercise 7. X is Xk there."""


@ALL.add("class-7", fields={"kings_as_printed": _SQUARES, "kings_as_corrected": _SQUARES})
def _check_kings(answer: Answer) -> None:
    found = {name: _squares(answer[f"kings_as_{name}"]) for name in ("printed", "corrected")}
    texts = pipeline.load(Source("kings.cpl", _KINGS))
    game = answer.game
    move = game.Logical([8]), game.Logical([8]), game.Zero, game.Logical([12])
    for name, function in (("printed", texts.AsPrinted), ("corrected", texts.AsCorrected)):
        is_right = found[name] == {*function(*move)}
        where = f"By the {name} text the kings are not on {sorted(found[name])}."
        require(is_right, f"{where} Work from left to right.")


@ALL.add("class-8", libraries=_PROGRAM, module="changed", asked=("ChosenPosition",))
def _check_last_move(answer: Answer) -> None:
    game = answer.game
    moves = game.LegalPositionsFrom(game.StartPosition)
    values = [-game.PositionValue(position, 1) for position in moves]
    last = max(number for number, value in enumerate(values) if value == max(values))
    found = answer["ChosenPosition"](game.StartPosition)
    still_first = found == game.ChosenPosition(game.StartPosition)
    require(not still_first, "The program still chooses the first of the best moves.")
    require(found == moves[last], "The program chooses another move, but not the last of the best.")


@ALL.add("class-9")
def _check_sign(answer: Answer) -> None:
    require_results(answer, "Sign", [((7,), 1), ((-3,), -1), ((0,), 0), ((0.5,), 1)])


@ALL.add("class-10")
def _check_count(answer: Answer) -> None:
    results = [((3, []), 0), ((3, [3]), 1), ((3, [1, 3, 2, 3]), 2), ((4, [1, 2]), 0), ((1, [1, 2]), 1)]
    require_results(answer, "Count", results)


@ALL.add("class-11")
def _check_powers(answer: Answer) -> None:
    results = [((20,), [1, 2, 4, 8, 16]), ((32,), [1, 2, 4, 8, 16, 32]), ((1,), [1]), ((0,), [])]
    require_results(answer, "Powers", results)


@ALL.add("class-12")
def _check_wins(answer: Answer) -> None:
    require_results(answer, "Wins", [((heap,), heap % 4 != 0) for heap in range(13)])
