"""A library that is being written: the types of C, and the names and forms of functions, constants and strings.

A type that has a name in the annotations of the Python has that name in C: `Position`. A list of such values is a
`Position_list`, and what may be NIL instead a `Position_or_nil`.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import Final

from cpl.compiler.c.c_text import bare, function_text, in_chain, laid_out, opposite
from cpl.compiler.c.representation import (
    NUMBER,
    REAL,
    SIMPLE,
    TEXT,
    TRUTH,
    WHOLE,
    Cannot,
    Form,
    Value,
    bind,
    declared,
    form_of,
    is_in_memory,
    options_of,
    plain,
    stays_in_c,
    widened,
)
from cpl.compiler.python.names import Taken, spell
from cpl.compiler.semantics import core, walk
from cpl.compiler.types.facts import Types
from cpl.compiler.types.types import (
    GENERAL,
    NIL,
    ByReference,
    Either,
    FunctionOf,
    ListOf,
    TupleOf,
    Type,
    all_parts,
    has_letters,
)
from cpl.limits import MOST_INSTANCES

RESERVED: Final = frozenset(
    """
    auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false
    whole truth text nil number real start deepest leave first now total take answer words block mark fits
    add subtract multiply negative left right shift power exact divide defined rounded entier quotient kept stopped
    noted stop watch unwatch halted is_halted is_over clock_of_caller reason hash count_ones
    next_given read_constant call
    y0 y1 yn j0 j1 jn gamma index time NAN EOF
    sin cos atan exp log sqrt pow floor abs div free malloc exit signal raise
    """.split()
)


def spelled(name: str) -> str:
    """The C name of a CPL name. A long one in capitals alone gets an underscore, as C may have a macro of that name."""
    name = spell(name)
    return f"{name}_" if len(name) > 3 and name.isupper() else name


@dataclass
class CDeclarations:
    """The C types that a library needs, in order, and the functions that compare, write and read their values, by their
    headings. `shapes` are forms that have a name, and `tags` say of which type a value of one of several types is. If
    it `packs`, small values that are remembered take less room.
    """

    shapes: Mapping[Form, str]
    packs: bool = True
    types: list[str] = field(default_factory=list)
    names: dict[Form, str] = field(default_factory=lambda: {**SIMPLE})
    tags: dict[str, None] = field(default_factory=lambda: {"is_nil": None})
    functions: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._taken = Taken(self.names.values())

    def text(self) -> str:
        """The declarations."""
        tags = laid_out(f"enum {{ {', '.join(self.tags)} }};", "")
        return "\n".join([*tags, *self.types, *self.functions.values()])

    def name(self, form: Form) -> str:
        """The C type of a form, which is declared when it is first needed."""
        if form not in self.names:
            wanted, declaration = self._declaration(form)
            name = self._taken.claim(self.shapes.get(form, wanted))
            self.names[form] = name
            self.types += laid_out(declaration.replace("{}", name), "")
        return self.names[form]

    def _declaration(self, form: Form) -> tuple[str, str]:
        """A name for the C type of a form, and its declaration with `{}` for the name."""
        match form:
            case TupleOf(parts=parts):
                fields = [(self.name(part), field) for field, part in self.fields(form)]
                return f"tuple_of_{len(parts)}", f"typedef struct {{ {declared_fields(fields)} }} {{}};"
            case ListOf(parts=(item,)):
                return f"{self.name(item)}_list", f"LIST({{}}, {self.name(item)})"
            case Either():
                options = [name for name, _ in self.fields(form)]
                members = [f"{option} {option};" for option in options if option != "nil"]
                self.tags |= dict.fromkeys([f"is_{option}" for option in options])
                name = "_or_".join(options) if len(options) < 4 else "one_of_several"
                return name, f"typedef struct {{ int is; union {{ {' '.join(members)} }}; }} {{}};"
            case FunctionOf(parts=(*parameters, result)):
                result_type = self.name(result)
                parameter_types = ["void *", *map(self.name, parameters)]
                code = f"{result_type} (*code)({', '.join(parameter_types)})"
                return f"function_to_{result_type}", f"typedef struct {{ {code}; void *captured; }} {{}};"
            case ByReference(parts=(item,)):
                return f"place_of_{self.name(item)}", f"typedef {self.name(item)} *{{}};"
        raise AssertionError(form)

    def fields(self, form: Form) -> list[tuple[str, Form]]:
        """The fields of a tuple, or of one of several types: NIL has a tag only."""
        if isinstance(form, TupleOf):
            return [(member(at), part) for at, part in enumerate(form.parts)]
        return [(self.name(option), option) for option in options_of(form)]

    def equal(self, form: Form, left: str, right: str) -> str:
        """A test whether two values of a form are equal."""
        if form in (WHOLE, TRUTH, TEXT, REAL):
            return f"({left} == {right})"
        name = self.name(form)
        match form:
            case TupleOf():
                tests = [self.equal(part, f"x.{field}", f"y.{field}") for field, part in self.fields(form)]
                same = [in_chain(test, "&&") for test in tests]
                body = [f"return {' && '.join(same) or 'true'};"]
            case ListOf(parts=(item,)):
                body = [
                    "if (x->count != y->count) return false;",
                    "for (whole i = 0; i < x->count; i++) {",
                    f"if ({opposite(self.equal(item, 'x->items[i]', 'y->items[i]'))}) return false;",
                    "}",
                    "return true;",
                ]
            case Either():
                tests = []
                for field, part in self.fields(form):
                    if part != NIL:
                        same_part = self.equal(part, f"x.{field}", f"y.{field}")
                        tests.append(f"if (x.is == is_{field}) return {bare(same_part)};")
                body = ["if (x.is != y.is) return false;", *tests, "return true;"]
            case _:
                body = ["leave(OTHER_TYPE);"]
        if form not in SIMPLE:
            self.add(f"truth equal_{name}({name} x, {name} y)", body)
        return f"equal_{name}({left}, {right})"

    def marshalled(self, form: Form) -> str:
        """The C type of a form, with the functions that marshal its values. In a call from Python and in its answer a
        value is a row of words: those of its parts, after the count of a list, or the number of the option of a union.
        """
        name = self.name(form)
        match form:
            case TupleOf():
                parts = [(field, self.marshalled(part)) for field, part in self.fields(form)]
                write = [f"write_{part}(x.{field});" for field, part in parts]
                read = [f"{name} x;", *(f"x.{field} = read_{part}();" for field, part in parts), "return x;"]
            case ListOf(parts=(item,)):
                part = self.marshalled(item)
                loop = "for (whole i = 0; i < x->count; i++)"
                write = ["give_once(x);", "write_whole(x->count);", f"{loop} write_{part}(x->items[i]);"]
                read = [
                    f"{name} x = new_{name}(read_whole());",
                    "mark_given(x);",
                    f"{loop} x->items[i] = read_{part}();",
                    "return x;",
                ]
            case Either(parts=options):
                write = []
                cases = []
                for at, part in enumerate([self.marshalled(option) for option in options]):
                    if part == "nil":  # which its number says all of
                        write.append(f"if (x.is == is_nil) write_whole({at});")
                        cases.append(f"case {at}: return nil_of({name});")
                    else:
                        write += [f"if (x.is == is_{part}) {{", f"write_whole({at});", f"write_{part}(x.{part});", "}"]
                        cases.append(f"case {at}: return one_of({name}, {part}, read_{part}());")
                read = ["switch (read_whole()) {", *cases, "}", "leave(OTHER_TYPE);"]
            case _:
                return name
        self.add(f"void write_{name}({name} x)", write)
        self.add(f"{name} read_{name}(void)", read)
        return name

    def hash(self, form: Form, value: str) -> str:
        """The number that Python's `hash` gives for a value. Raises Cannot."""
        if form in (WHOLE, TRUTH):
            return f"hash_whole({value})"
        if form == NUMBER:
            return f"hash_whole(as_whole({value}))"

        name = self.name(form)
        match form:
            case TupleOf(parts=parts):
                hashes = [self.hash(part, f"x.{field}") for field, part in self.fields(form)]
                steps = [f"hash = hash_with(hash, {hashed});" for hashed in hashes]
                count = str(len(parts))
            case ListOf(parts=(item,)):
                hashed = self.hash(item, "x->items[i]")
                steps = [f"for (whole i = 0; i < x->count; i++) hash = hash_with(hash, {hashed});"]
                count = "x->count"
            case _:
                raise Cannot("Hash of what may be of several types")
        self.add(f"whole hash_{name}({name} x)", ["whole hash = HASH;", *steps, f"return hash_of(hash, {count});"])
        return f"hash_{name}({value})"

    def remembered(self, form: Form) -> str:
        """The C type of a form whose values the library remembers. Raises Cannot."""
        name = self.name(form)
        if is_in_memory(form) or any(part == TEXT or isinstance(part, ByReference) for part in all_parts(form)):
            raise Cannot("it remembers a list or a string")
        numbers = [part for part in all_parts(form) if not isinstance(part, TupleOf)]
        is_small = self.packs and isinstance(form, TupleOf) and {*numbers} == {WHOLE}
        declaration = f"KEPT_SMALL({name})" if is_small else f"KEPT({name})"  # declares `remember_…` and `recall_…`
        if declaration not in self.types:
            self.types.append(declaration)
        return name

    def distinct(self, form: ListOf) -> str:
        """The function that leaves each member once in a list that nothing else has."""
        name = self.name(form)
        same = self.equal(form.parts[0], "list->items[at]", "list->items[i]")
        body = [
            "whole count = list->count;",
            "list->count = 0;",
            "for (whole i = 0; i < count; i++) {",
            "whole at = 0;",
            f"while (at < list->count && !{same}) at++;",
            f"if (at == list->count) append_{name}(list, list->items[i]);",
            "}",
            "return list;",
        ]
        self.add(f"{name} distinct_{name}({name} list)", body)
        return f"distinct_{name}"

    def add(self, heading: str, body: Sequence[str]) -> None:
        """Add a function unless there is one with this heading."""
        if heading not in self.functions:
            self.functions[heading] = function_text(f"static inline {heading}", body)


