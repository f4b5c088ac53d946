"""The C of a program: every function that C can have, in one text, and the Python that calls it.

Each function that the library has is decorated in the Python, which runs where the library gives a call up:

    @_native(3, "(iiii) i", "[(iiii)]", 0, 1)
    def _RemainingPositionList(P, s): …

A function may have something that C cannot have, or apply a function that has; then it stays in Python. Which ones do
is a fixpoint: the functions are written until no more are found that stay.
"""

import ast
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from typing import Final

from cpl import outside
from cpl.compiler.c.c_text import comment, function_text, headed, used_before
from cpl.compiler.c.functions import FunctionWriter
from cpl.compiler.c.identical import with_functions_once
from cpl.compiler.c.representation import Cannot, Form, code, form_of, stays_in_c
from cpl.compiler.c.rules import RULES
from cpl.compiler.c.unit import RESERVED, CDeclarations, Instance, Signature, Unit, spelled
from cpl.compiler.c.unused import without_unused_definitions
from cpl.compiler.python.ast_builders import load
from cpl.compiler.python.emit import Generated
from cpl.compiler.python.names import Taken
from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.graphs import components, reachable
from cpl.compiler.types.facts import Sure, Types
from cpl.compiler.types.types import NOTHING, TupleOf, Type, shape_names


@dataclass(frozen=True)
class CLibrary:
    """The text of a library, and its `digest`, which the library holds too. `entries` are the functions that Python may
    call, with the forms of their parameters and of their results and the numbers of the constants that they need, and
    `constants` what Python gives to it, as `cplrt.native` writes forms; both in the order of their numbers, as are the
    `strings`. `reasons` says why the other functions stay in Python.
    """

    text: str
    digest: str
    functions: tuple[core.Global, ...]
    entries: Mapping[core.Global, tuple[str | int, ...]]
    constants: Mapping[core.Global, str]
    strings: tuple[str, ...]
    reasons: Mapping[core.Global, str]


_DIGITS: Final = 16
"""How many digits of the digest of a library are kept: they tell versions apart, and are no protection."""


def library(program: core.Program, sure: Sure, rules: Set[str] = frozenset(RULES)) -> CLibrary:
    """The functions of a program as C, by these `rules`. Bit strings are represented by whole numbers already."""
    functions = {
        definition.name: definition
        for definition in program.definitions
        if isinstance(definition, core.Function) and not definition.door
    }
    constants = _constants(program)
    shapes = _shapes(program, sure.checked)
    taken = Taken({*RESERVED, *shapes.values()})
    names: dict[core.Global, str] = {}
    for name in (*functions, *constants):
        names[name] = taken.claim(spelled(name.name).lstrip("_"))
    recursive = _recursive(program)
    assigned = sure.assigned_lists
    shared = _shared(program)

    # What was written before a reason was found must leave nothing in the unit, so that each round begins anew.
    reasons: dict[Instance, str] = {}
    count = -1
    while len(reasons) > count:
        count = len(reasons)
        constant_names = Taken(names[name] for name in constants)
        types = CDeclarations(shapes, packs="pack" in rules)
        unit = Unit(sure.checked, names, functions, constants, assigned, shared, rules, types, constant_names)
        texts = _texts(unit, recursive, reasons, taken)

    entries: dict[core.Global, Signature] = {}
    in_c: dict[core.Global, None] = {}
    for name, letters in texts:
        if name not in functions:
            continue
        in_c[name] = None
        _, signature = unit.instances[name, letters]
        if not letters and _is_entry(signature, functions[name]):
            entries[name] = signature
    makers: dict[core.Global, Signature] = {}
    for name in constants:
        if (name, ()) in texts:
            _, makers[name] = unit.instances[name, ()]

    text = _whole_text(unit, texts, entries, makers)
    digest = sha256(text.encode()).hexdigest()[:_DIGITS]
    return CLibrary(
        text=f'{text}\nconst char cpl_digest[] = "{digest}"; /* Its module asks for it. */\n',
        digest=digest,
        functions=tuple(in_c),
        entries=_described(unit, entries, makers),
        constants={name: code(form) for name, form in unit.constants.items()},
        strings=tuple(unit.strings),
        reasons={name: reason for (name, _), reason in reasons.items() if name in functions and name not in in_c},
    )


