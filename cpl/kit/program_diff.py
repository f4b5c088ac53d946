"""Compare two programs: their texts in, all that differs out. `cpl diff` and notebooks call this."""

from collections.abc import Sequence
from pathlib import Path

from cpl import compiler, loader
from cpl.compiler import Libraries, Wanted
from cpl.diagnostics import Invalid
from cpl.kit.behaviour import FunctionComparison
from cpl.kit.difference import Difference, difference
from cpl.kit.loaded_program import load
from cpl.kit.tracking import Track, untracked
from cpl.source import Source


def diff(
    before: str | Path | Source,
    after: str | Path | Source,
    *,
    inputs: int = 100,
    seed: int = 0,
    ordered: bool = True,
    functions: Sequence[str] = (),
    reading: Wanted = None,
    reading_b: Wanted = None,
    libraries: Libraries = (),
    track: Track = untracked,
) -> Difference:
    """What differs between two programs: their definitions, and what their functions do.

    A program is a path, the name of a packaged program, or a `Source`; if one wrong token stops it from parsing, it is
    repaired. Functions of the same name are run on the same inputs, about so many each. Another `seed` gives other
    inputs, and if not `ordered`, the order of lists is ignored. The result is about these `functions` (CPL names), or
    about all of them. `reading` says how to read both programs, and `reading_b` the second one if that is another way.

    The result is printed as `cpl diff` reports it, and notebooks show it as its page does.

    Raises CplError if a text is at fault, Unreadable if a file cannot be read, ValueError if a reading is unknown, no
    such function is on both sides, or there are to be no inputs.
    """
    if inputs < 1:
        raise ValueError(f"functions are compared on 1 input or more, not {inputs}")
    ways = (reading, reading_b or reading)
    one, other = (
        load(compiler.understand(loader.program(program), libraries, reading=way, repair=True))
        for program, way in zip((before, after), ways, strict=True)
    )
    comparison = FunctionComparison(one, other, inputs, seed, ordered)
    names = comparison.names
    for name in functions:
        if name not in names:
            raise Invalid(f"no function {name} is defined on both sides")
    for name in track(names, "looking for inputs", len(names)):
        comparison.explore(name)
    found = {name: comparison.compare(name) for name in track(names, "comparing", len(names))}
    return difference(
        one,
        other,
        [found[name] for name in names if not functions or name in functions],
        ordered=ordered,
        seed=seed,
        typed=[*map(loader.called, (before, after))],
        readings=ways != (None, None),
    )
