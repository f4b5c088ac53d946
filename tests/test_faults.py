"""docs/faults.md and docs/transcriptions.md by experiment: each test would fail if the program were not as they say."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import permutations, product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from conftest import ROOT
from cplrt import CplFault

import cpl
from cpl.compiler import pipeline
from cpl.compiler.loader import find, read
from cpl.compiler.pipeline import load, understand
from cpl.compiler.semantics import core, walk
from cpl.compiler.semantics.interpreter import Interpreter
from cpl.compiler.source import Source
from cpl.compiler.syntax.parser import parse
from cpl.compiler.syntax.repair import without_grouping
from cpl.games import strachey
from cpl.games.counting import leaves
from cpl.games.position import Position
from cpl.study.compare.inputs import positions

COUNTED_ONLY = """\
Terminal(P,d) = d > DepthLimit
TerminalValue(P) = value of
  § let (X,Y,K,σ) = P
    result is Strength(X,K) - Strength(Y,K) §|
"""
HIGHEST = """\
SingleDigitFrom(x) = Null(x) → Zero, Highest(x, 39)
Highest(x,n) = Null(x ∧ Logical([n])) → Highest(x, n - 1), Logical([n])
"""


def program(library: str = "") -> ModuleType:
    """The corrected program, with definitions that are looked up before its companion's."""
    return cpl.load("strachey.cpl", libraries=[Source("mine.cpl", library)] if library else [])


@pytest.fixture(scope="module")
def game() -> ModuleType:
    return program()


@pytest.fixture
def own() -> ModuleType:
    """A copy to be changed."""
    return program()


def place(
    game: ModuleType, black: list[int], white: list[int], kings: list[int] | None = None, to: int = 1
) -> Position:
    return game.Logical(black), game.Logical(white), game.Logical(kings or []), to


def sparse(game: ModuleType, count: int, seed: int = 1966) -> Iterator[Position]:
    """1 to 12 pieces anywhere, sometimes of one colour alone: many of these are won or lost.

    Men on their last row are kings.
    """
    chance = random.Random(seed)
    for _ in range(count):
        squares = chance.sample(game.board, chance.randint(1, 12))
        cut = chance.randint(0, len(squares))
        to = chance.choice((game.Black, game.White))
        black, white = (squares[:cut], squares[cut:])[::to]
        crowned = [s for s in black if s > 35] + [s for s in white if s < 9]
        yield place(game, squares[:cut], squares[cut:], crowned + [s for s in squares if chance.random() < 0.3], to)


def everywhere(game: ModuleType) -> list[Position]:
    """Sparse positions, crowded ones, and positions of random play."""
    return [*sparse(game, 300), *positions(game.LegalPositionsFrom, game.StartPosition, 300)]


def won(game: ModuleType, position: Position) -> bool:
    """Whether one move leaves the opponent without any."""
    return any(not game.LegalPositionsFrom(after) for after in game.LegalPositionsFrom(position))


def forced(game: ModuleType, position: Position, plies: int) -> bool:
    """Whether the player to move wins within so many plies, whatever is answered: the whole tree is gone through."""
    for after in game.LegalPositionsFrom(position):
        answers = game.LegalPositionsFrom(after)
        if not answers or plies > 2 and all(forced(game, answer, plies - 2) for answer in answers):
            return True
    return False


CAUGHT = [7], [16]
"""One man each: whichever of its two moves Black's makes, it is taken."""


@pytest.mark.parametrize("library", ["", COUNTED_ONLY])
def test_no_move_if_every_move_loses(library: str) -> None:
    """Also if Terminal knows of the depth alone and TerminalValue only counts: the text's own -∞ is enough."""
    game = program(library)
    position = place(game, *CAUGHT)
    assert [-game.PositionValue(after, 1) for after in game.LegalPositionsFrom(position)] == [-game.infinity] * 2
    assert game.ChosenPosition(position) == []


@pytest.mark.long
def test_no_move_in_73_positions_of_one_piece_each(game: ModuleType) -> None:
    answers = Counter()
    for (black, white), crowned, other in product(permutations(game.board, 2), (False, True), (False, True)):
        if (crowned or black < 36) and (other or white > 8):
            kings = [black] * crowned + [white] * other
            answers[type(game.ChosenPosition(place(game, [black], [white], kings)))] += 1
    assert (answers[list], answers.total()) == (73, 3488)


