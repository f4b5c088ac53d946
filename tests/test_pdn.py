"""Files of games of the seeds' checkers, beside pydraughts; and `cpl pdn`, which lists, checks and draws them."""

import codecs
import copy
import json
import pickle
import random
import re
import tracemalloc
import warnings
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import draughts
import pytest
from checkers_by_tiles import OPPONENT
from command_line import run
from conftest import SLOW
from draughts.PDN import PDNReader, PDNWriter
from hypothesis import given, settings
from hypothesis import strategies as st
from test_notation import FENS, START, ours

from cpl.games import checkers, pdn
from cpl.games.checkers import BadPdn, Game, Player, State, action_text, from_fen, iter_pdn, read_pdn, to_fen, write_pdn
from cpl.games.pdn import FIELDS, WINNERS, OtherDraughts, PdnWarning, entries, nth, pieces
from cpl.games.playable import game_of
from cpl.games.position import FenWarning

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
comments = st.text(st.sampled_from('ab (%;[$1-0*"!é ') | st.sampled_from("{"), max_size=90).map(
    lambda text: f"{{{' '.join(text.split())}}}"
)
variations = st.recursive(
    st.sampled_from(["11-15", "2. 9-14!", "$3", "{a (}", "1-0", "nonsense"]),
    lambda words: st.lists(words, max_size=9).map(lambda words: f"({' '.join(words)})"),
).filter(lambda text: text.startswith("("))
remarks = st.dictionaries(
    st.integers(0, 9), st.lists(comments | variations | st.sampled_from(["$1", "!", "?!"]), min_size=1, max_size=3)
)
games = st.tuples(st.sampled_from([None, *FENS]), choices, tags, results, remarks)


def test_a_file_is_read_and_written_as_it_was() -> None:
    first, second = read_pdn(ORDINARY)
    players = {"Black": 'A "quoted" name', "White": "back\\slash"}
    assert first.tags == {"Event": "Random play", "Site": "?", "Date": "2026.01.02", "Round": "1", **players}
    assert (first.player, first.result, first.winner, len(first.actions)) == ("red", "0-1", "black", 18)
    assert texts(first)[10] == "14x21x30"
    assert (second.player, texts(second), second.winner) == ("black", ["22x13x6x15x22"], None)
    assert last(second) == "B:WK22,31:B"
    assert write_pdn([first, second]) == ORDINARY


@pytest.mark.parametrize(
    ("text", "played"),
    [
        ('[FEN "B:W32:B1"] 1-05 32-28 1-0', ["1-5 32-28"]),  # noughts make no result
        # A star after a move says that it is the only good one; before a first move it ends the game.
        ("11-15* 23-19* 2. 8-11* * 1. 11-15* 1. 9-13*", ["11-15 23-19 8-11", "11-15", "9-13"]),
        ("1. 11-15* 1... 23-19 2. 8-11 *", ["11-15 23-19 8-11"]),
        ("1. 11–15 23–19 *", ["11-15 23-19"]),
        pytest.param("11-15 " + 500_000 * "(" + 500_000 * ")" + " 23-19", ["11-15 23-19"], id="a million brackets"),
    ],
)
def test_moves_are_read_with_what_stands_around_them(text: str, played: list[str]) -> None:
    assert [" ".join(texts(game)) for game in read_pdn(text)] == played


def test_files_without_games_are_read_and_written() -> None:
    for text in ("", "\ufeff", "\n\n", "{ nothing }", "* *", "; nothing", "% nothing"):
        assert read_pdn(text) == []
    assert write_pdn([]) == ""


def test_an_error_loses_one_game_only() -> None:
    for text in ('11-15 *\n9-13 { *\n[Site "y"] 11-16', '11-15 *\n9-13 ( *\n[Site "y"] 11-16'):
        found = read_pdn(text, errors="collect")
        assert [texts(game) for game in found] == [["11-15"], ["11-16"]]
        assert [(error.line, error.game) for error in found.errors] == [(2, 2)]
    assert (read_pdn("").errors, read_pdn("11-15", errors="collect").summary) == ([], "1 of 1 games read")
    with pytest.raises(ValueError, match='"raise" or "collect"'):
        read_pdn("", errors="ignore")  # type: ignore[arg-type]


@pytest.mark.parametrize(("new_line", "mark"), [("\n", ""), ("\r\n", "\ufeff"), ("\r", "")])
def test_a_messy_file(new_line: str, mark: str) -> None:
    with pytest.warns(PdnWarning, match="line 19, game 6: the tag White stands twice: the later one counts"):
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
    assert found[0].remarks == {
        0: ["{ A comment ( with [brackets] }"],
        1: ["!"],
        2: ["?!"],
        4: ["{the rest is a comment (}"],
        5: ["(3. 11-16 (3. 9-14 {) } 25-22) 25-22)"],
        8: ["$2", "$14", "(!)"],
        9: ["*"],
    }
    assert found == read_pdn(write_pdn(found))


