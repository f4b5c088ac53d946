"""One wrong sign: seeded slips in all our programs, and how many of them the first repair undoes."""

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import cpl
from cpl import loader
from cpl.diagnostics import has_errors
from cpl.semantics.library import HOST
from cpl.source import Source
from cpl.syntax.lexer import Token, tokenize
from cpl.syntax.parser import parse
from cpl.syntax.repair import repairs, without_grouping
from cpl.syntax.tokens import WORDS

SLIPS = 100
BRACKETS = 100
NAME_SLIPS = 100
NAMES = ("LARGE", "NIL", "TRUE", "FALSE")
SIGNS = "( ) [ ] , → = § + - × ∧ ∨ ~ < >".split()
KINDS = frozenset(
    """ROUND_OPEN ROUND_CLOSE SQUARE_OPEN SQUARE_CLOSE SECTION OPEN CLOSE COMMA ARROW EQUAL PLUS MINUS TIMES DIVIDE
    AND OR NOT LESS GREATER AT_LEAST AT_MOST""".split()
)
ARITIES = {name: (host.least or 0, host.most or 0) for name, host in HOST.items()}


@cache
def programs() -> list[Source]:
    sources = [loader.read(path) for path in loader.packaged_files()]
    return [source for source in sources if not parse(source)[1]]


def edited(source: Source, token: Token, text: str) -> Source:
    return Source(source.path, source.text[: token.span.start] + text + source.text[token.span.end :])


def slip(source: Source, tokens: list[Token], chance: random.Random) -> Source:
    """The text with one sign taken out, put in, or changed."""
    token = chance.choice(tokens)
    sign = chance.choice(SIGNS)
    match chance.choice(("delete", "insert", "replace")):
        case "delete":
            return edited(source, token, "")
        case "insert":
            return edited(source, token, sign + token.span.text)
        case _:
            return edited(source, token, sign)


@cache
def core(source: Source) -> object:
    return without_grouping(parse(source)[0])


def undone(source: Source, wrong: Source) -> bool:
    """Whether the likeliest repair leads back to the program."""
    belonging = {"standard.cpl", *(Path(each).name for each in loader.entry(source.path).companions)}
    library = [parse(other)[0] for other in programs() if other.path != source.path and other.name in belonging]
    ways = repairs(wrong, ARITIES, library)
    return bool(ways) and without_grouping(ways[0].program) == core(source)


def stated(root: Path, line: str) -> bool:
    return line in (root / "docs" / "errors.md").read_text(encoding="utf-8")


def test_most_slips_are_undone(measured: Callable[[str], None], root: Path) -> None:
    chance = random.Random(1966)
    sources = programs()
    signs = {source.path: [token for token in tokenize(source)[0] if token.kind in KINDS] for source in sources}
    right = tried = 0
    while tried < SLIPS:
        source = chance.choice(sources)
        wrong = slip(source, signs[source.path], chance)
        if has_errors(parse(wrong)[1]):  # else it is another program, and no parser's business
            tried += 1
            right += undone(source, wrong)
    measured(line := f"{right} of {tried} slips in one sign undone ({right / tried:.0%})")
    assert right >= 0.8 * tried
    assert stated(root, line)


def test_nine_of_ten_closing_brackets_are_put_back(measured: Callable[[str], None], root: Path) -> None:
    """Left out one by one, of all our programs alike."""
    chance = random.Random(1963)
    right = tried = 0
    while tried < BRACKETS:
        source = chance.choice(programs())
        token = chance.choice([each for each in tokenize(source)[0] if each.kind in ("ROUND_CLOSE", "SQUARE_CLOSE")])
        tried += 1
        right += undone(source, edited(source, token, ""))
    measured(line := f"{right} of {tried} closing brackets put back ({right / tried:.0%})")
    assert right >= 0.9 * tried
    assert stated(root, line)


def test_slips_in_names_and_numbers(measured: Callable[[str], None], root: Path) -> None:
    """A name with one character wrong is refused, and what was meant is said; a wrong number is another program."""
    chance = random.Random(1967)
    refused = named = 0
    for _ in range(NAME_SLIPS):
        source = chance.choice([each for each in programs() if each.name != "checkers-1966.cpl"])
        token = chance.choice(
            [each for each in tokenize(source)[0] if each.kind in NAMES and len(each.text) > 2 or each.text in WORDS]
        )
        wrong = edited(source, token, misspelt(token.span.text, chance))
        found = cpl.check_text(wrong.text, path=source.path)
        refused += bool(found)
        named += any(token.span.text in f"{each.help} {each.message}" for each in found)
    measured(line := f"{refused} of {NAME_SLIPS} slips in names and words refused, what was meant said of {named}")
    assert refused >= 0.7 * NAME_SLIPS
    assert named >= 0.9 * refused
    assert stated(root, line)


def misspelt(name: str, chance: random.Random) -> str:
    """The name with one character left out, doubled, changed, or changed about with the next."""
    at = chance.randrange(len(name))
    match chance.choice(("leave out", "double", "change", "swap")):
        case "leave out":
            return name[:at] + name[at + 1 :]
        case "double":
            return name[: at + 1] + name[at:]
        case "change":
            return name[:at] + chance.choice("abcdefghijklmnopqrstuvwxyz") + name[at + 1 :]
        case _:
            return name[:at] + name[at : at + 2][::-1] + name[at + 2 :]


def first(text: str) -> str:
    ways = repairs(Source("text", text), ARITIES, [parse(each)[0] for each in programs()])
    return ways[0].fix.advice if ways else ""


def test_advice() -> None:
    assert first("F(L) = Head(Tail(L)\n") == "put ) after F(L) = Head(Tail(L) on line 1"
    assert first("F(x) = x > 0 → 1 2\n") == "put , after F(x) = x > 0 → 1 on line 1"
    assert first("F(x) = Head(x))\n").startswith("take out ) after")
    assert first("F(x) = value of § result is x\n") == "put § after = value of § result is x on line 1"
    assert first("F(x) = x\n") == ""


def test_advice_names_signs_that_cannot_be_seen() -> None:
    advice = [each.fix.advice for each in repairs(Source("a.cpl", "G(x) = 1 + \x07 x\n"), ARITIES)]
    assert "take out the invisible character U+0007 after G(x) = 1 + on line 1" in advice
    assert all(each.isprintable() for each in advice)


def test_two_wrong_definitions_are_not_guessed_at() -> None:
    assert first("F(x) = (x\nG(x) = (x\n") == ""


def test_a_long_text_takes_no_longer(root: Path) -> None:
    """The work is bounded by the definition at fault, not by the text."""
    text = (root / "programs" / "strachey-original.cpl").read_text(encoding="utf-8")
    more = "".join(f"Other{n}(x) = x + {n}\n" for n in range(1000))
    ways = repairs(Source("long", more + text), ARITIES)
    assert (ways[0].fix.span.line, ways[0].fix.text) == (1027, ")")
