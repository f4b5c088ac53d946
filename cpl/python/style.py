"""The generated Python in black's style.

To import black takes longer than to compile most programs, and most of what `unparse` writes is in that style already.
So the few things that differ in most modules are done here: quotes, and calls and lists that are too long for a line.
Where a line needs anything else, black formats the whole text. A test compares the two.
"""

import re
from collections.abc import Iterator
from typing import Final

WIDTH: Final = 88

_STRING: Final = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")
_NOT_OURS: Final = re.compile(r"\*\*|:=|\*, |^\s*(?:class|@|del|nonlocal)\b|^\s+def\b|^\s*\(")
"""What black may write in another way: powers, and lines that must have empty ones round them."""
_LONG: Final = re.compile(r"(?:return |\w+ (?:[-+*/&|^]|<<|>>)?= )?(?P<called>(?:\w+\.)?\w*)")
"""What may stand before the last brackets in a line that is too long."""
_IMPORT: Final = re.compile(r"(from [\w.]+ import) (.*)")
_HEADING: Final = re.compile(r"(def \w+\()(.+)(\) -> .+:)")


class _NeedsBlack(Exception):
    """A line that only black can format."""


def tidy(text: str) -> str:
    """The same Python in black's style. The user's own configuration is not read: output depends on input alone."""
    try:
        return "\n".join(_lines(text.rstrip("\n"))) + "\n"
    except _NeedsBlack:
        import black
        from black.mode import TargetVersion

        mode = black.Mode(target_versions={TargetVersion.PY311}, line_length=WIDTH)
        return black.format_str(text, mode=mode)


def _lines(text: str) -> Iterator[str]:
    """The lines of a module. Docstrings and what is not to be formatted stay as they are."""
    end = ""  # what ends the lines that stay
    before, is_in_function = "", False
    for line in re.sub(r"\n{4,}", "\n\n\n", text).split("\n"):
        code = line.lstrip()
        if code == line and code and not end:
            is_function = code.startswith("def ")
            if before and (is_in_function or is_function) and not before.startswith("#"):
                raise _NeedsBlack  # empty lines are missing
            is_in_function = is_function
        before = line
        if end:
            yield line
            end = "" if line.endswith(end) else end
        elif code.startswith(('"""', 'r"""')):
            yield line
            end = "" if code.endswith('"""') and len(code.removeprefix("r")) >= 6 else '"""'
        elif code == "# fmt: off":
            yield line
            end = "# fmt: on"
        elif not code or code.startswith("#"):
            yield line
        else:
            yield from _code(line, len(line) - len(code))


def _code(line: str, margin: int) -> Iterator[str]:
    """One statement, or the heading of one."""
    if "'" in line:
        line = _STRING.sub(_in_double_quotes, line)
    if _NOT_OURS.search(line) or "\\" in line:
        raise _NeedsBlack
    if len(line) + sum(not sign.isascii() for sign in line if not line.isascii()) <= WIDTH:  # some signs are wide
        yield line
    else:
        yield from _split(line, margin)


def _in_double_quotes(string: re.Match[str]) -> str:
    body = string[0][1:-1]
    return string[0] if '"' in body else f'"{body}"'


def _split(line: str, margin: int) -> Iterator[str]:
    """A line that is too long: what is in its brackets on lines of its own. Only a call may have all on one line."""
    code, space = line[margin:], " " * margin
    if found := _IMPORT.fullmatch(code):
        first, inner, last, one_line = f"{found[1]} (", found[2], ")", False
    elif found := _HEADING.fullmatch(code):
        (first, inner, last), one_line = found.groups(), True
        if _opening(f"{first}{inner})") != len(first) - 1:
            raise _NeedsBlack
    else:
        opening = _opening(code)
        before = _LONG.fullmatch(code[:opening])
        if opening < 0 or before is None:
            raise _NeedsBlack
        first, inner, last, one_line = code[: opening + 1], code[opening + 1 : -1], code[-1], bool(before["called"])
    inside = [f"    {inner}"]
    if not one_line or margin + len(inside[0]) > WIDTH:
        inside = [f"    {item}," for item in _items(inner)]
        if len(inside) < 2 or any(item.startswith("    *") for item in inside):
            raise _NeedsBlack
    made = [space + each for each in (first, *inside, last)]
    if not line.isascii() or any(len(each) > WIDTH for each in made):
        raise _NeedsBlack
    yield from made


def _opening(code: str) -> int:
    """Where the bracket opens that the code ends by; -1 if there is none."""
    if not code.endswith((")", "]")):
        return -1
    opened: list[int] = []
    last = -1
    for at, sign in _signs(code):
        if sign in "([{":
            opened.append(at)
        elif sign in ")]}":
            last = opened.pop()
    return last


def _items(inner: str) -> list[str]:
    """The members of a list, by its commas."""
    depth, start = 0, 0
    items: list[str] = []
    for at, sign in _signs(inner):
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        elif sign == "," and not depth:
            items.append(inner[start:at].strip())
            start = at + 1
    return [*items, last] if (last := inner[start:].strip()) else items


def _signs(code: str) -> Iterator[tuple[int, str]]:
    """The brackets and commas outside of strings."""
    for found in re.finditer(rf"{_STRING.pattern}|[(),\[\]{{}}]", code):
        if len(found[0]) == 1:
            yield found.start(), found[0]
