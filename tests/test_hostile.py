"""Texts that nobody would write: each gives a result or a CplError, and soon.

`CPLC_FUZZ=10000 pytest tests/test_hostile.py` tries more of them.
"""

import os
import random
import resource
import time

import pytest

import cpl
from cpl import loader
from cpl.source import Source
from cpl.syntax.lexer import tokenize

COUNT = int(os.environ.get("CPLC_FUZZ", "600"))
PIECES = """
    § §| $( $) ( ) [ ] { } , → -> = := + - − × * / ~ ∧ ∨ < > ≤ ; : . let if then value of result is while do F G Null
    NIL x y σ Φ' 12 3.5 ‘a’ ’ " || ## \\sigma \\ \x00 \x0c 漢 e\u0301 \u2028 \ufeff λ ∞ true __import__ Eval
""".split(" ")


def mutated(text: str, chance: random.Random) -> str:
    """A text with some pieces taken out, doubled, exchanged, or put in from elsewhere."""
    for _ in range(chance.randint(1, 6)):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.randint(0, 12))
        match chance.randrange(4):
            case 0:
                text = text[:start] + text[end:]
            case 1:
                text = text[:end] + text[start:]
            case 2:
                text = text[:start] + chance.choice(PIECES) + text[start:]
            case _:
                text = text[:start] + text[start:end][::-1] + text[end:]
    return text


def test_mutated_and_random_texts() -> None:
    chance = random.Random(1963)
    programs = [loader.read(path).text for path in loader.packaged_files()]
    parts = [part for text in programs for part in text.split("\n\n") if part.strip()]
    slowest, refused = 0.0, 0
    for _ in range(COUNT):
        if chance.random() < 0.7:
            text = mutated("\n\n".join(chance.sample(parts, chance.randint(1, 3))), chance)
        else:
            text = chance.choice(["", " "]).join(chance.choices(PIECES, k=chance.randint(0, 60)))
        start = time.process_time()
        try:
            python = cpl.compile_text(text, pretty=False).python
        except cpl.CplError as error:
            refused += 1
            assert error.diagnostics and str(error)
        else:
            compile(python, "out.py", "exec")
        slowest = max(slowest, time.process_time() - start)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{COUNT} texts, {refused} refused; the slowest took {slowest:.1f} s; {memory} MB at the most")
    assert 0 < refused < COUNT
    assert slowest < 5 and memory < 1024


HUGE = {
    "brackets": "A = " + "(" * 100_000 + "1" + ")" * 100_000,
    "open brackets": "(" * 100_000,
    "closers": "A = 1" + ")" * 20_000,
    "sections": "§ " * 50_000,
    "one long line": "A = " + "x + " * 60_000 + "1",
    "signs that are none": "@" * 20_000,
    "a long name": "A" * 1_000_000 + " = 1",
    "a long string": "A = ‘" + "x" * 1_000_000 + "’",
    "a long comment": "A = 1 ||" + "x" * 1_000_000,
    "new lines": "\n" * 500_000 + "A = 1",
    "signs before an operand": "A = " + "~" * 20_000 + "true",
    "arrows": "A = " + "true → " * 20_000 + "1" + ", 2" * 20_000,
}


@pytest.mark.parametrize("name", HUGE)
def test_huge_texts(name: str) -> None:
    start = time.process_time()
    cpl.check_text(HUGE[name])
    assert time.process_time() - start < 20


ESCAPES = [
    "A = __import__",
    "A = Eval(1)",
    "A = Open(‘/etc/passwd’)",
    "A = x.y",
    'A = ‘"""’\nF(x) = """ || """',
    'F(x) = ‘"""; import os; """’',
    "F(x) = ‘\\’ || \\",
    'F(x) = "’\\"\n|| """',
    '|| """\n|| import os\nA = 1 || """ \\',
    "F(Exec,Eval) = Exec",
    "Print = 1\nOs = 2\nSys = Print + Os",
]


@pytest.mark.parametrize("text", ESCAPES)
def test_no_python_is_reached(text: str) -> None:
    """Whatever compiles holds no name but its own and cplrt's, and imports nothing else."""
    import ast

    try:
        compiled = cpl.compile_text(text)
    except cpl.CplError:
        return
    written = {token.text for token in tokenize(Source("text", text))[0]}
    for node in ast.walk(ast.parse(compiled.python)):
        assert not isinstance(node, ast.Attribute)
        if isinstance(node, ast.ImportFrom):
            assert node.module == "cplrt"
        assert not isinstance(node, ast.Import)
        if isinstance(node, ast.Name) and node.id not in ("__all__", "infinity"):
            assert node.id in written or node.id.removesuffix("_") in written
