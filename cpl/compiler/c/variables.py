"""Variables of C that do no more than hand on what they have: the last walk through the lines of a function.

    tuple_of_2 value = BestPosition(nil_of(Position_or_nil), of_real(-INFINITY), L, d);
    number v = value.b;
    return v;

becomes

    return BestPosition(nil_of(Position_or_nil), of_real(-INFINITY), L, d).b;

CPL names what it takes apart, and written-out functions begin with variables and end with assignments that only their
loops need. A value is left out, or evaluated under a condition, only where it does no more than compute. A value that
moves is evaluated once, by the next statement.

Limits: no two variables of a function have one name, and a label stands after the jumps to it, so that only loops go
back. What something refers to stays.
"""

import re
from collections.abc import Sequence, Set
from typing import Final

from cpl.compiler.c.c_text import (
    DECLARATION,
    DEFINITION,
    WIDTH,
    items_of,
    laid_out,
    names_in,
    only_computes,
    without_unused,
)
from cpl.compiler.c.unit import member


def with_fewer_variables(lines: Sequence[str], parameters: Set[str]) -> list[str]:
    """The lines of a function with these parameters, without variables that it can do without."""
    result = [*lines]
    while True:
        before = result
        result = _with_starts_of_walks(result)
        result = _without_dead_stores(result, parameters)
        result = _with_parts_where_they_are_read(result)
        result = _with_results_returned(result)
        result = without_unused(result)
        if result == before:
            return result


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _begins_loop(line: str) -> bool:
    return line.lstrip().startswith(("for (", "while ("))


def _mentions(name: str, lines: Sequence[str]) -> int:
    """How often a name stands in lines, but not as a field."""
    return sum(len(re.findall(rf"(?<![.>\w]){name}\b", line)) for line in lines if name in line)


# Walks through lists


_START_OF_WALK: Final = re.compile(r" *whole (?P<at>\w+_at) = 0;")


def _with_starts_of_walks(lines: Sequence[str]) -> list[str]:
    """The lines with 0 for the place of what walks through a list, as long as it is at the start: up to a loop, and up
    to the first assignment.
    """
    result = [*lines]
    for at, line in enumerate(lines):
        start = _START_OF_WALK.fullmatch(line)
        if not start:
            continue
        name = start["at"]
        changes = re.compile(rf"\b{name} = |&{name}\b|\b{name}\+\+")
        for later in range(at + 1, len(result)):
            text = result[later]
            is_over = _indent(text) < _indent(line) or text.endswith(":;")
            if is_over or _begins_loop(text) or changes.search(text):
                break
            if name in text:
                text = re.sub(rf"(?<![.>\w]){name}\b", "0", text)
                result[later] = re.sub(r"\brest_from_\w+\((\w+), 0\)", r"\1", text)
    return result


# Assignments


_ASSIGNMENT: Final = re.compile(r" *(?P<name>\w+) = (?P<value>.*);")


def _without_dead_stores(lines: Sequence[str], parameters: Set[str]) -> list[str]:
    """The lines without assignments to variables that are not read afterwards. The last command of a block stays."""
    defined: dict[str, int] = dict.fromkeys(parameters, -1)
    for at, line in enumerate(lines):
        definition = DEFINITION.fullmatch(line) or DECLARATION.fullmatch(line)
        if definition and definition["type"] != "return":
            defined[definition["name"]] = at

    result: list[str] = []
    removed: set[str] = set()
    for at, line in enumerate(lines):
        store = _ASSIGNMENT.fullmatch(line)
        if store and store["name"] in defined and only_computes(store["value"]):
            begins_block = not result or result[-1].endswith("{")
            ends_block = at + 1 == len(lines) or lines[at + 1].lstrip().startswith("}")
            is_all = begins_block and ends_block
            if not is_all and _is_dead(lines, at, store["name"], defined[store["name"]]):
                removed.add(store["name"])
                continue
        result.append(line)
    return [line for line in result if not _is_only_declared(line, removed, result)]


def _is_only_declared(line: str, removed: Set[str], lines: Sequence[str]) -> bool:
    """Tell whether a line declares a variable to which nothing is assigned any more."""
    declaration = DECLARATION.fullmatch(line)
    return declaration is not None and declaration["name"] in removed and _mentions(declaration["name"], lines) == 1


