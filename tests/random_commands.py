"""Random commands of CPL. They end: a counter is nobody else's, and a jump back has one too."""

import re
from collections.abc import Sequence

from random_expressions import FUNCTIONS, KINDS, NAMES, VALUES, Expressions, Scope

from cpl.records import dataclass, field, replace

TYPES = {
    "number": "integer",
    "real": "real",
    "boolean": "Boolean",
    "string": "string",
    "logical": "logical",
    "list": "real list",
    "array": "real vector",
    "pointer": "real pointer",
}
FRESH = {
    "array": "Vector({number.})",
    "matrix": "Matrix({number.})",
    "knot": "Knot[{number.},NIL]",
    "pointer": "Pointer[{number} + 0]",
}
"""What nothing else can lead into."""

TURNS = (
    "let f[u] {sign} u + 10{n}; {n} := {number.}; {m} := f[{m}]",
    "let g = λu. u; for k = 1, 2, 3 do § let w = k + {n}; let f[u] {sign} u + 10w; if k = 2 do g := f; w := w + 1 §|; "
    "{n} := g[{m}]",
    "let F = NIL; for k = 1, 2 do § let w = k; let f[u] {sign} u + w; F := Join([f],F); w := 10w §|; {n} := F[0][{m}]",
    "let t {sign} {n} + 10{m}; {n} := {number.}; {m} := t",
    "let t ≃ ({boolean.} → {n}, {m}); {n} := {number.}; t := t + 10{m}",
    "let p = Pointer[{n}]; {n} := {number.}; ↓p := ↓p + 10{m}",
    "let Swap[ref u, w] be u, w := w, u; Swap[{n},{m}]",
    "let Twice[substitution u, ref w] be § w := u; w := u + 1 §|; Twice[{n} + 10{m},{n}]",
    "let v = Vector({number.}); let k = 1; k, v[k] := 2, {number.}; {n} := 10v[1] + v[k]",
    "let v = Vector({n}); let t ≃ v[{index.}]; t := {number.}; {n} := 100v[0] + 10v[1] + v[3]",
    "let v = Vector({n}); let w = v; w[0] := {number.}; {n} := 10v[0] + v[1]",
    "let c = Knot[{n},NIL]; let d = c; Item[d], {n} := {number.}, {m}; {m} := {m} + 10Item[c]",
    "let k = {number.} in f[u] ≡ value of § k := k + u; result is k §|; {n} := f[1]; {m} := f[2] + 10{n}",
    "let rec f[u] {sign} u ≤ 0 → {number.}, f[u - 1] + 1; {n} := f[3]",
    "let rec routine P[u] be if u > 0 do § {n} := 10{n} + u; P[u - 1] §|; P[3]",
    "go to {boolean} → A, B; {n} := {number.}; A: {n} := 10{m}; B: {m} := {number.}",
    "let f[u] {sign} u + 10{n}; let Call[ref g] be {n} := g[{m}]; Call[f]; let p = Pointer[f]; {m} := (↓p)[{n}]",
    "let f[u] {sign} u + 1; let Set[ref g, h] be if {boolean} then g := h; let g = f; Set[g,λu. 2u]; {n} := g[{m}]; "
    "Set[f,g]",
    "label K; if {boolean} then K := B; if {boolean} then K := A; go to K; A: {n} := 10{m}; B: {m} := {m} + 1",
    "label K, M = B, A; K, M := M, K; let P = M; {n} := 10{n} + 1; go to {boolean} → K, P; A: {m} := {number.}; "
    "B: {m} := {m} + 1",
    "label K; let k = 2; § A: {n} := {n} + 1; K := {boolean} → A, B; k := k - 1; if k > 0 then go to K §|; "
    "if {boolean} then K := B; go to K; {m} := 0; B: {m} := {m} + 1",
    "let k = 2; A: if k = 0 then go to B; k := k - 1; {n} := 10{n} + k; go to A; B: {m} := {m} + 1",
    "if {boolean} then go to A; go to B; let k = 2; let w ≃ {n}; A: w, k := {m}, {number.}; {n} := k; B: {m} := 1",
    "let v = Vector({number.}); let k = 1; ({boolean} → k, {n}), v[k] := 2, {number.}; {n} := 10v[1] + v[2]",
    "let v = Vector({number.}); let k = 1; let p = Pointer[k]; ↓p, v[k] := 2, {number.}; {n} := 10v[1] + v[2]",
    "let v = [{number.},{n}]; let k = {index.} - 1; {m}, v[k] := v[0], {number.}; {n} := 10v[0] + v[1]",
    "let k, F = 0, NIL; A: let w = k; let f[u] {sign} u + w; F := Join([f],F); k := k + 1; if k < 3 then go to A; "
    "{n} := F[0][{m}] + 10F[1][{m}]",
    "for k = 1, 2 do § integer w; if k = {index.} then w := {n}; {m} := w; w := {number.} §|",
    "let M = [1,2]; for k = M do § M := Tail(M); {n} := 10{n} + k §|",
    "for k = step {n}, 1, {n} + 2 do § {n} := {n} + 1; {m} := {m} + 10k §|",
    "let b = {n} and c = {m}; b, c := c, b; {n} := 10b + c; {m}, {n} := {n}, {m}",
    "let (b,(c,d)) = ({n},({m},1)); (b,(c,d)) := (c,(d,b)); {n} := 100b + 10c + d",
    "integer k; if {boolean} then k := 1; {n} := k",
    "integer k = {n}; real w = k; k := w; {n} := k",
    "integer k; let q ≃ k; q := 2{n}/2; {n} := k",
    "real w = {n}; let p = Pointer[w]; ↓p := {m}; {n} := Entier(w/2)",
    "let f[integer u, real w] = u + Entier(w); {n} := f[{m},{n}/2]",
    "integer f[w] = w/2; {n} := f[{n}]",
    "let Half[ref integer u, real w] be u := w/2; integer k = 0; Half[k,{n}]; {n} := k",
    "let v = Array[integer,(1,2)]; v[1], v[2] := {n}/1, {m}; {n} := v[1] + 10v[2]",
    "integer k; real w; (k,w) := ({n},{m}/2); {n} := k + Entier(w)",
    "let k = {index.}; {n} := {m}↑k + 2↑Remainder({n},5)",
    "let f {sign} λu. u + 10{n}; let g = f; {n} := {number.}; {m} := g[{m}]",
    "let f {sign} {λb. λu. u + b + {n}}[{number.}]; let F = [f,f]; {n} := {number.}; {m} := F[1][{m}]",
    "let f {sign} ({boolean.} → λu. u + {n}, λu. {m}); let g[u] {sign} f[u] + 10{n}; {n} := {number.}; {m} := g[{m}]",
    "let f ≡ λu. value of § {n} := {n} + u; result is 10{n} §|; let g = f; {n} := g[2]; {m} := f[{m}]",
    "let P[w] {sign} value of § let f {sign} λu. u + 10w + {n}; w := {number.}; result is f §|; let g = P[{n}]; "
    "{n} := {number.}; {m} := g[{m}]",
    "let P[w] = value of § let f ≡ λu. value of § w := w + u; result is w §|; result is f §|; let g = P[{n}]; "
    "let h = P[{m}]; {n} := g[1]; {m} := h[{n}]; {n} := {n} + g[{m}]",
    "let F = NIL; for k = 1, 2 do § let w = 10k; let f ≡ λu. value of § w := w + u + {n}; result is w §|; "
    "F := Join([f],F) §|; {n} := F[0][1] + F[1][2]; {m} := F[0][{m}] + 10F[1][1]",
    "let P[g,u] {sign} g[g[u]]; let f {sign} λu. u + {n}; {n} := {number.}; {m} := P[f,{m}]",
    "let P[ref u] be u := 2u + 1; let R = P; R[{n}]; R[{m}]; let v = Vector({n}); R[v[{index.}]]; {n} := v[0] + 10v[1]",
    "let P[ref u] be u := u + {m}; let Q[ref u] be u := 3u; for g = [P,Q,P] do g[{n}]; let R = ({boolean.} → P, Q); "
    "R[{n}]",
    "let P[ref u] be u := 2u + 1; let Q[g,ref u] be § g[u]; g[u] §|; let R[h,g,ref u] be h[g,u]; Q[P,{n}]; R[Q,P,{m}]",
    "let P[w] {sign} value of § let Q[ref u] be u := 10u + w; result is Q §|; let F = [P[{number.}],P[{n}]]; "
    "F[0][{n}]; F[1][{m}]",
    "let F = NIL; for k = 1, 2 do § let w = k + {m}; let P[ref u] be § u := u + w; w := w + 1 §|; F := Join([P],F) §|; "
    "for g = F do § g[{n}]; g[{m}] §|",
    "let P[substitution t, ref u] = value of § u := u + 1; result is 10t §|; let g = P; {m} := g[u + {n},{n}] "
    "where u = 1",
    "let P[substitution t, ref u] = value of § u := u + 1; result is t §|; let Q[substitution t, ref u] = 2t + u; "
    "let g = ({boolean.} → P, Q); let k = {number.}; let w = g[10k,k]; {n} := w + k",
    "let P[substitution t] be t := t + {m}; let Q[g] be § g[{n}]; g[{n} + 1] §|; Q[P]; let F = [P,P]; F[1][{n}]",
    "let k = {n} in f[u] ≡ value of § k := k + u; result is k §| and g[u] ≡ value of § k := 2k + u; result is k §|; "
    "{n} := f[1]; {m} := g[2]; {n} := {n} + f[1]",
    "let k = {n} in rec f[u] ≡ value of § k := k + u; result is u ≤ 0 → k, f[u - 1] §|; {n} := f[2]; "
    "{m} := f[{index.}]",
    "let k = {n} and w = {m} in f[u] {sign} u + 10k + w and P[ref u] be u := w; {n}, {m} := {m}, {number.}; "
    "{n} := f[{n}]; P[{m}]",
    "let integer k = {n} in rec integer f[u] ≡ value of § k := k + u; result is u ≤ 0 → k, f[u - 1] §| "
    "and routine P[u] be k := u; P[{number.}]; {n} := f[2]; let (b,(c,d)), w = ({n},({m},1)), 2; "
    "{m} := 100b + 10c + d + w",
    "let k = {n}; let f[u] {sign} u + k; let k = {number.}; let g[u] {sign} 10k + f[u]; k := {number.}; {m} := g[k]",
    "let f[u] {sign} u + {n}; let g = f; let f[u] {sign} 10f[u] + {m}; {n} := {number.}; {m} := f[{m}] + g[1]",
)
"""What can be done to variables, in one section: n and m are two of those that may change, or one of them twice. The
other names are none of `NAMES`.
"""