@pytest.mark.long
def test_the_first_of_equal_moves_is_chosen_unless_every_one_loses(own: ModuleType, game: ModuleType) -> None:
    value = own.TerminalValue
    own.TerminalValue = lambda position: max(-1000, min(value(position), 1000))
    position = place(own, *CAUGHT)
    assert own.ChosenPosition(position) == own.LegalPositionsFrom(position)[0]
    answers = Counter()
    for position in sparse(game, 400):
        legal = game.LegalPositionsFrom(position)
        chosen = game.ChosenPosition(position)
        lost = all(-game.PositionValue(after, 1) == -game.infinity for after in legal)
        wanted = game.Resign if not legal else [] if lost else chosen
        assert chosen == wanted and (chosen in legal) == bool(legal and not lost)
        answers[type(wanted)] += 1
    assert answers.keys() == {tuple, list, str}
    position = place(game, [28, 37], [36], [28, 36, 37])
    legal = game.LegalPositionsFrom(position)
    wins = [after for after in legal if game.PositionValue(after, 1) == -game.infinity]
    at_once = [after for after in legal if not game.LegalPositionsFrom(after)]
    assert game.ChosenPosition(position) == wins[0] and at_once == wins[-1:] and len(wins) == 5
    start = position = place(game, [10, 20], [32], [10, 20, 32])
    assert forced(game, start, 5) and not forced(game, start, 3)
    seen = []
    while position not in seen:
        seen.append(position)
        position = game.ChosenPosition(position)
    assert position != start and len(seen) - seen.index(position) == 4
    seen = {}
    position = game.StartPosition
    while position not in seen:
        seen[position] = len(seen)
        position = game.ChosenPosition(position)
    assert (seen[position], len(seen)) == (105, 109)


SEEN = [10, 14, 15, 19, 39], [5], [5, 10, 14, 15, 39]
"""White's king has one move and back; Black's 14-9 wins at once."""


@pytest.mark.parametrize(("library", "limit"), [("", 2), (COUNTED_ONLY, 3)])
def test_a_win_that_is_seen_may_never_be_made_as_the_first_of_the_list_is_chosen(library: str, limit: int) -> None:
    """Also by the text alone, which needs one ply more to see the win after next."""
    game = program(library)
    game.DepthLimit = limit
    start = position = place(game, *SEEN)
    for _ in range(2):
        assert won(game, position)
        _, value = game.BestPosition([], -game.infinity, game.LegalPositionsFrom(position), 0)
        assert value == game.infinity
        [position] = game.LegalPositionsFrom(game.ChosenPosition(position))
    assert position == start


def test_answers_and_positions_stand_where_lists_are_meant(
    game: ModuleType, capsys: pytest.CaptureFixture[str], own: ModuleType, root: Path
) -> None:
    resigned = game.ChosenPosition(place(game, [], [30]))
    assert resigned == game.Resign == "Resign"
    for answer in (resigned, []):
        with pytest.raises(CplFault):
            game.LegalPositionsFrom(answer)
    # If Resign is a routine that returns, what follows is obeyed with the empty list.
    resigning = program("let Resign[] be WriteLine(‘I resign’)\n")
    assert resigning.ChosenPosition(place(resigning, [], [30])) == []
    assert capsys.readouterr().out == "I resign\n"
    own.Join = joined
    assert len(own.LegalPositionsFrom(own.StartPosition)) == 4 * 7
    # With square brackets round FinalPosition(Ip), twice, a Join of lists alone is enough.
    text = (root / "programs" / "strachey.cpl").read_text(encoding="utf-8")
    assert text.count(" FinalPosition(Ip)\n") == text.count("(FinalPosition(Ip) )") == 1
    text = text.replace(" FinalPosition(Ip)\n", "[FinalPosition(Ip)]\n")
    text = text.replace("(FinalPosition(Ip) )", "[FinalPosition(Ip)]")
    bracketed = load(Source(str(root / "programs" / "strachey.cpl"), text))
    bracketed.Join = joined
    for position in sparse(game, 300, seed=65):
        assert bracketed.LegalPositionsFrom(position) == game.LegalPositionsFrom(position)
    other = program(HIGHEST)
    start = game.StartPosition
    assert Counter(other.LegalPositionsFrom(start)) == Counter(game.LegalPositionsFrom(start))
    assert other.ChosenPosition(start) != game.ChosenPosition(start)
    start = game.StartPosition
    assert game.LegalPositionsFrom(turned(game, start))
    assert game.ChosenPosition(turned(game, start)) != turned(game, game.ChosenPosition(start))


