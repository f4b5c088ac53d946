"""The lines of C: what is too long is broken at its brackets."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Final

WIDTH: Final = 120

_WIDTH_IF_DENSE: Final = 100
"""The width of a line with several conditionals in one another, or with statements inside of an expression."""

_WIDEST_INDENT: Final = 80
"""The indentation from which on nothing is broken: lines nested so deep are no easier to read."""


def laid_out(statement: str, indent: str) -> Iterator[str]:
    """A statement as lines. What is too long is broken before its operators, the weakest first. What has none outside
    of brackets is broken inside the longest brackets, else where it stands: after each `;`, else after each comma.
    """
    is_dense = statement.count(" ? ") > 1 or "({ " in statement
    width = _WIDTH_IF_DENSE if is_dense else WIDTH
    if len(indent) + len(statement) <= width or len(indent) >= _WIDEST_INDENT or "\n" in statement:
        yield indent + statement
        return
    if len(_parts(statement, _ENDS)) == 1:
        is_chain = _outside_of_brackets(statement).count(" ? ") > 1
        first, *rest = _parts(statement, _BETWEEN_ARMS if is_chain else _OPERATORS)
        if rest:
            yield from laid_out(first, indent)
            for part in rest:
                yield from laid_out(part, indent + "    ")
            return
    opener, closer = max(_groups(statement), key=lambda group: group[1] - group[0], default=(0, 0))
    if closer - opener > 20:
        if statement.startswith("(({", opener) and statement.startswith("}))", closer - 2):
            opener, closer = opener + 2, closer - 2
        elif statement.startswith("({", opener):
            opener, closer = opener + 1, closer - 1
        yield indent + statement[: opener + 1]
        for part in _parts(statement[opener + 1 : closer].strip(), _ENDS):
            yield from laid_out(part, indent + "    ")
        yield from laid_out(statement[closer:], indent)
    else:
        first, *rest = _parts(statement, _ENDS)
        yield indent + first
        for part in rest:
            yield f"{indent}    {part}"


def function_text(heading: str, statements: Sequence[str]) -> str:
    """A function with this heading. Each statement has lines of its own; what opens a block ends with `{`, and `}`
    closes it.
    """
    lines = [*headed(heading, " {")]
    depth = 1
    for statement in statements:
        depth -= statement.startswith("}")
        lines += laid_out(statement, "    " * depth)
        depth += statement.endswith("{")
    return "\n".join([*lines, "}"])


def headed(heading: str, ending: str) -> Iterator[str]:
    """The heading of a function, followed by a brace or a semicolon. If it is long, its parameters fill lines."""
    if len(heading + ending) <= WIDTH:
        yield heading + ending
        return
    opening, _, parameters = heading.removesuffix(")").partition("(")
    line = f"{opening}("
    for parameter in f"{parameters}){ending}".replace(", ", ",\n").split("\n"):
        separator = "" if line.endswith("(") else " "
        if len(line + separator + parameter) > WIDTH:
            yield line
            line, separator = "    ", ""
        line += separator + parameter
    yield line


def _groups(text: str) -> Iterator[tuple[int, int]]:
    """Find the outermost brackets: where they open and close."""
    depth = start = 0
    for at, sign in enumerate(text):
        if sign in "([{":
            if depth == 0:
                start = at
            depth += 1
        elif sign in ")]}" and depth:
            depth -= 1
            if depth == 0:
                yield start, at


_ENDS: Final = (("; ", "} "), (", ",))
"""After what a text is broken, the widest parts first."""

_OPERATORS: Final = ((" ? ", " : "), (" || ",), (" && ",), (" | ",), (" ^ ",), (" & ",))
"""Before what a text is broken, the weakest operators first."""

_BETWEEN_ARMS: Final = ((" : ",),)
"""Before what conditionals that follow each other are broken, so that each test stands in one line with its value."""


def _parts(text: str, separators: Sequence[tuple[str, ...]]) -> list[str]:
    """The parts of a text that get lines of their own: between the first of these separators that it has outside of
    brackets.
    """
    is_bracketed = [False] * len(text)
    for start, end in _groups(text):
        is_bracketed[start:end] = [True] * (end - start)
    for signs in separators:
        starts = [at for at in range(len(text)) if text.startswith(signs, at) and not is_bracketed[at]]
        if starts:
            cuts = [at + 1 for at in starts] if separators is _ENDS else starts
            bounds = pairwise([0, *cuts, len(text)])
            return [text[start:end].strip() for start, end in bounds]
    return [text]


_NAME: Final = re.compile(r"(?<![.>\w])[a-zA-Z_]\w*")
"""A word that is no field of a struct."""

DEFINITION: Final = re.compile(r"(?P<indent> *)(?P<type>\w+) (?P<name>\w+) = (?P<value>.*);")
_CALL: Final = re.compile(r"\w+(?=\()")
_ARITHMETIC: Final = frozenset(
    {"add", "subtract", "multiply", "negative", "of_whole", "of_real"}
    | {"add_numbers", "subtract_numbers", "multiply_numbers", "negative_number"}
)
"""Functions that do nothing but compute: where a result leaves 64 bits, Python has it, and where it is not used, nobody
needs it. What else is called may end in a fault, which must not be left out.
"""


def without_unused(lines: Sequence[str]) -> list[str]:
    """The lines of a function without its variables that are never used; a value that may have an effect stays. CPL
    names all parts of a tuple where it takes it apart. No two variables of a function have one name.
    """
    used: set[str] = set()
    needed: list[str] = []
    for line in reversed(lines):  # a variable that only an unused one reads is unused, too
        definition = DEFINITION.fullmatch(line)
        if definition and definition["name"] not in used:
            value = definition["value"]
            if _has_no_effect(value):
                continue
            line = f"{definition['indent']}(void)({value});"
        used |= {*_NAME.findall(line)}
        needed.append(line)
    needed.reverse()
    return needed


DECLARATION: Final = re.compile(r"(?P<indent> *)(?P<type>\w+) (?P<name>\w+);")


def with_first_values(lines: Sequence[str]) -> list[str]:
    """The lines of a function in which a variable that gets its value in the line after its declaration gets it there:
    `whole x = 1;` for `whole x;` and `x = 1;`.
    """
    result: list[str] = []
    for line in lines:
        declaration = DECLARATION.fullmatch(result[-1]) if result else None
        if declaration and "return" not in result[-1]:
            start = f"{declaration['indent']}{declaration['name']} = "
            value = line.removeprefix(start)
            definition = f"{result[-1].removesuffix(';')} = {value}"
            reads_itself = declaration["name"] in names_in([value])
            if line.startswith(start) and not reads_itself and len(definition) <= WIDTH:
                result[-1] = definition
                continue
        result.append(line)
    return result


_WITHOUT_EFFECT: Final = re.compile(r"[\w.,(){}\[\]> -]+")
_COMPUTING: Final = re.compile(r"[\w.,(){}\[\]<>&|^~!?:+*= -]+")
"""The signs of such expressions."""


def _has_no_effect(value: str) -> bool:
    """Tell whether an expression only reads variables and computes with signs and functions that have no effect."""
    return bool(_WITHOUT_EFFECT.fullmatch(value)) and _calls_only_arithmetic(value)


def only_computes(value: str) -> bool:
    """Tell whether an expression only reads variables and computes, by any operator. Nothing is assigned in it."""
    return bool(_COMPUTING.fullmatch(value)) and _calls_only_arithmetic(value)


def _calls_only_arithmetic(value: str) -> bool:
    return _ARITHMETIC.issuperset(_CALL.findall(value))


def items_of(text: str) -> list[str]:
    """The items of a list between commas."""
    return [item.removeprefix(",").strip() for item in _parts(text, ((", ",),))]


_COMMENT: Final = re.compile(r" */\*.*?\*/", re.DOTALL)
_HEADING: Final = re.compile(r"^static [^\n=]*?(\w+)\(", re.MULTILINE)


def without_comments(text: str) -> str:
    """A text of C without its comments."""
    return _COMMENT.sub("", text)


def used_before(texts: Iterable[str]) -> set[str]:
    """The functions that these texts of functions, one after the other, use before they have their headings."""
    code = without_comments("\n".join(texts))
    used: dict[str, int] = {}
    for word in _NAME.finditer(code):
        used.setdefault(word[0], word.start())
    headings: dict[str, int] = {}
    for heading in _HEADING.finditer(code):
        headings.setdefault(heading[1], heading.start(1))
    return {name for name, at in headings.items() if used[name] < at}


def without_effect(value: str) -> bool:
    """Tell whether an expression of C only reads variables of its function, and computes."""
    return "->" not in value and _has_no_effect(value)


def mentions(lines: Sequence[str]) -> Counter[str]:
    """How often these lines of C have each name; the fields of structs are not among them."""
    return Counter(chain.from_iterable(map(_NAME.findall, lines)))


def names_in(lines: Sequence[str]) -> set[str]:
    """The names that these lines of C use or define; the fields of structs are not among them."""
    return {*mentions(lines)}


def bare(text: str) -> str:
    """An expression without the brackets round it."""
    if not text.startswith("(") or text.startswith("({"):
        return text
    is_whole = next(_groups(text)) == (0, len(text) - 1)
    return text[1:-1] if is_whole else text


_RELATIONS: Final = {"==", "!=", "<", ">", "<=", ">="}
_OPERATOR: Final = re.compile(r" ([^\w\s]+) ")


def in_chain(text: str, sign: str) -> str:
    """An operand of an operator that can be chained, such as `&&`, without the brackets that nobody needs: round the
    same operator, and round relations between tests.
    """
    inner = bare(text)
    found = {*_OPERATOR.findall(_outside_of_brackets(inner))}
    allowed = {sign} | (_RELATIONS if sign in ("&&", "||") else set())
    return inner if found <= allowed else text


def in_conditional(text: str) -> str:
    """The last operand of a conditional, without the brackets round another conditional: `a ? 1 : b ? 2 : 3`."""
    inner = bare(text)
    return inner if " ? " in _outside_of_brackets(inner) else text


def _outside_of_brackets(text: str) -> str:
    """The text with blanks for what is in brackets."""
    outside = [*text]
    for opener, closer in _groups(text):
        outside[opener : closer + 1] = " " * (closer + 1 - opener)
    return "".join(outside)


def address(place: str) -> str:
    """The address of a variable, or of what a pointer leads to."""
    pointer = bare(place).removeprefix("*")
    return pointer if place == f"(*{pointer})" and pointer.isidentifier() else f"&{place}"


def opposite(test: str) -> str:
    """The opposite of a test."""
    if test.startswith("!"):
        return test[1:]
    equation = bare(test)
    outside = _outside_of_brackets(equation)
    if equation != test and _OPERATOR.findall(outside) == ["=="]:
        at = outside.index(" == ")
        return f"({equation[:at]} != {equation[at + len(' == ') :]})"
    return f"!{test}"


def comment(text: str) -> str:
    """A text as a comment."""
    text = text.replace("*/", "* /").replace("/*", "/ *").replace("\\", "\\ ").replace("\r", " ")
    return f"/* {text} */".replace("\n", "\n   ")
