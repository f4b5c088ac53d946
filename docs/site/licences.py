"""The licences of what the site carries and is not ours, as one text."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from importlib.metadata import distribution
from pathlib import Path

import python_bundle
from steps import empty

_ROOT = Path(__file__).parents[2]
_TOOLS = ("axe-core", "esbuild", "@esbuild", "@types", "ws")
"""Packages of npm with which the site is made and tested; nothing of them is in it."""
_THEME = ("furo", "jupyterlite-core", "sphinx")
"""Packages of this environment of which the site has scripts and style sheets."""
_TOOLCHAIN = "ziglang"
"""The package whose C library is in the games that are WebAssembly,"""
_OF_LIBRARY = ("wasi/LICENSE", "wasi/LICENSE-MIT", "wasi/libc-top-half/musl/COPYRIGHT")
"""and the files that say whose this library is."""
_OF_OTHERS = "LicenseRef-Texts-Of-Others"
"""The file that tells which texts in it are not ours."""
_HEAD = """\
cplc is under the MIT licence, but some texts in it are not ours: see the end. This site carries software of others,
under these licences. Where no text follows here, the file of the software has
it: every wheel in the folder python, and lab/build/third-party-licenses.json for what JupyterLite is made of. Pyodide
has CPython in it, which is under the licence of the Python Software Foundation: docs.python.org/3/license.html.

"""


@dataclass(frozen=True)
class Carried:
    """Software that the site carries."""

    name: str
    version: str
    licence: str
    text: str = ""


def make(folder: Path, npm: Path, wheels: Path) -> None:
    """Write `licences.txt`, of the packages of npm and of the wheels in these folders."""
    carried = sorted([*_scripts(npm), *_wheels(wheels), *_theme(), _c_library()], key=lambda each: each.name.lower())
    table = "".join(f"{each.name} {each.version}: {each.licence}\n" for each in carried)
    texts = "".join(f"\n\n---- {each.name} ----\n\n{each.text.strip()}\n" for each in carried if each.text)
    of_others = (_ROOT / "LICENSES" / f"{_OF_OTHERS}.txt").read_text(encoding="utf-8")
    texts += f"\n\n---- The texts of others in cplc ----\n\n{of_others.strip()}\n"
    (empty(folder) / "licences.txt").write_text(_HEAD + table + texts, encoding="utf-8")


def _scripts(npm: Path) -> Iterator[Carried]:
    for manifest in sorted([*npm.glob("*/package.json"), *npm.glob("@*/*/package.json")]):
        if manifest.relative_to(npm).parts[0] not in _TOOLS:
            data = json.loads(manifest.read_text(encoding="utf-8"))
            [text] = [path.read_text(encoding="utf-8") for path in manifest.parent.glob("LICEN[CS]E")] or [""]
            yield Carried(data["name"], data["version"], data["license"], text)


def _wheels(folder: Path) -> Iterator[Carried]:
    for wheel in folder.glob("*.whl"):
        _, metadata = python_bundle.contents(wheel)
        if metadata["Name"] != "cplc":
            yield Carried(metadata["Name"], metadata["Version"], _licence(metadata))


def _theme() -> Iterator[Carried]:
    for name in _THEME:
        found = distribution(name)
        texts = [path.read_text() for path in found.files or () if path.match("*.dist-info/licenses/LICENSE*")]
        yield Carried(name, found.version, _licence(found.metadata), "\n\n".join(texts))


def _c_library() -> Carried:
    """The C library of WebAssembly, wasi-libc, which has parts of musl in it."""
    found = distribution(_TOOLCHAIN)
    folder = Path(str(found.locate_file(_TOOLCHAIN)), "lib/libc")
    texts = [(folder / name).read_text(encoding="utf-8") for name in _OF_LIBRARY]
    return Carried("wasi-libc", f"of ziglang {found.version}", "MIT, and those of its parts", "\n\n".join(texts))


def _licence(metadata: Message) -> str:
    """What a package says of its licence: in a word, or in a classifier."""
    classified = [each for each in metadata.get_all("Classifier", []) if each.startswith("License :: ")]
    in_a_word = next((each.rpartition(":: ")[2] for each in classified), "")
    said = metadata.get("License-Expression") or in_a_word or metadata.get("License") or "see its file"
    return str(said).partition("\n")[0]
