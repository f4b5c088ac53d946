"""Whatever names a program takes, it does the same judged, compiled, as text, and as text with its runtime inside."""

import contextlib
import io
import keyword
import os
import re
import signal
import subprocess
import sys
import tokenize
from collections.abc import Callable
from pathlib import Path
from subprocess import PIPE
from typing import Any

import cplrt
import pytest
from command_line import run
from cplrt import show
from ways import BOTH, Outcome, Ways

from cpl.compiler import pipeline
from cpl.compiler.source import Source

pytestmark = pytest.mark.usefixtures("deep")

WORK = """
    Long(n) = n > 300 → NIL, Join(n,Long(n + 1))
    Both(x,y) = x ∧ y
    Alike(x,y) = x ≡ y
    By(f,n) = f(n + 1)
    Add[ref x] be x := x + 1
    node Pair is Pair : First with Pair : Second
    node Dot is integer Place0
    element One is Dot or Pair
    Lists(n) = ((Long(n),1) = (Long(n),2), Long(n) = Long(n), Null(NIL), MinList(Join(n,NIL),NIL,Join(n,NIL)),
                [Long(n)][0], Next((1,n)))
    Bits(n) = (Logical(5) + Logical(6) = Shift(Logical(14),n), Alike(Logical(3),Logical(1)), ~Both(n = 1,n = 2))
    Numbers(n) = (SqRt(4n), Round(2.5), Entier(-n / 2), Remainder(7,3n), Complex(1,n), ∞ > n, By(SqRt,9n))
    Searching(n) = (Hash((n,[n,‘a’]),9), Clock() - Clock() ≤ 0)
    Strings(n) = (Code(‘a’) + n, SymbolWith(64 + n), StringOf((‘a’,‘b’)))
    Loops(n) = value of § let s = 0; for k = step n,n,300 do s := s + k; result is s §|
    Places(n) = value of
        § let (A, m) = (Array[real,(0,3)], n)
          let p = Pointer(m)
          A[0], A[1] := n, n
          Add[m]
          Add[A[0]]
          result is (m, Follow(p), A[0], Copy(A)[1]) §|
    Nodes(n) = value of
        § let w = One[Pair[n,NIL]]
          Second[w] := Pair[n,n]
          result is (First[w], First[Second[w]], Is[Pair,w], Type[w] = Pair) §|
    Streams(n) = value of
        § let s = StreamOf(‘’)
          Input[StreamOf(‘12 abc -3.5 1e9999 ’)]
          Output[s]
          Write(ReadItem(), ReadItem(), ReadItem(), ReadItem(), Pair[1,n], Pointer(n), Array[real,(0,1)], Logical(n), s)
          Output[NIL]
          result is Symbols(s) §|
    BadRoot(n) = SqRt(-n)
    BadNumber(n) = Exp(1000n)
    BadMember(n) = Head(Null(n = n → NIL,NIL) → NIL,NIL)
    BadPlace(n) = [Array[real,(0,3)]][n]
    BadPointer(n) = Follow(Both(n = 1,true))
    BadSteps(n) = value of § for k = step 1,n - n,2 do Add[k]; result is 1 §|
    BadInput(n) = value of § Input[StreamOf(‘’)]; result is ReadItem() §|
    BadEnd[n] be finish
"""
"""Something of everything that the runtime does; what begins with `Bad` has no value."""

CALLS = [f"{name}(1)" for name in re.findall(r"\n    (\w+)[(\[]n[)\]]", WORK)]
ENDLESS = [call for call in CALLS if not call.startswith("Bad")]


def words_of_the_runtime() -> set[str]:
    """What the text of a module that stands alone says, its comments and strings apart."""
    text = pipeline.compile_source(Source("work.cpl", WORK), pipeline.Options(standalone=True, pretty=False)).python
    return {word.string for word in tokenize.generate_tokens(io.StringIO(text).readline) if word.type == tokenize.NAME}


def taken_names() -> list[str]:
    """What stands in such a module, as far as CPL can write it; also a name of Python that the module does not need."""
    names = {*words_of_the_runtime(), *cplrt.__all__, "Warning"} - {*re.findall(r"\w+", WORK), "Write", "WriteLine"}
    return sorted(name for name in names if re.fullmatch("[A-Z][A-Za-z0-9]*", name) and not keyword.iskeyword(name))


