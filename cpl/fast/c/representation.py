"""How values are represented in C: a C type for a type of `cpl.types`, and what C needs to know of each.

Whole numbers and bit strings are words of 64 bits, tuples are structs, lists are counted vectors, and what may be of
several types is a struct with a tag. A type that is not known, functions, arrays and nodes have no representation.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from cpl.records import dataclass
from cpl.types.format import written
from cpl.types.types import Basic, Either, FunctionOf, ListOf, TupleOf, Type, Unknown


class Cannot(Exception):
    """Why a function stays in Python, in a few words."""


@dataclass(frozen=True, slots=True)
class Simple:
    """A type of the prelude, by its name there. In the code for Python it is one letter."""

    name: str


@dataclass(frozen=True, slots=True)
class TupleForm:
    """A struct with these items."""

    items: tuple["Form", ...]


@dataclass(frozen=True, slots=True)
class ListForm:
    """A list with such items."""

    item: "Form"


@dataclass(frozen=True, slots=True)
class UnionForm:
    """One of these, by a tag."""

    options: tuple["Form", ...]


@dataclass(frozen=True, slots=True)
class FunctionForm:
    """A function as a value: a pointer to its code, and to the variables that it has captured."""

    parameters: tuple["Form", ...]
    result: "Form"


Form = Simple | TupleForm | ListForm | UnionForm | FunctionForm

WHOLE: Final = Simple("whole")
TRUTH: Final = Simple("truth")
TEXT: Final = Simple("text")
NIL: Final = Simple("nil")
NUMBER: Final = Simple("number")
NOTHING: Final = Simple("void")

_BASIC: Final = {
    "integer": WHOLE,
    "real": NUMBER,
    "number": NUMBER,
    "Boolean": TRUTH,
    "string": TEXT,
    "NIL": NIL,
    "nothing": NOTHING,
}


def form_of(type: Type | None, letters: Mapping[str, Form] = MappingProxyType({})) -> Form:
    """The representation of a type, in which the `letters` stand for these. Raises Cannot."""
    match type:
        case Basic(name=name) if name in _BASIC:
            return _BASIC[name]
        case TupleOf(parts=parts):
            return TupleForm(tuple([form_of(part, letters) for part in parts]))
        case ListOf(parts=(part,)):
            return ListForm(form_of(part, letters))
        case Either(parts=parts):
            return union([form_of(part, letters) for part in parts])
        case FunctionOf(parts=(*parameters, result)) if type.__class__ is FunctionOf:
            return FunctionForm(tuple([form_of(part, letters) for part in parameters]), form_of(result, letters))
        case Unknown(letter=letter) if letter in letters:
            return letters[letter]
        case None:
            raise Cannot("the type of a value is not known")
        case _:
            raise Cannot(f"C has no values of type {written(type)}")


def bind(type: Type, form: Form, letters: dict[str, Form]) -> None:
    """Find what the letters of a parameter's type stand for, if it gets a value of this form."""
    match type, form:
        case Unknown(letter=letter), _ if letter:
            letters[letter] = union([form, letters.get(letter, form)])
        case ListOf(parts=(part,)), ListForm(item=item):
            bind(part, item, letters)
        case (TupleOf(parts=parts), TupleForm(items=items)) if len(parts) == len(items):
            for part, item in zip(parts, items, strict=True):
                bind(part, item, letters)
        case (FunctionOf(parts=parts), FunctionForm(parameters=given, result=result)) if len(parts) == len(given) + 1:
            for part, item in zip(parts, (*given, result), strict=True):
                bind(part, item, letters)


def union(forms: Sequence[Form]) -> Form:
    """What any of these fits into. NIL is a list, if there is one; a whole number is a number."""
    options = dict.fromkeys(
        option for form in forms for option in (form.options if isinstance(form, UnionForm) else (form,))
    )
    lists = [option.item for option in options if isinstance(option, ListForm)]
    left_out = {NIL if lists else None, WHOLE if NUMBER in options else None}
    kept: list[Form] = [each for each in options if each not in left_out and not isinstance(each, ListForm)]
    kept += [ListForm(union(lists))] if lists else []
    if NOTHING in kept:
        raise Cannot("a value may be missing")
    if len(kept) > _MOST_OPTIONS:
        raise Cannot("a value may be of very many types")
    return kept[0] if len(kept) == 1 else UnionForm(tuple(sorted(kept, key=repr)))


_MOST_OPTIONS: Final = 6


def code(form: Form) -> str:
    """The form as `cplrt.native` reads it: `i` for a whole number, `(ii)` for a pair of them, `[i]`, `{(ii)z}`."""
    match form:
        case Simple(name=name):
            return "z" if form == NIL else "i" if form == WHOLE else name[0] if form != TRUTH else "b"
        case TupleForm(items=items):
            return f"({''.join(map(code, items))})"
        case ListForm(item=item):
            return f"[{code(item)}]"
        case UnionForm(options=options):
            return f"{{{''.join(map(code, options))}}}"
        case FunctionForm():
            return "f"


def is_in_memory(form: Form) -> bool:
    """Whether a value may be or hold a list or a function, and so lie in the memory of a call."""
    return not {*code(form)}.isdisjoint("[f")