def test_results_and_bad_files() -> None:
    for text, result, winner in (
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
    ):
        (game,) = read_pdn(text)
        assert (game.result, game.winner) == (result, winner)
        assert read_pdn(write_pdn([game])) == [game]
    for text, message in (
        (
            '\n[GameType "20"] 32-28',
            "line 2, game 1: GameType '20' is international draughts, ten by ten, which is not read: only 21 is",
        ),
        ("1. c3-d4 d6-c5 *", "line 1, game 1: 'c3-d4' is not a move: write one like 11-15"),
        ("1. 11-15 23-19 2. 8-118 *", "'118' is not a square: squares are 1 to 32"),
        ('[GameType "25,W,8,8,A0,0"] c3-d4', "GameType '25,W,8,8,A0,0' is Russian draughts, which is not read"),
        ('[GameType "99"]', "GameType '99' is not read: only 21 is, English draughts"),
        ("11-15 * 11-15\n\n11-16 *", "line 3, game 2: '11-16' cannot be played: there is no piece on 11"),
        ('[FEN "B:W33:B1"]', "line 1, game 1: '33' is not a piece"),
        ('[FEN "W:WK4,WK5,55:B4"]', "line 1, game 1: 'WK5' is not a piece: write a square"),
        ("11-15 22-18 2024", "line 1, game 1: '2024' cannot be played: there is no piece on 20"),
        ("11-15 22-18 15*22 ) {", "line 1, game 1: a comment, {, is never closed"),
        ('\n[SetUp "1"]', "line 2, game 1: SetUp says"),
        ('11-15 *\n[Event "\n"]', "line 2, game 2: a tag is not closed"),
        ("{ a {b} c } 11-15", "'c' is not a move: comments do not nest, and the one before it ends at the first }"),
        ("11-15\n{ 23-19", "line 2, game 1: a comment, {, is never closed"),
        ("11-15 ( { 23-19", "a comment, {, is never closed"),
        ("11-15\n( 23-19\n(1)(\n", "line 2, game 1: a variation, (, is never closed"),
        ('11-15\n( 23-19\n[Event "x"])', "line 2, game 1: a variation, (, is not closed before the next game"),
        ("11-15 )", "line 1, game 1: a variation ends, ), that never began"),
        ("Red resigns 11-15", "line 1, game 1: 'Red' is not a move"),
        ('11-15 /FEN "B:W:B"/', "a position that is set up within a game"),
        ("11-15 22-18 15x22x29", "'15x22x29' cannot be played: there is a piece on 29"),
        ("11-15 22-18 15x22x31x24", "'15x22x31x24' cannot be played: there is a piece on 24"),
        ('[FEN "B:W6,7,14,15:B2"] 2x18', "'2x18' can be 2x9x18 or 2x11x18"),
        ('[FEN "B:W6,7,14,15,32:B2"] 2x18 32-28', "'2x18' can be 2x9x18 or 2x11x18"),
    ):
        with pytest.raises(BadPdn, match=re.escape(message)) as caught:
            read_pdn(text)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words", "games"),
    [
        ("11-15 22-18 White resigns 1-0", ["White"], ["11-15 22-18 1-0"]),
        ("11-15 22-18 Drawn.", ["Drawn."], ["11-15 22-18 *"]),
        ("11-15 22-18 15x22 25*18 9-13 *", ["25*18"], ["11-15 22-18 15x22 *"]),
        ("11-15 22-18 15x22 25 * 18 9-13 0-1 11-16 *", ["25"], ["11-15 22-18 15x22 0-1", "11-16 *"]),
        (
            "11-15 22-18Redoversteppedthetimelimitonthismove. 0-1",
            ["Redoverstepp...itonthismove."],
            ["11-15 22-18 0-1"],
        ),
        ("11-15 Chicago 1923, (a {b} 1/2-1/2)\n9-13 *", ["Chicago"], ["11-15 1/2-1/2", "9-13 *"]),
        ("11-15 1-0 White resigned.\n\n9-13 0-1 ) Red did", ["White", ")"], ["11-15 1-0", "9-13 0-1"]),
        ('11-15 Drawn.\n[Event "next"] 9-13 25*18\n1. 11-16 *', ["Drawn.", "25*18"], ["11-15 *", "9-13 *"]),
    ],
)
def test_a_word_ends_the_moves_with_a_warning(text: str, words: list[str], games: list[str]) -> None:
    with pytest.warns(PdnWarning) as caught:
        found = read_pdn(text)
    assert [" ".join([*texts(game), game.result]) for game in found][: len(games)] == games
    messages = [str(warning.message) for warning in caught]
    assert found.warnings == messages
    assert found.summary.splitlines()[1:] == [f"warning: {message}" for message in messages]
    for word, message in zip(words, messages, strict=True):
        assert re.match(r"line \d, game \d: ", message)
        assert message.endswith("; the game is read up to it")
        assert f"'{word}' is not a move: write one like" in message or word == ")"
    assert read_pdn(write_pdn(found)) == found
    entries = [*pdn.entries(checkers.CHECKERS, text)]
    assert [warning for entry in entries for warning in entry.warnings] == messages


