"""One function of the core tree as a C function: its commands as statements.

    Squares(k) = k = 0 → NIL, Join([k × k], Squares(k - 1))

which the passes have made a loop, becomes

    static whole_list Squares(whole k) {
        whole_list out = new_whole_list(0);
        while (k != 0) {
            check_stop();
            append_whole_list(out, multiply(k, k));
            k = subtract(k, 1);
        }
        return out;
    }

Functions inside it are lifted to the top level (lambda lifting): they get the variables that they capture as their
first arguments. One that is a value gets them by a pointer (`_closure`). What C cannot have raises `Cannot`: then the
function stays in Python.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import Final

from cpl.compiler.c.bit_counts import BitCount, counting_function, counting_loop
from cpl.compiler.c.c_text import (
    bare,
    comment,
    function_text,
    headed,
    laid_out,
    names_in,
    used_before,
    with_first_values,
    without_effect,
    without_unused,
)
from cpl.compiler.c.early import asked_early
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
from cpl.compiler.c.rests import walking
from cpl.compiler.c.stops import in_functions, is_short
from cpl.compiler.c.unit import Signature, Unit, declared_fields, member, spelled
from cpl.compiler.c.variables import with_fewer_variables
from cpl.compiler.python.emit import source_text
from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.binders import is_assigned_first
from cpl.compiler.semantics.conversions import at_results
from cpl.compiler.semantics.graphs import reachable
from cpl.compiler.types.types import NOTHING, ByReference, FunctionOf, ListOf, TupleOf, all_parts

_STEP: Final = "    "
"""How much further in a block stands."""


class FunctionWriter(Expressions):
    """Writes the C of one function, which may be inside an `outer` one. `taken` are the names that it may not use."""

    def __init__(
        self,
        function: core.Function | core.LetFunction,
        signature: Signature,
        unit: Unit,
        taken: set[str],
        outer: "FunctionWriter | None" = None,
    ) -> None:
        super().__init__(unit, taken, function, outer)
        self.signature = signature
        self._reserved = taken
        self._inner: list[str] = []  # functions inside this one, as C
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
        self._arguments = [*self.variables.values()]
        self._walking = walking(function) - {*signature.captured} if self.walks else set()
        self._changed = {*walk.changed(function.body)}
        self._constant_parts: list[Value] = []  # of parameters that come apart
        for at in sorted(signature.apart):
            self._take_apart(function.parameters[at], signature.parameters[at])

    def text(self, *, is_recursive: bool) -> str:
        """The functions inside the function, and the function, each below its CPL or what it is if a pass has made it.
        Raises Cannot.

        Lists and closures are allocated in the memory of a call from Python. A function that makes lists frees them at
        its end, unless they may be reached afterwards: by its result, or by something that was put into what it gets.
        """
        function = self.function
        if not self._count_in_function():
            if is_recursive:
                self._put("check_depth();")
            for parameter in function.parameters:
                value = self.variables[parameter]
                if self._is_walking(parameter, value.form):
                    self._put(f"whole {self._walk(parameter, value)} = 0;")
            self._give(function.body)

        lines = chain.from_iterable(line.split("\n") for line in self._lines)  # a value block is several in one
        self._lines = without_unused(with_first_values([*lines]))
        if "variables" in self.unit.rules:
            named = [value for value in self._arguments if value.text.isidentifier()]
            parameters = {value.text: self.unit.types.name(value.form) for value in named}
            self._lines = with_fewer_variables(self._lines, parameters)
        if self._lines[-1:] == ["    return;"]:
            del self._lines[-1]
        self._lines[:0] = self._unused_parameters()
        is_reachable = is_in_memory(self.signature.result) or any(map(self._may_change, self._arguments))
        if not is_reachable and any("_list" in line for line in self._lines):
            self._lines.insert(0, f"    GIVE_BACK_AT_END mark {self.fresh('before')} = now;")

        cpl = comment(getattr(self.function, "note", "") or source_text(self.function, None))
        whole = "\n".join([cpl, *headed(self.heading(), " {"), *self._lines, "}"])
        return "\n\n".join([*self._inner, whole])

    def _unused_parameters(self) -> list[str]:
        """What tells the C compiler that the function means to do without some of its parameters, if it does."""
        used = names_in(self._lines)
        names = [value.text.strip("()*") for value in self._arguments]
        return [f"    (void){name};" for name in names if name not in used]

    def _may_change(self, value: Value) -> bool:
        """Tell whether something that is in memory may be put into what the function gets."""
        if not is_in_memory(value.form):
            return False
        is_place = not value.text.isidentifier() or isinstance(value.form, ByReference)
        if is_place:
            return True
        if isinstance(value.form, FunctionOf):
            return False

        appends = (node for node in walk.nodes(self.function.body) if isinstance(node, core.Append))
        appends_to_parameter = any(node.list in self.function.parameters for node in appends)
        if self.signature.result == NOTHING or appends_to_parameter:
            return True
        members = [part.parts[0] for part in all_parts(value.form) if isinstance(part, ListOf)]
        return bool(self.unit.assigned) and any(map(is_in_memory, members))

    def heading(self) -> str:
        """The heading of the function."""
        parameters = [f"{self.type(value.form)} {value.text.strip('()')}" for value in self._arguments]
        return f"static {self.type(self.signature.result)} {self.signature.name}({', '.join(parameters) or 'void'})"

    def _take_apart(self, parameter: core.Local, form: Form) -> None:
        """Let the function get the parts of a parameter, each by itself."""
        whole_value = self.variables[parameter]
        value, words = self._parts_of(whole_value.text, form, parameter)
        self.variables[parameter] = value
        at = self._arguments.index(whole_value)
        self._arguments[at : at + 1] = words

    def _parts_of(self, name: str, form: Form, variable: core.Local | None) -> tuple[Value, list[Value]]:
        """A value of the parts that a function gets instead of the value of a variable; and its words, which are the
        parameters in C. Where the text takes the variable apart, as in `let (X,Y) = P`, they have these names.
        """
        if not isinstance(form, TupleOf):
            value = plain(self.fresh(name), form)
            return value, [value]
        parts: list[Value] = []
        words: list[Value] = []
        fields = self.unit.types.fields(form)
        for (field, part_form), target in zip(fields, self._targets(variable, len(fields)), strict=True):
            part_name = spelled(target.name) if target else f"{name}_{field}"
            part, words_of_part = self._parts_of(part_name, part_form, target)
            if target and self._may_stand_for(target, part):
                self.variables[target] = part
            parts.append(part)
            words += words_of_part
        self._constant_parts += parts
        return self.tuple_of(parts), words

    def _targets(self, variable: core.Local | None, count: int) -> Sequence[core.Local | None]:
        """The variables into which a command of the function first takes one of so many parts apart; None for a part
        that has none, or one that changes.
        """
        unnamed = [None] * count
        body = self.function.body
        if variable is None or not isinstance(body, core.Block):
            return unnamed
        for command in walk.all_commands(body.commands):
            match command:
                case core.Let(target=core.Several(items=items), value=value) if value == variable:
                    targets = [item if isinstance(item, core.Local) else None for item in items]
                    constant = [target if target and self._is_constant(target) else None for target in targets]
                    return constant if len(items) == count else unnamed
        return unnamed

    def _is_constant(self, variable: core.Local) -> bool:
        """Tell whether a variable keeps the value that it gets at first."""
        return variable not in self._changed and variable not in self._walking

    def _may_stand_for(self, variable: core.Local, value: Value) -> bool:
        """Tell whether a variable can be another name of a value that never changes."""
        return self._is_constant(variable) and (self._expected(variable) or widened(value.form)) == value.form

    def _put(self, statement: str) -> None:
        """Write a statement, unless it is empty."""
        if statement:
            self._lines += laid_out(statement, "    " * self._depth)

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
        """A new variable with this value, or another name of a value that never changes."""
        is_constant_part = any(value is part for part in self._constant_parts)
        if is_constant_part and self._may_stand_for(variable, value):
            self.variables[variable] = value
            return
        form = self._expected(variable) or widened(value.form)
        if self._is_walking(variable, form):
            members, at = self._start(value, form)
            bound = self._bind(variable, form)
            self._put(f"{self.type(form)} {bound.text} = {members};")
            self._put(f"whole {self._walk(variable, bound)} = {bare(at)};")
            return
        text = bare(self.coerce(value, form))
        self._put(f"{self.type(form)} {self._bind(variable, form).text} = {text};")

    def _is_walking(self, variable: core.Local, form: Form) -> bool:
        """Tell whether a variable walks through a list."""
        return variable in self._walking and isinstance(form, ListOf)

    def _walk(self, variable: core.Local, members: Value) -> str:
        """Let a variable walk through a list; return the variable of C that says where it is."""
        assert isinstance(members.form, ListOf)
        at = self.fresh(f"{members.text}_at")
        self.variables[variable] = self.rest(members.text, at, members.form)
        return at

    def _start(self, value: Value, form: Form) -> tuple[str, str]:
        """The list through which a value walks, and where it is."""
        if value.walk and value.form == form:
            return value.walk
        return bare(self.coerce(value, form)), "0"

    def _expected(self, variable: core.Local) -> Form | None:
        """The form for a variable, as it is declared or as its type is inferred; None if C has none for it."""
        if variable.mode:
            return None
        try:
            return declared(variable, self.unit.checked.type_of(variable, self.definition))
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
        early = [*asked_early(commands)] if "prefetch" in self.unit.rules else []
        for at, command in enumerate(commands):
            self._command(command, commands[at + 1 :])
            for recall in dict.fromkeys(recall for known, recall in early if known == at):
                self._ask_early(recall)

    def _ask_early(self, recall: core.Apply) -> None:
        """Ask for the entry that will be recalled, if its number is a whole number of variables that are there."""
        number, otherwise = recall.arguments
        variables = walk.locals_in(number)
        if not isinstance(otherwise, core.Variable) or not variables <= self.variables.keys():
            return
        if {self.variables[variable].form for variable in variables} == {WHOLE}:
            entry = self.unit.types.remembered(self.value(otherwise).form)
            self._put(f"ask_early({entry}, {bare(self.expression(number, WHOLE))});")

    def _command(self, command: core.Command, rest: Sequence[core.Command]) -> None:
        """A command, after which others stand."""
        match command:
            case core.LetFunction():
                if command.name not in self.local_functions:
                    self._let_functions([command, *_functions_at_start(rest)])
            case core.Declare(variable=core.Local() as variable):
                if variable in walk.all_nodes(rest):
                    form = self._expected(variable) if is_assigned_first(variable, rest) else None
                    if form is None:
                        raise Cannot(f"{variable.name} may have no value")
                    self._put(f"{self.type(form)} {self._bind(variable, form).text};")
            case core.Let(target=target, value=value):
                self._let(target, self._whole(value))
                if isinstance(target, core.Local):
                    self.note_opposite(target, value)
            case core.Result(value=value):
                self._give(value)
            case core.Return():
                self._put("return;")
            case core.Fail() | core.Finish():
                self._put("leave(FAULT);")
            case core.Assign(places=places, values=values):
                self._assign(places, values)
            case core.If():
                self._if(command)
            case core.Evaluate(value=value):
                self._put(f"{self.value(value).text};")
            case core.Append(list=members, value=value, each=is_list):
                list_variable = self.variables[members]
                if not isinstance(list_variable.form, ListOf):
                    raise Cannot("it adds to what may be no list")
                added = self.value(value)
                if is_list:
                    self._put(self.added(list_variable.text, added, list_variable.form))
                else:
                    self._put(self.appended(list_variable.text, added, list_variable.form))
            case core.Break(again=True):
                self._put("continue;")
            case core.Break():
                label = self._loops[-1]
                self._put(f"goto {label};" if label else "break;")
            case core.While() | core.Repeat() | core.ForStep() | core.ForList():
                self._loop(command)
            case _:
                raise Cannot(f"C has no {type(command).__name__} here")

    def _if(self, command: core.If) -> None:
        """A conditional command. What both branches end with stands once, after it."""
        condition, opposite = self.test(command.test)
        first, second = self._branch(command.commands), self._branch(command.otherwise)
        shared: list[str] = []
        while first and second and first[-1] == second[-1] and self._is_statement(first[-1]):
            shared.insert(0, first.pop()[len(_STEP) :])
            del second[-1]

        if second and not first:
            condition, first, second = opposite, second, first
        heading = f"if ({bare(condition)})"
        if first:
            with self._braces(heading):
                self._lines += first
        else:
            self._put(f"(void){condition};")
        if self._is_conditional(second):
            indent = _STEP * self._depth
            self._lines.append(f"{indent}else {second[0].lstrip()}")
            self._lines += [line[len(_STEP) :] for line in second[1:]]
        elif second:
            with self._braces("else"):
                self._lines += second
        self._lines += shared

    def _branch(self, commands: Sequence[core.Command]) -> list[str]:
        """The lines of a branch of a conditional command."""
        lines_before = self._lines
        self._lines = []
        self._depth += 1
        try:
            self._commands(commands)
            return [*chain.from_iterable(line.split("\n") for line in self._lines)]
        finally:
            self._lines = lines_before
            self._depth -= 1

    def _is_statement(self, line: str) -> bool:
        """Tell whether a line of a branch is a statement by itself, and not the end of a longer one."""
        indent = _STEP * (self._depth + 1)
        return line.startswith(indent) and line[len(indent)].isidentifier() and line.endswith(";")

    def _is_conditional(self, branch: Sequence[str]) -> bool:
        """Tell whether a branch is one conditional command."""
        indent = _STEP * (self._depth + 1)
        if not (branch and branch[0].startswith(f"{indent}if (") and branch[-1] == f"{indent}}}"):
            return False
        starts = [line for line in branch[1:] if line.startswith(indent) and line[len(indent)] not in " )}"]
        return all(line.startswith(f"{indent}else") for line in starts)

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
        pairs = zip(kinds, self._parts(value, len(kinds)), strict=True)
        return self.tuple_of([self._converted_parts(kind, part) for kind, part in pairs])

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
        """An assignment to one place or to several at once."""
        targets = [self._place(place) for place in places]
        parts = [self._whole(value) for value in values]
        if len(parts) != len(targets):
            parts = self._parts(parts[0], len(targets))
        pairs = [*zip(parts, targets, strict=True)]
        targets = []
        texts: list[str] = []
        for part, target in pairs:
            if target.walk:
                members, at = target.walk
                new_members, new_at = self._start(part, target.form)
                targets += [plain(at, WHOLE), plain(members, target.form)]
                texts += [bare(new_at), new_members]
            else:
                targets.append(target)
                texts.append(bare(self.coerce(part, target.form)))
        if len(targets) == 1:
            self._put(f"{bare(targets[0].text)} = {texts[0]};")
            return

        names = {target.text for target in targets}
        are_variables = len(names) == len(targets) and all(map(str.isidentifier, names))
        if _may_follow_each_other(targets, texts):
            for target, text in zip(targets, texts, strict=True):
                if target.text != text:
                    self._put(f"{bare(target.text)} = {text};")
        elif are_variables:
            self._assign_variables(targets, texts)
        else:
            self._assign_places(targets, texts)

    def _assign_variables(self, targets: Sequence[Value], texts: Sequence[str]) -> None:
        """Assign to different variables at once. A value waits in a new variable if a later one is made from what its
        own has before. All that may read a variable of C names it: what reads it by its address gets that by name.
        """
        waiting: list[str] = []
        for at, (target, text) in enumerate(zip(targets, texts, strict=True)):
            if target.text in names_in(texts[at + 1 :]):
                text = self._new(f"new_{target.text}", self.type(target.form), text)
                waiting.append(f"{target.text} = {text};")
            elif target.text != text:
                self._put(f"{target.text} = {text};")
        for assignment in waiting:
            self._put(assignment)

    def _assign_places(self, targets: Sequence[Value], texts: Sequence[str]) -> None:
        """Assign to several places at once: all values, then all places, are evaluated before. A number, or a variable
        that keeps its value, need not wait.
        """
        changing = {target.text for target in targets}
        new_values: list[str] = []
        for target, text in zip(targets, texts, strict=True):
            if re.fullmatch(r"\w+", text) and text not in changing and not any(f"&{text}" in each for each in texts):
                new_values.append(text)
                continue
            wanted = f"new_{target.text}" if target.text.isidentifier() else "new_value"
            new_values.append(self._new(wanted, self.type(target.form), text))
        addresses: list[str] = []
        for target in targets:
            address = target.text
            if address.startswith("*"):
                address = "*" + self._new("place", f"{self.type(target.form)} *", address[1:])
            addresses.append(address)
        for address, new_value in zip(addresses, new_values, strict=True):
            self._put(f"{bare(address)} = {new_value};")

    def _new(self, wanted: str, type: str, text: str) -> str:
        """A new variable with this value."""
        name = self.fresh(wanted)
        separator = "" if type.endswith("*") else " "
        self._put(f"{type}{separator}{name} = {bare(text)};")
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
                    function = f"place_{self.type(members.form)}"
                    text = f"*{function}({members.text}, {self.expression(last, WHOLE)})"
                    return plain(text, members.form.parts[0])
        raise Cannot("it assigns to something that is not its own")

    # Counts of ones

    def _count_in_function(self) -> bool:
        """Write the body of a function that counts the ones of its parameter; tell whether it does."""
        counting = counting_function(self.function) if "count" in self.unit.rules else None
        if counting is None:
            return False
        count, first = counting
        if {self.signature.result, self.variables[count.bits].form} != {WHOLE}:
            return False
        counted = self._counted(count)
        self._put(f"return {f'add({first}, {counted})' if first else counted};")
        return True

    def _count_in_loop(self, loop: core.Loop) -> bool:
        """Write what a loop does that counts the ones of a variable; tell whether it is one."""
        counting = counting_loop(loop) if isinstance(loop, core.While) and "count" in self.unit.rules else None
        if counting is None:
            return False
        count, number = counting
        if not {count.bits, number} <= self.variables.keys():
            return False
        bits, sum = self.variables[count.bits], self.variables[number]
        if {bits.form, sum.form} != {WHOLE}:
            return False
        counted = self._counted(count)
        definition = f"whole {sum.text} = "
        if self._lines and self._lines[-1].strip() == f"{definition}0;":
            del self._lines[-1]
            self._put(f"{definition}{counted};")
        else:
            self._put(f"{sum.text} = add({bare(sum.text)}, {counted});")
        self._put(f"{bits.text} = 0;")
        return True

    def _counted(self, count: BitCount) -> str:
        """The number of ones, times the step."""
        ones = f"count_ones({bare(self.variables[count.bits].text)})"
        return ones if count.step == 1 else f"multiply({count.step}, {ones})"

    def _loop(self, loop: core.Loop) -> None:
        """A loop, and what is obeyed after it unless it is left by a break."""
        if self._count_in_loop(loop):
            return
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
                name = listed.text
                if not (name.isidentifier() and self._stays(members, loop.commands)):
                    name = self._new("members", self.type(listed.form), name)
                at = self.fresh("i")
                heading = f"for (whole {at} = 0; {at} < {name}->count; {at}++)"
                defined = [(variable, plain(f"{name}->items[{at}]", listed.form.parts[0]))]
        asks_before = "ask" in self.unit.rules and is_short(loop) and not self._may_change_elsewhere(loop)
        has_just_asked = self._lines[-1:] == [f"{_STEP}check_depth();"]
        if asks_before and not has_just_asked:
            self._put("check_stop();")
        self._loops.append(after)
        with self._braces(heading):
            if not asks_before:
                self._put("check_stop();")
            for variable, value in defined:
                self._define(variable, value)
            self._commands(loop.commands)
            if isinstance(loop, core.Repeat) and not walk.ends(loop.commands):
                _, is_over = self.test(loop.test)
                self._put(f"if ({bare(is_over)}) break;")
        self._loops.pop()
        if after:
            self._commands(otherwise)
            self._put(f"{after}:;")

    def _may_change_elsewhere(self, loop: core.Loop) -> bool:
        """Tell whether functions may assign to the variable that a loop tests."""
        if not isinstance(loop, core.While):
            return False
        tested = walk.locals_in(loop.test)
        are_own = all(self.variables[variable].text.isidentifier() for variable in tested & self.variables.keys())
        return not are_own or not tested.isdisjoint(in_functions(self.function))

    def _counting(self, loop: core.ForStep) -> tuple[str, Sequence[tuple[core.Local, Value]]]:
        """The heading of a loop over numbers, up or down, whose bounds are evaluated once; and its variable with what
        it gets in each round, if the loop may change it.
        """
        bounds = [bare(self.expression(bound, WHOLE)) for bound in (loop.first, loop.step, loop.last)]
        are_in_any_order = all(map(without_effect, bounds))
        first = bounds[0] if are_in_any_order else self._evaluated_once(loop.first, bounds[0], "first", loop)
        by = self._evaluated_once(loop.step, bounds[1], "step", loop)
        last = self._evaluated_once(loop.last, bounds[2], "last", loop)
        is_changing = loop.variable in self.changing
        count = self.fresh("k") if is_changing else self._bind(loop.variable, WHOLE).text
        match loop.step:
            case core.Literal(value=int() as step) if step:
                test = f"{count} {'<=' if step > 0 else '>='} {last}"
            case _:
                self._put(f"if (!{by}) leave(FAULT);")
                test = f"{by} > 0 ? {count} <= {last} : {count} >= {last}"
        heading = f"for (whole {count} = {first}; {test}; {count} = add({count}, {by}))"
        return heading, [(loop.variable, plain(count, WHOLE))] if is_changing else ()

    def _evaluated_once(self, bound: core.Expression, text: str, wanted: str, loop: core.ForStep) -> str:
        """A bound of a loop, with this text: a constant or a variable that keeps its value, or else a new variable."""
        stays = text.isidentifier() and self._stays(bound, loop.commands)
        return text if isinstance(bound, core.Literal) or stays else self._new(wanted, "whole", text)

    def _stays(self, node: core.Expression, commands: Sequence[core.Command]) -> bool:
        """Tell whether an expression is a name that has one value while these commands are obeyed."""
        if not isinstance(node, core.Local | core.Global):
            return False
        if node not in self.changing:
            return True
        return (
            isinstance(node, core.Local)
            and node not in self._assigned_elsewhere
            and not any(node in walk.assigned(command) for command in commands)
        )

    @cached_property
    def _assigned_elsewhere(self) -> set[core.Local]:
        """The variables that an application may assign to, as something refers to them or a function mentions them."""
        referring = (core.Reference, core.ReadOnly, core.Lambda, core.LetFunction)
        inner = [node for node in walk.nodes(self.function) if isinstance(node, referring) and node != self.function]
        captured = self.signature.captured if isinstance(self.function, core.LetFunction) else ()
        return {*captured, *chain.from_iterable(map(walk.locals_in, inner))}

    def block(self, commands: Sequence[core.Command], form: Form) -> str:
        """A value block inside an expression: a statement expression."""
        name = self.fresh("result")
        label = self.fresh("done")
        lines_before, depth_before = self._lines, self._depth
        results_before, loops_before = self._results, self._loops
        self._lines = []
        self._depth += 1
        self._results = [*results_before, (name, form, label)]
        self._loops = [*loops_before]
        try:
            self._put(f"{self.type(form)} {name};")
            self._commands(commands)
            if not walk.ends(commands):
                self._put("leave(FAULT);")
            jump = f"goto {label};"
            if self._lines[-1].strip() == jump:
                del self._lines[-1]
            if any(jump in line for line in self._lines):
                self._put(f"{label}:;")
            self._put(f"{name};")
            if isinstance(commands[-1], core.Result):
                self._lines = _without_result(self._lines, _STEP * self._depth, self.type(form), name)
            indent = _STEP * depth_before
            return "\n".join(["({", *self._lines, f"{indent}}})"])
        finally:  # also if a value never has its form: that arm is left out, and the function is written on
            self._lines, self._depth = lines_before, depth_before
            self._results, self._loops = results_before, loops_before

    # Functions inside this one

    def _let_functions(self, functions: Sequence[core.LetFunction], form: FunctionOf | None = None) -> None:
        """Lift functions to the top level of C: they get the variables that they capture as arguments."""
        mentioned = {function.name: walk.locals_in(function.body) for function in functions}
        for function in functions:
            captured: set[core.Local] = set()
            # What the functions that it applies capture, too, as it passes that to them.
            for name in reachable([function.name], lambda name: mentioned[name] & mentioned.keys()):
                captured |= mentioned[name]
            for name in captured & self.local_functions.keys():
                captured.update(self.local_functions[name].captured)
            free = sorted(captured & self.variables.keys(), key=lambda variable: variable.number)
            if not function.by_place and not self.changing.isdisjoint(free):
                raise Cannot(f"{function.name.name} captures a variable that changes")

            c_name = self.unit.taken.claim(f"{self.signature.name}_{spelled(function.name.name)}")
            if form:
                signature = Signature(c_name, form.parts[:-1], form.parts[-1])
            else:
                parts = self.unit.parts(function.name, self.definition)
                signature = self.unit.signature(c_name, function, parts)
            self.local_functions[function.name] = replace(signature, captured=tuple(free))

        writers = [
            FunctionWriter(function, self.local_functions[function.name], self.unit, self._reserved, self)
            for function in functions
        ]
        closures = {**self.unit.closures}
        try:
            texts = [
                writer.text(is_recursive=self._may_apply_itself(function, mentioned))
                for writer, function in zip(writers, functions, strict=True)
            ]
        except Cannot:  # perhaps of an arm that is left out: what was written inside it is nowhere
            self.unit.closures = closures
            raise
        self._add_local(writers, texts)

    def _may_apply_itself(self, function: core.LetFunction, mentioned: Mapping[core.Local, set[core.Local]]) -> bool:
        """Tell whether a local function, one of several that mention these variables, may come to apply itself: by
        names, or because it applies what may be any function. A round through a function of the top level ends there.
        """
        reached = reachable(
            mentioned[function.name] & mentioned.keys(), lambda name: mentioned[name] & mentioned.keys()
        )
        if function.name in {*reached}:
            return True
        inside = {node.name for node in walk.nodes(function) if isinstance(node, core.LetFunction)}
        known = self.unit.functions.keys() | self.local_functions.keys() | inside
        for node in walk.nodes(function.body):
            match node:
                case core.Apply(function=core.Host()) | core.Juxtapose(left=core.Literal()):
                    continue
                case core.Apply(function=applied) | core.Juxtapose(left=applied) if applied not in known:
                    return True
        return False

    def _add_local(self, writers: Sequence["FunctionWriter"], texts: Sequence[str]) -> None:
        """Add local functions that have these texts. Of identical ones `c/identical` leaves one."""
        needed = used_before(texts)  # C reads from top to bottom
        self._inner += [
            "\n".join(headed(writer.heading(), ";")) for writer in writers if writer.signature.name in needed
        ]
        self._inner += texts

    def function_value(self, node: core.Global | core.Local | core.Lambda, form: FunctionOf) -> str:
        """A function as a value, with its own code, which gets what was captured by one pointer."""
        match node:
            case core.Global():
                signature = self.unit.instance(node, [plain("", part) for part in form.parts[:-1]])
                return self._closure(signature, form)
            case core.Lambda(parameters=parameters, body=body, by_place=by_place):
                name = core.Local("function", -1 - len(self.local_functions), span=node.span)
                function = core.LetFunction(name, parameters, body, by_place, span=node.span)
                self._let_functions([function], form)
                signature = self.local_functions[name]
            case core.Local():
                signature = self.local_functions[node]
        if not self.changing.isdisjoint(signature.captured):
            raise Cannot("a function that is a value captures a variable that changes")
        if any(isinstance(self.variables[variable].form, ByReference) for variable in signature.captured):
            raise Cannot("a function that is a value captures the place of a variable")
        return self._closure(signature, form)

    def _closure(self, signature: Signature, form: FunctionOf) -> str:
        """A closure: a pointer to code, and one to a struct of captured values. For a local function `F(x) = x + n` in
        a function `Up` these stand before `Up`, where `Up_F` is the local function itself:

            struct Up_F_value_captured { number a; };

            static number Up_F_value(void *captured, number x0) {
                return Up_F(((struct Up_F_value_captured *)captured)->a, x0);
            }
        """
        captured = signature.captured
        known = self.unit.closures.get((signature.name, form))
        name = known or self.unit.taken.claim(f"{signature.name}_value")
        self.unit.closures[signature.name, form] = name
        struct = f"struct {name}_captured"
        if not known:
            self._inner += self._code_of_closure(signature, form, name)
        if not captured:
            return f"({self.type(form)}){{{name}, NULL}}"
        place = self.fresh("captured")
        texts = ", ".join(self.variables[variable].text for variable in captured)
        allocated = f"{struct} *{place} = take(sizeof *{place}); *{place} = ({struct}){{{texts}}};"
        return f"({{ {allocated} ({self.type(form)}){{{name}, {place}}}; }})"

    def _code_of_closure(self, signature: Signature, form: FunctionOf, name: str) -> list[str]:
        """The struct of what a closure has captured, if it has captured something, and its code."""
        captured = signature.captured
        *parameters, result = form.parts
        struct = f"struct {name}_captured"
        values = [f"(({struct} *)captured)->{member(at)}" for at in range(len(captured))]
        called = self.call(signature, values, [plain(f"x{at}", part) for at, part in enumerate(parameters)])
        c_parameters = ["void *captured", *(f"{self.type(part)} x{at}" for at, part in enumerate(parameters))]
        applied = f"{'return ' if result != NOTHING else ''}{self.coerce(called, result)};"
        body = [applied] if captured else ["(void)captured;", applied]
        code = function_text(f"static {self.type(result)} {name}({', '.join(c_parameters)})", body)
        if not captured:
            return [code]
        fields = [(self.type(self.variables[variable].form), member(at)) for at, variable in enumerate(captured)]
        return [f"{struct} {{ {declared_fields(fields)} }};", code]


def _functions_at_start(commands: Sequence[core.Command]) -> Iterator[core.LetFunction]:
    """The functions that commands define before they do anything else."""
    for command in commands:
        if not isinstance(command, core.LetFunction):
            return
        yield command


def _may_follow_each_other(targets: Sequence[Value], texts: Sequence[str]) -> bool:
    """Tell whether values may be assigned one after the other, as no later place and no later value is made from what
    an earlier one changes.
    """
    for at, target in enumerate(targets):
        later = [*texts[at + 1 :], *(_index(later.text) for later in targets[at + 1 :])]
        if target.text.isidentifier():
            if target.text in names_in([*later, *(other.text for other in targets[at + 1 :])]):
                return False
        elif not all(map(without_effect, later)):  # it may read the memory of a list
            return False
    return True


_PLACE: Final = re.compile(r"\*place_\w+\(\w+, (.*)\)")


def _index(place: str) -> str:
    """The number of the member that a place is, if the list is a variable; else what the place is."""
    member_of_variable = _PLACE.fullmatch(place)
    return member_of_variable[1] if member_of_variable else place


def _without_result(lines: Sequence[str], indent: str, type: str, name: str) -> list[str]:
    """The lines of a value block, without its variable for the result if that is assigned once, by its last command."""
    assigned = [at for at, line in enumerate(lines) if line.lstrip().startswith(f"{name} = ")]
    if (
        len(assigned) != 1
        or lines[0] != f"{indent}{type} {name};"
        or not lines[assigned[0]].startswith(f"{indent}{name}")
    ):
        return [*lines]
    at = assigned[0]
    value = lines[at].replace(f"{name} = ", "", 1)
    return [*lines[1:at], value, *lines[at + 1 : -1]]
