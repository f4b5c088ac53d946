"""Types to annotations: Python's own types, `list[…]`, `tuple[…]`, `Callable[…]`, and names for the shapes that recur.

A plain mapping from what was inferred: `Any` where nothing is known. Parameters, results and components are always
annotated, variables only where their first value is empty (`annotate`). The module's head defines the names used.
"""

import ast
import builtins
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from functools import reduce
from itertools import chain
from typing import Final

from cpl.compiler.python.ast_builders import Out, assign, at, declare, load, span_of, subscript
from cpl.compiler.python.names import ANNOTATING, Module
from cpl.compiler.semantics import core, walk
from cpl.compiler.types.confirmed import Confirmed
from cpl.compiler.types.facts import Types
from cpl.compiler.types.types import (
    GENERAL,
    NIL,
    NOTHING,
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
    rebuilt,
    shape_names,
)
from cpl.limits import DEEPEST_TYPE

BASIC: Final = {
    "integer": "int",
    "real": "float",
    "complex": "complex",
    "Boolean": "bool",
    "string": "str",
}
_RUNTIME: Final = {"logical": "Logical", "stream": "Stream"}

_ORIGINS: Final = {"Any": "typing", "Never": "typing", "Callable": "collections.abc"}
"""Where the names come from that annotations may need."""

AnyFunction = core.Function | core.LetFunction | core.Lambda


