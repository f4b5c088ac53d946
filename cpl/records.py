"""A light form of Python's dataclasses, under the same names: to import the compiler takes half as long with it.

Dataclasses compile the source of seven methods for each class when it is defined. Here one function serves all classes
where that does as well, and `__init__` is compiled when the first object is made.
"""

from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, ClassVar, Final, TypeVar, dataclass_transform, overload

Record = TypeVar("Record")
Class = TypeVar("Class", bound=type)

_MISSING: Final[Any] = object()
_FIELDS: Final = "__record_fields__"


class Field:
    """What is said of a field; `default` and `factory` may be missing."""

    __slots__ = ("compare", "default", "factory", "init", "kw_only", "name", "repr")

    def __init__(self, default: Any, factory: Any, *, init: bool, repr: bool, compare: bool, kw_only: bool) -> None:
        self.name = ""
        self.default = default
        self.factory = factory
        self.init = init
        self.repr = repr
        self.compare = compare
        self.kw_only = kw_only


def field(
    *,
    default: Any = _MISSING,
    default_factory: Callable[[], Any] = _MISSING,
    init: bool = True,
    repr: bool = True,
    compare: bool = True,
    kw_only: bool = False,
) -> Any:
    """A field of a class, as that of dataclasses."""
    return Field(default, default_factory, init=init, repr=repr, compare=compare, kw_only=kw_only)


@overload
def dataclass(cls: Class, /) -> Class: ...
@overload
def dataclass(
    *, frozen: bool = False, eq: bool = True, repr: bool = True, slots: bool = False, kw_only: bool = False
) -> Callable[[Class], Class]: ...
@dataclass_transform(field_specifiers=(field,))
def dataclass(
    cls: Any = None,
    /,
    *,
    frozen: bool = False,
    eq: bool = True,
    repr: bool = True,
    slots: bool = False,
    kw_only: bool = False,
) -> Any:
    """A class with the methods of a dataclass: the same as Python's, with the arguments that there are here."""
    if cls is None:
        return lambda each: dataclass_of(each, frozen, eq, repr, slots, kw_only)
    return dataclass_of(cls, frozen, eq, repr, slots, kw_only)


def dataclass_of(cls: Any, frozen: bool, eq: bool, repr: bool, slots: bool, kw_only: bool) -> Any:
    """The class with fields and methods; another one if it has slots."""
    inherited: dict[str, Field] = {}
    for base in reversed(cls.__mro__[1:]):
        inherited |= base.__dict__.get(_FIELDS, {})
    own: dict[str, Field] = {}
    for name, annotation in cls.__annotations__.items():
        if not _is_of_class(annotation):
            own[name] = _field(cls, name, kw_only)
    known = inherited | own
    methods: dict[str, Any] = {_FIELDS: known}
    methods["__match_args__"] = tuple([name for name, each in known.items() if each.init and not each.kw_only])
    if repr:
        methods["__repr__"] = _repr
    if eq:
        compared = [name for name, each in known.items() if each.compare]
        key = attrgetter(*compared) if compared else lambda _: ()
        methods["__eq__"] = _equality(key)
        methods["__hash__"] = _hashing(key) if frozen else None
    if frozen:
        methods |= {"__setattr__": _refuse, "__delattr__": _refuse}
        if slots:
            methods |= {"__getstate__": _state, "__setstate__": _set_state}
    for name, method in methods.items():
        if name not in cls.__dict__ or (name == "__hash__" and cls.__dict__[name] is None):
            setattr(cls, name, method)
    for name, each in own.items():
        if name in cls.__dict__ and (slots or each.default is _MISSING):
            delattr(cls, name)
        elif each.default is not _MISSING:
            setattr(cls, name, each.default)
    if slots:
        members = {name: each for name, each in cls.__dict__.items() if name not in ("__dict__", "__weakref__")}
        members["__slots__"] = tuple([name for name in own if name not in inherited])
        qualified = cls.__qualname__
        cls = type(cls)(cls.__name__, cls.__bases__, members)
        cls.__qualname__ = qualified
    if "__init__" not in cls.__dict__:
        cls.__init__ = _first_init(cls, frozen)
    return cls


