"""A text at every stage of the compiler: what `cplc --emit` and `cpl check --types` print, and `cpl.stages` shows."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Final

from cpl.compiler import pipeline
from cpl.compiler.diagnostics import CplError
from cpl.compiler.pipeline import Meaning
from cpl.compiler.readings import ReadingOption
from cpl.compiler.semantics import core, walk
from cpl.compiler.source import Source, Span
from cpl.compiler.syntax import nodes
from cpl.compiler.syntax.layout import lay_out
from cpl.compiler.types.types import Type, shape_names, written
from cpl.outside import escape, printable
from cpl.study.views.listing import coloured
from cpl.study.views.page_style import LISTINGS, fragment


@dataclass(frozen=True, repr=False)
class Stages:
    """A text of CPL and what each stage of the compiler makes of it, each as text.

    `tokens` has a line for each token with its place; `surface` is the tree of what is written, `core` that of what is
    meant; `types` are those of the definitions as Strachey writes them; `python` is the module.
    """

    cpl: str
    tokens: str
    surface: str
    core: str
    types: str
    python: str

    def __str__(self) -> str:
        return "\n".join(f"{name}\n{'-' * len(name)}\n{text}" for name, text in self.to_dict().items())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        body = ""
        for name, text in self.to_dict().items():
            tag = "<details open>" if name in _OPEN else "<details>"
            listing = f'<pre tabindex="0">{_listing(name, text)}</pre>'
            body += f"{tag}<summary>{_TITLES[name]}</summary>{listing}</details>\n"
        return fragment("stages", _STYLE, body)

    def to_dict(self) -> dict[str, str]:
        """Return the stages by their names, in order."""
        return dict(vars(self))


def stages(text: str, *, path: str = "<text>", reading: ReadingOption = None) -> Stages:
    """Take a text through every stage. Raises CplError if it does not compile, ValueError if the reading is unknown."""
    source = Source(path, text)
    compiled = pipeline.compile_source(source, pipeline.Options(reading=reading))
    return Stages(
        text,
        token_lines(source),
        surface_tree(compiled.surface),
        core_tree(compiled.core),
        "".join(f"{line}\n" for line in type_lines(compiled.meaning)),
        compiled.python,
    )


def token_lines(source: Source) -> str:
    """Return a line for each token; those of no width, which the layout pass adds, have no text. Raises CplError."""
    layout = lay_out(source)
    if layout.diagnostics:
        raise CplError(layout.diagnostics)
    lines = ""
    for token in layout.tokens:
        place = f"{token.span.line}:{token.span.column}"
        line = f"{place:8}{token.kind:14} {printable(token.span.text)}"
        lines += f"{line.rstrip()}\n"
    return lines


def surface_tree(program: nodes.Program) -> str:
    """Return the tree of what is written, indented."""
    return dump(program) + "\n"


def core_tree(program: core.Program) -> str:
    """Return the tree of what is meant, indented, in the order of evaluation."""
    return "".join(f"{dump(definition)}\n" for definition in program.definitions)


def type_lines(meaning: Meaning, wanted: Collection[str] = ()) -> Iterator[str]:
    """Yield a line for each definition of the program's own text, in its order, after those of the shapes that they
    name. With `wanted`, yield those of these names only. For example:

        Position = (logical, logical, logical, integer)

        LegalPositionsFrom : Position ⇒ Position list

    Shapes are named by all types of the program, its companions included.
    """
    types = _types(meaning)
    aliases = shape_names({name.name: type for name, type in types.items()}, {name.name for name in types})

    lines: dict[str, str] = {}
    for name, type in types.items():
        if name.span.source is meaning.main.source and (not wanted or name.name in wanted):
            lines[name.name] = written(type, aliases)

    names_in_lines: set[str] = set()
    for line in lines.values():
        names_in_lines.update(re.split(r"[,() ]", line))
    shapes: dict[str, str] = {}
    for type, alias in aliases.items():
        if alias in wanted or alias in names_in_lines:
            others = {other: its_alias for other, its_alias in aliases.items() if other != type}
            shapes[alias] = written(type, others)

    for alias, shape in shapes.items():
        yield f"{alias} = {shape}"
    if shapes and lines:
        yield ""
    for defined, line in lines.items():
        yield f"{defined} : {line}"


def _types(meaning: Meaning) -> dict[core.Global, Type]:
    """Return the types of all values that a program defines, in the order of the texts, as far as they are known."""
    types = {}
    for definition in sorted(meaning.core.definitions, key=lambda definition: definition.span.start):
        if isinstance(definition, core.NodeType | core.ElementType):
            continue
        for name in walk.names(definition):
            if isinstance(name, core.Global) and not name.is_hidden:
                type = meaning.facts.shown.type_of(name, definition)
                if type is not None:
                    types[name] = type
    return types


_TITLES: Final = {
    "cpl": "CPL",
    "tokens": "Tokens",
    "surface": "Surface tree: what is written",
    "core": "Core tree: what is meant",
    "types": "Types",
    "python": "Python",
}
_OPEN: Final = ("cpl", "python")


def _listing(name: str, text: str) -> str:
    text = text.rstrip("\n")
    return "\n".join(coloured(text, python=name == "python")) if name in _OPEN else escape(text)


_STYLE: Final = (
    LISTINGS
    + """\
details { margin: 4px 0; }
summary { cursor: pointer; font-weight: 600; }
pre { margin: 4px 0 8px; padding: 6px 10px; border: 1px solid var(--line); border-radius: 3px; background: var(--card);
  color: var(--ink); overflow-x: auto; white-space: pre; }
"""
)


# Trees as indented text


def dump(node: Any) -> str:
    """Return a node a line, its plain fields beside its name and its children below it, as in

        Definition words=() sign='='  @1:1
          heading: FunctionHeading square=False  @1:1
            name: Name name='F'  @1:1

    Fields that repr leaves out are shown if they are texts.
    """
    return "\n".join(_lines(node, "", 0))


def _lines(node: Any, label: str, depth: int) -> Iterator[str]:
    children: list[tuple[str, Any]] = []
    if isinstance(node, tuple):
        children += [("", item) for item in node if _has_parts(item)]
        head = _tuple_head(node, label, bool(children))
    else:
        head = type(node).__name__
        for name, value in _shown(node).items():
            if _has_parts(value):
                children.append((name, value))
            else:
                head += f" {name}={value!r}"
        span = getattr(node, "span", None)
        if isinstance(span, Span):
            head += f"  @{span.line}:{span.column}"

    indent = "  " * depth
    yield f"{indent}{label}: {head}".rstrip() if label else f"{indent}{head}".rstrip()
    for name, value in children:
        yield from _lines(value, name, depth + 1)


def _tuple_head(values: tuple[Any, ...], label: str, has_children: bool) -> str:
    """Return the line of a tuple: its values, unless they have lines of their own below it."""
    if not has_children:
        return f"({', '.join(map(repr, values))})"
    return "" if label else "tuple"


def _shown(node: Any) -> dict[str, Any]:
    """Return the fields of a node by their names, without places, and without those that repr leaves out unless they
    are texts.
    """
    shown = {}
    for item in fields(node):
        value = getattr(node, item.name)
        is_text = isinstance(value, str) and value != ""
        if item.name != "span" and (item.repr or is_text):
            shown[item.name] = value
    return shown


def _has_parts(value: Any) -> bool:
    return is_dataclass(value) or (isinstance(value, tuple) and bool(value))
