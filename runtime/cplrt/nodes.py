"""Nodes: structures with named components, and the types that such structures may be of (evidence T14–T17, S6–S10)."""

from typing import TYPE_CHECKING, Any, ClassVar, Never

from cplrt.faults import CplFault
from cplrt.logical import is_bits
from cplrt.numbers import CONVERSIONS
from cplrt.show import Shown, cpl_name, require, show

# NIL where a node may stand: a chain of nodes ends in it (S8). CPL takes components of what may be NIL without a test.
# So that type checkers do not ask for one at each place, they see Any here, as they do in the hints of the standard
# library for what is seldom None.
if TYPE_CHECKING:
    MaybeNil = Any
else:
    MaybeNil = list[Never]


class Node(Shown):
    """A node. Assignment shares it (S10); two nodes are equal only if they are the same node (our choice).

    A node type is a subclass whose `__slots__` are the names of the components; `numbers` has the types of those that
    are declared to be numbers, to which values other than NIL convert (T10).
    """

    __slots__: tuple[str, ...] = ()
    numbers: ClassVar[dict[str, str]] = {}

    def __init__(self, *components: Any) -> None:
        names = type(self).__slots__
        if len(components) != len(names):
            raise CplFault(f"{show(type(self))} has {len(names)} components but got {len(components)}")
        for name, component in zip(names, components, strict=True):
            setattr(self, name, component)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name == "value":
            raise CplFault(f"expected a pointer, found {show(self)}")
        raise CplFault(f"{show(type(self))} has no component {cpl_name(name)}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in type(self).__slots__:
            raise CplFault(f"{show(type(self))} has no component {cpl_name(name)}")
        convert = CONVERSIONS.get(type(self).numbers.get(name))
        is_nil = isinstance(value, list) and not value
        object.__setattr__(self, name, convert(value) if convert and not is_nil else value)

    def shown(self) -> tuple[str, list[Any]]:
        """Show a node as the call that makes it."""
        return show(type(self)), [getattr(self, name) for name in type(self).__slots__]

    def __repr__(self) -> str:
        return show(self)


_BASIC = {
    "integer": int,
    "index": int,
    "real": float | int,
    "complex": complex,
    "Boolean": bool,
    "string": str,
}
_SORTS = {"vector": "array", "matrix": "array"}


class Element:
    """A type that is a choice of other types. Applied to a value of one of them, it returns that value."""

    __slots__ = ("__name__", "alternatives")

    def __init__(self, name: str, *alternatives: Any) -> None:
        self.__name__ = name
        self.alternatives = alternatives

    def __call__(self, value: Any) -> Any:
        """The value, which must be of this type."""
        if not Is(self, value):
            article = "an" if self.__name__[0] in "AEIOU" else "a"
            raise CplFault(f"expected {article} {self.__name__}, found {show(value)}")
        return value

    def __repr__(self) -> str:
        return self.__name__


def Is(kind: Any, value: Any) -> bool:
    """Tell whether a value is of a type: `Is[Atom, p]` (S7). NIL may stand for any node (S8), but has no node type."""
    if isinstance(kind, Element):
        return any(Is(alternative, value) for alternative in kind.alternatives)
    if isinstance(kind, str):
        return _is_written(kind, value)
    require(isinstance(kind, type) and issubclass(kind, Node), "Is expected a type of nodes", kind)
    return isinstance(value, kind)


def _is_written(kind: str, value: Any) -> bool:
    """Tell whether a value has a type written in words: `real`, `integer list`, `2 array`."""
    if kind in _BASIC:  # in Python truth values are numbers; in CPL they are not
        return isinstance(value, _BASIC[kind]) and isinstance(value, bool) is (kind == "Boolean")
    *words, last = kind.split()
    match _SORTS.get(last, last):
        case "general":
            return True
        case "list":
            return isinstance(value, list | tuple) and all(
                _is_written(" ".join(words), member) for member in value if words
            )
        case "logical":
            return is_bits(value)
        case "array" | "pointer" as sort:
            return getattr(value, "sort", "") == sort
        case _:
            return False


def Type(node: Any) -> Any:
    """The type of a node: `Type[p] = Atom` (S7)."""
    require(isinstance(node, Node), "Type expected a node", node)
    return type(node)
