"""Libraries: the texts that are compiled with a program, and the functions of cplrt.

They are searched in this order: the program; the libraries that the user names; the program's companions; the standard
library; cplrt. The first three are one unit: all their definitions see each other, and if two have one name the earlier
text wins. The standard library is closed: it sees only itself and cplrt, and only what is used of it is compiled.
"""

from dataclasses import dataclass
from typing import Final

from cpl.compiler.readings import DEFAULT, Reading
from cpl.compiler.source import Source
from cpl.compiler.syntax import nodes


@dataclass(frozen=True)
class HostName:
    """A function that cplrt provides to CPL programs: how many arguments it takes, whether it has a value and an
    effect. Its type is in `types/builtins.py`.
    """

    module: str
    least: int
    most: int
    routine: bool = False
    effect: bool = False

    @property
    def is_command(self) -> bool:
        """Whether it can be a command: a routine, or a function with an effect."""
        return self.routine or self.effect


OTHER_NAMES: Final = {"Newarray": "Array", "Quot": "Quotient", "Rem": "Remainder"}
"""The names of 1965 (G8, G19), with ours."""

HOST: Final[dict[str, HostName]] = {
    "Null": HostName("cplrt", 1, 1),
    "Head": HostName("cplrt", 1, 1),
    "Tail": HostName("cplrt", 1, 1),
    "Next": HostName("cplrt", 1, 1),
    "Join": HostName("cplrt", 2, 2),
    "MinList": HostName("cplrt", 0, 1_000_000),
    "Logical": HostName("cplrt", 1, 1),
    "Array": HostName("cplrt", 2, 1_000_000),
    "Formarray": HostName("cplrt", 3, 3),
    "Copy": HostName("cplrt", 1, 1),
    "ListOf": HostName("cplrt", 1, 1),
    "Pointer": HostName("cplrt", 1, 1),
    "Follow": HostName("cplrt", 1, 1),
    "Type": HostName("cplrt", 1, 1),
    "Is": HostName("cplrt", 2, 2),
    "Write": HostName("cplrt", 0, 1_000_000, routine=True),
    "WriteLine": HostName("cplrt", 0, 1_000_000, routine=True),
    "AsWritten": HostName("cplrt", 0, 1_000_000),
    "NewLine": HostName("cplrt", 0, 0, routine=True),
    "Read": HostName("cplrt", 1, 1_000_000, routine=True),
    "ReadItem": HostName("cplrt", 0, 0, effect=True),
    "ReadSymbol": HostName("cplrt", 0, 0, effect=True),
    "NextSymbol": HostName("cplrt", 0, 0),
    "InputEnded": HostName("cplrt", 0, 0),
    "WriteSymbol": HostName("cplrt", 1, 1, routine=True),
    "Input": HostName("cplrt", 1, 1, routine=True),
    "Output": HostName("cplrt", 1, 1, routine=True),
    "Source": HostName("cplrt", 0, 0),
    "Destination": HostName("cplrt", 0, 0),
    "StreamOf": HostName("cplrt", 1, 1),
    "Symbols": HostName("cplrt", 1, 1),
    "SymbolsOf": HostName("cplrt", 1, 1),
    "StringOf": HostName("cplrt", 1, 1),
    "Code": HostName("cplrt", 1, 1),
    "SymbolWith": HostName("cplrt", 1, 1),
    "Clock": HostName("cplrt", 0, 0, effect=True),
    "Hash": HostName("cplrt", 2, 2),
    "Remember": HostName("cplrt", 2, 2, routine=True),
    "Recall": HostName("cplrt", 2, 2, effect=True),
    "Halted": HostName("cplrt", 0, 0, effect=True),
    "Complex": HostName("cplrt", 2, 2),
    **{
        name: HostName("cplrt", 1, 1)
        for name in "Entier Round SqRt Exp Ln Sin Cos ArcTan RealPart ImaginaryPart".split()
    },
    "Quotient": HostName("cplrt", 2, 2),
    "Remainder": HostName("cplrt", 2, 2),
    "Shift": HostName("cplrt", 2, 2),
    "SingleDigitFrom": HostName("cplrt", 1, 1),
}
"""The names of cplrt that every program may use."""
HOST.update({name: HOST[ours] for name, ours in OTHER_NAMES.items()})


@dataclass(frozen=True)
class HostPart:
    """A module of cplrt for certain programs only: the names it provides to CPL, and those to Python alone."""

    names: dict[str, HostName]
    exports: tuple[str, ...] = ()


_KINGS: Final = {"KingsTable": HostName("cplrt.kings", 0, 0)}
HOST_PARTS: Final[dict[str, HostPart]] = {
    "checkers": HostPart(
        names={"PrintPosition": HostName("cplrt.checkers", 1, 1, routine=True), **_KINGS},
        exports=("Logical", "PrintPosition", "board"),
    ),
    "kings": HostPart(names=_KINGS),
}


@dataclass(frozen=True)
class Text:
    """A source and its surface tree. `title` and `note` say what it is and where it comes from. A text that
    `is_verbatim` is historical: nobody is advised to change it.
    """

    source: Source
    program: nodes.Program
    title: str = ""
    note: str = ""
    reading: Reading = DEFAULT
    is_verbatim: bool = False


@dataclass(frozen=True)
class Library:
    """The texts that a program is compiled with, in the order in which names are looked up. `standard` may be left out
    if no text has a name of it.
    """

    libraries: tuple[Text, ...] = ()
    companions: tuple[Text, ...] = ()
    standard: Text | None = None
    host_part: str | None = None

    @property
    def texts(self) -> tuple[Text, ...]:
        """All texts, in order."""
        named_texts = (*self.libraries, *self.companions)
        return (*named_texts, self.standard) if self.standard else named_texts

    @property
    def host(self) -> dict[str, HostName]:
        """Everything that cplrt provides to this program."""
        of_part = HOST_PARTS[self.host_part].names if self.host_part else {}
        return HOST | of_part

    @property
    def exports(self) -> tuple[str, ...]:
        """Python names of cplrt that the compiled module exports, used or not."""
        return HOST_PARTS[self.host_part].exports if self.host_part else ()

    def module_of(self, name: str) -> str:
        """The module of cplrt that provides a Python name."""
        if name in self.host:
            return self.host[name].module
        if name == "NativeLibrary":
            return "cplrt.native"  # not in cplrt itself, as most modules do without it
        return f"cplrt.{self.host_part}" if name in self.exports else "cplrt"
