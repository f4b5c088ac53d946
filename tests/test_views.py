"""Values that show themselves as text, HTML and data; programs published as pages and as LaTeX."""

import json
import re
import shutil
import subprocess
import sys
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from colours import contrast
from command_line import run
from conftest import ROOT
from cplrt import Logical
from html_pages import Page
from IPython.core.formatters import DisplayFormatter

import cpl
from cpl.cli import cpl as cli
from cpl.compiler import loader
from cpl.compiler.diagnostics import render
from cpl.games import checkers
from cpl.games.live import LiveGame
from cpl.study.views.highlighting import as_latex
from cpl.study.views.listing import as_page
from cpl.study.views.page_style import COLOURS

HOSTILE = cpl.Source("<script>alert(1)</script>.cpl", 'F(x) = ‘<script>alert("2")</script>’ || </pre><script>\n')


def assert_stays_inside(html: str) -> None:
    """Every rule of the style sheet is about our own element; nothing comes from elsewhere, and nothing runs."""
    assert "script" not in Page(html).tags and html.startswith('<div class="cpl ') and html.rstrip().endswith("</div>")
    assert set(re.findall(r"https?://[^\"' <]*", html)) <= {"http://www.w3.org/2000/svg"}
    [sheet] = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    while "{" in (flat := re.sub(r"(?s)\{[^{}]*\}", ";", sheet)):
        sheet = flat
    rules = [rule.strip() for rule in flat.split(";") if rule.strip()]
    assert rules and all(".cpl" in selector for rule in rules for selector in rule.split(","))


def groups(html: str) -> list[tuple[list[str | None], list[str | None]]]:
    """The groups of the lines of CPL and of Python, definition by definition."""
    found = []
    for pre in re.findall(r"<pre.*?</pre>", html, re.DOTALL):
        found.append(
            [group or None for group in re.findall(r'<span(?: class="(g\d+)" tabindex="-?\d")?>.*\n</span>', pre)]
        )
    return [*zip(found[::2], found[1::2], strict=True)]


def test_lines_that_light_up_together_are_those_of_the_line_map() -> None:
    compiled = cpl.compile_text(
        (ROOT / "programs/strachey.cpl").read_text("utf-8"), path=str(ROOT / "programs/strachey.cpl")
    )
    shown = cpl.beside(compiled, "PartialPositionList", "MakeMove")
    lines = compiled.python.split("\n")
    for pair, (left, right) in zip(shown.pairs, groups(shown._repr_html_()), strict=True):
        assert (len(left), len(right)) == (pair.cpl.count("\n") + 1, pair.python.count("\n") + 1)
        first = lines.index(pair.python.split("\n")[0]) + 1
        begin = compiled.line_map[first].line
        numbers = [first, *range(first + pair.cpl.count("\n") + 4, first + pair.cpl.count("\n") + 3 + len(right))]
        for number, group in zip(numbers, right, strict=True):
            span = compiled.line_map.get(number)
            assert group == (None if span is None else left[span.line - begin]), lines[number - 1]
    rules = shown._repr_html_()
    for group in {group for sides in groups(rules) for side in sides for group in side if group}:
        assert f"> div:has(.{group}:is(:hover, :focus)) .{group} {{ background: var(--lit); }}" in rules


