"""Coercion of values from one form to another.

    TotalOf(L) = Null(L) → 0, Head(L) + TotalOf(Tail(L))

The elements of the list may be whole or real, so that their form is `number`. The literal, whose form is `whole`, is
coerced where it is returned:

    if (L->count == 0) {
        return of_whole(0);
    }

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


class CannotCoerce(Cannot):
    """A value never has the form that is expected."""


_CONVERSIONS: Final[dict[tuple[Form, Form], str]] = {
    (WHOLE, NUMBER): "of_whole({})",
    (REAL, NUMBER): "of_real({})",
    (NUMBER, WHOLE): "whole_of({})",
    (NUMBER, REAL): "as_real({})",
    (WHOLE, REAL): "(real)({})",
}
"""Between numbers. What is declared to be real gets whole numbers as reals; of a real no whole number is expected."""


def after_statements(statements: str, text: str) -> str:
    """An expression whose value is `text`, which is evaluated after statements, if there are any."""
    return f"({{ {statements} {text}; }})" if statements else text


def _converted_number(text: str, before: Form, form: Form) -> str:
    """A number of one form as one of another."""
    if form == REAL and text.isdigit():
        return f"{text}.0"
    if (before, form) == (WHOLE, REAL) and text.isidentifier():
        return f"(real){text}"
    return _CONVERSIONS[before, form].format(text)


class Coercions:
    """Writes values in the forms that are expected, with names that a function has not `taken`."""

    def __init__(self, unit: Unit, taken: set[str]) -> None:
        self.unit = unit
        self._taken = Taken(taken)

    def type(self, form: Form) -> str:
        """The C type of a form."""
        return self.unit.types.name(form)

    def fresh(self, wanted: str) -> str:
        """A name that the function has not yet."""
        return self._taken.claim(wanted)

    def coerce(self, value: Value, form: Form) -> str:
        """A value as one of this form. Raises Cannot if it never is."""
        text = value.written(form)
        if text is not None:
            return text

        before = value.form
        name = self.type(form)
        match before, form:
            case _ if (before, form) in _CONVERSIONS:
                return _converted_number(bare(value.text), before, form)
            case _, ListOf() if before == NIL:
                return f"new_{name}(0)"
            case ListOf(parts=(item,)), ListOf():
                return self._converted_list(value, item, form)
            case Either(parts=options), _:
                possible = [option for option in options if self._can_coerce(option, form)]
                return self._option(value, possible, form)
            case _, Either(parts=options) if before == NIL and NIL in options:
                return f"nil_of({name})"
            case _, Either(parts=options):
                possible = [option for option in options if option == before or self._can_coerce(before, option)]
                if possible:
                    option = before if before in possible else possible[0]
                    return f"one_of({name}, {self.type(option)}, {self.coerce(value, option)})"
            case TupleOf(parts=parts), TupleOf(parts=items) if len(parts) == len(items):
                statement, variable = self.bound(value, "tuple")
                return after_statements(statement, self.tuple(self.fields(variable, before), form))
        raise CannotCoerce("a value has another type than is expected")

    def coerce_or_leave(self, value: Value, form: Form) -> str:
        """A value as one of this form; if it never is, what gives the call up."""
        try:
            return self.coerce(value, form)
        except CannotCoerce:
            return f"no_value({self.type(form)})"

    def _can_coerce(self, form: Form, wanted: Form) -> bool:
        """Tell whether a value of one form may be one of another; memoised for the library."""
        known = self.unit.coercible
        if (form, wanted) not in known:
            try:
                Coercions(self.unit, set()).coerce(plain("x", form), wanted)
                known[form, wanted] = True
            except Cannot:
                known[form, wanted] = False
        return known[form, wanted]

    def _option(self, value: Value, options: Sequence[Form], form: Form) -> str:
        """A value of a union as one of another form. It can be one if it is of one of these options."""
        match options:
            case []:
                raise CannotCoerce("a value has another type than is expected")
            case [option]:
                return self.coerce(plain(f"only({self.type(option)}, {value.text})", option), form)
        before, variable = self.bound(value, "value")
        arms: list[str] = []
        for field in self.fields(variable, value.form):
            if field.form in options:
                test = f"{variable}.is == is_{self.type(field.form)}"
                arms.append(f"{test} ? {self.coerce(field, form)}")
        return after_statements(before, f"({' : '.join(arms)} : no_value({self.type(form)}))")

    def fields(self, variable: str, form: Form) -> list[Value]:
        """The items of a tuple that a variable holds; or what it may be, if it holds one of several types."""
        values: list[Value] = []
        for field, part in self.unit.types.fields(form):
            is_tag_only = part == NIL and isinstance(form, Either)
            values.append(plain("(nil)0" if is_tag_only else f"{variable}.{field}", part))
        return values

    def bound(self, value: Value, wanted: str) -> tuple[str, str]:
        """Bind a value that is used several times: return the declaration of a variable, if needed, and its name."""
        text = value.text
        if text.isidentifier():
            return "", text
        name = self.fresh(wanted)
        return f"{self.type(value.form)} {name} = {bare(text)};", name

    def _converted_list(self, value: Value, item: Form, form: ListOf) -> str:
        """A list with members of another form."""
        statement, variable = self.bound(value, "list")
        name = self.type(form)
        copy = self.fresh("copy")
        at = self.fresh("i")
        converted = self.coerce(plain(f"{variable}->items[{at}]", item), form.parts[0])
        copied = f"{name} {copy} = new_{name}({variable}->count);"
        if self.unit.assigned:  # both are marked, as an assignment to a member of one would not change the other
            copied += f" keep_as_it_is({variable}, {copy});"
        loop = f"for (whole {at} = 0; {at} < {variable}->count; {at}++) {copy}->items[{at}] = {converted};"
        return f"({{ {statement} {copied} {loop} {copy}; }})"

    # Values that are made of others

    def tuple(self, values: Sequence[Value], form: TupleOf) -> str:
        """A tuple of this form."""
        parts = [bare(self.coerce(value, item)) for value, item in zip(values, form.parts, strict=True)]
        return f"({self.type(form)}){{{', '.join(parts)}}}"

    def list(self, values: Sequence[Value], form: ListOf) -> str:
        """A list of this form."""
        name = self.type(form)
        items = [bare(self.coerce(value, form.parts[0])) for value in values]
        match items:
            case []:
                return f"new_{name}(0)"
            case [item]:
                return f"single_{name}({item})"
        variable = self.fresh("list")
        assignments = " ".join(f"{variable}->items[{at}] = {item};" for at, item in enumerate(items))
        return f"({{ {name} {variable} = new_{name}({len(items)}); {assignments} {variable}; }})"

    def joined(self, values: Sequence[Value], form: ListOf, *, distinct: bool) -> str:
        """The members of lists in a list of this form, each once if they are to be `distinct`; what is no list is one
        member.
        """
        name = self.type(form)
        variable = self.fresh("list")
        if not distinct and all(isinstance(value.form, ListOf) for value in values):
            first, second = [self.coerce(value, form) for value in values]
            return f"join_{name}({first}, {second})"
        added = " ".join(self._joining(variable, value, form) for value in values)
        result = f"{self.unit.types.distinct(form)}({variable})" if distinct else variable
        return f"({{ {name} {variable} = new_{name}(0); {added} {result}; }})"

    def _joining(self, target: str, value: Value, form: ListOf) -> str:
        """The statements that add the members of a list to another; what is not a list is one member."""
        match value.form:
            case ListOf():
                return self.added(target, value, form)
            case Either():
                statement, variable = self.bound(value, "value")
                arms: list[str] = []
                for option in self.fields(variable, value.form):
                    if option.form != NIL:
                        added = self._joining(target, option, form)
                        body = f"{{ {added} }}" if "; " in added else added
                        arms.append(f"if ({variable}.is == is_{self.type(option.form)}) {body}")
                return f"{statement} {' '.join(arms)}"
            case own_form:
                return "" if own_form == NIL else self.appended(target, value, form)

    def appended(self, target: str, value: Value, form: ListOf) -> str:
        """The statement that adds one member to a list."""
        return f"append_{self.type(form)}({target}, {bare(self.coerce(value, form.parts[0]))});"

    def added(self, target: str, value: Value, form: ListOf) -> str:
        """The statement that adds the members of a list to another."""
        return f"extend_{self.type(form)}({target}, {bare(self.coerce(value, form))});"