def joined(first: list[Any], second: list[Any]) -> list[Any]:
    return [*first, *second]


def turned(game: ModuleType, position: Position) -> Position:
    """The board half round: what was Black's is White's."""
    pieces = [game.Logical([44 - square for square in squares]) for squares in position[:3]]
    return *pieces, -position[3]


def test_repetitions_counts_and_opponents_in_a_search(own: ModuleType, game: ModuleType) -> None:
    minlist, item_lists = own.MinList, []
    own.MinList = lambda *items: item_lists.append([item for item in items if item]) or minlist(*items)
    diamond = place(own, [10], [14, 15, 23, 24], [10])
    for position in [diamond, *sparse(own, 2400)]:
        own.LegalPositionsFrom(position)
    assert sum(len(items) > 1 for items in item_lists) >= 10
    assert all(len(items) == len(set(items)) for items in item_lists)
    assert len(own.LegalPositionsFrom(diamond)) == 2 * len(set(own.LegalPositionsFrom(diamond)))
    position = place(game, [6, 15], [19, 39])
    assert [game.PositionValue(position, d) for d in (3, 2)] == [0, 1]


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_the_search_goes_one_ply_deeper_than_the_limit(own: ModuleType, limit: int) -> None:
    own.DepthLimit = limit
    value, depths = own.PositionValue, Counter()
    own.PositionValue = lambda position, d: depths.update([d]) or value(position, d)
    own.ChosenPosition(own.StartPosition)
    assert depths == dict(zip(range(1, limit + 2), (7, 49, 302), strict=False))


def test_a_search_asks_again_and_every_opponent_has_pieces(own: ModuleType) -> None:
    legal, asked = own.LegalPositionsFrom, []
    own.LegalPositionsFrom = lambda position: asked.append(position) or legal(position)
    own.ChosenPosition(own.StartPosition)
    assert (len(asked), len({*asked})) == (415, 273)
    terminal, judged = own.Terminal, []
    own.Terminal = lambda position, d: judged.append(position) or terminal(position, d)
    for position in sparse(own, 200):
        own.ChosenPosition(position)
    assert len(judged) > 1000 and all(opponent for _, opponent, *_ in judged)


class Arms(Interpreter):
    """The interpreter, with a record of what it has evaluated."""

    def evaluate(self, node: core.Expression, variables: Any) -> Any:
        self.__dict__.setdefault("reached", set()).add(id(node))
        return super().evaluate(node, variables)


@pytest.mark.long
def test_every_arm_is_taken_but_one(game: ModuleType) -> None:
    meaning = understand(read(find("strachey.cpl")))
    arms = Arms(meaning.core, meaning.library.host)
    for position in [place(game, *CAUGHT), *sparse(game, 5)]:
        arms.names["ChosenPosition"](position)
    idle = []
    for function in meaning.core.definitions:
        for node in walk.nodes(function):
            match node:
                case core.Conditional():
                    values = [*(value for _, value in node.arms), node.otherwise]
                case core.If():
                    values = [command.value for command in node.commands if isinstance(command, core.Result)]
                case _:
                    continue
            idle += [(function.name.name, value.span.text) for value in values if id(value) not in arms.reached]
    assert idle == [("TerminalValue", "∞")]