CHANGES = (
    "Set[{n},{m} + 1]",
    "Set[{n},{n} + 1]",
    "let p = Pointer[{n}]; ↓p := ↓p + {m}",
    "let p = Pointer[{n}]; Set[↓p,{m}]; {other}",
    "for k = 1, 2 do Set[{n},k + {n}]",
    "for k = 1, 2 do § let p = Pointer[{n}]; ↓p := ↓p + k; {other} §|",
    "let G = [{n},{m}]; Set[G[1],2]; Set[{n},G[1] + {n}]",
    "let G = [Pointer[{n}],Pointer[{m}]]; ↓(G[0]) := ↓(G[1]) + 1",
    "let G = NIL; for k = 1, 2 do § let w = k; let g[x''] {sign} value of § Set[w,w + {n}]; Set[{n},{n} + w]; "
    "result is w §|; G := Join([g],G) §|; Set[{n},G[0][1] + 10G[1][1]]",
)
"""What functions that are within others may do to a variable n by a reference, perhaps with the help of m."""

ASSIGNMENTS = ("{n} := {n} + {m}", "{n} := 2{m}", "let t ≃ {n}; t := 2t + 1", "for k = 1, 2 do {n} := {n} + k")
"""The same by its name: not in a function that takes the values of the variables around it."""

