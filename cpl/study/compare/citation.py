"""How to cite what a comparison of readings found: two programs in, everything that somebody needs to find it again."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from cpl import outside
from cpl.compiler import loader
from cpl.compiler.messages import REPAIRED
from cpl.compiler.pipeline import Meaning
from cpl.compiler.source import Source
from cpl.compiler.wording import counted


@dataclass(frozen=True)
class CitedText:
    """A text, as it was before any repair: its name, where it is from (`ManifestEntry.provenance`), and the SHA-256 of
    its characters in UTF-8, which is that of its file.
    """

    name: str
    provenance: str
    sha256: str

    @classmethod
    def of(cls, source: Source) -> "CitedText":
        """Return what identifies this text."""
        provenance = loader.entry(source.path).provenance
        return cls(outside.short_path(source.path), provenance, sha256(source.text.encode()).hexdigest())

    def to_dict(self) -> dict[str, str]:
        """Return the same as plain data."""
        return {"name": self.name, "provenance": self.provenance, "sha256": self.sha256}


@dataclass(frozen=True)
class CitedProgram:
    """A program: its text, the `repairs` without which it does not compile, and the texts that are compiled with it,
    apart from the standard library, which the version of cplc determines.
    """

    text: CitedText
    repairs: tuple[str, ...]
    others: tuple[CitedText, ...]

    @classmethod
    def of(cls, meaning: Meaning) -> "CitedProgram":
        """Return what identifies a program, which may have been repaired."""
        repairs = [finding.fixes[0].done for finding in meaning.diagnostics if finding.cause is REPAIRED]
        library = meaning.library
        others = [CitedText.of(text.source) for text in (*library.libraries, *library.companions)]
        return cls(CitedText.of(meaning.main.source), tuple(repairs), tuple(others))

    def facts(self, label: str) -> list[tuple[str, str]]:
        """Return the lines of a citation, each with its label; that of the text is `label`."""
        facts = []
        for text, heading in ((self.text, label), *((other, "with") for other in self.others)):
            described = f"{text.name}. {text.provenance}" if text.provenance else text.name
            facts += [(heading, described), ("SHA-256", text.sha256)]
        return facts + [("repair", repair) for repair in self.repairs]

    def to_dict(self) -> dict[str, Any]:
        """Return the same as plain data."""
        return {
            **self.text.to_dict(),
            "repairs": [*self.repairs],
            "with": [other.to_dict() for other in self.others],
        }


@dataclass(frozen=True)
class Citation:
    """How to cite a comparison of readings: the `version` of cplc, both programs, the function that was compared, at
    how many positions, and by which seed these were drawn. `counts` has for each cited reading on how many positions
    the programs are the `same`, `different`, or `failed`.
    """

    version: str
    program: CitedProgram
    against: CitedProgram
    function: str
    positions: int
    seed: int
    counts: Mapping[str, Mapping[str, int]]

    @property
    def facts(self) -> list[tuple[str, str]]:
        """The lines of the citation, each with its label."""
        facts = [("software", f"cplc {self.version}")]
        facts += self.program.facts("text")
        facts += self.against.facts("against")
        facts += [("compared", f"{self.function} at {counted(self.positions, 'position')}, seed {self.seed}")]
        for reading, counts in self.counts.items():
            result = ", ".join(f"{number} {kind}" for kind, number in counts.items())
            facts += [("reading", f"{reading}: {result}")]
        return facts

    def to_dict(self) -> dict[str, Any]:
        """Return the same as plain data: `citation` in what `cpl readings --cite --format json` prints."""
        return {
            "software": "cplc",
            "version": self.version,
            "text": self.program.to_dict(),
            "against": self.against.to_dict(),
            "function": self.function,
            "positions": self.positions,
            "seed": self.seed,
            "readings": [{"reading": reading, **counts} for reading, counts in self.counts.items()],
        }
