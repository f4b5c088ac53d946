"""The passes in their order, and what runs them."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Final

from cpl.fast.bits import bits
from cpl.fast.inline import inline
from cpl.fast.loops import loops
from cpl.fast.specialise import specialise
from cpl.fast.trees import unshared, with_changing
from cpl.semantics import core, walk
from cpl.types.facts import Facts

Pass = Callable[[core.Program, Facts], core.Program]

STAGES: Final[tuple[tuple[tuple[str, Pass], ...], ...]] = (
    (("bits", bits),),
    (("inline", inline), ("specialise", specialise), ("inline", inline)),
    (("loops", loops), ("inline", inline)),
)
"""The passes, each with the name that `--without` gives it. Types are inferred once for a stage: what a pass leaves as
it is keeps its type, and of what a pass has made nothing is known until the next stage.
"""

NAMES: Final = tuple(dict.fromkeys(name for stage in STAGES for name, _ in stage))


def optimised(program: core.Program, facts: Facts, without: Collection[str] = ()) -> core.Program:
    """Return a program that does the same and is faster. `facts` are the types of the given one, and `without` names
    passes that are left out.

    Raises ValueError if there is no such pass.
    """
    for name in without:
        if name not in NAMES:
            raise ValueError(f"unknown pass {name!r}: the passes are {', '.join(NAMES)}")
    nodes = (node for definition in program.definitions for node in walk.nodes(definition))
    passed_on = frozenset(node.name for node in nodes if isinstance(node, core.Host))
    for stage in STAGES:
        for name, run in stage:
            if name not in without:
                program = unshared(run(program, facts))
        program = with_changing(program) if stage is STAGES[0] else program  # the names have their last spelling then
        facts = Facts(program)
    return replace(program, in_order=False, passed_on=passed_on)