class Annotations:
    """The annotations of one module."""

    def __init__(self, shown: Types, module: Module, definitions: Sequence[core.Definition]) -> None:
        self._shown = Confirmed(shown)
        self._module = module
        self._alternatives = {
            definition.name: definition.alternatives
            for definition in definitions
            if isinstance(definition, core.ElementType)
        }
        self._has_nodes = any(isinstance(definition, core.NodeType) for definition in definitions)
        self._defined: set[core.Global] = set()  # node types, whose classes stand above what is written now
        self._used: dict[Type, ast.expr] = {}  # types whose aliases are used, parts first

        taken = {*module.meaningful, *ANNOTATING, *vars(builtins)}
        self._aliases = self._named(definitions, taken)

        # NIL has an alias of that name, unless something else has the name.
        if "Nil" not in {*taken, *self._aliases.values()} and not module.has_nil:
            if self._has_nodes:
                module.chosen["MaybeNil"] = module.taken.claim("Nil")
            else:
                self._aliases[NIL] = "Nil"

    def function(self, function: AnyFunction, definition: core.Definition) -> tuple[list[ast.expr], ast.expr]:
        """The annotations of the parameters and of the result of a function, which stands in a definition."""
        types, result = self._function(function, definition)
        return [*map(self._of, types)], self._of(result)

    def of(
        self, node: core.Expression, definition: core.Definition, boxed: Set[core.Expression] = frozenset()
    ) -> ast.expr:
        """The annotation of a variable, or of its box if it is `boxed`; or of what holds the value of an expression."""
        if not isinstance(node, core.Variable):
            return self._of(self._normal(self._shown.of(node)))
        type = self.type_of(node, definition)
        annotation = self._written(type)
        if node in boxed:
            annotation = subscript(load(self._module.host("Cell")), annotation)
        return self._quoted(type, annotation)

    def component(self, type: core.Global, name: str) -> ast.expr:
        """The annotation of a component of nodes."""
        return self._of(self._normal(self._shown.component(type, name)))

    def type_of(self, name: core.Variable, definition: core.Definition) -> Type:
        """The type of a variable, as annotations tell it."""
        return self._normal(self._shown.type_of(name, definition))

    def define(self, name: core.Global) -> None:
        """The class of these nodes is defined above what is lowered from now on."""
        self._defined.add(name)

    def annotate(
        self,
        body: Out,
        holders: Mapping[str, core.Expression],
        definition: core.Definition,
        boxed: Set[core.Expression],
        bound: set[str],
        other_branch: Sequence[ast.stmt] = (),
    ) -> None:
        """Annotate each variable whose first value does not tell Python's checkers its type: an empty list, an empty
        box, or one of several types if the `other_branch` of a conditional gives it another. Names that are `bound`
        already, or not among the `holders`, get no annotation.
        """
        for index, statement in enumerate(body):
            match statement:
                case ast.Global(names=names) | ast.Nonlocal(names=names):
                    bound |= {*names}
                case ast.AnnAssign(target=ast.Name(id=name)) | ast.For(target=ast.Name(id=name)):
                    bound.add(name)
                case ast.Assign(targets=[ast.Tuple(elts=targets)]):
                    bound |= {target.id for target in targets if isinstance(target, ast.Name)}
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in bound:
                    bound.add(name)
                    holder = holders.get(name)
                    if holder and (
                        self._is_empty(value)
                        or (self._is_union(holder, definition) and _assigns(other_branch, name))
                        or self._is_narrow_box(value, holder, definition)
                    ):
                        body[index] = at(declare(name, self.of(holder, definition, boxed), value), span_of(statement))
            if isinstance(statement, ast.If | ast.While | ast.For):
                self.annotate(statement.body, holders, definition, boxed, bound, statement.orelse)
                self.annotate(statement.orelse, holders, definition, boxed, bound, statement.body)

    def statements(self) -> list[ast.stmt]:
        """The definitions of the aliases that annotations use."""
        ordered = sorted(self._used.items(), key=lambda alias: alias[0] != NIL)
        return [assign(self._aliases[type], written) for type, written in ordered]

    def _function(self, function: AnyFunction, definition: core.Definition) -> tuple[Sequence[Type], Type]:
        if isinstance(function, core.Lambda):
            type = self._shown.of(function)
        else:
            type = self._shown.type_of(function.name, definition)
        match self._normal(type):
            case FunctionOf((*parameters, result)) if len(parameters) == len(function.parameters):
                return parameters, result
            case _:
                is_routine = isinstance(function.body, core.Block) and function.body.routine
                return [GENERAL] * len(function.parameters), NOTHING if is_routine else GENERAL

    def _normal(self, type: Type | None, depth: int = DEEPEST_TYPE) -> Type:
        """A type as Python has it: elements are unions of their alternatives, and what nests too deep is `Any`."""
        match type:
            case Basic(name=name) if name in BASIC or name in _RUNTIME or type == NOTHING:
                return type
            case None | Unknown() | Basic():
                return GENERAL
            case _ if depth == 0:
                return GENERAL
            case ArrayOf():
                return ArrayOf((GENERAL,))
            case Either(options):
                return _either([option if option == NIL else self._normal(option, depth) for option in options])
            case Named(name=name) if name in self._alternatives:
                alternatives = map(_as_type, self._alternatives[name])
                return either([self._normal(alternative, depth - 1) for alternative in alternatives])
            case _:
                return rebuilt(type, lambda part: self._normal(part, depth - 1))

    def _named(self, definitions: Sequence[core.Definition], taken: Set[str]) -> dict[Type, str]:
        """The types that get aliases: not those that hold nodes, whose classes are defined later, nor those that occur
        once and that the program has no word for.
        """
        types: dict[str, Type] = {}
        counts: Counter[Type] = Counter()
        for definition in sorted(definitions, key=lambda definition: definition.span.start):
            if isinstance(definition, core.Function | core.Constants):
                for name in walk.names(definition):
                    types[name.name] = self.type_of(name, definition)
            for node in walk.nodes(definition):
                if isinstance(node, AnyFunction):
                    parameters, result = self._function(node, definition)
                    for type in (*parameters, result):
                        counts.update(all_parts(type))

        aliases: dict[Type, str] = {}
        for type, alias in shape_names(types, taken).items():
            is_own_word = not alias.endswith(("Value", "Member"))
            if not _nodes_in(type) and (is_own_word or counts[type] > 1):
                aliases[type] = alias
        return aliases

    def _of(self, type: Type) -> ast.expr:
        return self._quoted(type, self._written(type))

    def _quoted(self, type: Type, annotation: ast.expr) -> ast.expr:
        """In quotes, if it needs a class that is not defined yet."""
        if _nodes_in(type) <= self._defined:
            return annotation
        return ast.Constant(ast.unparse(annotation))

    def _written(self, type: Type) -> ast.expr:
        """The type, by its alias if it has one."""
        if type not in self._aliases:
            return self._plain(type)
        if type not in self._used:
            self._used[type] = self._plain(type)
        return load(self._aliases[type])

    def _plain(self, type: Type) -> ast.expr:
        match type:
            case Basic(name="NIL") if self._has_nodes:
                return load(self._module.host("MaybeNil"))
            case Basic(name="NIL"):
                return subscript(load("list"), self._typing("Never"))
            case Basic(name="nothing"):
                return ast.Constant(None)
            case Basic(name=name) if name in BASIC:
                return load(BASIC[name])
            case Basic(name=name) if name in _RUNTIME:
                return load(self._module.host(_RUNTIME[name]))
            case ListOf((member,)):
                return subscript(load("list"), self._written(member))
            case TupleOf((_, _, _, *_) as items) if {*items} == {GENERAL}:
                return subscript(load("tuple"), self._typing("Any"), ast.Constant(...))
            case TupleOf(items):
                return subscript(load("tuple"), *map(self._written, items))
            case ArrayOf():
                return load(self._module.host("Array"))
            case PointerTo((contents,)):
                return subscript(load(self._module.host("Place")), self._written(contents))
            case FunctionOf((*parameters, result)):
                arguments = ast.List([*map(self._written, parameters)], ast.Load())
                return subscript(self._typing("Callable"), arguments, self._written(result))
            case Named(name=name):
                return load(self._module.name(name))
            case Either(options):
                nil_is_bits = self._module.has_nil and Basic("logical") in options  # NIL may be a bit string, too
                parts = [
                    load(self._module.host("Nil")) if option == NIL and nil_is_bits else self._written(option)
                    for option in options
                ]
                return reduce(lambda left, right: ast.BinOp(left, ast.BitOr(), right), parts)
            case _:
                return self._typing("Any")

    def _typing(self, name: str) -> ast.Name:
        return load(self._module.typing(name, _ORIGINS[name]))

    def _is_union(self, holder: core.Expression, definition: core.Definition) -> bool:
        return isinstance(holder, core.Variable) and isinstance(self.type_of(holder, definition), Either)

    def _is_narrow_box(self, value: ast.expr, holder: core.Expression, definition: core.Definition) -> bool:
        """Tell whether a value is a box with a whole number in it that will hold other real numbers."""
        match value, holder:
            case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=int())]), core.Local() | core.Global():
                return name == self._module.alias("Cell") and self.type_of(holder, definition) == Basic("real")
            case _:
                return False

    def _is_empty(self, value: ast.expr) -> bool:
        """Tell whether a value is a list or a box with nothing in it, or has one within."""
        match value:
            case ast.List(elts=[]):
                return True
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return any(map(self._is_empty, items))
            case ast.IfExp(body=first, orelse=second):
                return self._is_empty(first) or self._is_empty(second)
            case ast.Call(func=ast.Name(id=name), args=items) if name in map(self._module.alias, ("Cell", "Nil")):
                return not items or any(map(self._is_empty, items))
            case _:
                return False


def _assigns(body: Sequence[ast.stmt], name: str) -> bool:
    for node in chain.from_iterable(map(ast.walk, body)):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name) and target.id == name:
                    return True
    return False


def _as_type(alternative: core.Global | core.Literal) -> Type:
    """An alternative of an element: a type of nodes, or a basic type in words."""
    return Named(alternative) if isinstance(alternative, core.Global) else Basic(str(alternative.value))


def _nodes_in(type: Type) -> set[core.Global]:
    """The types of nodes in a type."""
    return {part.name for part in all_parts(type) if isinstance(part, Named)}


def _either(options: Sequence[Type]) -> Type:
    """One of these types; to Python an int is a float, too."""
    if Basic("real") in options:
        options = [option for option in options if option != Basic("integer")]
    return either(options)
