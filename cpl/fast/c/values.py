"""Values: expressions of C with their forms, and how a value of one form becomes one of another.

A whole number becomes a number, a tuple one of a union; the reverse is checked when it runs. So the types of
`cpl.types` are only what is expected: where a value is of another type, the call is given up, and begins again in
Python.
"""

from collections.abc import Callable, Sequence
from typing import Final

from cpl.fast.c.declarations import Declarations, member
from cpl.fast.c.layout import bare
from cpl.fast.c.representation import (
    NIL,
    NUMBER,
    REAL,
    WHOLE,
    Cannot,
    Form,
    ListForm,
    Simple,
    TupleForm,
    UnionForm,
    union,
)
from cpl.python.names import fresh
from cpl.records import dataclass


class Misfit(Cannot):
    """A value never has the form that is expected."""


@dataclass(frozen=True)
class Value:
    """An expression of C. `written` gives its text in a form, or None if that is not one in which it can be written;
    it is called once, when the form that is wanted is known. `known` is the form that the value has by itself, if any;
    a tuple has `parts`.
    """

    known: Form | None
    written: Callable[[Form], str | None]
    parts: tuple["Value", ...] = ()

    @property
    def form(self) -> Form:
        """The form that the value has by itself. Raises Cannot."""
        if self.known is None:
            raise Cannot("the type of a value is not known")
        return self.known

    @property
    def text(self) -> str:
        """The expression, in the form that it has by itself."""
        text = self.written(self.form)
        assert text is not None
        return text


def plain(text: str, form: Form) -> Value:
    """A value that is always written in the same form."""
    return Value(form, lambda wanted: text if wanted == form else None)