@pytest.mark.parametrize("half", ["1/2", "½", "½-½", "1/2 - 1/2", "½ — ½", "1/2\N{MINUS SIGN}1/2", "1/2-½"])
def test_results_as_they_are_found(half: str) -> None:
    text = f"11-15 1 - 0 11-15 0–1\n11-15 {half} 11-15 2 -0 [Result '{half}'] 9-13".replace("'", '"')
    games = read_pdn(text)
    assert [game.result for game in games] == ["1-0", "0-1", "1/2-1/2", "2-0", "1/2-1/2"]
    assert [game.winner for game in games] == ["red", "black", None, "red", None]
    assert read_pdn(write_pdn(games)) == games
    assert run("cpl", "pdn", "-", "--result", half, input=text, well=True).stdout.endswith("\n2 games\n")


def test_moves_as_they_are_found() -> None:
    dashes = "-\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{FIGURE DASH}–—\N{HORIZONTAL BAR}\N{MINUS SIGN}"
    dashes += "\N{SMALL EM DASH}\N{SMALL HYPHEN-MINUS}\N{FULLWIDTH HYPHEN-MINUS}"
    for sign in dashes:
        [game] = read_pdn(f"11{sign}15 22 {sign} 18 15×22 *")
        assert texts(game) == ["11-15", "22-18", "15x22"]
    [game] = read_pdn("1. 1115 2218 2. 1522 2518 3. 0811! 2925* 4. 0408 {1987}\n 1-0")
    assert texts(game) == ["11-15", "22-18", "15x22", "25x18", "8-11", "29-25", "4-8"]
    assert (game.result, game.remarks) == ("1-0", {5: ["!"], 6: ["*"], 7: ["{1987}"]})
    [game] = read_pdn('[FEN "B:W6,14,23:B2"] 0227')
    assert texts(game) == ["2x9x18x27"]
    with pytest.raises(BadPdn, match="'0218' can be 2x9x18 or 2x11x18"):
        read_pdn('[FEN "B:W6,7,14,15:B2"] 0218')
    for word in ("1933", "11150", "115", "0015", "1115a"):
        with pytest.warns(PdnWarning, match=f"'{word}' is not a move"):
            assert texts(read_pdn(f"12-16 {word} 22-18")[0]) == ["12-16"]


def test_games_that_follow_at_once_are_games() -> None:
    for text, found in (
        ('[Event "a"]\n1. 11-15 22-18\n[Event "b"]\n1. 9-13 *', [("a", "11-15 22-18"), ("b", "9-13")]),
        ('[Event "a"]\n11-15 22-18 1-0\n[Event "b"]\n9-13 *', [("a", "11-15 22-18"), ("b", "9-13")]),
        ('[Black "x"]\n[Event "a"]\n{lost}\n[Black "y"]\n[Event "b"]\n9-13', [("a", ""), ("b", "9-13")]),
        ("1. 11-15 22-18\n1. 9-13 24-20\n2. 5-9 *", [("", "11-15 22-18"), ("", "9-13 24-20 5-9")]),
        ("1. 11-15 22-18\n\n1. 9-13 22-17", [("", "11-15 22-18"), ("", "9-13 22-17")]),
        ("1. 11-15\n1. 22-18\n2. 15x22\n2. 25x18", [("", "11-15 22-18 15x22 25x18")]),
        ("1. 11-15 22-18\n1... 15x22", [("", "11-15 22-18 15x22")]),
    ):
        games = read_pdn(text)
        assert [(game.tags.get("Event", ""), " ".join(texts(game))) for game in games] == found
        assert read_pdn(write_pdn(games)) == games


NOTED = {
    '[Event "a"]\n[Black "x"]\n[Event "b"]\n9-13 *': (["b 9-13"], "line 3, game 1: the tag Event stands twice"),
    '[Event "a"]\n[Date "x"]\n[Date "y"]\n9-13 *': (["a 9-13"], "line 3, game 1: the tag Date stands twice"),
    '[Event "a"]\n[BlackType: "program"]\n9-13 *': (
        ["a 9-13"],
        "line 2, game 1: '[BlackType: \"program\"]' is left out",
    ),
    '9-13 *\n[Event]\n[Date "x"]\n9-14 *': ([" 9-13", " 9-14"], "line 2, game 2: '[Event]' is left out"),
    "[%clk 1]": ([" "], "line 1, game 1: '[%clk 1]' is left out"),
}