def declared_fields(fields: Sequence[tuple[str, str]]) -> str:
    """The fields of a struct, each a type and a name: those of one type that stand together are declared together."""
    declarations: list[str] = []
    for type, group in groupby(fields, itemgetter(0)):
        declarations.append(f"{type} {', '.join(name for _, name in group)};")
    return " ".join(declarations)


MOST_WORDS: Final = 6
"""The most words of a tuple that is passed in parts: as many as processors pass in registers."""


def words_of(form: Form) -> int:
    """The number of words of a tuple; 0 for what is not a tuple."""
    return sum(words_of(part) or 1 for part in form.parts) if isinstance(form, TupleOf) else 0


def member(number: int) -> str:
    """The name of an item of a struct: `a`, `b` …"""
    return chr(ord("a") + number) if number < 26 else f"a{number}"


@dataclass(frozen=True)
class Signature:
    """The C name of a function, and the forms of its parameters and its result. Before its parameters it gets the
    variables `captured`: those that change by their places. It gets the parts of the parameters with the numbers
    `apart`, each by itself.
    """

    name: str
    parameters: tuple[Form, ...]
    result: Form
    captured: tuple[core.Local, ...] = ()
    apart: Set[int] = frozenset()


Instance = tuple[core.Global, tuple[Form, ...]]
"""A function of the top level, for these parameters if it takes values of any type; or a constant that C makes."""


