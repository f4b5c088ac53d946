"""What the checker finds in programs that are right, which is nothing, and in programs that fail, which is why."""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest
from case_files import Case, read_cases
from conftest import ROOT
from ways import Ways

import cpl
from cpl.compiler import loader, pipeline
from cpl.compiler.diagnostics import Diagnostic
from cpl.compiler.source import Source, Span
from cpl.compiler.syntax import nodes
from cpl.compiler.syntax.lexer import RAISED, tokenize
from cpl.compiler.syntax.surface import walk
from cpl.editors.text_analysis import Analysis, analyse
from cpl.study.views.stages import type_lines

Parts = Callable[[nodes.Node], Sequence[nodes.Node]]
"""Certain parts of a node, if it has any."""
Slip = tuple[Span, str]
"""New text for the characters of a span."""
Slips = Callable[[nodes.Node], Iterator[Slip]]

_ARITHMETIC: Final = ("PLUS", "MINUS", "TIMES", "DIVIDE", "POWER", "JUXTAPOSED", "MAYBE_PRODUCT")
_LOGICAL: Final = ("AND", "OR", "NOT", "EQUIVALENT", "INEQUIVALENT")
_RELATIONS: Final = ("EQUAL", "UNEQUAL", "LESS", "GREATER", "AT_MOST", "AT_LEAST")
_LOOSE: Final = nodes.Conditional | nodes.Where | nodes.Lambda | nodes.ValueBlock
_NEAR: Final = 28


@dataclass(frozen=True)
class Mutant:
    """A program with `instead` for the characters of one span."""

    operator: str
    span: Span
    instead: str

    @property
    def text(self) -> str:
        """The whole program after the change."""
        text = self.span.source.text
        return text[: self.span.start] + self.instead + text[self.span.end :]


def mutants(program: nodes.Program) -> Iterator[Mutant]:
    """All mutants of a program, no text twice."""
    seen = set()
    for node in walk(program):
        for operator, slips in OPERATORS.items():
            for span, text in slips(node):
                if text != span.text and (span, text) not in seen:
                    seen.add((span, text))
                    yield Mutant(operator, span, text)


def _instead(around: nodes.Node, old: nodes.Node, text: str, *, loose: bool = False) -> Slip:
    """An operand for another one, in brackets if it is a `loose` text, or would run into what it touches."""
    if old.span.text[0] in RAISED:
        return old.span, f"↑{text}"
    loose = loose or _runs_on(old.span) or any(each is old for each in _operands("JUXTAPOSED", "MAYBE_PRODUCT")(around))
    return old.span, f"({text})" if loose else text


def _runs_on(span: Span) -> bool:
    """Whether a word in this place would touch another one, or be multiplied by the name after it."""
    text = span.source.text
    line = text[span.end :].partition("\n")[0]
    after, _ = tokenize(Source("", line[:_NEAR])) if line[:1] == " " else ([], [])
    touches = re.match(r"[\w'’”\"∞)\]]", text[span.start - 1 : span.start]) or re.match(r"[\w‘“\"\\∞(\[]", line)
    return bool(touches) or any(token.kind in ("SMALL", "LARGE") for token in after[:1])


def _each(text: str, parts: Parts) -> Slips:
    """The same text in the place of each of these parts of a node."""
    return lambda node: (_instead(node, part, text) for part in parts(node) if part)


def _swapped(node: nodes.Node) -> Iterator[Slip]:
    """Two neighbouring arguments, or the two sides of `→`, change places."""
    parts = (node.test, node.value) if isinstance(node, nodes.Arm) else _arguments(node)
    for one, other in pairwise(parts):
        first, second = (f"({each.span.text})" if isinstance(each, _LOOSE) else each.span.text for each in (one, other))
        between = Span(one.span.source, one.span.end, other.span.start).text
        yield one.span.to(other.span), second + between + first


def _arguments(node: nodes.Node) -> Sequence[nodes.Node]:
    arguments = node.arguments if isinstance(node, nodes.Application) else ()
    return [each for each in arguments if not isinstance(each, nodes.TypeName)]


def _operands(*signs: str) -> Parts:
    """The operands of a chain that stand beside one of these signs."""

    def operands(node: nodes.Node) -> Sequence[nodes.Node]:
        padded = (None, *node.items, None) if isinstance(node, nodes.Chain) else ()
        return [
            item
            for before, item, after in zip(padded, padded[1:], padded[2:], strict=False)
            if item is not None and not isinstance(item, nodes.Operator)
            if any(isinstance(each, nodes.Operator) and each.kind in signs for each in (before, after))
        ]

    return operands


def _conditions(node: nodes.Node) -> Sequence[nodes.Node]:
    match node:
        case nodes.Arm(test=test) | nodes.If(test=test) | nodes.Test(condition=test) | nodes.While(test=test):
            return (test,)
        case nodes.Repeat(test=nodes.Node() as test):
            return (test,)
        case _:
            return ()


