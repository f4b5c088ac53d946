"""Build the site: pages, playground, documentation and notebooks that run in any browser, in one folder.

    python docs/site                     into build/site
    python docs/site -o /srv/www/cplc    elsewhere
    python -m http.server -d build/site  look at it: http://localhost:8000

It needs the extra [site] and Node.js. The parts are kept in build/site-work, and made again only if what they come from
has changed. The result works in any folder of any web server: all addresses are relative, and nothing is loaded from
elsewhere.
"""

import argparse
import shutil
import sys
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import check
import lab
import lessons
import licences
import native
import policy
import python_bundle
import scripts
from steps import Step, Trouble, build, empty

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
_FRAME = [HERE / name for name in ("frame.py", "frame.css", "address.py", "scripts/head/theme.js")]
"""What stands round every page comes from these."""
MOST = 8_000_000
"""Bytes, compressed, until a new visitor has compiled a program,"""
MOST_TO_PLAY = 300_000
"""and until he can make a move."""


def _steps(work: Path) -> list[Step]:
    npm = work / "npm/node_modules"
    cplc = [ROOT / name for name in ("cpl", "runtime", "grammar", "programs", "pyproject.toml")]
    shown = [
        "*.md",
        "CITATION.cff",
        "LICENSES",
        "docs/*.md",
        "docs/language",
        "docs/pictures",
        "grammar",
        "editors/*.*",
        "benchmarks",
    ]
    shown += ["docs/site/README.md", "tests/README.md"]
    notebooks = ROOT / "notebooks"
    wheels = HERE / "wheels.txt"
    manifest = HERE / "package.json"
    kernel = "jupyterlite-pyodide-kernel"
    return [
        Step(
            "docs",
            _documentation,
            [
                *(HERE / name for name in ("documentation.py", "gallery.py", "conf.py", "cpl_pages.py", "static")),
                *(HERE / "templates", *_FRAME, notebooks, *cplc),
                *(path for pattern in shown for path in sorted(ROOT.glob(pattern))),
            ],
            packages=["cplc", "sphinx", "furo", "myst-nb", "ipykernel", "pygments"],
        ),
        Step("npm", partial(scripts.install_packages, manifest), [manifest], programs=["npm"]),
        Step("wheels", partial(python_bundle.download_wheels, wheels), [wheels]),
        Step(
            "python",
            lambda folder: python_bundle.make(folder, ROOT, npm / "pyodide", work / "wheels"),
            [*(HERE / name for name in ("python_bundle.py", "compile_games.py", "pack.mjs", "pack.py")), *cplc],
            after=["npm", "wheels"],
            packages=["hatchling", "hatch-fancy-pypi-readme", kernel, "packaging"],
            programs=["node"],
        ),
        Step("native", native.make, [HERE / "native.py", *cplc], packages=["cplc", "ziglang"]),
        Step(
            "assets",
            lambda folder: scripts.make(folder, HERE / "scripts", npm),
            [
                *(HERE / name for name in ("scripts.py", "scripts")),
                *(ROOT / "cpl" / name for name in ("study/views/static", "games/board_style.json")),
                *(ROOT / "cpl" / name for name in ("compiler/syntax/tokens.py", "editors/signs.py")),
                *(ROOT / "cpl/editors/completion.py", ROOT / "editors/language-configuration.json"),
                ROOT / "editors/cpl.tmLanguage.json",
            ],
            after=["npm"],
            packages=["cplc"],
        ),
        Step(
            "lab",
            lambda folder: lab.make(folder, notebooks),
            [HERE / "lab.py", *_FRAME, notebooks, ROOT / "cpl/study/views/page_style.py"],
            packages=["cplc", "jupyterlite-core", kernel],
        ),
        Step(
            "licences",
            lambda folder: licences.make(folder, npm, work / "python"),
            [HERE / "licences.py", ROOT / "LICENSES"],
            after=["npm", "python"],
            packages=["furo", "jupyterlite-core", "sphinx", "ziglang"],
        ),
        Step("gallery", _gallery, [HERE / "gallery.py", *_FRAME, *cplc], packages=["cplc", "pygments"]),
        Step(
            "pages",
            _pages,
            [
                *(HERE / name for name in ("rendered.py", "screens.py", "lessons.py", "pages")),
                *(HERE / f"{name}.css" for name in ("site", "editor", "workplace", "lessons")),
                HERE / "scripts/head",
                *_FRAME,
                *(*lessons.SOURCES, *cplc),
            ],
            packages=["cplc", "pygments", "markdown-it-py"],
        ),
    ]


