"""One wrong sign: seeded slips in all our programs, and how many of them the first repair undoes."""

import random
from pathlib import Path

from cpl import loader
from cpl.semantics.library import HOST
from cpl.source import Source
from cpl.syntax.lexer import Token, tokenize
from cpl.syntax.parser import parse
from cpl.syntax.repair import repairs, without_grouping

SLIPS = 160
SIGNS = "( ) [ ] , → = § + - × ∧ ∨ ~ < >".split()
KINDS = frozenset(
    """ROUND_OPEN ROUND_CLOSE SQUARE_OPEN SQUARE_CLOSE SECTION OPEN CLOSE COMMA ARROW EQUAL PLUS MINUS TIMES DIVIDE
    AND OR NOT LESS GREATER AT_LEAST AT_MOST""".split()
)
ARITIES = {name: (host.least or 0, host.most or 0) for name, host in HOST.items()}


def programs() -> list[Source]:
    sources = [loader.read(path) for path in loader.packaged_files()]
    return [source for source in sources if not parse(source)[1]]


def slip(source: Source, tokens: list[Token], chance: random.Random) -> tuple[str, Source]:
    """The text with one sign taken out, put in, or changed; and what was done."""
    token = chance.choice(tokens)
    start, end = token.span.start, token.span.end
    match chance.choice(("delete", "insert", "replace")):
        case "delete":
            text = source.text[:start] + source.text[end:]
            return f"delete {token.span.text}", Source(source.path, text)
        case "insert":
            text = source.text[:start] + chance.choice(SIGNS) + source.text[start:]
            return "insert", Source(source.path, text)
        case _:
            text = source.text[:start] + chance.choice(SIGNS) + source.text[end:]
            return "replace", Source(source.path, text)


def test_most_slips_are_undone() -> None:
    chance = random.Random(1966)
    sources = programs()
    wanted = {source.path: without_grouping(parse(source)[0]) for source in sources}
    signs = {source.path: [token for token in tokenize(source)[0] if token.kind in KINDS] for source in sources}
    undone = tried = 0
    brackets = [0, 0]
    while tried < SLIPS:
        source = chance.choice(sources)
        what, wrong = slip(source, signs[source.path], chance)
        if not parse(wrong)[1]:
            continue  # it still parses: another program, and no parser's business
        samples = [other for other in sources if other.path != source.path]
        ways = repairs(wrong, ARITIES, samples)
        right = bool(ways) and without_grouping(ways[0].program) == wanted[source.path]
        tried += 1
        undone += right
        if what in ("delete )", "delete ]"):
            brackets[0] += right
            brackets[1] += 1
    print(f"{undone} of {tried} slips undone; of closing brackets left out {brackets[0]} of {brackets[1]}")
    assert undone >= 0.8 * tried
    assert brackets[0] >= 0.85 * brackets[1] and brackets[1] >= 10


def first(text: str) -> str:
    ways = repairs(Source("text", text), ARITIES, programs())
    return ways[0].fix.advice if ways else ""


def test_advice() -> None:
    assert first("F(L) = Head(Tail(L)\n") == "put ) after F(L) = Head(Tail(L) on line 1"
    assert first("F(x) = x > 0 → 1 2\n") == "put , after F(x) = x > 0 → 1 on line 1"
    assert first("F(x) = Head(x))\n").startswith("take out ) after")
    assert first("F(x) = value of § result is x\n") == "put § after = value of § result is x on line 1"
    assert first("F(x) = x\n") == ""


def test_two_wrong_definitions_are_not_guessed_at() -> None:
    assert first("F(x) = (x\nG(x) = (x\n") == ""


def test_a_long_text_takes_no_longer(root: Path) -> None:
    """The work is bounded by the definition at fault, not by the text."""
    text = (root / "programs" / "strachey-original.cpl").read_text(encoding="utf-8")
    more = "".join(f"Other{n}(x) = x + {n}\n" for n in range(1000))
    ways = repairs(Source("long", more + text), ARITIES)
    assert (ways[0].fix.span.line, ways[0].fix.text) == (1027, ")")
