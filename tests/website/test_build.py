"""The command that builds the site: what it refuses, what it checks, what it does not do twice."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import check
import pytest
import python_bundle
import scripts
import steps
from conftest import ROOT

from website.conftest import WORK


def command(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "docs/site", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )


def test_a_folder_that_is_no_site_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Christopher", encoding="utf-8")
    for path in (tmp_path, tmp_path / "letter.txt"):
        done = command("-o", path)
        assert done.returncode == 2
        assert f"{path} is there, and is no site that this command made" in done.stderr
    assert (tmp_path / "letter.txt").read_text(encoding="utf-8") == "Dear Christopher"


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    for step in (
        steps.Step("one", lambda folder: None, programs=["no-such-program"]),
        steps.Step("one", lambda folder: None, packages=["no-such-package"]),
    ):
        with pytest.raises(steps.Trouble, match=r"^one: .*no-such-p.*brings it$"):
            steps.build([step], tmp_path, lambda text: None)
    assert not [*tmp_path.iterdir()]


def test_a_step_runs_again_if_its_files_change_and_none_after_one_that_fails(tmp_path: Path) -> None:
    source, ran = tmp_path / "source", list[str]()
    chain = [
        steps.Step("second", lambda folder: ran.append("second"), after=["first"]),
        steps.Step("first", lambda folder: ran.append("first"), [source]),
    ]
    for text in ("one", "one", "two"):
        source.write_text(text, encoding="utf-8")
        steps.build(chain, tmp_path / "work", lambda text: None)
    assert ran == ["first", "second"] * 2
    ran = list[str]()
    chain = [
        steps.Step("first", lambda folder: steps.run(sys.executable, "-c", "raise SystemExit('too bad')")),
        steps.Step("second", lambda folder: ran.append("second"), after=["first"]),
        steps.Step("other", lambda folder: ran.append("other")),
    ]
    with pytest.raises(steps.Trouble, match="too bad"):
        steps.build(chain, tmp_path, lambda text: None)
    assert ran == ["other"]


def test_what_the_check_finds(tmp_path: Path) -> None:
    page = """<p id="here"><a href="#here">1</a><a href="#gone">2</a><a href="b.html">3</a><a href="/a.html">4</a>
<a href="https://elsewhere.example/">5</a><img src="https://elsewhere.example/x.png"><a href="a.html#text=x">6</a>"""
    (tmp_path / "a.html").write_text(page, encoding="utf-8")
    (tmp_path / "a.css").write_text("@import 'gone.css'; p { background: url(data:,) }", encoding="utf-8")
    found = [problem.partition(",")[0] for problem in check.problems(tmp_path)]
    assert [problem for problem in found if problem.startswith("a.")] == [
        "a.css links gone.css",
        "a.html has no policy before its scripts",
        "a.html loads https://elsewhere.example/x.png",
        "a.html links #gone",
        "a.html links b.html",
        "a.html links /a.html",
    ]


def test_the_check_finds_each_thing_that_is_broken_in_a_site(built: Path, tmp_path: Path) -> None:
    assert check.problems(built) == []
    broken = tmp_path / "site"
    shutil.copytree(built, broken, copy_function=os.link)

    def change(name: str, pattern: str, replacement: str) -> None:
        path = broken / name
        text, count = re.subn(pattern, replacement, path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert count
        path.unlink()  # the text is that of the site, too
        path.write_text(text, encoding="utf-8")

    plain = r'<span class="c-[^"]*">(.*?)</span>', r"\1"
    change("index.html", r'(<pre id="python".*?</pre>)', "<pre class='python'>def f(x):</pre>")
    change("playground.html", *plain)
    change("play.html", r"<svg.*?</svg>", "")
    change("meaning.html", r'href="docs/readings.html"', 'href="docs/writings.html"')
    change("programs/strachey.html", *plain)
    change("docs/language/2-definitions.html", r'<div class="highlight">.*?</pre>', "<pre>f(x) = 2x</pre>")
    change("gallery.html", "playground.html#example=strachey.cpl", "playground.html#example=trachey.cpl")
    change("notebooks/5-writing-cpl.html", "path=5-writing", "path=0-writing")
    change("docs/tour.html", r'<meta http-equiv="Content-Security-Policy"[^>]*>', "")
    change("lab/index.html", r'<meta http-equiv="Content-Security-Policy"[^>]*>', "")
    change("search.html", r'(<meta http-equiv="Content-Security-Policy"[^>]*>)(.*?</head>)', r"\2\1")
    (broken / "notebooks/1-reading-the-1966-program.html").unlink()
    assert {problem.partition(", ")[0] for problem in check.problems(broken)} >= {
        "index.html has Python without colours",
        "playground.html has CPL without colours",
        "playground.html has Python without colours",
        "play.html shows no board",
        "meaning.html links docs/writings.html",
        "programs/strachey.html has CPL without colours",
        "programs/strachey.html has Python without colours",
        "docs/language/2-definitions.html has CPL without colours",
        "gallery.html links playground.html#example=trachey.cpl",
        "notebooks/5-writing-cpl.html links ../lab/lab/index.html?path=0-writing-cpl.ipynb",
        "notebooks/1-reading-the-1966-program.html is not there",
        "docs/tour.html has no policy before its scripts",
        "lab/index.html has no policy before its scripts",
        "search.html has no policy before its scripts",
    }


@pytest.mark.long
def test_nothing_is_made_twice(built: Path, tmp_path: Path) -> None:
    done = command("-o", tmp_path / "again", "--work", WORK)
    assert done.returncode == 0, done.stderr
    assert "begins" not in done.stderr


def test_the_licences_of_all_that_is_carried_are_named(built: Path) -> None:
    named = {line.rpartition(": ")[0] for line in (built / "licences.txt").read_text(encoding="utf-8").splitlines()}
    named = {re.sub("[-_.]+", "_", each).lower() for each in named}
    wheels = [path.name.split("-") for path in built.glob("python/*.whl")]
    carried = {re.sub("[-_.]+", "_", f"{name} {version}").lower() for name, version, *_ in wheels if name != "cplc"}
    assert len(carried) > 20
    assert carried <= named


def test_each_build_has_its_programs_of_games_at_an_address_of_its_own(tmp_path: Path) -> None:
    """Pages of two builds that differ in one byte of a program find nothing of each other."""
    found = []
    for program in (b"old", b"new"):
        site = tmp_path / program.decode()
        for name in ("native", "python", "assets", "docs"):
            (site / name).mkdir(parents=True)
        for name in ("worker", "games", "service"):
            (site / f"assets/{name}.js").write_text("run();\n", encoding="utf-8")
        for name in python_bundle.KEPT:
            (site / "python" / name).touch()
        (site / "python/pyodide-lock.json").write_text('{"packages": {}}', encoding="utf-8")
        for name in ("offline.html", "docs/README.html"):
            (site / name).touch()
        (site / "native/game.wasm").write_bytes(program)
        (site / "play.html").write_text('<link rel="preload" href="native/game.wasm">', encoding="utf-8")
        scripts.stamp(site, ["play.html"])

        [folder] = (site / "native").iterdir()
        assert f'{{"version": "{folder.name}"}}' in (site / "assets/games.js").read_text(encoding="utf-8")
        address = f"native/{folder.name}/game.wasm"
        assert (site / address).read_bytes() == program
        assert f'href="{address}"' in (site / "play.html").read_text(encoding="utf-8")
        assert f'"{address}"' in (site / "service.js").read_text(encoding="utf-8")
        found.append(address)
    assert found[0] != found[1]
