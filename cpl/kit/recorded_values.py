"""The values of a recorded run, each as it was when it was seen: a value in, its number in a table out.

Equal values have one number, so that a value which changes later gets another one. Large values are cut, and say how
much is left out; however they nest or share their members, what is kept of one is bounded. The table is data for JSON:

    "3.5"                            a text, as CPL writes the value
    {"list": [4, 7]}                 the numbers of its members; also {"tuple": …}
    {"bits": "1f"}                   a bit string, in hexadecimal digits
    {"position": [1, 2, 3, "-1"]}    a position of checkers: the numbers of X, Y and K, and σ
    {"function": "Fact"}
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, Final

from cplrt import Logical, show
from cplrt.show import Shown

from cpl.games.position import is_position
from cpl.outside import printable

MOST_MEMBERS: Final = 100
"""So many members of a compound value are kept."""
MOST_CHARACTERS: Final = 200
"""A longer text is cut."""

_MOST_PARTS: Final = 500  # of one value
_DEEPEST: Final = 30
_ROOM: Final = 300_000  # members of all values together; when it is used up, few of each are kept
_FEW: Final = 8
_SHOWN: Final = 5  # members in a text
_MOST_BITS: Final = 4_000

Kept = str | dict[str, Any]
"""A value in the table."""


class RecordedValues:
    """The table."""

    def __init__(self) -> None:
        self.table: list[Kept] = []
        self._numbers: dict[Hashable, int] = {}
        self._room = _ROOM
        self._left_out: dict[int, int] = {}  # members of compounds, by their numbers

    def number(self, value: Any) -> int:
        """The number of a value as it is now."""
        return _Parts(self).number(value)

    def keep(self, key: Hashable, kept: Kept) -> int:
        """The number of what is kept of a value; equal ones have equal keys."""
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.table)
            self.table.append(kept)
        return number

    def keep_members(self, kind: str, members: Sequence[int | str], left_out: int = 0) -> int:
        """The number of a list, a tuple or a position, of which so many members are left out."""
        if left_out:
            text = _more(left_out)
            members = [*members, self.keep(text, text)]
        known = len(self.table)
        number = self.keep((kind, *members), {kind: [*members]})
        if number == known:
            self._room -= len(members)
            self._left_out[number] = left_out
        return number

    @property
    def most_members(self) -> int:
        """How many members of a value are kept now."""
        return MOST_MEMBERS if self._room > 0 else _FEW

    def text(self, number: int, width: int) -> str:
        """A value of the table as CPL writes it, but the first few members of compounds only, cut to a width."""
        text = ""
        for piece in self._pieces(number):
            text += piece
            if len(text) > width:
                return f"{text[: width - 1]}…"
        return text

    def _pieces(self, number: int) -> Iterator[str]:
        match self.table[number]:
            case str() as text:
                yield text
            case {"list": list() as members}:
                yield from self._members("[", members, "]", self._left_out[number])
            case {"tuple": list() as members}:
                yield from self._members("(", members, ")", self._left_out[number])
            case {"position": [*members, mover]}:
                yield from self._members("(", members, f",{mover})", 0)
            case {"bits": str() as digits}:
                ones = [*Logical(int(digits, 16))]
                more = f",{_more(len(ones) - _SHOWN)}" if len(ones) > _SHOWN else ""
                yield f"Logical([{','.join(map(str, ones[:_SHOWN]))}{more}])" if ones else show(Logical(0))
            case {"function": name}:
                yield str(name)

    def _members(self, opener: str, members: Sequence[int], closer: str, left_out: int) -> Iterator[str]:
        shown = members[: min(_SHOWN, len(members) - bool(left_out))]
        hidden = len(members) - bool(left_out) - len(shown) + left_out
        for index, member in enumerate(shown):
            yield "," if index else opener
            yield from self._pieces(member)
        separator = "," if shown else opener
        yield f"{separator}{_more(hidden)}{closer}" if hidden else closer


class _Parts:
    """One value on its way into the table."""

    def __init__(self, values: RecordedValues) -> None:
        self._values = values
        self._left = _MOST_PARTS
        self._known: dict[int, int | None] = {}  # by identity: what is shared is visited once; None within itself

    def number(self, value: Any, depth: int = 0) -> int:
        self._left -= 1
        match value:
            case Logical(bits=bits) if bits >= 0 and bits.bit_length() <= _MOST_BITS:
                return self._values.keep(("bits", bits), {"bits": f"{bits:x}"})
            case list() | tuple() if value:
                return self._compound(value, depth)
            case _ if callable(value):
                name = show(value)
                return self._values.keep(("function", name), {"function": name})
            case _:
                text = _text(value)
                return self._values.keep(text, printable(text))

    def _compound(self, value: list[Any] | tuple[Any, ...], depth: int) -> int:
        if id(value) in self._known:
            number = self._known[id(value)]
            return number if number is not None else self._values.keep("[…]", "[…]")
        self._known[id(value)] = None
        if is_position(value):
            *sides, mover = value
            bits = [self.number(side, depth + 1) for side in sides]
            number = self._values.keep_members("position", [*bits, show(mover)])
        else:
            shown = value[: self._values.most_members if depth < _DEEPEST and self._left > 0 else 0]
            members = [self.number(member, depth + 1) for member in shown]
            kind = "list" if isinstance(value, list) else "tuple"
            number = self._values.keep_members(kind, members, len(value) - len(shown))
        self._known[id(value)] = number
        return number


def _text(value: Any) -> str:
    """A value as CPL writes it, cut."""
    match value:
        case int() if value.bit_length() > _MOST_BITS:
            return f"a whole number of {value.bit_length():,} bits"
        case Logical(bits=bits) if bits.bit_length() > _MOST_BITS:
            return f"a bit string of {bits.bit_length():,} bits"
        case str() if len(value) > MOST_CHARACTERS:
            return f"{show(value[:MOST_CHARACTERS])}… ({len(value) - MOST_CHARACTERS:,} more characters)"
    text = show(_pruned(value))
    if len(text) <= MOST_CHARACTERS:
        return text
    return f"{text[:MOST_CHARACTERS]}… ({len(text) - MOST_CHARACTERS:,} more characters)"


def _more(count: int) -> str:
    return f"… ({count:,} more)"


class _Word(Shown):
    """Stands for a value that is not written in full."""

    def __init__(self, name: str, members: Sequence[Any] | None = None) -> None:
        self._shown = name, members

    def shown(self) -> tuple[str, Sequence[Any] | None]:
        """As it was given."""
        return self._shown


def _pruned(value: Any) -> Any:
    """A value with so few parts that it can be shown, whatever nodes and arrays it holds."""
    left = MOST_MEMBERS
    open_values: set[int] = set()

    def pruned(part: Any, depth: int) -> Any:
        nonlocal left
        left -= 1
        make: Callable[[list[Any]], Any]
        members: Sequence[Any] | None
        match part:
            case Shown() if not isinstance(part, Logical):
                name, members = part.shown()
                make = lambda kept: _Word(name, kept)  # noqa: E731
            case list() | tuple():
                members, make = part, type(part) if type(part) is tuple else list
            case Logical() | int() | str():
                return part if part is value else _Word(_text(part))
            case _:
                return part
        if members is None:
            return part
        if id(part) in open_values or (members and (left <= 0 or depth > _DEEPEST)):
            return _Word("…")
        open_values.add(id(part))
        kept = [pruned(member, depth + 1) for member in members[:MOST_MEMBERS]]
        open_values.discard(id(part))
        return make([*kept, _Word(_more(len(members) - len(kept)))] if len(kept) < len(members) else kept)

    return pruned(value, 0)
