"""Random expressions of CPL whose kinds fit, as text, for hypothesis to draw and to shrink.

What there is of each kind is a table of forms. In a form `{number}` stands for an operand of that kind, in brackets if
it needs them, `{=number}` for a whole expression, and `{number+x}` for one in which x is a number too.
"""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from hypothesis import strategies as st

KINDS: Final = ("number", "boolean", "logical", "list", "pair", "string", "array", "node", "function")
"""What the values of variables may be. A `pair` is a number and a truth value; lists and arrays hold numbers; an array
has the bounds 0 and 3; a function takes a number and gives one.
"""
PLAIN: Final = KINDS[:6]
"""Those whose values have no members that can be assigned to."""
NAMES: Final = ("x", "y", "z", "a", "σ", "x'", "Φ", "Phi", "X", "Yz", "L")
FUNCTIONS: Final = ("f", "g", "h", "f'")

CONSTANTS: Final = {
    "number": ("0", "1", "2", "3", "9", "2.5", "5⏨1", "8 17"),
    "boolean": ("true", "false"),
    "logical": ("Logical(0)", "Logical(5)", "Logical([1,3])"),
    "string": ("‘a’", "“bc”", "‘’"),
    "list": ("NIL", "[1]", "[2,3]"),
    "pair": ("(1,true)",),
    "array": ("Filled(0)", "Filled(5)"),
    "node": ("Cons[1,NIL]", "Cons[2,Cons[3,NIL]]"),
    "pointer": ("Pointer[7]",),
    "function": ("λx. x", "λx. x + 1"),
    "index": ("0", "1", "3"),
    "tail": ("NIL",),
}

FORMS: Final = {
    "number": (
        "{number} + {number}",
        "{number} - {number}",
        "{number} × {number}",
        "{number}/2",
        "{number} - (-{number})",
        "-{number} + 2{number} - {number}×{number}",
        "Remainder({=number},7)↑2",
        "Quotient({=number},3)",
        "Head({=list})",
        "Length({=list})",
        "{list}[{=index}]",
        "{array}[{=index}]",
        "Car[{=node}]",
        "Follow[{=pointer}]",
        "↓{pointer}",
        "{function}[{=number}]",
        "(λx. {number+x})[{=number}]",
        "(λx. λy. x + y)[{=number}][{=number}]",
        "Min({=number},∞)",
        "RealPart(Complex({=number},1))",
    ),
    "boolean": (
        "{boolean} ∧ {boolean}",
        "{boolean} ∨ {boolean}",
        "~{boolean}",
        "{boolean} ≡ {boolean}",
        "{boolean} ≢ {boolean}",
        "{number} < {number}",
        "{number} = {number}",
        "{string} = {string}",
        "{number} ≤ {number} < {number}",
        "-∞ < {number} < ∞",
        "~{boolean} ∧ {number} > {number} + 1 ∨ {boolean}",
        "Null({=list})",
        "Null({=logical})",
        "Member({=number},{=list})",
        "Is(integer,{=number})",
        "Is(Atom,{=node})",
        "Type(Cons[0,{=tail}]) = Cons",
    ),
    "logical": (
        "{logical} ∧ {logical}",
        "{logical} ∨ {logical}",
        "{logical} + {logical}",
        "{logical} - {logical}",
        "{logical} - {logical} ∧ ~{logical} + {logical}",
        "{logical} ≡ {logical}",
        "~{logical}",
        "Shift({=logical},2)",
        "Shift({=logical},-1)",
        "SingleDigitFrom({=logical})",
    ),
    "string": ("StringOf([{=string},‘b’])", "Head(SymbolsOf(StringOf([‘x’,{=string}])))"),
    "list": (
        "Tail({=list})",
        "Join({=number},{=list})",
        "[{=number},{=number}]",
        "Map({=function},{=list})",
        "Range(0,{=index})",
        "Reverse({=list})",
    ),
    "pair": ("({=number},{=boolean})",),
    "array": ("Copy({=array})", "Filled({=number})"),
    "node": ("Cons[{=number},{=tail}]", "Cdr[Cons[0,{=node}]]"),
    "tail": ("{node}",),
    "pointer": ("Pointer[{=number}]",),
    "function": ("λx. {=number+x}",),
    "index": ("Mod(Remainder({=number},4))",),
}

DEEPEST: Final = 2

PRELUDE: Final = {
    "Cons|Atom|Car|Cdr": "element Atom is integer or real\nnode Cons is Atom : Car with Cons : Cdr\n",
    "Filled": "Filled(n) = value of § let v = Array[real,(0,3)]\n"
    "                       for k = step 0,1,3 do v[k] := n + k\n"
    "                       result is v §|\n",
}
"""What forms and constants use, by the names that they use it by."""


