"""A text at every stage of the compiler: what `cplc --emit` and `cpl check --types` print, and `cpl.stages` shows."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Final

from cpl.compiler import pipeline
from cpl.compiler.diagnostics import CplError
from cpl.compiler.pipeline import Meaning
from cpl.compiler.semantics import core, walk
from cpl.compiler.source import Source, Span
from cpl.compiler.syntax import nodes
from cpl.compiler.syntax.layout import lay_out
from cpl.compiler.types.types import shape_names, written
from cpl.outside import escape, printable
from cpl.study.views.listing import coloured
from cpl.study.views.style import LISTINGS, fragment


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
        body = "".join(
            f"<details{' open' * (name in _OPEN)}><summary>{_TITLES[name]}</summary>"
            f'<pre tabindex="0">{_listing(name, text)}</pre></details>\n'
            for name, text in self.to_dict().items()
        )
        return fragment("stages", _STYLE, body)

    def to_dict(self) -> dict[str, str]:
        """Return the stages by their names, in order."""
        return dict(vars(self))


def stages(text: str, *, path: str = "<text>", reading: pipeline.ReadingOption = None) -> Stages:
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
    lines = [
        f"{token.span.line}:{token.span.column}".ljust(8) + f"{token.kind:14} {printable(token.span.text)}"
        for token in layout.tokens
    ]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def surface_tree(program: nodes.Program) -> str:
    """Return the tree of what is written, indented."""
    return dump(program) + "\n"


def core_tree(program: core.Program) -> str:
    """Return the tree of what is meant, indented, in the order of evaluation."""
    return "".join(f"{dump(definition)}\n" for definition in program.definitions)


def type_lines(meaning: Meaning, wanted: Collection[str] = ()) -> Iterator[str]:
    """Yield a line for each definition of the program's own text, in its order, after those of the shapes that they
    name. With `wanted`, yield those of these names only.

    What is known of the whole program decides, its companions included.
    """
    ordered = sorted(meaning.core.definitions, key=lambda definition: definition.span.start)
    values = [part for part in ordered if not isinstance(part, core.NodeType | core.ElementType)]
    names = [(name, part) for part in values for name in walk.names(part) if isinstance(name, core.Global)]
    inferred = [(name, meaning.facts.shown.type_of(name, part)) for name, part in names if not name.is_hidden]
    types = {name: type for name, type in inferred if type is not None}
    shapes = shape_names({name.name: type for name, type in types.items()}, {name.name for name in types})
    shown = {name: type for name, type in types.items() if name.span.source is meaning.main.source}
    lines = {name.name: written(type, shapes) for name, type in shown.items() if not wanted or name.name in wanted}
    named = {
        name: written(type, {other: alias for other, alias in shapes.items() if other != type})
        for type, name in shapes.items()
        if name in wanted or any(name in re.split(r"[,() ]", line) for line in lines.values())
    }
    yield from (f"{name} = {shape}" for name, shape in named.items())
    if named and lines:
        yield ""
    yield from (f"{name} : {line}" for name, line in lines.items())


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
    """A node a line, its plain fields beside its name and its children under it. Texts that repr leaves out are shown
    where there are any.
    """
    return "\n".join(_lines(node, "", 0))


def _lines(node: Any, label: str, depth: int) -> Iterator[str]:
    if isinstance(node, tuple):
        children = [("", item) for item in node if _has_parts(item)]
        head = ("" if label else "tuple") if children else f"({', '.join(map(repr, node))})"
    else:
        shown = _shown(node)
        children = [(name, value) for name, value in shown.items() if _has_parts(value)]
        plain = [f" {name}={value!r}" for name, value in shown.items() if not _has_parts(value)]
        place = f"  @{node.span.line}:{node.span.column}" if isinstance(getattr(node, "span", None), Span) else ""
        head = f"{type(node).__name__}{''.join(plain)}{place}"
    yield f"{'  ' * depth}{f'{label}: ' if label else ''}{head}".rstrip()
    for name, value in children:
        yield from _lines(value, name, depth + 1)


def _shown(node: Any) -> dict[str, Any]:
    """The fields of a node by their names, but for places, and what repr leaves out unless it is a text."""
    values = [(item, getattr(node, item.name)) for item in fields(node) if item.name != "span"]
    return {item.name: value for item, value in values if item.repr or (isinstance(value, str) and value)}


def _has_parts(value: Any) -> bool:
    return is_dataclass(value) or (isinstance(value, tuple) and bool(value))
