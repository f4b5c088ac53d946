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
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from cpl.compiler.c.c_text import (
    DECLARATION,
    DEFINITION,
    WIDTH,
    items_of,
    laid_out,
    mentions,
    names_in,
    only_computes,
    without_unused,
)
from cpl.compiler.c.unit import member


def with_fewer_variables(lines: Sequence[str], parameters: Mapping[str, str]) -> list[str]:
    """The lines of a function without variables that it can do without. `parameters` have their types in C."""
    result = [*lines]
    while True:
        before = result
        result = _without_copies(result, parameters)
        result = _with_starts_of_walks(result)
        result = _without_dead_stores(result, parameters.keys())
        result = _with_parts_where_they_are_read(result)
        result = _with_results_returned(result)
        result = without_unused(result)
        if result == before:
            return result


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _begins_loop(line: str) -> bool:
    return line.lstrip().startswith(("for (", "while ("))


# Copies


_CHANGE: Final = re.compile(r"(?<![.>\w])(\w+)(?:\.\w+)*(?: (?:[-+*/%&|^]|<<|>>)?= |\+\+|--)|&(\w+)")
"""A change of a variable or of one of its fields, or its address, by which it can be changed."""


def _without_copies(lines: Sequence[str], parameters: Mapping[str, str]) -> list[str]:
    """The lines without copies of variables: where neither the copy nor the variable ever changes, they are the same.
    That the variable gets its copy back is no change.
    """
    types = {**parameters}
    changes: Counter[str] = Counter()
    given: Counter[tuple[str, str]] = Counter()  # to which variable, which one
    for line in lines:
        definition = DEFINITION.fullmatch(line)
        store = _ASSIGNMENT.fullmatch(line)
        if definition:
            types[definition["name"]] = definition["type"]
            line = definition["value"]
        elif store:
            given[store["name"], store["value"]] += 1
        changes.update(changed or referred for changed, referred in _CHANGE.findall(line))

    same: dict[str, str] = {}
    left_out: set[str] = set()
    for line in lines:
        definition = DEFINITION.fullmatch(line)
        if not definition or definition["value"] not in types:
            continue
        copy, variable = definition["name"], definition["value"]
        is_never_changed = not changes[copy] and changes[variable] == given[variable, copy]
        if is_never_changed and types[variable] == definition["type"]:
            same[copy] = same.get(variable, variable)
            left_out |= {line.lstrip(), f"{variable} = {copy};"}
    if not same:
        return [*lines]
    mention = re.compile(rf"(?<![.>\w])(?:{'|'.join(same)})\b")
    kept = [line for line in lines if line.lstrip() not in left_out]
    return [mention.sub(lambda found: same[found[0]], line) for line in kept]


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

    index = _indexed(lines)
    result: list[str] = []
    removed: set[str] = set()
    for at, line in enumerate(lines):
        store = _ASSIGNMENT.fullmatch(line)
        if store and store["name"] in defined and only_computes(store["value"]):
            begins_block = not result or result[-1].endswith("{")
            ends_block = at + 1 == len(lines) or lines[at + 1].lstrip().startswith("}")
            is_all = begins_block and ends_block
            if not is_all and _is_dead(index, at, store["name"], defined[store["name"]]):
                removed.add(store["name"])
                continue
        result.append(line)
    counts = mentions(result)
    return [line for line in result if not _is_only_declared(line, removed, counts)]


def _is_only_declared(line: str, removed: Set[str], counts: Mapping[str, int]) -> bool:
    """Tell whether a line declares a variable to which nothing is assigned any more."""
    declaration = DECLARATION.fullmatch(line)
    return declaration is not None and declaration["name"] in removed and counts[declaration["name"]] == 1


@dataclass(frozen=True)
class _Index:
    """What a search in the lines of a function asks for: the numbers of lines, in order."""

    indents: Sequence[int]
    """The indentation of each line."""
    lines: Mapping[int, Sequence[int]]
    """The lines of each indentation,"""
    loops: Mapping[int, Sequence[int]]
    """and those of them that begin a loop."""
    reads: Mapping[str, Sequence[int]]
    """The lines that may read a variable."""
    referred: Set[str]
    """The variables whose address is taken."""


def _indexed(lines: Sequence[str]) -> _Index:
    """The index of lines."""
    by_indent: defaultdict[int, list[int]] = defaultdict(list)
    loops: defaultdict[int, list[int]] = defaultdict(list)
    reads: defaultdict[str, list[int]] = defaultdict(list)
    referred: set[str] = set()
    for at, line in enumerate(lines):
        by_indent[_indent(line)].append(at)
        if _begins_loop(line):
            loops[_indent(line)].append(at)
        for name in names_in([line]):
            if _reads(line, name):
                reads[name].append(at)
        referred.update(_ADDRESS.findall(line))
    return _Index([*map(_indent, lines)], by_indent, loops, reads, referred)


_ADDRESS: Final = re.compile(r"&(\w+)")


def _first_further_left(lines: Mapping[int, Sequence[int]], indent: int, after: int) -> int | None:
    """The first of some lines after a line that begin further to the left than this indentation."""
    found: list[int] = []
    for left, numbers in lines.items():
        place = bisect_right(numbers, after)
        if left < indent and place < len(numbers):
            found.append(numbers[place])
    return min(found, default=None)


def _is_dead(index: _Index, at: int, name: str, defined: int) -> bool:
    """Tell whether what a line assigns to a variable, which another line defines, is never read."""
    if name in index.referred:
        return False
    end = None
    if defined >= 0:
        end = _first_further_left(index.lines, index.indents[defined], at)
    loop = _first_further_left(index.loops, index.indents[at], defined)
    # A loop may come to what stands before the assignment.
    first = loop if loop is not None and loop < at else at + 1
    reads = index.reads.get(name, ())
    begin = bisect_left(reads, first)
    count = (len(reads) if end is None else bisect_left(reads, end)) - begin
    is_only_read_here = count == 1 and reads[begin] == at
    return count <= 0 or is_only_read_here


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
    counts = mentions(lines)
    result: list[str] = []
    for line in lines:
        taken = _with_parts(result[-1], line, counts) if result else None
        if taken is None:
            result.append(line)
        else:
            result[-1:] = taken
    return result


def _with_parts(first: str, second: str, counts: Mapping[str, int]) -> list[str] | None:
    """The second of two lines with the parts of the tuple that the first one defines; None if it needs the tuple.
    `counts` says how often each name stands in the function.
    """
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
    if not read or not len(read) == mentions([second])[name] == counts[name] - 1:
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
    counts = mentions(lines)
    result: list[str] = []
    for line in lines:
        returned = _RETURN.fullmatch(line.lstrip())
        start = _start_of_definition(result, _indent(line), returned["name"]) if returned else None
        if not returned or start is None or counts[returned["name"]] != 2:
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
