"""`cplc -O`: what the passes do, case by case, and that optimised programs do the same as plain ones."""

import functools
import io
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from case_files import Case, read_cases, write_cases
from command_line import run
from cplrt import CplFault, Logical, show
from test_cases import body
from test_executors import PUBLISHED
from ways import ALL, Ways, evaluated

import cpl
from cpl.compiler import loader, pipeline
from cpl.compiler.optimise import PASSES
from cpl.compiler.optimise.passes import FOR_C, FOR_READERS, optimised
from cpl.compiler.source import Source
from cpl.games.counting import leaves
from cpl.study.compare.recorded import examples, replay

pytestmark = pytest.mark.usefixtures("deep")

FOR_C_ALONE = "specialise"
FILES = {name: Path(__file__).parent / "fast" / f"{name}.case" for name in (*PASSES, FOR_C_ALONE)}
CASES = [(name, case) for name, file in FILES.items() for case in read_cases(file)]


def python(name: str, case: Case, without: tuple[str, ...] = ()) -> str:
    """The Python after the passes, those for C if the one of this name is among them alone."""
    meaning = pipeline.understand(Source("case.cpl", case.cpl))
    for_c = name == FOR_C_ALONE
    text, _ = pipeline.python_text(pipeline.optimised(meaning, without, for_c=for_c))
    return body(text).partition("# Outside of this module")[0].strip() + "\n"


@pytest.mark.parametrize(("name", "case"), CASES, ids=lambda each: each if isinstance(each, str) else each.title)
def test_what_a_pass_makes(name: str, case: Case, request: pytest.FixtureRequest) -> None:
    """The module is as it stands in the case, and would be another without the pass; both do the same."""
    after = python(name, case)
    if request.config.getoption("--update-cases"):
        cases = read_cases(case.file)
        for each in cases:
            if each.title == case.title:
                runs = {key: text for key, text in each.sections.items() if key == "run"}
                each.sections = {"cpl": each.cpl, "after": after, **runs}
        write_cases(case.file, cases)
        return
    assert python(name, case, (name,)) != after, "the pass does nothing here"
    assert case.sections["after"].strip() + "\n" == after
    assert case.runs
    for call, result in case.runs:
        meaning = pipeline.understand(Source("case.cpl", case.cpl), calls=[call])
        for without in ((), (name,)):
            stages = FOR_C if name == FOR_C_ALONE else FOR_READERS
            run_as = replace(meaning, core=optimised(meaning.core, meaning.facts, without, stages))
            for interpreted in (False, True):
                assert [*evaluated(run_as, interpreted=interpreted)] == ["", result]
        assert [*evaluated(meaning, interpreted=True)] == ["", result]


def test_each_pass_has_its_name() -> None:
    assert {name for stage in FOR_READERS for name, _ in stage} == {*PASSES}


@pytest.mark.long
@pytest.mark.parametrize("without", PASSES)
def test_every_pass_can_be_left_out(without: str) -> None:
    for program in ("strachey.cpl", "checkers.cpl"):
        meaning = pipeline.optimised(pipeline.understand(pipeline.loader.program(program)), [without])
        module = pipeline.executable_of(meaning).module()
        moves, start = pipeline.inner(module, "LegalPositionsFrom"), pipeline.inner(module, "StartPosition")
        assert [leaves(moves, start, ply) for ply in range(1, 5)] == PUBLISHED[:4]


@pytest.mark.parametrize("how", ["loaded", "standalone"])
def test_the_recorded_session(how: str) -> None:
    path = str(loader.find("strachey.cpl"))
    recorded = examples(loader.session(path) or "")
    if how == "loaded":
        names = vars(cpl.load("strachey.cpl", optimise=True))
    else:
        names = {"__name__": "out"}
        python = cpl.compile_text(Path(path).read_text(), path=path, optimise=True, standalone=True).python
        exec(compile(python, "out.py", "exec"), names)
    replayed = [*replay(names, recorded)]
    assert len(replayed) == 44
    assert [each for each in replayed if not each.holds] == []


