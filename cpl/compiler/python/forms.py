"""Names for the forms of `cplrt.edge` that the doors of an optimised module repeat.

    @Fast(_Value, Function(((bits, bits, bits, number), number), other))
    @Fast(_Moves, Function(((bits, bits, bits, number),), [(bits, bits, bits, other)]))

becomes, if annotations call that type `Position`,

    _PositionForm = (bits, bits, bits, number)

    @Fast(_Value, Function((_PositionForm, number), other))
    @Fast(_Moves, Function((_PositionForm,), [_PositionForm]))

A result is converted and not checked, so there `other` and `number` do the same: it gets the form of an argument that
says more.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from cpl.compiler.python.ast_builders import assign, load
from cpl.compiler.python.names import Module

_SHORTEST: Final = len("(bits, bits, bits)")
"""Shorter forms are read as quickly as names."""

_UNCONVERTED: Final = ("number", "truth", "text")
"""Forms that a conversion treats as it does `other`."""


def name_forms(module: Module, statements: Sequence[ast.stmt], aliases: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Name the forms that are used more than once in the edge that is among the statements of a module; return the
    definitions of the names, which must stand before it. `aliases` are those of the annotations.
    """
    calls = [call for statement in statements for call in _edges(module, statement)]
    if not calls:
        return []
    forms = _Forms(module)
    for call in calls:
        forms.note_arguments(call.args[1])
    for call in calls:
        call.args[1] = forms.refined(call.args[1], is_door=_is(call, module.alias("Fast")))
        forms.count_all(call.args[1])
    called = _Called(statements, aliases)
    for call in calls:
        called.note_door(call)
    for call in calls:
        call.args[1] = forms.with_names(call.args[1], called)
    return forms.definitions


def _edges(module: Module, statement: ast.stmt) -> Iterator[ast.Call]:
    """The applications of `Fast` and `AsLogical` to something of the module and its form."""
    match statement:
        case ast.FunctionDef(decorator_list=[ast.Call(func=ast.Name(id=name)) as call]) if name == module.alias("Fast"):
            yield call
        case ast.Assign(value=ast.Call(func=ast.Name(id=name), args=[_, _]) as call) if name == module.alias(
            "AsLogical"
        ):
            yield call


def _is(call: ast.Call, name: str) -> bool:
    """Tell whether this function is called."""
    return isinstance(call.func, ast.Name) and call.func.id == name


