"""The macrogenerator in CPL: calls with their values, and another macrogenerator beside it, on texts made at random."""

import io
import random
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from case_files import read_cases, write_cases
from command_line import run
from conftest import ROOT
from cplrt import show

import cpl
from cpl.compiler import loader, pipeline

pytestmark = pytest.mark.usefixtures("deep")

PROGRAM = ROOT / "programs" / "macrogenerator.cpl"
CASES = read_cases(ROOT / "tests" / "macrogenerator.case")
"""Their texts are no CPL: they are for the macrogenerator."""

NUMBERS: dict[str, Callable[[int, int], int]] = {
    "+": int.__add__,
    "-": int.__sub__,
    "x": int.__mul__,
    "/": lambda x, y: abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1),
    "R": lambda x, y: abs(x) % abs(y) * (-1 if x < 0 else 1),
}

Text = list[str | int]


class Mistake(Exception):
    pass


class Endless(Exception):
    pass


class Call:
    def __init__(self) -> None:
        self.parts: list[Text] = [[]]
        self.end = " …"

    def part(self, number: int) -> Text:
        if number >= len(self.parts):
            raise Mistake(f"no argument {number} in a call of ", self.parts[0])
        return self.parts[number]

    def number(self, number: int) -> int:
        match self.part(number):
            case [int(value)]:
                return value
        raise Mistake("not a number: ", self.part(number))


def written(text: Text) -> str:
    return "".join(map(str, text))