def test_the_page_and_the_texts_say_what_is_found(root: Path) -> None:
    def line(name: str) -> str:
        text = (root / "programs" / name).read_text(encoding="utf-8")
        function = text[text.index("PCP(P,Φ,s) = value of") :]
        return next(line for line in function.splitlines() if "let Xk" in line)

    corrected = (root / "programs" / "strachey.cpl").read_text(encoding="utf-8")
    assert "PCP(P,Φ,s) = value of ## modified kings in Xk and result" in corrected
    assert line("strachey.cpl") == line("strachey-original.cpl")
    page = (root / "docs" / "faults.md").read_text(encoding="utf-8")
    quoted = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(quoted) >= 3
    for name in ("strachey.cpl", "strachey-original.cpl"):
        text = (root / "programs" / name).read_text(encoding="utf-8").split()
        for lines in quoted:
            assert " ".join(lines.split()) in " ".join(text)
    checked = [slip for slip, (caught, *_) in TABLE.items() if caught == "check"]
    words = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")
    assert f"`check` finds {words[len(checked)]} of the {words[len(SLIPS)]}" in PAGE
    assert f"{words[len(checked) - len(OF_TYPE)].capitalize()} are refused by the compiler" in PAGE
    mended = cpl.compile_text(SLIPS[BRACKET].into(CORRECTED).text, path=str(CORRECTED), repair=True)
    whole = parse(Source(str(CORRECTED), CORRECTED.read_text(encoding="utf-8")))[0]
    assert without_grouping(mended.surface) == without_grouping(whole)
    for slip, (by, *_) in TABLE.items():
        if by == "check" and slip not in (BRACKET, *OF_TYPE):
            variant = SLIPS[slip].into(CORRECTED)
            with pytest.raises(cpl.CplError):
                cpl.compile_text(variant.text, path=variant.path, repair=True)


@pytest.mark.long
def test_a_player_without_a_move_has_none(game: ModuleType) -> None:
    assert game.LegalPositionsFrom(place(game, [37], [5], [5])) == []


@pytest.mark.long
def test_moves_are_the_same_for_both_colours(game: ModuleType) -> None:
    for position in everywhere(game):
        after = Counter(turned(game, reply) for reply in game.LegalPositionsFrom(position))
        assert after == Counter(game.LegalPositionsFrom(turned(game, position)))


@pytest.mark.long
def test_positions_after_a_move_are_in_order(game: ModuleType) -> None:
    """On the board, one on a square, kings among them, one player's number unchanged, the own's no greater."""
    for position in everywhere(game):
        for enemy, own, kings, to in game.LegalPositionsFrom(position):
            assert not own & enemy and not (own | enemy) - game.Board and not kings - (own | enemy)
            assert to == -position[3] and len([*own]) == len([*position[0]])
            assert not enemy - position[1]
            last = [square for square in own if (square > 35 if to == game.White else square < 9)]
            assert all(square in kings for square in last)


@pytest.mark.long
def test_what_find_move_list_finds_make_move_can_do(game: ModuleType) -> None:
    """And a square that is left is another one than that arrived at."""
    for position in everywhere(game)[::3]:
        empty = ~position[0] & ~position[1] & game.Board
        for kind in (game.Capture, game.NonCapture):
            for direction in (5, 4, -4, -5):
                for square in game.FindMoveList(position, kind, direction):
                    own, *_, arrived = game.MakeMove(position, kind, direction, game.Logical([square]))
                    assert len([*arrived]) == 1 and not arrived - empty and square not in own


@pytest.mark.long
def test_a_king_captures_four_men_and_comes_back(game: ModuleType) -> None:
    position = place(game, [10], [14, 15, 23, 24], [10])
    own, kings = game.Logical([10]), game.Logical([10])
    assert {*game.LegalPositionsFrom(position)} == {(game.Zero, own, kings, game.White)}


@pytest.mark.long
def test_what_is_chosen_is_legal(game: ModuleType) -> None:
    assert strachey.choose(game, place(game, *CAUGHT)) in game.LegalPositionsFrom(place(game, *CAUGHT))
    for position in sparse(game, 300, seed=69):
        legal = game.LegalPositionsFrom(position)
        chosen = strachey.choose(game, position)
        assert chosen in legal if legal else chosen is None


@pytest.mark.long
def test_a_win_that_is_seen_is_made(game: ModuleType) -> None:
    seen = 0
    for position in [place(game, *SEEN), *sparse(game, 300, seed=70)]:
        legal = game.LegalPositionsFrom(position)
        if legal and game.BestPosition([], -game.infinity, legal, 0)[1] == game.infinity:
            seen += 1
            after = strachey.finish(game, position)
            for answer in game.LegalPositionsFrom(after):
                assert not game.LegalPositionsFrom(strachey.finish(game, answer))
    assert seen >= 30