def _documentation(folder: Path) -> None:
    import documentation

    documentation.make(folder, ROOT)


def _gallery(folder: Path) -> None:
    import gallery

    gallery.make(folder)


def _pages(folder: Path) -> None:
    import rendered

    for path, texts in ((empty(folder), rendered.pages()), (folder / "assets", rendered.assets())):
        for name, text in texts.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_text(text, encoding="utf-8")
    pictures = (path for path in (HERE / "pages").iterdir() if path.suffix != ".html")
    for picture in pictures:
        shutil.copy(picture, folder)


def assemble(work: Path, out: Path) -> None:
    """Put the parts together in a new folder, and that in the place of the old one."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent) as temporary:
        new = Path(temporary, "site")
        shutil.copytree(work / "docs", new, ignore=shutil.ignore_patterns(".buildinfo", "_sources"))
        places = {
            "python": "python",
            "native": "native",
            "assets": "assets",
            "lab": "lab",
            "gallery": "programs",
            "pages": ".",
            "licences": ".",
        }
        for name, place in places.items():
            shutil.copytree(work / name, new / place, dirs_exist_ok=True)
        (new / ".nojekyll").touch()
        policy.give(new)
        scripts.stamp(new, sorted(path.name for path in (HERE / "pages").glob("*.html")))
        shutil.rmtree(out, ignore_errors=True)
        new.rename(out)


def _may_replace(out: Path) -> bool:
    """Whether nothing is lost with a folder: it is empty, or a site, and no working copy."""
    if not out.is_dir():
        return False
    return not any(out.iterdir()) or ((out / "python/pyodide-lock.json").exists() and not (out / ".git").exists())


def main() -> int:
    """Build and check; the result is the exit status."""
    what, _, more = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        prog="python docs/site", description=what, epilog=more, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "-o", dest="out", metavar="OUT", type=Path, default=ROOT / "build/site", help="the folder to write"
    )
    parser.add_argument(
        "--work", metavar="DIR", type=Path, default=ROOT / "build/site-work", help="where the parts are kept"
    )
    options = parser.parse_args()
    out, work = options.out.resolve(), options.work.resolve()
    began = time.monotonic()

    def say(text: str) -> None:
        sys.stderr.write(f"{text}\n")  # in one piece, as steps run side by side

    if out.exists() and not _may_replace(out):
        parser.error(f"{out} is there, and is no site that this command made: name another folder")
    try:
        build(_steps(work), work, say)
        assemble(work, out)
    except Trouble as trouble:
        say(f"The site was not built.\n{trouble}")
        return 1
    problems = check.problems(out)
    size = check.first_visit(out)
    if size > MOST:
        problems.append(f"a first visit loads {size / 1e6:.1f} MB, and {MOST / 1e6:.0f} MB are allowed")
    to_play = check.first_move(out)
    if to_play > MOST_TO_PLAY:
        problems.append(f"the first move loads {to_play / 1e3:.0f} kB, and {MOST_TO_PLAY / 1e3:.0f} kB are allowed")
    for problem in problems:
        say(problem)
    say(f"First visit, compressed: {size / 1e6:.1f} MB; first move: {to_play / 1e3:.0f} kB")
    say(f"{out}: {time.monotonic() - began:.0f} s")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