class Machine:
    """Keeps the texts that are scanned on a stack, each with its call and the number of calls open around it."""

    def __init__(self, text: str, most: float) -> None:
        self.input: Iterator[str | int] = iter(text)
        self.most = most
        self.output: Text = []
        self.definitions: list[tuple[Text, Text, Call | None, str]] = [
            ([*name], [], None, name) for name in ("DEF", "VAL", "UPDATE", "BIN", "DEC", "BAR")
        ]
        self.open = list[Call]()
        self.under = list[tuple[Call, int]]()
        self.texts = list[tuple[Iterator[str | int], Call | None, int]]()

    def run(self) -> str:
        self.texts = [(self.input, None, 0)]
        while self.texts:
            try:
                self.scan()
            except Mistake as mistake:
                self.tell(*mistake.args)
                depth = self.texts[1][2] if len(self.texts) > 1 else len(self.open)
                if self.under:
                    del self.definitions[self.under[0][1] :]
                self.open, self.under, quoted = [], [], 0
                self.texts = [(self.input, None, 0)]
                while depth and (symbol := next(self.input, "")):
                    quoted += {"<": 1, ">": -1}.get(str(symbol), 0)
                    if quoted < 0:
                        return written(self.output)
                    if not quoted:
                        depth += {"§": 1, "$": 1, ";": -1}.get(str(symbol), 0)
        return written(self.output)

    def tell(self, message: str, about: Text) -> None:
        calls = ["\n\t§" + ",".join(map(written, call.parts)) + call.end for call, _ in reversed(self.under)]
        self.output += ["\nMONITOR: ", message, *about, *calls, "\n"]

    def scan(self) -> None:
        """One item of the innermost text."""
        self.most -= 1
        if self.most < 0:
            raise Endless
        text, made_for, around = self.texts[-1]
        to = self.open[-1].parts[-1] if self.open else self.output
        name = made_for.parts[0] if made_for else []
        match next(text, None):
            case ">" | None as bracket:
                if len(self.open) > around:
                    self.ends("a call", made_for)
                self.texts.pop()
                if made_for:
                    self.leave(made_for)
                elif bracket:
                    self.input = iter("")
            case "<":
                depth = 1
                while depth:
                    item = next(text, None)
                    if item is None:
                        self.ends("a quotation", made_for)
                    depth += {"<": 1, ">": -1}.get(str(item), 0)
                    to += [item] if depth and item is not None else []
            case "§" | "$":
                self.open.append(Call())
                self.under.append((self.open[-1], len(self.definitions)))
            case "," if self.open:
                self.open[-1].parts.append([])
            case ";" if len(self.open) > around:
                self.apply(self.open.pop())
            case ";" if made_for:
                raise Mistake("; without a call in the definition of ", name)
            case "~" if made_for:
                digit = next(text, None)
                if digit is None:
                    raise Mistake("no digit after ~", [])
                if digit not in [*"0123456789"]:
                    raise Mistake("no digit after ~ but ", [digit])
                to += made_for.part(int(digit))
            case item:
                if item == "~":
                    self.tell("~ outside of a definition", [])
                to.append(item)

    def ends(self, place: str, made_for: Call | None) -> None:
        if made_for:
            raise Mistake(f"{place} does not end in the definition of ", made_for.parts[0])
        self.input = iter("")
        raise Mistake(f"{place} does not end in the input", [])

    def leave(self, call: Call) -> None:
        self.definitions = [each for each in self.definitions if each[2] is not call]
        self.under.pop()

    def found(self, name: Text) -> int:
        for place in reversed(range(len(self.definitions))):
            if self.definitions[place][0] == name:
                return place
        raise Mistake("no definition of ", name)

    def apply(self, call: Call) -> None:
        call.end = ";"
        _, body, _, machine = self.definitions[self.found(call.parts[0])]
        if not machine:
            self.texts.append((iter(body), call, len(self.open)))
            return
        value: Text = []
        match machine:
            case "DEF":
                owner = self.open[-1] if self.open else None
                self.definitions.append((call.part(1), call.part(2), owner, ""))
            case "VAL":
                value = self.definitions[self.found(call.part(1))][1]
            case "UPDATE":
                place = self.found(call.part(1))
                name, old, owner, number = self.definitions[place]
                if len(call.part(2)) > len(old):
                    raise Mistake("too long for UPDATE: ", call.part(2))
                self.definitions[place] = name, call.part(2), owner, number
            case "BIN":
                digits = call.part(1)[call.part(1)[:1] in (["+"], ["-"]) :]
                for digit in digits:
                    if digit not in [*"0123456789"]:
                        raise Mistake("not a digit: ", [digit])
                value = [int(written(digits) or "0") * (-1 if call.part(1)[:1] == ["-"] else 1)]
            case "DEC":
                value = [*str(call.number(1))]
            case "BAR":
                sign, x, y = written(call.part(1)), call.number(2), call.number(3)
                if sign not in NUMBERS:
                    raise Mistake("no operation ", call.part(1))
                if sign in ("/", "R") and y == 0:
                    raise Mistake("division by zero", [])
                value = [NUMBERS[sign](x, y)]
        (self.open[-1].parts[-1] if self.open else self.output).extend(value)
        self.leave(call)


def expanded(text: str, most: float = 1e6) -> str:
    return Machine(text, most).run()