def _alternatives(node: nodes.Node) -> Sequence[nodes.Node]:
    """What a conditional may give."""
    return (*(arm.value for arm in node.arms), node.otherwise) if isinstance(node, nodes.Conditional) else ()


def _values(node: nodes.Node) -> Sequence[nodes.Node]:
    """Results, and what a definition or an assignment gives to a name."""
    match node:
        case nodes.Definition(heading=nodes.Pattern(), value=nodes.Bracket(items=items)):
            return items
        case nodes.Definition(value=value) | nodes.Result(value=value):
            return (value,)
        case nodes.Assignment(values=values):
            return values
        case _:
            return ()


def _of(kind: type[nodes.Node], *fields: str) -> Parts:
    """These fields of one kind of node; the node itself if none is named."""
    return lambda node: ([getattr(node, each) for each in fields] or [node]) if isinstance(node, kind) else ()


OPERATORS: Final[dict[str, Slips]] = {
    "swap": _swapped,
    "nil-argument": _each("NIL", _arguments),
    "nil-operand": _each("NIL", _operands(*_LOGICAL, *_ARITHMETIC)),
    "nil-arm": _each("NIL", _alternatives),
    "nil-value": _each("NIL", _values),
    "nil-bound": _each("NIL", _of(nodes.ForStep, "first", "step", "last")),
    "number-condition": _each("1", _conditions),
    "number-members": _each("1", _of(nodes.ForList, "members")),
    "number-literal": _each("1", _of(nodes.String)),
    "string-literal": _each("‘a’", _of(nodes.Number)),
    "boolean-literal": _each("true", _of(nodes.Number)),
    "boolean-operand": _each("true", _operands(*_ARITHMETIC)),
    "list-operand": _each("[1]", _operands(*_LOGICAL, "PLUS", "MINUS")),
    "list-compared": _each("[1]", _operands(*_RELATIONS)),
}


TYPES = Path(__file__).parent / "types"
FUNCTIONS = """
Foldl(f,a,L) = Null(L) → a, Foldl(f, f(a,Head(L)), Tail(L))
Total(L) = Foldl(λ(a,x). a + x, 0, L)
Backwards(L) = Foldl(λ(a,x). Join([x],a), NIL, L)
Twice(f) = λx. f(f(x))
Next(n) = n + 1
Loud(s) = StringOf([s,"!"])
routine Order(ref a, b) is if a > b then a, b := b, a
let Fill[substitution t, value real x] be t, x := NIL, 1
let x, y = 9, 4
Order(x,y)
let s, t = "z", "a"
Order(s,t)
WriteLine(Total([1,2]), Backwards(["a","b"]), Backwards([1]), Twice(Next)(3), Twice(Loud)("x"), x, y, s, t)
"""
LINES = {
    "Total": "integer list ⇒ integer",
    "Backwards": "α list ⇒ β list",
    "Next": "real ⇒ real",
    "Loud": "string ⇒ string",
    "Order": "(ref α, ref α) ⇒ ()",
    "Fill": "(substitution α, real) ⇒ ()",
    "x": "integer",
    "t": "string",
}
CORRECT = read_cases(TYPES / "correct.case")
WRONG = read_cases(TYPES / "wrong.case")
MIXED = read_cases(TYPES / "mixed.case")


def located(found: Diagnostic) -> str:
    """A finding with the texts of its places."""
    related = [f"  {text_of(span)}: {label}" for span, label in found.related]
    return "\n".join([f"{found.code}: {text_of(found.span)}", *related])


def text_of(span: Span) -> str:
    return span.source.text[span.start : span.end]


@pytest.mark.parametrize("number", range(len(CORRECT)), ids=lambda number: CORRECT[number].title)
def test_nothing_is_found_in_what_is_right(number: int, ways: Callable[..., Ways]) -> None:
    case = CORRECT[number]
    found = ways(case.cpl).agreed()
    assert found.written and found.end == "value"
    assert cpl.check_text(case.cpl, reading=("set", "nil=zero", "and=tight")[number % 3]) == []


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case.title)
def test_what_fails_is_found_in_its_place(case: Case, ways: Callable[..., Ways]) -> None:
    assert ways(case.cpl).outcome("interpreted").brief == "fault"
    assert "\n".join(map(located, cpl.check_text(case.cpl))) == case.sections["found"].rstrip()


@pytest.mark.parametrize("case", MIXED, ids=lambda case: case.title)
def test_values_of_several_types_are_no_error_where_the_program_runs(case: Case, ways: Callable[..., Ways]) -> None:
    found = ways(case.cpl, only=["plain"]).agreed()
    assert found.written and found.end == "value"
    assert {found.code for found in cpl.check_text(case.cpl)} == {"may-disagree"}