@pytest.mark.parametrize("text", NOTED)
def test_a_tag_that_stands_twice_or_cannot_be_read_is_told_and_loses_no_game(text: str) -> None:
    found, message = NOTED[text]
    with pytest.warns(PdnWarning, match=re.escape(message)) as told:
        games = read_pdn(text)
    assert [f"{game.tags.get('Event', '')} {' '.join(texts(game))}" for game in games] == found
    assert len(told) == 1


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_what_is_not_utf_8_is_windows_1252(mark: bytes) -> None:
    assert "".join(pieces(mark + b'[Black "Mu\xf1oz \x96 \x8a\x81"]')) == '[Black "Mu\xf1oz \u2013 \u0160\x81"]'


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
def test_what_is_utf_16_without_a_mark_or_utf_32_is_refused_by_name(encoding: str) -> None:
    with pytest.raises(BadPdn, match=encoding[:6].upper()):
        pieces(ORDINARY.encode(encoding))


def test_utf_16_with_a_mark_is_read() -> None:
    assert "".join(pieces(ORDINARY.encode("utf-16"))).lstrip("\ufeff") == ORDINARY


FOREIGN = {
    "1. c3-d4 d6-c5 2. b2-c3 *": "moves with letters, as Russian and Brazilian draughts have them",
    "1. 32-28 19-23 2. 38-32 14-19 *": "squares above 32, as international draughts",
    "1. 23-19 10-14 *": "begin with a move of White, as in Italian and Russian draughts",
    "1. 11-16 24-19 1. 11-11 *": "",
    '[FEN "W:W22:B1"]\n23-19 *': "",
    "hello": "",
}


@pytest.mark.parametrize("text", FOREIGN)
def test_files_of_other_draughts_are_known_by_their_moves(text: str, tmp_path: Path) -> None:
    (tmp_path / "games.pdn").write_text(f"{text}\n\n" * 3, encoding="utf-8")
    for options in ([], ["--check"]):
        done = run("cpl", "pdn", "games.pdn", *options, cwd=tmp_path)
        told = done.stdout + done.stderr
        assert told.count("these look like games of another kind") == (1 if FOREIGN[text] else 0)
        assert FOREIGN[text] in told


def test_the_kind_of_a_game_is_told_though_a_number_is_longer_than_python_reads() -> None:
    others = OtherDraughts()
    for entry in entries(checkers.CHECKERS, f"1. {'1' * 5000}-15 00040-0035 *"):
        others.look_at(entry)
    assert "squares above 32" in others.sentence


BROKEN = ["11-16 11-16", "11-15 and so on (1-2, {", "11-15 { 22-18", "11-15 ( 22-18", "11-15 ) 22-18 {fine} (22-18)"]
BROKEN += ['11-15 /FEN "B:W:B"/', '[GameType "20"] 32-28']


def test_games_that_are_not_read_yet_are_read_when_they_are_asked_for() -> None:
    """A game that cannot be read is no hindrance to those after it."""
    text = "11-16 11-16 1-0\n" * 599 + '[Black "A"]\n11-15 0-1 11-16 11-16'
    found = next(islice(iter_pdn(text), 599, None))
    assert (found.tags, found.winner, texts(found), found.player) == ({"Black": "A"}, "black", ["11-15"], "red")
    assert nth(checkers.CHECKERS, text, 600).tags == {"Black": "A"}
    *_, last = iter_pdn(text)
    assert last.tags == {}
    for get in (lambda: last.actions, lambda: last.state, lambda: repr(last)):
        with pytest.raises(BadPdn, match="line 601, game 601: '11-16' cannot be played"):
            get()
    [read] = read_pdn("11-15 {good} *")
    for use in (copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game)), replace, lambda game: game):
        [game] = iter_pdn("11-15 {good} *")
        assert use(game) == read
    with pytest.raises(AttributeError, match="a game has no moves"):
        read.moves  # noqa: B018