def _constants(program: core.Program) -> dict[core.Global, core.Constants]:
    """The constants of the top level, each with what defines it."""
    constants: dict[core.Global, core.Constants] = {}
    for definition in program.definitions:
        if isinstance(definition, core.Constants):
            names = [name for name in walk.names(definition) if isinstance(name, core.Global)]
            constants |= dict.fromkeys(names, definition)
    return constants


def _recursive(program: core.Program) -> set[core.Variable]:
    """The functions that may come to apply themselves."""
    used = walk.uses(program.definitions)
    recursive: set[core.Variable] = set()
    for component in components(used):
        for at in component:
            if len(component) > 1 or at in used[at]:
                recursive |= {*walk.names(program.definitions[at])}
    return recursive


def _whole_text(
    unit: Unit,
    texts: Mapping[Instance, tuple[str, str]],
    entries: Mapping[core.Global, Signature],
    makers: Mapping[core.Global, Signature],
) -> str:
    """The text of a library, from top to bottom as C reads it."""
    # Entry points may declare types, so that they are written before the types are.
    entry_points = "\n\n".join([_giving(unit), _making(unit, makers), _calling(unit, entries), _ANSWER])
    strings = [f"    {name}, {comment(f'‘{text}’')}" for text, name in unit.strings.items()]
    constants = unit.constants | {name: signature.result for name, signature in makers.items()}
    variables = [f"static {unit.types.name(form)} {unit.names[name]};" for name, form in constants.items()]
    functions = [text for _, text in texts.values()]
    used = used_before(functions)  # C reads from top to bottom
    prototypes = [
        line
        for name, (heading, _) in texts.items()
        if unit.instances[name][1].name in used
        for line in headed(heading, ";")
    ]
    parts = [
        f"#define ASSIGNED {int(bool(unit.assigned))}",
        outside.packaged_text("cpl/compiler/c/prelude.h"),
        "/* The types of the program, and what compares their values and passes them to Python or from it */",
        unit.types.text(),
        "\n".join(["enum {", *strings, "};"]) if strings else "",
        "\n".join(variables),
        "\n".join(prototypes),
        *functions,
        entry_points,
    ]
    return without_unused_definitions(with_functions_once("\n\n".join(filter(None, parts)) + "\n"))


def _described(
    unit: Unit, entries: Mapping[core.Global, Signature], makers: Mapping[core.Global, Signature]
) -> dict[core.Global, tuple[str | int, ...]]:
    """The functions that Python may call: the forms of their parameters and of their results, and the numbers of the
    constants that they use. All constants that C makes are made at once, and have one number.
    """
    numbers = {name: at for at, name in enumerate(unit.constants)}
    for name in makers:
        numbers.setdefault(name, len(unit.constants))

    used: dict[core.Global, set[int]] = {name: set() for name in entries}
    for constant, number in numbers.items():
        for user, _ in reachable(unit.users[constant, ()], unit.users.__getitem__):
            if user in used:
                used[user].add(number)

    described: dict[core.Global, tuple[str | int, ...]] = {}
    for name, entry in entries.items():
        parameters = " ".join(map(code, entry.parameters))
        described[name] = parameters, code(entry.result), *sorted(used[name])
    return described


def _texts(
    unit: Unit, recursive: Set[core.Node], reasons: dict[Instance, str], taken: set[str]
) -> dict[Instance, tuple[str, str]]:
    """The headings and the C of all functions that have no reason against it. More reasons may be found."""
    texts: dict[Instance, tuple[str, str]] = {}
    for name in unit.functions:
        try:
            unit.instance(name)
        except Cannot as reason:
            reasons.setdefault((name, ()), str(reason))

    done = 0
    while done < len(unit.instances):  # writing functions adds the instances that they apply
        waiting = [*unit.instances][done:]
        done += len(waiting)
        for instance in waiting:
            if instance in reasons:
                continue
            function, signature = unit.instances[instance]
            unit.user = instance
            try:
                writer = FunctionWriter(function, signature, unit, taken)
                texts[instance] = writer.heading(), writer.text(is_recursive=function.name in recursive)
            except Cannot as reason:
                reasons[instance] = str(reason)

    # What applies a function that stays in Python stays there, too.
    for used in reachable([*reasons], unit.users.__getitem__):
        for user in unit.users[used]:
            reasons.setdefault(user, f"it applies {used[0].name}, which stays in Python")
    return texts