@pytest.mark.parametrize("seed", range(2))
def test_games_against_chance_end_with_a_win(game: ModuleType, seed: int) -> None:
    chance = random.Random(seed)
    position, ours = game.StartPosition, (game.Black, game.White)[seed % 2]
    for _ in range(300):
        legal = game.LegalPositionsFrom(position)
        if not legal:
            break
        position = strachey.choose(game, position) if position[3] == ours else chance.choice(legal)
        assert position in legal
    assert not legal and position[3] == -ours


CORRECTED = ROOT / "programs" / "strachey.cpl"
PRINTED = ROOT / "programs" / "strachey-original.cpl"


@dataclass(frozen=True)
class Slip:
    """What stands in our text, once or first, and what stands there in its place."""

    ours: str
    theirs: str

    def into(self, path: Path) -> Source:
        text = path.read_text(encoding="utf-8")
        assert self.ours in text
        return Source(str(path), text.replace(self.ours, self.theirs, 1))


BRACKET = "a `)` left out in FindMoveList"
FOUR = "four names for five values in FinalPosition"
LONGER = "`K, -4,` too much in the result of PCP"
RENAMED = "`ChoosePosition` for `ChosenPosition`"
NESTED = "the inner brackets of NextMoveDirection dropped"
OF_TYPE = (FOUR, LONGER)
"""What is found by its types: cplc compiles it all the same."""

SLIPS = {
    BRACKET: Slip("(Shift(Empty,σs) ∧ Y), Empty", "(Shift(Empty,σs) ∧ Y, Empty"),
    "`Let` for `let`": Slip("let Empty", "Let Empty"),
    "`join` for `Join`": Slip("is Join(l", "is join(l"),
    "`LeagalPositionFrom` for `LegalPositionsFrom`": Slip("= LegalPositionsFrom", "= LeagalPositionFrom"),
    FOUR: Slip("let (X,Y,K,σ,Φ) = Ip", "let (X,Y,K,σ) = Ip"),
    LONGER: Slip("(Y - ψ),(K - ψ - Φ + Xk),σ,θ)§", "(Y - ψ),K, -4,(K - ψ - Φ + Xk),σ,θ)§"),
    RENAMED: Slip("ChosenPosition(P) =", "ChoosePosition(P) ="),
    NESTED: Slip("( (s = 4) → - 4, -5)", "(s = 4) → - 4, -5"),
}


PAGE = (ROOT / "docs" / "transcriptions.md").read_text(encoding="utf-8")


def table() -> dict[str, tuple[str, ...]]:
    """For each slip what it is caught by, the message, the help, and the fault if the program runs all the same."""
    row = r"^\| (.*?) \| (`check`|`run`|nothing) \| (.*?) ?\| (.*?) ?\| (.*?) ?\|$"
    return {slip: (caught.strip("`"), *rest) for slip, caught, *rest in re.findall(row, PAGE, re.MULTILINE)}


TABLE = table()


def compiled(slip: str) -> ModuleType:
    return load(SLIPS[slip].into(CORRECTED))


@pytest.mark.parametrize("slip", SLIPS)
def test_check_finds_what_the_table_says(slip: str) -> None:
    assert TABLE.keys() == SLIPS.keys()
    variant = SLIPS[slip].into(CORRECTED)
    diagnostics = [
        ("check", diagnostic.message, diagnostic.help or "")
        for diagnostic in cpl.check_text(variant.text, path=variant.path)
    ]
    caught, message, help, fault = TABLE[slip]
    assert diagnostics == ([(caught, message, help)] if caught == "check" else [])
    assert bool(fault) == (slip in OF_TYPE)