def test_programs_show_themselves() -> None:
    shown = cpl.beside("strachey.cpl", "ChosenPosition", "NextMoveDirection")
    data = json.loads(json.dumps(shown.to_dict()))
    for each, pair in zip(data["definitions"], shown.pairs, strict=True):
        for language in ("cpl", "python"):
            text = "\n".join(line["text"] for line in each[language])
            assert text == getattr(pair, language) and text in str(shown)
    assert shown == cpl.beside("strachey.cpl", "ChosenPosition", "NextMoveDirection")
    with pytest.raises(KeyError, match="the program defines no Chosen"):
        cpl.beside("strachey.cpl", "Chosen")
    with pytest.raises(cpl.Unreadable):
        cpl.beside("no-such-program")
    source = cpl.Source(
        "a.cpl", "let n = 3\nn := n + 1; WriteLine(n)\nWriteLine(‘<b>’)\nTwice(x) = 2x\nWriteLine(Twice(n))\n"
    )
    shown = cpl.beside(source)
    assert [(pair.name, pair.cpl, pair.python) for pair in shown.pairs if not pair.name] == [
        ("", "n := n + 1\nWriteLine(n)\nWriteLine(‘<b>’)", 'n += 1\nWriteLine(n)\nWriteLine("<b>")'),
        ("", "WriteLine(Twice(n))", "WriteLine(Twice(n))"),
    ]
    assert shown.pairs[1].cpl_groups == shown.pairs[1].python_groups == (2, 2, 3)
    assert_stays_inside(shown._repr_html_())
    assert "WriteLine(Twice(n))" in Page(cpl.compile_text(source.text)._repr_html_()).text
    with pytest.raises(KeyError):
        cpl.beside(source, "")
    compiled = cpl.compile_text("".join(f"F{number}(x) =\n  x + {number}\n" for number in range(100)))
    html = compiled._repr_html_()
    assert html == cpl.beside(compiled)._repr_html_()
    assert_stays_inside(html)
    assert html.count("<pre") == 200
    assert "Two = 2" in Page(cpl.compile_text("Two = 2")._repr_html_()).text
    assert_stays_inside(cpl.compile_text("")._repr_html_())


ADDED = (cpl.Source("a.cpl", "F(x) = x + 1\n"), cpl.Source("b.cpl", "F(x) = x + 2\n"))
shown = partial(DisplayFormatter().format, include=["text/plain"])


def test_errors_show_themselves_as_pages_and_tracebacks() -> None:
    with pytest.raises(cpl.CplError) as caught:
        cpl.compile_text("F(x) = Nope(x)\nG(x) = F(x,‘<b>’)\n", path="<script>.cpl")
    error = caught.value
    html = error._repr_html_()
    assert_stays_inside(html)
    assert Page(html).text.strip() == str(error)
    assert Page(error.diagnostics[0]._repr_html_()).text.strip() == str(error).split("\n\n")[0]
    lines = error._render_traceback_()
    assert "\x1b[1;31merror[unknown-name]\x1b[0m" in lines[0]
    assert re.sub(r"\x1b\[[\d;]*m", "", "\n".join(lines)) == str(error)


def test_values_are_text_in_an_interactive_python() -> None:
    run = cpl.trace("strachey.cpl", "NextMoveDirection(4)")
    assert shown(run)[0] == {"text/plain": "NextMoveDirection(4) = -4"}
    [doubt] = cpl.compile_text("F(x) = (x\n", repair=True).diagnostics
    assert shown(doubt)[0] == {"text/plain": render(doubt)}
    assert shown([doubt])[0] == {"text/plain": f"[{doubt!r}]"}


def test_games_are_text_in_an_interactive_python() -> None:
    record = cpl.read_game("1. 11-15 *")
    for game in (
        record,
        checkers.Game(actions=[[(2, 5), (3, 4)]]),
        LiveGame(record.first.game, {}, moves=record.moves),
    ):
        assert shown(game)[0] == {"text/plain": repr(cpl.game_view(game))}


def test_differences_show_themselves_as_text_page_and_data() -> None:
    found = cpl.diff(*ADDED, inputs=20)
    assert str(found).startswith("a.cpl → b.cpl\n") and "F differs" not in str(found) and "--" not in str(found)
    html = found._repr_html_()
    assert_stays_inside(html)
    assert "behaves differently" in Page(html).text
    [function] = json.loads(json.dumps(found.to_dict()))["functions"]
    assert (function["name"], function["verdict"]) == ("F", "different")
    again = cpl.diff(*ADDED, inputs=20)
    assert again._repr_html_() == html


def test_comparisons_of_nothing_are_refused() -> None:
    one = cpl.Source("a.cpl", "F(x) = x\n")
    with pytest.raises(ValueError, match="no function G is defined on both sides"):
        cpl.diff(one, one, functions=["G"])
    with pytest.raises(ValueError, match="is not a reading"):
        cpl.diff(one, one, reading="loud")
    with pytest.raises(cpl.Error, match="defines no LegalPositionsFrom"):
        cpl.compare_readings(one, one)
    for count in (0, -1):
        with pytest.raises(ValueError, match=f"1 input or more, not {count}"):
            cpl.diff(one, one, inputs=count)
        with pytest.raises(ValueError, match=f"1 position or more, not {count}"):
            cpl.compare_readings("strachey-original.cpl", "strachey.cpl", positions=count)