@pytest.fixture(scope="module", autouse=True)
def _nothing_to_read() -> Iterator[None]:
    """The program expands its input first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO())
        yield


def interpreted(texts: list[str]) -> list[str]:
    call = f"Map[Expanded,[{','.join(map(show, texts))}]]"
    results = pipeline.evaluations(pipeline.understand(loader.read(PROGRAM), calls=[call]), interpreted=True)
    next(results)
    return [*next(results)]


@cache
def module_alone() -> dict[str, Any]:
    module: dict[str, Any] = {"__name__": "alone"}
    options = pipeline.Options(standalone=True, pretty=False)
    exec(compile(pipeline.compile_source(loader.read(PROGRAM), options).python, "alone.py", "exec"), module)
    return module


WAYS: list[Callable[[list[str]], list[str]]] = [
    interpreted,
    lambda texts: [*map(cpl.load(PROGRAM).Expanded, texts)],
    lambda texts: [*map(cpl.load(PROGRAM, optimise=True).Expanded, texts)],
    lambda texts: [*map(module_alone()["Expanded"], texts)],
]
IDS = ["interpreted", "compiled", "optimised", "alone"]


@pytest.mark.parametrize("way", WAYS, ids=IDS)
def test_calls_have_their_values(way: Callable[[list[str]], list[str]], request: pytest.FixtureRequest) -> None:
    texts = [case.cpl.strip("\n") for case in CASES]
    found = dict(zip((case.title for case in CASES), way(texts), strict=True))
    if request.config.getoption("--update-cases"):
        for case in CASES:
            case.sections["output"] = found[case.title]
        write_cases(ROOT / "tests" / "macrogenerator.case", CASES)
    wanted = {case.title: case.sections["output"].strip() for case in CASES}
    assert {title: value.strip() for title, value in found.items()} == wanted
    assert [expanded(text) for text in texts] == [*found.values()]


def part(draw: random.Random, depth: int, names: str) -> str:
    """A piece of text: mostly sound, and now and then with a mistake."""
    inner = "".join(part(draw, depth - 1, names) for _ in range(draw.randrange(3))) if depth else draw.choice("ab")
    name = draw.choice(names)
    number = f"§BIN,{draw.choice(['', '-', '+'])}{draw.randrange(30)};"
    choices = [draw.choice("ab ,;x"), f"<{inner}>", f"§{name},{inner},{draw.choice('abc')};", f"~{draw.choice('0112')}"]
    choices += [f"§DEF,{draw.choice(names)},<{inner}>;", f"§DEF,{name},{inner};", f"§{inner};"]
    choices += [f"§DEC,§BAR,{draw.choice('+-x/R')},{number},{number};;", f"§VAL,{name};", f"§UPDATE,{name},<{inner}>;"]
    choices += [f"§{name},{inner}§DEF,{draw.choice(names)},<{inner}>;;", f"§{name},§{name},{inner};,{inner};"]
    if draw.random() < 0.04:
        return draw.choice([*"§<>~$;", "§NO,", "§BIN,x;", "§DEC,1;", "§BAR,?,,;", f"§BAR,/,{number},§BIN,0;;"])
    return draw.choice(choices)


def random_texts(first: int, count: int) -> list[str]:
    """Those that come to an end soon."""
    texts = []
    for seed in range(first, first + count):
        draw = random.Random(seed)
        setup = "".join(f"§DEF,{name},<{part(draw, 2, 'ABC')}~1{part(draw, 1, 'BC')}>;" for name in "AB")
        text = setup + "".join(part(draw, 3, "ABCa") for _ in range(draw.randrange(1, 6)))
        try:
            expanded(text, most=3000)
        except Endless:
            continue
        texts.append(text)
    assert len(texts) > count / 3
    return texts


@pytest.mark.parametrize(
    ("first", "count"), [(0, 300), pytest.param(1000, 6000, marks=pytest.mark.long)], ids=["few", "many"]
)
@pytest.mark.parametrize("way", WAYS, ids=IDS)
def test_another_macrogenerator_does_the_same(way: Callable[[list[str]], list[str]], first: int, count: int) -> None:
    texts = random_texts(first, count if way is not interpreted else 10 + count // 25)
    for text, found in zip(texts, way(texts), strict=True):
        assert found == expanded(text), text


def test_long_inputs_and_many_calls_within_calls() -> None:
    plain = "A text without calls, and without much else; it is only long.\n" * 1600
    assert run("cpl", "run", PROGRAM, input=plain, well=True).stdout == plain
    nested = f"§DEF,A,<~1>;{'§A,' * 300}x{';' * 300}\n"
    assert run("cpl", "run", PROGRAM, input=nested, well=True).stdout == "x\n"
    down = "§DEF,A,<§~1,§DEF,~1,<§A,§DEC,§BAR,-,§BIN,~0;,§BIN,1;;;;>;§DEF,0,<end>;;>;§A,300;\n"
    assert run("cpl", "run", PROGRAM, input=down, well=True).stdout == "end\n"
