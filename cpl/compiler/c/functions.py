"""One function of the core tree as a C function: its commands as statements."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import takewhile

from cpl.compiler.c.c_text import bare, comment, laid_out, names_in, opposite, without_unused
from cpl.compiler.c.expressions import Expressions
from cpl.compiler.c.representation import (
    TRUTH,
    WHOLE,
    Cannot,
    Form,
    Value,
    declared,
    is_in_memory,
    options_of,
    plain,
    widened,
)
from cpl.compiler.c.unit import Signature, Unit, member, spelled
from cpl.compiler.python.emit import source_text
from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.binders import is_assigned_first
from cpl.compiler.semantics.conversions import at_results
from cpl.compiler.semantics.graphs import reachable
from cpl.compiler.types.types import NOTHING, ByReference, FunctionOf, ListOf, TupleOf, all_parts


class FunctionWriter(Expressions):
    """Writes the C of one function, which may be within an `outer` one. `taken` are the names that it may not use."""

    def __init__(
        self,
        function: core.Function | core.LetFunction,
        signature: Signature,
        unit: Unit,
        taken: set[str],
        outer: "FunctionWriter | None" = None,
    ) -> None:
        super().__init__(unit, taken, function, outer)
        self.function, self.signature, self._reserved = function, signature, taken
        self._inner: list[str] = []  # functions within this one, as C
        self._lines: list[str] = []
        self._depth = 1
        self._results = [("", signature.result, "")]  # of the function and blocks round here: variable, form, label
        self._loops: list[str] = []  # the label after each loop round this place; "" for break
        if outer:
            for variable in signature.captured:
                name = self.fresh(spelled(variable.name))
                text = f"(*{name})" if variable in self.changing else name
                self.variables[variable] = plain(text, outer.variables[variable].form)
        for parameter, form in zip(function.parameters, signature.parameters, strict=True):
            if parameter.mode not in ("", "reference"):
                raise Cannot(f"{parameter.name} stands for an expression")
            self._bind(parameter, form)
        self._gets = [*self.variables.values()]

    def text(self, *, is_recursive: bool) -> str:
        """The functions within the function, and the function, each below its CPL or what it is if a pass has made it.
        Raises Cannot. One that gives no list, and puts none into what it gets, gives back the memory that it takes.
        """
        if is_recursive:
            self._put("check_depth();")
        self._give(self.function.body)
        self._lines = without_unused([line for lines in self._lines for line in lines.split("\n")])
        self._lines[:0] = self._unused_parameters()
        is_own = not is_in_memory(self.signature.result) and not any(map(self._may_change, self._gets))
        if is_own and any("_list" in line for line in self._lines):
            self._lines.insert(0, f"    GIVE_BACK_AT_END mark {self.fresh('before')} = now;")
        cpl = comment(getattr(self.function, "note", "") or source_text(self.function, None))
        return "\n\n".join([*self._inner, "\n".join([cpl, f"{self.heading()} {{", *self._lines, "}"])])

    def _unused_parameters(self) -> list[str]:
        """What tells the C compiler that the function means to do without some of its parameters, if it does."""
        used = names_in(self._lines)
        names = [value.text.strip("()*") for value in self._gets]
        unused = [f"(void){name};" for name in names if name not in used]
        return [*laid_out(" ".join(unused), "    ")] if unused else []

    def _may_change(self, value: Value) -> bool:
        """Tell whether something that is in memory may be put into what the function gets."""
        is_fixed = value.text.isidentifier() and not isinstance(value.form, ByReference)
        appends = (node for node in walk.nodes(self.function.body) if isinstance(node, core.Append))
        grows = self.signature.result == NOTHING or any(node.list in self.function.parameters for node in appends)
        lists = [part.parts[0] for part in all_parts(value.form) if isinstance(part, ListOf)]
        is_constant = isinstance(value.form, FunctionOf) or not (
            grows or (self.unit.assigned and any(map(is_in_memory, lists)))
        )
        return is_in_memory(value.form) and not (is_fixed and is_constant)

    def heading(self) -> str:
        """The heading of the function."""
        parameters = [f"{self.type(value.form)} {value.text.strip('()')}" for value in self._gets]
        return f"static {self.type(self.signature.result)} {self.signature.name}({', '.join(parameters) or 'void'})"

    def _put(self, statement: str) -> None:
        self._lines += laid_out(statement, "    " * self._depth) if statement else ()

    @contextmanager
    def _braces(self, heading: str) -> Iterator[None]:
        self._put(f"{heading} {{")
        self._depth += 1
        yield
        self._depth -= 1
        self._put("}")

    def _bind(self, variable: core.Local, form: Form) -> Value:
        self.variables[variable] = plain(self.fresh(spelled(variable.name)), form)
        return self.variables[variable]

    def _define(self, variable: core.Local, value: Value) -> None:
        """A new variable with this value."""
        form = self._expected(variable) or widened(value.form)
        text = bare(self.coerce(value, form))
        self._put(f"{self.type(form)} {self._bind(variable, form).text} = {text};")

    def _expected(self, variable: core.Local) -> Form | None:
        """The form for a variable, as it is declared or as its type is inferred; None if C has none for it."""
        try:
            return None if variable.mode else declared(variable, self.unit.checked.type_of(variable, self.definition))
        except Cannot:
            return None

    # Statements

    def _give(self, node: core.Expression) -> None:
        """Give the value of an expression as the result of the block or the function round this place."""
        variable, form, label = self._results[-1]
        match node:
            case core.Convert(value=core.Conditional() | core.Block(routine=False)):
                self._give(at_results(node))
            case core.Conditional(arms=arms, otherwise=otherwise) if not label:
                for test, value in arms:
                    condition = bare(self.expression(test, TRUTH))
                    if condition != "false":
                        with self._braces(f"if ({condition})"):
                            self._give(value)
                self._give(otherwise)
            case core.Block(commands=commands, routine=routine) if not label:
                self._commands(commands)
                if not routine and not walk.ends(commands):
                    self._put("leave(FAULT);")
            case _ if form == NOTHING:
                self._put(f"{self.value(node).text};")
            case _ if label:
                self._put(f"{variable} = {bare(self.expression(node, form))};")
                self._put(f"goto {label};")
            case _:
                self._put(f"return {bare(self.expression(node, form))};")

    def _commands(self, commands: Sequence[core.Command]) -> None:
        for at, command in enumerate(commands):
            self._command(command, commands[at + 1 :])

    def _command(self, command: core.Command, rest: Sequence[core.Command]) -> None:
        """A command, after which others stand."""
        match command:
            case core.LetFunction():
                if command.name not in self.local_functions:
                    self._let_functions([command, *takewhile(lambda other: isinstance(other, core.LetFunction), rest)])  # type: ignore[list-item]
            case core.Declare(variable=core.Local() as variable):
                if any(variable in walk.locals_in(other) for other in rest):
                    form = self._expected(variable) if is_assigned_first(variable, rest) else None
                    if form is None:
                        raise Cannot(f"{variable.name} may have no value")
                    self._put(f"{self.type(form)} {self._bind(variable, form).text};")
            case core.Let(target=target, value=value):
                self._let(target, self._whole(value))
            case core.Result(value=value):
                self._give(value)
            case core.Return():
                self._put("return;")
            case core.Fail() | core.Finish():
                self._put("leave(FAULT);")
            case core.Assign(places=places, values=values):
                self._assign(places, values)
            case core.If(test=test, commands=body, otherwise=otherwise):
                with self._braces(f"if ({bare(self.expression(test, TRUTH))})"):
                    self._commands(body)
                if otherwise:
                    with self._braces("else"):
                        self._commands(otherwise)
            case core.Evaluate(value=value):
                self._put(f"{self.value(value).text};")
            case core.Append(list=members, value=value, each=is_list):
                name, form = self.variables[members].text, self.variables[members].form
                if not isinstance(form, ListOf):
                    raise Cannot("it adds to what may be no list")
                add = self.added if is_list else self.appended
                self._put(add(name, self.value(value), form))
            case core.Break(again=again):
                label = self._loops[-1]
                self._put("continue;" if again else f"goto {label};" if label else "break;")
            case core.While() | core.Repeat() | core.ForStep() | core.ForList():
                self._loop(command)
            case _:
                raise Cannot(f"C has no {type(command).__name__} here")

    def _let(self, target: core.Target, value: Value) -> None:
        match target:
            case core.Local():
                self._define(target, value)
            case core.Several(items=items):
                for item, part in zip(items, self._parts(value, len(items)), strict=True):
                    self._let(item, part)
            case _:
                raise Cannot("a variable of the program is defined here")

    def _whole(self, node: core.Expression) -> Value:
        """The value of an expression, perhaps one that is taken apart, with its parts converted."""
        if not isinstance(node, core.ConvertParts):
            return self.value(node)
        return self._converted_parts(node.kinds, self.value(node.value))

    def _converted_parts(self, kinds: core.Kinds, value: Value) -> Value:
        """A value as a number of this kind, or with its parts as numbers."""
        if isinstance(kinds, str):
            return self.converted(kinds, value)
        parts = self._parts(value, len(kinds))
        return self.tuple_of([self._converted_parts(kind, part) for kind, part in zip(kinds, parts, strict=True)])

    def _parts(self, value: Value, count: int) -> list[Value]:
        """The parts of a value that is taken apart."""
        if len(value.parts) == count:
            return [*value.parts]
        for form in options_of(value.form):
            if isinstance(form, TupleOf) and len(form.parts) == count:
                before, variable = self.bound(plain(self.coerce(value, form), form), "value")
                self._put(before)
                return self.fields(variable, form)
        raise Cannot("a value is taken apart that may have other parts")

    def _assign(self, places: Sequence[core.Place], values: Sequence[core.Expression]) -> None:
        targets = [self._place(place) for place in places]
        several = [self._whole(value) for value in values]
        parts = several if len(several) == len(places) else self._parts(several[0], len(places))
        names = [target.text for target in targets]
        texts = [bare(self.coerce(part, target.form)) for part, target in zip(parts, targets, strict=True)]
        if len(targets) > 1:  # everything is evaluated before
            texts = [
                self._new(f"new_{name}" if name.isidentifier() else "new_value", self.type(target.form), text)
                for name, target, text in zip(names, targets, texts, strict=True)
            ]
            names = [
                f"*{self._new('place', f'{self.type(target.form)} *', name[1:])}" if name[0] == "*" else name
                for name, target in zip(names, targets, strict=True)
            ]
        for name, text in zip(names, texts, strict=True):
            self._put(f"{name} = {text};")

    def _new(self, wanted: str, type: str, text: str) -> str:
        """A new variable with this value."""
        name = self.fresh(wanted)
        self._put(f"{type} {name} = {text};")
        return name

    def _place(self, place: core.Place) -> Value:
        """Write what is assigned to: a variable, or by `*` a member of a list."""
        match place:
            case core.Local() if place in self.variables:
                return self.variables[place]
            case core.Contents():
                return self.value(place)
            case core.Select(operand=operand, indices=(*outer, last)):
                members = self.value(core.Select(operand, tuple(outer), span=place.span) if outer else operand)
                if isinstance(members.form, ListOf):
                    return plain(
                        f"*place_{self.type(members.form)}({members.text}, {self.expression(last, WHOLE)})",
                        members.form.parts[0],
                    )
        raise Cannot("it assigns to something that is not its own")

    def _loop(self, loop: core.Loop) -> None:
        otherwise = () if isinstance(loop, core.Repeat) else loop.otherwise
        after = self.fresh("after") if otherwise else ""
        defined: Sequence[tuple[core.Local, Value]] = ()  # in each round
        match loop:
            case core.While(test=test):
                heading = f"while ({bare(self.expression(test, TRUTH))})"
            case core.Repeat():
                heading = "for (;;)"
            case core.ForStep():
                heading, defined = self._counting(loop)
            case core.ForList(variable=variable, members=members):
                listed = self.value(members)
                if not isinstance(listed.form, ListOf):
                    raise Cannot("a loop runs through what may be no list")
                name, at = self._new("members", self.type(listed.form), listed.text), self.fresh("i")
                heading = f"for (whole {at} = 0; {at} < {name}->count; {at}++)"
                defined = [(variable, plain(f"{name}->items[{at}]", listed.form.parts[0]))]
        self._loops.append(after)
        with self._braces(heading):
            self._put("check_stop();")
            for variable, value in defined:
                self._define(variable, value)
            self._commands(loop.commands)
            if isinstance(loop, core.Repeat) and not walk.ends(loop.commands):
                self._put(f"if ({bare(opposite(self.expression(loop.test, TRUTH)))}) break;")
        self._loops.pop()
        if after:
            self._commands(otherwise)
            self._put(f"{after}:;")

    def _counting(self, loop: core.ForStep) -> tuple[str, Sequence[tuple[core.Local, Value]]]:
        """The heading of a loop over numbers, up or down, whose bounds are evaluated once; and its variable with what
        it gets in each round, if the loop may change it.
        """
        first, by, last = [
            text if isinstance(bound, core.Literal) else self._new(wanted, "whole", bare(text))
            for wanted, bound in (("first", loop.first), ("step", loop.step), ("last", loop.last))
            for text in [self.expression(bound, WHOLE)]
        ]
        is_own = loop.variable not in self.changing
        count = self._bind(loop.variable, WHOLE).text if is_own else self.fresh("k")
        match loop.step:
            case core.Literal(value=int() as step) if step:
                test = f"{count} {'<=' if step > 0 else '>='} {last}"
            case _:
                self._put(f"if (!{by}) leave(FAULT);")
                test = f"{by} > 0 ? {count} <= {last} : {count} >= {last}"
        heading = f"for (whole {count} = {first}; {test}; {count} = add({count}, {by}))"
        return heading, () if is_own else [(loop.variable, plain(count, WHOLE))]

    def block(self, commands: Sequence[core.Command], form: Form) -> str:
        """A value block within an expression: a statement expression."""
        name, label = self.fresh("result"), self.fresh("done")
        before = self._lines, self._depth, self._results, self._loops
        self._lines, self._depth = [], self._depth + 1
        self._results, self._loops = [*self._results, (name, form, label)], [*self._loops]
        try:
            self._put(f"{self.type(form)} {name};")
            self._commands(commands)
            if not walk.ends(commands):
                self._put("leave(FAULT);")
            self._put(f"{label}:;")
            self._put(f"{name};")
            return "({\n" + "\n".join(self._lines) + "\n" + "    " * before[1] + "})"
        finally:  # a value that never fits is left out, and what is round it is written on
            self._lines, self._depth, self._results, self._loops = before

    # Functions within this one

    def _let_functions(self, functions: Sequence[core.LetFunction], form: FunctionOf | None = None) -> None:
        """Functions within a function become functions beside it, which get the variables that they capture."""
        mentioned = {function.name: walk.locals_in(function.body) for function in functions}
        for function in functions:
            reached = reachable([function.name], lambda name: mentioned[name] & mentioned.keys())
            captured = {variable for name in reached for variable in mentioned[name]}  # also to pass on
            for other in captured & self.local_functions.keys():
                captured |= {*self.local_functions[other].captured}
            free = sorted(captured & self.variables.keys(), key=lambda variable: variable.number)
            if not function.by_place and self.changing & {*free}:
                raise Cannot(f"{function.name.name} captures a variable that changes")
            c_name = self.unit.taken.claim(f"{self.signature.name}_{spelled(function.name.name)}")
            signature = (
                Signature(c_name, form.parts[:-1], form.parts[-1])
                if form
                else self.unit.signature(c_name, function, self.unit.parts(function.name, self.definition))
            )
            self.local_functions[function.name] = replace(signature, captured=tuple(free))
        writers = [
            FunctionWriter(function, self.local_functions[function.name], self.unit, self._reserved, self)
            for function in functions
        ]
        if len(writers) > 1 or any(map(_is_used_further_in, functions)):  # C reads from top to bottom
            self._inner += [f"{writer.heading()};" for writer in writers]
        self._inner += [writer.text(is_recursive=True) for writer in writers]

    def function_value(self, node: core.Global | core.Local | core.Lambda, form: FunctionOf) -> str:
        """A function as a value, with its own code, which gets what was captured by one pointer."""
        if isinstance(node, core.Global):
            signature = self.unit.instance(node, [plain("", part) for part in form.parts[:-1]])
        else:
            if isinstance(node, core.Lambda):
                name = core.Local("function", -1 - len(self.local_functions), span=node.span)
                self._let_functions(
                    [core.LetFunction(name, node.parameters, node.body, node.by_place, span=node.span)], form
                )
                node = name
            signature = self.local_functions[node]
            if self.changing & {*signature.captured}:
                raise Cannot("a function that is a value captures a variable that changes")
            if any(isinstance(self.variables[variable].form, ByReference) for variable in signature.captured):
                raise Cannot("a function that is a value captures the place of a variable")
        return self._closure(signature, form)

    def _closure(self, signature: Signature, form: FunctionOf) -> str:
        name, captured, (*parameters, result) = (
            self.unit.taken.claim(f"{signature.name}_value"),
            signature.captured,
            form.parts,
        )
        struct = f"struct {name}_captured"
        values = [f"(({struct} *)captured)->{member(at)}" for at in range(len(captured))]
        called = self.call(signature, values, [plain(f"x{at}", part) for at, part in enumerate(parameters)])
        gets = ["void *captured", *(f"{self.type(part)} x{at}" for at, part in enumerate(parameters))]
        if captured:
            types = [self.type(self.variables[variable].form) for variable in captured]
            self._inner.append(f"{struct} {{ {' '.join(f'{type} {member(at)};' for at, type in enumerate(types))} }};")
        call = f"{'return ' if result != NOTHING else ''}{self.coerce(called, result)};"
        if not captured:
            call = f"(void)captured; {call}"
        self._inner.append(
            "\n".join(laid_out(f"static {self.type(result)} {name}({', '.join(gets)}) {{ {call} }}", ""))
        )
        if not captured:
            return f"({self.type(form)}){{{name}, NULL}}"
        place = self.fresh("captured")
        texts = ", ".join(self.variables[variable].text for variable in captured)
        return (
            f"({{ {struct} *{place} = take(sizeof *{place}); *{place} = ({struct}){{{texts}}}; "
            f"({self.type(form)}){{{name}, {place}}}; }})"
        )


def _is_used_further_in(function: core.LetFunction) -> bool:
    """Whether a function within another one uses that one."""
    inner = (part for part in walk.nodes(function.body) if isinstance(part, core.LetFunction | core.Lambda))
    return any(function.name in walk.locals_in(part) for part in inner)
