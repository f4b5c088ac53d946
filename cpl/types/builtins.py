"""The types of what cplrt gives to CPL programs: most by a table, and those whose parts have to do with each other."""

from collections.abc import Sequence
from typing import Final

from cpl.source import Span
from cpl.types import constraints
from cpl.types.constraints import LISTS, NODES, NULLABLE, SEQUENCES, Need, Shape, Variable, holder
from cpl.types.solver import Solver

_PLAIN: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "Logical": (("places",), "logical"),
    "Shift": (("logical", "integer"), "logical"),
    "SingleDigitFrom": (("logical",), "logical"),
    "Null": (("nullable",), "boolean"),
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
    "Code": (("string",), "integer"),
    "SymbolWith": (("integer",), "string"),
    "Complex": (("real", "real"), "complex"),
    "Entier": (("real",), "integer"),
    "Round": (("real",), "integer"),
    "Quotient": (("integer", "integer"), "integer"),
    "Remainder": (("integer", "integer"), "integer"),
    "RealPart": (("complex",), "real"),
    "ImaginaryPart": (("complex",), "real"),
    **dict.fromkeys("SqRt Exp Ln Sin Cos ArcTan".split(), (("number",), "real")),
}
"""Of each function its parameters and its result."""

_WRITING: Final = ("Write", "WriteOn")
_POSITION: Final = ("logical", "logical", "logical", "integer")
_PLACES: Final = LISTS | {"number", "logical"}

ANYTHING: Final[frozenset[object]] = frozenset({"anything"})
"""The types that are tested if the text does not say which."""


def function(
    solver: Solver, name: str, span: Span, places: Sequence[Span], tested: frozenset[object] = ANYTHING
) -> Shape:
    """The type of a function of cplrt where it is used, applied to what stands in those places. `Is` tests for some
    types.
    """

    def at(number: int) -> Span:
        return places[number] if number < len(places) else span

    def parameter(*needs: Need) -> Variable:
        made = solver.variable()
        for need in needs:
            solver.flow(made, need)
        return made

    def into(whole: Variable) -> tuple[Variable]:
        """What comes out of an argument, and into the whole: nothing comes back."""
        made = solver.variable(empty=True)
        solver.flow(made, whole)
        return (made,)

    result, member = solver.variable(), solver.variable()
    parameters: list[Variable]
    made: Shape | None = None
    match name:
        case "Head":
            parameters = [parameter(constraints.Member(at(0), 0, kinds=LISTS, outputs=(result,)))]
        case "Tail":
            parameters = [parameter(constraints.Rest(at(0), outputs=into(member)))]
            made = Shape(span, "list", outputs=(member,))
        case "Next":
            head = constraints.Member(at(0), 0, kinds=LISTS, outputs=(result,))
            parameters = [parameter(head, constraints.Rest(at(0), outputs=into(member)))]
            rest = solver.holding(Shape(span, "list", outputs=(member,)))
            made = Shape(span, "tuple", outputs=(result, rest))
        case "Join":
            parameters = [parameter(constraints.Joined(at(number), outputs=into(member))) for number in range(2)]
            made = Shape(span, "list", outputs=(member,))
        case "MinList":
            parameters = [
                parameter(constraints.Joined(place, kinds=NULLABLE, outputs=into(member))) for place in places
            ]
            made = Shape(span, "list", outputs=(member,))
        case "SymbolsOf":
            parameters = [parameter(Shape(at(0), "string"))]
            made = Shape(span, "list", outputs=(solver.holding(Shape(span, "string")),))
        case "StringOf":
            parameters = [parameter(Shape(at(0), "list", outputs=(parameter(Shape(at(0), "string")),)))]
            made = Shape(span, "string")
        case "PrintPosition":
            members = tuple([parameter(Shape(at(0), head)) for head in _POSITION])
            parameters = [parameter(Shape(at(0), "tuple", outputs=members))]
            made = Shape(span, "nothing")
        case "Copy":
            parameters = [parameter(constraints.OneOf(at(0), "an array", kinds=SEQUENCES - LISTS))]
            solver.flow(parameters[0], result)
        case "Pointer":
            parameters, made = [member], holder("pointer", member, span)
        case "Follow":
            pointer = Shape(at(0), "pointer", outputs=(result,), inputs=(solver.variable(),))
            parameters = [parameter(pointer)]
        case "Is":
            parameters = [parameter(constraints.AnyType(at(0))), parameter(constraints.TypeTest(at(1), tested))]
            made = Shape(span, "boolean")
        case "Type":
            nodes = constraints.OneOf(at(0), "a node", kinds=NODES)
            parameters = [parameter(nodes, constraints.TypeTest(at(0), frozenset({"node"})))]
            made = Shape(span, "type")
        case _:
            wanted, given = _PLAIN.get(name, (("any",) * len(places), "nothing" if name in _WRITING else "any"))
            parameters = [parameter(_need(word, at(number))) for number, word in enumerate(wanted)]
            made = Shape(span, given) if given != "any" else None
    return Shape(span, "function", inputs=tuple(parameters), outputs=(solver.holding(made) if made else result,))


def _need(word: str, span: Span) -> Need:
    match word:
        case "places":
            return constraints.OneOf(span, "a number, or a list of places", kinds=_PLACES)
        case "nullable":
            return constraints.OneOf(span, "a list or a bit string", kinds=NULLABLE)
        case "any":
            return constraints.AnyType(span)
        case _:
            return Shape(span, word)
