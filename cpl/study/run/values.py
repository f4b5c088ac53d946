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

_Open = tuple[str, Iterator[Any], list[int]]
"""A compound that is being written: its kind, the members that are not written yet, and where each member that is
written begins in the list of texts.
"""


def same(left: Any, right: Any, ordered: bool = True) -> bool:
    """Whether two values are the same to a CPL program, also if they come from two modules.

    Numbers are what they count (1 and 1.0 are the same, nan is nan), nodes the names of their types and their
    components, functions their names (those within others have none). If not `ordered`, lists are the same if they
    have the same members, however often each, in any order, at any depth.
    """
    return left is right or canonical(left, ordered) == canonical(right, ordered)


def canonical(value: Any, ordered: bool = True) -> str:
    """Return a text that two values share if they are the `same`, and no other two.

    The list `[2,(3,4)]`, for example, has the text `list(2,tuple(3,4,),),`. If not `ordered`, the texts of a list's
    members are sorted. A compound that is a member of itself is written as `^1`, or `^2` if there is another between.
    """
    texts: list[str] = []
    stack: list[_Open] = [("", iter([value]), [])]  # recursion would fail: values nest deeper than Python's calls may
    depths: dict[int, int] = {}  # of the compounds on the stack, by identity

    for _ in range(5 * MOST_PARTS):
        kind, members, begins = stack[-1]
        member = next(members, _END)

        if member is _END:
            stack.pop()
            if not stack:
                break
            depths.popitem()
            if kind == "list" and not ordered:
                _sort_members(texts, begins)
            texts.append("),")
            continue

        begins.append(len(texts))
        compound = _compound(member)
        if compound is None:
            texts.append(f"{_atom(member)},")
        elif id(member) in depths:
            levels_up = len(depths) - depths[id(member)]
            texts.append(f"^{levels_up},")
        else:
            member_kind, its_members = compound
            depths[id(member)] = len(depths)
            texts.append(f"{member_kind}(")
            stack.append((member_kind, iter(its_members), []))

    return "".join(texts)


def _sort_members(texts: list[str], begins: list[int]) -> None:
    """Sort the members of a list at the end of `texts`: each is all texts from its beginning to that of the next."""
    if not begins:
        return
    ends = [*begins[1:], len(texts)]
    members = ["".join(texts[begin:end]) for begin, end in zip(begins, ends, strict=True)]
    texts[begins[0] :] = sorted(members)


def measure(arguments: tuple[Any, ...]) -> tuple[int, str]:
    """Return a key by which arguments are ordered by size: how long they are as CPL writes them, then their text."""
    text = show(arguments)
    return len(text), text