def holds_function(form: Form) -> bool:
    """Whether a value may be or hold a function, which stays in C."""
    return "f" in code(form)


class Forms:
    """The C types of a library: their names, and their declarations in order."""

    def __init__(self) -> None:
        self.names: dict[Form, str] = {}
        self.declarations: list[str] = []

    def name(self, form: Form) -> str:
        """The C type of a form, which is declared with its functions when it is first needed."""
        if isinstance(form, Simple):
            return form.name
        if form not in self.names:
            match form:
                case TupleForm(items=items):
                    made = self._tuple([self.name(item) for item in items])
                case ListForm(item=item):
                    made = self._list(self.name(item))
                case UnionForm(options=options):
                    made = self._union([self.name(option) for option in options])
                case FunctionForm(parameters=parameters, result=result):
                    made = self._function([self.name(parameter) for parameter in parameters], self.name(result))
            self.names[form] = made
        return self.names[form]

    def _new(self, kind: str) -> str:
        return f"{kind}{sum(name.startswith(kind) for name in self.names.values()) + 1}"

    def _tuple(self, items: Sequence[str]) -> str:
        name = self._new("Tuple")
        fields = " ".join(f"{item} {member(at)};" for at, item in enumerate(items))
        same = " && ".join(f"{equal(item)}(x.{member(at)}, y.{member(at)})" for at, item in enumerate(items)) or "true"
        write = " ".join(f"write_{item}(x.{member(at)});" for at, item in enumerate(items))
        read = " ".join(f"x.{member(at)} = read_{item}();" for at, item in enumerate(items))
        self.declarations += [
            f"typedef struct {{ {fields} }} {name};",
            f"static inline truth equal_{name}({name} x, {name} y) {{ return {same}; }}",
            f"static inline void write_{name}({name} x) {{ {write} }}",
            f"static inline {name} read_{name}(void) {{ {name} x; {read} return x; }}",
        ]
        return name

    def _list(self, item: str) -> str:
        name = self._new("List")
        self.declarations += [
            f"LIST({name}, {item})",
            f"static inline truth equal_{name}({name} x, {name} y) {{",
            "    if (x->count != y->count) return false;",
            f"    for (whole i = 0; i < x->count; i++) if (!{equal(item)}(x->items[i], y->items[i])) return false;",
            "    return true;",
            "}",
            f"static inline void write_{name}({name} x) {{",
            "    give_once(x);",
            "    write_whole(x->count);",
            f"    for (whole i = 0; i < x->count; i++) write_{item}(x->items[i]);",
            "}",
            f"static inline {name} read_{name}(void) {{",
            f"    {name} x = new_{name}(read_whole());",
            "    mark_given(x);",
            f"    for (whole i = 0; i < x->count; i++) x->items[i] = read_{item}();",
            "    return x;",
            "}",
        ]
        return name

    def _function(self, parameters: Sequence[str], result: str) -> str:
        name = self._new("Function")
        self.declarations += [
            f"typedef struct {{ {result} (*code)({', '.join(['void *', *parameters])}); void *captured; }} {name};",
            f"static inline truth equal_{name}({name} x, {name} y) {{ (void)x, (void)y; leave(OTHER_TYPE); }}",
            f"static inline void write_{name}({name} x) {{ (void)x; leave(OTHER_TYPE); }}",
            f"static inline {name} read_{name}(void) {{ leave(OTHER_TYPE); }}",
        ]
        return name

    def _union(self, options: Sequence[str]) -> str:
        name = self._new("Either")
        fields = " ".join(f"{option} {member(at)};" for at, option in enumerate(options))
        same = " ".join(
            f"case {at}: return {equal(option)}(x.{member(at)}, y.{member(at)});" for at, option in enumerate(options)
        )
        write = " ".join(f"case {at}: write_{option}(x.{member(at)}); break;" for at, option in enumerate(options))
        read = " ".join(f"case {at}: x.{member(at)} = read_{option}(); break;" for at, option in enumerate(options))
        self.declarations += [
            f"typedef struct {{ int tag; union {{ {fields} }}; }} {name};",
            f"static inline truth equal_{name}({name} x, {name} y) {{",
            "    if (x.tag != y.tag) return false;",
            f"    switch (x.tag) {{ {same} }}",
            "    return false;",
            "}",
            f"static inline void write_{name}({name} x) {{ write_whole(x.tag); switch (x.tag) {{ {write} }} }}",
            f"static inline {name} read_{name}(void) {{",
            f"    {name} x = {{.tag = (int)read_whole()}};",
            f"    switch (x.tag) {{ {read} }}",
            "    return x;",
            "}",
        ]
        for at, option in enumerate(options):
            self.declarations += [
                f"static inline {option} {name}_as_{member(at)}({name} x) {{",
                f"    if (x.tag != {at}) leave(OTHER_TYPE);",
                f"    return x.{member(at)};",
                "}",
            ]
        return name


def member(at: int) -> str:
    """The name of an item of a struct: `a`, `b` …"""
    return chr(ord("a") + at) if at < 26 else f"a{at}"


def equal(name: str) -> str:
    """The C function or macro that compares two values of a type."""
    return {"number": "equal_numbers"}.get(name, f"equal_{name}")