def _is_dead(lines: Sequence[str], at: int, name: str, defined: int) -> bool:
    """Tell whether what a line assigns to a variable, which another line defines, is never read."""
    if any(f"&{name}" in line for line in lines):
        return False
    end = len(lines)
    if defined >= 0:
        for later in range(at + 1, len(lines)):
            if _indent(lines[later]) < _indent(lines[defined]):
                end = later
                break
    first = at + 1
    for earlier in range(defined + 1, at):
        if _begins_loop(lines[earlier]) and _indent(lines[earlier]) < _indent(lines[at]):
            first = earlier  # the loop may come to what stands before the assignment
            break
    return not any(_reads(lines[later], name) for later in range(first, end) if later != at)


def _reads(line: str, name: str) -> bool:
    """Tell whether a line may read a variable."""
    if name not in line:
        return False
    store = _ASSIGNMENT.fullmatch(line)
    if store and store["name"] == name and only_computes(store["value"]):
        return name in names_in([store["value"]])
    return name in names_in([line])


# Parts of tuples


_TUPLE: Final = re.compile(r"\((?P<type>\w+)\)\{(?P<parts>.*)\}")
_ATOM: Final = re.compile(r"-?\w+")


def _with_parts_where_they_are_read(lines: Sequence[str]) -> list[str]:
    """The lines without tuples of which only the next line reads parts, and each of them once: it has the parts
    themselves.
    """
    result: list[str] = []
    for line in lines:
        taken = _with_parts(result[-1], line, lines) if result else None
        if taken is None:
            result.append(line)
        else:
            result[-1:] = taken
    return result


def _with_parts(first: str, second: str, lines: Sequence[str]) -> list[str] | None:
    """The second of two lines with the parts of the tuple that the first one defines; None if it needs the tuple."""
    definition = DEFINITION.fullmatch(first)
    made = _TUPLE.fullmatch(definition["value"]) if definition else None
    if not definition or not made or made["type"] != definition["type"]:
        return None
    is_statement = second.endswith(";") and _indent(second) == _indent(first)
    if not is_statement or _begins_loop(second) or "({" in second:
        return None

    name = definition["name"]
    parts = items_of(made["parts"])
    read = re.findall(rf"(?<![.>\w]){name}\.(\w+)", second)
    if not read or not len(read) == _mentions(name, [second]) == _mentions(name, lines) - 1:
        return None
    fields = {member(number): part for number, part in enumerate(parts)}
    if not all(map(only_computes, parts)) or not {*read} <= fields.keys():
        return None
    if any(read.count(field) > 1 and not _ATOM.fullmatch(fields[field]) for field in read):
        return None

    def written(found: re.Match[str]) -> str:
        part = fields[found["field"]]
        if re.fullmatch(r"\w+|\w+\([^()]*\)", part) or (found["before"] and found["after"]):
            return f"{found['before']}{part}"
        return f"{found['before']}({part})"

    mention = rf"(?P<before>[({{]|, |= |return |)(?<![.>\w]){name}\.(?P<field>\w+)(?=(?P<after>[;,)}}]|))"
    statement = re.sub(mention, written, second.lstrip())
    return [*laid_out(statement, " " * _indent(second))]


# Results


_RETURN: Final = re.compile(r"return (?P<name>\w+)(?P<fields>(?:\.\w+)*);")
_DEFINED: Final = re.compile(r" *\w+ \w+ = ")
_CALL: Final = re.compile(r"\w+\([^()]*(?:\([^()]*\)[^()]*)*\)")


def _with_results_returned(lines: Sequence[str]) -> list[str]:
    """The lines without variables that the next statement returns: it returns their values."""
    result: list[str] = []
    for line in lines:
        returned = _RETURN.fullmatch(line.lstrip())
        start = _start_of_definition(result, _indent(line), returned["name"]) if returned else None
        if not returned or start is None or _mentions(returned["name"], lines) != 2:
            result.append(line)
            continue
        fields = returned["fields"]
        shortened = _DEFINED.sub(f"{' ' * _indent(line)}return ", result[start], count=1)
        if fields:
            definition = DEFINITION.fullmatch(result[start])
            is_call = definition is not None and _CALL.fullmatch(definition["value"]) is not None
            shortened = f"{shortened.removesuffix(';')}{fields};"
            if not is_call or len(shortened) > WIDTH:
                result.append(line)
                continue
        result[start] = shortened
    return result


def _start_of_definition(lines: Sequence[str], indent: int, name: str) -> int | None:
    """The first line of the statement in which lines end, if it defines this variable."""
    for at in reversed(range(len(lines))):
        line = lines[at]
        if line.startswith(" " * indent) and re.match(rf"\w+ {name} = ", line[indent:]):
            return at
        if _indent(line) < indent or (_indent(line) == indent and line[indent] not in "})"):
            return None
    return None
