"""The passes in their order, and what runs them."""

from collections.abc import Callable, Collection
from typing import Final

from cpl.optimise.append import append
from cpl.optimise.bits import bits
from cpl.optimise.common import common
from cpl.optimise.gather import gather
from cpl.optimise.guard import guard
from cpl.optimise.hoist import hoist
from cpl.optimise.inline import inline
from cpl.optimise.iterate import iterate
from cpl.optimise.loops import loops
from cpl.optimise.share import share
from cpl.optimise.signs import signs
from cpl.optimise.sink import sink
from cpl.optimise.specialise import specialise
from cpl.optimise.trees import unshared, with_changing
from cpl.optimise.unroll import unroll
from cpl.records import replace
from cpl.semantics import core, walk
from cpl.types.facts import Facts

Pass = Callable[[core.Program, Facts], core.Program]

PASSES: Final[tuple[tuple[str, Pass], ...]] = (
    ("bits", bits),
    ("unroll", unroll),
    ("append", append),
    ("inline", inline),
    ("unroll", unroll),
    ("specialise", specialise),
    ("inline", inline),
    ("gather", gather),
    ("loops", loops),
    ("iterate", iterate),
    ("inline", inline),
    ("hoist", hoist),
    ("signs", signs),
    ("common", common),
    ("hoist", hoist),
    ("sink", sink),
    ("guard", guard),
    ("sink", sink),
    ("share", share),
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