def test_types_do_not_mix_grow_or_come_from_errors() -> None:
    lines = dict(line.split(" : ") for line in type_lines(pipeline.understand(Source("case.cpl", FUNCTIONS))))
    assert {name: lines[name] for name in LINES} == LINES
    chain = "".join(f"F{n}(x) = (F{n - 1}(x),F{n - 1}(x))\n" for n in range(1, 60))
    lines = [*type_lines(pipeline.understand(Source("case.cpl", f"F0(x) = (x,x)\n{chain}")))]
    assert len(lines) == 60 and max(map(len, lines)) < 4000
    found = types("F(x) = Unknown\nG(x) = F(x)\nc = G(1)\nH(y) = y + 1\n")
    assert found == {"F": None, "G": None, "c": None, "x": None, "H": "real ⇒ real", "y": "real"}
    assert types("c = F(1)\nd = c\nF(x) = x +\n") == {"c": None, "d": None}
    text = "F(x) = value of § let a, b = 1, 2\n a, b := 1\n result is a §\nG(y) = (y\n"
    assert known(text).diagnostics


LINE_BY_LINE = ("F(x) = value of § let s = 0\n{}\nresult is s §|", "s := s + {n}x")
RING = ("{}\nF{count}(L) = F0(L)", "F{n}(L) = Null(L) → NIL, Join([Head(L)], F{next}(Tail(L)))")


@pytest.mark.parametrize(("text", "line"), [LINE_BY_LINE, RING], ids=["operators", "functions"])
def test_the_work_grows_with_the_length(text: str, line: str) -> None:
    """Operators that share a variable are settled once, and many functions that use each other copied for none."""

    def work(count: int) -> int:
        """How many calls the inference makes."""
        calls = 0

        def profile(_frame: object, event: str, _argument: object) -> None:
            nonlocal calls
            calls += event == "call"

        lines = "\n".join(line.format(n=n, next=n + 1) for n in range(count))
        meaning = pipeline.understand(Source("case.cpl", text.format(lines, count=count)))
        sys.setprofile(profile)
        assert meaning.facts.sure
        sys.setprofile(None)
        return calls

    assert work(200) < 3 * work(100)


def known(text: str) -> Analysis:
    return analyse(Source("half.cpl", text), advice=False)


def types(text: str) -> dict[str, str | None]:
    """The types of the names that a text defines."""
    analysis = known(text)
    return {
        each.name: analysis.type_of(each.span)
        for each in analysis.definitions.values()
        if each.span.source == analysis.source
    }


@pytest.mark.parametrize(
    "broken", ["F(x) = (x", "F(x) = value of § let a = 1", "F(x) = value of § let a = \n result is a §", "F(x) = )"]
)
def test_what_parses_is_known(broken: str) -> None:
    expected = {"G": "real ⇒ real", "y": "real", "H": "real ⇒ real", "z": "real"}
    assert types(f"G(y) = y + 1\n{broken}\nH(z) = G(z)\n").items() >= expected.items()


SAMPLE = 160
"""Of each program one mutant in so many is compiled, of 8,000 in all: a change of one program draws no others of the
rest. Most that are not found make another program of the same types.
"""

FOUND = 0.75
ALMOST_ALL = 0.97
SURE = ("number-condition", "number-members", "nil-bound", "nil-operand", "boolean-operand", "list-operand")
"""Slips after which no value can be of the type that is needed."""


def findings(text: str, path: str) -> list[Diagnostic]:
    """What `cpl check` says but for advice; other commands are silent about texts that are marked as verbatim."""
    found = cpl.check_text(text, path=path)
    return [diagnostic for diagnostic in found if diagnostic.severity == "error" or diagnostic.cause.misleads]


@pytest.mark.long
@pytest.mark.usefixtures("deep")
def test_most_slips_of_type_are_found(measured: Callable[[str], None]) -> None:
    tried, found = Counter[str](), Counter[str]()
    sample: list[Mutant] = []
    for path in sorted({*ROOT.glob("programs/*.cpl")} - {ROOT / "programs" / "strachey-original.cpl"}):
        main, _, _ = loader.load(loader.read(path))
        assert findings(main.source.text, str(path)) == []
        sample += list(mutants(main.program))[::SAMPLE]
    for mutant in sample:
        tried[mutant.operator] += 1
        found[mutant.operator] += bool(findings(mutant.text, mutant.span.source.path))
    sure = sum(found[each] for each in SURE) / sum(tried[each] for each in SURE)
    measured(f"{found.total()} of {tried.total()} slips of type found; of those that no value survives, {sure:.0%}")
    assert found.total() >= FOUND * tried.total()
    assert sure >= ALMOST_ALL


def test_a_result_outside_of_blocks_leaves_the_other_types_known() -> None:
    found = types("F(x) = x + 1\nlet n = 2\nif n > 0 then result is 3\n")
    assert found == {"F": "real ⇒ real", "x": "real", "n": "integer"}
