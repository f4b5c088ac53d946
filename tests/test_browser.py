"""What pages in a browser ask of Python, without a browser."""

import difflib
import html
import json
import re
import sys
from typing import Any

import pytest

import cpl
from cpl import outside
from cpl.editors.browser.answers import answer

STRACHEY = (outside.packaged("programs") / "strachey.cpl").read_text(encoding="utf-8")
START: dict[str, Any] = {"fen": "", "moves": []}


def ask(question: str, **arguments: Any) -> Any:
    reply = json.loads(answer(json.dumps({"ask": question, **arguments})))
    assert "error" not in reply, reply
    return reply["answer"]


def refused(question: str, **arguments: Any) -> str:
    error = json.loads(answer(json.dumps({"ask": question, **arguments})))["error"]
    assert isinstance(error, str)
    return error


def test_a_text_is_checked_and_a_fix_mends_it() -> None:
    text = "|| \U0001d70e\nTwice(x) = (2x\n"
    [finding] = ask("check", name="", text=text, reading="set")["diagnostics"]
    fix = finding["fixes"][0]
    units = text.encode("utf-16-le")
    mended = (units[: 2 * fix["from"]] + fix["text"].encode("utf-16-le") + units[2 * fix["to"] :]).decode("utf-16-le")
    assert ask("check", name="", text=mended, reading="set")["diagnostics"] == []


def test_colours_stand_in_order_inside_the_text() -> None:
    colours = ask("check", name="strachey.cpl", text=STRACHEY, reading="set")["colours"]
    places = [place for start, end, _ in colours for place in (start, end)]
    assert places == sorted(places)
    assert places[-1] <= len(STRACHEY)


def test_lines_of_cpl_have_their_lines_of_python() -> None:
    reply = ask("python", name="", text="Twice(x) = 2x\n", reading="set")
    python = [line for line, group in zip(reply["lines"], reply["groups"]["python"], strict=True) if group == 1]
    assert reply["groups"]["cpl"][0] == 1
    assert any("2" in line and "return" in line for line in python)
    assert reply["changed"] == {"python": [], "cpl": []}


@pytest.mark.parametrize("name", ["", "strachey.cpl"])
def test_lines_for_machines_are_left_out_of_the_python_and_no_others(name: str) -> None:
    text = STRACHEY if name else "Twice(x) = 2x\n"
    whole = cpl.compile_text(text, path=f"programs/{name}" if name else "program.cpl").python
    reply = ask("python", name=name, text=text, reading="set")
    shown = [html.unescape(re.sub(r"<[^>]*>", "", line)) for line in reply["lines"]]
    assert len(shown) == len(reply["groups"]["python"])
    code = re.sub(r'^ +"""\n.*?^ +"""\n|^ +""".*"""\n', "", whole, flags=re.DOTALL | re.MULTILINE)
    assert code != whole, "the functions have docstrings"
    left_out = [line[2:] for line in difflib.ndiff(code.rstrip("\n").split("\n"), shown) if line[0] == "-"]
    assert all(not line or re.match(r'(""")?Compiled from|# Lines from|#   ', line) for line in left_out)
    assert "Compiled from" in whole
    assert "Compiled from" not in "\n".join(shown)
    assert "# Lines from" not in "\n".join(shown)