SUMS = {
    "number": "{}",
    "index": "({} > 20 → 1, 2)",
    "place": "({} > 20 → 1, 2)",
    "tree": "Leaf[{}]",
    "boolean": "Remainder({},7) > 3",
    "logical": "({} > 20 → Logical(1), Logical(2))",
    "list": "[{}]",
    "pair": "({},true)",
    "real": "{}",
    "string": "({} > 20 → ‘a’, ‘b’)",
    "array": "Vector({})",
    "matrix": "Matrix({})",
    "knot": "Knot[{},NIL]",
    "pointer": "Pointer[0 + {}]",
    "function of number": "(λu. u + {})",
    "function of boolean": "(λu. u > {})",
}
"""A value of each kind in which a number is seen."""

MODES = ("ref", "value", "substitution")


@dataclass
class Commands(Expressions):
    """Draws commands. `routines` are those defined so far: name, and the modes and kinds of the parameters."""

    routines: list[tuple[str, list[tuple[str, str]]]] = field(default_factory=list)
    count: int = 0

    def fresh(self, stem: str) -> str:
        """A name that is nobody else's."""
        self.count += 1
        return f"{stem}{self.count}"

    def block(self, kind: str, scope: Scope) -> str:
        if self.number(0, 4) == 0:
            first = self.expression(kind, scope.with_names({"result": "nothing"}))  # it has no value yet
            scope = replace(scope, early=None)
            scope.define("result", kind, fixed=kind in FUNCTIONS)
            commands = [f"result := {first}", *self.commands(scope)]
            if (counts := self.counts(scope)) and kind not in FUNCTIONS:
                commands.append(f"result := {SUMS[kind].format(counts)}")
            del scope.kinds["result"]
            return f"result of {self.section(commands, scope)}"
        scope = replace(scope, early=kind)
        commands = [*self.numbers(scope), *self.commands(scope)]
        if counts := self.counts(scope):
            last = f"result is {SUMS[kind].format(counts)}"
        else:
            certain = self.number(0, 59) < 59
            last = f"result is {self.expression(kind, scope)}" if certain else self.giving(scope)
        return f"value of {self.section([*commands, last], scope)}"

    def counts(self, scope: Scope) -> str:
        """A number in which it is seen what was done to the variables, if there are any; now and then nothing."""
        names = [name for name in scope.names("number") if name in scope.changing and name != "result"]
        return " + 10".join(names) if self.number(0, 5) else ""

    def giving(self, scope: Scope) -> str:
        return f"if {self.operand('boolean', scope)} then result is {self.expression(scope.early or '', scope)}"

    def section(self, commands: list[str], scope: Scope) -> str:
        return "§ " + f"\n{scope.indent}".join(commands) + " §|"

    def nested(self, scope: Scope, *last: str, left: bool = False) -> str:
        """A section; commands may be the `last` in it, if they name nothing that it may have defined anew.

        A loop may be `left` at its end, on a condition that sees what the section has defined.
        """
        inner = scope.inner()
        commands = [*self.commands(inner), *last]
        if left:
            commands.append(f"if {self.operand('boolean', inner)} then break")
        if not commands and (names := [each for each in scope.names("number") if each in scope.changing]):
            commands = [f"{(name := self.choose(*names))} := {name} + 1"]
        return self.section(commands or ["let z' = 1"], inner)

    def commands(self, scope: Scope) -> list[str]:
        result: list[str] = []
        for _ in range(self.number(1, 4) if self.budget > 0 else 0):
            result += self.command(scope)
        return result

    def numbers(self, scope: Scope) -> list[str]:
        """Two variables that something can be done to."""
        if self.budget <= 0 or self.number(0, 3) == 0:
            return []
        first, second = self.choose(*NAMES[:5]), self.choose(*NAMES[5:])
        text = f"let {first}, {second} = {self.expression('number', scope)}, {self.number(0, 9)}"
        scope.define(first, "number")
        scope.define(second, "number")
        return [text]

    def command(self, scope: Scope) -> list[str]:
        self.budget -= 1
        match self.number(0, 28):
            case 0 | 1 | 2:
                return self.definition(scope)
            case 3:
                return self.several(scope)
            case 4:
                return self.function(scope)
            case 5:
                return self.declaration(scope)
            case 6:
                return self.shared(scope)
            case 7 | 8 if scope.early == "return":
                return [f"if {self.operand('boolean', scope)} then return"]
            case 7 | 8 if scope.early and scope.early != "return":
                return [self.giving(scope)]
            case 9 | 10 | 11 | 12:
                return self.assignment(scope)
            case 13 | 14:
                return self.loop(scope)
            case 15:
                return self.tangle(scope) if self.number(0, 2) == 0 else self.jump(scope)
            case 16:
                return self.switch(scope)
            case 17:
                first, second = self.nested(scope), self.nested(scope)
                return [f"test {self.condition(scope)} then do {first} or do {second}"]
            case 18 | 19 if self.routines:
                return self.application(scope)
            case 20 if scope.alone:
                return [f"Write({','.join(self.expression(self.choose(*VALUES), scope) for _ in range(2))})"]
            case 21 if scope.alone:
                return self.stream(scope)
            case 22 | 23 | 24 | 25:
                return self.turn(scope)
            case 26 | 27:
                return self.capture(scope)
        test = self.condition(scope)
        return [self.choose(f"if {test} then ", f"unless {test} do ", "") + self.nested(scope)]

    # Definitions

    def value(self, kind: str, scope: Scope) -> str:
        """Of what others may share, something new, unless the commands are alone."""
        if kind in FRESH and not scope.alone:
            return self.fill(FRESH[kind], scope)
        return self.expression(kind, scope)

    def definition(self, scope: Scope) -> list[str]:
        name, kind = self.choose(*NAMES), self.choose(*KINDS)
        if self.number(0, 2):
            value = self.value(kind, scope)
        else:  # alone on its side: what it does to other variables is seen by nobody else meanwhile
            kind = self.choose(*VALUES)
            value = self.block(kind, scope.inner())
        word = self.choose("let", TYPES.get(kind, "general"))
        scope.define(name, kind)
        return [f"{word} {name} = {value}"]

    def several(self, scope: Scope) -> list[str]:
        first, second = self.choose(*NAMES[:5]), self.choose(*NAMES[5:])
        if self.number(0, 1):
            value = self.expression("pair", scope)
            text = f"let ({first},{second}) = {value}"
        else:
            text = f"let {first} = {self.operand('number', scope)} and {second} = {self.operand('boolean', scope)}"
        scope.define(first, "number")
        scope.define(second, "boolean")
        return [text]

    def function(self, scope: Scope) -> list[str]:
        """A function, or a name that is worked out at each use."""
        sign, known = self.choose("=", "≡"), self.choose("number", "boolean")
        if self.number(0, 2) == 0:
            name = self.choose(*NAMES)
            text = f"let {name} ≡ {self.expression(known, scope.operand())}"
            scope.define(name, known, fixed=True)
            return [text]
        name, parameter = self.choose("f", "g", "h"), self.choose(*NAMES)
        body = self.expression(known, scope.with_names({parameter: "number"}).operand())
        scope.define(name, f"function of {known}", fixed=True)
        return [f"let {name}[{parameter}] {sign} {body}"]

    def declaration(self, scope: Scope) -> list[str]:
        """A variable that gets its value later, or never."""
        name, kind = self.choose(*NAMES), self.choose("number", "real", "boolean")
        value = self.expression(kind, scope.with_names({name: "nothing"}))
        scope.define(name, kind)
        given = [f"{name} := {value}"] if self.number(0, 19) else []
        return [f"{TYPES[kind]} {name}", *given]

    def shared(self, scope: Scope) -> list[str]:
        """Another name for a place, or a pointer to it."""
        places = self.places("number", scope)
        if not places:
            return []
        place, name = self.fill(self.choose(*places), scope), self.choose(*NAMES)
        if self.number(0, 1):
            scope.define(name, "number")
            return [f"let {name} ≃ {place}"]
        scope.define(name, "pointer")
        return [f"let {name} = Pointer[{place}]"]

    # Assignments

    def places(self, kind: str, scope: Scope) -> list[str]:
        """The forms of places of this kind that can be assigned to."""
        changing = [(name, scope.kinds[name]) for name in sorted(scope.changing) if name in scope.kinds]
        if kind != "number":
            return [name for name, known in changing if known == kind]
        forms = {
            "number": "{}",
            "array": "{}[{{index.}}]",
            "matrix": "{}[{{place.}},{{place.}}]",
            "knot": "Item[{}]",
            "pointer": "↓{}",
        }
        return [forms[known].format(name) for name, known in changing if known in forms]

    def place(self, kind: str, scope: Scope) -> str:
        forms = self.places(kind, scope)
        chosen = self.fill(self.choose(*forms), scope)
        if self.number(0, 3):
            return chosen
        return f"({self.operand('boolean', scope)} → {chosen}, {self.fill(self.choose(*forms), scope)})"

    def assignment(self, scope: Scope) -> list[str]:
        """One place, or several at once, or one that a condition chooses."""
        kinds = [kind for kind in VALUES if self.places(kind, scope)]
        if not kinds:
            return []
        chosen = [self.choose(*kinds) for _ in range(self.number(1, 3))]
        values = [self.expression(kind, scope) for kind in chosen]
        return [f"{', '.join(self.place(kind, scope) for kind in chosen)} := {', '.join(values)}"]

    def application(self, scope: Scope) -> list[str]:
        """A routine applied. By reference it is given places that may change, or values of its own."""
        if not scope.alone:
            return []
        name, parameters = self.among(self.routines)
        return [f"{name}[{','.join(self.argument(mode, kind, scope) for mode, kind in parameters)}]"]

    def argument(self, mode: str, kind: str, scope: Scope) -> str:
        if mode != "ref":
            return self.expression(kind, scope)
        return self.place(kind, scope) if self.places(kind, scope) else f"{self.operand(kind, scope)} + 1"

    def stream(self, scope: Scope) -> list[str]:
        """A number from a stream, or something written on one."""
        stream, name, value = self.fresh("S"), self.choose(*NAMES), self.expression(self.choose(*VALUES), scope)
        if self.number(0, 1):
            return [
                f"let {stream} = StreamOf(‘’)",
                f"Output({stream})",
                f"Write({value})",
                "Output(NIL)",
                f"Write(Symbols({stream}))",
            ]
        scope.define(name, "number")
        return ["Input(StreamOf(‘12 7’))", f"integer {name}", f"Read({name})"]

    # Loops, jumps and choices

    def loop(self, scope: Scope) -> list[str]:
        """A loop that ends."""
        left = self.number(0, 3) == 0
        counter = "c" + "'" * self.number(1, 3)
        inside = scope.with_names({counter: "number"})
        match self.number(0, 4):
            case 0:
                steps = f"step {self.number(0, 3)}, {self.choose('1', '-1', '2')}, {self.number(0, 3)}"
                return [f"for {counter} = {steps} do {self.nested(inside, left=left)}"]
            case 1:
                members = self.choose("[1,2,3]", "[4]", "NIL", "3,1,2")
                return [f"for {counter} = {members} do {self.nested(inside, left=left)}"]
        counter = self.fresh("C")
        down = f"{counter} := {counter} - 1"
        body = self.nested(scope, left=left)
        start = f"let {counter} = {self.number(0, 3)}"
        match self.number(0, 2):
            case 0:
                word = self.choose(f"while {counter} > 0", f"until {counter} = 0")
                return [start, f"{word} do § {down}\n{body} §|"]
            case 1:
                word = self.choose(f"repeat while {counter} > 0", f"repeat until {counter} ≤ 0")
                return [start, f"§ {down}\n{body} §| {word}"]
            case _:
                return [start, f"§ {down}\nif {counter} < 0 then break\n{body} §| repeat"]

    def jump(self, scope: Scope) -> list[str]:
        """A jump forward, back, or out of a loop."""
        label = self.fresh("M")
        body, after = self.nested(scope), self.nested(scope)
        test = self.operand("boolean", scope)
        match self.number(0, 3):
            case 0:
                return [f"if {test} then go to {label}", body, f"{label}: {after}"]
            case 3:
                leave = f"§ {body}\nif {test} then go to {label} §|"
                return [f"for c = [1,2] do for d = [1,2] do {leave}", self.nested(scope), f"{label}: {after}"]
            case 1:
                leave = f"if {test} then go to {label}"
                return [f"for c = [1,2] do § {body}\n{leave} §|", self.nested(scope), f"{label}: {after}"]
            case _:
                counter = self.fresh("C")
                again = f"if {counter} > 0 then go to {label}"
                return [f"let {counter} = 3", f"{label}: {counter} := {counter} - 1", body, again]

    def tangle(self, scope: Scope) -> list[str]:
        """Commands between which jumps lead back and forth, also by a label variable."""
        labels = [self.fresh("M") for _ in range(self.number(2, 4))]
        left, kept = self.fresh("C"), self.fresh("K")
        begin = f"go to {self.operand('boolean', scope)} → {self.choose(*labels)}, {self.choose(*labels)}"
        result = [f"let {left} = {self.number(1, 5)}", f"label {kept} = {labels[0]}", self.choose(begin, "")]
        for label in labels:
            first, second = self.choose(*labels), self.choose(*labels, kept)
            choice = f"{self.operand('boolean', scope)} → {first}, {second}"
            jump = self.choose(
                f"if {left} > 0 then go to {second}",
                f"if {left} > 0 then go to {choice}",
                f"{kept} := {choice}\nif {left} > 0 then go to {kept}",
                f"for c = 1, 2 do § {self.nested(scope)}\nif {left} > c then go to {second} §|",
                "",
            )
            result += [f"{label}: {left} := {left} - 1", self.nested(scope), jump]
        return [each for each in result if each]

    def turn(self, scope: Scope) -> list[str]:
        """One of the `TURNS`."""
        variables = sorted(name for name in scope.changing if scope.kinds.get(name) == "number")
        if not variables:
            return self.definition(scope)
        return [self.section(self.turned(variables, TURNS, scope), scope.inner())]

    def turned(self, variables: Sequence[str], turns: Sequence[str], scope: Scope) -> list[str]:
        """The commands of one of these turns, at two of the variables."""
        names = {"n": self.choose(*variables), "m": self.choose(*variables)}
        form = re.sub(r"\{(n|m)\}", lambda hole: names[hole[1]], self.choose(*turns))
        form = re.sub(r"\{sign\}", lambda _: self.choose("=", "≡"), form)
        return self.fill(form, scope.operand()).split("; ")

    def capture(self, scope: Scope) -> list[str]:
        """Functions within functions, which refer to a variable further out: to one of the section, of a loop, or to a
        parameter.
        """
        variables = sorted(name for name in scope.changing if scope.kinds.get(name) == "number")
        if not variables:
            return self.definition(scope)
        outer, n, m = self.choose(*variables), "q'", self.choose(*variables, "q''")
        signs = [self.choose("=", "≡") for _ in range(self.number(1, 2))]
        forms = CHANGES if "=" in signs else CHANGES + ASSIGNMENTS

        def change() -> str:
            other = self.choose("Set[{n},{n} + 2]", "Set[{m},{n}]").format(n=n, m=m)
            return self.choose(*forms).format(n=n, m=m, other=other, sign=self.choose("=", "≡"))

        inner = f"{change()}; result is 10{n} + {m}"
        for name, sign in zip("fg", signs, strict=False):
            applied = f"{self.choose(change(), f'Set[{n},0]')}; result is {name}[{n}] + 10{n}"
            inner = f"let {name}[q''] {sign} value of § {inner} §|; {applied}"
        before, _, last = inner.rpartition("result is")
        commands = f"{before}{outer} :={last} + 100{n}"
        match self.choose("let", "≃", "for", "routine"):
            case "for":
                text = f"for {n} = {self.number(1, 3)}, {outer} do § {commands} §|"
            case "routine":
                text = f"let Q[{self.choose(*MODES)} {n}] be § {commands} §|; Q[{outer}]; Q[{outer}]"
            case sign:
                text = f"let {n} {sign.replace('let', '=')} {outer}; {commands}"
        return [self.section(["let Set[ref u, w] be u := w", "let q'' = 3", *text.split("; ")], scope.inner())]

    def switch(self, scope: Scope) -> list[str]:
        value = self.expression("number", scope)
        cases = [f"case {label}: {self.nested(scope)}" for label in ("1", "2, 3")]
        default = [f"default: {self.nested(scope)}"] if self.number(0, 1) else []
        return [f"switch {value} into {self.section([*cases, *default], scope)}"]
