"""One text at every stage of the compiler, as text: what `cplc --emit` prints, and `cpl.stages` shows in a notebook."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpl import compiler
from cpl.diagnostics import CplError
from cpl.display import drawn_by
from cpl.kit.type_report import type_lines
from cpl.outside import printable
from cpl.source import Source
from cpl.syntax.layout import lay_out
from cpl.tree_dump import dump

if TYPE_CHECKING:
    from cpl.semantics import core
    from cpl.syntax import nodes


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
    _repr_html_ = drawn_by("cpl.views.stages:as_html")

    def to_dict(self) -> dict[str, str]:
        """The stages by their names, in order."""
        return dict(vars(self))


def stages(text: str, *, path: str = "<text>", reading: compiler.Wanted = None) -> Stages:
    """Take a text through every stage. Raises CplError if it does not compile, ValueError if the reading is unknown."""
    source = Source(path, text)
    compiled = compiler.compile_source(source, compiler.Options(reading=reading))
    return Stages(
        text,
        token_lines(source),
        surface_tree(compiled.surface),
        core_tree(compiled.core),
        "".join(f"{line}\n" for line in type_lines(compiled.meaning)),
        compiled.python,
    )


def token_lines(source: Source) -> str:
    """A token a line; those of no width, which the layout pass puts in, have no text. Raises CplError."""
    layout = lay_out(source)
    if layout.diagnostics:
        raise CplError(layout.diagnostics)
    lines = [
        f"{token.span.line}:{token.span.column}".ljust(8) + f"{token.kind:14} {printable(token.span.text)}"
        for token in layout.tokens
    ]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def surface_tree(program: "nodes.Program") -> str:
    """The tree of what is written, indented."""
    return dump(program) + "\n"


def core_tree(program: "core.Program") -> str:
    """The tree of what is meant, indented, in the order of evaluation."""
    return "".join(f"{dump(definition)}\n" for definition in program.definitions)
