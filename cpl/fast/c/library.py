"""The C of a program: every function that C can have, in one text, and what Python needs to call them."""

from collections.abc import Mapping, Set
from typing import Final

from cpl import packaged
from cpl.fast.c.functions import RESERVED, FunctionWriter, Instance, Signature, Unit
from cpl.fast.c.representation import NOTHING, Cannot, code, form_of, holds_function
from cpl.python.names import fresh, spell
from cpl.records import dataclass
from cpl.semantics import core, walk
from cpl.semantics.scc import components
from cpl.types.facts import Facts
from cpl.types.types import GENERAL, ArrayOf, Type, Unknown, all_parts

PASSES: Final = ("bits", "append", "inline", "specialise", "loops")
"""The passes of the optimiser that C gains from: its own compiler does the rest."""


@dataclass(frozen=True)
class CLibrary:
    """The text of a library. `entries` are the functions that Python may call, with the forms of their parameters and
    their results, and `constants` what Python gives to it, as `cplrt.native` writes forms; both in the order of their
    numbers, as are the `strings`. `reasons` says why the other functions stay in Python.
    """

    text: str
    functions: tuple[core.Global, ...]
    entries: Mapping[core.Global, tuple[tuple[str, ...], str]]
    constants: Mapping[core.Global, str]
    strings: tuple[str, ...]
    reasons: Mapping[core.Global, str]


def library(program: core.Program, facts: Facts) -> CLibrary:
    """The functions of a program as C. Bit strings are represented by whole numbers already."""
    functions = {one.name: one for one in program.definitions if isinstance(one, core.Function)}
    constants = {
        name: one
        for one in program.definitions
        if isinstance(one, core.Constants)
        for name in walk.variables(one.target)
        if isinstance(name, core.Global)
    }
    names = _names([*functions, *constants])
    recursive = _recursive(functions)
    assigned = _assigned(program, facts)
    reasons: dict[Instance, str] = {}
    while True:
        unit = Unit(facts, names.__getitem__, functions, definitions=constants, assigned=assigned)
        before = len(reasons)
        texts, headings = _written(unit, recursive, reasons)
        if len(reasons) == before:
            break
    entries = {
        name: unit.instances[name, ()]
        for name, given in texts
        if not given
        and unit.instances[name, given].result != NOTHING
        and not any(map(holds_function, (*unit.instances[name, given].parameters, unit.instances[name, given].result)))
        and not _appends(unit, name)
    }
    constant_lines = [f"static {unit.forms.name(form)} {names[name]};" for name, form in unit.constants.items()]
    constant_lines += [f"static {unit.forms.name(form)} {names[name]};" for name, (form, _, _) in unit.made.items()]
    parts = [
        f"#define ASSIGNED {int(bool(assigned))}",
        packaged.prelude(),
        "\n".join(unit.forms.declarations),
        "\n".join(constant_lines),
        "\n".join([*headings, *unit.headings]),
        *unit.makers,
        *texts.values(),
        _doors(unit, entries, names),
    ]
    return CLibrary(
        "\n\n".join(filter(None, parts)) + "\n",
        tuple(dict.fromkeys(name for name, _ in texts)),
        {name: (tuple(map(code, each.parameters)), code(each.result)) for name, each in entries.items()},
        {name: code(form) for name, form in unit.constants.items()},
        tuple(unit.strings),
        {name: reason for (name, _), reason in reasons.items() if all(other != name for other, _ in texts)},
    )


def _written(
    unit: Unit, recursive: Set[core.Global], reasons: dict[Instance, str]
) -> tuple[dict[Instance, str], list[str]]:
    """The C of all functions that have no reason against it, and their headings. More reasons may be found."""
    texts: dict[Instance, str] = {}
    headings: list[str] = []
    waiting: list[Instance] = []
    for name, function in unit.functions.items():
        try:
            forms = [form_of(part) for part in unit.parts(name, function)[:-1]]
            waiting.append(unit.instance(name, forms))
        except Cannot as reason:
            found = unit.facts.type_of(name, function)
            is_general = found is not None and any(isinstance(part, Unknown) for part in all_parts(found))
            reasons.setdefault((name, ()), _GENERAL if is_general else str(reason))
    while waiting:
        instance = waiting.pop(0)
        if instance in texts or instance in reasons:
            continue
        name = instance[0]
        try:
            if any(parameter.mode for parameter in unit.functions[name].parameters):
                raise Cannot("it takes a place or an expression")
            writer = FunctionWriter(unit.functions[name], unit.instances[instance], unit)
            text = writer.text(is_recursive=name in recursive)
            if left := next((each for each in writer.uses if each in reasons), None):
                raise Cannot(f"it applies {left[0].name}, which stays in Python")
        except Cannot as reason:
            reasons[instance] = str(reason)
            continue
        texts[instance] = "\n\n".join([*writer.inner, text])
        headings.append(f"{writer.heading()};")
        waiting += writer.uses
    return texts, headings