def test_outside_bit_strings_are_logical() -> None:
    module = cpl.load("strachey.cpl", optimise=True)
    assert isinstance(module.Board, Logical)
    [first, *_] = module.LegalPositionsFrom(module.StartPosition)
    assert [type(each) for each in first] == [Logical, Logical, Logical, int]
    faults = []
    for each in (module, cpl.load("strachey.cpl")):
        with pytest.raises(CplFault) as raised:
            each.LegalPositionsFrom((5, 6, 7, 1))
        faults.append(str(raised.value))
    assert faults[0] == faults[1]
    assert module.LegalPositionsFrom.__name__ == "LegalPositionsFrom"


def loaded(text: str) -> Any:
    return pipeline.load(Source("mine.cpl", text), optimise=True)


def test_functions_that_take_any_type_still_do() -> None:
    module = loaded("F(x) = Last([x,Logical([1])])\nLast(L) = Null(Tail(L)) → Head(L), Last(Tail(L))\n")
    assert module.Last([1, 2, 3]) == 3
    assert module.Last([Logical([2])]) == Logical([2])
    assert module.F(Logical([3])) == Logical([1])


USES_OF_ANY_TYPE = {
    "it is written": "WriteLine(x)",
    "it is written within a list": "WriteLine([x, x])",
    "it is written within a list of lists": "WriteLine([Join([x], [])])",
    "it meets a number": "WriteLine(3 × x)",
    "it is compared": "WriteLine(x = x, x = 10)",
    "it is tested": "WriteLine(Is(‘integer’, x))",
    "a function within gives it": "§ let f[y] = x; WriteLine(f[1]) §",
    "a function of the round gives it": "for k = 1 to 2 do § let f[] = (k, x); WriteLine(f[]) §",
    "a variable holds it": "§ let y = 0; y := x; WriteLine(y) §",
    "a variable holds it within a list": "§ let L = NIL; L := Join([x], L); WriteLine(L) §",
    "a variable of two holds it": "§ let y, z = 0, 0; y, z := z, x; WriteLine(z) §",
    "it is one of two values": "WriteLine(x = 2 → 0, x)",
    "another routine gets it": "S[x]",
    "a function of any type gives it": "WriteLine(I[x], I[I[x]])",
    "a function of any type gets it by reference": "§ let y = x; P[y]; WriteLine(y) §",
}


@pytest.mark.parametrize("use", USES_OF_ANY_TYPE)
@pytest.mark.parametrize("is_local", [False, True], ids=["at the top", "within a routine"])
def test_a_routine_of_any_type_takes_bit_strings(use: str, is_local: bool, ways: Callable[..., Ways]) -> None:
    definitions = [
        "let routine S[z] be WriteLine(z)",
        "let I[z] = z",
        "let routine P[ref z] be WriteLine(z)",
        f"let routine R[x] be {USES_OF_ANY_TYPE[use]}",
    ]
    text = "\n".join([*definitions, "R[2]", "R[Logical([1,3])]", "R[‘a’]"])
    if is_local:
        text = f"let routine Main[] be §\n{text} §\nMain[]"
    ways(text, only=ALL).agreed()


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("F(L) = Shift(Head(L),1)\n", "F([Logical([1])])"),
        (
            "F(L) = value of § let (x,y) = Head(L)\n result is x ∨ y ∧ Logical([1]) §|\n",
            "F([(Logical([1]),Logical([2]))])",
        ),
        (
            "F(L) = value of § for x = L do if Shift(x,0) = Logical([1]) then result is true\n result is false §|\n",
            "F([Logical([2]),Logical([1])])",
        ),
        (
            "F(x,c) = value of § let y = x\n if c then do y := Logical([1])\n result is y = Logical([2]) §|\n",
            "F(Logical([2]),False)",
        ),
        ("F(L) = Head(L) = G(Logical([1]))\nG(x) = (Shift(x,1),1)\n", "F([(Logical([0]),1)])"),
        ("F(n) = [[n], G(Logical([1]))]\nG(z) = ~(~z)\nK = F(1)\n", "F(2)"),
    ],
)
def test_what_is_in_lists_and_variables_crosses_the_edge(text: str, call: str) -> None:
    """Nobody within the program gives these functions what they get here."""
    modules = [pipeline.load(Source("mine.cpl", text), optimise=each) for each in (False, True)]
    plain, fast = (eval(call, {**vars(module), "Logical": Logical}) for module in modules)
    assert plain == fast