def test_python_that_is_wanted_soon_does_not_wait_for_black(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = " + ".join(f"{number}x" for number in range(2, 40))
    long = {"name": "", "text": f"F(x) = {terms}\n", "reading": "set"}
    monkeypatch.delitem(sys.modules, "black", raising=False)
    assert ask("python", **{**long, "text": "Twice(x) = 2x\n"}, soon=True)["styled"]
    soon = ask("python", **long, soon=True)
    assert not soon["styled"]
    assert "black" not in sys.modules
    styled = ask("python", **long)
    assert styled["styled"]
    assert len(styled["lines"]) > len(soon["lines"])


def test_lines_that_a_reading_changes_are_told() -> None:
    changed = ask("python", name="strachey.cpl", text=STRACHEY, reading="arithmetic")["changed"]
    assert changed["python"]
    assert any("θ" in STRACHEY.split("\n")[line - 1] for line in changed["cpl"])


def test_names_are_completed() -> None:
    offers = ask("complete", name="strachey.cpl", text=f"{STRACHEY}\nq = Legal", offset=len(STRACHEY) + 10)["offers"]
    assert [offer["text"] for offer in offers] == ["LegalPositionsFrom"]


CALLS = "|| \U0001d70e\nTwice(x) = 2x\nlet y = Twice(Twice(3))\n"


def changed(text: str, changes: list[dict[str, Any]]) -> str:
    """The text after changes, whose places are in units of JavaScript."""
    units = text.encode("utf-16-le")
    for change in sorted(changes, key=lambda change: change["from"], reverse=True):
        units = units[: 2 * change["from"]] + change["text"].encode("utf-16-le") + units[2 * change["to"] :]
    return units.decode("utf-16-le")


def unit(text: str, part: str) -> int:
    """Where the last such part begins, in units of JavaScript."""
    return len(text[: text.rindex(part)].encode("utf-16-le")) // 2


def test_a_name_leads_to_its_definition() -> None:
    place = ask("definition", name="", text=CALLS, reading="set", offset=unit(CALLS, "Twice"))
    assert place == {"from": 6, "to": 11}
    at = unit(STRACHEY, "Zero")
    reason = refused("definition", name="strachey.cpl", text=STRACHEY, reading="set", offset=at)
    assert reason == "Zero is defined in checkers-1966.cpl, which comes with this text"
    assert "no name" in refused("definition", name="", text=CALLS, reading="set", offset=unit(CALLS, "="))


def test_a_name_is_changed_wherever_it_means_the_same() -> None:
    at = unit(CALLS, "Twice")
    assert ask("renamable", name="", text=CALLS, offset=at) == "Twice"
    renamed = changed(CALLS, ask("rename", name="", text=CALLS, offset=at, new="Double"))
    assert renamed == CALLS.replace("Twice", "Double")
    two = "F(x) = x\nG(x) = 2\n"
    assert "a second definition of G" in refused("rename", name="", text=two, offset=0, new="G")
    used = f"{two}H(x) = F(G(x))\n"
    assert "would mean something else" in refused("rename", name="", text=used, offset=0, new="G")
    assert "is not a name" in refused("rename", name="", text=CALLS, offset=at, new="if")
    assert "no name" in refused("renamable", name="", text=CALLS, offset=unit(CALLS, "="))


def test_a_packaged_program_in_the_editor_is_ones_own() -> None:
    """What is compiled with it keeps its names."""
    given = {"name": "strachey.cpl", "text": STRACHEY, "offset": unit(STRACHEY, "BestPosition")}
    renamed = changed(STRACHEY, ask("rename", **given, new="FirstChoice"))
    assert renamed == STRACHEY.replace("BestPosition", "FirstChoice")
    assert "comes with cplc" in refused("renamable", **{**given, "offset": unit(STRACHEY, "Zero")})


def test_a_text_gets_the_style_of_fmt() -> None:
    text = "|| 𝜎\nF( x )=x\nG(x) = x\nH( x )=x\n"
    assert changed(text, ask("formatted", name="", text=text)) == cpl.format_text(text) != text
    assert ask("formatted", name="", text="F(x) = x\n") == []
    assert "stays as it is" in refused("formatted", name="", text="F( x )=(x\n")


def test_a_name_is_described() -> None:
    reply = ask("describe", name="strachey.cpl", text=STRACHEY, offset=3, reading="set")
    assert STRACHEY[reply["from"] : reply["to"]] == "ChosenPosition"
    assert "Position ⇒" in reply["code"]


def test_a_call_has_a_value_and_its_boards() -> None:
    reply = ask("run", name="strachey.cpl", text=STRACHEY, reading="set", call="ChosenPosition(StartPosition)")
    assert reply["boards"][0].startswith("<svg")
    assert reply["fault"] is None


def test_a_call_that_is_wrong_is_refused() -> None:
    assert "unclosed-bracket" in refused("run", name="", text="f(x) = x\n", reading="set", call="f(")


def test_a_fault_has_its_place() -> None:
    failed = ask("run", name="", text="f(x) = 1/x\n", reading="set", call="f(0)")
    assert failed["fault"] == "division by zero"
    first, second = failed["places"]
    assert first == {"words": "at", "where": "", "line": 1, "from": 7, "pieces": ["f(x) = ", "1/x", ""]}
    assert (second["words"], second["where"], second["pieces"]) == ("called at", "call", ["", "f(0)", ""])


def test_a_place_is_counted_in_the_units_of_a_page() -> None:
    """Of the text of the page; in another text it has none."""
    text = "|| 𝐀 comment\nf(x) = ‘𝐛’ + x\n"
    failed = ask("run", name="", text=text, reading="set", call="Map(f, [1])")
    place = next(place for place in failed["places"] if place["where"] == "")
    start = len(text[: text.index("‘𝐛’ + x")].encode("utf-16-le")) // 2
    assert (place["line"], place["from"], place["pieces"][1]) == (2, start, "‘𝐛’ + x")
    assert all(other["from"] is None for other in failed["places"] if other["where"])


@pytest.mark.parametrize(
    ("text", "call", "where", "marked"),
    [
        ("f(x) = x\n", "g(1)", "call", "g"),
        ("f(x) = x\n", "f(1", "call", "("),
        ("f(x) = (x\n", "f(1)", "", "("),
    ],
)
def test_errors_of_a_call_are_findings(text: str, call: str, where: str, marked: str) -> None:
    asked = {"ask": "run", "name": "", "text": text, "reading": "set", "call": call}
    [finding] = json.loads(answer(json.dumps(asked)))["findings"]
    written = call if where == "call" else text
    assert finding["where"] == where
    assert written[finding["from"] : finding["to"]] == marked


def test_what_a_program_writes_is_told() -> None:
    assert ask("run", name="", text="Write[‘hello’]\n", reading="set", call="")["written"] == "hello\n"


TWICE = {"name": "", "text": "Twice(x) = 2x\n", "reading": "set"}
GAME: dict[str, Any] = {"game": "strachey", "fen": ""}


def test_a_program_is_written_as_a_file_of_python() -> None:
    names: dict[str, Any] = {}
    exec(ask("standalone", **TWICE), names)
    assert names["Twice"](21) == 42


def test_stages_and_steps_of_a_program_are_shown() -> None:
    for which in ("types", "tokens", "meant", "written"):
        assert "Twice" in ask("stage", **TWICE, which=which)
    assert "cpl-steps" in ask("steps", **TWICE, call="Twice(21)")


def test_a_game_is_seen_from_either_side() -> None:
    assert {"text": "11-15", "squares": ["11", "15"]} in ask("state", **GAME, moves=[], flipped=False)["legal"]
    move = ask("choose", **GAME, moves=[], player="strachey:2")
    after = ask("state", **GAME, moves=[move], flipped=True)
    assert after["side"] == "white"
    assert after["rows"][0] == list(reversed(ask("state", **GAME, moves=[move], flipped=False)["rows"][-1]))


def test_a_move_is_explained_by_a_tree() -> None:
    assert "cpl-tree" in ask("why", **GAME, moves=[])["tree"]


@pytest.fixture(scope="module")
def written() -> str:
    """A game as a file."""
    file: str = ask("write", **GAME, moves=["11-15", "22-17"], players=["You", "hard"])
    return file


def test_a_game_that_was_written_is_read(written: str) -> None:
    read = {"fen": "", "moves": ["11-15", "22-17"], "warnings": []}
    assert ask("read", game="strachey", text=written, number=1) == read


def test_what_is_no_move_in_a_file_is_warned_of() -> None:
    assert "'White' is not" in ask("read", game="strachey", text="11-15 22-17 White resigns", number=1)["warnings"][0]


def test_games_of_a_file_are_listed(written: str) -> None:
    two = f'{written}\n[Event "Friendly"]\n1. 9-14 *\n'
    assert ask("listed", game="strachey", text=two) == ["You – hard, *", "Friendly, *"]
    assert ask("read", game="strachey", text=two, number=2)["moves"] == ["9-14"]


def test_a_file_without_a_game_is_refused() -> None:
    assert "no game" in refused("listed", game="strachey", text="")


def test_a_position_of_a_call_can_be_written_as_fen() -> None:
    program = {"name": "strachey.cpl", "text": STRACHEY, "reading": "set"}
    reply = ask("run", **program, call='LegalPositionsFrom(board("B:W18,25:B14"))')
    assert len(reply["boards"]) == 1
    assert "cpl-steps" in ask("steps", **program, call="LegalPositionsFrom(board(‘B:W18,25:B14’))")
    assert "99" in refused("run", **program, call='LegalPositionsFrom(board("B:W99:B14"))')


def test_the_first_move_of_an_edited_program_is_told_in_words() -> None:
    program = {"name": "strachey.cpl", "reading": "set"}
    reply = ask("opening", **program, text=STRACHEY)
    assert (reply["move"], reply["board"][:4]) == ("9-14", "<svg")
    assert "<polyline" in reply["board"], "an arrow shows the move"
    edited = ask("opening", **program, text=STRACHEY.replace("v > V", "v >= V"))
    assert edited["move"] not in (None, reply["move"])
    lost = ask("opening", **program, text=STRACHEY.replace("v > V", "v > 9999999"))
    assert lost == {"move": None, "board": None, "why": lost["why"]} and lost["why"]
    assert ask("understand", game="strachey", **START, typed="11 15") == "11-15"
    assert "there is a piece on 5" in refused("understand", game="strachey", **START, typed="1-5")
    assert "not a move" in refused("understand", game="strachey", **START, typed="<b>")
    assert refused("state", game="strachey", fen="nonsense", moves=[], flipped=False)
    assert refused("read", game="strachey", text="1. 11-16 1-2 *", number=1)