@dataclass
class Unit:
    """The functions of a library by their names, and what they need. The members of lists of the types `assigned` may
    be assigned; if `GENERAL` is among them, those of all lists. Other names may stand for the values of the constants
    `shared`. Functions are written by these `rules` (`cpl.compiler.c.rules`). `user` is the instance that is being
    written, and `users` are those that use each instance or constant; `coercible` says which forms can be coerced to
    which others. `closures` are the names of the functions by which a function is a value of a form.
    """

    checked: Types
    names: Mapping[core.Global, str]
    functions: Mapping[core.Global, core.Function]
    definitions: Mapping[core.Global, core.Constants]
    assigned: Set[Type]
    shared: Set[core.Global]
    rules: Set[str]
    types: CDeclarations
    taken: Taken
    strings: dict[str, str] = field(default_factory=dict)
    constants: dict[core.Global, Form] = field(default_factory=dict)
    coercible: dict[tuple[Form, Form], bool] = field(default_factory=dict)
    instances: dict[Instance, tuple[core.Function, Signature]] = field(default_factory=dict)
    closures: dict[tuple[str, FunctionOf], str] = field(default_factory=dict)
    users: defaultdict[Instance, list[Instance]] = field(default_factory=lambda: defaultdict(list))
    user: Instance | None = None

    def instance(self, name: core.Global, arguments: Sequence[Value] = ()) -> Signature:
        """The function that is applied to these arguments. Raises Cannot."""
        function = self.functions[name]
        if function.captured or name.is_changing:
            raise Cannot("it is a value that changes")
        parts = self.parts(name, function)
        if not arguments and any(map(has_letters, parts)):
            raise Cannot("it takes values of any type, and no function in C applies it")
        letters: dict[str, Form] = {}
        for type, argument in zip(parts, arguments, strict=False):
            if has_letters(type):
                bind(type, widened(argument.form), letters)
        signature = self.signature(self.names[name], function, parts, letters)
        return self._used((name, signature.parameters if letters else ()), function, signature)

    def _used(self, instance: Instance, function: core.Function, signature: Signature) -> Signature:
        """Note the use of an instance, which is written if it is new; return its signature, with its own name."""
        self._note_use(instance)
        if instance not in self.instances:
            if len(self.instances) > MOST_INSTANCES:
                raise Cannot("it is applied to values of very many types")
            self.instances[instance] = function, replace(signature, name=self.taken.claim(signature.name))
        _, own_signature = self.instances[instance]
        return own_signature

    def _note_use(self, instance: Instance) -> None:
        """Note that what is being written uses an instance or a constant."""
        if self.user:
            self.users[instance].append(self.user)

    def parts(self, name: core.Global | core.Local, definition: core.Definition) -> Sequence[Type]:
        """The types of the parameters of a function, and of its result. Raises Cannot."""
        type = self.checked.type_of(name, definition)
        if not isinstance(type, FunctionOf):
            raise Cannot("its type is not known")
        return type.parts

    def signature(
        self,
        name: str,
        function: core.Function | core.LetFunction,
        parts: Sequence[Type],
        letters: Mapping[str, Form] = MappingProxyType({}),
    ) -> Signature:
        """The forms of a function's parameters and its result, as they are declared or of these types."""
        result = core.Local("its result", 0, function.result, span=function.span)
        variables = (*function.parameters, result)
        pairs = zip(variables, parts, strict=True)
        *parameter_forms, result_form = [declared(variable, part, letters) for variable, part in pairs]
        apart = set[int]()
        if "parts" in self.rules:
            changed = {*walk.changed(function.body)}
            for at, (parameter, form) in enumerate(zip(function.parameters, parameter_forms, strict=True)):
                if parameter not in changed and 0 < words_of(form) <= MOST_WORDS:
                    apart.add(at)
        return Signature(name, tuple(parameter_forms), result_form, apart=frozenset(apart))

    def constant(self, name: core.Global) -> Value:
        """A constant of the program. Python gives it to the library; one that holds a function is made in C."""
        if name.is_changing or name not in self.definitions:
            raise Cannot(f"{name.name} is no constant of C")
        definition = self.definitions[name]
        type = self.checked.type_of(name, definition)
        form = form_of(type)
        lists = {part for part in all_parts(type or GENERAL) if isinstance(part, ListOf)}
        if name not in self.shared:  # nothing assigns to the members of the list itself, as no other name stands for it
            lists -= {type}
        if lists and not self.assigned.isdisjoint({*lists, GENERAL}):
            raise Cannot(f"members of {name.name} may be assigned")
        self._note_use((name, ()))
        if not stays_in_c(form):
            self.constants[name] = form
        elif isinstance(definition.target, core.Global):
            maker = core.Function(name, (), definition.value, span=definition.span)
            self._used((name, ()), maker, Signature(f"make_{self.names[name]}", (), form))
        else:
            raise Cannot(f"{name.name} is no constant of C")
        return plain(self.names[name], form)

    def string(self, value: str) -> Value:
        """A string: its number, by a name."""
        name = f"{value}_text" if value.isascii() and value.isidentifier() else f"string_no_{len(self.strings)}"
        return plain(self.strings.setdefault(value, name), TEXT)