def test_captures_remarks_and_tags_are_read_or_refused() -> None:
    for text, whole in (
        # Two ways from 2 to 18, over 6 and 14 or over 7 and 15: the man that moves next has not been taken.
        ('[FEN "B:W6,7,14,15,32:B2"] 2x18 14-9', "2x11x18 14-9"),
        ('[FEN "B:W6,7,14,15,32:B2"] 2x18 32-28 18-22 6-1', "2x11x18 32-28 18-22 6-1"),
        ('[FEN "B:W6,7,14,15,32:B2"] 2x18 32-28 18-22 7-3', "2x9x18 32-28 18-22 7-3"),
        # Round and round, by either way to the same position.
        ('[FEN "W:WK22:B9,10,17,18,1"] 22x22 1-6', "22x13x6x15x22 1-6"),
    ):
        [game] = read_pdn(text)
        assert texts(game) == whole.split()
    # Those after a result belong to the game before, unless a blank line comes first, and another game after them.
    text = "{a} 1. {b} 11-15 ; c } d\n! 1... (22-17\n% no remark\n 9-13 ; in it\n) 1-0 {e} $5\n\n{f} 9-13 * {g}\n\n{h}"
    first, second = read_pdn(text)
    assert first.remarks == {0: ["{a}", "{b}"], 1: ["{c ) d}", "!", "(22-17 9-13 {in it} )", "{e}", "$5"]}
    assert second.remarks == {0: ["{f}"], 1: ["{g}", "{h}"]}
    assert write_pdn([second]).splitlines()[-1] == "{f} 1. 9-13 {g} {h} *"
    assert read_pdn(write_pdn([first, second])) == [first, second]
    text = '\n[FEN "B:WK23,12,3:BK15,29."] 15-18 3x10'
    with pytest.warns(FenWarning, match=r"line 2, game 1: 'B:WK23.*' has a man on 3, 29, where he is crowned"):
        [game] = read_pdn(text.replace(" 15-18 3x10", ""))
    assert to_fen(game.state, game.player) == "B:WK3,12,K23:BK15,K29"
    [entry] = pdn.entries(checkers.CHECKERS, text)
    assert [each.partition(":")[0] for each in entry.warnings] == ["line 2, game 1"]
    first = [{0: [remark]} for remark in ("well", "{", "{}}", "(()", "$1 $2", "*", "", "11-15", "; rest")]
    for remarks in (*first, {1: ["!", "*"]}, {2: ["!"]}, {-1: ["!"]}):
        with pytest.raises(BadPdn, match="remark"):
            write_pdn([play([0], remarks=remarks)])
    for tags in ({"Result": "1-0"}, {"fen": ""}, {"a b": ""}, {"": ""}, {"Event": "a\nb"}, {"Event": "\r"}):
        with pytest.raises(BadPdn):
            write_pdn([Game(tags=tags)])
    for fen in ("B:W" + 200_000 * " " + "x", "B:W" + 200_000 * "9", "B:W" + 200_000 * "0" + "x:B1"):
        with pytest.raises(BadPdn) as caught:
            read_pdn(f'[FEN "{fen}"]')
        assert len(str(caught.value)) < 300
    (game,) = read_pdn("".join(f'[T{number} "x"]' for number in range(20_000)))
    assert len(game.tags) == 20_000
    capture = game_of("capture")
    read = nth(capture, f'[Event "{capture.title}"]\n\n1. b4-b3 * ' + 100_000 * "{a [ b } ")
    assert (len(read.moves), read.result) == (1, "*")


@settings(SLOW, max_examples=100)
@given(st.lists(games, max_size=3))
def test_what_is_written_is_read(
    drawn: list[tuple[str | None, list[int], dict[str, str], str, dict[int, list[str]]]],
) -> None:
    played = [
        play(numbers, *(from_fen(fen) if fen else ()), tags=named, result=result)
        for fen, numbers, named, result, _ in drawn
    ]
    for game, (*_, said) in zip(played, drawn, strict=True):
        game.remarks.update({ply: each for ply, each in said.items() if ply <= len(game.actions)})
    text = write_pdn(played)
    assert read_pdn(text) == played
    assert write_pdn(read_pdn(text)) == text
    assert all(len(line) <= 80 for line in text.splitlines() if not line.startswith("["))


@settings(SLOW, max_examples=300)
@given(st.data())
def test_damage_is_reported(data: st.DataObject) -> None:
    """No damage has another effect than the one error, the warning of a man where he is crowned, or of what ends the
    moves; and most has one of them: few characters may be missing.
    """
    text = ORDINARY + MESSY
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.integers(0, 8))
        text = text[:start] + data.draw(st.text('[]"\\(){};%*$!?.-x:/0129 \n\rBWK,\u0663', max_size=8)) + text[end:]
    with warnings.catch_warnings(record=True, action="always") as told:
        try:
            found = read_pdn(text)
        except BadPdn as error:
            assert re.match(r"line \d+, game \d+: ", str(error))
            found = []
    for warning in told:
        assert warning.category in (FenWarning, PdnWarning)
        said = "' has a man on .*, where he is crowned: .*"
        if warning.category is PdnWarning:
            said = "(; the game is read up to it| stands twice: the later one counts| is left out: a tag is .*)"
        assert re.fullmatch(rf"line \d+, game \d+: .*{said}", str(warning.message))
    assert read_pdn(write_pdn(found)) == found


