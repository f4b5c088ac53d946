"""Two programs compared: what stands in them, what they do, and how that is told."""

import json
import re
import signal
import subprocess
import time
from pathlib import Path
from types import ModuleType

import cplrt
import pytest
from command_line import run
from cplrt.checkers import is_position
from html_pages import Page

from cpl.compiler import loader, pipeline
from cpl.compiler.source import Source
from cpl.study.compare.behaviour import Behaviour, FunctionComparison
from cpl.study.compare.differences import Change, Difference, changes
from cpl.study.compare.experiment import divergence
from cpl.study.compare.report import as_text
from cpl.study.run.limited import Outcome, outcome
from cpl.study.run.record import record_call
from cpl.study.run.values import canonical, copied, measure, parts, same
from cpl.study.views.reports import difference_page


def understood(text: str) -> pipeline.Meaning:
    return pipeline.understand(Source("m.cpl", text))


def loaded(text: str) -> ModuleType:
    return pipeline.load(Source("m.cpl", text))


def compared(
    one: pipeline.Meaning, other: pipeline.Meaning, *, count: int = 20, ordered: bool = True, seed: int = 0
) -> Difference:
    comparison = FunctionComparison(one, other, count, seed, ordered)
    behaviours = [comparison.answer(name) for name in comparison.names]
    return Difference.of(comparison, behaviours, (one.main.source.name, other.main.source.name))


def function(one: str, other: str, name: str = "F", **options: bool) -> Behaviour:
    return of(compared(understood(one), understood(other), **options), name)


def of(found: Difference, name: str) -> Behaviour:
    return next(each for each in found.behaviours if each.name == name)


def text_changes(one: str, other: str) -> list[Change]:
    return changes(understood(one), understood(other))


def pieces(one: str, other: str) -> list[tuple[str, str]]:
    return [(piece.before, piece.after) for change in text_changes(one, other) for piece in change.pieces]


def test_values_are_the_same_across_modules() -> None:
    text = "node Pair is real Left with real Right\nF(x) = Pair[x,NIL]\n"
    one, other = (loaded(text) for _ in range(2))
    assert type(one.F(1)) is not type(other.F(1))
    assert same(one.F(1), other.F(1.0))
    assert not same(one.F(1), other.F(2))
    assert not same(one.F(1), [1, []])


def test_values_are_the_same_if_and_only_if_their_canonical_forms_are() -> None:
    alike = [(1, 1.0), (float("nan"), float("nan")), (2 + 0j, 2), ([1, (2, 3)], [1, (2, 3)]), (10**400, 10**400)]
    unlike = [(1, True), (1, "1"), ([1, 2], (1, 2)), ([1, 2], [2, 1]), ([], cplrt.Logical(0)), (["a,b"], ["a", "b"])]
    for pairs, expected in ((alike, True), (unlike, False)):
        for one, other in pairs:
            assert same(one, other) is (canonical(one) == canonical(other)) is expected, (one, other)


def test_values_are_the_same_in_any_order_where_order_does_not_count() -> None:
    assert same([1, [2, 3]], [[3, 2], 1], ordered=False)
    assert not same([1, 1, 2], [1, 2, 2], ordered=False), "however often"
    assert not same((1, 2), (2, 1), ordered=False)


def test_values_within_themselves_are_compared_and_copied() -> None:
    text = "node Link is Link : Rest\nF() = value of § let p = Link[NIL]\n Rest[p] := p\n result is p §|"
    one, other = (loaded(text) for _ in range(2))
    assert same(one.F(), other.F())
    copy = copied(one.F())
    assert copy.Rest is copy


def test_deep_values_are_compared_and_copied() -> None:
    deep: list[object] = []
    for _ in range(20_000):
        deep = [deep]
    assert same(deep, copied(deep))
    assert sum(1 for _ in parts(deep)) == 20_001


def test_positions_are_small_if_their_pieces_are_few() -> None:
    positions = [((cplrt.Logical(x), cplrt.Logical([30]), cplrt.Logical(0), 1),) for x in ([12], [5, 6])]
    assert measure(positions[0]) < measure(positions[1])