_GENERAL: Final = "it takes values of any type, and no function in C applies it"


def _names(defined: list[core.Global]) -> dict[core.Global, str]:
    taken = {*RESERVED}
    names: dict[core.Global, str] = {}
    for name in defined:
        names[name] = fresh(spell(name.name).lstrip("_"), taken)
        taken.add(names[name])
    return names


def _uses(function: core.Function) -> set[core.Global]:
    return {node for node in walk.nodes(function.body) if isinstance(node, core.Global)}


def _recursive(functions: Mapping[core.Global, core.Function]) -> set[core.Global]:
    """The functions that may apply themselves."""
    names = [*functions]
    numbers = {name: number for number, name in enumerate(names)}
    uses = [{numbers[each] for each in _uses(function) if each in numbers} for function in functions.values()]
    groups = components([sorted(each) for each in uses])
    return {names[at] for group in groups for at in group if len(group) > 1 or at in uses[at]}


def _assigned(program: core.Program, facts: Facts) -> set[Type]:
    """The types of the lists whose members may be assigned."""
    places: list[core.Node] = []
    for node in (node for one in program.definitions for node in walk.nodes(one)):
        match node:
            case core.Assign():
                places += [part for place in node.places for part in walk.nodes(place)]
            case core.Reference(place=place):
                places += walk.nodes(place)
    types = {facts.of(place.operand) or GENERAL for place in places if isinstance(place, core.Select)}
    return {type for type in types if not isinstance(type, ArrayOf)}


def _appends(unit: Unit, name: core.Global) -> bool:
    """Whether Python would miss what C does to a list that it has given: a function appends to it."""
    function = unit.functions[name]
    return any(isinstance(node, core.Append) and node.list in function.parameters for node in walk.nodes(function.body))


def _doors(unit: Unit, entries: Mapping[core.Global, Signature], names: Mapping[core.Global, str]) -> str:
    """What Python calls: to give the constants, and to call a function by its number."""
    lines = [
        "void cpl_give(const int64_t *value, int64_t constant) {",
        "    most_memory = INT64_MAX;",
        "    given = value;",
        "    switch (constant) {",
        *(
            f"    case {number}: {names[name]} = read_{unit.forms.name(form)}(); break;"
            for number, (name, form) in enumerate(unit.constants.items())
        ),
        "    }",
        "    kept = now;",
        "}",
        "",
        "int cpl_make(int64_t stack) {",
        "    deepest = (char *)__builtin_frame_address(0) - stack;",
        "    int why = setjmp(start);",
        "    if (why) return why;",
        *(f"    {line}" for _, line, _ in unit.made.values()),
        "    kept = now;",
        "    return DONE;",
        "}",
        "",
        "int cpl_call(int64_t function, const int64_t *arguments, int64_t memory, int64_t stack, int64_t is_main) {",
        "    give_back(&kept);",
        "    deepest = (char *)__builtin_frame_address(0) - stack;",
        "    most_memory = memory;",
        "    if (is_main) watch();",
        "    int why = setjmp(start);",
        "    if (why) {",
        "        if (is_main) unwatch();",
        "        return why;",
        "    }",
        "    given = arguments;",
        "    answer = new_words(0);",
        "    switch (function) {",
    ]
    for number, signature in enumerate(entries.values()):
        read = " ".join(
            f"{unit.forms.name(form)} a{at} = read_{unit.forms.name(form)}();"
            for at, form in enumerate(signature.parameters)
        )
        arguments = ", ".join(f"a{at}" for at in range(len(signature.parameters)))
        lines.append(
            f"    case {number}: {{ {read} write_{unit.forms.name(signature.result)}({signature.name}({arguments})); "
            "break; }"
        )
    lines += [
        "    }",
        "    if (is_main) unwatch();",
        "    return DONE;",
        "}",
        "",
        "const int64_t *cpl_answer(int64_t *count) {",
        "    *count = answer->count;",
        "    return answer->items;",
        "}",
    ]
    return "\n".join(lines)