def test_a_game_may_be_nothing_but_a_remark() -> None:
    (game,) = read_pdn("()")
    assert not game.actions


PIECES = [*"( ) { [ 1 1- * ; / $ (! {} (){".split(), '[a "', "1 ", "11-15 ", " ", "( {} ", "{a [ b } "]
PIECES += [";\n", '\n[A "b"]{', "\n[A", "{\n[a"]


@pytest.mark.long
@pytest.mark.parametrize("piece", PIECES)
def test_a_million_of_anything(piece: str) -> None:
    """No sign, however often, takes more than one look at it: with more, this would not end today."""
    for start in ("", "11-15 (", "1- ", '[A "b"]\n1- {\n[C '):
        found = [*pdn.entries(checkers.CHECKERS, start + 1_000_000 // len(piece) * piece)]
        for entry in found[:9]:
            try:
                entry.record  # noqa: B018
            except (BadPdn, PdnWarning) as error:
                assert len(str(error)) < 200


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


@pytest.mark.long
def test_pydraughts_writes_what_is_read(tmp_path: Path) -> None:
    """Of games that Black begins from a position its reader takes the first move twice; it plays ours all the same."""
    for fen in FENS[:40]:
        state, player = from_fen(fen)
        game = play([7, 5, 3, 8, 6, 4], state, player)
        assert ours(replayed(game, texts(game))) == last(game)
        (theirs,) = PDNReader(pdn_text=write_pdn([game])).games
        assert ours(theirs.tags["FEN"]) == fen
        if game.player == "black":
            assert theirs.moves == texts(game)
    # Captures in its short form, unless they are ambiguous.
    for fen in (START, *FENS[:40]):
        shown, rng = draughts.Board(variant="english", fen=fen), random.Random(fen)
        for _ in range(20):
            if moves := shown.legal_moves():
                shown.push(rng.choice(moves))
        if shown.move_stack:
            text = PDNWriter(filename=str(tmp_path / "game.pdn"), board=shown, game_ending="1-0").pdn_text
            (game,) = read_pdn(text)
            assert last(game) == ours(shown.fen)
            assert (game.result, len(game.actions)) == ("1-0", len(shown.move_stack))


GAMES = """\
[Event "Club"]
[Date "1987.05.01"]
[Black "Ann Archer"]
[White "Bob Baker"]
[Result "1-0"]

1. 11-15 {as always} 22-18! 2. 15x22 25x18 (26x17) 1-0

[Event "Club"]
[Date "1988"]
[Black "Bob Baker"]
[White "Zoë \x1b[31mred"]

1. 9-13 9-13 1/2-1/2

[Event "Study"]
[SetUp "1"]
[FEN "B:W6,7,14,15,32:B2"]

1. 2x18 14-9 *
"""
BAD = "line 14, game 2: '9-13' cannot be played: "


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.pdn"
    path.write_text(GAMES, encoding="utf-8")
    return path


def test_games_of_a_file_are_listed_and_found_by_position(file: Path) -> None:
    done = run("cpl", "pdn", file, well=True)
    assert done.stdout == (
        "game  Black – White                    event  date        result   plies\n"
        "   1  Ann Archer – Bob Baker           Club   1987.05.01  1-0          4\n"
        "   2  Bob Baker – Zoë <U+001B>[31mred  Club   1988        1/2-1/2      2\n"
        "   3  ? – ?                            Study              *            2\n"
        "\n"
        "3 games\n"
    )
    fen = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15"
    done = run("cpl", "pdn", file, "--position", fen)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "1 game")
    assert "Ann Archer" in done.stdout
    assert done.stderr.startswith(f"cpl pdn: {file}: {BAD}")
    assert run("cpl", "pdn", file, "--position", f"B{fen[1:]}").stdout.endswith("\n0 games\n")


def test_filters(file: Path) -> None:
    for options, numbers in {
        "--player BAKER": [1, 2],
        "--player zoë": [2],
        "--event stud": [3],
        "--result 1/2-1/2": [2],
        "--date 1987": [1],
        "--number 2": [2],
        "--number 2-9 --event club": [2],
        "--player baker --result 0-1": [],
    }.items():
        done = run("cpl", "pdn", file, *options.split(), well=True)
        assert [int(number) for number in re.findall(r"^ +(\d+)  ", done.stdout, re.MULTILINE)] == numbers, options


def test_a_board_of_a_game_has_the_numbers_that_are_asked_for(file: Path) -> None:
    """Files have the official ones."""
    for option, labels in (
        (("--numbers",), "1 2 3 4"),
        (("--numbers", "1952"), "0 1 2 3"),
        (("--numbers=1966",), "5 6 7 8"),
    ):
        drawn = run("cpl", "pdn", *option, file, "--number", "1", "--board", "0", "--ascii", well=True).stdout
        assert re.findall(r"\d+", drawn.splitlines()[0]) == labels.split()
    written = run("cpl", "pdn", file, "--number", "1", "--format", "pdn", well=True).stdout
    assert run("cpl", "pdn", file, "--number", "1", "--format", "pdn", "--numbers", well=True).stdout == written
    for arguments, message in (
        (("--format", "pdn", "--numbers", "1952"), "--numbers 1952 is for a picture: add --board PLIES; "),
        (("--board", "1", "--game", "capture", "--numbers", "1966"), "--numbers 1966: the squares of capture have "),
        (("--board", "1", "--numbers", "32"), "invalid choice: '32'"),
    ):
        assert message in run("cpl", "pdn", file, *arguments, status=2).stderr


def test_a_check_and_a_warning_are_plain_lines(file: Path) -> None:
    done = run("cpl", "pdn", file, "--check")
    assert (done.returncode, done.stderr) == (1, "")
    error, summary = done.stdout.splitlines()
    assert error.startswith(f"{file}: {BAD}")
    assert summary == "3 games: 1 error, 0 warnings; 2 games with 6 plies legal"
    done = run("cpl", "pdn", "-", "--check", input='[FEN "B:W32:B1,29"]\n1-5\n', status=0)
    warning, summary = done.stdout.splitlines()
    assert warning.startswith("<stdin>: warning: line 1, game 1: 'B:W32:B1,29' has a man on 29, where he is crowned")
    assert summary == "1 game: 0 errors, 1 warning; 1 game with 1 ply legal"
    done = run("cpl", "pdn", "-", "--format", "pdn", input='[FEN "B:W32:B1,29"]\n1-5\n')
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert done.stderr.startswith(
        "cpl pdn: warning: line 1, game 1: 'B:W32:B1,29' has a man on 29, where he is crowned"
    )
    assert '[FEN "B:W32:B1,K29"]' in done.stdout
    done = run("cpl", "rules", "strachey.cpl", "--fen", "B:W32:B1,29")
    assert done.stderr == "cpl rules: warning: 'B:W32:B1,29' has a man on 29, where he is crowned: read as a king\n"


@pytest.fixture
def rewritten(file: Path, tmp_path: Path) -> Path:
    """The games of the file as PDN."""
    out = tmp_path / "out.pdn"
    done = run("cpl", "pdn", file, "--format", "pdn", "-o", out)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    return out


def test_games_come_out_as_pdn_with_and_without_remarks(rewritten: Path) -> None:
    out = rewritten
    text = out.read_text(encoding="utf-8")
    assert "\n1. 11-15 {as always} 22-18! 2. 15x22 25x18 (26x17) 1-0\n" in text
    assert "\n1. 2x11x18 14-9 *\n" in text
    assert run("cpl", "pdn", out, "--format", "pdn").stdout == text
    plain = run("cpl", "pdn", out, "--format", "pdn", "--no-remarks").stdout
    assert "\n1. 11-15 22-18 2. 15x22 25x18 1-0\n" in plain
    assert [game.actions for game in read_pdn(plain)] == [game.actions for game in read_pdn(text)]


def test_games_come_out_as_json(file: Path) -> None:
    done = run("cpl", "pdn", file, "--format", "json", status=1)
    data = json.loads(done.stdout)
    first, last = data["games"]
    found = read_pdn(GAMES, errors="collect")
    assert first["moves"] == [action_text(action) for action in found[0].actions]
    assert first["remarks"] == {"1": ["{as always}"], "2": ["!"], "4": ["(26x17)"]}
    assert (first["tags"], first["result"], first["line"]) == (found[0].tags, "1-0", 1)
    assert (last["number"], from_fen(last["fen"])) == (3, (found[1].state, "red"))
    assert [(each["line"], each["game"]) for each in data["errors"]] == [(14, 2)]
    bare = run("cpl", "pdn", file, "--number", "1", "--format", "json", "--no-remarks")
    assert "remarks" not in json.loads(bare.stdout)["games"][0]


def test_what_cannot_be_done(file: Path) -> None:
    for options, status, said in (
        (["--board", "1"], 1, "--board draws one game, and 3 are chosen: name one with --number"),
        (["--number", "1", "--board", "5"], 1, "game 1 has 4 moves, not 5"),
        (["--number", "2", "--board", "0"], 1, BAD),
        (["--number", "4"], 1, "there is no game 4 in it: it has 3"),
        (["--number", "0"], 2, "expected a number or a range such as 10-20, found '0'"),
        (["--number", "3-2"], 2, "a range goes from the smaller number to the larger, found '3-2'"),
        (["--position", "nonsense"], 2, "'nonsense' is not a position"),
        (["--check", "--format", "pdn"], 2, "not allowed with"),
        (["--format", "pdn", "-o", "nowhere/x.pdn"], 1, "the folder nowhere does not exist"),
    ):
        assert said in run("cpl", "pdn", file, *options, cwd=file.parent, fails=status).stderr


def test_what_is_no_file_of_games_or_the_input_is_refused(file: Path) -> None:
    assert "is part of the input" in run("cpl", "pdn", file, "--format", "pdn", "-o", file, fails=2).stderr
    assert file.read_text(encoding="utf-8") == GAMES
    for text in (b"", b"\xff\xfe\x00", b"{ nothing"):
        done = run("cpl", "pdn", "-", input=text, status=1)
        assert "Traceback" not in done.stderr
        assert done.stderr.startswith("cpl pdn: <stdin>: ")
    assert run("cpl", "pdn", "nowhere.pdn").stderr == "cpl pdn: nowhere.pdn: no such file or directory\n"


def test_files_of_other_games_are_refused_by_name_and_have_their_own() -> None:
    text = '[GameType "20,W,10,10,N2,0"]\n32-28 *\n' * 30
    done = run("cpl", "pdn", "-", input=text)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "30 games")
    *lines, last = done.stderr.splitlines()
    assert len(lines) == 20
    assert all("international draughts, ten by ten, which is not read" in line for line in lines)
    assert last == "cpl pdn: <stdin>: 10 more messages; cpl pdn --check lists all"
    assert run("cpl", "pdn", "-", "--check", input=text).stdout.count("international") == 30
    text = '[Event "Capture the Flag"]\n\n1. b4-b3 b2xb4 *\n'
    assert run("cpl", "pdn", "-", "--game", "capture", "--check", input=text).stdout.endswith(
        "1 game with 2 plies legal\n"
    )