_CONVERSIONS: Final = {
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

    def __init__(self, types: Declarations, taken: set[str], *, has_assigned: bool) -> None:
        self._types, self._taken, self._has_assigned = types, taken, has_assigned
        self._fitting: dict[tuple[Form, Form], bool] = {}

    def type(self, form: Form) -> str:
        """The C type of a form."""
        return self._types.name(form)

    def fresh(self, wanted: str) -> str:
        """A name that the function has not yet."""
        name = fresh(wanted, self._taken)
        self._taken.add(name)
        return name

    def fit(self, value: Value, form: Form) -> str:
        """A value as one of this form. Raises Cannot if it never is."""
        if (text := value.written(form)) is not None:
            return text
        name = self.type(form)
        match value.form, form:
            case (Simple() as before, Simple()) if (before, form) in _CONVERSIONS:
                text = bare(value.text)
                return f"{text}.0" if form == REAL and text.isdigit() else _CONVERSIONS[before, form].format(text)
            case before, ListForm() if before == NIL:
                return f"new_{name}(0)"
            case ListForm(item=before), ListForm():
                return self._converted_list(value, before, form)
            case UnionForm(options=options), _:
                return self._chosen(value, [option for option in options if self._may_fit(option, form)], form)
            case form_before, UnionForm(options=options) if form_before == NIL and NIL in options:
                return f"nil_of({name})"
            case before, UnionForm(options=options):
                able = [option for option in options if option == before or self._may_fit(before, option)]
                if able:
                    option = before if before in able else able[0]
                    return f"one_of({name}, {self.type(option)}, {self.fit(value, option)})"
            case TupleForm(items=parts), TupleForm(items=items) if len(parts) == len(items):
                statement, held = self.held(value, "tuple")
                values = [plain(f"{held}.{member(at)}", part) for at, part in enumerate(parts)]
                return within(statement, self.tuple(values, form))
        raise Misfit("a value has another type than is expected")

    def fit_or_leave(self, value: Value, form: Form) -> str:
        """A value as one of this form; if it never is, what gives the call up."""
        try:
            return self.fit(value, form)
        except Misfit:
            return f"no_value({self.type(form)})"

    def _may_fit(self, form: Form, wanted: Form) -> bool:
        if (form, wanted) not in self._fitting:
            taken = {*self._taken}
            try:
                self._fitting[form, wanted] = bool(self.fit(plain("x", form), wanted))
            except Cannot:
                self._fitting[form, wanted] = False
            self._taken &= taken
        return self._fitting[form, wanted]

    def _chosen(self, value: Value, options: Sequence[Form], form: Form) -> str:
        """A value of a union as one of another form, which it has if it is one of these options."""
        match options:
            case []:
                raise Misfit("a value has another type than is expected")
            case [option]:
                return self.fit(plain(f"only({self.type(option)}, {value.text})", option), form)
            case _:
                before, held = self.held(value, "value")
                parts = [(self.type(option), self.option(held, option)) for option in options]
                arms = " : ".join(f"{held}.is == is_{part} ? {self.fit(option, form)}" for part, option in parts)
                return within(before, f"({arms} : no_value({self.type(form)}))")

    def option(self, held: str, option: Form) -> Value:
        """A value of a union that is of this form."""
        return plain("(nil)0" if option == NIL else f"{held}.{self.type(option)}", option)

    def held(self, value: Value, wanted: str) -> tuple[str, str]:
        """What a variable is to hold, if a value needs one to be used several times, and the name of the variable."""
        text = value.text
        if text.isidentifier():
            return "", text
        name = self.fresh(wanted)
        return f"{self.type(value.form)} {name} = {text};", name

    def _converted_list(self, value: Value, item: Form, form: ListForm) -> str:
        """A list with members of another form."""
        before, held = self.held(value, "list")
        name, copy, at = self.type(form), self.fresh("copy"), self.fresh("i")
        care = f"keep_as_it_is({held}, {copy}); " if self._has_assigned else ""
        converted = self.fit(plain(f"{held}->items[{at}]", item), form.item)
        return (
            f"({{ {before} {name} {copy} = new_{name}({held}->count); {care}"
            f"for (whole {at} = 0; {at} < {held}->count; {at}++) {copy}->items[{at}] = {converted}; {copy}; }})"
        )

    # Values that are made of others

    def tuple(self, values: Sequence[Value], form: TupleForm) -> str:
        """A tuple of this form."""
        parts = ", ".join(self.fit(value, item) for value, item in zip(values, form.items, strict=True))
        return f"({self.type(form)}){{{parts}}}"

    def list(self, values: Sequence[Value], form: ListForm) -> str:
        """A list of this form."""
        name = self.type(form)
        match values:
            case []:
                return f"new_{name}(0)"
            case [value]:
                return f"single_{name}({self.fit(value, form.item)})"
            case _:
                held = self.fresh("list")
                items = [f"{held}->items[{at}] = {self.fit(value, form.item)};" for at, value in enumerate(values)]
                return f"({{ {name} {held} = new_{name}({len(values)}); {' '.join(items)} {held}; }})"

    def joined(self, values: Sequence[Value], form: ListForm, *, new: bool) -> str:
        """The members of lists in a list of this form, only `new` ones if so; what is no list is one member."""
        name, held = self.type(form), self.fresh("list")
        if not new and all(isinstance(value.form, ListForm) for value in values):
            return f"join_{name}({self.fit(values[0], form)}, {self.fit(values[1], form)})"
        added = " ".join(self._adding(held, value, form, new=new) for value in values)
        return f"({{ {name} {held} = new_{name}(0); {added} {held}; }})"

    def _adding(self, target: str, value: Value, form: ListForm, *, new: bool) -> str:
        match value.form:
            case ListForm():
                return self.added(target, value, form, new=new)
            case UnionForm(options=options):
                before, held = self.held(value, "value")
                parts = [(self.type(option), self.option(held, option)) for option in options if option != NIL]
                arms = [
                    f"if ({held}.is == is_{part}) {{ {self._adding(target, option, form, new=new)} }}"
                    for part, option in parts
                ]
                return f"{before} {' '.join(arms)}"
            case before:
                return "" if before == NIL else self.appended(target, self.fit(value, form.item), form, new=new)

    def added(self, target: str, value: Value, form: ListForm, *, new: bool) -> str:
        """The statements that add the members of a list to another."""
        part, at = self.fresh("part"), self.fresh("i")
        return (
            f"{self.type(form)} {part} = {self.fit(value, form)}; "
            f"for (whole {at} = 0, end = {part}->count; {at} < end; {at}++) "
            f"{self.appended(target, f'{part}->items[{at}]', form, new=new)}"
        )

    def appended(self, target: str, item: str, form: ListForm, *, new: bool) -> str:
        """The statement that adds a member to a list."""
        return f"{self._types.append_new(form) if new else f'append_{self.type(form)}'}({target}, {item});"

    def equal(self, one: Value, other: Value) -> str:
        """A test whether two values are equal."""
        form = union([one.form, other.form])
        return self._types.equal(form, self.fit(one, form), self.fit(other, form))