class _Forms:
    """The forms of a module. Each is known by its text."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._of_arguments: dict[str, dict[str, ast.expr]] = {}  # by what is left if all is `other` that is not bits
        self._uses: Counter[str] = Counter()
        self._names: dict[str, str] = {}
        self.definitions: list[ast.stmt] = []

    def note_arguments(self, form: ast.expr) -> None:
        """Note the tuples among the forms of the arguments of a function."""
        match form:
            case ast.Call(args=[ast.Tuple(elts=takes), _]):
                parts = (part for argument in takes for part in ast.walk(argument))
                for part in parts:
                    if isinstance(part, ast.Tuple):
                        self._of_arguments.setdefault(self._erased(part), {})[ast.unparse(part)] = part

    def _erased(self, form: ast.expr) -> str:
        """Return the text of a form with `other` for every form of `_UNCONVERTED`: it is the same for forms that
        convert alike.
        """
        unconverted = {self._module.alias(name) for name in _UNCONVERTED}
        other = self._module.alias("other")

        class Erasing(ast.NodeTransformer):
            def visit_Name(self, node: ast.Name) -> ast.Name:
                return load(other) if node.id in unconverted else load(node.id)

        return ast.unparse(Erasing().visit(ast.parse(ast.unparse(form), mode="eval")))

    def refined(self, form: ast.expr, *, is_door: bool = False, is_checked: bool = False) -> ast.expr:
        """A form in which those tuples that are only converted are as the arguments have them, if all have them alike.
        A door checks its arguments; of a function that is an argument it checks nothing.
        """
        match form:
            case ast.Call(func=func, args=[ast.Tuple(elts=takes), gives]) if not self._is_choice(form):
                arguments = [self.refined(part, is_checked=is_door) for part in takes]
                return ast.Call(func, [ast.Tuple(arguments, ast.Load()), self.refined(gives)], [])
            case ast.Call(func=func, args=options):
                return ast.Call(func, [self.refined(option, is_checked=is_checked) for option in options], [])
            case ast.List(elts=members):
                return ast.List([self.refined(member, is_checked=is_checked) for member in members], ast.Load())
            case ast.Tuple(elts=items):
                erased = self._erased(form)
                alike = [other for text, other in self._of_arguments.get(erased, {}).items() if text != erased]
                if len(alike) == 1 and not is_checked:
                    return alike[0]
                return ast.Tuple([self.refined(item, is_checked=is_checked) for item in items], ast.Load())
            case _:
                return form

    def _is_choice(self, form: ast.Call) -> bool:
        return _is(form, self._module.alias("Either"))

    def count_all(self, form: ast.expr) -> None:
        """Count the uses of the forms in one that stands at a door, or of a constant."""
        is_function = isinstance(form, ast.Call) and not self._is_choice(form)
        for part in self._parts(form) if is_function else [form]:
            self._count(part)

    def _count(self, form: ast.expr) -> None:
        """Count the uses of a form and of its parts; those in another form that is used again count once."""
        text = ast.unparse(form)
        self._uses[text] += 1
        if self._uses[text] == 1:
            for part in self._parts(form):
                self._count(part)

    def _parts(self, form: ast.expr) -> list[ast.expr]:
        match form:
            case ast.Call(args=[ast.Tuple(elts=takes), gives]) if not self._is_choice(form):
                return [*takes, gives]
            case ast.Call(args=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
                return parts
            case _:
                return []

    def with_names(self, form: ast.expr, called: "_Called") -> ast.expr:
        """A form with names for its parts. That of a function which is written down is not named itself."""
        match form:
            case ast.Call(func=func, args=[ast.Tuple(elts=takes), gives]) if not self._is_choice(form):
                arguments = ast.Tuple([self._named(part, called) for part in takes], ast.Load())
                return ast.Call(func, [arguments, self._named(gives, called)], [])
            case _:
                return self._named(form, called)

    def _named(self, form: ast.expr, called: "_Called") -> ast.expr:
        """A form, or the name for it; what is in it has names, too."""
        text = ast.unparse(form)
        match form:
            case ast.Call(args=[ast.Tuple(), _]) if not self._is_choice(form):
                written = self.with_names(form, called)
            case ast.Call(func=func, args=options):
                written = ast.Call(func, [self._named(option, called) for option in options], [])
            case ast.Tuple(elts=items):
                written = ast.Tuple([self._named(item, called) for item in items], ast.Load())
            case ast.List(elts=members):
                return ast.List([self._named(member, called) for member in members], ast.Load())
            case _:
                return form
        if self._uses[text] < 2 or len(ast.unparse(written)) < _SHORTEST:
            return written
        if text not in self._names:
            self._names[text] = self._module.new(f"_{called.name(text)}Form")
            self.definitions.append(assign(self._names[text], written))
        return load(self._names[text])


class _Called:
    """What the annotations of functions call the values of each form."""

    def __init__(self, statements: Sequence[ast.stmt], aliases: Sequence[ast.stmt]) -> None:
        self._functions = {function.name: function for function in statements if isinstance(function, ast.FunctionDef)}
        self._aliases = {
            alias.targets[0].id: alias.value
            for alias in aliases
            if isinstance(alias, ast.Assign) and isinstance(alias.targets[0], ast.Name)
        }
        self._names: dict[str, str] = {}
        self._others: dict[str, str] = {}  # of parameters and functions, which the forms get that have no alias

    def name(self, form: str) -> str:
        """The name for a form, of which the text is given."""
        name = (self._names.get(form) or self._others.get(form, "")).lstrip("_")
        return name.removesuffix("Value") or name

    def note_door(self, door: ast.Call) -> None:
        """Note how the arguments and the result of a function are annotated, within the door and in front of it."""
        match door.args:
            case [ast.Name(id=inner), ast.Call(args=[ast.Tuple(elts=takes), gives])]:
                for name in (inner, inner.lstrip("_")):
                    if name in self._functions:
                        function = self._functions[name]
                        for form, parameter in zip(takes, function.args.args, strict=False):
                            self._note(form, parameter.annotation, parameter.arg)
                        self._note(gives, function.returns, inner)

    def _note(self, form: ast.expr, annotation: ast.expr | None, other: str, alias: str = "") -> None:
        """Note how a value of this form is annotated; the annotation has an `alias`, or belongs to an `other` name."""
        match form, annotation:
            case _, ast.Name(id=name) if name in self._aliases:
                self._note(form, self._aliases[name], other, name)
            case ast.Tuple(elts=items), ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=parts)) if len(
                items
            ) == len(parts):
                self._claim(form, other, alias)
                for item, part in zip(items, parts, strict=True):
                    self._note(item, part, other)
            case ast.List(elts=[member]), ast.Subscript(value=ast.Name(id="list"), slice=part):
                self._note(member, part, other)
            case ast.Call(args=options), ast.BinOp():
                for option in options:
                    self._note(option, annotation, other)
                named = [self._names[text] for text in map(ast.unparse, options) if text in self._names]
                self._claim(form, other, f"{named[0].removesuffix('Value')}OrNil" if len(named) == 1 else "")
            case ast.Tuple() | ast.List(), ast.BinOp(left=left, right=right):
                self._note(form, left, other)
                self._note(form, right, other)
            case ast.Tuple() | ast.Call(), _:
                self._claim(form, other, alias)

    def _claim(self, form: ast.expr, other: str, alias: str) -> None:
        """Note the alias of a form, if it has one, and the name of what has such a value. Of several, the first is
        kept.
        """
        text = ast.unparse(form)
        self._others.setdefault(text, other)
        if alias:
            self._names.setdefault(text, alias)
