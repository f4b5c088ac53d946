"""Files of games of the seeds' checkers, beside pydraughts."""

import random
import re
from collections.abc import Sequence
from pathlib import Path

import draughts
import pytest
from checkers_by_tiles import OPPONENT
from draughts.PDN import PDNReader, PDNWriter
from hypothesis import given, settings
from hypothesis import strategies as st
from random_programs import SLOW
from test_notation import FENS, START, ours

from cpl.games import checkers
from cpl.games.checkers import BadPdn, Game, Player, State, action_text, from_fen, iter_pdn, read_pdn, to_fen, write_pdn
from cpl.games.pdn import FIELDS, WINNERS, nth
from cpl.games.playable import game_of

ORDINARY = """\
[Event "Random play"]
[Site "?"]
[Date "2026.01.02"]
[Round "1"]
[Black "A \\"quoted\\" name"]
[White "back\\\\slash"]
[Result "0-1"]
[GameType "21"]

1. 12-16 21-17 2. 11-15 17-13 3. 16-20 22-18 4. 15x22 26x17 5. 9-14 30-26
6. 14x21x30 23-19 7. 30x23x16 29-25 8. 8-12 27-23 9. 20x27 31x24 0-1

[Event "Another"]
[Black "A"]
[White "B"]
[Result "*"]
[GameType "21"]
[SetUp "1"]
[FEN "W:WK22,31:B9,10,17,18"]
[Annotator "nobody"]

1. 22x13x6x15x22 *
"""

MESSY = """\
% written by hand
[event "lower case"] [White "B"][GAMETYPE "21,B,8,8,N1,0"]
{ A comment ( with [brackets] }
1.11-15! 23 - 19?! 2. 08:11 22-17 ; the rest is a comment (
3. 9-13 (3. 11-16 (3. 9-14 {) } 25-22) 25-22) 17-14 4.10X17 21-14 $2 $14 (!) 5. 15-18* 19-15 1/2-1/2
  1. 12-16 24-20 2. 8-12 *
*
[Result "2-0"]
1. 11-15
[Black "no result before this"]

[Result "1-0"]
1. ... *

[Black "nothing played"]

[Black "nor here"]
[White "twice"]
[White "the last counts"]
"""


def texts(game: Game) -> list[str]:
    return [action_text(action) for action in game.actions]


def play(choices: Sequence[int], state: State | None = None, player: Player = "red", **fields: object) -> Game:
    """A game by chance: each number chooses among the actions that there are."""
    state = first = state or checkers.start()
    mover, played = player, []
    for choice in choices:
        if not (actions := checkers.actions(state, mover)):
            break
        played.append(actions[choice % len(actions)])
        state, mover = checkers.successor(state, played[-1]), OPPONENT[mover]
    return Game(state=first, player=player, actions=played, **fields)


def last(game: Game) -> str:
    state, player = game.state, game.player
    for action in game.actions:
        state, player = checkers.successor(state, action), OPPONENT[player]
    return to_fen(state, player)


choices = st.lists(st.integers(0, 20), max_size=60)
lines = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=20)
tags = st.dictionaries(
    st.from_regex("[A-Za-z0-9_]{1,9}", fullmatch=True).filter(lambda name: name.lower() not in FIELDS),
    lines,
    max_size=4,
)
results = st.sampled_from([*WINNERS, "*", "?", "1+ - 1-"])
games = st.tuples(st.sampled_from([None, *FENS]), choices, tags, results)


def test_an_ordinary_file() -> None:
    first, second = read_pdn(ORDINARY)
    assert first.tags == {
        "Event": "Random play",
        "Site": "?",
        "Date": "2026.01.02",
        "Round": "1",
        "Black": 'A "quoted" name',
        "White": "back\\slash",
    }
    assert (first.player, first.result, first.winner, len(first.actions)) == ("red", "0-1", "black", 18)
    assert texts(first)[10] == "14x21x30"
    assert (second.player, texts(second), second.winner) == ("black", ["22x13x6x15x22"], None)
    assert last(second) == "B:WK22,31:B"
    assert write_pdn([first, second]) == ORDINARY


@pytest.mark.parametrize(("new_line", "mark"), [("\n", ""), ("\r\n", "\ufeff"), ("\r", "")])
def test_a_messy_file(new_line: str, mark: str) -> None:
    found = read_pdn(mark + MESSY.replace("\n", new_line))
    assert [(game.tags, len(game.actions), game.result) for game in found] == [
        ({"event": "lower case", "White": "B"}, 10, "1/2-1/2"),
        ({}, 3, "*"),
        ({}, 1, "2-0"),
        ({"Black": "no result before this"}, 0, "1-0"),
        ({"Black": "nothing played"}, 0, "*"),
        ({"Black": "nor here", "White": "the last counts"}, 0, "*"),
    ]
    assert texts(found[0])[2:8] == ["8-11", "22-17", "9-13", "17-14", "10x17", "21x14"]
    assert found == read_pdn(write_pdn(found))


