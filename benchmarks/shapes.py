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
}
"""How each is made, and a size at which it takes some seconds."""