@pytest.mark.parametrize(
    ("slip", "severity", "place"),
    [(FOUR, "error", "(X,Y,K,σ)"), (LONGER, "warning", "(Y - ψ),K, -4,(K - ψ - Φ + Xk),σ,θ)")],
)
def test_slips_of_type_are_warnings_to_the_compiler(slip: str, severity: str, place: str) -> None:
    """At the names that take apart too little, and at the list that is too long, which only some runs meet."""
    variant = SLIPS[slip].into(CORRECTED)
    [error] = cpl.check_text(variant.text, path=variant.path)
    copy = Source("copy.cpl", variant.text)  # what stands where the historical text does is not to be changed
    library = ROOT / "programs/library/checkers-1966.cpl"
    [warning] = pipeline.compile_source(copy, pipeline.Options(libraries=[library])).diagnostics
    assert (error.severity, warning.severity) == (severity, "warning")
    assert (error.code, error.message, error.span.start) == (warning.code, warning.message, warning.span.start)
    assert error.span.text.endswith(place)
    assert "list of 5" in " ".join(label for _, label in error.related)


def test_slips_that_run_fail_where_they_are_met() -> None:
    game = compiled(FOUR)
    with pytest.raises(CplFault) as fault:
        game.LegalPositionsFrom(game.StartPosition)
    assert str(fault.value) == TABLE[FOUR][3]
    game = compiled(LONGER)
    once = game.Logical([15]), game.Logical([19]), game.Zero, game.Black
    assert len(game.LegalPositionsFrom(once)) == 1
    count = partial(leaves, game.LegalPositionsFrom, game.StartPosition)
    assert [*map(count, range(1, 6))] == [7, 49, 302, 1469, 7361]
    twice = game.Logical([5]), game.Logical([10, 19]), game.Zero, game.Black
    for job in (lambda: count(6), lambda: game.LegalPositionsFrom(twice)):
        with pytest.raises(CplFault) as fault:
            job()
        assert str(fault.value) == TABLE[LONGER][3]
    with pytest.raises(cpl.CplError) as error:
        understand(SLIPS[RENAMED].into(CORRECTED), calls=["ChosenPosition(StartPosition)"])
    [diagnostic] = error.value.diagnostics
    assert ("run", diagnostic.message, diagnostic.help) == TABLE[RENAMED][:3]
    game = compiled(RENAMED)
    assert game.ChoosePosition(game.StartPosition) in game.LegalPositionsFrom(game.StartPosition)
    direction, ours = compiled(NESTED).NextMoveDirection, cpl.load(CORRECTED).NextMoveDirection
    assert [direction(s) for s in (5, 4, -4)] == [4, -4, -5]
    assert [direction(s) for s in range(-9, 10)] == [ours(s) for s in range(-9, 10)]


def test_slips_are_found_in_turn_and_beyond_the_list() -> None:
    """An opening bracket, in the second of two places with those names, and the name of an intermediate position."""
    text = CORRECTED.read_text(encoding="utf-8")
    head, names, tail = text.rpartition("let (X,Y,K,σ,Φ) = Ip")
    without = cpl.check_text(f"{head}{names.replace('(', '')}{tail}", path=str(CORRECTED))
    assert [diagnostic.message for diagnostic in without] == [
        "5 on the left but 1 on the right",
        ") has no matching opening bracket",
    ]
    small = cpl.check_text(text.replace("Ip", "ip"), path=str(CORRECTED))
    assert "found ip, which means i × p" in small[0].message
    assert small[0].help is not None and small[0].help.endswith("Ip")
    [name] = cpl.check_text(text.replace("(Ip,l)", "(lp,l)").replace("(Ip),Comb", "(lp),Comb"), path=str(CORRECTED))
    assert name.message in " ".join(PAGE.split())
    text = CORRECTED.read_text(encoding="utf-8")
    said = []
    for slip in SLIPS.values():
        text = text.replace(slip.ours, slip.theirs, 1)
    for slip in [None, *SLIPS.values()]:
        text = text.replace(slip.theirs, slip.ours, 1) if slip else text
        said.append([diagnostic.message for diagnostic in cpl.check_text(text, path=str(CORRECTED))])
    messages = [row[1] for row in TABLE.values()]
    assert said[:3] == [messages[:1], messages[1:2], [messages[3], messages[2]]]
    assert said[3:] == [messages[3:4], messages[5:6], messages[5:6], [], [], []]
    variant = SLIPS[BRACKET].into(PRINTED)
    with pytest.raises(cpl.CplError) as error:
        cpl.compile_text(variant.text, path=variant.path, repair=True)
    assert [diagnostic.message for diagnostic in error.value.diagnostics] == [TABLE[BRACKET][1]] * 2
