"""Compare two programs: their texts in, all that differs out. `cpl diff` and notebooks call this."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from cpl import compiler, loader
from cpl.compiler import Libraries, Meaning, Options, Wanted
from cpl.diagnostics import Invalid
from cpl.kit.behaviour import Behaviour, FunctionComparison
from cpl.kit.difference import Difference, difference
from cpl.kit.loaded_program import load
from cpl.kit.sharing import shared
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
    jobs: int = 1,
    cluster: str | None = None,
) -> Difference:
    """What differs between two programs: their definitions, and what their functions do.

    A program is a path, the name of a packaged program, or a `Source`; if one wrong token stops it from compiling, it
    is repaired. Functions of the same name are run on the same inputs, about so many each. Another `seed` gives other
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
        compiler.understand(loader.program(program), Options(way, libraries, repair=True))
        for program, way in zip((before, after), ways, strict=True)
    )
    task = _Comparison(one, other, inputs, seed, ordered)
    names = task.loaded.names
    for name in functions:
        if name not in names:
            raise Invalid(f"no function {name} is defined on both sides")
    task.explore(track)
    wanted = [name for name in names if not functions or name in functions]
    leading = task.loaded.leading
    others = [name for name in wanted if name not in leading]
    with shared(task, jobs, cluster) as ask:
        found = dict(track(ask([_Question(name) for name in leading]), "comparing", len(leading)))
        pairs = [pairs for behaviour in found.values() for pairs in (behaviour.witness, behaviour.failure) if pairs]
        hints = tuple([(pair[0].function, pair[0].arguments) for pair, *_ in pairs])
        found |= dict(track(ask([_Question(name, hints) for name in others]), "comparing", len(others)))
    behaviours = {question.name: behaviour for question, behaviour in found.items()}
    return difference(
        task.loaded.one,
        task.loaded.other,
        [behaviours[name] for name in wanted],
        ordered=ordered,
        seed=seed,
        typed=[*map(loader.called, (before, after))],
        readings=ways != (None, None),
    )


@dataclass(frozen=True)
class _Question:
    """How a function behaves; `hints` are functions and arguments that show a difference."""

    name: str
    hints: tuple[tuple[str, tuple[Any, ...]], ...] = field(default=(), compare=False)


class _Comparison:
    """What is asked of the functions of two programs. Where a copy of this arrives, all is found anew, and the same."""

    def __init__(self, one: Meaning, other: Meaning, inputs: int, seed: int, ordered: bool) -> None:
        self.settings = one, other, inputs, seed, ordered
        self._is_explored = self._has_learnt = False

    def __reduce__(self) -> tuple[Any, ...]:
        return _Comparison, self.settings

    @cached_property
    def loaded(self) -> FunctionComparison:
        """Both programs, before anything is compared."""
        one, other, inputs, seed, ordered = self.settings
        return FunctionComparison(load(one), load(other), inputs, seed, ordered)

    def explore(self, track: Track = untracked) -> None:
        """Find inputs for all functions, once."""
        if not self._is_explored:
            for name in track(self.loaded.names, "looking for inputs", len(self.loaded.names)):
                self.loaded.explore(name)
            self.loaded.choose()
            self._is_explored = True

    def answer(self, question: _Question) -> Behaviour:
        """How a function behaves on both sides."""
        self.explore()
        if question.hints and not self._has_learnt:
            for function, arguments in question.hints:
                self.loaded.learn(function, arguments)
            self.loaded.choose()
            self._has_learnt = True
        return self.loaded.compare(question.name)