def _is_of_class(annotation: Any) -> bool:
    if isinstance(annotation, str):
        return annotation.startswith("ClassVar")
    return annotation is ClassVar or getattr(annotation, "__origin__", None) is ClassVar


def _field(cls: Any, name: str, kw_only: bool) -> Field:
    default = cls.__dict__.get(name, _MISSING)
    made: Field = default if isinstance(default, Field) else field(default=default)
    made.name = name
    made.kw_only = made.kw_only or kw_only
    return made


# Methods


def _first_init(cls: Any, frozen: bool) -> Any:
    """An `__init__` that makes place for the real one."""

    def __init__(self: Any, /, *arguments: Any, **named: Any) -> None:  # noqa: N807
        cls.__init__ = _init(cls, frozen)
        cls.__init__(self, *arguments, **named)

    return __init__


def _init(cls: Any, frozen: bool) -> Any:
    """The real `__init__`."""
    names: dict[str, Any] = {"__name__": cls.__module__, "_missing": _MISSING, "_set": object.__setattr__}
    parameters: dict[bool, list[str]] = {False: [], True: []}
    body = ["pass"]
    for name, each in getattr(cls, _FIELDS).items():
        value = name
        if each.factory is not _MISSING:
            names[f"_make_{name}"] = each.factory
            default = "=_missing"
            value = f"_make_{name}() if {name} is _missing else {name}" if each.init else f"_make_{name}()"
        elif each.default is not _MISSING:
            names[f"_default_{name}"] = each.default
            default = f"=_default_{name}"
            value = name if each.init else f"_default_{name}"
        else:
            default = ""
        if each.init:
            parameters[each.kw_only].append(name + default)
        if frozen:
            slot = getattr(cls, name, None)
            if type(slot).__name__ == "member_descriptor":
                names[f"_set_{name}"] = slot.__set__  # type: ignore[union-attr]
                body.append(f"_set_{name}(self, {value})")
            else:
                body.append(f"_set(self, {name!r}, {value})")
        else:
            body.append(f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    listed = ", ".join(["self", *parameters[False], *(["*", *parameters[True]] if parameters[True] else [])])
    exec(f"def __init__({listed}):\n    " + "\n    ".join(body), names)
    made = names["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


@recursive_repr()
def _repr(self: Any) -> str:
    shown = [f"{name}={getattr(self, name)!r}" for name, each in getattr(self, _FIELDS).items() if each.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _equality(key: Callable[[Any], Any]) -> Any:
    def __eq__(self: Any, other: object) -> Any:  # noqa: N807
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hashing(key: Callable[[Any], Any]) -> Any:
    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(key(self))

    return __hash__


def _refuse(self: Any, name: str, *_: Any) -> None:
    raise AttributeError(f"cannot assign to field {name!r}: {type(self).__qualname__} is frozen")


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in getattr(self, _FIELDS)]


def _set_state(self: Any, state: list[Any]) -> None:
    for name, value in zip(getattr(self, _FIELDS), state, strict=True):
        object.__setattr__(self, name, value)


# Functions


def replace(record: Record, /, **changes: Any) -> Record:
    """A copy of a record with some fields changed."""
    for name, each in getattr(record, _FIELDS).items():
        if each.init and name not in changes:
            changes[name] = getattr(record, name)
    return type(record)(**changes)


def fields(record: object) -> tuple[Field, ...]:
    """The fields of a record or of its class, in order."""
    return tuple(getattr(record, _FIELDS).values())


def is_dataclass(value: object) -> bool:
    """Whether this is a record, or the class of one."""
    return hasattr(value, _FIELDS)


def asdict(record: object) -> dict[str, Any]:
    """The values of the fields by their names."""
    return {name: getattr(record, name) for name in getattr(record, _FIELDS)}