def parts(value: Any, most: int = MOST_PARTS) -> Iterator[Any]:
    """Yield a value, its members, their members and so on, in order; each compound once, and at most so many values."""
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
    copies: dict[int, Any] = {}  # of all that holds places, by the original's identity
    unfilled: list[tuple[Any, Any]] = []  # originals and their copies, which are made empty: cycles end there

    def copy_of(part: Any) -> Any:
        if id(part) in copies:
            return copies[id(part)]

        match part:
            case tuple():
                members = [copy_of(member) for member in part]
                is_changed = any(new is not old for new, old in zip(members, part, strict=True))
                return tuple(members) if is_changed else part
            case list() if not part:
                return exchange(part)  # it holds no places; under some readings it stands for a bit string
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
        unfilled.append((part, copy))
        return copy

    def fill(copy: Any, original: Any) -> None:
        if isinstance(original, list):
            copy += map(copy_of, original)
            return
        for name in type(original).__slots__:
            with suppress(NoValue):  # a place may have none yet
                content = getattr(original, name)
                if name == "members":  # of an array: a list that belongs to it alone, and no value of CPL
                    setattr(copy, name, [*map(copy_of, content)])
                else:
                    setattr(copy, name, copy_of(content))

    result = copy_of(value)
    while unfilled:
        original, copy = unfilled.pop()
        fill(copy, original)
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
    """Return the canonical text of a value that has no members."""
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

    def intern_text(self, text: str) -> int:
        """Return the number of a text that is not a value of CPL."""
        return self._intern("text", text, text)

    def _intern(self, kind: str, content: Any, text: str) -> int:
        """Return the number of the row with this content, a text or the numbers of members; a new one if there is none.
        `text` is the value as CPL writes it.
        """
        number = self._numbers.get((kind, content))
        if number is not None:
            return number

        number = len(self.rows)
        self._numbers[kind, content] = number
        self._texts.append(text)
        if kind == "text":
            self.rows.append(printable(text))
        elif isinstance(content, tuple):
            self.rows.append({kind: [*content]})
            self._room -= len(content)
        else:
            self.rows.append({kind: content})
        return number

    def _number(self, value: Any, depth: int) -> int:
        """Return the number of a value that has so many compounds round it."""
        self._left -= 1
        match value:
            case Logical(bits=bits) if bits >= 0 and bits.bit_length() <= _MOST_BITS:
                return self._intern("bits", f"{bits:x}", _bits_text(value))
            case list() | tuple() if value:
                return self._compound(value, "", value, depth)
            case _ if callable(value):
                return self._intern("function", show(value), show(value))
            case Shown():
                name, members = value.shown()
                if members is not None:
                    return self._compound(value, name, members, depth)
        return self.intern_text(_text(value))

    def _compound(self, value: Any, name: str, members: Sequence[Any], depth: int) -> int:
        """Return the number of a value with members; `name` stands before them, unless it is a list or a tuple."""
        if id(value) in self._visited:
            number = self._visited[id(value)]
            return self.intern_text(f"{name}[…]") if number is None else number

        self._visited[id(value)] = None
        number = self._position(value, depth) if is_position(value) else self._list(value, name, members, depth)
        self._visited[id(value)] = number
        return number

    def _position(self, position: Any, depth: int) -> int:
        *sides, mover = position
        numbers = [self._number(side, depth + 1) for side in sides]
        texts = [self._texts[number] for number in numbers]
        text = f"({','.join([*texts, show(mover)])})"
        return self._intern("position", (*numbers, show(mover)), text)

    def _list(self, value: Any, name: str, members: Sequence[Any], depth: int) -> int:
        """Return the number of a list or a tuple. Nodes, arrays and pointers, which have a name, are kept as texts."""
        most = MOST_MEMBERS if self._room > 0 else _FEW
        is_left_out = depth >= _LEVELS_KEPT or self._left <= 0
        first_members = [] if is_left_out else members[:most]
        numbers = [self._number(member, depth + 1) for member in first_members]
        texts = [self._texts[number] for number in numbers]

        if isinstance(value, Shown):
            return self.intern_text(_cut(_listed(texts, len(members), f"{name}[]")))

        kind, brackets = ("list", "[]") if isinstance(value, list) else ("tuple", "()")
        text = _listed(texts[:_MOST_IN_TEXT], len(members), brackets)
        if len(numbers) < len(members):
            numbers.append(self.intern_text(_more(len(members) - len(numbers))))
        return self._intern(kind, tuple(numbers), shortened(text, MOST_CHARACTERS))


def _bits_text(value: Logical) -> str:
    """Write a bit string with the first squares in it only."""
    squares = [*value]
    if not squares:
        return show(value)
    texts = [str(square) for square in squares[:_MOST_IN_TEXT]]
    return f"Logical({_listed(texts, len(squares), '[]')})"


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
    written = [*texts]
    if len(texts) < count:
        written.append(_more(count - len(texts)))
    opening, closing = brackets[:-1], brackets[-1]
    return f"{opening}{','.join(written)}{closing}"


def _more(count: int) -> str:
    return f"… ({count:,} more)"


def shortened(text: str, longest: int) -> str:
    """Cut a text that has more than this number of characters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