def test_who_goes_on_with_a_game_keeps_what_was_said_of_it(tmp_path: Path) -> None:
    """The tags, and the remarks on moves that stand. A game can be loaded whatever is wrong with those before it."""
    file, saved = tmp_path / "games.pdn", tmp_path / "saved.pdn"
    file.write_text('1. 11-16 11-16 *\n\n[Annotator "A"] {first} 11-15 {good} 22-18 {bad} *\n', encoding="utf-8")
    two = ("--black", "human", "--white", "human", "--ascii")
    typed = f"load {file} 2\nundo\n23-19\nsave {saved}\nquit\n"
    assert run("cpl", "play", *two, input=typed).returncode == 0
    text = saved.read_text(encoding="utf-8")
    assert '[Annotator "A"]' in text
    assert text.endswith("{first} 1. 11-15 {good} 23-19 *\n")


HOSTILE = [
    MESSY,
    ORDINARY,
    '[Event "a"]\n11-15 ( {x} 22-18\n\n',
    '[Event "b"]\n11-15 { never closed\n[Site\n"x"]\n',
    "11-15 22-18 {c} Red resigns 1-0 {of the next}\n\n{also}\n",
    '[Event "c"]\n\n[Event "d"]\n[Event "e"\n]\n(1.\n[Event "f\n',
    "1. 11-15 22-18\n1. 9-13 24-20\n; rest\n% line\n",
    '[BlackType: "program"]\n[Event "g"] 11-15*\n* 1. 9-13* [Site "h"]\n',
]


