"""Texts of one shape, as large as is asked for: what a program of ordinary lines does not show grows too fast here."""

from collections.abc import Callable


def lines(count: int, line: Callable[[int], str]) -> str:
    """So many lines, made by number."""
    return "\n".join(map(line, range(count))) + "\n"


def block(count: int, line: Callable[[int], str]) -> str:
    """A function whose block has so many commands."""
    return f"F(x) = value of § let a = x\n{lines(count, line)}result is x §|\n"


def clique(count: int) -> str:
    """Functions that use each other, each of them nine."""
    calls = (" + ".join(f"F{(at * by + by) % count}(x - 1)" for by in range(1, 10)) for at in range(count))
    return "".join(f"F{at}(x) = x = 0 → 1, {call}\n" for at, call in enumerate(calls))


def body(count: int, start: str, line: Callable[[int], str], end: str = "result is a §|") -> str:
    """A function of x whose block has these commands in the middle."""
    return f"F(x) = value of § {start}\n{lines(count, line)}{end}\n"


def grouped(count: int, size: int, text: Callable[[int], str]) -> str:
    """So many parts in all, nested in definitions of this size: what nests deeper is refused."""
    return lines(max(1, count // size), text)


def nest(depth: int, opening: str, inside: str, closing: str) -> str:
    """Something within brackets of its kind, so deep."""
    return opening * depth + inside + closing * depth


def ring(count: int) -> str:
    """Functions of which each uses the next, and the last the first."""
    return lines(count, lambda i: f"F{i}(x) = x < 1 → {i}, F{(i + 1) % count}(x - 1) + x")


def cases(count: int) -> str:
    """A switch with so many cases."""
    parts = lines(count, lambda i: f"case {i}: result is {i + 1}")
    return f"F(x) = value of § switch x into §\n{parts}default: result is 0 §| §|\n"


def arms(count: int) -> str:
    """A conditional expression of so many arms."""
    return "F(x) = " + "".join(f"x = {i} → {i + 1},\n  " for i in range(count)) + "0\n"


def texts(count: int) -> str:
    """A text that gets others, which lie in the folder `parts` beside it."""
    return lines(count, lambda i: f"get ‘parts/Part{i}.cpl’") + "A = F0(1)\n"


def part(number: int) -> str:
    """One of these others; it uses the one before it."""
    used = f"F{number - 1}(x) + 1" if number else "x"
    return f"F{number}(x) = {used}\nG{number}(x) = F{number}(x) + x\n"


def numbered(count: int, form: str) -> str:
    """So many things between commas, with their numbers."""
    return ", ".join(form.format(number) for number in range(count))


def clause(count: int) -> str:
    """One function with so many definitions after it."""
    return "F(x) = A0 " + "".join(f"\n  {'and' if i else 'where'} A{i} = x + {i}" for i in range(count)) + "\n"


SHAPES: dict[str, tuple[Callable[[int], str], int]] = {
    "constants": (lambda n: lines(n, lambda i: f"X{i} = {i}"), 3000),
    "functions": (lambda n: lines(n, lambda i: f"F{i}(x) = x + {i}"), 1500),
    "functions of functions": (lambda n: "F0(x) = x\n" + lines(n, lambda i: f"F{i + 1}(x) = F{i}(x) + 1"), 1000),
    "tuples that double": (lambda n: "Y0 = (1,2)\n" + lines(n, lambda i: f"Y{i + 1} = (Y{i},Y{i})"), 300),
    "lists that double": (lambda n: "Y0 = [1,2]\n" + lines(n, lambda i: f"Y{i + 1} = [Y{i},Y{i}]"), 300),
    "both that double": (lambda n: "Y0 = (1,2)\n" + lines(n, lambda i: f"Y{i + 1} = [(Y{i},Y{i})]"), 300),
    "results that double": (lambda n: "F0(x) = (x,x)\n" + lines(n, lambda i: f"F{i + 1}(x) = (F{i}(x),F{i}(x))"), 200),
    "disagreements": (lambda n: lines(n, lambda i: f"F{i}(x) = x + ‘a’ + true"), 1000),
    "a list": (lambda n: f"L = [{','.join(map(str, range(n)))}]\n", 10_000),
    "a list of lists": (lambda n: f"L = [{','.join(['[1]'] * n)}]\n", 5000),
    "definitions in a block": (lambda n: block(n, lambda i: f"  let A{i} = x + {i}"), 1500),
    "one after the other": (lambda n: block(n, lambda i: f"  let a = a + {i}"), 1500),
    "choices": (lambda n: block(n, lambda i: f"  if x = {i} then result is {i}"), 1500),
    "commands": (lambda n: lines(n, lambda i: f"WriteLine({i})"), 1500),
    "a clique": (clique, 100),
    "unknown names": (lambda n: lines(n, lambda i: f"X{i} = Yabc{i}"), 3000),
    "errors": (lambda n: lines(n, lambda i: f"X{i} = 1 × ) 2"), 3000),
    "errors on one line": (lambda n: "X = " + " == ".join("1" * n) + "\n", 3000),
    "comments": (lambda n: lines(n, lambda i: f"|| comment {i}") + "X = 1\n", 10_000),
    "functions in one way or the other": (
        lambda n: "F0(x) = x\n" + lines(n, lambda i: f"F{i + 1}(x) = (x > {i} → F{i}(x - 1), x + {i})"),
        500,
    ),
    "loops over the function before": (
        lambda n: (
            "F0(x) = x\n"
            + lines(
                n,
                lambda i: f"F{i + 1}(x) = value of § let s = 0; for k = 1 to x do s := s + F{i}(k); result is s §",
            )
        ),
        400,
    ),
    "a ring": (ring, 500),
    "a star": (lambda n: "F(x) = x\n" + lines(n, lambda i: f"F{i}(x) = F(x) + F(x + {i})"), 800),
    "a star turned round": (
        lambda n: lines(n, lambda i: f"F{i}(x) = x + {i}") + f"G(x) = {' + '.join(f'F{i}(x)' for i in range(n))}\n",
        800,
    ),
    "constants of constants": (lambda n: "X0 = 1\n" + lines(n, lambda i: f"X{i + 1} = X{i} + {i}"), 1500),
    "functions of constants": (
        lambda n: "X0 = 1\n" + lines(n, lambda i: f"X{i + 1} = X{i} + {i}\nF{i}(x) = x + X{i + 1}"),
        700,
    ),
    "a variable that functions read": (
        lambda n: "S = 0\n" + lines(n, lambda i: f"routine R{i}(x) is S := S + x\nF{i}(x) = x + (x > {i} → S, 1)"),
        700,
    ),
    "loops": (lambda n: body(n, "let a = x", lambda i: f"for k = 1 to {i} do a := a + k"), 700),
    "while loops": (lambda n: body(n, "let a = x", lambda i: f"while a < {i} do a := a + {i}x"), 700),
    "loops over lists": (lambda n: body(n, "let a = x", lambda i: f"for k = [1,2,{i}] do a := a + k"), 700),
    "nested loops": (
        lambda n: grouped(
            n,
            10,
            lambda i: (
                f"F{i}(x) = value of § let a = x\n"
                + "".join(f"for {name} = 1 to 2 do\n" for name in "bcdefghijk")
                + "a := a + 1\nresult is a §|"
            ),
        ),
        700,
    ),
    "nested blocks": (
        lambda n: grouped(
            n, 10, lambda i: f"F{i}(x) = " + nest(10, "value of § let a = x + 1; result is a + ", "1", " §")
        ),
        700,
    ),
    "blocks in sums": (
        lambda n: "F(x) = " + " + ".join(f"(value of § let a = x + {i}; result is a §)" for i in range(n)) + "\n",
        400,
    ),
    "nested applications": (lambda n: grouped(n, 20, lambda i: f"F{i}(x) = {nest(20, 'F0(', 'x', ')')}"), 2000),
    "nested lists": (lambda n: grouped(n, 20, lambda i: f"L{i} = {nest(20, '[', '1', ',2]')}"), 2000),
    "nested conditionals": (
        lambda n: grouped(n, 10, lambda i: f"F{i}(x) = {nest(10, 'x > 1 → (x < 5 → 1, 2), (', 'x', ')')}"),
        700,
    ),
    "closures": (lambda n: lines(n, lambda i: f"F{i}(x) = Map(λy. x + y + {i}, [1,2])"), 700),
    "closures of a loop": (
        lambda n: body(n, "let a = NIL", lambda i: f"for k = 1 to 2 do § let c = k + {i}; a := Join(a, [λy. y + c]) §"),
        400,
    ),
    "local functions": (lambda n: block(n, lambda i: f"  let F{i}[y] = y + x + {i}"), 700),
    "local functions of each other": (
        lambda n: block(n, lambda i: f"  let F{i + 1}[y] = {f'F{i}[y]' if i else 'y'} + a"),
        400,
    ),
    "functions given": (
        lambda n: "H(f,x) = f(x)\n" + lines(n, lambda i: f"F{i}(x) = H(λy. y + x, {i}) + H(λz. z, x)"),
        400,
    ),
    "routines": (lambda n: "S = 0\n" + lines(n, lambda i: f"routine R{i}(x) is S := S + {i}x"), 1000),
    "a switch": (cases, 800),
    "switches": (
        lambda n: lines(
            n,
            lambda i: (
                f"F{i}(x) = value of § switch x into § case 1: result is {i}\ncase 2: result is 3\n"
                "default: result is 0 §| §|"
            ),
        ),
        300,
    ),
    "labels": (
        lambda n: lines(
            n // 5,
            lambda i: (
                f"G{i}(x) = value of § let a = x\n"
                + lines(5, lambda j: f"L{j}: a := a + 1\nif a < {j} then go to L{j}")
                + "result is a §|"
            ),
        ),
        700,
    ),
    "labels in a block": (lambda n: block(n, lambda i: f"  L{i}: a := a + 1"), 500),
    "jumps in a block": (lambda n: block(n, lambda i: f"  L{i}: a := a + 1\n  if a < {i} then go to L{i}"), 200),
    "arms": (arms, 1000),
    "conditionals": (lambda n: lines(n, lambda i: f"F{i}(x) = x = {i} → 1, x > 7 → 2, 3"), 1000),
    "types of nodes": (
        lambda n: lines(n, lambda i: f"node Nodes{i} is integer Key{i} with Nodes{max(0, i - 1)} : Next{i}"),
        600,
    ),
    "nodes": (
        lambda n: (
            "node Knot is integer Key with Knot : Next\n"
            + lines(n, lambda i: f"F{i}(p) = p = NIL → Knot[{i}, NIL], Knot[Key[p] + {i}, Next[p]]")
        ),
        500,
    ),
    "components assigned": (
        lambda n: "node Knot is integer Key with Knot : Next\n" + block(n, lambda i: f"  Key[x] := Key[x] + {i}"),
        500,
    ),
    "arrays": (lambda n: body(n, "let a = Array[real,(0,9)]", lambda i: f"a[{i % 10}] := a[3] + x"), 700),
    "pairs taken apart": (lambda n: block(n, lambda i: f"  let (b,c) = (a + {i}, x)\n  a := b + c"), 500),
    "several at once": (lambda n: block(n, lambda i: "  a, x := x, a + 1"), 1000),
    "many at once": (
        lambda n: f"{numbered(n, 'X{}')} = {numbered(n, '{}')}\n",
        2000,
    ),
    "definitions joined by and": (clause, 700),
    "parameters": (lambda n: f"F({numbered(n, 'X{}')}) = X0\n", 1000),
    "a long sum": (lambda n: "F(x) = " + " + ".join(f"{i}x" for i in range(n)) + "\n", 2000),
    "a long product": (lambda n: "F(x) = " + " × ".join(f"(x + {i})" for i in range(n)) + "\n", 1000),
    "a long condition": (lambda n: "F(x) = " + " ∨ ".join(f"x = {i}" for i in range(n)) + " → 1, 2\n", 1000),
    "a long chain of relations": (lambda n: "F(x) = (" + " < ".join(["x"] * n) + ")\n", 1000),
    "a list of strings": (lambda n: f"L = [{numbered(n, '‘text {}’')}]\n", 3000),
    "a list of sums": (lambda n: f"F(x) = [{numbered(n, 'x + {}')}]\n", 1500),
    "applications on one line": (lambda n: f"F(x) = {' + '.join(['Max(x, 1)'] * n)}\n", 700),
    "a long string": (lambda n: f"S = ‘{'word ' * n}’\n", 100_000),
    "a string with escapes": (lambda n: f"S = ‘{'*n' * n}’\n", 20_000),
    "strings": (lambda n: lines(n, lambda i: f"S{i} = ‘a string with number {i}’"), 2000),
    "a long comment": (lambda n: f"|| {'word ' * n}\nX = 1\n", 100_000),
    "comments in a block": (lambda n: block(n, lambda i: f"  || comment {i}\n  a := a + 1 || and {i}"), 700),
    "empty lines": (lambda n: "\n" * n + "X = 1\n", 50_000),
    "many texts": (texts, 100),
    "the same name in many functions": (
        lambda n: lines(
            n, lambda i: f"F{i}(x) = value of § let a, b = x, {i}; § let a = b; b := a §; result is a + b §"
        ),
        500,
    ),
    "the same name in one block": (
        lambda n: body(n, "let a = x", lambda i: f"§ let b = a + {i}; a := b §"),
        700,
    ),
    "disagreements in one function": (lambda n: block(n, lambda i: f"  let A{i} = x + ‘a{i}’"), 700),
    "values of several types": (lambda n: lines(n, lambda i: f"F{i}(x) = x > {i} → 1, ‘a’"), 700),
    "one variable of several types": (lambda n: block(n, lambda i: f"  if x = {i} then x := ‘a{i}’"), 500),
    "unused names": (lambda n: block(n, lambda i: f"  § let b = {i} §"), 700),
    "brackets that never close": (lambda n: lines(n, lambda i: f"F{i}(x) = (x + {i}"), 1000),
    "applications that never close": (lambda n: "F(x) = " + "F(" * n + "x\n", 2000),
    "sections that never close": (lambda n: lines(n, lambda i: f"F{i}(x) = value of § let a = {i}"), 500),
    "brackets that never open": (lambda n: lines(n, lambda i: f"F{i}(x) = x) + {i}"), 1000),
    "names that differ little": (lambda n: lines(n, lambda i: f"Count{i}(x) = Coumt{i}(x)"), 700),
    "a name defined twice": (lambda n: lines(n, lambda i: f"F(x) = x + {i}"), 1000),
    "wrong counts": (lambda n: "F(x,y) = x + y\n" + lines(n, lambda i: f"A{i} = F({i})"), 1000),
    "runs": (lambda n: "F(x) = x + 1\n" + lines(n, lambda i: f"WriteLine(F({i}))"), 1000),
    "assignments at the top": (lambda n: "S = 0\n" + lines(n, lambda i: f"S := S + {i}"), 1000),
}
"""How each is made, and a size at which it takes some seconds."""
