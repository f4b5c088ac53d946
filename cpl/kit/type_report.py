"""The types of a program's definitions, as lines for a reader: the shapes that have names, then the definitions."""

from collections.abc import Collection, Iterator

from cpl.compiler import Meaning
from cpl.semantics import core, walk
from cpl.types.format import written
from cpl.types.type_aliases import shape_names
from cpl.types.types import Type


def type_lines(meaning: Meaning, wanted: Collection[str] = ()) -> Iterator[str]:
    """A line for each definition of the program's own text, in its order, after those of the shapes that they name.
    With `wanted`, for definitions and shapes of these names only.

    What is known of the whole program decides, its companions included.
    """
    facts = meaning.facts
    types: dict[core.Global, Type] = {}
    for one in sorted(meaning.core.definitions, key=lambda each: each.span.start):
        for name in walk.names(one) if not isinstance(one, core.NodeType | core.ElementType) else ():
            if isinstance(name, core.Global) and not name.is_hidden and (type := facts.type_of(name, one)) is not None:
                types[name] = type
    shapes = shape_names({name.name: type for name, type in types.items()}, {name.name for name in types})
    shown = {name: type for name, type in types.items() if name.span.source is meaning.main.source}
    lines = {name.name: written(type, shapes) for name, type in shown.items() if not wanted or name.name in wanted}
    named = {
        name: written(type, {other: each for other, each in shapes.items() if other != type})
        for type, name in shapes.items()
        if name in wanted
        or any(name in line.replace(",", " ").replace("(", " ").replace(")", " ").split() for line in lines.values())
    }
    yield from (f"{name} = {shape}" for name, shape in named.items())
    if named and lines:
        yield ""
    yield from (f"{name} : {line}" for name, line in lines.items())
