"""The passes in their order, and what runs them."""

from collections.abc import Callable, Collection
from typing import Final

from cpl.optimise.bits import bits
from cpl.optimise.trees import unshared
from cpl.semantics import core
from cpl.types.facts import Facts

Pass = Callable[[core.Program, Facts], core.Program]

PASSES: Final[dict[str, Pass]] = {
    "bits": bits,
}


def optimised(program: core.Program, without: Collection[str] = ()) -> core.Program:
    """A program that does the same and is faster. `without` names passes that are left out."""
    for name, run in PASSES.items():
        if name not in without:
            program = unshared(run(program, Facts(program)))
    return program
