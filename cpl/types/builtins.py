"""The types of what cplrt gives to CPL programs: Strachey's functions of 1966 first, then all others by a table."""

from collections.abc import Sequence
from typing import Final

from cpl.source import Span
from cpl.types import constraints
from cpl.types.constraints import Need, Shape, Variable
from cpl.types.solver import NULLABLE, Solver

_PLAIN: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "Logical": (("places",), "logical"),
    "Shift": (("logical", "integer"), "logical"),
    "SingleDigitFrom": (("logical",), "logical"),
    "NewLine": ((), "nothing"),
    "ReadItem": ((), "any"),
    "ReadSymbol": ((), "string"),
    "NextSymbol": ((), "string"),
    "Input": (("stream",), "nothing"),
    "Output": (("stream",), "nothing"),
    "Source": ((), "stream"),
    "Destination": ((), "stream"),
    "StreamOf": (("string",), "stream"),
    "Symbols": (("stream",), "string"),
    "SymbolsOf": (("string",), "string list"),
    "StringOf": (("string list",), "string"),
    "Code": (("string",), "integer"),
    "SymbolWith": (("integer",), "string"),
    "Complex": (("real", "real"), "complex"),
    "Entier": (("real",), "integer"),
    "Round": (("real",), "integer"),
    "Quotient": (("integer", "integer"), "integer"),
    "Remainder": (("integer", "integer"), "integer"),
    "RealPart": (("complex",), "real"),
    "ImaginaryPart": (("complex",), "real"),
    "PrintPosition": (("position",), "nothing"),
    **dict.fromkeys("SqRt Exp Ln Sin Cos ArcTan".split(), (("number",), "real")),
}
"""Of each function its parameters and its result."""

_POSITION: Final = ("logical", "logical", "logical", "integer")
_OF_PLACES: Final = frozenset({"number", "list", "tuple", "nil", "logical"})


_NOTHING: Final[frozenset[object]] = frozenset()
ANYTHING: Final[frozenset[object]] = frozenset({"anything"})


def function(
    solver: Solver, name: str, span: Span, places: Sequence[Span], asked: frozenset[object] = ANYTHING
) -> Shape:
    """The type of a function of cplrt where it is used, applied to what stands in those places; of `Is`, what kinds it
    asks for.
    """

    def at(number: int) -> Span:
        return places[number] if number < len(places) else span

    def parameter(*needs: Need) -> Variable:
        made = solver.variable()
        for need in needs:
            solver.flow(made, need)
        return made

    def part(whole: Variable) -> Variable:
        """What comes out of an argument, and into the whole: nothing comes back."""
        made = solver.variable(empty=True)
        solver.flow(made, whole)
        return made

    result, member = solver.variable(), solver.variable()
    parameters: list[Variable]
    made: Shape | Variable = result
    match name:
        case "Null":
            parameters = [parameter(constraints.OneOf(at(0), NULLABLE, "a list or a bit string"))]
            made = Shape(span, "boolean")
        case "Head":
            parameters = [parameter(constraints.Member(at(0), 0, result, ("list", "tuple")))]
        case "Tail":
            parameters, made = [parameter(constraints.Rest(at(0), part(member)))], Shape(span, "list", (member,))
        case "Next":
            head, rest = constraints.Member(at(0), 0, result, ("list", "tuple")), Shape(span, "list", (member,))
            parameters = [parameter(head, constraints.Rest(at(0), part(member)))]
            made = Shape(span, "tuple", (result, solver.as_variable(rest)))
        case "Join":
            parameters = [parameter(constraints.Joined(at(number), part(member))) for number in range(2)]
            made = Shape(span, "list", (member,))
        case "MinList":
            parameters = [parameter(constraints.Joined(place, part(member), nullable=True)) for place in places]
            made = Shape(span, "list", (member,))
        case "Copy":
            parameters = [parameter(constraints.OneOf(at(0), frozenset({"array"}), "an array"))]
            solver.flow(parameters[0], result)
        case "Pointer":
            parameters, made = [member], Shape(span, "pointer", (member, member))
        case "Follow":
            parameters = [parameter(Shape(at(0), "pointer", (result, solver.variable())))]
        case "Is":
            parameters = [parameter(constraints.Asked(at(0), _NOTHING)), parameter(constraints.Asked(at(1), asked))]
            made = Shape(span, "boolean")
        case "Type":
            nodes = constraints.OneOf(at(0), frozenset({"node", "element", "nil"}), "a node")
            parameters = [parameter(nodes, constraints.Asked(at(0), frozenset({"node"})))]
            made = Shape(span, "type")
        case "Write" | "WriteOn":
            parameters, made = (
                [parameter(constraints.Asked(place, _NOTHING)) for place in places],
                Shape(span, "nothing"),
            )
        case "Array" | "Read":
            parameters = [parameter(constraints.Asked(place, _NOTHING)) for place in places]
        case _:
            wanted, given = _PLAIN.get(name, (("any",) * len(places), "any"))
            parameters = [_needed(solver, each, at(number)) for number, each in enumerate(wanted)]
            made = shape(solver, given, span)
    return Shape(span, "function", (*parameters, solver.as_variable(made)))


def shape(solver: Solver, words: str, span: Span) -> Shape | Variable:
    """A value of a type in words: `string list`, `real`; of `any`, one of which nothing is known."""
    match words.split():
        case [head, "list"]:
            return Shape(span, "list", (solver.as_variable(shape(solver, head, span)),))
        case ["any"]:
            return solver.variable()
        case _:
            return Shape(span, words)


def _needed(solver: Solver, words: str, span: Span) -> Variable:
    made = solver.variable()
    match words.split():
        case ["places"]:
            solver.flow(made, constraints.OneOf(span, _OF_PLACES, "a number, or a list of places"))
        case ["position"]:
            solver.flow(made, Shape(span, "tuple", tuple([_needed(solver, each, span) for each in _POSITION])))
        case [head, "list"]:
            solver.flow(made, Shape(span, "list", (_needed(solver, head, span),)))
        case ["any"]:
            pass
        case _:
            solver.flow(made, Shape(span, words))
    return made
