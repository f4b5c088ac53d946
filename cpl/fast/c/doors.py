"""What Python calls: to give the constants, to call a function by its number, and to get the answer."""

from collections.abc import Mapping

from cpl.fast.c.layout import laid_out
from cpl.fast.c.unit import Signature, Unit
from cpl.semantics import core


def doors(unit: Unit, entries: Mapping[core.Global, Signature], makers: Mapping[core.Global, Signature]) -> str:
    """What Python calls: to give the constants, and to call a function by its number."""
    lines = [
        "void cpl_give(const int64_t *value, int64_t constant) {",
        "    most_memory = INT64_MAX;",
        "    given = value;",
        "    switch (constant) {",
        *(
            f"    case {number}: {unit.names(name)} = read_{unit.types.passed(form)}(); break;"
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
        *(f"    {unit.names(name)} = {maker.name}();" for name, maker in makers.items()),
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
            f"{unit.types.passed(form)} a{at} = read_{unit.types.passed(form)}();"
            for at, form in enumerate(signature.parameters)
        )
        arguments = ", ".join(f"a{at}" for at in range(len(signature.parameters)))
        call = f"write_{unit.types.passed(signature.result)}({signature.name}({arguments}));"
        lines += laid_out(f"case {number}: {{ {read} {call} break; }}", "    ")
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
