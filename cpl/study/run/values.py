"""Values of CPL compared, copied, measured, and kept in a table as text and as data for JSON.

Values may nest to any depth, and nodes may form cycles: comparing and copying do not recurse, and what the table keeps
of a value is bounded.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import isinf, isnan
from typing import Any, Final

from cplrt import Array, Cell, ComponentOf, Logical, MemberOf, Node, show
from cplrt.checkers import is_position
from cplrt.faults import NoValue
from cplrt.show import Shown

from cpl.limits import MOST_PARTS
from cpl.outside import printable

_END: Final = object()
"""Stands for the end of members."""


def same(left: Any, right: Any, ordered: bool = True) -> bool:
    """Whether two values are the same to a CPL program, also if they come from two modules.

    Numbers are what they count (1 and 1.0 are the same, nan is nan), nodes the names of their types and their
    components, functions their names (those within others have none). If not `ordered`, lists are the same if they
    have the same members, however often each, in any order, at any depth.
    """
    return left is right or canonical(left, ordered) == canonical(right, ordered)


def canonical(value: Any, ordered: bool = True) -> str:
    """Return a text that two values share if they are the `same`, and no other two."""
    texts: list[str] = []
    # The compounds round the current value: their names, the members that wait, and where in `texts` members begin.
    compounds: list[tuple[str, Iterator[Any], list[int]]] = [("", iter([value]), [])]
    depths: dict[int, int] = {}  # of the same, by identity
    for _ in range(5 * MOST_PARTS):
        name, members, begins = compounds[-1]
        current = next(members, _END)
        if current is not _END:
            begins.append(len(texts))
            compound = _compound(current)
            if compound is None:
                texts.append(f"{_atom(current)},")
            elif id(current) in depths:
                texts.append(f"^{len(depths) - depths[id(current)]},")
            else:
                depths[id(current)] = len(depths)
                texts.append(f"{compound[0]}(")
                compounds.append((compound[0], iter(compound[1]), []))
        elif len(compounds) == 1:
            break
        else:
            compounds.pop()
            depths.popitem()
            if name == "list" and begins and not ordered:
                ends = [*begins[1:], len(texts)]
                texts[begins[0] :] = sorted("".join(texts[begin:end]) for begin, end in zip(begins, ends, strict=True))
            texts.append("),")
    return "".join(texts)


def measure(arguments: tuple[Any, ...]) -> tuple[int, str]:
    """Return a key by which arguments are ordered by size: how long they are as CPL writes them, then their text."""
    text = show(arguments)
    return len(text), text


def parts(value: Any, most: int = MOST_PARTS) -> Iterator[Any]:
    """Yield a value and all that is within it, each compound once."""
    seen: set[int] = set()
    waiting = [value]
    while waiting and most > 0:
        part = waiting.pop()
        compound = _compound(part)
        if compound is not None:
            if id(part) in seen:
                continue
            seen.add(id(part))
            waiting += reversed(compound[1])
        most -= 1
        yield part


def is_small(value: Any, most: int) -> bool:
    """Whether a value has at most this number of parts."""
    return sum(1 for _ in parts(value, most + 1)) <= most


def copied(value: Any, exchange: Callable[[Any], Any] = lambda part: part) -> Any:
    """Copy a value with its places: assignments to one do not change the other, and what was one place stays one.
    The result is the very value if it holds no places.

    `exchange` may replace functions, types and empty lists.
    """
    copies: dict[int, Any] = {}
    waiting: list[tuple[Any, Any]] = []

    def copy_of(part: Any) -> Any:
        if id(part) in copies:
            return copies[id(part)]
        match part:
            case tuple():
                members = tuple([copy_of(member) for member in part])
                return members if any(new is not old for new, old in zip(members, part, strict=True)) else part
            case list() if not part:
                return exchange(part)  # it holds no places; how it is read, it may stand for a bit string
            case list():
                copy: Any = []
            case Node():
                kind = exchange(type(part))
                copy = kind.__new__(kind)
            case Array() | Cell() | MemberOf() | ComponentOf():
                copy = type(part).__new__(type(part))
            case _:
                return exchange(part) if callable(part) else part
        copies[id(part)] = copy
        waiting.append((part, copy))
        return copy

    result = copy_of(value)
    while waiting:
        old, new = waiting.pop()
        if isinstance(old, list):
            new += map(copy_of, old)
            continue
        for name in type(old).__slots__:
            with suppress(NoValue):  # a place may have none yet
                content = getattr(old, name)  # the members of an array are a list that belongs to it alone
                setattr(new, name, [*map(copy_of, content)] if name == "members" else copy_of(content))
    return result


def _compound(value: Any) -> tuple[str, Sequence[Any]] | None:
    """Return the kind of a compound value, and its members in order; None for other values."""
    members: Sequence[Any] | None
    match value:
        case list():
            return "list", value
        case tuple():
            return "tuple", value
        case Array(lower=lower, members=members):
            return f"array{lower}:", members
        case Shown():
            name, members = value.shown()
            return None if members is None else (name, [*members])
        case _:
            return None


def _atom(value: Any) -> str:
    match value:
        case bool() | None:
            return str(value)
        case complex(imag=imaginary) if imaginary:
            return f"{_atom(value.real)}+{_atom(imaginary)}i"
        case complex():
            return _atom(value.real)
        case float() if isinf(value) or isnan(value) or not value.is_integer():
            return repr(value)
        case int() | float():
            return f"{int(value):x}"
        case Logical(bits=bits):
            return f"bits {bits:x}"
        case str():
            return f"‘{len(value)}:{value}"
        case _:
            return f"{type(value).__name__} {show(value)}"


MOST_MEMBERS: Final = 100
"""Members of a compound value that are kept in the table."""
MOST_CHARACTERS: Final = 200
"""Characters of a text that are kept in the table."""

_MOST_ROWS: Final = 500  # of one value
_LEVELS_KEPT: Final = 30
_ROOM: Final = 300_000  # members of all values together; when it is used up, few of each are kept
_FEW: Final = 8
_MOST_IN_TEXT: Final = 5  # members of a compound
_MOST_BITS: Final = 4_000

Row = str | dict[str, Any]
"""A value in the table."""


class ValueTable:
    """The values of a recorded run, each as it was when it was seen. Equal values have one number; a value that changes
    later gets another one. Of large values a part is kept, with a note of how much is left out.

    The rows are data for JSON:

        "3.5"                            a text, as CPL writes the value
        {"list": [4, 7]}                 the numbers of its members; also {"tuple": …}
        {"bits": "1f"}                   a bit string, in hexadecimal digits
        {"position": [1, 2, 3, "-1"]}    a position of checkers: the numbers of X, Y and K, and σ
        {"function": "Fact"}
    """

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self._texts: list[str] = []  # of the rows, with the first members of compounds only
        self._numbers: dict[tuple[str, Any], int] = {}
        self._room = _ROOM
        self._left = 0  # rows for the current value
        self._visited: dict[int, int | None] = {}  # compounds of it, by identity; None while they are visited

    def number(self, value: Any) -> int:
        """Return the number of a value as it is now."""
        self._left, self._visited = _MOST_ROWS, {}
        return self._number(value, 0)

    def text(self, number: int, width: int) -> str:
        """Return the value of a row as CPL writes it, with the first few members of compounds, cut to a width."""
        return shortened(self._texts[number], width)

    def keep_text(self, text: str) -> int:
        """Return the number of a text that is not a value of CPL."""
        return self._keep("text", text, text)

    def _keep(self, kind: str, content: Any, text: str) -> int:
        number = self._numbers.get((kind, content))
        if number is None:
            number = self._numbers[kind, content] = len(self.rows)
            members = [*content] if isinstance(content, tuple) else content
            self.rows.append(printable(text) if kind == "text" else {kind: members})
            self._texts.append(text)
            self._room -= len(content) if isinstance(content, tuple) else 0
        return number

    def _number(self, value: Any, depth: int) -> int:
        self._left -= 1
        match value:
            case Logical(bits=bits) if bits >= 0 and bits.bit_length() <= _MOST_BITS:
                return self._keep("bits", f"{bits:x}", _bits_text(value))
            case list() | tuple() if value:
                return self._compound(value, depth)
            case _ if callable(value):
                return self._keep("function", show(value), show(value))
            case Shown() if value.shown()[1] is not None:
                return self._compound(value, depth)
            case _:
                return self.keep_text(_text(value))

    def _compound(self, value: Any, depth: int) -> int:
        """Return the number of a value with members; nodes, arrays and pointers, which are written in square brackets
        after a name, are kept as texts.
        """
        name, members = value.shown() if isinstance(value, Shown) else ("", value)
        assert members is not None
        if id(value) in self._visited:
            number = self._visited[id(value)]
            return self.keep_text(f"{name}[…]") if number is None else number
        self._visited[id(value)] = None
        if is_position(value):
            *sides, mover = value
            numbers = tuple([self._number(side, depth + 1) for side in sides])
            texts = [*(self._texts[number] for number in numbers), show(mover)]
            number = self._keep("position", (*numbers, show(mover)), f"({','.join(texts)})")
        else:
            number = self._list(value, name, members, depth)
        self._visited[id(value)] = number
        return number

    def _list(self, value: Any, name: str, members: Sequence[Any], depth: int) -> int:
        most = MOST_MEMBERS if self._room > 0 else _FEW
        most_kept = most if depth < _LEVELS_KEPT and self._left > 0 else 0
        numbers = [self._number(member, depth + 1) for member in members[:most_kept]]
        if isinstance(value, Shown):
            text = _listed([self._texts[number] for number in numbers], len(members), f"{name}[]")
            return self.keep_text(_cut(text))
        kind, brackets = ("list", "[]") if isinstance(value, list) else ("tuple", "()")
        text = _listed([self._texts[number] for number in numbers[:_MOST_IN_TEXT]], len(members), brackets)
        if len(numbers) < len(members):
            numbers.append(self.keep_text(_more(len(members) - len(numbers))))
        return self._keep(kind, tuple(numbers), shortened(text, MOST_CHARACTERS))


def _bits_text(value: Logical) -> str:
    squares = [*value]
    texts = [str(square) for square in squares[:_MOST_IN_TEXT]]
    return f"Logical({_listed(texts, len(squares), '[]')})" if squares else show(value)


def _text(value: Any) -> str:
    """Write a value that has no members as CPL does, cut."""
    match value:
        case int() if value.bit_length() > _MOST_BITS:
            return f"a whole number of {value.bit_length():,} bits"
        case Logical(bits=bits) if bits.bit_length() > _MOST_BITS:
            return f"a bit string of {bits.bit_length():,} bits"
        case str() if len(value) > MOST_CHARACTERS:
            return f"{show(value[:MOST_CHARACTERS])}… ({len(value) - MOST_CHARACTERS:,} more characters)"
    return _cut(show(value))


def _cut(text: str) -> str:
    if len(text) <= MOST_CHARACTERS:
        return text
    return f"{text[:MOST_CHARACTERS]}… ({len(text) - MOST_CHARACTERS:,} more characters)"


def _listed(texts: Sequence[str], count: int, brackets: str) -> str:
    """Write the first of `count` members within brackets, which may have a name before them."""
    rest = [_more(count - len(texts))] if len(texts) < count else []
    return f"{brackets[:-1]}{','.join([*texts, *rest])}{brackets[-1]}"


def _more(count: int) -> str:
    return f"… ({count:,} more)"


def shortened(text: str, longest: int) -> str:
    """Cut a text that has more than this number of characters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