@dataclass(frozen=True)
class Around:
    """What an expression or a command may use: the `kinds` of the names in scope; those that are `changing`, and may be
    assigned to; those of arrays and nodes that are its `own`, whose members may be assigned to.

    What stands `alone` may do something besides giving a value: nothing is evaluated beside it, in whatever order. What
    is deep within other expressions is short, so that commands are many.
    """

    kinds: dict[str, str] = field(default_factory=dict)
    changing: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    indent: str = "    "
    alone: bool = False
    depth: int = 0

    def with_name(self, name: str, kind: str, *, changing: bool = False, own: bool = False) -> "Around":
        """As this, within the scope of one more name."""
        return replace(
            self,
            kinds=self.kinds | {name: kind},
            changing=self.changing - {name} | ({name} if changing else frozenset()),
            own=self.own - {name} | ({name} if own else frozenset()),
        )

    def without(self, name: str) -> "Around":
        """As this, where a name has no value yet."""
        return replace(self, kinds={each: kind for each, kind in self.kinds.items() if each != name})

    def beside_others(self) -> "Around":
        """As this, for an operand or an argument."""
        return replace(self, changing=frozenset(), own=frozenset(), alone=False, depth=self.depth + 1)

    def deeper(self) -> "Around":
        """As this, within a section."""
        return replace(self, indent=self.indent + "   ")

    def names(self, kind: str) -> list[str]:
        """The names of this kind."""
        return [name for name, known in self.kinds.items() if known == kind]


@dataclass(frozen=True)
class Signature:
    """A function or routine of the program: what it is called by, the kinds that it takes, and what it gives."""

    name: str
    takes: tuple[str, ...]
    gives: str = ""


# A program is a thousand draws: to make a strategy for each takes longer than to draw.
one_of = cache(st.sampled_from)
between = cache(st.integers)
either = st.booleans()

_PART = re.compile(r"\{(=?)(\w+)(?:\+(\w))?\}")
_NEEDS_NO_BRACKETS = re.compile(r"\w+'?|(F\d|Logical|Head|Car|Min|Cons|Filled|Null)[([][^ ()\[\]]*[)\]]")
_SMALL = re.compile("[a-zσ]'*")


class Expressions(ABC):
    """Draws expressions. They get short when the budget is used up."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.budget = 0
        self.functions: list[Signature] = []  # that may be called so far

    def choose(self, *options):
        return self.draw(one_of(options))

    def number(self, low: int, high: int) -> int:
        return self.draw(between(low, high))

    @abstractmethod
    def block(self, kind: str, around: Around) -> str:
        """A value block."""

    def expression(self, kind: str, around: Around) -> str:
        """An expression of this kind."""
        self.budget -= 1
        names = around.names(kind)
        if names and self.draw(either):
            return self.choose(*names)
        if self.budget <= 0 or around.depth > DEEPEST:
            return self.choose(*CONSTANTS[kind])
        around = around.beside_others()
        match self.number(0, 9):
            case 0:
                return self.choose(*CONSTANTS[kind])
            case 1 | 2:
                return self.conditional(kind, around)
            case 3 | 4 if kind in KINDS and around.depth < DEEPEST:
                return self.block(kind, around)
            case 5 | 6:
                calls = [each for each in self.functions if each.gives == kind]
                if calls:
                    return self.call(self.choose(*calls), around)
            case 7:
                return self.where(kind, around)
            case 8 if kind == "number":
                return self.product(around)
        return self.filled(self.choose(*FORMS[kind]), around)

    def filled(self, form: str, around: Around) -> str:
        """A form with its parts."""

        def part(match: re.Match[str]) -> str:
            whole, kind, parameter = match.groups()
            inside = around.with_name(parameter, "number") if parameter else around
            return self.expression(kind, inside) if whole else self.operand(kind, inside)

        return _PART.sub(part, form)

    def operand(self, kind: str, around: Around) -> str:
        """An expression that can stand beside an operator."""
        text = self.expression(kind, around)
        return text if _NEEDS_NO_BRACKETS.fullmatch(text) or _in_brackets(text) else f"({text})"

    def call(self, function: Signature, around: Around) -> str:
        """A function applied."""
        return f"{function.name}({','.join(self.expression(kind, around) for kind in function.takes)})"

    def conditional(self, kind: str, around: Around) -> str:
        """One of several values."""
        arms = [
            f"{self.operand('boolean', around)} → {self.expression(kind, around)}, " for _ in range(self.number(1, 2))
        ]
        return f"({''.join(arms)}{self.expression(kind, around)})"

    def where(self, kind: str, around: Around) -> str:
        """A value that has a definition after it."""
        name, known = self.choose(*NAMES), self.choose(*KINDS)
        value = self.expression(known, around)
        sign = self.choose("=", "=", "≡")
        return f"({self.expression(kind, around.with_name(name, known))} where {name} {sign} {value})"

    def product(self, around: Around) -> str:
        """Two numbers side by side, or what could be taken for the application of a function."""
        small = [name for name in around.names("number") if _SMALL.fullmatch(name)]
        if not small:
            return f"{self.number(2, 9)}({self.expression('number', around)})"
        first = self.choose(*small)
        return self.choose(
            f"{first}{self.choose(*small)}",
            f"{self.number(2, 9)}{first}",
            f"{first}({self.expression('number', around)})",
            f"1/{first}({self.expression('number', around)})",
        )


def _in_brackets(text: str) -> bool:
    """Whether the bracket that it begins with is closed at its end."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return sign == ")" and at == len(text) - 1
    return False
