"""Properties over random programs and random texts."""

import io
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import partial
from pathlib import Path

import pytest
from cplrt import CplFault, show
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_programs import PARTS, SLOW, Program, programs, try_programs

import cpl
from cpl import compiler, readings
from cpl.semantics import core, walk
from cpl.source import Source

EXAMPLES = int(os.environ.get("CPLC_EXAMPLES", "400"))
NODES = [each for each in vars(core).values() if isinstance(each, type) and issubclass(each, core.Node)]
NODES.remove(core.Node)
NODES.remove(core.Append)  # which only passes make


@contextmanager
def passed_over_if_refused() -> Iterator[None]:
    try:
        yield
    except cpl.CplError as error:
        assume(not {found.code for found in error.diagnostics} <= {"too-deep"})  # as random ones may be
        raise


def outcome(run: Callable[[], str], faults: type[Exception] = CplFault) -> tuple[str, str]:
    """The value as CPL writes it, or how the run ended without one; and what was written meanwhile."""
    written = io.StringIO()
    with redirect_stdout(written):
        try:
            ended = run()
        except faults:
            ended = "fault"
        except SystemExit:
            ended = "finish"
    return ended, written.getvalue()


def evaluated(meaning: compiler.Meaning, *, interpreted: bool) -> str:
    with passed_over_if_refused():
        return show([*compiler.evaluations(meaning, interpreted=interpreted)][-1])


def understood(program: Program) -> compiler.Meaning:
    """Under one of the eight readings; where NIL stands for zeros, it does so."""
    reading = readings.ALL[len(program.text) % len(readings.ALL)]
    texts = [program.text, program.call]
    if reading.nil == "zero":
        texts = [text.replace("Logical(0)", "NIL") for text in texts]
    return compiler.understand(Source("random.cpl", texts[0]), (), texts[1:], reading=reading)


@pytest.mark.parametrize("part", PARTS)
def test_interpreter_and_compiled_python_agree(part: int, measured: Callable[[str], None]) -> None:
    """On programs in which each kind of node of the core occurs a hundred times in five thousand."""
    nodes: Counter[type[core.Node]] = Counter()
    ends: Counter[str] = Counter()

    def agree(program: Program) -> None:
        """The text is read once and run both ways, as reading takes longer than all the rest."""
        with passed_over_if_refused():
            meaning = understood(program)
        judged = outcome(lambda: evaluated(meaning, interpreted=True))
        assert outcome(lambda: evaluated(meaning, interpreted=False)) == judged
        nodes.update(type(node) for definition in meaning.core.definitions for node in walk.nodes(definition))
        ends[judged[0] if judged[0] in ("fault", "finish") else "value"] += 1

    try_programs(agree, part, EXAMPLES)
    rarest = min(NODES, key=lambda kind: nodes[kind])
    measured(
        f"{ends.total()} random programs: {ends['value']} with a value, {ends['fault']} with a fault, "
        f"{ends['finish']} finished; {rarest.__name__} {nodes[rarest]} times, all other kinds of node more often"
    )
    if ends.total() >= 2000:  # in fewer, chance decides
        ends_a_program = rarest in (core.Finish, core.Fail)
        assert nodes[rarest] >= ends.total() / (200 if ends_a_program else 50)


@settings(SLOW, max_examples=8)
@given(programs())
def test_the_text_of_a_module_does_what_the_module_does(program: Program) -> None:
    """Formatted, alone or not: executed as text."""
    source = Source("random.cpl", f"{program.text}Write({program.call})\n")
    with passed_over_if_refused():
        texts = [compiler.compile_source(source, standalone=alone).python for alone in (False, True)]
    wanted = outcome(lambda: str(compiler.load_source(source) and ""))
    for text in texts:
        assert outcome(partial(executed, text), Exception) == wanted


def executed(python: str) -> str:
    exec(compile(python, "out.py", "exec"), {"__name__": "out"})
    return ""


WORDS = """
    § §| ( ) [ ] , → = + - × / ~ ∧ ∨ < > ; ≤ let if then value of result is F Null NIL x σ' 12 3.5 ‘a’ " || ##
""".split()
SIGNS = st.sampled_from([*WORDS, "\n", "\t"])


@settings(SLOW, max_examples=200)
@given(
    st.one_of(
        st.text(max_size=60), st.lists(SIGNS, max_size=40).map(" ".join), st.lists(SIGNS, max_size=40).map("".join)
    )
)
def test_any_text_compiles_or_is_refused(text: str) -> None:
    try:
        compiled = cpl.compile_text(text)
    except cpl.CplError as error:
        assert error.diagnostics
        for found in error.diagnostics:
            assert 0 <= found.span.start <= found.span.end <= len(found.span.source.text)
    else:
        compile(compiled.python, "out.py", "exec")


@settings(SLOW, max_examples=100)
@given(st.text(st.sampled_from('*NSTn\n\t"‘’“” 2é') | st.characters(exclude_categories=["C"]), max_size=12))
def test_a_string_is_read_as_it_is_shown(string: str) -> None:
    meaning = compiler.understand(Source("strings.cpl", ""), (), [show(string)])
    assert [*compiler.evaluations(meaning, interpreted=True)][-1] == string


def test_output_does_not_depend_on_the_process(root: Path) -> None:
    """The same bytes whatever Python's hash seed."""
    program = root / "programs" / "strachey.cpl"
    command = [sys.executable, "-m", "cpl.cli.cplc", str(program), "--standalone"]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", "import sys; from cpl.cli.cplc import main; sys.exit(main())", *command[3:]],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1
