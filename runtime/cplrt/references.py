"""References (L-values): captured variables, parameters by reference, and pointers (D15, D21, S11).

All have the attribute `value`, their content, which can be read and assigned. With the routine

    routine Double[ref x] be x := 2x          def Double(x): x.value = 2 * x.value

for example, the compiler turns calls into

    Double[n]                                 Double(n)                  where n = Cell(3)
    Double[A[k]]                              Double(MemberOf(A, k))
    Double[Car[p]]                            Double(ComponentOf(p, "Car"))
"""

from typing import Any, Generic, TypeVar, overload

from cplrt.arrays import UNSET, Item, SetItem
from cplrt.faults import CplFault, NoValue
from cplrt.numbers import CONVERSIONS
from cplrt.show import Shown, require, show

_T = TypeVar("_T")


class Place(Shown, Generic[_T]):
    """A place that holds a value: the target of a pointer, or a parameter by reference."""

    __slots__ = ()
    sort = "pointer"  # the word by which declared types call it

    @property
    def value(self) -> _T:
        """The content of the place."""
        raise NotImplementedError

    @value.setter
    def value(self, value: _T) -> None:
        raise NotImplementedError

    def shown(self) -> tuple[str, list[Any]]:
        """Its name and its content: `show` writes a place as the call that makes a pointer to it, `Pointer[3]`."""
        try:
            return "Pointer", [self.value]
        except CplFault:
            return "Pointer", [UNSET]


class Cell(Place[_T]):
    """A variable that something refers to. It has no value until one is assigned."""

    __slots__ = ("value",)
    value: _T

    def __init__(self, *value: _T) -> None:
        if value:
            self.value = value[0]

    def __getattr__(self, name: str) -> Any:
        if name == "value":  # Python asks here only if the slot is empty
            raise NoValue("this place has no value yet")
        raise AttributeError(name)

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        # For pickle and copy: the contents of the slots, as the second of two. Their own way fails for an empty slot.
        try:
            return None, {"value": self.value}
        except NoValue:
            return None, {}

    def __repr__(self) -> str:
        try:
            return f"Cell({show(self.value)})"
        except CplFault:
            return "Cell()"


class NumberCell(Cell[Any]):
    """A variable of a declared type of number, the `kind`: what is stored in it converts (T10).

    `value` is a property here, which hides the slot `value` of a Cell. The content is in that slot all the same: the
    property reaches it by `_content`, the descriptor that Python has made for the slot.
    """

    __slots__ = ("kind",)

    def __init__(self, kind: str, *value: Any) -> None:
        self.kind = kind
        super().__init__(*value)

    @property
    def value(self) -> Any:
        """The number."""
        return _content.__get__(self)

    @value.setter
    def value(self, value: Any) -> None:
        _content.__set__(self, CONVERSIONS[self.kind](value))

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        _, content = super().__getstate__()
        return None, {"kind": self.kind, **content}  # the kind first: `value` converts to it when it is set again


_content: Any = vars(Cell)["value"]
"""The descriptor of the slot in which all cells have their content."""


class ReadOnly(Cell[_T]):
    """The place of something that cannot be assigned to: a function, or a variable that a function defined with = has
    captured.
    """

    __slots__ = ()

    def __init__(self, value: _T) -> None:
        object.__setattr__(self, "value", value)  # for once, past the `__setattr__` that refuses

    def __setattr__(self, name: str, value: object) -> None:
        reason = "functions are constant" if callable(self.value) else "a function defined with = captures values"
        raise CplFault(f"cannot assign to {show(self.value)}: {reason}")

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickle and copy make it anew: they cannot set its slot.
        return ReadOnly, (self.value,)


class MemberOf(Place[Any]):
    """A member of an array, or of an array in an array. The indices are evaluated when the reference is made. Two
    references to one member are equal, as two pointers to one variable are.
    """

    __slots__ = ("array", "indices")

    def __init__(self, array: Any, *indices: Any) -> None:
        if callable(array):
            # `f[x]` looks like a member, but is an application. A reference to its value leads to a new place: the only
            # member of a new list.
            array = [array(*indices)]
            indices = (0,)
        self.array = array
        self.indices = [*indices]

    @property
    def value(self) -> Any:
        """The member."""
        return Item(self.array, *self.indices)

    @value.setter
    def value(self, value: Any) -> None:
        SetItem(self.array, self.indices, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MemberOf) and self.array is other.array and self.indices == other.indices

    def __hash__(self) -> int:
        return hash((id(self.array), *self.indices))


class ComponentOf(Place[Any]):
    """A component of a node. Two references to one component are equal, as two pointers to one variable are."""

    __slots__ = ("name", "node")

    def __init__(self, node: Any, name: str) -> None:
        self.node = node
        self.name = name

    @property
    def value(self) -> Any:
        """The component."""
        return getattr(self.node, self.name)

    @value.setter
    def value(self, value: Any) -> None:
        setattr(self.node, self.name, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ComponentOf) and self.node is other.node and self.name == other.name

    def __hash__(self) -> int:
        return hash((id(self.node), self.name))


def Pointer(x: _T) -> Cell[_T]:
    """A pointer to a new place that holds `x`. (For a variable or member, the compiler points to that instead.)"""
    return Cell(x)


@overload
def Follow(p: Place[_T]) -> _T: ...
@overload
def Follow(p: object) -> Any: ...
def Follow(p: Any) -> Any:
    """The content of the place that a pointer leads to (S11)."""
    require(isinstance(p, Place), "expected a pointer", p)
    return p.value