def test_hostile_names_and_readings_stay_text() -> None:
    for show in [lambda: cpl.beside(HOSTILE), lambda: cpl.diff(HOSTILE, cpl.Source("<b>", "F(x) = ‘<i>’\n"))]:
        try:
            html = show()._repr_html_()
        except cpl.CplError as error:
            html = error._repr_html_()
        assert_stays_inside(html)
        assert "<script>alert" in Page(html).text


@pytest.mark.long
def test_readings_as_a_value() -> None:
    found = cpl.compare_readings("strachey-original.cpl", "strachey.cpl", positions=15)
    assert "strachey-original.cpl under each reading against strachey.cpl: LegalPositionsFrom at 15 positions" in str(
        found
    )
    assert found.agreeing == ["and=tight,plusminus=arithmetic,nil=zero"]
    html = found._repr_html_()
    assert_stays_inside(html)
    page = Page(html)
    assert found.conclusion in page.text and found.conclusion in str(found)
    data = json.loads(json.dumps(found.to_dict()))
    assert len(data["readings"]) == 16
    assert "all eight resign at once: no move is legal from the start" in page.text
    for each in data["readings"][:8]:
        assert each["same"] + each["different"] + each["failed"] == 15
    assert page.tags.count("details") == 7  # all but the one that agrees
    assert "mark without a piece on " in html  # the ghosts that the readings leave


def test_boards_show_the_move_that_led_to_them(game) -> None:
    start = game.StartPosition
    assert cpl.board(start).arrows == []
    assert cpl.board(game.ChosenPosition(start), before=start).arrows == [((2, 1), (3, 2))]
    three = (game.Logical([5]), game.Logical([10, 19, 28]), game.Zero, game.Black)
    assert cpl.board(game.ChosenPosition(three), three).arrows == [((0, 1), (2, 3), (4, 1), (6, 3))]
    assert cpl.board(three, start).arrows == []  # no move


def test_the_board_in_a_move_says_what_may_go_on(game) -> None:
    three = (game.Logical([5]), game.Logical([10, 19, 28]), game.Zero, game.Black)
    in_a_move = (*three, game.Logical([5]))
    assert cpl.board(in_a_move, three).caption == "Black moves; Φ = 5"


GHOST = (Logical([5]), Logical([30]), Logical([5, 10]), 1)
"""Black's king on 5, a white man on 30, and a king's mark on 10, where no piece stands."""


def test_a_mark_without_a_piece_is_shown() -> None:
    board = cpl.board(GHOST)
    assert board.svg().count("stroke-dasharray") == 1
    assert "a king's mark without a piece on 10" in board.described()
    assert "♔" in board.text() and board.text(unicode=False).count("^") == str(board).count("^") == 1
    real = (*GHOST[:2], Logical([5]), 1)
    assert "stroke-dasharray" not in cpl.board(real).svg()
    assert cpl.board(GHOST, before=real).marked == [(1, 2)]


def test_what_is_no_position_has_no_board(game) -> None:
    for wrong in (None, 3, "F", (1, 2, 3, 4), [], ()):
        for arguments in ((wrong,), (game.StartPosition, wrong or 0)):
            with pytest.raises(ValueError, match="a position"):
                cpl.board(*arguments)
        with pytest.raises(ValueError, match="a position"):
            cpl.boards(before=wrong)


def test_boards_are_shown_together(game) -> None:
    shown = cpl.boards(
        {"<script>": game.StartPosition, "a board": cpl.board(game.StartPosition)}, after=game.StartPosition
    )
    html = shown._repr_html_()
    assert_stays_inside(html)
    assert html.count("<svg") == 3 and "&lt;script&gt;" in html
    assert "<script>\n" in str(shown) and str(shown).count("Black to play.") == 3