def _is_entry(signature: Signature, function: core.Function) -> bool:
    """Tell whether Python may call a function: it gives a value, no value stays in C, and it adds to no list that it
    takes, which Python would miss.
    """
    if signature.result == NOTHING or any(map(stays_in_c, (*signature.parameters, signature.result))):
        return False
    appends = (node for node in walk.nodes(function.body) if isinstance(node, core.Append))
    return not any(node.list in function.parameters for node in appends)


def _shapes(program: core.Program, checked: Types) -> dict[Form, str]:
    """The forms that have a name, which is that of the annotations of the Python."""
    types: dict[str, Type] = {}
    for definition in reversed(program.definitions):  # those at the end only stand for others
        for name in walk.names(definition):
            type = checked.type_of(name, definition) if isinstance(name, core.Global) else None
            if type:
                types[name.name.lstrip("_")] = type

    shapes: dict[Form, str] = {}
    for type, spelling in shape_names(types, [*RESERVED, *types]).items():
        with suppress(Cannot):
            shapes.setdefault(form_of(type), spelled(spelling))
    return shapes


def _shared(program: core.Program) -> set[core.Global]:
    """The constants whose value may get another name: those of which more is done than to read members."""
    # Nodes are told apart by their identity, as each mention of a name counts by itself.
    read: set[int] = set()
    in_places: set[int] = set()
    for definition in program.definitions:
        read.update(map(id, walk.names(definition)))
        for place in walk.places(definition, core.Reference):
            in_places.update(map(id, walk.nodes(place)))

    for node in walk.all_nodes(program.definitions):
        match node:
            case core.ForList(members=members) | core.Apply(function=core.Host(name="Null"), arguments=(members,)):
                read.add(id(members))
            case core.Select(operand=operand) if id(node) not in in_places:
                read.add(id(operand))

    mentioned = (node for node in walk.all_nodes(program.definitions) if isinstance(node, core.Global))
    return {node for node in mentioned if id(node) not in read}


# The entry points of a library, which Python calls. Where a call is given up, `leave` jumps back to the `setjmp` of its
# entry point, which returns the reason.


def _giving(unit: Unit) -> str:
    """Write the entry point with which Python gives a constant its value, by its number."""
    cases: list[str] = []
    for number, (name, form) in enumerate(unit.constants.items()):
        cases.append(f"case {number}: {unit.names[name]} = read_{unit.types.marshalled(form)}(); break;")
    read = ["next_given = value;", "read_constant(constant);"] if cases else ["(void)value, (void)constant;"]
    lines = [
        *_in_cases("read_constant", "constant", cases),
        "int cpl_give(const int64_t *value, int64_t constant) {",
        "    give_back(&kept);",
        "    most_memory = INT64_MAX;",
        "    int why = setjmp(start);",
        "    if (why) return why;",
        *(f"    {statement}" for statement in read),
        "    kept = now;",
        "    return DONE;",
        "}",
    ]
    return "\n".join(lines)


def _in_cases(name: str, number: str, cases: Sequence[str]) -> list[str]:
    """A function that does what stands under a number; none if nothing does. It stays by itself, as the variables of a
    function that has called `setjmp` may be lost.
    """
    if not cases:
        return []
    heading = f"static APART void {name}(int64_t {number})"
    return [*function_text(heading, [f"switch ({number}) {{", *cases, "}"]).split("\n"), ""]


