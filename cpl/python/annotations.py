"""Types to annotations: Python's own types, `list[…]`, `tuple[…]`, `Callable[…]`, and names for the shapes that recur.

A plain mapping from what was inferred: `Any` where nothing is known. The lowering asks for the annotation of a
parameter, a result or a variable; the module's head asks which names were used.
"""

import ast
import builtins
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from typing import Final

from cpl.python.names import ANNOTATING, Module
from cpl.semantics import core, walk
from cpl.types.facts import Facts
from cpl.types.type_aliases import shape_names
from cpl.types.types import (
    GENERAL,
    ArrayOf,
    Basic,
    Either,
    FunctionOf,
    ListOf,
    Named,
    PointerTo,
    TupleOf,
    Type,
    Unknown,
    all_parts,
    either,
    parts,
    rebuilt,
)

_BASIC: Final = {
    "integer": "int",
    "real": "float",
    "complex": "complex",
    "Boolean": "bool",
    "string": "str",
}
_RUNTIME: Final = {"logical": "Logical", "stream": "Stream"}
_NIL: Final = Basic("NIL")
_DEEPEST: Final = 8
"""How deep a type is written out."""

ORIGINS: Final = {"Any": "typing", "Never": "typing", "Callable": "collections.abc"}
"""Where the names come from that annotations may need."""

AnyFunction = core.Function | core.LetFunction | core.Lambda


class Annotations:
    """The annotations of one module."""

    def __init__(self, facts: Facts, module: Module, definitions: Sequence[core.Definition]) -> None:
        self._facts = facts
        self._module = module
        self._elements = {one.name: one.alternatives for one in definitions if isinstance(one, core.ElementType)}
        self._defined: set[core.Global] = set()  # node types, whose classes stand above what is written now
        self._used: list[Type] = []  # shapes that have names, in the order in which these are needed
        taken = {*module.spoken, *ANNOTATING, *vars(builtins)}
        self._aliases = self._named(definitions, taken)
        if "Nil" not in {*taken, *self._aliases.values()} and not module.has_nil:
            self._aliases[_NIL] = "Nil"

    def function(self, function: AnyFunction, definition: core.Definition) -> tuple[list[ast.expr], ast.expr]:
        """The annotations of the parameters and of the result of a function, which stands in a definition."""
        types, result = self._function(function, definition)
        return [*map(self._of, types)], ast.Constant(None) if result is None else self._of(result)

    def variable(self, name: core.Local | core.Global, definition: core.Definition) -> ast.expr:
        """The annotation of a variable."""
        return self._of(self.type_of(name, definition))

    def cell(self, name: core.Local | core.Global, definition: core.Definition) -> ast.expr:
        """The annotation of a variable that is in a cell."""
        type = self.type_of(name, definition)
        return self._quoted(type, _subscript(self._module.host("Cell"), self._written(type)))

    def value(self, node: core.Expression) -> ast.expr:
        """The annotation of what has the value of an expression."""
        return self._of(self._normal(self._facts.of(node)))

    def component(self, type: core.Global, name: str) -> ast.expr:
        """The annotation of a component of nodes."""
        return self._of(self._normal(self._facts.component(type, name)))

    def type_of(self, name: core.Local | core.Global, definition: core.Definition) -> Type:
        """The type of a variable, as annotations tell it."""
        return self._normal(self._facts.type_of(name, definition))

    def _function(self, function: AnyFunction, definition: core.Definition) -> tuple[Sequence[Type], Type | None]:
        of_name = None if isinstance(function, core.Lambda) else self._facts.type_of(function.name, definition)
        type = self._facts.of(function) if isinstance(function, core.Lambda) else of_name
        routine = isinstance(function.body, core.Block) and function.body.routine
        match self._normal(type):
            case FunctionOf(parameters=parameters, result=result) if len(parameters) == len(function.parameters):
                return parameters, None if routine else result or GENERAL
            case _:
                return [GENERAL] * len(function.parameters), None if routine else GENERAL

    def _normal(self, type: Type | None, depth: int = _DEEPEST) -> Type:
        """A type as Python knows it: elements are their alternatives, and what is too deep is of any type."""
        match type:
            case Basic(name="NIL"):
                return ListOf(GENERAL)
            case Basic(name=name) if name in _BASIC or name in _RUNTIME:
                return type
            case None | Unknown() | Basic():
                return GENERAL
            case _ if depth == 0:
                return GENERAL
            case ArrayOf():
                return ArrayOf(GENERAL)
            case Either(options=options):
                return _either([each if each == _NIL else self._normal(each, depth) for each in options])
            case Named(name=name) if name in self._elements:
                found = [
                    Named(each) if isinstance(each, core.Global) else Basic(str(each.value))
                    for each in self._elements[name]
                ]
                return either([self._normal(each, depth - 1) for each in found])
            case _:
                return rebuilt(type, lambda part: self._normal(part, depth - 1))

    def _named(self, definitions: Sequence[core.Definition], taken: Set[str]) -> dict[Type, str]:
        """The shapes that have names, but for those that hold nodes, whose classes stand below, and those that the
        program has no word for and that occur once.
        """
        types: dict[str, Type] = {}
        counts: Counter[Type] = Counter()
        for one in sorted(definitions, key=lambda one: one.span.start):
            if isinstance(one, core.Function | core.Constants):
                types |= {name.name: self.type_of(name, one) for name in walk.names(one)}
            for node in walk.nodes(one):
                if isinstance(node, AnyFunction):
                    parameters, result = self._function(node, one)
                    for type in (*parameters, result or GENERAL):
                        counts.update(all_parts(type))
        return {
            type: name
            for type, name in shape_names(types, taken).items()
            if not any(isinstance(part, Named) for part in all_parts(type))
            and (counts[type] > 1 or not name.endswith(("Value", "Member")))
        }

    def _of(self, type: Type) -> ast.expr:
        return self._quoted(type, self._written(type))

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
        return _ordered(sorted(made, key=lambda each: _target(each) != self._aliases.get(_NIL)))

    def _quoted(self, type: Type, annotation: ast.expr) -> ast.expr:
        """In quotes, if it needs a class that is not there yet."""
        return ast.Constant(ast.unparse(annotation)) if self._forward(type) else annotation

    def _forward(self, type: Type) -> bool:
        if isinstance(type, Named):
            return type.name not in self._defined
        return any(map(self._forward, parts(type)))

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
            case TupleOf(items=(_, _, _, *_) as items) if {*items} == {GENERAL}:
                return _subscript("tuple", self._typing("Any"), ast.Constant(...))
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


def _either(options: Sequence[Type]) -> Type:
    """One of these types; to Python an int is a float, too."""
    real = Basic("real") in options
    return either([each for each in options if not (real and each == Basic("integer"))])


def _alternative(each: core.Global | core.Literal) -> Type:
    return Named(each) if isinstance(each, core.Global) else Basic(str(each.value))


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
