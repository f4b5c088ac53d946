"""Boxes: the pass that says in the core tree what the binders of a program need of a language with function scopes.

    for k = 1 to 2 do
      § let n = 0
        routine Count() is n := n + k
        L := Join(L, [Count]) §

becomes (in words; `box n` is `NewBox`, `n.value` is `InBox`)

    for k = 1 to 2 do
      § let box n = 0
        routine Count() capturing n, k is n.value := n.value + k
        L := Join(L, [Count]) §

A variable lives in a box if it changes and a function captures it by its place, if something refers to it, or if it may
be read before it has a value: `boxed_variables` decides, by the table of `semantics/binders`. It gets a new box
wherever it is bound, and its uses mean what is in it; a reference to it is the box. A function that captures variables
by value has them as variables of its own. One that is captured before it is made, by itself or by one before it, is put
in a box beside it:

    § rec f[x] = x = 0 → k, f[x - 1]              § let box f_cell
      L := Join(L, [f]) §                           let f[x] capturing f_cell, k = x = 0 → k, f_cell.value[x - 1]
                                                    f_cell.value := f
                                                    L := Join(L, [f]) §

What is lowered after this pass needs to know nothing of rounds and captures. Definitions without any stay the same
trees. The interpreter runs the program without the pass: there each variable has a place of its own.

In Python a box is a `Cell` or `NumberCell` of `cplrt.references`.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from operator import is_
from typing import Any

from cpl.compiler.semantics import core, numbers, walk
from cpl.compiler.semantics.binders import AnyFunction, Binders, OnlyApplied, group_at, only_applied_parameters
from cpl.compiler.semantics.fresh import Fresh


def with_boxes(program: core.Program) -> core.Program:
    """The program with boxes; the same program if it needs none."""
    changing = walk.changed_globals(program.definitions)
    references = (node for node in walk.all_nodes(program.definitions) if isinstance(node, core.Reference))
    referred = {reference.place for reference in references if isinstance(reference.place, core.Global)}

    has_lambda_arguments = not program.grows and any(map(_has_lambda_argument, program.definitions))
    only_applied = only_applied_parameters(program.definitions) if has_lambda_arguments else {}

    definitions: list[core.Definition] = []
    for definition in program.definitions:
        if referred or _may_need_boxes(definition):
            definition = _Boxing(definition, changing, referred, only_applied).result()
        definitions.append(definition)

    is_same = all(map(is_, definitions, program.definitions))
    return program if is_same else replace(program, definitions=tuple(definitions))


def _has_lambda_argument(definition: core.Definition) -> bool:
    """Whether a definition passes a λ to a function."""
    applications = (node for node in walk.nodes(definition) if isinstance(node, core.Apply))
    arguments = chain.from_iterable(application.arguments for application in applications)
    return any(isinstance(argument, core.Lambda) for argument in arguments)


def _may_need_boxes(definition: core.Definition) -> bool:
    """Whether something in a definition may capture variables, refer to one, or leave it without a value."""
    kinds = core.LetFunction | core.Lambda | core.Reference | core.Declare
    return any(isinstance(node, kinds) for node in walk.nodes(definition))


def boxed_variables(binders: Binders) -> Set[core.Local]:
    """Decide which variables of a definition must live in boxes."""
    boxed: set[core.Local] = set()
    for variable, binder in binders.of.items():
        is_seen_changing = binder.is_changing and variable in binders.captured_by_place
        if is_seen_changing or binder.is_referred or binder.may_be_unset:
            boxed.add(variable)
    return boxed


class _Boxing:
    """Makes the boxes of one definition. Something assigns to the names `changing` of the top level; those that
    references lead to, `referred`, live in boxes.
    """

    def __init__(
        self,
        definition: core.Definition,
        changing: Set[core.Global],
        referred: Set[core.Global],
        only_applied: OnlyApplied,
    ) -> None:
        self._definition = definition
        self._binders = Binders(definition, changing, only_applied)
        self._fresh = Fresh(definition)
        self._boxed: Set[core.Variable] = {*boxed_variables(self._binders), *referred}
        self._meaning: dict[core.Variable, core.Expression] = {
            variable: core.InBox(variable, span=variable.span) for variable in self._boxed
        }
        """What the name of a variable means, if not the variable itself."""

    def result(self) -> core.Definition:
        """The definition with boxes; the same one if it needs none."""
        match self._definition:
            case core.Function(captured=captured) as function:
                fixed: dict[core.Variable, core.Expression] = {name: name for name in captured}
                with self._inside(fixed):
                    body = self._body(function.parameters, function.body)
                if body is function.body:
                    return function
                return replace(function, parameters=self._parameters(function.parameters), body=body)
            case core.Constants(target=target, value=value) as constants:
                new_target, new_value = self._target(target), self._node(value)
                if new_target is target and new_value is value:
                    return constants
                boxed: core.Definition = _without_conversions(replace(constants, target=new_target, value=new_value))
                return boxed
            case core.Commands(commands=commands):
                changed = self._commands(commands)
                return self._definition if changed is commands else replace(self._definition, commands=changed)
            case _:
                return self._definition

    @contextmanager
    def _inside(self, meaning: Mapping[core.Variable, core.Expression]) -> Iterator[None]:
        """Inside a function, where these names mean something else."""
        before = self._meaning
        self._meaning = {**before, **meaning}
        yield
        self._meaning = before

    # Trees

    def _node(self, node: Any) -> Any:
        """A node with boxes: the same one if nothing in it needs any."""
        match node:
            case core.Local() | core.Global():
                return self._use(node)
            case core.Lambda():
                return self._function(node, {})
            case core.ForStep(variable=variable) | core.ForList(variable=variable) if variable in self._boxed:
                return self._loop(node)

        # What is bound here is no use of a variable: the caller, who knows the command, puts it in a box.
        bound = _bound_by(node)
        with_values = walk.with_parts(
            node, lambda part: part if part is bound or isinstance(part, core.Command) else self._node(part)
        )
        if isinstance(with_values, core.Choice):
            kind, other_kind = with_values.kinds
            # A box converts what is put into it by itself.
            kinds = ("" if _is_box(with_values.place) else kind, "" if _is_box(with_values.otherwise) else other_kind)
            return with_values if kinds == with_values.kinds else replace(with_values, kinds=kinds)
        return walk.with_commands(with_values, self._commands)

    def _use(self, variable: core.Variable) -> core.Expression:
        match self._meaning.get(variable, variable):
            case core.InBox(variable=box):
                return core.InBox(replace(box, span=variable.span), span=variable.span)
            case core.Local() | core.Global() as same if same == variable:
                return variable
            case other:
                return replace(other, span=variable.span)

    def _target(self, target: core.Target) -> core.Target:
        """What is defined: a variable in a box gets a new one."""
        match target:
            case core.Several():
                return walk.with_parts(target, self._target)  # type: ignore[arg-type]
            case core.Local() | core.Global() if target in self._boxed:
                return core.NewBox(target, numbers.declared(target), span=target.span)
            case _:
                return target

    def _commands(self, commands: tuple[core.Command, ...]) -> tuple[core.Command, ...]:
        result: list[core.Command] = []
        index = 0
        while index < len(commands):
            command = commands[index]
            group = group_at(commands, index)
            index += len(group) or 1
            match command:
                case core.LetFunction():
                    result += self._group(group)
                case core.Let(target=target):
                    result.append(_without_conversions(_replaced(self._node(command), "target", self._target(target))))
                case core.Declare(variable=variable):
                    result.append(_replaced(command, "variable", self._target(variable)))
                case core.Assign():
                    result.append(_without_conversions(self._node(command)))
                case _:
                    result.append(self._node(command))
        is_same = len(result) == len(commands) and all(map(is_, result, commands))
        return commands if is_same else tuple(result)

    def _loop(self, loop: core.ForStep | core.ForList) -> core.Loop:
        """A loop whose variable lives in a box: in each round a new one."""
        variable = loop.variable
        value = self._fresh.like(variable, f"{variable.name}_value")
        new_box = core.Let(self._target(variable), value, span=variable.span)
        values = walk.with_parts(
            loop, lambda part: part if isinstance(part, core.Command) or part is variable else self._node(part)
        )
        return replace(
            values,
            variable=value,
            commands=(new_box, *self._commands(loop.commands)),
            otherwise=self._commands(loop.otherwise),
        )

    # Functions

    def _group(self, functions: Sequence[core.LetFunction]) -> Iterator[core.Command]:
        """Functions that are defined one after the other. Those that are captured before they are made get boxes."""
        captured_early = self._binders.captured_early(functions)
        boxes = {name: self._fresh.like(name, f"{name.name}_cell") for name in captured_early}
        for name, box in boxes.items():
            yield core.Declare(core.NewBox(box, span=name.span), span=name.span)
        for function in functions:
            early = {name: boxes[name] for name, by in captured_early.items() if function.name in by}
            yield self._function(function, early)
        for name, box in boxes.items():
            yield core.Assign((core.InBox(box, span=name.span),), (name,), span=name.span)

    def _function(self, function: Any, early: Mapping[core.Local, core.Local]) -> Any:
        """A local function with what it captures; some functions it captures `early`, in these boxes."""
        meaning: dict[core.Variable, core.Expression] = {}
        captured: list[core.Capture] = []
        for variable in self._binders.captured(function):
            captured.append(self._capture(function, variable, early, meaning))

        with self._inside(meaning):
            body = self._body(function.parameters, function.body)
        if body is function.body and not captured:
            return function

        parameters = self._parameters(function.parameters)
        return replace(function, parameters=parameters, body=body, captured=tuple(captured))

    def _capture(
        self,
        function: AnyFunction,
        variable: core.Variable,
        early: Mapping[core.Local, core.Local],
        meaning: dict[core.Variable, core.Expression],
    ) -> core.Capture:
        """How a function captures a variable. What its name means inside is added to `meaning`."""
        span = function.span
        if isinstance(variable, core.Local) and variable in early:
            function_box = early[variable]
            meaning[variable] = core.InBox(function_box, span=span)
            return core.Capture(function_box, function_box, span=span)
        match self._meaning.get(variable, variable):
            case core.InBox(variable=box) if function.by_place:
                return core.Capture(box, box, span=span)
            case core.InBox(variable=box) as contents:
                inside = variable if box == variable else self._fresh.like(variable)  # type: ignore[arg-type]
                meaning[variable] = inside
                return core.Capture(inside, contents, span=span)
            case core.Local() | core.Global() as same:
                return core.Capture(same, same, span=span)
            case other:
                raise AssertionError(other)

    def _parameters(self, parameters: Sequence[core.Local]) -> tuple[core.Local, ...]:
        """The parameters, without the conversions that are left to the boxes in which they are put."""
        return tuple(
            replace(parameter, converts_to="") if parameter in self._boxed else parameter for parameter in parameters
        )

    def _body(self, parameters: Sequence[core.Local], body: core.Expression) -> core.Expression:
        """The body of a function; parameters that live in boxes are put there first."""
        boxed = [parameter for parameter in parameters if parameter in self._boxed]
        if not boxed:
            return self._node(body)  # type: ignore[no-any-return]

        boxes = {parameter: self._fresh.like(parameter, f"{parameter.name}_cell") for parameter in boxed}
        with self._inside({parameter: core.InBox(box, span=box.span) for parameter, box in boxes.items()}):
            inner = self._node(body)

        new_boxes: list[core.Command] = []
        for parameter, box in boxes.items():
            new_box = core.NewBox(box, parameter.converts_to, span=parameter.span)
            new_boxes.append(core.Let(new_box, parameter, span=parameter.span))
        if isinstance(inner, core.Block):
            return replace(inner, commands=(*new_boxes, *inner.commands))
        return core.Block((*new_boxes, core.Result(inner, span=inner.span)), span=inner.span)


def _bound_by(node: core.Node) -> core.Node | None:
    """What a node binds itself, without a function round it: a target, the variable of a loop, that of a landing."""
    match node:
        case core.Let(target=bound) | core.Landing(labels=bound):
            return bound
        case core.ForStep(variable=bound) | core.ForList(variable=bound) | core.Declare(variable=bound):
            return bound
        case _:
            return None


def _replaced(command: Any, field: str, value: object) -> Any:
    """A command with another value in a field; the same command if the value is the same one."""
    return command if getattr(command, field) is value else replace(command, **{field: value})


def _without_conversions(command: Any) -> Any:
    """A command without conversions of what is put into boxes: these convert by themselves."""
    match command:
        case core.Assign(places=places, values=values):
            return _replaced(command, "values", _unconverted(places, values))
        case core.Let(target=target, value=value) | core.Constants(target=target, value=value):
            targets = target.items if isinstance(target, core.Several) else (target,)
            [unconverted] = _unconverted(targets, (value,))
            return _replaced(command, "value", unconverted)


def _unconverted(places: Sequence[core.Node], values: tuple[core.Expression, ...]) -> tuple[core.Expression, ...]:
    """Values for places, without conversions of those that are put into boxes."""
    if not any(map(_has_box, places)):
        return values
    if len(values) == len(places):
        return tuple(map(_unconverted_at, places, values))
    [whole] = values
    return (_unconverted_parts(places, whole),)


def _unconverted_at(place: core.Node, value: core.Expression) -> core.Expression:
    if isinstance(place, core.Several):
        return _unconverted_parts(place.items, value)
    return value.value if _is_box(place) and isinstance(value, core.Convert) else value


def _unconverted_parts(places: Sequence[core.Node], whole: core.Expression) -> core.Expression:
    """A value that is taken apart for these places."""
    match whole:
        case core.Tuple(items=items) if len(items) == len(places):
            return replace(whole, items=_unconverted(places, items))
        case core.ConvertParts(kinds=kinds, value=value):
            left = tuple(map(_kinds_left, places, kinds))
            return replace(whole, kinds=left) if any(left) else value
        case _:
            return whole


def _kinds_left(place: core.Node, kinds: core.Kinds) -> core.Kinds:
    """The conversions to these kinds that a place leaves, as a box converts by itself."""
    if not isinstance(place, core.Several) or not kinds:
        return "" if _is_box(place) else kinds
    left = tuple(map(_kinds_left, place.items, kinds))
    return left if any(left) else ""


def _has_box(place: core.Node) -> bool:
    return any(map(_has_box, place.items)) if isinstance(place, core.Several) else _is_box(place)


def _is_box(place: core.Node) -> bool:
    return isinstance(place, core.NewBox | core.InBox)