def _making(unit: Unit, makers: Mapping[core.Global, Signature]) -> str:
    """Write the entry point that makes the constants that hold functions, which Python cannot have."""
    assignments = [f"    {unit.names[name]} = {maker.name}();" for name, maker in makers.items()]
    lines = [
        "int cpl_make(int64_t stack) {",
        "    set_deepest(stack);",
        "    int why = setjmp(start);",
        "    if (why) return why;",
        *assignments,
        "    kept = now;",
        "    return DONE;",
        "}",
    ]
    return "\n".join(lines)


def _calling(unit: Unit, entries: Mapping[core.Global, Signature]) -> str:
    """Write the entry point that calls a function by its number."""
    cases: list[str] = []
    for number, signature in enumerate(entries.values()):
        parameters = [unit.types.marshalled(form) for form in signature.parameters]
        write = f"write_{unit.types.marshalled(signature.result)}"
        if len(parameters) < 2 and not signature.apart:
            read = "".join(f"read_{form}()" for form in parameters)
            cases += [f"case {number}: {write}({signature.name}({read})); break;"]
            continue
        cases.append(f"case {number}: {{")  # what is read has names, as C may evaluate arguments in any order
        cases += [f"{name} a{at} = read_{name}();" for at, name in enumerate(parameters)]
        words: list[str] = []
        for at, form in enumerate(signature.parameters):
            words += _words(unit, f"a{at}", form) if at in signature.apart else [f"a{at}"]
        arguments = ", ".join(words)
        cases += [f"{write}({signature.name}({arguments}));", "break;", "}"]
    are_read = any(signature.parameters for signature in entries.values())
    heading = "int cpl_call(int64_t function, const int64_t *arguments, int64_t memory, int64_t stack, int64_t is_main)"
    statements = [
        "give_back(&kept);",
        "set_deepest(stack);",
        "most_memory = memory;",
        "if (is_main) watch();",
        "int why = setjmp(start);",
        "if (why) {",
        "if (is_main) unwatch();",
        "return why;",
        "}",
        "next_given = arguments;" if are_read else "(void)arguments;",
        "answer = new_words(0);",
        "call(function);" if cases else "(void)function;",
        "if (is_main) unwatch();",
        "return DONE;",
    ]
    return "\n".join([*_in_cases("call", "function", cases), function_text(heading, statements)])


def _words(unit: Unit, name: str, form: Form) -> list[str]:
    """The parts of a tuple that a variable has, each by itself."""
    if not isinstance(form, TupleOf):
        return [name]
    return [*chain.from_iterable(_words(unit, f"{name}.{field}", part) for field, part in unit.types.fields(form))]


_ANSWER: Final = """\
const int64_t *cpl_answer(int64_t *count) {
    *count = answer->count;
    return answer->items;
}"""
"""The entry point that gives Python the words of the last answer."""


def decorated(generated: Generated, library: CLibrary) -> str:
    """Decorate the functions that the library has. The result is what the module calls the library."""
    native = generated.module.new("_native")
    numbers = {name: number for number, name in enumerate(library.entries)}
    for piece in generated.pieces:
        match piece.definition, piece.statements:
            case core.Function(name=name), [ast.FunctionDef() as function] if name in numbers:
                values = (numbers[name], *library.entries[name])
                function.decorator_list = [ast.Call(load(native), [*map(ast.Constant, values)], [])]
    return native


def around(native: str, generated: Generated, library: CLibrary) -> tuple[ast.stmt, ast.stmt]:
    """The statement that loads the library beside the module, which stands before the functions; and the one that gives
    it the constants, which stands after them.
    """
    strings = ast.Tuple([*map(ast.Constant, library.strings)], ast.Load())
    constants = [
        ast.Tuple([ast.Constant(form), load(generated.module.name(name))], ast.Load())
        for name, form in library.constants.items()
    ]
    loaded = ast.Call(load("NativeLibrary"), [load("__file__"), strings, ast.Constant(library.digest)], [])
    before = ast.Assign([ast.Name(native, ast.Store())], loaded)
    start = ast.Attribute(load(native), "start", ast.Load())
    after = ast.Expr(ast.Call(start, [*constants], []))
    return before, after