LOCAL = "let g = 1\nF(x) ≡ value of § g := g + x\n result is g §|\n"


@pytest.mark.parametrize(
    ("text", "call"),
    [
        (
            "F(P,Y,E) = value of § let N = 0\n let T = Shift(P,4) ∧ Y\n let L = Shift(T,4) ∧ E\n E := Logical(NIL)\n"
            " if ~Null(L) then do N := 1\n result is N §|\n",
            "F(Logical([20]),Logical([16]),Logical([12]))",
        ),
        (
            f"{LOCAL}H(x) ≡ value of § let y = (g,1)\n if F(x) > 100 then result is (0,0)\n"
            " test x > 0 then do result is y or do result is (5,5) §|\n",
            "H(2)",
        ),
        (
            "G(x) = value of § let n = x\n let F(k) ≡ value of § n := n + k\n result is n §|\n let y = n\n"
            " result is (F(3), y) §|\n",
            "G(2)",
        ),
        (
            "let g = 1\nF(x) ≡ value of § for k = [1,2] do g := g + x\n result is g §|\n"
            "G(x) ≡ value of § let y = [g]\n result is (F(x), y) §|\n",
            "G(2)",
        ),
        (
            f"{LOCAL}K(x) ≡ value of § let y = g + g + 1\n let z = F(x)\n let w = g + g + 1\n result is (y,z,w) §|\n",
            "K(2)",
        ),
        (f"{LOCAL}G(x) ≡ value of § let y = g\n result is (F(x), y) §|\n", "G(2)"),
        (
            "F(X,Y,n) = value of § let m = 0\n until Null(X) do § let x = SingleDigitFrom(X)\n X := X - x\n"
            " if ~Null(x ∧ Shift(Y,n)) then do m := m + 1 §|\n result is m §|\n",
            "(F(Logical([1,2,5]),Logical([2,3]),1), F(Logical([1,2,5]),Logical([2,3]),-1))",
        ),
        (
            "F(X,Y) = value of § let y = Y\n X := (Null(y) → X ∧ Logical([1]), Y)\n result is (X,Y) §|\n",
            "F(Logical([1,2,5]),Logical([2,3]))",
        ),
        (
            "F(X,Y) = value of § let w = Logical([1,3,9])\n let z = X ∧ Y\n X := w\n result is (z, value of § X := w\n"
            " result is Y §|, X) §|\n",
            "F(Logical([1,2,5]),Logical([2,3]))",
        ),
    ],
)
def test_what_changes_is_read_in_its_turn(text: str, call: str) -> None:
    plain, fast = (loaded(text) if each else pipeline.load(Source("mine.cpl", text)) for each in (False, True))
    results = [eval(call, {**vars(module), "Logical": Logical}) for module in (plain, fast)]
    assert results[0] == results[1]


def test_functions_are_passed_over_the_edge() -> None:
    module = loaded("Twice(f,x) = f(f(Shift(x,0)))\nUp(x) = Shift(x,-1)\nUse(x) = Twice(Up,x) ∧ ~Logical(0)\n")
    assert module.Twice(module.Up, Logical([1])) == Logical([3])
    assert module.Twice(lambda x: x | Logical([7]), Logical([1])) == Logical([1, 7])


def test_a_program_that_is_not_sure_keeps_its_bit_strings() -> None:
    module = loaded("Both(x,y) = x ∧ y\nA = Both(Logical([1]),Logical([1,2]))\nB = Both(true,false)\n")
    assert show([module.A, module.B]) == "[Logical([1]),false]"


def executed(python: str) -> str:
    """What the text of a module writes when it is executed."""
    written = io.StringIO()
    with redirect_stdout(written):
        exec(compile(python, "out.py", "exec"), {"__name__": "out"})
    return written.getvalue()


def test_zero_is_not_false() -> None:
    assert loaded("F(x) = (0 = false) → 1, 2\n").F(0) == 2


