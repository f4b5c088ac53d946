"""Whatever is typed, the server lives, and what it says is about the text as it is.

The text of the editor is a model of its own, with the arithmetic of positions as the specification of the protocol has
it: lines end at LF, CR LF or CR; columns are UTF-16 units unless another encoding was agreed.
"""

import os
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the language server needs the extra lsp")

from conversation import Conversation, Message, talking
from lsprotocol import types as lsp
from test_protocol import QUESTIONS

from cpl.compiler.source import Source
from cpl.editors.hover import hover
from cpl.editors.text_analysis import Analysis, analyse

pytestmark = pytest.mark.long

EDITS = int(os.environ.get("CPLC_EXAMPLES", "200"))
PROGRAMS = ("strachey", "capture", "pendulum", "codes", "concordance", "derivative")
SIGNS = """( ) [ ] § §| $( $) , ; : . := = ≠ ≃ ≡ + - × / ↑ ∧ ∨ ~ → -> < > ' " ‘ ’ || | § { } ? \\sigma σ λ π Γ ∞ 𝜎 🙂 é
    let be and where if then else do test or own ref rec valof value of result is return go to goto while for until
    repeat loop break node label const function routine real integer NIL Null true x y P Foo 0 1 2.5 7e3""".split()
BREAKS = ("\n", "\r", "\r\n", "\f", "\u2028", "\u0085", "\t", " ", "\x00", "\ufeff")
CLEAR = {lsp.LSPErrorCodes.ContentModified, lsp.LSPErrorCodes.RequestCancelled, lsp.LSPErrorCodes.RequestFailed}
OF_A_TEXT = [method for method, params in QUESTIONS.items() if "textDocument" in params]


class Text:
    """A text as an editor has it."""

    def __init__(self, text: str, encoding: str) -> None:
        self.text = text
        self.encoding = encoding

    def units(self, part: str) -> int:
        """How long a part of the text is in the encoding."""
        match self.encoding:
            case "utf-8":
                return sum(1 + (ord(char) > 0x7F) + (ord(char) > 0x7FF) + (ord(char) > 0xFFFF) for char in part)
            case "utf-16":
                return sum(1 + (ord(char) > 0xFFFF) for char in part)
            case _:
                return len(part)

    def position(self, offset: int) -> dict[str, int]:
        """The place before a character, which is no LF after a CR."""
        *lines, last = re.split("\r\n|\r|\n", self.text[:offset])
        return {"line": len(lines), "character": self.units(last)}

    def range(self, start: int, end: int) -> Message:
        return {"start": self.position(start), "end": self.position(end)}

    def holds(self, at: Message) -> bool:
        """Whether a range lies within the text, each end between two characters."""
        lines = re.split("\r\n|\r|\n", self.text)
        places = [(place["line"], place["character"]) for place in (at["start"], at["end"])]
        return places == sorted(places) and all(
            line < len(lines) and units in {self.units(lines[line][:column]) for column in range(len(lines[line]) + 1)}
            for line, units in places
        )

    def replace(self, start: int, end: int, new: str) -> Message:
        """Put other characters in the place of some; the result is the change for the server."""
        within = "\r\n"
        start -= self.text[start - 1 : start + 1] == within
        end += self.text[end - 1 : end + 1] == within
        change = {"range": self.range(start, end), "text": new}
        self.text = self.text[:start] + new + self.text[end:]
        return change


class Typist:
    """Who types at random into one text."""

    def __init__(self, server: Conversation, uri: str, text: str, at_random: random.Random) -> None:
        self.server = server
        self.uri = uri
        self.text = Text(text, server.encoding)
        self.random = at_random
        self.version = 1
        self.edits = 0
        self.before = [text]

    def edit(self) -> Any:
        """One edit, as a change for the server."""
        self.edits += 1
        text = self.text
        size = len(text.text)
        start = self.random.randint(0, size)
        match self.random.choices(range(8), (30, 8, 6, 18, 8, 6, 6, 3))[0]:
            case 0:
                return text.replace(start, start, self.random.choice(SIGNS))
            case 1:
                return text.replace(start, start, self.random.choice(BREAKS))
            case 2:
                return text.replace(start, start, f" {self.random.choice(SIGNS)} ")
            case 3:
                return text.replace(start, min(size, start + self.random.randint(1, 3)), "")
            case 4:  # a line is deleted
                end = text.text.find("\n", start) + 1 or size
                return text.replace(text.text.rfind("\n", 0, start) + 1, end, "")
            case 5:  # a block is pasted
                end = min(size, start + self.random.randint(1, 200))
                to = self.random.randint(0, size)
                return text.replace(to, to, text.text[start:end])
            case 6:  # a word is overwritten
                word = re.compile(r"\w+").search(text.text, start)
                at = word.span() if word else (start, start)
                return text.replace(*at, self.random.choice(SIGNS))
            case _:  # undo, or all anew
                text.text = self.before[0] if self.random.random() < 0.5 else self.random.choice(self.before[-20:])
                return text.text

    def type(self) -> None:
        """One notification of one to four changes."""
        changes = [self.edit() for _ in range(self.random.choice((1, 1, 1, 2, 4)))]
        self.version += 1
        self.before.append(self.text.text)
        self.before[1:-20] = []
        self.server.change(self.uri, self.version, *changes)

    def ask(self) -> int:
        """A question about a place of the text; some are cancelled at once."""
        place = self.text.position(self.random.randint(0, len(self.text.text)))
        lines = {"start": {"line": max(0, place["line"] - 3), "character": 0}, "end": place}
        own = {"textDocument": {"uri": self.uri}, "position": place, "range": lines}
        method = self.random.choice(OF_A_TEXT)
        number = self.server.request(method, {name: own.get(name, value) for name, value in QUESTIONS[method].items()})
        if self.random.random() < 0.2:
            self.server.cancel(number)
        return number


