"""Which notations the rows of the evidence show, by the grammar: a page that calls another one attested is wrong."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from conftest import ROOT
from lark import Tree

from cpl.compiler.semantics import library
from cpl.compiler.source import Source
from cpl.compiler.syntax.layout import lay_out
from cpl.compiler.syntax.lexer import Token, tokenize
from cpl.compiler.syntax.parser import tree_of

CODE = r"[LTEDCSOG]\d+[ab]?"
SHOWS = {"attested": r"\bV[12]\b(?! \(prose)", "described": r"\b(?:V[12]|P)\b"}
"""The confidence of rows that show a notation, by what is said of it."""


class Row(NamedTuple):
    """What a row of the evidence says of itself; `shown` are the notations in it."""

    shown: tuple[str, ...]
    dialect: str
    confidence: str


def cells(line: str) -> list[str]:
    """Of a row of a table."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def quoted(text: str) -> tuple[str, ...]:
    """What stands in it as code, bold, or as a word in quotes."""
    return tuple(map("".join, re.findall(r"`([^`]+)`|\*\*([^*]+)\*\*|'(\w+)'", text.replace(r"\|", "|"))))


EVIDENCE = {
    row[0]: Row(quoted(f"{row[1]} {row[2]}"), *row[-2:])
    for line in (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8").splitlines()
    if re.match(rf"\| {CODE} \|", line)
    for row in [cells(line)]
}


def is_of(dialect: str, year: str) -> bool:
    """Whether a row of the evidence speaks of that year: by name, in a range, or because it names none."""
    named = re.findall(r"\d{4}", dialect)
    spans = [(first, first[:2] + last) for first, last in re.findall(r"(\d{4})–(\d\d)\b", dialect)]
    return not named or year in named or any(first <= year <= last for first, last in spans)


class Form(NamedTuple):
    """A notation in a page, the years that stand before it, and the remark in its clause."""

    text: str
    years: tuple[str, ...]
    remark: str


def forms(text: str) -> Iterator[Form]:
    """Those of a section of the language reference."""
    section = re.search(r"^Form\b(?:.+\n)*", text, re.MULTILINE)
    years: tuple[str, ...] = ()
    for clause in re.findall(r"(?:`[^`]*`|[^`;])+", section[0] if section else ""):
        words = re.sub("`[^`]*`", "", clause)
        if said := re.search(r"\((\d{4}(?:, \d{4})*)\)", words):
            years = tuple(said[1].split(", "))
        remark = re.search(rf"\bours?\b|\bdescribed\b|\binferred from((?:,? {CODE})+)|\bnot known\b", words)
        for notation in re.findall("`([^`]+)`", clause):
            yield Form(notation, years, remark[0] if remark else "")


def lacking(form: str, codes: list[str], mark: str, years: tuple[str, ...] = ()) -> list[str]:
    """The parts of a form that none of these rows of the evidence shows, for one of the years."""
    missing = []
    for year in years or ("",):
        rows = [EVIDENCE[code] for code in codes if re.search(SHOWS[mark], EVIDENCE[code].confidence)]
        shown = [notation for row in rows if is_of(row.dialect, year) or not year for notation in row.shown]
        if any(_signs(form) in _signs(notation) for notation in shown):
            continue
        there = {shape for notation in shown for shape in shapes(notation)}
        missing += [
            " ".join(shape) for shape in shapes(form) if not any(_fits(shape, shape_shown) for shape_shown in there)
        ]
        names = {*re.findall(r"\b[A-Z]\w+", form)} & _STANDARD
        missing += [] if shapes(form) else [form]
        missing += [name for name in names if not any(name in notation for notation in shown)]
    return missing


_STANDARD = library.HOST.keys() | set(
    re.findall(r"^[A-Z]\w*", (ROOT / "programs" / "library" / "standard.cpl").read_text(encoding="utf-8"), re.MULTILINE)
)
"""Names that stand for what they say, and not for any others."""

# Shapes -----------------------------------------------------------------------------------------------------------

Shape = tuple[str, ...]

_WRAPS = ("{}", "{} §|", "§ {}", "let z = {}", "F {} = Dots", "{} z", "let F {} be Dots", "Dots {}")
"""What is no statement becomes one."""
_SILENT = ("chain", "value_command", "values", "targets", "type", "named_type", "mode")
"""Rules that say nothing if they stand round one part."""


def _spelt(form: str) -> str:
    """As our grammar has it: with a name for what is left out or said in words, and e for e1."""
    form = re.sub(r"\b([bce]|[εγ])\d", r"\1", form).replace("⏎", "\n").replace("= list", "= Dots")
    form = form.replace("Type NumberOfDims array Name", "real 2 array Name")
    return re.sub(r"…|\. \. \.|\.{3,4}", "\nDots\n", form)


def _signs(form: str) -> str:
    text = _spelt(form)
    return " ".join(["", *(text[token.span.start : token.span.end] for token in tokenize(Source("form", text))[0]), ""])


@cache
def shapes(form: str) -> frozenset[Shape]:
    """The rules of the grammar that a notation uses, each with its words and signs and the kinds of its parts; of what
    is repeated, two.
    """
    result: set[Shape] = set()
    for wrap in _WRAPS:
        text = wrap.format(_spelt(form))
        layout = lay_out(Source("form", text))
        if not layout.diagnostics:
            tree, _ = tree_of(layout.tokens)
            if tree:
                _add_shapes(tree, text, result)
                return frozenset(result)
    return frozenset()


def _plain(part: Tree[Token] | Token) -> Tree[Token] | Token:
    while isinstance(part, Tree) and part.data in _SILENT and len(part.children) == 1:
        part = part.children[0]
    return part


def _add_shapes(part: Tree[Token] | Token, text: str, result: set[Shape]) -> None:
    part = _plain(part)
    if isinstance(part, Token) or part.data == "name":
        return

    def kind(child: Tree[Token] | Token) -> str:
        child = _plain(child)
        if isinstance(child, Tree):
            return "name" if child.data == "number" else str(child.data)
        if child.kind in ("SMALL", "LARGE", "NUMBER"):
            return "name"
        sign = " ".join(child.span.text.split())
        if child.kind in ("OPEN", "CLOSE"):
            sign = re.sub(r"[\d.]+", "1", sign).rstrip("|" if child.kind == "CLOSE" else "")
        return f"sign {sign}"

    kinds = [kind(child) for child in part.children]
    match part.data:
        case "program":
            pass
        case "chain":
            result |= {
                ("chain", "between" if at else "before", sign) for at, sign in enumerate(kinds) if sign[:4] == "sign"
            }
        case "section":
            result.add(("section", kinds[0], kinds[-1]))
        case rule:
            between = ("sign ,", "sign with", "sign or")
            for at in range(len(kinds) - 3, 0, -1):
                if kinds[at] in between and kinds[at] == kinds[at + 2]:
                    del kinds[at : at + 2]
            result.add((str(rule), *kinds))
    for child in part.children:
        _add_shapes(child, text, result)


def _fits(shape: Shape, shown: Shape) -> bool:
    """A name stands for any expression or command."""
    return (
        len(shape) == len(shown)
        and shape[0] == shown[0]
        and all(
            a == b or "name" in (a, b) and not (a + b).count("sign") for a, b in zip(shape[1:], shown[1:], strict=True)
        )
    )