@pytest.mark.parametrize("seed", range(4))
def test_a_text_that_comes_in_pieces_has_the_same_games(seed: int) -> None:
    chance = random.Random(seed)
    many, size = ((0, 1), (3_000, 3), (12_000, 50_000), (12_000, 400_000))[seed]
    text = "".join(chance.choices(HOSTILE, k=many)) + "".join(chance.choices(HOSTILE, k=9))
    parts = (text[begin : begin + size] for begin in range(0, len(text), size))

    def told(entry: pdn.Entry) -> object:
        faults = [entry.text.line_at(offset) for _, offset in [*entry.text.notes, *entry.text.tags.values()]]
        return entry.tags, entry.result, entry.text.remarks, str(entry.fault), entry.text_warnings, faults

    whole = map(told, pdn.entries(checkers.CHECKERS, text))
    for one, other in zip(whole, map(told, pdn.entries(checkers.CHECKERS, parts)), strict=True):
        assert one == other


def test_the_memory_for_a_list_does_not_grow_with_the_games() -> None:
    long = f'[Event "a"]\n11-15 {{{5000 * "word "}}} *\n\n'

    def most(games: int) -> int:
        tracemalloc.start()
        assert sum(1 for _ in pdn.entries(checkers.CHECKERS, (long for _ in range(games)))) == games
        try:
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert most(400) < 1.5 * most(100)
