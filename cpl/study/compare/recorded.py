"""Replay a recorded session with a program, and find which of its examples still hold.

A session is a text for Python's doctest, whose names are those of the loaded module.
"""

import doctest
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from cpl.compiler.diagnostics import Error
from cpl.study.compare.report import Labelled, Part, Summary
from cpl.study.run.limited import Stopped, outcome


@dataclass(frozen=True)
class Replayed:
    """One example: its line in the session, what was typed, what it gave then, and what it gives now."""

    line: int
    typed: str
    recorded: str
    found: str
    holds: bool


def examples(session: str) -> list[doctest.Example]:
    """Return the examples of a session. Raises Error if the text is not a session."""
    try:
        return doctest.DocTestParser().get_examples(session)
    except ValueError as error:
        raise Error(f"the examples are not understood: {error}") from None


def replay(
    names: Mapping[str, Any], recorded: Sequence[doctest.Example], *, seconds: float | None = None
) -> Iterator[Replayed]:
    """Run the examples in order; later ones see what an earlier one defines. Blanks and line ends may differ.

    An example that raises gives the exception instead of a value. One that takes more than so many seconds is stopped,
    and gives a line that says so; without `seconds` there is no limit. Examples that are marked to be skipped are left
    out.
    """
    runner = _Runner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    defined = dict(names)
    for example in recorded:
        if example.options.get(doctest.SKIP):
            continue
        test = doctest.DocTest([example], defined, "session", None, 0, None)
        run = partial(runner.run, test, out=lambda _: None, clear_globs=False)
        if seconds is None:
            run()
        else:
            stopped = outcome(run, seconds=seconds).fault
            if stopped:  # in doctest's own code: it reports an example that is stopped, as any exception
                runner.outcome = stopped, False
        defined = test.globs
        text, holds = runner.outcome
        yield Replayed(example.lineno + 1, example.source.rstrip(), example.want.rstrip(), text.rstrip(), holds)


def report(replayed: Sequence[Replayed]) -> Iterator[Part]:
    """Yield the examples that fail, and how many hold."""
    for example in replayed:
        if not example.holds:
            facts = [("expected", example.recorded), ("found", example.found)]
            yield Labelled(f"line {example.line}: {example.typed}", facts)
    holding = sum(example.holds for example in replayed)
    of_all = "1 example holds" if len(replayed) == 1 else f"{len(replayed)} examples hold"
    yield Summary(f"{holding} of {of_all}")


class _Runner(doctest.DocTestRunner):
    """A runner that stores what doctest would print of the last example."""

    outcome = "", False

    def report_success(self, _out: Any, _test: Any, _example: Any, got: str) -> None:
        """Store what an example that holds gave."""
        self.outcome = got, True

    def report_failure(self, _out: Any, _test: Any, _example: Any, got: str) -> None:
        """Store what an example gave instead of what was expected."""
        self.outcome = got, False

    def report_unexpected_exception(self, _out: Any, _test: Any, _example: Any, exc_info: Any) -> None:
        """Store the exception that an example raised."""
        error = exc_info[1]
        text = str(error) if isinstance(error, Stopped) else traceback.format_exception_only(error)[-1]
        self.outcome = text, False