def test_unknown_passes_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown pass 'magic': the passes are bits"):
        cpl.compile_text("F(x) = x\n", optimise=True, without=["magic"])
    done = run("cplc", "-O", "--without", "magic", "-", input="F(x) = x\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "invalid choice: 'magic'" in done.stderr
    assert all(name in run("cplc", "--help").stdout for name in PASSES)


def test_a_fault_shows_its_line_of_cpl() -> None:
    module = loaded("F(x) = G(x) + 1\nG(x) = x = 0 → Head(NIL), 1 + G(x - 1)\n")
    with pytest.raises(CplFault, match="Head of NIL") as raised:
        module.F(3)
    places = [(Path(entry.path).name, entry.lineno + 1) for entry in raised.traceback]
    assert ("mine.cpl", 2) in places


def test_standing_alone() -> None:
    text = cpl.compile_text("F(x) = Shift(x,1)\nWriteLine(F(Logical([1,4])))\n", optimise=True, standalone=True).python
    assert "cplrt import" not in text
    assert executed(text) == "Logical([0,3])\n"


def test_an_operator_on_nil_gives_a_bit_string_where_nil_is_one() -> None:
    """Though the types take it for a number, as it stands beside one in a list."""
    text = "F() = NIL + NIL\nG() = result of § result := V + 1 §|\nV = 1\nH(x) = x ∧ Logical(3)\n"
    meaning = pipeline.understand(Source("nil.cpl", text), pipeline.Options("nil=zero"), ["[V,F(),G()]"])
    for optimise in (False, True):
        assert [*pipeline.evaluations(pipeline.executable_of(meaning, pipeline.Options(optimise=optimise)))][-1] == [
            1,
            Logical([]),
            2,
        ]


FORMS = """
Start = (Logical([1]), Logical([2]), 1)
Moves(P) = value of § let (X, Y, σ) = P
                      result is Null(X) → NIL, [(Y, X - SingleDigitFrom(X), -σ)] §|
Best(P) = value of § let L = Moves(P)
                     result is Null(L) → P, Best(Head(L)) §|
All(F,L) = Null(L) → NIL, Join(F(Head(L)), All(F,Tail(L)))
Two(P) = All(Moves, Moves(P))
"""


def test_shapes_outside_have_the_words_of_the_program_and_those_within_an_underscore() -> None:
    text = """\
BoardOf(n) = (Logical([n]), Logical(0), 1)
Turned(P) = value of § let (X,Y,σ) = P; result is (Y,X,-σ) §
StartBoard = BoardOf(1)
Steps(n) = value of
  § let T = Zero
    for s = 1 to n do T := T ∨ Logical([s])
    result is T §
Zero = Logical(0)
"""
    python = cpl.compile_text(text, optimise=True).python
    assert "\n_Board = tuple[int, int, int]\n" in python
    assert "\nBoard = tuple[Logical, Logical, int]\n" in python
    assert ") -> Board:" in python
    assert "        T |= Logical([s])\n" in python


def test_a_form_that_doors_repeat_has_the_name_of_the_annotations() -> None:
    compiled = cpl.compile_text(FORMS, optimise=True)
    form = "(bits, bits, number)"
    assert compiled.python.count(form) == 1 and f"\n\n\n_StartForm = {form}\n" in compiled.python
    module = loaded(FORMS)
    plain = pipeline.load(Source("mine.cpl", FORMS))
    for function, argument in (
        ("Best", module.Start),
        ("Two", module.Start),
        ("Moves", (Logical([3]), Logical(0), 1.5)),
    ):
        assert show(getattr(module, function)(argument)) == show(getattr(plain, function)(argument))
    with pytest.raises(CplFault):
        module.Moves((Logical([3]), 4))


CHOICES = """
Squares(n) = Logical([n])
Weight(φ,n) = (Null(φ ∧ Squares(1)) → 0, n) + (Null(φ) → 1, 2)
IsDigit(x) = Is(‘integer’,x) → false, ‘0’ ≤ x ≤ ‘9’
Wrong(x) = value of § unless IsDigit(x) do result is 1
                      result is 2 §|
Sparse(L,φ,n) = value of § if n = 0 ∨ Null(L) ∨ Null(φ ∧ Squares(2)) do result is 1
                           result is (Null(L) → 1, 2) §|
Turned(P) = value of § let (x,y) = P
                       result is (y,x) §|
Taken(P) = value of § let (x,y) = P
                      result is x ∧ Squares(3) ∨ y §|
Alone(P) = Null(Taken(P)) ∨ ~Null(Taken(Turned(P))) → 0, 1
"""


def test_what_passes_leave_of_tests_and_conditionals_is_written_plainly() -> None:
    optimised_python = cpl.compile_text(CHOICES, optimise=True).python
    for line in (
        "return (n if phi & 1 << 1 else 0) + (2 if phi else 1)",
        'if Is("integer", x) or not "0" <= x <= "9":',
        "if Equal(n, 0) or Null(L) or not phi & 1 << 2:",
    ):
        assert line in optimised_python
    assert "test = " not in optimised_python

    module, plain = loaded(CHOICES), pipeline.load(Source("mine.cpl", CHOICES))
    one, two, three = (Logical([digit]) for digit in (1, 2, 3))
    for function, arguments in (
        *(("Weight", (phi, 5)) for phi in (one, two, Logical(0))),
        *(("Wrong", (x,)) for x in (ord("5"), ord("x"))),
        *(("Sparse", ([1], phi, n)) for phi in (one, two) for n in (0, 1)),
        *(("Alone", (pair,)) for pair in ((one, two), (one, Logical(0)), (Logical(0), one), (three, one))),
    ):
        assert getattr(module, function)(*arguments) == getattr(plain, function)(*arguments)


def test_plain_python_has_the_conditionals_in_the_order_of_the_text() -> None:
    plain = cpl.compile_text("F(L,n) = [~Null(L) → n, 0]\nG(b) = [b = 1 → false, b > 2]\n").python
    assert "[n if not Null(L) else 0]" in plain
    assert "[False if b == 1 else b > 2]" in plain


def test_a_constant_without_ones_is_made_where_python_sees_it() -> None:
    text = "Zero = Logical(0)\nRow = Logical([1,2])\nFree(P) = P ∧ ~Row ∨ Zero\n"
    optimised_python = cpl.compile_text(text, optimise=True).python
    assert "\nZero = Logical(0)\n" in optimised_python
    assert "\nRow = AsLogical(_Row, bits)\n" in optimised_python
    module = loaded(text)
    assert type(module.Zero) is Logical
    assert module.Zero == Logical(0)
    assert module.Free(Logical([2, 3])) == Logical([3])


PLAINER = """
let Far = 50
Late[index m, index n] = value of § unless m < n ∨ m = 5 do result is 1
                                    result is 2 §|
Apart[index m, index n] = value of § unless m < n ∧ n < 5 do result is 1
                                     result is 2 §|
Reals[x,y] = value of § unless x < y ∨ x = 5 do result is 1
                        result is 2 §|
Seven[index n] = value of § let k = 0
                            until k > n ∨ k = 7 do k := k + 1
                            result is k §|
Down[index n] = n ≤ 0 → NIL, Join([n], Down[n − 1])
First[index n] = value of § let L = Down[n]
                            unless Null(L) ∨ n = 5 do result is Head(L)
                            result is 0 §|
IsDone[index n] = Null(Down[n])
IsNot[index n] = ~Null(Down[n])
Ends[index n] = ~(Null(Down[n]) ∧ n = 0)
Later[index n] = n + Far − 1
Same[index n] = n − Far + 50
Real[x] = x + Far − 1
Sign[index n] = n + Code(‘0’) − 1
Twice[index n] = value of § let x, k = 1, 0
                            § x := k + 2
                              k := k + 1 §| repeat while k < n
                            result is x §|
Perhaps[index n] = value of § let x, k = 1, 0
                              until k ≥ n do § x := k + 2
                                               k := k + 1 §|
                              result is x §|
Left[index n] = value of § let x, k = 1, 0
                           § if k ≥ n do break
                             x := k + 2
                             k := k + 1 §| repeat
                           result is x §|
Ones(x) = value of § let n = 0
                     for q = 1 to 4 do unless Null(x ∧ Logical([q])) do n := n + 1
                     result is n §|
Outside(x) = value of § let n = 0
                        for q = −1 to 4 do unless Null(x ∧ Logical([q])) do n := n + 1
                        result is n §|
"""
"""Expressions that a good programmer would write in a plainer way, and beside them some for which that is wrong."""


@functools.cache
def compiled(text: str, *, optimise: bool) -> str:
    """The Python of a program."""
    return cpl.compile_text(text, optimise=optimise).python


@pytest.mark.parametrize(
    ("function", "line"),
    [
        ("Late", "if m >= n and m != 5:"),
        ("Apart", "if m >= n or n >= 5:"),
        ("Reals", "if not (x < y or x == 5):"),  # of undefined reals, none is less and none is as great
        ("Seven", "while k <= n and k != 7:"),
        ("First", "if L and n != 5:"),
        ("IsDone", "return not Down(n)"),
        ("IsNot", "return not Null(Down(n))"),  # a truth value, and not the list
        ("Ends", "return not (Null(Down(n)) and n == 0)"),
        ("Later", "return n + 49"),
        ("Same", "return n"),
        ("Real", "return x + 50 - 1"),  # which is rounded twice
        ("Sign", 'return n + ord("0") - 1'),
        ("Perhaps", "x = 1"),
        ("Left", "x = 1"),
        ("_Ones", "if x & 1 << q:"),
        ("_Outside", "if x & AsBits(Logical([q]), bits):"),
    ],
)
def test_optimised_python_is_plain_where_it_may_be(function: str, line: str) -> None:
    optimised_python = compiled(PLAINER, optimise=True)
    assert f"    {line}\n" in f"{function_in(optimised_python, function)}\n"


def test_a_value_that_is_always_overwritten_is_left_out_of_optimised_python() -> None:
    plain, optimised_python = (compiled(PLAINER, optimise=optimise) for optimise in (False, True))
    assert "x, k = 1, 0\n    while True:\n        x = k + 2\n" in plain
    assert "k = 0\n    while True:\n        x = k + 2\n" in optimised_python
    assert optimised_python.count("x = 1\n") == 2  # that of `Twice` is gone


def test_plainer_python_does_the_same(ways: Callable[..., Ways]) -> None:
    calls = [
        *(f"{name}[{m},{n}]" for name in ("Late", "Apart") for m in (3, 5) for n in (4, 5)),
        *(f"{name}[{n}]" for name in ("Seven", "First", "IsDone", "IsNot", "Ends") for n in (0, 3, 5, 9)),
        *(f"Reals[{x},{y}]" for x in ("1", "5") for y in ("1", "6")),
        "Reals[∞ − ∞,1]",
        *(f"{name}[{n}]" for name in ("Later", "Same", "Sign") for n in ("0", "10↑20")),
        "Real[0.3]",
        *(f"{name}[{n}]" for name in ("Twice", "Perhaps", "Left") for n in (0, 3)),
        "Ones(Logical([1,3]))",
        "Outside(Logical([1]))",
    ]
    ways(PLAINER, calls=calls).agreed()


NAMED = """
Signed(L) = value of
  § let (c,l) = Next(L)
    if c = 1 then § let (E,r) = Next(l)
                    result is (−E,r) §|
    let (F,r) = Next(l)
    if F = 0 then result is (F,r)
    let (E,s) = Next(r)
    result is (E,s) §|
Kept(L) = value of
  § let (E,l) = Next(L)
    let F = E
    let (E,r) = Next(l)
    result is (E,F,r) §|
"""


def test_a_variable_of_optimised_python_takes_over_a_name_that_is_read_no_more() -> None:
    plain, optimised_python = (cpl.compile_text(NAMED, optimise=optimise).python for optimise in (False, True))
    signed, plainly_signed = (function_in(python, "Signed") for python in (optimised_python, plain))
    assert signed == plainly_signed
    assert "_1" not in signed
    kept = function_in(optimised_python, "Kept")
    assert "E_1, r = Next(l)\n" in kept  # F is gone, so that E is read after this
    assert "return E_1, E, r" in kept


def function_in(python: str, name: str) -> str:
    """The text of a function of a module, after its name."""
    _, _, code = python.partition(f"\ndef {name}(")
    function, _, _ = code.partition("\n\n\n")
    return function


def test_names_that_are_taken_over_have_the_right_values(ways: Callable[..., Ways]) -> None:
    ways(NAMED, calls=["Signed([1,2,3])", "Signed([0,0,3])", "Signed([0,4,5,6])", "Kept([1,2,3])"]).agreed()
