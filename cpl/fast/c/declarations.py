"""The types of a library in C: a name for each form and, where needed, what compares, writes and reads its values.

A shape that has a name in the annotations of the Python has that name in C: `Position`. A list of them is a
`Position_list`, and what may be NIL instead a `Position_or_nil`.
"""

from collections.abc import Mapping
from typing import Final

from cpl.fast.c.layout import laid_out
from cpl.fast.c.representation import (
    NIL,
    REAL,
    TEXT,
    TRUTH,
    WHOLE,
    Form,
    FunctionForm,
    ListForm,
    PlaceForm,
    Simple,
    TupleForm,
    UnionForm,
)
from cpl.python.names import fresh


def member(number: int) -> str:
    """The name of an item of a struct: `a`, `b` …"""
    return chr(ord("a") + number) if number < 26 else f"a{number}"


class Declarations:
    """The C types that a library needs, in order. `shapes` are forms that have a name."""

    def __init__(self, shapes: Mapping[Form, str]) -> None:
        self._shapes = shapes
        self._types: list[str] = []
        self._names: dict[Form, str] = {}
        self._tags: dict[str, None] = {}  # what a value of one of several types may be
        self._functions: dict[str, list[str]] = {}

    def text(self) -> str:
        """The declarations."""
        tags = [*laid_out(f"enum {{ {', '.join(self._tags)} }};", "")] if self._tags else []
        functions = [line for lines in self._functions.values() for line in lines]
        return "\n".join([*tags, *self._types, *functions])

    def name(self, form: Form) -> str:
        """The C type of a form, which is declared when it is first needed."""
        match form:
            case Simple(name=name):
                return name
            case _ if form in self._names:
                return self._names[form]
            case TupleForm(items=items):
                fields = [f"{self.name(item)} {member(at)};" for at, item in enumerate(items)]
                return self._new(form, f"tuple_of_{len(items)}", f"typedef struct {{ {' '.join(fields)} }} {{}};")
            case ListForm(item=item):
                return self._new(form, f"{self.name(item)}_list", f"LIST({{}}, {self.name(item)})")
            case UnionForm(options=options):
                parts = sorted(map(self.name, options), key="nil".__eq__)
                self._tags |= dict.fromkeys([f"is_{part}" for part in parts])
                name = "_or_".join(parts) if len(parts) < _FEW else "one_of_several"
                fields = [f"{part} {part};" for part in parts if part != "nil"]
                return self._new(form, name, f"typedef struct {{ int is; union {{ {' '.join(fields)} }}; }} {{}};")
            case FunctionForm(parameters=parameters, result=result):
                code = f"{self.name(result)} (*code)({', '.join(['void *', *map(self.name, parameters)])})"
                name = f"function_to_{self.name(result)}"
                return self._new(form, name, f"typedef struct {{ {code}; void *captured; }} {{}};")
            case PlaceForm(item=item):
                return self._new(form, f"place_of_{self.name(item)}", f"typedef {self.name(item)} *{{}};")

    def _new(self, form: Form, wanted: str, declaration: str) -> str:
        name = fresh(self._shapes.get(form, wanted), {*self._names.values()})
        self._names[form] = name
        self._types += laid_out(declaration.replace("{}", name), "")
        return name

    def equal(self, form: Form, one: str, other: str) -> str:
        """A test whether two values of a form are equal."""
        if form in (WHOLE, TRUTH, TEXT, REAL):
            return f"({one} == {other})"
        name = self.name(form)
        match form:
            case TupleForm(items=items):
                same = [self.equal(item, f"x.{member(at)}", f"y.{member(at)}") for at, item in enumerate(items)]
                body = [f"return {' && '.join(same) or 'true'};"]
            case ListForm(item=item):
                same = [self.equal(item, "x->items[i]", "y->items[i]")]
                loop = f"for (whole i = 0; i < x->count; i++) if (!{same[0]}) return false;"
                body = ["if (x->count != y->count) return false;", loop, "return true;"]
            case UnionForm(options=options):
                parts = [(option, self.name(option)) for option in options if option != NIL]
                tests = [
                    f"if (x.is == is_{part}) return {self.equal(option, f'x.{part}', f'y.{part}')};"
                    for option, part in parts
                ]
                body = ["if (x.is != y.is) return false;", *tests, "return true;"]
            case _:
                body = ["leave(OTHER_TYPE);"]
        if not isinstance(form, Simple):
            self.add(f"truth equal_{name}({name} x, {name} y)", body)
        return f"equal_{name}({one}, {other})"

    def passed(self, form: Form) -> str:
        """The C type of a form whose values are passed to Python or from it."""
        name = self.name(form)
        match form:
            case TupleForm(items=items):
                parts = [(member(at), self.passed(item)) for at, item in enumerate(items)]
                write = [f"write_{part}(x.{field});" for field, part in parts]
                read = [f"{name} x;", *(f"x.{field} = read_{part}();" for field, part in parts), "return x;"]
            case ListForm(item=item):
                part = self.passed(item)
                loop = "for (whole i = 0; i < x->count; i++)"
                write = ["give_once(x);", "write_whole(x->count);", f"{loop} write_{part}(x->items[i]);"]
                read = [
                    f"{name} x = new_{name}(read_whole());",
                    "mark_given(x);",
                    f"{loop} x->items[i] = read_{part}();",
                    "return x;",
                ]
            case UnionForm(options=options):
                numbers = [*enumerate(map(self.passed, options))]
                write = [
                    f"if (x.is == is_{part}) write_whole({at}){'' if part == 'nil' else f', write_{part}(x.{part})'};"
                    for at, part in numbers
                ]
                values = [
                    f"nil_of({name})" if part == "nil" else f"one_of({name}, {part}, read_{part}())"
                    for _, part in numbers
                ]
                cases = [f"case {at}: return {value};" for at, value in enumerate(values)]
                read = ["switch (read_whole()) {", *cases, "}", "leave(OTHER_TYPE);"]
            case _:
                return name
        self.add(f"void write_{name}({name} x)", write)
        self.add(f"{name} read_{name}(void)", read)
        return name

    def append_new(self, form: ListForm) -> str:
        """The function that appends a member unless a list has it."""
        name, same = self.name(form), self.equal(form.item, "list->items[i]", "item")
        body = [f"for (whole i = 0; i < list->count; i++) if ({same}) return;", f"append_{name}(list, item);"]
        self.add(f"void append_new_{name}({name} list, {self.name(form.item)} item)", body)
        return f"append_new_{name}"

    def add(self, heading: str, body: list[str]) -> None:
        """Add a function unless there is one with this heading."""
        if heading not in self._functions:
            self._functions[heading] = [*laid_out(f"static inline {heading} {{ {' '.join(body)} }}", "")]


_FEW: Final = 4