HOSTS = (("#ffffff", "#f5f5f5"), ("#111111", "#212121", "#1e1e1e", "#1f1f1f"))
"""The grounds of JupyterLab and VS Code, by day and by night."""
TEXTS = ("ink", "faint", "name", "string", "fails", "doubtful", "before", "after")


@pytest.mark.parametrize("time", [0, 1], ids=["day", "night"])
def test_colours_can_be_told_from_their_ground(time: int) -> None:
    colour = {name: both[time] for name, both in COLOURS.items()}
    grounds = [colour["page"], colour["card"], *HOSTS[time]]
    pairs = [*product(TEXTS, grounds)]
    pairs += product(("ink", "faint", "name", "string", "fails"), (colour["lit"],))
    pairs += product(("ink", "faint", "name", "string"), (colour["before-back"], colour["after-back"]))
    pairs += [("before", colour["before-back"]), ("after", colour["after-back"])]
    assert {(name, ground) for name, ground in pairs if contrast(colour[name], ground) < 4.5} == set()
    marks = product(("same", "different", "fails", "before", "after"), grounds[:2])
    assert {(name, ground) for name, ground in marks if contrast(colour[name], ground) < 3} == set()


def test_every_stage_is_shown_but_of_wrong_texts() -> None:
    stages = cpl.stages("Twice(x) = 2x\n")
    assert "JUXTAPOSED" in stages.tokens
    assert "Operator kind='JUXTAPOSED'" in stages.surface
    assert "Binary operator='TIMES'" in stages.core
    assert stages.types == "Twice : real ⇒ real\n"
    assert stages.python == cpl.compile_text("Twice(x) = 2x\n").python
    assert [*stages.to_dict()] == ["cpl", "tokens", "surface", "core", "types", "python"]
    assert all(text in str(stages) for text in stages.to_dict().values())
    assert "Literal value=7" in cpl.stages("F(x) = x = 7 → 1, 2\n").core.replace("  ", "")
    assert "<script>" not in cpl.stages("let a = ‘<script>’\n")._repr_html_()
    with pytest.raises(cpl.CplError):
        cpl.stages("F(x) = (x")
    with pytest.raises(ValueError, match="reading"):
        cpl.stages("F(x) = x", reading="no such")


PROGRAMS = sorted(path for path in loader.packaged_files() if path.suffix == ".cpl")
HOSTILE_TEXT = """\
F(x) = ‘<script>alert(1)</script>&amp; \\end{cpl} $ # _ ^ ~ {’
|| </pre><img src=x onerror="1"> \\input{x} %
"""


def published(*arguments: str | Path, input: str = "") -> Page:
    done = run("cpl", "html", *arguments, input=input, status=0)
    return Page(done.stdout)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_page_holds_the_text_as_it_is(path: Path) -> None:
    source = loader.read(path)
    assert Page(as_page(source)).listing == source.text


def test_a_page_links_every_name_to_its_definition() -> None:
    page = published("strachey.cpl", "--python", "--numbers")
    assert page.listing == loader.read(loader.find("strachey.cpl")).text
    names = {str(found["id"]) for tag, found in page.elements if tag == "dfn"}
    assert {"ChosenPosition", "PCP"} <= names
    assert {str(found["href"]) for tag, found in page.elements if tag == "a"} == {f"#{name}" for name in names}


def test_a_page_in_unicode_compiles_to_the_same() -> None:
    typed = "F(\\sigma) = value of $( let y = 1\n    result is \\sigma > 0 -> y, -y $)\n"
    page = published("-", "--unicode", input=typed)
    assert {*"→σ§"} <= {*page.listing}
    assert cpl.compile_text(page.listing).python.splitlines()[4:6] == cpl.compile_text(typed).python.splitlines()[4:6]


def test_the_page_of_the_printed_text_says_where_it_is_from_and_what_is_repaired() -> None:
    html = run("cpl", "html", "strachey-original.cpl", "--repair").stdout
    assert "Scientific American" in html
    assert "It has an error; links and Python need this repair: insert `)` after" in html


def test_a_page_runs_nothing_and_loads_nothing() -> None:
    page = published("-", input=HOSTILE_TEXT)
    assert page.listing == HOSTILE_TEXT
    assert not {"script", "img", "link", "iframe"} & {tag for tag, _ in page.elements}


