"""Conversion of values from one form to another.

A whole number becomes a number, a tuple one of several types; the reverse is checked when it runs. So the types of
`types` are only what is expected: where a value is of another type, the call is given up, and begins again in
Python.
"""

from collections.abc import Sequence
from typing import Final

from cpl.compiler.c.c_text import bare
from cpl.compiler.c.representation import NUMBER, REAL, WHOLE, Cannot, Form, Value, plain
from cpl.compiler.c.unit import Unit
from cpl.compiler.python.names import Taken
from cpl.compiler.types.types import NIL, Either, ListOf, TupleOf


class Misfit(Cannot):
    """A value never has the form that is expected."""


_CONVERSIONS: Final[dict[tuple[Form, Form], str]] = {
    (WHOLE, NUMBER): "of_whole({})",
    (REAL, NUMBER): "of_real({})",
    (NUMBER, WHOLE): "whole_of({})",
    (NUMBER, REAL): "as_real({})",
    (WHOLE, REAL): "(real)({})",
}
"""Between numbers. What is declared to be real gets whole numbers as reals; of a real no whole number is expected."""


def within(statements: str, text: str) -> str:
    """An expression after statements."""
    return f"({{ {statements} {text}; }})" if statements else text


class Fitting:
    """Writes values in forms that are wanted, with names that a function has not `taken`."""

    def __init__(self, unit: Unit, taken: set[str]) -> None:
        self.unit, self._taken = unit, Taken(taken)

    def type(self, form: Form) -> str:
        """The C type of a form."""
        return self.unit.types.name(form)

    def fresh(self, wanted: str) -> str:
        """A name that the function has not yet."""
        return self._taken.claim(wanted)

    def fit(self, value: Value, form: Form) -> str:
        """A value as one of this form. Raises Cannot if it never is."""
        if (text := value.written(form)) is not None:
            return text
        before, name = value.form, self.type(form)
        match before, form:
            case _ if (before, form) in _CONVERSIONS:
                text = bare(value.text)
                return f"{text}.0" if form == REAL and text.isdigit() else _CONVERSIONS[before, form].format(text)
            case _, ListOf() if before == NIL:
                return f"new_{name}(0)"
            case ListOf(parts=(item,)), ListOf():
                return self._converted_list(value, item, form)
            case Either(parts=options), _:
                return self._chosen(value, [option for option in options if self._may_fit(option, form)], form)
            case _, Either(parts=options) if before == NIL and NIL in options:
                return f"nil_of({name})"
            case _, Either(parts=options):
                able = [option for option in options if option == before or self._may_fit(before, option)]
                if able:
                    option = before if before in able else able[0]
                    return f"one_of({name}, {self.type(option)}, {self.fit(value, option)})"
            case TupleOf(parts=parts), TupleOf(parts=items) if len(parts) == len(items):
                statement, variable = self.bound(value, "tuple")
                return within(statement, self.tuple(self.fields(variable, before), form))
        raise Misfit("a value has another type than is expected")

    def fit_or_leave(self, value: Value, form: Form) -> str:
        """A value as one of this form; if it never is, what gives the call up."""
        try:
            return self.fit(value, form)
        except Misfit:
            return f"no_value({self.type(form)})"

    def _may_fit(self, form: Form, wanted: Form) -> bool:
        if (form, wanted) not in self.unit.fitting:
            try:
                self.unit.fitting[form, wanted] = bool(Fitting(self.unit, set()).fit(plain("x", form), wanted))
            except Cannot:
                self.unit.fitting[form, wanted] = False
        return self.unit.fitting[form, wanted]

    def _chosen(self, value: Value, options: Sequence[Form], form: Form) -> str:
        """A value of a union as one of another form, which it has if it is one of these options."""
        match options:
            case []:
                raise Misfit("a value has another type than is expected")
            case [option]:
                return self.fit(plain(f"only({self.type(option)}, {value.text})", option), form)
        before, variable = self.bound(value, "value")
        arms = [
            f"{variable}.is == is_{self.type(option.form)} ? {self.fit(option, form)}"
            for option in self.fields(variable, value.form)
            if option.form in options
        ]
        return within(before, f"({' : '.join(arms)} : no_value({self.type(form)}))")

    def fields(self, variable: str, form: Form) -> list[Value]:
        """The items of a tuple that a variable holds; or what it may be, if it holds one of several types."""
        return [
            plain("(nil)0" if part == NIL and isinstance(form, Either) else f"{variable}.{field}", part)
            for field, part in self.unit.types.fields(form)
        ]

    def bound(self, value: Value, wanted: str) -> tuple[str, str]:
        """Bind a value that is used several times: return the declaration of a variable, if needed, and its name."""
        text = value.text
        if text.isidentifier():
            return "", text
        name = self.fresh(wanted)
        return f"{self.type(value.form)} {name} = {text};", name

    def _converted_list(self, value: Value, item: Form, form: ListOf) -> str:
        """A list with members of another form."""
        before, variable = self.bound(value, "list")
        name, copy, at = self.type(form), self.fresh("copy"), self.fresh("i")
        care = f"keep_as_it_is({variable}, {copy}); " if self.unit.assigned else ""
        converted = self.fit(plain(f"{variable}->items[{at}]", item), form.parts[0])
        return (
            f"({{ {before} {name} {copy} = new_{name}({variable}->count); {care}"
            f"for (whole {at} = 0; {at} < {variable}->count; {at}++) {copy}->items[{at}] = {converted}; {copy}; }})"
        )

    # Values that are made of others

    def tuple(self, values: Sequence[Value], form: TupleOf) -> str:
        """A tuple of this form."""
        parts = ", ".join(bare(self.fit(value, item)) for value, item in zip(values, form.parts, strict=True))
        return f"({self.type(form)}){{{parts}}}"

    def list(self, values: Sequence[Value], form: ListOf) -> str:
        """A list of this form."""
        name, items = self.type(form), [self.fit(value, form.parts[0]) for value in values]
        if len(items) < 2:
            return f"single_{name}({items[0]})" if items else f"new_{name}(0)"
        variable = self.fresh("list")
        puts = " ".join(f"{variable}->items[{at}] = {item};" for at, item in enumerate(items))
        return f"({{ {name} {variable} = new_{name}({len(items)}); {puts} {variable}; }})"

    def joined(self, values: Sequence[Value], form: ListOf, *, distinct: bool) -> str:
        """The members of lists in a list of this form, each once if they are to be `distinct`; what is no list is one
        member.
        """
        name, variable = self.type(form), self.fresh("list")
        if not distinct and all(isinstance(value.form, ListOf) for value in values):
            return f"join_{name}({self.fit(values[0], form)}, {self.fit(values[1], form)})"
        added = " ".join(self._adding(variable, value, form) for value in values)
        result = f"{self.unit.types.distinct(form)}({variable})" if distinct else variable
        return f"({{ {name} {variable} = new_{name}(0); {added} {result}; }})"

    def _adding(self, target: str, value: Value, form: ListOf) -> str:
        match value.form:
            case ListOf():
                return self.added(target, value, form)
            case Either():
                before, variable = self.bound(value, "value")
                arms = [
                    f"if ({variable}.is == is_{self.type(option.form)}) {{ {self._adding(target, option, form)} }}"
                    for option in self.fields(variable, value.form)
                    if option.form != NIL
                ]
                return f"{before} {' '.join(arms)}"
            case before:
                return "" if before == NIL else self.appended(target, value, form)

    def appended(self, target: str, value: Value, form: ListOf) -> str:
        """The statement that adds one member to a list."""
        return f"append_{self.type(form)}({target}, {self.fit(value, form.parts[0])});"

    def added(self, target: str, value: Value, form: ListOf) -> str:
        """The statements that add the members of a list to another."""
        part, at, name = self.fresh("part"), self.fresh("i"), self.type(form)
        return (
            f"{name} {part} = {self.fit(value, form)}; for (whole {at} = 0, end = {part}->count; {at} < end; {at}++) "
            f"append_{name}({target}, {part}->items[{at}]);"
        )
