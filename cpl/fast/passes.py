"""The passes in their order, and what runs them."""

from collections.abc import Callable, Collection
from typing import Final

from cpl.fast.append import append
from cpl.fast.bits import bits
from cpl.fast.gather import gather
from cpl.fast.inline import inline
from cpl.fast.loops import loops
from cpl.fast.signs import signs
from cpl.fast.specialise import specialise
from cpl.fast.trees import unshared, with_changing
from cpl.records import replace
from cpl.semantics import core, walk
from cpl.types.facts import Facts

Pass = Callable[[core.Program, Facts], core.Program]

PASSES: Final[tuple[tuple[str, Pass], ...]] = (
    ("bits", bits),
    ("append", append),
    ("inline", inline),
    ("specialise", specialise),
    ("inline", inline),
    ("gather", gather),
    ("loops", loops),
    ("inline", inline),
    ("signs", signs),
)
"""Each with the name that `--without` gives it."""


NAMES: Final = tuple(dict.fromkeys(name for name, _ in PASSES))


def optimised(program: core.Program, without: Collection[str] = ()) -> core.Program:
    """A program that does the same and is faster. `without` names passes that are left out.

    Raises ValueError if there is no such pass.
    """
    for name in without:
        if name not in NAMES:
            raise ValueError(f"unknown pass {name!r}: the passes are {', '.join(NAMES)}")
    named = (node for one in program.definitions for node in walk.nodes(one))
    passed_on = frozenset(node.name for node in named if isinstance(node, core.Host))
    program = with_changing(replace(program, in_order=False, passed_on=passed_on))
    for name, run in PASSES:
        if name not in without:
            program = unshared(run(program, Facts(program)))
    return program