def expected(text: Text, analysis: Analysis) -> list[tuple[Any, ...]]:
    """What the server must say of a text: codes, places, and what is wrong."""
    return sorted(
        (finding.code, _key(text.range(finding.span.start, finding.span.end)), finding.message)
        for finding in analysis.diagnostics
        if finding.span.source == analysis.source
    )


def said(text: Text, findings: list[Message]) -> list[tuple[Any, ...]]:
    """What the server says of a text."""
    assert all(text.holds(finding["range"]) for finding in findings)
    own = [finding for finding in findings if not finding["message"].startswith("in ")]
    return sorted((finding["code"], _key(finding["range"]), finding["message"]) for finding in own)


def _key(at: Message) -> tuple[int, ...]:
    return (*at["start"].values(), *at["end"].values())


def agree(server: list[tuple[Any, ...]], here: list[tuple[Any, ...]]) -> bool:
    """Whether two lists of findings agree; those of the server have the help after the message."""
    return len(server) == len(here) and all(
        there[:2] == local[:2] and there[2].startswith(local[2]) for there, local in zip(server, here, strict=True)
    )


def memory(server: Conversation) -> float:
    """The megabytes that the server has; 0 where that cannot be told."""
    status = Path(f"/proc/{server.process.pid}/status")
    match = re.search(r"VmRSS:\s+(\d+)", status.read_text()) if status.exists() else None
    return int(match[1]) / 1024 if match else 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_random_edits(encoding: str, root: Path, tmp_path: Path, deep: None, measured: Callable[[str], None]) -> None:
    at_random = random.Random(f"{encoding} {EDITS}")
    folder = tmp_path / "programs"
    shutil.copytree(root / "programs", folder)
    with talking(tmp_path, seconds=1500) as server:
        server.begin(capabilities={"general": {"positionEncodings": [encoding]}})
        assert server.encoding == encoding
        typists = []
        for name in PROGRAMS:
            path = folder / f"{name}.cpl"
            typists.append(Typist(server, server.open_file(path), path.read_text(encoding="utf-8"), at_random))
        edits = questions = answers = checked = 0
        early = 0.0
        while edits < EDITS:
            typist = at_random.choice(typists)
            asked: list[int] = []
            for _ in range(at_random.choice((1, 2, 8, 24))):
                typist.type()
                asked += [typist.ask() for _ in range(at_random.choice((0, 0, 1, 2)))]
            uri, version, text = typist.uri, typist.version, typist.text
            analysis = analyse(Source(str(folder / Path(uri).name), text.text), advice=False)
            assert agree(said(text, server.findings(uri, version)), expected(text, analysis)), text.text
            for _ in range(2):
                offset = at_random.randint(0, len(text.text))
                offset -= text.text[offset - 1 : offset + 1] == "\r\n"
                tells = server.at("hover", uri, *text.position(offset).values())
                here = hover(analysis, offset)
                assert (tells and tells["range"]) == (here and text.range(here.span.start, here.span.end)), text.text
                assert here is None or all(line in tells["contents"]["value"] for line in here.code)
            for number in asked:
                answer = server.answer(number)
                assert "error" not in answer or answer["error"]["code"] in CLEAR, answer
                answers += "error" not in answer
            server.heard.clear()
            questions += len(asked)
            checked += 1
            edits = sum(typist.edits for typist in typists)
            if not early and edits > EDITS / 4:
                early = memory(server)
        late = memory(server)
        assert late < 1.5 * early + 100
        assert server.end() == 0
    measured(
        f"{encoding}: {edits:,} random edits, {checked:,} texts compared, {answers:,} answers to "
        f"{questions:,} questions; {early:.0f} MB after a quarter, {late:.0f} MB at the end"
    )
