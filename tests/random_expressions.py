"""Random expressions of CPL that fit each other by their kinds: forms with holes, filled until there is enough.

Operands have no effects, as CPL leaves open in which order they are evaluated (evidence E36): a block that is one
changes its own variables only.
"""

import re
from functools import cache
from itertools import accumulate
from typing import TypeVar

from hypothesis import strategies as st

from cpl.records import dataclass, field, replace

NAMES = ("x", "y", "z", "a", "σ", "x'", "Φ", "Phi", "X", "Yz", "L")
VALUES = ("number", "boolean", "logical", "list", "pair", "real", "string")
FUNCTIONS = ("function of number", "function of boolean")
HOLDERS = ("array", "matrix", "knot", "pointer")
"""Values with places in them, which others may share."""

KINDS = (*VALUES, *VALUES, *FUNCTIONS, *HOLDERS)

# `{number}` is an operand, put in brackets if need be; `{number.}` is a whole expression.
CONSTANTS = {
    "number": tuple("0123456789"),
    "index": tuple("0123"),
    "place": tuple("12"),
    "boolean": ("true", "false"),
    "logical": ("Logical(0)", "Logical(1)", "Logical(5)", "Logical(12)", "Logical([1,3])"),
    "list": ("NIL", "[1]", "[2,3]"),
    "pair": ("(1,true)",),
    "real": ("0.5", "2.5", "1.5⏨-3", "∞"),
    "string": ("‘’", "‘a’", "‘bc’"),
    "array": ("Vector(0)",),
    "matrix": ("Matrix(0)",),
    "knot": ("Knot[1,NIL]",),
    "tree": ("Leaf[2]", "Knot[1,NIL]"),
    "pointer": ("Pointer[3]",),
    "function of number": ("(λx. x)", "(λz. 2z)"),
    "function of boolean": ("(λx. x > 1)",),
}

FORMS = {
    "number": (
        "{number} + {number}",
        "{number} - {number}",
        "{number} × {digit}",
        "- (-{number})",
        "-{number} + 2{number} - {digit}×{number}",
        "{digit} ↑ {digit}",
        "Head(Join({number.},{list.}))",
        "Head({list.})",
        "{array}[{index.}]",
        "{matrix}[{place.},{place.}]",
        "[4,5,6][{place.}]",
        "Item[{knot.}]",
        "Follow[{pointer.}]",
        "↓{pointer}",
        "{function of number}[{number.}]",
        "(f({number.}) where f = {function of number.})",
        "(z({digit}) where z = {number.})",
    ),
    "index": ("({boolean} → {index}, {index})", "Remainder({digit},4)"),
    "place": ("({boolean} → {place}, {place})",),
    "boolean": (
        "{boolean} ∧ {boolean}",
        "{boolean} ∨ {boolean}",
        "~{boolean}",
        "{number} < {number}",
        "{number} = {number}",
        "{number} ≤ {number} < {number}",
        "~{boolean} ∧ {number} > {number} + 1 ∨ {boolean}",
        "{boolean} ≡ {boolean}",
        "{boolean} ≢ {boolean}",
        "{real} ≥ {number}",
        "{number} < ∞",
        "{string} = {string}",
        "{pair} ≠ {pair}",
        "{number} = {boolean}",
        "[{number.},{boolean.}] ≠ [{boolean.},{number.}]",
        "({boolean} → [{number.}], [{boolean.}]) = [{number.}] = [{boolean.}]",
        "Null({list.})",
        "Null({logical.})",
        "Null({string.})",
        "Null[Rest[{knot.}]]",
        "Is[Knot,{tree.}]",
        "Is[Tree,{knot.}]",
        "Type[{tree.}] = Leaf",
        "{function of boolean}[{number.}]",
    ),
    "logical": (
        "{logical} ∧ {logical}",
        "{logical} ∨ {logical}",
        "{logical} + {logical}",
        "{logical} - {logical}",
        "{logical} - {logical} ∧ ~{logical} + {logical}",
        "{logical} ≡ {logical}",
        "~{logical}",
        "Shift({logical.},{digit})",
        "Shift({logical.},-{digit})",
        "SingleDigitFrom({logical.})",
    ),
    "list": (
        "Join({number.},{list.})",
        "Tail(Join({number.},{list.}))",
        "Tail({list.})",
        "[{number.},{number.}]",
        "MinList({list.},{list.})",
    ),
    "pair": ("({number.},{boolean.})",),
    "real": ("{real} + {number}", "{number}/{digit}", "{real} × 2.5", "-{real}", "{real} ↑ 2"),
    "string": ("StringOf(SymbolsOf({string.}))", "Head([{string.}])"),
    "array": ("Vector({number.})", "Copy[{array.}]"),
    "matrix": ("Matrix({number.})", "Copy[{matrix.}]"),
    "knot": ("Knot[{number.},NIL]", "Knot[{number.},{knot.}]", "Tree[{knot.}]"),
    "tree": ("Leaf[{number.}]", "{knot.}"),
    "pointer": ("Pointer[{number.}]",),
    "function of number": ("(λ{name}. {number.})",),
    "function of boolean": ("(λ{name}. {boolean.})",),
}

