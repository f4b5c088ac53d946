"""Types to annotations: Python's own types, `list[…]`, `tuple[…]`, `Callable[…]`, and names for the shapes that recur.

The lowering asks for the annotation of a slot and writes it down; the module's head asks which names were used.
"""

import ast
import builtins
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from typing import Final

from cpl.python.followed import Followed
from cpl.python.names import ANNOTATING, Module
from cpl.python.slots import NIL
from cpl.semantics import core, shapes
from cpl.semantics.naming import shape_names
from cpl.semantics.shapes import ArrayOf, Basic, Either, FunctionOf, ListOf, Named, PointerTo, TupleOf, Type

_BASIC: Final = {
    "integer": "int",
    "real": "float",
    "complex": "complex",
    "Boolean": "bool",
    "string": "str",
}
_RUNTIME: Final = {"logical": "Logical", "stream": "Stream"}
ORIGINS: Final = {"Any": "typing", "Never": "typing", "Callable": "collections.abc"}
"""Where the names come from that annotations may need."""


class Annotations:
    """The annotations of one module."""

    def __init__(self, followed: Followed, module: Module, definitions: Sequence[core.Definition]) -> None:
        self.followed = followed
        self._module = module
        self._defined: set[core.Global] = set()  # node types, whose classes stand above what is written now
        self._aliases: dict[Type, str] = {}
        self._used: list[Type] = []  # of these, in the order in which they are needed
        taken = {*module.spoken, *ANNOTATING, *vars(builtins)}
        self._aliases |= _named(followed, definitions, taken)
        if "Nil" not in {*taken, *self._aliases.values()} and not module.has_nil:
            self._aliases[NIL] = "Nil"

    def of(self, type: Type | None) -> ast.expr:
        """The annotation of a parameter, a result or a variable; None is that of a routine's result."""
        if type is None:
            return ast.Constant(None)
        return self._quoted(type, self._written(type))

    def cell(self, type: Type) -> ast.expr:
        """The annotation of a variable that is in a cell."""
        return self._quoted(type, _subscript(self._module.host("Cell"), self._written(type)))

    def define(self, name: core.Global) -> None:
        """From here on the class of these nodes is there."""
        self._defined.add(name)

    def statements(self) -> list[ast.stmt]:
        """The names for shapes that annotations use, each after those that it uses itself."""
        made: list[ast.stmt] = []
        done: set[Type] = set()
        while waiting := [type for type in self._used if type not in done]:
            for type in waiting:
                done.add(type)
                made.append(ast.Assign([ast.Name(self._aliases[type], ast.Store())], self._plain(type)))
        return _ordered(sorted(made, key=lambda each: _target(each) != self._aliases.get(NIL)))

    def _quoted(self, type: Type, annotation: ast.expr) -> ast.expr:
        """In quotes, if it needs a class that is not there yet."""
        return ast.Constant(ast.unparse(annotation)) if self._forward(type) else annotation

    def _forward(self, type: Type) -> bool:
        if isinstance(type, Named):
            return type.name not in self._defined
        return any(map(self._forward, shapes.parts(type)))

    def _written(self, type: Type) -> ast.expr:
        """The type, by its name if it has one."""
        if type in self._aliases:
            if type not in self._used:
                self._used.append(type)
            return ast.Name(self._aliases[type], ast.Load())
        return self._plain(type)

    def _plain(self, type: Type) -> ast.expr:
        match type:
            case Basic(name="NIL") if self._module.has_nil:
                return ast.Name(self._module.host("Nil"), ast.Load())
            case Basic(name="NIL"):
                return _subscript("list", self._typing("Never"))
            case Basic(name=name) if name in _BASIC:
                return ast.Name(_BASIC[name], ast.Load())
            case Basic(name=name) if name in _RUNTIME:
                return ast.Name(self._module.host(_RUNTIME[name]), ast.Load())
            case ListOf(member=member):
                return _subscript("list", self._written(member))
            case TupleOf(items=items):
                return _subscript("tuple", *map(self._written, items))
            case ArrayOf():
                return ast.Name(self._module.host("Array"), ast.Load())
            case PointerTo(contents=contents):
                return _subscript(self._module.host("Place"), self._written(contents))
            case FunctionOf(parameters=parameters, result=result):
                given = ast.List([*map(self._written, parameters)], ast.Load())
                gives = ast.Constant(None) if result is None else self._written(result)
                return _subscript(self._module.typing("Callable", ORIGINS["Callable"]), given, gives)
            case Named(name=name):
                return ast.Name(self._module.name(name), ast.Load())
            case Either(options=options):
                first, *others = [self._written(each) for each in options]
                for other in others:
                    first = ast.BinOp(first, ast.BitOr(), other)
                return first
            case _:
                return self._typing("Any")

    def _typing(self, name: str) -> ast.expr:
        return ast.Name(self._module.typing(name, "typing"), ast.Load())


def _named(followed: Followed, definitions: Sequence[core.Definition], taken: Set[str]) -> dict[Type, str]:
    """The shapes that have names, but for those that hold nodes, whose classes stand below, and those that the program
    has no word for and that occur once.
    """
    ordered = sorted(definitions, key=lambda one: one.span.start)
    types = {name: type for one in ordered for name, type in followed.inferred(one)}
    counts = Counter(part for type in followed.types() for part in shapes.walk(type))
    return {
        type: name
        for type, name in shape_names(types, taken).items()
        if not any(isinstance(part, Named) for part in shapes.walk(type))
        and (counts[type] > 1 or not name.endswith(("Value", "Member")))
    }


def _subscript(name: str, *items: ast.expr) -> ast.Subscript:
    index = items[0] if len(items) == 1 else ast.Tuple([*items], ast.Load())
    if not items:
        index = ast.Tuple([], ast.Load())
    return ast.Subscript(ast.Name(name, ast.Load()), index, ast.Load())


def _ordered(statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Each definition after those of the names that stand in it."""
    waiting = {_target(each): each for each in statements}
    made: list[ast.stmt] = []
    while waiting:
        ready = [
            name
            for name, each in waiting.items()
            if not any(isinstance(part, ast.Name) and part.id in waiting for part in _value_names(each))
        ]
        made += [waiting.pop(name) for name in ready or [*waiting]]
    return made


def _target(statement: ast.stmt) -> str:
    return next(
        part.id for part in ast.walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    )


def _value_names(statement: ast.stmt) -> Iterator[ast.AST]:
    return (part for part in ast.walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load))
