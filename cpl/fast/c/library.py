"""The C of a program: every function that C can have, in one text, and what Python needs to call them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from typing import Final

from cpl import packaged
from cpl.fast.c.declarations import Declarations
from cpl.fast.c.doors import doors
from cpl.fast.c.functions import FunctionWriter
from cpl.fast.c.representation import NOTHING, Cannot, Form, code, form_of, stays_in_c
from cpl.fast.c.unit import RESERVED, Instance, Signature, Unit
from cpl.fast.c.values import plain
from cpl.python.emit import source_text
from cpl.python.names import fresh, spell
from cpl.records import dataclass
from cpl.semantics import core, walk
from cpl.semantics.scc import components
from cpl.types.facts import Facts
from cpl.types.type_aliases import shape_names
from cpl.types.types import GENERAL, ArrayOf, Type, Unknown, all_parts


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
    shapes = _shapes(program, facts)
    names = _names([*functions, *constants], {*RESERVED, *shapes.values()})
    recursive = _recursive(functions)
    assigned = _assigned(program, facts)
    reasons: dict[Instance, str] = {}
    while True:
        taken = {names[name] for name in constants}
        unit = Unit(facts, names.__getitem__, functions, constants, assigned, Declarations(shapes), taken=taken)
        before = len(reasons)
        writers = _written(unit, recursive, reasons, {*RESERVED, *shapes.values(), *names.values()})
        if len(reasons) == before:
            break
    entries = {
        name: signature
        for name, letters in writers
        if not letters and _is_entry(signature := unit.instances[name, ()], functions.get(name))
    }
    makers = {name: unit.instances[name, ()] for name in constants if (name, ()) in writers}
    held = unit.constants | {name: signature.result for name, signature in makers.items()}
    way_in = doors(unit, entries, makers)
    parts = [
        f"#define ASSIGNED {int(bool(assigned))}",
        packaged.prelude(),
        "/* The types of the program, and what compares their values and passes them to Python or from it */",
        unit.types.text(),
        _strings(unit.strings),
        "\n".join(f"static {unit.types.name(form)} {names[name]};" for name, form in held.items()),
        "\n".join(f"{writer.heading()};" for writer, _ in writers.values()),
        *(text for _, text in writers.values()),
        way_in,
    ]
    moved = dict.fromkeys(name for name, _ in writers if name in functions)
    return CLibrary(
        "\n\n".join(filter(None, parts)) + "\n",
        tuple(moved),
        {name: (tuple(map(code, each.parameters)), code(each.result)) for name, each in entries.items()},
        {name: code(form) for name, form in unit.constants.items()},
        tuple(unit.strings),
        {name: reason for (name, _), reason in reasons.items() if name in functions and name not in moved},
    )


def _written(
    unit: Unit, recursive: Set[core.Global], reasons: dict[Instance, str], taken: set[str]
) -> dict[Instance, tuple[FunctionWriter, str]]:
    """The C of all functions that have no reason against it. More reasons may be found."""
    writers: dict[Instance, tuple[FunctionWriter, str]] = {}
    users: defaultdict[Instance, list[Instance]] = defaultdict(list)
    waiting: list[Instance] = []
    for name, function in unit.functions.items():
        try:
            types = unit.parts(name, function)[:-1]
            waiting.append(unit.instance(name, [plain("", form_of(type)) for type in types]))
        except Cannot as reason:
            type = unit.facts.type_of(name, function)
            is_general = type is not None and any(isinstance(part, Unknown) for part in all_parts(type))
            reasons.setdefault((name, ()), _GENERAL if is_general else str(reason))
    while waiting:
        instance = waiting.pop(0)
        if instance in writers or instance in reasons:
            continue
        name = instance[0]
        function = unit.makers[name] if name in unit.makers else unit.functions[name]
        try:
            writer = FunctionWriter(function, unit.instances[instance], unit, taken)
            text = writer.text(is_recursive=name in recursive)
        except Cannot as reason:
            reasons[instance] = str(reason)
            continue
        writers[instance] = writer, "\n\n".join([*writer.inner, _comment(function) + text])
        waiting += writer.uses
        for used in writer.uses:
            users[used].append(instance)
    failing = [*reasons]
    while failing:
        used = failing.pop()
        for user in users[used]:
            if user not in reasons:
                reasons[user] = f"it applies {used[0].name}, which stays in Python"
                failing.append(user)
    return writers


_GENERAL: Final = "it takes values of any type, and no function in C applies it"


def _is_entry(signature: Signature, function: core.Function | None) -> bool:
    """Whether Python may call a function: it gives a value, no value stays in C, and it adds to no list that it takes,
    which Python would miss.
    """
    return (
        function is not None
        and signature.result != NOTHING
        and not any(map(stays_in_c, (*signature.parameters, signature.result)))
        and not any(
            isinstance(node, core.Append) and node.list in function.parameters for node in walk.nodes(function.body)
        )
    )


def _shapes(program: core.Program, facts: Facts) -> dict[Form, str]:
    """The forms that have a name, which is that of the annotations of the Python."""
    types = {
        name.name.lstrip("_"): type
        for definition in reversed(program.definitions)  # those at the end only stand for others
        for name in walk.names(definition)
        if isinstance(name, core.Global) and (type := facts.type_of(name, definition))
    }
    shapes: dict[Form, str] = {}
    for type, name in shape_names(types, [*RESERVED, *types]).items():
        with suppress(Cannot):
            shapes.setdefault(form_of(type), spell(name))
    return shapes


def _strings(strings: Mapping[str, str]) -> str:
    """The strings of the program by their numbers."""
    lines = [f"    {name}, /* {_in_comment(f'‘{value}’')} */" for value, name in strings.items()]
    return "\n".join(["enum {", *lines, "};"]) if lines else ""


def _comment(function: core.Function) -> str:
    """The CPL of a function, or what it is if a pass has made it."""
    text = function.note or source_text(function, None)
    return f"/* {_in_comment(text)} */\n".replace("\n", "\n   ", text.count("\n"))


def _in_comment(text: str) -> str:
    """A text as a comment of C may hold it."""
    return text.replace("*/", "* /").replace("/*", "/ *").replace("\\", "\\ ").replace("\r", " ")


def _names(defined: Sequence[core.Global], taken: set[str]) -> dict[core.Global, str]:
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