FURNITURE = {
    "Knot|Leaf|Tree|Item|Rest": """node Knot is integer Item with Tree : Rest
node Leaf is integer Value
element Tree is Knot or Leaf""",
    "Vector": """Vector(x) = value of § real vector v = Array[real,(0,3)]
                      for k = step 0,1,3 do v[k] := x + k
                      result is v §|""",
    "Matrix": """Matrix(x) = value of § let m = Array[real,(1,2),(1,2)]
                      m[1,1], m[1,2], m[2,1], m[2,2] := x, x + 1, x, 7
                      result is m §|""",
}
"""What the forms refer to; a program has what it needs of it."""

DEEPEST = 3

Item = TypeVar("Item")

_HOLE = re.compile(r"\{([\w ]+)(\.?)\}")
_NAMED = re.compile(r"[\w']*")

# A program is a thousand draws: to make a strategy for each takes longer than to draw.
_one_of = cache(st.sampled_from)
_between = cache(st.integers)


@dataclass
class Scope:
    """What can be used at a place in the text: names with their kinds, and of those the ones that are `changing`.

    Commands that are `alone` are obeyed while no operand is evaluated, so that they can have effects. They may give a
    result `early`, of that kind. What is deep within expressions is short, so that commands are many.
    """

    kinds: dict[str, str] = field(default_factory=dict)
    changing: frozenset[str] = frozenset()
    indent: str = ""
    alone: bool = False
    early: str | None = None
    depth: int = 0

    def with_names(self, names: dict[str, str]) -> "Scope":
        """Further names, which do not change."""
        return replace(self, kinds=self.kinds | names, changing=self.changing - names.keys())

    def define(self, name: str, kind: str, *, fixed: bool = False) -> None:
        """A name from here on."""
        self.kinds[name] = kind
        self.changing = self.changing - {name} if fixed else self.changing | {name}

    def inner(self) -> "Scope":
        """Within a section."""
        return replace(self, kinds=dict(self.kinds), indent=self.indent + "   ")

    def operand(self) -> "Scope":
        """Within an operand."""
        return replace(self.inner(), changing=frozenset(), alone=False, early=None)

    def names(self, kind: str) -> list[str]:
        """The names of a kind."""
        return [name for name, known in self.kinds.items() if known == kind]


@dataclass
class Expressions:
    """Draws expressions. `functions` are those defined so far: name, kinds of the parameters, kind of the result."""

    draw: st.DrawFn
    functions: list[tuple[str, tuple[str, ...], str]] = field(default_factory=list)
    budget: int = 0

    def choose(self, *options: str) -> str:
        return self.draw(_one_of(options))

    def among(self, items: list[Item]) -> Item:
        return items[self.number(0, len(items) - 1)]

    def number(self, low: int, high: int) -> int:
        return self.draw(_between(low, high))

    def block(self, kind: str, scope: Scope) -> str:
        """A value block."""
        raise NotImplementedError

    def expression(self, kind: str, scope: Scope) -> str:
        self.budget -= 1
        names = scope.names(kind)
        if names and self.number(0, 1):
            return self.choose(*names)
        if self.budget <= 0 or scope.depth > DEEPEST:
            return self.choose(*CONSTANTS[kind])
        scope = replace(scope, depth=scope.depth + 1)
        match self.number(0, 11):
            case 0:
                return self.choose(*CONSTANTS[kind])
            case 1:
                return self.conditional(kind, scope)
            case 2:
                return f"({self.block(kind, scope.operand())})"
            case 3:
                return self.where(kind, scope)
            case 4 | 5 | 6 if calls := [each for each in self.functions if each[2] == kind]:
                name, kinds, _ = self.among(calls)
                return f"{name}({','.join(self.expression(each, scope) for each in kinds)})"
        return self.fill(self.choose(*FORMS[kind]), scope)

    def conditional(self, kind: str, scope: Scope) -> str:
        arms = [f"{self.condition(scope)} → {self.expression(kind, scope)}, " for _ in range(self.number(1, 2))]
        return f"({''.join(arms)}{self.expression(kind, scope)})"

    def condition(self, scope: Scope) -> str:
        """A truth value, or a list in its place."""
        form = self.choose(*["{boolean}"] * 5, "{list}", "~{list}", "{pair} ∧ ~({boolean} ∨ {list})")
        return self.fill(form, scope)

    def where(self, kind: str, scope: Scope) -> str:
        name, known = self.choose(*NAMES), self.choose(*KINDS)
        value = self.expression(known, scope)
        return f"({self.expression(kind, scope.with_names({name: known}))} where {name} = {value})"

    def operand(self, kind: str, scope: Scope) -> str:
        """An expression that can stand beside an operator."""
        text = self.expression(kind, scope)
        return text if _is_operand(text) else f"({text})"

    def fill(self, form: str, scope: Scope) -> str:
        """A form with its holes filled, from left to right; a name that it has is known after it."""

        def filled(hole: re.Match[str]) -> str:
            nonlocal scope
            match hole[1], hole[2]:
                case "digit", _:
                    return str(self.number(1, 9))
                case "name", _:
                    name = self.choose(*NAMES)
                    scope = scope.with_names({name: "number"})
                    return name
                case kind, ".":
                    return self.expression(kind, scope)
                case kind, _:
                    return self.operand(kind, scope)

        return _HOLE.sub(filled, form)


def _is_operand(text: str) -> bool:
    """Whether this is a name, a constant, or brackets round everything but a name before them."""
    rest = text[_NAMED.match(text).end() :]  # type: ignore[union-attr]
    if not rest or text in CONSTANTS["string"]:
        return True
    depths = [*accumulate((char in "([") - (char in ")]") for char in rest)]
    return rest[0] in "([" and 0 not in depths[:-1]