@pytest.mark.parametrize(
    ("text", "played"),
    [
        ('[FEN "B:W32:B1"] 1-05 32-28 1-0', ["1-5 32-28"]),  # noughts make no result
        # A star after a move says that it is the only good one; before a first move it ends the game.
        ("11-15* 23-19* 2. 8-11* * 1. 11-15* 1. 9-13*", ["11-15 23-19 8-11", "11-15", "9-13"]),
        ("1. 11-15* 1... 23-19 2. 8-11 *", ["11-15 23-19 8-11"]),
        ("11-15 " + 500_000 * "(" + 500_000 * ")" + " 23-19", ["11-15 23-19"]),
    ],
)
def test_moves_of_files(text: str, played: list[str]) -> None:
    assert [" ".join(texts(game)) for game in read_pdn(text)] == played


@pytest.mark.parametrize("text", ["", "\ufeff", "\n\n", "{ nothing }", "* *", "; nothing", "% nothing"])
def test_no_games(text: str) -> None:
    assert read_pdn(text) == []
    assert write_pdn([]) == ""


@pytest.mark.parametrize(
    ("text", "result", "winner"),
    [
        ('[Result "1-0"] 11-15 1-0', "1-0", "red"),
        ("11-15 0-1", "0-1", "black"),
        ('[Result "2-0"] 11-15 *', "2-0", "red"),
        ("11-15 0-2", "0-2", "black"),
        ('[Result "*"] 11-15 1-1', "1-1", None),
        ('[Result "1/2-1/2"] 11-15', "1/2-1/2", None),
        ('[Result "1-0"] 11-15 0-1', "1-0", "red"),
        ('[Result "1+ - 1-"] 11-15 *', "1+ - 1-", None),
        ('[Result "?"] 11-15 0-0', "0-0", None),
        ('[GameType "21,B,8,8,N1,0"] 11-15', "*", None),
        ('[GameType " 21 "] 11-15', "*", None),
        ('[GameType ""] 11-15', "*", None),
    ],
)
def test_results(text: str, result: str, winner: Player | None) -> None:
    (game,) = read_pdn(text)
    assert (game.result, game.winner) == (result, winner)
    assert read_pdn(write_pdn([game])) == [game]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('\n[GameType "20"] 32-28', "line 2, game 1: GameType '20' is not read: only 21 is, English draughts"),
        ("11-15 * 11-15\n\n11-16 *", "line 3, game 2: '11-16' cannot be played: there is no piece on 11"),
        ('[FEN "B:W33:B1"]', "line 1, game 1: '33' is not a piece"),
        ('\n[SetUp "1"]', "line 2, game 1: SetUp says"),
        ('11-15 *\n[Event "\n"]', "line 2, game 2: a tag is not closed"),
        ('[Event "x]', "a tag is not closed"),
        ("[%clk 1]", "a tag is not closed, or has no value"),
        ("11-15\n{ 23-19", "line 2, game 1: a comment, {, is never closed"),
        ("11-15 ( { 23-19", "a comment, {, is never closed"),
        ("11-15\n( 23-19\n(1)(\n", "line 2, game 1: a variation, (, is never closed"),
        ('11-15\n( 23-19\n[Event "x"])', "line 2, game 1: a variation, (, is not closed before the next game"),
        ("11-15 )", "line 1, game 1: a variation ends, ), that never began"),
        ("11-15 Red resigns", "line 1, game 1: 'Red' is not a move"),
        ('11-15 /FEN "B:W:B"/', "a position that is set up within a game"),
        ("11-15 22-18 15x22x29", "'15x22x29' cannot be played: there is a piece on 29"),
        ("11-15 22-18 15x22x31x24", "'15x22x31x24' cannot be played: there is a piece on 24"),
        ('[FEN "B:W6,7,14,15:B2"] 2x18', "'2x18' can be 2x9x18 or 2x11x18"),
    ],
)
def test_bad_files(text: str, message: str) -> None:
    with pytest.raises(BadPdn, match=re.escape(message)) as caught:
        read_pdn(text)
    assert "\n" not in str(caught.value)


def test_games_before_a_fault_are_read() -> None:
    found = iter_pdn("11-15 * nonsense")
    assert texts(next(found)) == ["11-15"]
    with pytest.raises(BadPdn):
        next(found)


@pytest.mark.parametrize(
    "tags", [{"Result": "1-0"}, {"fen": ""}, {"a b": ""}, {"": ""}, {"Event": "a\nb"}, {"Event": "\r"}]
)
def test_tags_that_cannot_be_written(tags: dict[str, str]) -> None:
    with pytest.raises(BadPdn):
        write_pdn([Game(tags=tags)])


