"""One function of the core tree as a C function.

Each expression is C text with a form (`representation`). Where a value goes to a place of another form it is fitted: a
whole number becomes a number, a tuple one of a union, and the reverse is checked when it runs. So the types of
`cpl.types` are only what is expected: a value that is not as expected leaves, and the call begins again in Python.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import Final

from cpl.fast.c.representation import (
    NIL,
    NOTHING,
    NUMBER,
    TEXT,
    TRUTH,
    WHOLE,
    Cannot,
    Form,
    Forms,
    FunctionForm,
    ListForm,
    TupleForm,
    UnionForm,
    bind,
    code,
    equal,
    form_of,
    holds_function,
    is_in_memory,
    member,
    union,
)
from cpl.python.names import fresh, spell
from cpl.records import dataclass, field
from cpl.semantics import core, walk
from cpl.types.facts import Facts
from cpl.types.types import FunctionOf, ListOf, Type, Unknown, all_parts

_WHOLE: Final = {
    "PLUS": "add({}, {})",
    "SUM": "add({}, {})",
    "MINUS": "subtract({}, {})",
    "DIFFERENCE": "subtract({}, {})",
    "TIMES": "multiply({}, {})",
    "BIT_AND": "({} & {})",
    "BIT_OR": "({} | {})",
    "BIT_XOR": "({} ^ {})",
    "SHIFT": "shift({}, {})",
    "SHIFT_LEFT": "left({}, {})",
    "SHIFT_RIGHT": "right({}, {})",
}
_NUMBER: Final = {
    "PLUS": "add_numbers({}, {})",
    "SUM": "add_numbers({}, {})",
    "MINUS": "subtract_numbers({}, {})",
    "DIFFERENCE": "subtract_numbers({}, {})",
    "TIMES": "multiply_numbers({}, {})",
    "DIVIDE": "divide_numbers({}, {})",
}
_OF_WHOLE: Final = {"ShiftBits": "shift", "Quotient": "quotient", "Remainder": "remainder_of"}
_RELATIONS: Final = {"LESS": "<", "GREATER": ">", "AT_MOST": "<=", "AT_LEAST": ">="}
_NUMBER_RELATIONS: Final = {
    "LESS": "less_number({0}, {1})",
    "GREATER": "less_number({1}, {0})",
    "AT_MOST": "at_most_number({0}, {1})",
    "AT_LEAST": "at_most_number({1}, {0})",
}
RESERVED: Final = frozenset(
    """
    auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false
    whole truth text nil number start deepest leave first now total take given answer words block mark fits add subtract
    multiply negative left right shift y0 y1 yn j0 j1 jn gamma index time INFINITY NAN
    """.split()
)


@dataclass(frozen=True)
class Value:
    """An expression of C, and what it gives."""

    text: str
    form: Form


@dataclass(frozen=True)
class Signature:
    """The C name of a function, and the forms of its parameters and its result. Before its parameters it gets the
    variables `captured`: those that change by their places.
    """

    name: str
    parameters: tuple[Form, ...]
    result: Form
    captured: tuple[core.Local, ...] = ()


Instance = tuple[core.Global, tuple[Form, ...]]
"""A function of the top level, for these parameters if it takes values of any type."""


@dataclass
class Unit:
    """What the functions of a library share: their types, strings, constants, and what each is called."""

    facts: Facts
    names: Callable[[core.Global], str]
    functions: Mapping[core.Global, core.Function]
    forms: Forms = field(default_factory=Forms)
    strings: dict[str, int] = field(default_factory=dict)
    constants: dict[core.Global, Form] = field(default_factory=dict)
    definitions: Mapping[core.Global, core.Constants] = field(default_factory=dict)

    assigned: Set[Type] = frozenset()  # lists of these types
    instances: dict[Instance, Signature] = field(default_factory=dict)
    made: dict[core.Global, tuple[Form, str, "FunctionWriter"]] = field(default_factory=dict)
    makers: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    codes: set[str] = field(default_factory=set)

    def instance(self, name: core.Global, given: Sequence[Form]) -> Instance:
        """The function that is applied to arguments of these forms. Raises Cannot."""
        function = self.functions[name]
        if function.captured or function.name.is_changing:
            raise Cannot("it is a value that changes")
        *parameters, result = self.parts(name, function)
        if len(parameters) != len(given):
            raise Cannot("a function has other parameters")
        letters: dict[str, Form] = {}
        for parameter, form in zip(parameters, given, strict=True):
            bind(parameter, form, letters)
        forms = tuple([form_of(parameter, letters) for parameter in parameters])
        instance = name, forms if letters else ()
        if instance not in self.instances:
            if len(self.instances) > _MOST_INSTANCES:
                raise Cannot("it is applied to values of very many types")
            c_name = fresh(self.names(name), {each.name for each in self.instances.values()})
            self.instances[instance] = Signature(c_name, forms, form_of(result, letters))
        return instance

    def parts(self, name: core.Global | core.Local, function: core.Function) -> Sequence[Type]:
        """The types of the parameters of a function, and of its result. Raises Cannot."""
        found = self.facts.type_of(name, function)
        if not isinstance(found, FunctionOf):
            raise Cannot("its type is not known")
        return found.parts

    def constant(self, name: core.Global, uses: set[Instance]) -> Value:
        """A constant of the program. Python gives it to the library, unless it is or holds a function."""
        if name.is_changing or name not in self.definitions:
            raise Cannot(f"{name.name} is no constant of C")
        if name not in self.constants and name not in self.made:
            definition = self.definitions[name]
            found = self.facts.type_of(name, definition)
            form = form_of(found)
            if found and self.may_be_assigned(found):
                raise Cannot(f"members of {name.name} may be assigned")
            self.forms.name(form)
            if not holds_function(form):
                self.constants[name] = form
            elif isinstance(definition.target, core.Global):
                span = definition.span
                maker = core.Function(name, (), definition.value, span=span)
                writer = FunctionWriter(maker, Signature(f"make_{self.names(name)}", (), form), self)
                self.made[name] = form, f"{self.names(name)} = make_{self.names(name)}();", writer
                self.makers.append(writer.text(is_recursive=False))
                self.makers[-1:] = [*writer.inner, self.makers[-1]]
                self.headings.append(f"{writer.heading()};")
            else:
                raise Cannot(f"{name.name} is no constant of C")
        if name in self.made:
            form, _, writer = self.made[name]
            uses |= writer.uses
            return Value(self.names(name), form)
        return Value(self.names(name), self.constants[name])

    def may_be_assigned(self, type: Type) -> bool:
        """Whether members of what is of this type may be assigned."""
        lists = [part for part in all_parts(type) if isinstance(part, ListOf)]
        return any(
            part == other or any(isinstance(each, Unknown) for each in (*all_parts(part), *all_parts(other)))
            for part in lists
            for other in self.assigned
        )

    def string(self, value: str) -> Value:
        """A string, by its number."""
        number = self.strings.setdefault(value, len(self.strings))
        return Value(f"{number} /* {spelled(value)} */", TEXT)


_MOST_INSTANCES: Final = 1000


def spelled(value: str) -> str:
    """A string as a comment of C may hold it."""
    return f"‘{value}’".replace("*/", "* /").replace("\n", " ").replace("\\", "\\ ")


class FunctionWriter:
    """Writes the C of one function."""

    def __init__(
        self,
        function: core.Function | core.LetFunction,
        signature: Signature,
        unit: Unit,
        outer: "FunctionWriter | None" = None,
    ) -> None:
        self.function, self.signature, self.unit, self.outer = function, signature, unit, outer
        self.definition: core.Function = outer.definition if outer else function  # type: ignore[assignment]
        self.uses: set[Instance] = outer.uses if outer else set()
        self.inner: list[str] = outer.inner if outer else []  # functions within this one, as C
        self.changing: set[core.Local] = (
            outer.changing if outer else {each for each in walk.assigned(function.body) if isinstance(each, core.Local)}
        )
        self.local_functions: dict[core.Local, Signature] = {**outer.local_functions} if outer else {}
        self.lines: list[str] = []
        self.depth = 1
        self.taken = {*RESERVED}
        self.variables: dict[core.Local, Value] = {}
        self.labels = 0
        self.results: list[tuple[str, Form, str]] = []  # of the blocks round this place: variable, form, label
        self.loops: list[str] = []  # the label after each loop round this place; "" for break
        for variable in signature.captured:
            assert outer
            value = outer.variables[variable]
            name = self._fresh(spell(variable.name))
            self.variables[variable] = Value(f"(*{name})" if variable in self.changing else name, value.form)
        for parameter, form in zip(function.parameters, signature.parameters, strict=True):
            self._bind(parameter, form)

    def text(self, *, is_recursive: bool) -> str:
        """The function. Raises Cannot.

        One that neither takes nor gives a list gives back the memory that it has taken.
        """
        if is_recursive:
            self._put("check_depth();")
        self._into(self.function.body, self.signature.result)
        body = "\n".join(self.lines)
        taken = [*self.signature.parameters, *(self.variables[variable].form for variable in self.signature.captured)]
        is_own = not any("[" in code(form) for form in taken) and not is_in_memory(self.signature.result)
        if is_own and self.signature.result != NOTHING and "_List" in body:
            body = f"    GIVE_BACK_AT_END mark {fresh('before', self.taken)} = now;\n{body}"
        return f"{self.heading()} {{\n{body}\n}}"

    def heading(self) -> str:
        """The heading of the function."""
        named = [self.variables[each] for each in (*self.signature.captured, *self.function.parameters)]
        parameters = ", ".join(f"{self._type(each.form)} {each.text.strip('()')}" for each in named) or "void"
        return f"static {self._type(self.signature.result)} {self.signature.name}({parameters})"

    def _type(self, form: Form) -> str:
        return self.unit.forms.name(form)

    def _put(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    @contextmanager
    def _braces(self, heading: str) -> Iterator[None]:
        self._put(f"{heading} {{")
        self.depth += 1
        yield
        self.depth -= 1
        self._put("}")

    def _fresh(self, wanted: str) -> str:
        name = fresh(wanted, self.taken)
        self.taken.add(name)
        return name

    def _bind(self, variable: core.Local, form: Form) -> Value:
        if variable.mode or variable.declared:
            raise Cannot(f"{variable.name} has a declared type or stands for a place")
        self.variables[variable] = Value(self._fresh(spell(variable.name)), form)
        return self.variables[variable]

    def _expected(self, variable: core.Local) -> Form | None:
        """The form for a variable, as its type is inferred; None if C has none for it."""
        try:
            return form_of(self.unit.facts.type_of(variable, self.definition))
        except Cannot:
            return None

    # Statements

    def _into(self, node: core.Expression, form: Form) -> None:
        """Return the value of an expression from the function."""
        match node:
            case core.Conditional(arms=arms, otherwise=otherwise):
                for test, value in arms:
                    with self._braces(f"if ({self._test(test)})"):
                        self._into(value, form)
                self._into(otherwise, form)
            case core.Block(commands=commands, routine=routine):
                self.results.append(("", form, ""))
                self._commands(commands)
                self.results.pop()
                if not routine and not walk.ends(commands):
                    self._put("leave(FAULT);")
            case _ if form == NOTHING:
                self._put(f"{self._value(node).text};")
            case _:
                self._put(f"return {self._fitted(node, form)};")

    def _commands(self, commands: Sequence[core.Command]) -> None:
        functions = [command for command in commands if isinstance(command, core.LetFunction)]
        for command in commands:
            if command in functions and command is functions[0]:
                self._let_functions(functions)
            if not isinstance(command, core.LetFunction):
                self._command(command)

    def _let_functions(self, functions: Sequence[core.LetFunction], form: FunctionForm | None = None) -> None:
        """Functions within a function become functions beside it, which get the variables that they capture."""
        uses = {each.name: walk.locals_in(each.body) for each in functions}
        for name in uses:  # what the functions that it uses capture, it has to pass on
            waiting = [name]
            reached = {name}
            while waiting:
                for other in uses[waiting.pop()] & uses.keys() - reached:
                    reached.add(other)
                    waiting.append(other)
            captured = {part for other in reached for part in uses[other]}
            captured |= {
                part for each in captured & self.local_functions.keys() for part in self.local_functions[each].captured
            }
            free = sorted(captured & self.variables.keys(), key=lambda variable: variable.number)
            function = next(each for each in functions if each.name == name)
            if not function.by_place and self.changing & set(free):
                raise Cannot(f"{name.name} captures a variable that changes")
            if any(parameter.mode for parameter in function.parameters):
                raise Cannot("it takes a place or an expression")
            if form:
                parameters, result = [*form.parameters], form.result
            else:
                *parameters, result = map(form_of, self.unit.parts(name, self.definition))
            c_name = f"{self.signature.name}_{self._fresh(spell(name.name))}"
            self.local_functions[name] = Signature(c_name, tuple(parameters), result, tuple(free))
        writers = [FunctionWriter(each, self.local_functions[each.name], self.unit, self) for each in functions]
        self.inner += [f"{writer.heading()};" for writer in writers]
        for writer in writers:
            text = writer.text(is_recursive=True)  # which puts functions within it before it
            self.inner.append(text)

    def _is_function(self, node: core.Expression) -> bool:
        """Whether this is a function that is defined, not a variable that holds one."""
        return node in self.unit.functions or node in self.local_functions or isinstance(node, core.Lambda)

    def _function_value(self, node: core.Global | core.Local | core.Lambda, form: FunctionForm) -> str:
        """A function as a value, with its own code, which gets what was captured by one pointer."""
        captured: tuple[core.Local, ...] = ()
        if isinstance(node, core.Global):
            instance = self.unit.instance(node, form.parameters)
            self.uses.add(instance)
            signature = self.unit.instances[instance]
        else:
            if isinstance(node, core.Lambda):
                name = core.Local("function", -len(self.inner), span=node.span)
                self._let_functions(
                    [core.LetFunction(name, node.parameters, node.body, node.by_place, span=node.span)], form
                )
                node = name
            signature = self.local_functions[node]
            captured = signature.captured
            if self.changing & {*captured}:
                raise Cannot("a function that is a value captures a variable that changes")
        if len(signature.parameters) != len(form.parameters):
            raise Cannot("a function has other parameters")
        c_name = fresh(f"{signature.name}_value", self.unit.codes)
        self.unit.codes.add(c_name)
        struct = f"struct {c_name}_captured"
        fields = [f"{self._type(self.variables[each].form)} {member(at)};" for at, each in enumerate(captured)]
        given = [f"(({struct} *)captured)->{member(at)}" for at in range(len(captured))]
        pairs = enumerate(zip(form.parameters, signature.parameters, strict=True))
        arguments = [self._fit(Value(f"x{at}", one), other) for at, (one, other) in pairs]
        result = self._fit(Value(f"{signature.name}({', '.join([*given, *arguments])})", signature.result), form.result)
        heading = ", ".join(
            ["void *captured", *(f"{self._type(each)} x{at}" for at, each in enumerate(form.parameters))]
        )
        gives = f"static {self._type(form.result)} {c_name}({heading})"
        self.unit.headings += [*([f"{struct} {{ {' '.join(fields)} }};"] if fields else []), f"{gives};"]
        self.inner.append(f"{gives} {{ {'return ' if form.result != NOTHING else ''}{result}; }}")
        if not captured:
            return f"({self._type(form)}){{{c_name}, NULL}}"
        values = ", ".join(self.variables[each].text for each in captured)
        kept = self._fresh("captured")
        return (
            f"({{ {struct} *{kept} = take(sizeof *{kept}); *{kept} = ({struct}){{{values}}}; "
            f"({self._type(form)}){{{c_name}, {kept}}}; }})"
        )

    def _apply_value(self, function: Value, arguments: Sequence[core.Expression]) -> Value:
        """A function that is a value, applied."""
        form = function.form
        if not isinstance(form, FunctionForm) or len(form.parameters) != len(arguments):
            raise Cannot("it applies what may be no function")
        name = self._fresh("function")
        texts = [self._fitted(argument, part) for argument, part in zip(arguments, form.parameters, strict=True)]
        called = f"{name}.code({', '.join([f'{name}.captured', *texts])})"
        return Value(f"({{ {self._type(form)} {name} = {function.text}; {called}; }})", form.result)

    def _apply_local(self, name: core.Local, arguments: Sequence[core.Expression]) -> Value:
        """A function that is defined within this one, or round it."""
        signature = self.local_functions[name]
        if len(arguments) != len(signature.parameters):
            raise Cannot("a function has other parameters")
        captured = [
            f"&{self.variables[each].text}" if each in self.changing else self.variables[each].text
            for each in signature.captured
        ]
        texts = [self._fitted(argument, form) for argument, form in zip(arguments, signature.parameters, strict=True)]
        return Value(f"{signature.name}({', '.join([*captured, *texts])})", signature.result)

    def _command(self, command: core.Command) -> None:
        match command:
            case core.Let(target=target, value=value):
                self._let(target, value)
            case core.Result(value=value):
                variable, form, label = self.results[-1]
                if label:
                    self._put(f"{variable} = {self._fitted(value, form)};")
                    self._put(f"goto {label};")
                else:
                    self._into(value, form)
            case core.Return():
                self._put("return;")
            case core.Fail() | core.Finish():
                self._put("leave(FAULT);")
            case core.Assign(places=places, values=values):
                self._assign(places, values)
            case core.If(test=test, commands=inner, otherwise=otherwise):
                with self._braces(f"if ({self._test(test)})"):
                    self._commands(inner)
                if otherwise:
                    with self._braces("else"):
                        self._commands(otherwise)
            case core.Evaluate(value=value):
                self._put(f"{self._value(value).text};")
            case core.Append(list=members, value=value, each=each, new=new):
                self._append(members, value, each=each, new=new)
            case core.Break(again=again):
                label = self.loops[-1]
                self._put("continue;" if again else f"goto {label};" if label else "break;")
            case core.While() | core.Repeat() | core.ForStep() | core.ForList():
                self._loop(command)
            case _:
                raise Cannot(f"C has no {type(command).__name__} here")

    def _let(self, target: core.Target, value: core.Expression) -> None:
        match target:
            case core.Local():
                expected = self._expected(target)
                if expected is None:
                    found = self._value(value)
                    bound = self._bind(target, found.form)
                    text = found.text
                else:
                    text = self._fitted(value, expected)
                    bound = self._bind(target, expected)
                self._put(f"{self._type(bound.form)} {bound.text} = {text};")
            case core.Several(items=items):
                for item, part in zip(items, self._parts(value, len(items)), strict=True):
                    self._let_part(item, part)
            case _:
                raise Cannot("a variable of the program is defined here")

    def _parts(self, node: core.Expression, count: int) -> list[Value]:
        """The parts of a value that is taken apart."""
        value = self._value(node)
        options = value.form.options if isinstance(value.form, UnionForm) else (value.form,)
        form = next((each for each in options if isinstance(each, TupleForm) and len(each.items) == count), None)
        if form is None:
            raise Cannot("a value is taken apart that may have other parts")
        name = self._fresh("value")
        self._put(f"{self._type(form)} {name} = {self._fit(value, form)};")
        return [Value(f"{name}.{member(at)}", item) for at, item in enumerate(form.items)]

    def _let_part(self, target: core.Target, part: Value) -> None:
        if not isinstance(target, core.Local):
            raise Cannot("a value is taken apart within another")
        form = self._expected(target) or part.form
        text = self._fit(part, form)
        self._put(f"{self._type(form)} {self._bind(target, form).text} = {text};")

    def _assign(self, places: Sequence[core.Place], values: Sequence[core.Expression]) -> None:
        targets = [self._place(place) for place in places]
        if len(values) < len(places):
            parts = self._parts(values[0], len(places))
            texts = [self._fit(part, target.form) for part, target in zip(parts, targets, strict=True)]
        else:
            texts = [self._fitted(value, target.form) for target, value in zip(targets, values, strict=True)]
        if len(targets) > 1:  # everything is evaluated before
            names = [
                self._fresh("new_value" if target.text[0] == "*" else f"new_{target.text.strip('(*)')}")
                for target in targets
            ]
            for name, target, text in zip(names, targets, texts, strict=True):
                self._put(f"{self._type(target.form)} {name} = {text};")
            texts = names
            for at, target in enumerate(targets):
                if target.text[0] == "*":
                    name = self._fresh("place")
                    self._put(f"{self._type(target.form)} *{name} = {target.text[1:]};")
                    targets[at] = Value(f"*{name}", target.form)
        for target, text in zip(targets, texts, strict=True):
            self._put(f"{target.text} = {text};")

    def _place(self, place: core.Place) -> Value:
        """What is assigned to: a variable, or by `*` a member of a list."""
        match place:
            case core.Local() if place in self.variables:
                return self.variables[place]
            case core.Select(operand=operand, indices=(*others, last)):
                members = self._value(core.Select(operand, tuple(others), span=place.span) if others else operand)
                if isinstance(members.form, ListForm):
                    index = self._fitted(last, WHOLE)
                    return Value(f"*place_{self._type(members.form)}({members.text}, {index})", members.form.item)
        raise Cannot("it assigns to something that is not its own")

    def _append(self, members: core.Local, value: core.Expression, *, each: bool, new: bool) -> None:
        target = self.variables[members]
        if not isinstance(target.form, ListForm) or new:
            raise Cannot("it adds to what may be no list")
        name = self._type(target.form)
        if not each:
            self._put(f"append_{name}({target.text}, {self._fitted(value, target.form.item)});")
            return
        added, at = self._fresh("added"), self._fresh("i")
        self._put(f"{name} {added} = {self._fitted(value, target.form)};")
        self._put(
            f"for (whole {at} = 0, n = {added}->count; {at} < n; {at}++) "
            f"append_{name}({target.text}, {added}->items[{at}]);"
        )

    def _loop(self, loop: core.Loop) -> None:
        otherwise = () if isinstance(loop, core.Repeat) else loop.otherwise
        after = self._label("after") if otherwise else ""
        self.loops.append(after)
        match loop:
            case core.While(test=test, commands=commands):
                with self._braces(f"while ({self._test(test)})"):
                    self._put("check_stop();")
                    self._commands(commands)
            case core.Repeat(commands=commands, test=test):
                with self._braces("for (;;)"):
                    self._put("check_stop();")
                    self._commands(commands)
                    if not walk.ends(commands):
                        self._put(f"if (!({self._test(test)})) break;")
            case core.ForStep(variable=variable, first=first, step=step, last=last, commands=commands):
                bounds = [self._fresh(name) for name in ("k", "step", "last")]
                for name, bound in zip(bounds, (first, step, last), strict=True):
                    self._put(f"whole {name} = {self._fitted(bound, WHOLE)};")
                count, by, end = bounds
                self._put(f"if (!{by}) leave(FAULT);")
                with self._braces(
                    f"for (; {by} > 0 ? {count} <= {end} : {count} >= {end}; {count} = add({count}, {by}))"
                ):
                    self._for_variable(variable, Value(count, WHOLE))
                    self._commands(commands)
            case core.ForList(variable=variable, members=members, commands=commands):
                found = self._value(members)
                if not isinstance(found.form, ListForm):
                    raise Cannot("a loop runs through what may be no list")
                name, at = self._fresh("members"), self._fresh("i")
                self._put(f"{self._type(found.form)} {name} = {found.text};")
                with self._braces(f"for (whole {at} = 0; {at} < {name}->count; {at}++)"):
                    self._for_variable(variable, Value(f"{name}->items[{at}]", found.form.item))
                    self._commands(commands)
        self.loops.pop()
        if after:
            self._commands(otherwise)
            self._put(f"{after}:;")

    def _for_variable(self, variable: core.Local, value: Value) -> None:
        form = self._expected(variable) or value.form
        text = self._fit(value, form)
        self._put(f"{self._type(form)} {self._bind(variable, form).text} = {text};")

    def _label(self, wanted: str) -> str:
        self.labels += 1
        return f"{wanted}_{self.labels}"

    # Fitting

    def _test(self, node: core.Expression) -> str:
        """A condition."""
        return self._fitted(node, TRUTH)

    def _fitted(self, node: core.Expression, form: Form) -> str:
        """An expression whose value has this form."""
        match node:
            case core.Conditional(arms=arms, otherwise=otherwise):
                text = self._fitted(otherwise, form)
                for test, value in reversed(arms):
                    text = f"({self._test(test)} ? {self._fitted(value, form)} : {text})"
                return text
            case core.Block(commands=commands, routine=False):
                return self._block(commands, form)
            case core.Tuple(items=items) if isinstance(form, TupleForm) and len(items) == len(form.items):
                texts = [self._fitted(item, part) for item, part in zip(items, form.items, strict=True)]
                return f"({self._type(form)}){{{', '.join(texts)}}}"
            case core.List(items=items) if isinstance(form, ListForm):
                return self._list(items, form)
            case core.Global() | core.Local() | core.Lambda() if isinstance(form, FunctionForm) and self._is_function(
                node
            ):
                return self._function_value(node, form)
            case _:
                return self._fit(self._value(node), form)

    def _block(self, commands: Sequence[core.Command], form: Form) -> str:
        """A value block within an expression: a statement expression."""
        name, label = self._fresh("result"), self._label("done")
        outer, self.lines = self.lines, []
        loops, self.loops = self.loops, []
        self.depth += 1
        self._put(f"{self._type(form)} {name};")
        self.results.append((name, form, label))
        self._commands(commands)
        self.results.pop()
        if not walk.ends(commands):
            self._put("leave(FAULT);")
        self._put(f"{label}:;")
        self._put(f"{name};")
        self.depth -= 1
        inner, self.lines, self.loops = self.lines, outer, loops
        return "({\n" + "\n".join(inner) + "\n" + "    " * self.depth + "})"

    def _list(self, items: Sequence[core.Expression], form: ListForm) -> str:
        name = self._type(form)
        if not items:
            return f"new_{name}(0)"
        if len(items) == 1:
            return f"single_{name}({self._fitted(items[0], form.item)})"
        list_name = self._fresh("list")
        filled = " ".join(
            f"{list_name}->items[{at}] = {self._fitted(item, form.item)};" for at, item in enumerate(items)
        )
        return f"({{ {name} {list_name} = new_{name}({len(items)}); {filled} {list_name}; }})"

    def _fit(self, value: Value, form: Form) -> str:
        """A value as one of this form. Raises Cannot if it never is."""
        name = self._type(form)
        match value.form, form:
            case one, other if one == other:
                return value.text
            case before, _ if before == WHOLE and form == NUMBER:
                return f"of_whole({value.text})"
            case before, _ if before == NUMBER and form == WHOLE:
                return f"whole_of({value.text})"
            case before, ListForm() if before == NIL:
                return f"new_{name}(0)"
            case ListForm(item=before), ListForm(item=after) if self._may_fit(before, after):
                held, copy, index = self._fresh("list"), self._fresh("copy"), self._fresh("i")
                item = self._fit(Value(f"{held}->items[{index}]", before), after)
                care = (
                    f"{held}->kept = {copy}->kept = true; {copy}->given = {held}->given; "
                    f"{copy}->once = {held}->once ? {held}->once : &{held}->written; "
                )
                return (
                    f"({{ {self._type(value.form)} {held} = {value.text}; {name} {copy} = new_{name}({held}->count); "
                    f"{care if self.unit.assigned else ''}"
                    f"for (whole {index} = 0; {index} < {held}->count; {index}++) {copy}->items[{index}] = {item}; "
                    f"{copy}; }})"
                )
            case UnionForm(options=options), UnionForm():
                held = self._fresh("value")
                arms = " ".join(
                    f"{held}.tag == {at} ? {self._fit(Value(f'{held}.{member(at)}', option), form)} :"
                    for at, option in enumerate(options)
                    if self._may_fit(option, form)
                )
                left = f"(leave(OTHER_TYPE), ({name}){{0}})"
                return f"({{ {self._type(value.form)} {held} = {value.text}; {arms} {left}; }})"
            case UnionForm(options=options), _:
                for at, option in enumerate(options):
                    if option == form or (self._may_fit(option, form) and option not in (NIL,)):
                        return self._fit(Value(f"{self._type(value.form)}_as_{member(at)}({value.text})", option), form)
                raise Cannot("a value has another type than is expected")
            case _, UnionForm(options=options):
                at = next((at for at, each in enumerate(options) if each == value.form), -1)
                if at < 0:
                    at = next((at for at, each in enumerate(options) if self._may_fit(value.form, each)), -1)
                if at < 0:
                    raise Cannot("a value has another type than is expected")
                return f"({name}){{.tag = {at}, .{member(at)} = {self._fit(value, options[at])}}}"
            case TupleForm(items=some), TupleForm(items=others) if len(some) == len(others):
                held = self._fresh("value")
                parts = [
                    self._fit(Value(f"{held}.{member(at)}", one), other)
                    for at, (one, other) in enumerate(zip(some, others, strict=True))
                ]
                return f"({{ {self._type(value.form)} {held} = {value.text}; ({name}){{{', '.join(parts)}}}; }})"
            case _:
                raise Cannot("a value has another type than is expected")

    def _may_fit(self, one: Form, other: Form) -> bool:
        try:
            self._fit(Value("x", one), other)
        except Cannot:
            return False
        return True

    # Values

    def _value(self, node: core.Expression) -> Value:
        """An expression in the form that it has by itself."""
        match node:
            case core.Literal(value=bool() as value):
                return Value("true" if value else "false", TRUTH)
            case core.Literal(value=int() as value):
                if not -(2**63) < value < 2**63:
                    raise Cannot("a number has more than 64 bits")
                return Value(f"{value}" if abs(value) < 2**31 else f"INT64_C({value})", WHOLE)
            case core.Literal(value=float() as value):
                return Value(f"of_real({value!r})" if abs(value) < 1e300 else self._beyond(), NUMBER)
            case core.Literal(value=str() as value):
                return self.unit.string(value)
            case core.Infinity():
                return Value("of_real(INFINITY)", NUMBER)
            case core.Local() | core.Global() | core.Lambda() if self._is_function(node):
                form = form_of(self._function_type(node))
                assert isinstance(form, FunctionForm)
                return Value(self._function_value(node, form), form)
            case core.Local():
                if node not in self.variables:
                    raise Cannot(f"{node.name} is no variable of C")
                return self.variables[node]
            case core.Global():
                return self.unit.constant(node, self.uses)
            case core.Tuple(items=items):
                found = [self._value(item) for item in items]
                form = TupleForm(tuple([each.form for each in found]))
                return Value(f"({self._type(form)}){{{', '.join(each.text for each in found)}}}", form)
            case core.List(items=()):
                return Value("(nil)0", NIL)
            case core.List(items=items):
                form = ListForm(union([self._value(item).form for item in items]))
                return Value(self._list(items, form), form)
            case core.Conditional(arms=arms, otherwise=otherwise):
                form = self._known(node) or union(
                    [self._value(each).form for each in (*[v for _, v in arms], otherwise)]
                )
                return Value(self._fitted(node, form), form)
            case core.Block():
                form = form_of(self.unit.facts.of(node))
                return Value(self._fitted(node, form), form)
            case core.Apply(function=core.Host(name=name), arguments=arguments):
                return self._host(name, arguments)
            case core.Apply(function=core.Local() as name, arguments=arguments) if name in self.local_functions:
                return self._apply_local(name, arguments)
            case core.Apply(function=core.Global() as name, arguments=arguments) if name in self.unit.functions:
                instance = self.unit.instance(name, [self._value(argument).form for argument in arguments])
                self.uses.add(instance)
                signature = self.unit.instances[instance]
                pairs = zip(arguments, signature.parameters, strict=True)
                texts = [self._fitted(argument, form) for argument, form in pairs]
                return Value(f"{signature.name}({', '.join(texts)})", signature.result)
            case core.Apply(function=function, arguments=arguments):
                return self._apply_value(self._value(function), arguments)
            case core.Select(operand=operand, indices=indices):
                member_of = self._value(operand)
                for index in indices:
                    if not isinstance(member_of.form, ListForm):
                        raise Cannot("it takes a member of what may be no list")
                    of = self._type(member_of.form)
                    member_of = Value(f"item_{of}({member_of.text}, {self._fitted(index, WHOLE)})", member_of.form.item)
                return member_of
            case core.Unary(operator=operator, operand=operand):
                return self._unary(operator, self._value(operand))
            case core.Binary(operator=operator, left=left, right=right):
                return self._binary(operator, left, right)
            case core.Compare(operands=operands, operators=operators):
                return self._compare(operands, operators)
            case _:
                raise Cannot(f"C has no {type(node).__name__} here")

    def _function_type(self, node: core.Local | core.Global | core.Lambda) -> Type | None:
        match node:
            case core.Global():
                return self.unit.facts.type_of(node, self.unit.functions[node])
            case core.Local():
                return self.unit.facts.type_of(node, self.definition)
            case core.Lambda():
                return self.unit.facts.of(node)

    def _known(self, node: core.Expression) -> Form | None:
        """The form of an expression as its type is inferred; None if C has none for it."""
        try:
            return form_of(self.unit.facts.of(node))
        except Cannot:
            return None

    def _beyond(self) -> str:
        raise Cannot("a real number is written with a very large exponent")

    def _unary(self, operator: str, operand: Value) -> Value:
        match operator, operand.form:
            case "NOT", form if form == TRUTH:
                return Value(f"!{operand.text}", TRUTH)
            case "BIT_NOT", form if form == WHOLE:
                return Value(f"~{operand.text}", WHOLE)
            case "MINUS", form if form == WHOLE:
                return Value(f"negative({operand.text})", WHOLE)
            case "MINUS", form if form == NUMBER:
                return Value(f"negative_number({operand.text})", NUMBER)
            case "PLUS", form if form in (WHOLE, NUMBER):
                return operand
        raise Cannot("an operator has an operand that is no number")

    def _binary(self, operator: str, left: core.Expression, right: core.Expression) -> Value:
        if operator in ("AND", "OR"):
            sign = "&&" if operator == "AND" else "||"
            return Value(f"({self._test(left)} {sign} {self._test(right)})", TRUTH)
        one, two = self._value(left), self._value(right)
        if one.form == two.form == TRUTH and operator in ("EQUIVALENT", "INEQUIVALENT"):
            return Value(f"({one.text} {'==' if operator == 'EQUIVALENT' else '!='} {two.text})", TRUTH)
        if {one.form, two.form} <= {WHOLE} and operator in _WHOLE:
            return Value(_WHOLE[operator].format(one.text, two.text), WHOLE)
        if {one.form, two.form} <= {WHOLE, NUMBER} and operator in _NUMBER:
            return Value(_NUMBER[operator].format(self._fit(one, NUMBER), self._fit(two, NUMBER)), NUMBER)
        raise Cannot("an operator has an operand that may be no number")

    def _compare(self, operands: Sequence[core.Expression], operators: Sequence[str]) -> Value:
        values = [self._value(operand) for operand in operands]
        if len(values) > 2 and not all(isinstance(each, core.Local | core.Literal) for each in operands[1:-1]):
            raise Cannot("a chain of relations holds an expression")
        texts = [self._relation(*each) for each in zip(operators, values, values[1:], strict=False)]
        return Value(texts[0] if len(texts) == 1 else f"({' && '.join(texts)})", TRUTH)

    def _relation(self, operator: str, one: Value, two: Value) -> str:
        if operator in _RELATIONS:
            if one.form == two.form == WHOLE:
                return f"({one.text} {_RELATIONS[operator]} {two.text})"
            if {one.form, two.form} <= {WHOLE, NUMBER}:
                return _NUMBER_RELATIONS[operator].format(self._fit(one, NUMBER), self._fit(two, NUMBER))
            raise Cannot("it compares what may be no numbers")
        if operator not in ("EQUAL", "UNEQUAL"):
            raise Cannot("it compares what may be bit strings")
        form = union([one.form, two.form])
        text = f"{equal(self._type(form))}({self._fit(one, form)}, {self._fit(two, form)})"
        return text if operator == "EQUAL" else f"!{text}"

    def _host(self, name: str, arguments: Sequence[core.Expression]) -> Value:
        """A function of the library."""
        values = [self._value(argument) for argument in arguments]
        match name, values:
            case "Null", [Value(form=ListForm()) as value]:
                return Value(f"({value.text}->count == 0)", TRUTH)
            case "Null", [value] if value.form == NIL:
                return Value("true", TRUTH)
            case "Null", [Value(form=TupleForm(items=items))] if items:
                return Value("false", TRUTH)
            case "Null", [Value(form=UnionForm(options=options)) as value] if all(
                option in (NIL,) or isinstance(option, TupleForm) for option in options
            ):
                return Value(f"({value.text}.tag == {options.index(NIL)})" if NIL in options else "false", TRUTH)
            case "Head", [Value(form=ListForm(item=item)) as value]:
                return Value(f"item_{self._type(value.form)}({value.text}, 0)", item)
            case "Tail", [Value(form=ListForm()) as value]:
                return Value(f"rest_{self._type(value.form)}({value.text})", value.form)
            case "Next", [Value(form=ListForm(item=item)) as value]:
                form, of = TupleForm((item, value.form)), self._type(value.form)
                held = self._fresh("list")
                parts = f"item_{of}({held}, 0), rest_{of}({held})"
                return Value(f"({{ {of} {held} = {value.text}; ({self._type(form)}){{{parts}}}; }})", form)
            case "Join" | "MinList", _:
                return self._join(name, values)
            case _, [one, two] if name in _OF_WHOLE:
                return Value(f"{_OF_WHOLE[name]}({self._fit(one, WHOLE)}, {self._fit(two, WHOLE)})", WHOLE)
            case _:
                raise Cannot(f"C has no {name}")

    def _join(self, name: str, values: Sequence[Value]) -> Value:
        """Lists one after the other; what is no list is one member."""
        options = [
            option.item if isinstance(option, ListForm) else option
            for value in values
            for option in (value.form.options if isinstance(value.form, UnionForm) else (value.form,))
            if option != NIL
        ]
        if not options:
            return Value("(nil)0", NIL)
        form = ListForm(union(options))
        of = self._type(form)
        texts = [self._as_list(value, form) for value in values]
        if name == "Join" and len(texts) == 2:
            return Value(f"join_{of}({texts[0]}, {texts[1]})", form)
        if name == "Join":
            raise Cannot("C joins two lists")
        same = equal(self._type(form.item))
        list_name, part, at, before = (self._fresh(each) for each in ("list", "part", "i", "j"))
        lines = [f"{of} {list_name} = new_{of}(0), {part};"]
        for text in texts:
            lines.append(
                f"{part} = {text}; for (whole {at} = 0; {at} < {part}->count; {at}++) {{ whole {before} = 0; "
                f"while ({before} < {list_name}->count && !{same}({list_name}->items[{before}], {part}->items[{at}])) "
                f"{before}++; if ({before} == {list_name}->count) append_{of}({list_name}, {part}->items[{at}]); }}"
            )
        if not isinstance(form.item, TupleForm) or not form.item.items:
            raise Cannot("MinList has members that may be empty")
        return Value(f"({{ {' '.join(lines)} {list_name}; }})", form)

    def _as_list(self, value: Value, form: ListForm) -> str:
        """A value as a list: itself if it is one, else a list of it."""
        of = self._type(form)
        match value.form:
            case ListForm():
                return self._fit(value, form)
            case UnionForm(options=options):
                held = self._fresh("value")
                arms = " ".join(
                    f"{held}.tag == {at} ? {self._as_list(Value(f'{held}.{member(at)}', option), form)} :"
                    for at, option in enumerate(options)
                )
                return f"({{ {self._type(value.form)} {held} = {value.text}; {arms} (leave(FAULT), ({of})NULL); }})"
            case _ if value.form == NIL:
                return f"new_{of}(0)"
            case _:
                return f"single_{of}({self._fit(value, form.item)})"