@pytest.mark.parametrize("lacking", [[], ["pthread_getcpuclockid"]], ids=["of the thread", "of the process"])
def test_runs_end_on_systems_without_timers(lacking: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows has neither."""
    monkeypatch.delattr(signal, "setitimer")
    for name in lacking:
        monkeypatch.delattr(time, name)
    module = loaded("F(x) = value of § while true do x := x + 1\n result is x §|\nG(x) = 2x\n")
    assert outcome(module.F, [1], seconds=0.2).fault == "not finished after 0.2 seconds: does it end at all?"
    assert outcome(module.G, [1], seconds=0.2) == Outcome(2)


@pytest.mark.parametrize(
    ("text", "said", "seconds"),
    [
        ("F(x) = F(x + 1)\n", "goes too deep", 60),
        ("F(x) = value of § while true do x := x + 1\n result is x §|\n", "not finished after", 0.2),
        ("F(x) = Null(x)\n", "Null expected", 60),
        ("F(x,y) = x\n", "one argument too few", 60),
    ],
    ids=["depth", "time", "type", "arguments"],
)
def test_runs_end_with_a_fault(text: str, said: str, seconds: float) -> None:
    module = loaded(text)
    assert said in (outcome(module.F, [1], seconds=seconds).fault or "")
    assert said in (record_call(module, "F", [1], seconds=seconds).fault or "")


def test_a_record_ends_after_so_many_calls() -> None:
    module = loaded("F(n) = n = 0 → 0, F(n - 1) + F(n - 1)\n")
    call = record_call(module, "F", [25], most=50, calls=5_000)
    assert call.fault == "not finished after 5,000 calls: does it end at all?"
    assert call.is_cut


def test_runs_end_while_a_value_is_destroyed() -> None:
    class Slow:
        def __del__(self) -> None:
            start = time.process_time()
            while time.process_time() < start + 0.3:
                pass

    module = loaded("let m = 1\nF(x) ≡ value of § m := 0\n while true do x := x + 1 §|\n")
    module.m = Slow()
    assert outcome(module.F, [1], seconds=0.1).is_unfinished


def test_a_record_has_the_inner_calls_and_leaves_the_module_as_it_was() -> None:
    module = loaded("F(n) = n = 0 → 0, n + F(n - 1)\nG(n) = F(n) × F(1)\n")
    before = dict(vars(module))
    call = record_call(module, "G", [2])
    assert (call.function, call.arguments, call.result, call.count) == ("G", (2,), 3, 6)
    assert [(inner.function, inner.arguments, inner.result) for inner in call.inner] == [("F", (2,), 3), ("F", (1,), 1)]
    assert vars(module) == before
    assert record_call(module, "G", ["a"]).fault is not None
    assert vars(module) == before
    with pytest.raises(KeyError):
        record_call(module, "H", [1])


def test_a_record_has_what_a_routine_leaves_in_its_arguments() -> None:
    module = loaded("routine F[ref real x] be x := x + 1\n")
    call = record_call(module, "F", [cplrt.Cell(1)])
    assert (cplrt.show(call.arguments), cplrt.show(call.after)) == ("(Pointer[1])", "(Pointer[2.0])")


def test_what_a_run_writes_is_its_outcome(capsys: pytest.CaptureFixture[str]) -> None:
    assert outcome(loaded("routine Say[x] be WriteLine[x, NextSymbol[]]\n").Say, [1]) == Outcome(None, None, "1\n")
    assert capsys.readouterr().out == ""


def test_runs_diverge_in_the_first_inner_call_that_differs() -> None:
    text = "F(x) = G(x) + H(x)\nG(x) = x\nH(x) = K(x) + 1\nK(x) = x × {}\n"
    calls = [record_call(loaded(text.format(n)), "F", [1]) for n in (2, 3)]
    assert [one.function for one, _ in divergence(*calls)] == ["F", "H", "K"]
    assert divergence(calls[0], calls[0]) == ()
    calls = [record_call(loaded(f"F(x) = G(x + {n})\nG(x) = x\n"), "F", [1]) for n in (1, 2)]
    assert [one.function for one, _ in divergence(*calls)] == ["F"], "the function itself goes another way"


def test_texts_are_compared_in_the_smallest_pieces() -> None:
    assert text_changes("F(x) = x + 1\n", "|| new\nF(x)  =\n    x + 1  || more\n") == []
    found = text_changes("F(x) = 1\nG(x) = F(x)\n", "F(x) = 2\nH(x) = F(x)\n")
    assert [(change.name, change.kind) for change in found] == [("F", "changed"), ("G", "removed"), ("H", "added")]
    assert (found[0].before, found[0].after, found[1].after) == ("F(x) = 1", "F(x) = 2", "")
    assert (found[1].place_before, found[1].place_after) == ("m.cpl:2:1", "")
    for one, other, expected in (
        ("F(x) = x + 1", "F(x) = 1 + x", [("x + 1", "1 + x")]),
        ("F(x) = F(x) + 1", "F(x) = F(2) + 1", [("x", "2")]),
        ("F(x) = x = 1 → 2, 3", "F(x) = x = 1 → 2, x = 2 → 3, 3", [("", "x = 2 → 3,")]),
        ("F(x) = (x - 1)", "F(x) = x", [("x - 1", "x")]),
        ("WriteLine[1]\nWriteLine[2]", "WriteLine[1]\nWriteLine[3]\nWriteLine[4]", [("2", "3"), ("", "WriteLine[4]")]),
        (
            "F(x) = value of § let y = x\n result is y §|",
            "F(x) = value of § let y = x\n let z = 2\n result is y + z §|",
            [("", "let z = 2"), ("y", "y + z")],
        ),
    ):
        assert pieces(one + "\n", other + "\n") == expected


INNER = "F(x) = value of\n § let Get(y) = x + y\n  result is Get §|\nG(x) = F(x)(2)\n"
PAIR = "node Pair is real Left with real Right\nG(p) = Left[p]\n"
WHOLE = "node Data is integer Key\nHalf(x) = x/2\nG(p) = Key[p]\n"
CONSTANT = "F(x) = x + 1\nG = F\nf' = λx. x + 1\n"


@pytest.mark.parametrize(
    ("one", "other", "verdict", "note"),
    [
        ("G(x) = x + 1\n", "G(y) = 1 + y\n", "same", ""),
        (INNER, INNER.replace("Get", "Put"), "same", ""),  # what inner functions are called makes no difference
        ("G(x) = [x,2x]\n", "G(x) = [2x,x]\n", "different", ""),
        ("G(F,x) = F(F(x))\n", "G(F,x) = F(x)\n", "different", ""),
        (PAIR, PAIR.replace("= Left", "= Right"), "different", ""),
        (WHOLE, WHOLE.replace("= Key", "= 1 + Key"), "different", ""),
        (CONSTANT, CONSTANT.replace("+ 1", "+ 2"), "different", ""),
        ("G(x) = x\n", "G(x,y) = x\n", "different", "takes 1 argument on one side, 2 on the other"),
        ("G(n) = n = 0 → 0, G(n)\n", "G(n) = 0\n", "different", ""),
        ("G(x) = Head(NIL)\n", "G(x) = Head(NIL)\n", "untried", "no inputs found that either side accepts (at last"),
        ("G(n) = λx. x + n\n", "G(n) = λx. x - n\n", "untried", ""),  # the results are functions
    ],
)
def test_verdicts_say_whether_functions_do_the_same(one: str, other: str, verdict: str, note: str) -> None:
    found = function(one, other, "G")
    assert (found.verdict, found.note[: len(note)]) == (verdict, note)
    assert found.counts["same"] > 5 or verdict != "same"


def test_a_changed_text_need_not_behave_differently() -> None:
    found = compared(understood("F(x) = x + 1\n"), understood("F(y) = 1 + y\n"))
    assert (bool(found.changes), found.behaviours_differ) == (True, False)


def test_results_may_be_compared_in_any_order() -> None:
    assert function("F(x) = [x,2x]\n", "F(x) = [2x,x]\n", ordered=False).verdict == "same"


@pytest.mark.parametrize("turn", [1, -1])
def test_a_witness_has_the_results_of_each_side(turn: int) -> None:
    texts = ["F(x) = x > 5 → 0, x\n", "F(x) = x > 6 → 0, x\n"][::turn]
    found = function(*texts)
    assert (found.verdict, found.failed) == ("different", (0, 0))
    one, other = found.witness[-1]
    assert 5 < one.arguments[0] <= 6
    assert (one.result, other.result) == ((0, one.arguments[0]) if turn == 1 else (one.arguments[0], 0))


def test_each_side_counts_its_own_calls() -> None:
    """And a function that is an argument shows what it does on both sides."""
    assert not compared(understood(APPLIED), understood(APPLIED)).behaviours_differ
    found = compared(understood(APPLIED), understood(APPLIED.replace("n := n + 1", "n := n + 2")))
    assert [one.function for one, _ in of(found, "Apply").witness] == ["Apply", "Count"]
    text = (
        "Ticks(x) = value of\n § let Get[] ≡ value of § x := x + 1\n   result is x §|\n  result is Get §|\n"
        "Run(g) = g[]\nWriteLine[Run(Ticks(1))]\n"
    )
    found = compared(understood(text), understood(text))
    assert of(found, "Run").natural == 1
    assert not found.behaviours_differ


@pytest.mark.long
@pytest.mark.parametrize("turn", [1, -1])
def test_only_one_side_fails_or_never_ends(turn: int) -> None:
    found = function(*["F(L) = Head(L)\n", "F(L) = Null(L) → 0, Head(L)\n"][::turn])
    assert found.verdict == "different"
    assert found.failed[::turn] == (found.failed[::turn][0], 0)
    assert found.failure[-1][0].arguments in (([],), ("",), (cplrt.Logical(0),))
    found = function(*["F(n) = n = 0 → 0, F(n)\n", "F(n) = 0\n"][::turn])
    assert found.failed[::turn][0] > 0
    assert "goes too deep" in (found.failure[-1][::turn][0].fault or "")


APPLIED = """
let n = 0
Count(x) ≡ value of
 § n := n + 1
   result is n §|
Apply(F,x) = F(x)
WriteLine[Apply(Count,1)]
"""


def test_routines_are_compared_by_what_they_write_and_leave() -> None:
    found = function("routine F[x] be WriteLine[x]\n", "routine F[x] be WriteLine[x,x]\n")
    assert found.witness[-1][0].written != found.witness[-1][1].written
    found = function("routine F[ref real x] be x := x + 1\n", "routine F[ref real x] be x := x + 2\n")
    assert found.verdict == "different"
    text = "routine F[x] be § WriteLine[x]\n finish §|\n"
    assert function(text, text).verdict == "same"
    found = function(text, text.replace("WriteLine[x]", "WriteLine[x,x]"))
    assert (found.verdict, found.failed) == ("different", (0, 0))
    assert function(text, text.replace("finish", "WriteLine[Head[NIL]]")).failed[1] > 0


def test_inputs_are_made_beside_the_numbers_of_a_program() -> None:
    """And small ones, however many numbers a program mentions; and functions."""
    assert function("F(x) = x > 100 → 1, 0\n", "F(x) = x > 100 → 2, 0\n").witness[0][0].arguments == (101,)
    constants = "".join(f"K{i} = {1000 + 7 * i}\n" for i in range(60))
    found = function(constants + "F(real n) = n = 0 → 5, n\n", constants + "F(real n) = n = 0 → 6, n\n")
    assert found.witness[0][0].arguments == (0,)
    assert function("F(G,x) = G(G(x))\n", "F(G,x) = G(x)\n").witness[0][0].applied.startswith("F(λx.")


def test_what_a_function_leaves_in_variables_is_an_effect() -> None:
    """Before each run they are as they were."""
    text = "let n = 0\nlet T = Array[real,(1,2)]\nT[1] := 5\nroutine F[] be T[1] := 6\nroutine G[] be n := 1\n"
    found = compared(understood(text), understood(text.replace("6", "7").replace("n := 1", "n := 2")))
    assert {each.verdict for each in found.behaviours} == {"different"}
    assert "= nothing, leaves n = 1" in as_text(found.report())
    assert not compared(understood(text), understood(text)).behaviours_differ
    text = "let n = 0\nlet A = Array[real,(1,1)]\nA[1] := 0\n"
    text += "F(x) ≡ value of § n := n + 1\n A[1] := A[1] + 1\n result is n + A[1] §|\n"
    assert function(text, text).verdict == function(text, text.replace("n + A[1] §|", "2 §|")).verdict == "same"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("let a = 1\nlet b = 2\n", "let a = 1\nlet b = 3\n", [("b", "2", "3")]),
        ("True = 1\nx' = 3\n", "True = 2\nx' = 4\n", [("True", "1", "2"), ("x'", "3", "4")]),
        ("F(x) = x + 1\nG = F\nH = Head\n", "F(x) = x + 1\nG = F\nH = Tail\n", [("H", "Head", "Tail")]),
    ],
)
def test_constants_are_compared(one: str, other: str, expected: list[tuple[str, str, str]]) -> None:
    found = compared(understood(one), understood(other))
    assert [(each.name, each.before, each.after) for each in found.constants] == expected


def test_the_commands_of_a_program_are_inputs_too() -> None:
    """Nothing else knows that F takes the list of a string and a tuple."""
    text = "F(L) = value of § let (s,(a,b)) = L\n result is StringOf[(s,‘!’)] §|\nWriteLine[F[(‘a’,(1,2))]]\n"
    found = compared(understood(text), understood(text.replace("!", "?")))
    assert of(found, "F").natural == 1
    assert found.commands_differ


def test_commands_that_fail_on_one_side_are_compared() -> None:
    found = compared(understood("F(x) = x\nWriteLine[Head[NIL]]\n"), understood("F(x) = x\nfinish\n"))
    assert found.commands[0].fault is not None
    assert found.commands[1].fault is None
    assert of(found, "F").verdict == "same"


@pytest.fixture(scope="module")
def famous(root: Path) -> Difference:
    read = (loader.read(root / "programs" / f"{name}.cpl") for name in ("strachey-original", "strachey"))
    return compared(*(pipeline.understand(source, pipeline.Options(repair=True)) for source in read), count=24)


@pytest.mark.long
def test_the_text_of_1966_was_changed_in_two_functions(famous: Difference) -> None:
    assert "NextMoveDirection(s)" in famous.repairs[0]
    assert {change.name: [(each.before, each.after) for each in change.pieces] for change in famous.changes} == {
        "MakeMove": [("NIL", "Zero"), ("θ - Φ", "θ"), ("K - ψ ∧ K + Xk", "K - ψ - Φ + Xk")],
        "PCP": [("K - ψ ∧ K + Xk", "K - ψ - Φ + Xk")],
    }
    assert of(famous, "LegalPositionsFrom").verdict == "different"
    assert of(famous, "FindMoveList").verdict == "same"
    assert all(each.verdict != "untried" for each in famous.behaviours)
    culprits = {pairs[-1][0].function for each in famous.behaviours for pairs in (each.witness, each.failure) if pairs}
    assert culprits == {"MakeMove", "PCP"}
    rare = of(famous, "PCP")  # few men are crowned by a capture; the functions that lead there say what to run it on
    assert (rare.counts["different"] > 1, len(rare.witness)) == (True, 1)


@pytest.mark.long
def test_a_witness_against_the_text_of_1966_is_a_position(famous: Difference, root: Path) -> None:
    modified = pipeline.load(root / "programs" / "strachey.cpl")
    one, other = of(famous, "LegalPositionsFrom").witness[0]
    [position] = one.arguments
    assert is_position(position)
    assert same(modified.LegalPositionsFrom(position), other.result)
    assert not same(one.result, other.result)


@pytest.mark.long
def test_the_page_of_differences_is_small_and_runs_nothing(famous: Difference) -> None:
    page = difference_page(famous)
    Page(page)
    assert set(re.findall(r"https?://[^\"' <]*", page)) == {"http://www.w3.org/2000/svg"}
    assert 10 < page.count("<svg") < 80
    assert "<script" not in page
    assert len(page) < 1_000_000


@pytest.mark.long
def test_differences_are_lines_of_plain_text(famous: Difference) -> None:
    text = as_text(famous.report())
    assert "MakeMove changed  strachey-original.cpl:44:1  strachey.cpl:44:1" in text
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.long
def test_the_inputs_in_the_data_add_up(famous: Difference) -> None:
    data = json.loads(json.dumps(famous.to_dict()))
    assert data["texts_differ"]
    assert data["behaviours_differ"]
    for each in data["functions"]:
        assert each["inputs"] == sum(
            each[key] for key in ("same", "different", "failed_before", "failed_after", "unclear")
        )


@pytest.mark.long
def test_hostile_names_and_what_may_have_been_meant(root: Path) -> None:
    one = pipeline.understand(Source("<b>&.cpl", "F(x) = ‘<script>alert(1)</script>’\nNone() = 1\nf'(x) = x\n"))
    other = pipeline.understand(Source("'\".cpl", "F(x) = ‘&lt;’\nNone() = 2\nf'(x) = 2\n"))
    found = compared(one, other)
    page = difference_page(found)
    Page(page)
    assert "<script" not in page
    assert "<b>&" not in page
    assert {"None", "f'", "F"} == {each.name for each in found.behaviours if each.verdict == "different"}
    assert "f'(x)" in as_text(found.report())
    # The printed text, with + and − as arithmetic, does what the corrected one does with them as set operations.
    printed, corrected = (root / "programs" / f"{name}.cpl" for name in ("strachey-original", "strachey"))
    one = pipeline.understand(loader.read(printed), pipeline.Options("arithmetic", repair=True))
    other = pipeline.understand(loader.read(corrected))
    found = compared(one, other, count=8)
    assert found.changes
    assert not found.behaviours_differ
    assert {each.verdict for each in found.behaviours} == {"same"}


def written(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.cpl").write_text(text, encoding="utf-8")


def test_status_and_formats(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    written(tmp_path, a="F(x) = x + 1\n", b="F(x) = x + 2\n", c="|| the same\nF(x)= x+1\n", bad="F(x) = \n")

    def diff(*arguments: str) -> subprocess.CompletedProcess[str]:
        return run("cpl", "diff", "a.cpl", *arguments, cwd=tmp_path)

    done = diff("b.cpl")
    assert (done.returncode, done.stderr) == (1, "")
    assert "1 of 1 function behaves differently" in done.stdout
    done = diff("c.cpl")
    assert done.returncode == 0
    assert "Text: the same definitions." in done.stdout
    assert "Behaviour: no difference was found" in done.stdout
    assert json.loads(diff("b.cpl", "--format", "json").stdout)["functions"][0]["witness"][0]["arguments"] == ["0"]
    done = diff("b.cpl", "--format", "html", "-o", "out/d.html")
    assert (done.returncode, done.stdout) == (1, "")
    Page((tmp_path / "out" / "d.html").read_text(encoding="utf-8"))
    done = diff("bad.cpl", "-o", "out/d.html")
    assert (done.returncode, done.stdout) == (1, "")
    assert "bad.cpl" in done.stderr
    assert "</html>" in (tmp_path / "out" / "d.html").read_text(encoding="utf-8")


def test_functions_that_take_other_numbers_of_arguments_are_told_also_in_short(tmp_path: Path) -> None:
    written(tmp_path, a="F(x,y) = x\n", b="F(x) = x\n")
    done = run("cpl", "diff", "a.cpl", "b.cpl", cwd=tmp_path, status=1)
    assert "\nF takes 2 arguments on one side, 1 on the other.\n" in done.stdout


def test_a_page_does_not_take_what_programs_write_for_cpl() -> None:
    found = compared(understood("WriteLine[‘if’]\n"), understood("WriteLine[‘if x’]\n"))
    assert "<span class='line after'>+ if x</span>" in difference_page(found)


def test_readings_and_seeds_of_the_command(tmp_path: Path) -> None:
    written(tmp_path, a="F(x) = x + Logical([1])\n")
    done = run("cpl", "diff", "a.cpl", "a.cpl", "--reading", "set", "--reading-b", "arithmetic", cwd=tmp_path, status=1)
    assert done.stdout.startswith("a.cpl (set) → a.cpl (arithmetic)\n\nText: the same definitions.")
    assert "= Logical([1])" in done.stdout
    assert run("cpl", "diff", "a.cpl", "a.cpl", "--reading", "arithmetic", cwd=tmp_path).returncode == 0
    written(tmp_path, a="F(L,n) = Take(n,L)\n", b="F(L,n) = Drop(n,L)\n")
    first, again, other = (
        run("cpl", "diff", "a.cpl", "b.cpl", "--format", "json", "--seed", seed, cwd=tmp_path).stdout
        for seed in ("0", "0", "1")
    )
    assert first == again
    assert json.loads(first)["seed"] != json.loads(other)["seed"]


def test_command_lines_at_fault(tmp_path: Path) -> None:
    for arguments, status in (
        (["-", "-"], 2),
        (["a.cpl", "a.cpl", "--function", "G"], 1),
        (["a.cpl"], 2),
        (["a.cpl", "a.cpl", "--inputs", "0"], 2),
        (["a.cpl", "nowhere.cpl"], 1),
    ):
        written(tmp_path, a="F(x) = x\n")
        assert "Traceback" not in run("cpl", "diff", *arguments, cwd=tmp_path, fails=status).stderr