@settings(SLOW, max_examples=100)
@given(st.lists(games, max_size=3))
def test_what_is_written_is_read(drawn: list[tuple[str | None, list[int], dict[str, str], str]]) -> None:
    played = [
        play(numbers, *(from_fen(fen) if fen else ()), tags=named, result=result)
        for fen, numbers, named, result in drawn
    ]
    text = write_pdn(played)
    assert read_pdn(text) == played
    assert write_pdn(read_pdn(text)) == text
    assert all(len(line) <= 80 for line in text.splitlines() if not line.startswith("["))


@settings(SLOW, max_examples=300)
@given(st.data())
def test_damage_is_reported(data: st.DataObject) -> None:
    """No damage has another effect than the one error, and most has that: few characters may be missing."""
    text = ORDINARY + MESSY
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.integers(0, 8))
        text = text[:start] + data.draw(st.text('[]"\\(){};%*$!?.-x:/0129 \n\rBWK,\u0663', max_size=8)) + text[end:]
    try:
        found = read_pdn(text)
    except BadPdn as error:
        assert re.match(r"line \d+, game \d+: ", str(error))
    else:
        assert read_pdn(write_pdn(found)) == found


PIECES = [*"( ) { [ 1 1. 1- * ; / \\ $ ! (! (1".split(), '[a "', "1 ", "11-15 ", " ", "( {} ", "{a [ b } "]


@pytest.mark.long
@pytest.mark.parametrize("piece", PIECES)
def test_a_million_of_anything(piece: str) -> None:
    """No sign, however often, takes more than one look at it: with more, this would not end today."""
    for text in (1_000_000 // len(piece) * piece, "11-15 (" + 1_000_000 // len(piece) * piece):
        try:
            read_pdn(text)
        except BadPdn as error:
            assert len(str(error)) < 200


def test_brackets_in_comments_of_any_game() -> None:
    game = game_of("capture")
    read = nth(game, f'[Event "{game.title}"]\n\n1. b4-b3 * ' + 100_000 * "{a [ b } ")
    assert (len(read.moves), read.result) == (1, "*")


@pytest.mark.parametrize("fen", ["B:W" + 200_000 * " " + "x", "B:W" + 200_000 * "9", "B:W" + 200_000 * "0" + "x:B1"])
def test_a_long_position(fen: str) -> None:
    with pytest.raises(BadPdn) as caught:
        read_pdn(f'[FEN "{fen}"]')
    assert len(str(caught.value)) < 300


def test_many_tags() -> None:
    (game,) = read_pdn("".join(f'[T{number} "x"]' for number in range(20_000)))
    assert len(game.tags) == 20_000


# Beside pydraughts


@pytest.mark.parametrize("seed", range(6))
def test_pydraughts_reads_what_is_written(seed: int) -> None:
    rng = random.Random(seed)
    played = [
        play([rng.randrange(99) for _ in range(rng.randrange(2, 90))], tags={"Black": "A", "White": "B"}, result=result)
        for result in ("1-0", "*", "1/2-1/2")
    ]
    reader = PDNReader(pdn_text=write_pdn(played))
    assert len(reader.games) == len(played)
    for theirs, game in zip(reader.games, played, strict=True):
        assert (theirs.variant, theirs.game_ending) == ("english", game.result)
        assert theirs.tags == {**game.tags, "Result": game.result, "GameType": "21"}
        assert theirs.moves == texts(game)
        assert ours(replayed(game, theirs.moves)) == last(game)


def replayed(game: Game, moves: list[str]) -> str:
    """The position after these moves, by pydraughts."""
    shown = draughts.Board(variant="english", fen=to_fen(game.state, game.player))
    for move in moves:
        shown.push(draughts.Move(shown, steps_move=[int(square) for square in re.split("[-x]", move)]))
    return str(shown.fen)


def test_pydraughts_reads_games_from_positions() -> None:
    """Of games that Black begins from a position its reader takes the first move twice; it plays ours all the same."""
    for fen in FENS[:40]:
        state, player = from_fen(fen)
        game = play([7, 5, 3, 8, 6, 4], state, player)
        assert ours(replayed(game, texts(game))) == last(game)
        (theirs,) = PDNReader(pdn_text=write_pdn([game])).games
        assert ours(theirs.tags["FEN"]) == fen
        if game.player == "black":
            assert theirs.moves == texts(game)


@pytest.mark.parametrize("fen", [START, *FENS[:40]])
def test_what_pydraughts_writes_is_read(fen: str, tmp_path: Path) -> None:
    """Captures in its short form, unless they are ambiguous."""
    shown, rng = draughts.Board(variant="english", fen=fen), random.Random(fen)
    for _ in range(20):
        if moves := shown.legal_moves():
            shown.push(rng.choice(moves))
    if shown.move_stack:
        text = PDNWriter(filename=str(tmp_path / "game.pdn"), board=shown, game_ending="1-0").pdn_text
        (game,) = read_pdn(text)
        assert last(game) == ours(shown.fen)
        assert game.result == "1-0"
        assert len(game.actions) == len(shown.move_stack)