def test_signs_that_nobody_sees_are_named() -> None:
    text = "F(x) =\f‘\u202edrawkcab’ || \u200b\n"
    page = published("-", input=text)
    assert page.listing == text
    assert [found["data-sign"] for tag, found in page.elements if tag == "bdi"] == ["U+000C", "U+202E", "U+200B"]
    assert "202E" in run("cpl", "latex", "-", input=text).stdout


def test_a_text_that_does_not_compile_has_a_page_without_links() -> None:
    done = run("cpl", "html", "-", input="F(x) = (x\n", status=0)
    assert "this does not compile, so there are no links" in done.stderr
    assert Page(done.stdout).listing == "F(x) = (x\n"
    assert run("cpl", "html", "-", "--python", input="F(x) = (x\n").returncode == 1


def test_a_text_that_does_not_parse_stays_as_it_is_written() -> None:
    text = "F(x) = (x -> 1, 2\n"
    done = run("cpl", "html", "-", "--unicode", input=text)
    assert (done.returncode, Page(done.stdout).listing) == (0, text)
    assert "<stdin>: this does not parse, so it stays as it is written\n" in done.stderr
    page = published("-", "--unicode", "--repair", "--python", input=text)
    assert page.listing == text
    assert ("dfn", {"id": "F"}) in page.elements
    assert run("cpl", "html", "-", "--unicode", "--python", input=text).returncode == 1


@pytest.mark.parametrize("command", ["html", "latex"])
def test_files_are_written_whole_or_not_at_all(command: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run("cpl", command, "strachey.cpl", "-o", out).returncode == 0
    text = out.read_text(encoding="utf-8")
    assert run("cpl", command, "strachey.cpl").stdout == text
    for wrong in (["nothing.cpl"], ["strachey.cpl", "--speed"], ["strachey.cpl", "more.cpl"]):
        assert run("cpl", command, *wrong, "-o", out).returncode in (1, 2)
    assert out.read_text(encoding="utf-8") == text
    assert run("cpl", command, "strachey.cpl", "-o", tmp_path / "no" / "out").returncode == 1


def test_latex_holds_the_text_and_asks_for_pygments(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = run("cpl", "latex", "-", "--fragment", input="F(\\sigma) = \\sigma -> 1, ~ #17 || both\n", status=0).stdout
    assert "\\begin{Verbatim}" in text and "\\documentclass" not in text
    assert r"\PY{o}{→}" not in text and r"\PY{c+c1}{|| both}" in text
    document = run("cpl", "latex", "strachey.cpl", status=0).stdout
    assert "\\documentclass" in document and "Strachey" in document and "fontspec" in document
    monkeypatch.setitem(sys.modules, "pygments", None)
    assert cli.main(["latex", "strachey.cpl"]) == 1
    assert capsys.readouterr().err == "cpl latex: this needs Pygments: pip install 'cplc[highlight]'\n"


@pytest.mark.long
@pytest.mark.parametrize("engine", ["xelatex", "lualatex"])
def test_every_program_is_set(engine: str, tmp_path: Path) -> None:
    if not shutil.which(engine):
        pytest.skip(f"there is no program {engine}")
    texts = {f"p{number}": as_latex(loader.read(path), path.name) for number, path in enumerate(PROGRAMS)}
    texts["hostile"] = as_latex(cpl.Source("hostile.cpl", HOSTILE_TEXT), "a_b & \\c")
    fragment = as_latex(loader.read(loader.find("strachey.cpl")), fragment=True)
    (tmp_path / "a.tex").write_text(fragment, encoding="utf-8")
    texts["own"] = (
        "\\documentclass{article}\\usepackage{fancyvrb,color,fontspec}\\begin{document}\\input{a}\\input{a}\\end{document}\n"
    )
    for name, text in texts.items():
        (tmp_path / f"{name}.tex").write_text(text, encoding="utf-8")
        command = [engine, "-halt-on-error", "-interaction=batchmode", f"{name}.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, (tmp_path / f"{name}.log").read_text(encoding="latin-1")[-1500:]
        assert (tmp_path / f"{name}.pdf").stat().st_size > 1000
