"""Lints: each where it is right, none where a reader would wonder why, and none of what travels with cplc."""

import re
from pathlib import Path

import pytest
from command_line import run
from conftest import ROOT

import cpl
from cpl.compiler import messages
from cpl.compiler.workspace import Workspace

PAGES = [page for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")) if page.name != "errors.md"]
PROGRAMS = sorted({*ROOT.glob("programs/*.cpl")} - {ROOT / "programs/strachey-original.cpl"})

CAUSES = messages.CAUSES

BLOCK = "F(n) = value of § {} §|"
LOOP = BLOCK.format("let s = 0; {}; result is s")
block, loop = BLOCK.format, LOOP.format

INC = "let Inc[ref a] be a := a + 1\n"

DOUBTFUL = {
    "a variable": ("unused", block("let y = 1; result is n")),
    "lines that do not end": ("same-line", "let R[n] be § Write(n)\n  Write(‘units’) §|"),
    "lines at the top": ("same-line", "Write(1)\nWrite(2)"),
    "three stars": ("stars", "WriteLine(‘***’)"),
    "five stars among others": ("stars", "WriteLine(‘a*****b’)"),
    "a variable that is declared": ("unused", block("real y; result is n")),
    "one of several definitions": ("unused", block("let x = 1 and y = 2; result is x")),
    "a function": ("unused", block("let G[x] = 2x; result is n")),
    "a routine": ("unused", block("let R[] be WriteLine(n); result is n")),
    "where": ("unused", "F(n) = 2n where y = n + 1"),
    "where, of the same name": ("unused", "F(n) = 2 where n = n"),
    "in a routine": ("unused", "let R[n] be § let y = n; WriteLine(n) §|"),
    "one with the name of another in its value": (
        "unused",
        block("let y = value of § let y = 1; result is y + n §; result is n"),
    ),
    "the outer one of two": ("unused", block("let y = 1; let y = 2; result is y + n")),
    "a label": ("unused-label", block("if n > 0 then go to L; M: n := n + 1; L: result is n")),
    "a count": ("never-read", block("let k = 0; for i = 1, 2 do k := k + i; result is n")),
    "one that is assigned": ("never-read", block("real y; y := n; result is n")),
    "another in a section": ("another", block("let s = 0; if n > 0 then § let s = 1 §; result is s")),
    "another in a loop": ("another", loop("for k = 1, 2 do § let s = s + k §")),
    "another before the test": ("another", loop("while s < 9 do § let s = 1 §")),
    "an accumulator": ("same-each-time", loop("for k = 1, 2 do § let s = s + k; WriteLine(s) §")),
    "what a loop waits for": (
        "same-each-time",
        block("let s = 0; while s < 9 do § let s = s + 1; WriteLine(s) §; result is n"),
    ),
    "a divisor with a ×": ("wide-divisor", "F(x) = x/2 × 4"),
    "a divisor with a blank": ("wide-divisor", "F(x,y) = x/2 y"),
    "a quotient in whole numbers": ("wide-divisor", "prefer integer; F(x) = x/2 × 4"),
    "a function hidden": ("hides", "f(x) = 2x\n" + block("let f = 3; result is f(n)")),
    "a function hidden by a loop": ("hides", "f(x) = 2x\n" + block("for f = step 1, 1, 3 do Write(f(n)); result is n")),
    "a parameter": ("lost", "let R[x] be x := 2x"),
    "a parameter counted down for nothing": ("lost", block("for k = 1, 2 do n := n - 1; result is 0")),
    "a parameter after its last use": ("lost", block("let y = 2n; n := 0; result is y")),
    "one in the other": ("lost", block("let R[x] be § WriteLine(x); x := 0 §; R[n]; result is n")),
    "a value that was taken": ("not-seen", block("let a = 1; let G[x] = x + a; a := 2; result is G[n]")),
    "one taken before a loop": (
        "not-seen",
        block("let a = 1; let G[x] = x + a; for k = 1, 2 do § WriteLine(G[k]); a := k §; result is n"),
    ),
    "one taken at the top level": ("not-seen", "a = 1\nG(x) = x + a\na := 2\nWriteLine(G(1))"),
    "one without a value before it gets one": ("unset", block("real s; WriteLine(s); s := n; result is s")),
    "an array without a value": ("unset", block("real vector v; v[1] := n; result is v")),
    "negative bounds in the wrong order": ("empty-range", "A = Array[integer,(1,2),(-1,-3)]"),
    "a loop in steps of 0": ("empty-range", "for k = step 1, 0, 5 do WriteLine(k)"),
    "a loop down to more": ("empty-range", "for k = step 1, -1, 5 do WriteLine(k)"),
}

SOUND = {
    "stars in pairs, before names of symbols and alone": "WriteLine(‘** **** ***N *S 2*3 *’)",
    "a parameter": "F(P,C,s) = P",
    "a definition": "Width = 12",
    "a variable of a loop": block("for k = step 1, 1, 3 do WriteLine(n); result is n"),
    "a part": block("let (x,y) = (n,2); result is x"),
    "a list of names": block("let x, y = n, 2; result is x"),
    "a function that uses itself": block("let rec g[x] = x = 0 → 0, g[x - 1]; result is n"),
    "a function that uses itself and changes its own": block(
        "let rec g[x] = value of § let v = 1; if x > 0 then v := v + g[x - 1]; result is v §; result is g[n]"
    ),
    "a function of another": block("let rec g[x] = h[x] and h[x] = x = 0 → 0, g[x - 1]; result is g[n]"),
    "an array that is filled": block("let v = Array[real,(1,3)]; v[1] := n; result is n"),
    "what is read to get past it": block("real y; Read[y]; result is n"),
    "a name for a place": block("let y = 1; let q ≃ y; q := n; result is y"),
    "a result": "F(n) = result of § result := 2n §|",
    "a result at last": "F(n) = result of § real y; y := n; result := y; if y > 0 then result := 0 §|",
    "the factorial of 1963": "Fact2[x] = result of § let f = 1; until x = 0 do f, x := xf, x - 1; result := f §|",
    "by substitution": block("let y = 1; G[y]; result is n") + "\nroutine G[substitution x] be x := 2",
    "by reference": "let Swap[ref x, ref y] be x, y := y, x",
    "said to be by value": "let R[value x] be x := 2x",
    "a parameter used in the next round": block("let y = 0; for k = 1, 2 do § y := y + n; n := k §; result is y"),
    "a parameter that a routine reads": block("let R[] be WriteLine(n); n := 2; R[]; result is 0"),
    "a parameter before a jump": block("let y = 0; L: y := y + n; n := 1; if y < 9 then go to L; result is y"),
    "one of two ways": block("if n > 3 then n := 3; result is n"),
    "another from an outer one": block("let x = n; let x = x + 1; result is x"),
    "simultaneous": block("let a = n; let a = a and b = 1; result is a + b"),
    "another in a section, used": block("if n > 0 then § let n = n + 1; WriteLine(n) §; result is n"),
    "another in each round": loop("for k = 1, 2 do § let s' = s + k; s := s' §"),
    "a copy to work on": loop("let x = n; for k = 1, 2 do § let x = x; x := x + k; s := x §; s := s + x"),
    "a copy that is changed": loop("let x = n; for k = 1, 2 do § let x = x + k; x := 2x; s := x §; s := s + x"),
    "a variable by itself": block("let z ≡ (z(5) where z = 3); result is z + n"),
    "one of a loop alone": block("let x = n; for k = 1, 2 do § let x = x + k; WriteLine(x) §; result is 0"),
    "the same again": loop(
        "let x = n; for k = 1, 2 do § let x = x + k; s := x §; for k = 1, 2 do § let x = x - k; s := s + x §"
    ),
    "a product": block("let f = 3; result is f(n)"),
    "a function passed on": "f(x) = 2x\nG(f,y) = f(y)",
    "a function made": "f(x) = 2x\n" + block("let f = λx. x + 1; result is f(n)"),
    "both kinds of function": block("let a = 1; let G[x] = x + a; let H[x] ≡ x + a; a := 2; result is G[n] + H[n]"),
    "taken after it": block("let a = 1; a := 2; let G[x] = x + a; result is G[n]"),
    "used before it": block("let a = 1; let G[x] = x + a; let y = G[n]; a := 2; result is y + a"),
    "used the other way": block(
        "let a = 1; let G[x] = x + a; test n > 0 then do a := 2 or do WriteLine(G[n]); result is a"
    ),
    "taken in each round": block("let a = 1; for k = 1, 2 do § let G[x] = x + a; Write(G[k]); a := k §; result is n"),
    "by place": block("let a = 1; let G[x] ≡ x + a; a := 2; result is G[n]"),
    "a loop to a large number": f"F(n) = value of § for k = step 1.5, n, {10**400} do WriteLine(k); result is n §",
    "what is only declared before a label": "F(i) = value of § go to B; integer t; B: t := i; result is t §",
    "arguments of what may take them by substitution": "G[f,n] = f[n = 0, 1, n × G[f,n - 1]]",
    "a routine before that may end": "let R[n] be if n = 0 then finish\nF(n) = value of § R[n]; result is F(n - 1) §",
    "an endless loop": "let R[] be while true do WriteLine(1)",
    "an endless loop until": "let R[] be until false do WriteLine(1)",
    "an endless loop after": "let R[] be § WriteLine(1) § repeat while true",
    "repeat": "let R[] be § WriteLine(1) § repeat",
    "a constant with a name": "Debug = false\nF(n) = Debug → n, 0",
    "input compared": "F() = ReadSymbol() = ReadSymbol() → 1, 0",
    "input tested again": "F() = ReadSymbol() = ‘a’ → 1, ReadSymbol() = ‘a’ → 2, 3",
    "other arms": "F(n) = n = 1 → 5, n = 2 → 6, 7",
    "another operand": "F(n,m) = n = m → 5, m = n + 0 → 6, 7",
    "tested again within": "F(n) = n = 1 → (n = 1 → 5, 6), 7",
    "tested again after a change": block("if n = 1 then n := 2; if n = 1 then n := 3; result is n"),
    "other cases": "let R[n] be switch n into § case 1: Write(1); case 2, 1: Write(2); default: Write(3) §|",
    "a chain of two": "F(n) = 1 < n < 9 → 1, 0",
    "a value that is taken after the change": "let n = 1\nn := 2\nF() = n\nWriteLine(F())",
    "not the opposite": "F(b,c) = b ∧ ~c → 1, 0",
    "a value in one of two cases": block("real s; if n > 0 then s := 1; result is s"),
    "a value of the last round": loop("integer y; for k = step 1, 1, 3 do § if k > 1 then s := y; y := k §"),
    "a value in a place that a test chooses": block("real s, t; (n > 0 → s, t) := 1; result is s + t"),
    "a value by a jump": block("real s; go to M; L: result is s; M: s := n; go to L"),
    "a value from a function": block("real s; let R[] be s := 1; R[]; result is s + n"),
    "a value by reference": INC + block("real s; let P[ref a] be a := 1; P[s]; result is s + n"),
    "an array without members": "A = Array[integer,(1,0)]",
    "a loop down": "for k = step 5, -1, 1 do WriteLine(k)",
    "a place by reference": f"let A = [1,2]\n{INC}Inc[A[0]]\nInc[A[0] = 1 → A[0], A[1]]",
    "a way out before": block("if n = 0 then result is 1; result is n × F(n - 1)"),
    "pieces of a line": "let R[n] be § Write(n)\n Write(‘, ’)\n Write(n); Write(n)\n WriteLine()\n Write(n) §|",
    "another Write": "let Write[x] be WriteLine(x)\nWrite(1)\nWrite(2)",
    "a way out beside": "F(n) = n > 0 ∧ F(n - 1)\nG(b,n) = (b → 0, G(b,n)) + 1\nH(n) = 0 < n < H(n - 1) → 1, 2",
    "one that may be applied": "F(n) = λx. F(x)\nlet R[] be § let Q[] be R[]; for k = [] do R[]; WriteLine(1, Q) §|",
    "applied by substitution": "let R[substitution x] be WriteLine(1)\nF(n) = value of § R[F(n)]; result is n §|",
    "a number that is declared": block("real w = 1; w := 0.5; general g = 1; g := 0.5; result is (w,g,n)"),
    "a number that may be whole": block("let w = n; w := 0.5; let v = 1; v := Head([1,0.5]); result is (w,v)"),
    "a value by reference that is only read": "F[ref a] = a + 1\nWriteLine(F[5])",
}


def codes(text: str, path: str = "<text>") -> list[str]:
    return [diagnostic.code for diagnostic in cpl.check_text(text, path=path)]


def test_what_is_hardly_meant_is_reported_once_and_what_misleads_to_all() -> None:
    for title in DOUBTFUL:
        code, text = DOUBTFUL[title]
        assert codes(text) == [code]
        expected = [code] * CAUSES[code].misleads
        assert [diagnostic.code for diagnostic in cpl.compile_text(text).diagnostics] == expected
        assert re.findall(r"^warning\[(.*)\]", run("cpl", "run", "-", input=text).stderr, re.MULTILINE) == expected


BITE = "let n = 10\nF() = n + 1\nn := 20\nG(P) = F() = 0 → [P], NIL\nWriteLine(F())\n"
DOORS = [
    "cplc {}",
    "cplc -O {}",
    "cpl run {}",
    "cpl run --interpreter {} --call F() --call F()",
    "cpl trace {} --call F()",
    "cpl session {} --from examples",
    "cpl html {}",
    "cpl html --python {}",
    "cpl diff {} {}",
    "cpl perft {} --start F() --moves G --depth 1",
    "cpl perft {} --start F() --moves G --depth 1 --jobs 2",
    "cpl rules strachey.cpl --library {} --positions 1",
    pytest.param("cpl readings strachey.cpl --library {} --against strachey.cpl --positions 2", marks=pytest.mark.long),
    "cpl repl {}",
]


@pytest.mark.parametrize("door", DOORS)
def test_every_command_that_runs_a_text_says_once_what_misleads(door: str, tmp_path: Path) -> None:
    (tmp_path / "bite.cpl").write_text(BITE, encoding="utf-8")
    (tmp_path / "examples").write_text(">>> F()\n11\n", encoding="utf-8")
    command, *arguments = door.format("bite.cpl", "bite.cpl").split()
    done = run(command, *arguments, cwd=tmp_path, input="F()\nF()\n", status=0)
    assert done.stderr.count("bite.cpl:5:11") == done.stderr.count("warning[") == 1
    assert "not-seen" not in done.stdout and done.stderr.startswith("warning[not-seen]")


def test_an_expression_that_is_entered_tells_what_its_divisor_is(tmp_path: Path) -> None:
    (tmp_path / "f.cpl").write_text("F(x) = x\n", encoding="utf-8")
    for done in (run("cpl", "repl", input="9/2 × 3\n"), run("cpl", "run", "f.cpl", "--call", "9/2 × 3", cwd=tmp_path)):
        assert "1.5" in done.stdout
        assert done.stderr.startswith("warning[wide-divisor]: this divides by 2 × 3")
        assert done.stderr.count("warning[") == 1


def test_a_text_that_grows_tells_what_misleads_when_it_does() -> None:
    entries = [
        "let n = 10; n := 15",
        "F() = n + 1",
        "F()",
        "n := 20",
        "F()",
        "F()",
        "n := 30",
        "F() + 1",
        "F() = n",
        "F()",
    ]
    workspace, warned = Workspace(), []
    for entry in entries:
        workspace.run(entry)
        warned.append([diagnostic.span.source.path for diagnostic in workspace.warnings])
    assert warned == [[], [], [], [], ["<entry 5>"], [], [], ["<entry 8>"], [], []]


@pytest.mark.parametrize(("call", "count"), [("F()", 1), ("n", 0)])
def test_what_may_be_meant_is_left_alone(call: str, count: int) -> None:
    assert run("cpl", "run", "-", "--call", call, input="let n = 1\nF() = n\nn := 2").stderr.count("not-seen") == count
    for title in SOUND:
        assert codes(SOUND[title]) == []


def test_of_what_travels_with_cplc_there_is_nothing_to_say() -> None:
    assert len(PROGRAMS) >= 6
    for program in PROGRAMS:
        assert codes(program.read_text(encoding="utf-8"), str(program)) == [], program.name
    original = ROOT / "programs/strachey-original.cpl"
    assert codes(original.read_text(encoding="utf-8"), str(original)) == ["unclosed-bracket"]
    for library in ("checkers-1966.cpl", "standard.cpl"):
        text = f'get "{library}"\nLegalPositionsFrom(P) = NIL\n' if library.startswith("checkers") else ""
        assert codes(text) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_of_the_examples_in_the_documentation_there_is_nothing_to_say(page: Path) -> None:
    """But of a result that is missing, of a value that may not fit, and of a divisor, where the page says so."""
    example = re.compile(r"^```cpl\n(.*?)^```$(.*?)(?=^```cpl$|^## |\Z)", re.MULTILINE | re.DOTALL)
    for block, after in example.findall(page.read_text(encoding="utf-8")):
        expected = ["missing-result"] if "`fault: this block ended without a result`" in after else []
        shown = {"`fault: expected": "may-disagree", "`wide-divisor`": "wide-divisor"}
        allowed = {code for sign, code in shown.items() if sign in after}
        warnings = [diagnostic.code for diagnostic in cpl.check_text(block) if diagnostic.severity == "warning"]
        assert [code for code in warnings if code not in allowed] == expected, block


def test_only_what_is_reached_and_belongs_to_the_user_is_looked_at(tmp_path: Path) -> None:
    assert codes(block("let y = 2; result is n; WriteLine(y)")) == ["unreachable"]
    assert codes("let d = 1 in " + block("result is n; WriteLine(d)")) == ["unreachable"]
    (tmp_path / "programs.toml").write_text('["a.cpl"]\ncompanions = ["b.cpl"]\n', encoding="utf-8")
    (tmp_path / "b.cpl").write_text("G(n) = value of § let y = 2; result is n §|\n", encoding="utf-8")
    assert codes("F(n) = G(n)", str(tmp_path / "a.cpl")) == []
    library = tmp_path / "mine.cpl"
    library.write_text("G(n) = value of § let y = 2; result is n §|\n", encoding="utf-8")
    [diagnostic] = cpl.check_text("F(n) = G(n)", libraries=[library])
    assert (diagnostic.code, diagnostic.span.source.name) == ("unused", "mine.cpl")


@pytest.mark.usefixtures("deep")
def test_depth_and_length_do_not_matter() -> None:
    deep = "F(b) = " + "(b → 1, " * 70 + "2" + ")" * 70
    assert codes(deep) == []
    assert codes("F(b) = " + " ∧ ".join(["b"] * 380) + " → 1, 0") == []
    long = " + ".join(["b"] * 380) + " = 0"
    assert codes(f"F(b) = {long} → 1, {long} → 2, 3") == []