TAKEN: dict[str, Callable[[str], str]] = {
    "nothing": lambda name: "",
    "values": lambda name: f"{name} = 17",
    "functions": lambda name: f"{name}(x) = x + 1",
    "routines": lambda name: f"{name}[x] be WriteLine(x)",
    "variables of the top level": lambda name: f"§ let {name} = 1; {name} := {name} + 1; WriteLine({name}) §|",
    "variables of loops": lambda name: f"for {name} = 1,2 do WriteLine({name})",
    "parameters": lambda name: f"By{name}({name}) = {name} + SqRt({name})\nWriteLine(By{name}(4))",
    "local variables": lambda name: (
        f"By{name}(x) = value of § let {name} = x; {name} := {name} + SqRt(x); result is {name} §|\n"
        f"WriteLine(By{name}(4))"
    ),
    "local functions": lambda name: f"By{name}(x) = {name}(x) where {name}(y) = y + SqRt(x)\nWriteLine(By{name}(4))",
    "nodes": lambda name: f"node {name} is {name} : Of{name} with {name} : And{name}\nWriteLine({name}[1,2])",
}
"""What a program may take a name for."""


def with_and_without_cplrt(text: str) -> list[str]:
    return [
        pipeline.compile_source(Source("mine.cpl", text), pipeline.Options(standalone=alone, pretty=False)).python
        for alone in (False, True)
    ]


@pytest.mark.long
@pytest.mark.parametrize("taken", TAKEN)
def test_no_name_of_a_program_changes_what_the_runtime_does(taken: str, ways: Callable[..., Ways]) -> None:
    text = "\n".join([*map(TAKEN[taken], taken_names()), WORK])
    written, modules = zip(*map(executed, with_and_without_cplrt(text)), strict=True)
    assert written[0] == written[1]
    for call in CALLS:
        plain, alone = [outcome(module, call) for module in modules]
        assert plain == alone, call
        assert (plain[0] == "value") == (call in ENDLESS), plain
    found = ways(text, calls=ENDLESS, only=BOTH).agreed()
    assert found == Outcome("value", written[0], tuple(show(eval(call, modules[0])) for call in ENDLESS))


def test_names_for_shapes_are_no_names_of_the_runtime() -> None:
    """What is called after `MySource` would be `Source`."""
    words = ["Source", "Place", "Shown", "Sequence", "Exception", "OverflowError", "None"]
    lists = ["(x" + ",‘a’" * length + ")" for length in range(2, 2 + len(words))]
    shapes = [f"My{word}(x) = {value}\nYour{word}(x) = My{word}(x)" for word, value in zip(words, lists, strict=True)]
    texts = with_and_without_cplrt("\n".join([*shapes, WORK]))
    (_, plain), (_, alone) = map(executed, texts)
    assert "Source" in texts[0].partition("def ")[0].split()
    assert [outcome(plain, call) for call in CALLS] == [outcome(alone, call) for call in CALLS]


def executed(python: str) -> tuple[str, dict[str, Any]]:
    """What a module writes, and what it has."""
    module: dict[str, Any] = {"__name__": "out"}
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(compile(python, "out.py", "exec"), module)
    return output.getvalue(), module


def outcome(module: dict[str, Any], call: str) -> tuple[str, str]:
    """How a call ends. The name of a class may have a number: a program has the name itself."""
    try:
        return "value", repr(eval(call, module))
    except SystemExit:
        return "finish", ""
    except Exception as error:
        return re.sub(r"_\d+$", "", type(error).__name__), str(error)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGPIPE")
@pytest.mark.parametrize("options", [[], ["--standalone"], ["-O"]])
def test_a_program_whose_reader_has_gone_ends_without_a_word(tmp_path: Path, options: list[str]) -> None:
    text = "for i = step 1, 1, 100000 do WriteLine(i)\n"
    (tmp_path / "many.cpl").write_text(text, encoding="utf-8")
    run("cplc", "many.cpl", "-o", "many.py", *options, cwd=tmp_path, status=0)
    with subprocess.Popen([sys.executable, "many.py"], cwd=tmp_path, stdout=PIPE, stderr=PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        assert program.stdout.readline() == "1\n"
        program.stdout.close()
        assert program.stderr.read() == ""
    assert program.returncode == -signal.SIGPIPE
