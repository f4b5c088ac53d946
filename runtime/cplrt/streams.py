"""Input and output. Attested are `Write`, which outputs a list of elements (O1), `Read`, which takes a list of places
(O2), and the names of four stream commands (O3); what exactly they do, and all the rest, is our choice.
"""

import sys
from typing import Any, TextIO

from cplrt.faults import CplFault
from cplrt.show import Shown, require, show
from cplrt.strings import SymbolWith


class Stream(Shown):
    """A stream of symbols: one that a program reads from, or one that it writes to."""

    __slots__ = ("at", "file", "text")

    def __init__(self, text: str = "", file: TextIO | None = None) -> None:
        self.text = text
        self.at = 0
        self.file = file

    def shown(self) -> tuple[str, None]:
        """Only that it is a stream."""
        return "a stream", None

    def fill(self) -> bool:
        """Buffer another symbol, if there is one."""
        if self.at < len(self.text):
            return True
        self.text, self.at = self._line(), 0
        return bool(self.text)

    def has_item(self) -> bool:
        """Whether anything but blanks and ends of lines is to come. Nothing is read: all of it stays for the reader."""
        while not (rest := self.text[self.at :]).strip():
            line = self._line()
            if not line:
                return False
            self.text, self.at = rest + line, 0
        return True

    def _line(self) -> str:
        """The next line of the file, with its end; nothing at the end of the file, or for a stream without one. A
        carriage return before the new line is not a symbol of its own.
        """
        line = self.file.readline() if self.file else ""
        return f"{line[:-2]}\n" if line.endswith("\r\n") else line

    def write(self, text: str) -> None:
        """Write some text."""
        if self.file is None:
            self.text += text
        else:
            self.file.write(text)


_INPUT = list[Stream]()
_OUTPUT = list[Stream]()
_OPEN = list[TextIO]()
"""The standard output, if its last line has not ended."""


def Source() -> Stream:
    """The current input stream (O3); the standard input at the start."""
    if not _INPUT:
        _INPUT.append(Stream(file=sys.stdin))
    return _INPUT[0]


def Destination() -> Any:
    """The current output stream (O3); the standard output at the start, and for NIL."""
    return _OUTPUT[0] if _OUTPUT else None


def Input(stream: Any) -> None:
    """Read from this stream from now on (O3); NIL is the standard input."""
    _INPUT[:] = [_stream(stream)] if stream != [] else []


def Output(stream: Any) -> None:
    """Write to this stream from now on (O3); NIL is the standard output."""
    _OUTPUT[:] = [_stream(stream)] if stream is not None and stream != [] else []


def StreamOf(text: Any) -> Stream:
    """A stream that reads the symbols of a string; for the empty string, a stream to write to."""
    require(isinstance(text, str), "StreamOf expected a string", text)
    return Stream(text)


def Symbols(stream: Any) -> str:
    """The rest of an input stream, or what has been written to an output stream, as a string."""
    source: Stream = _stream(stream)
    return source.text[source.at :]


def Finish() -> None:
    """End the program (C23)."""
    raise SystemExit


def Write(*items: Any) -> None:
    """Print the items, and stay on the line (G17): strings as they are, other values as CPL writes them.

    A space separates two items if neither is a string.
    """
    _put(_joined(items))


def AsWritten(*items: Any) -> str:
    """What `Write` would print of the items, as a string."""
    return _joined(items)


def WriteLine(*items: Any) -> None:
    """Print the items as `Write` does, and end the line."""
    _put(_joined(items) + "\n")


def NewLine() -> None:
    """End the line."""
    _put("\n")


def end_line() -> None:
    """End the last line of the standard output if a program has left it open. Those who run a program call this."""
    if sys.stdout in _OPEN:
        sys.stdout.write("\n")
    _OPEN.clear()


def ReadItem() -> Any:
    """The next number or word of the input; spaces and line ends separate them."""
    stream = Source()
    while stream.fill() and stream.text[stream.at].isspace():
        stream.at += 1
    word = ""
    while stream.fill() and not stream.text[stream.at].isspace():
        word += stream.text[stream.at]
        stream.at += 1
    if not word:
        raise CplFault("there is no more input to read")
    number = word.replace("−", "-").replace("⏨", "e")
    if not number.lstrip("+-.")[:1].isdigit() or "_" in number:
        return word
    digits = number[1:] if number[0] in "+-" else number
    if digits.isdecimal():
        from decimal import Decimal  # as `int` reads at most 4300 digits

        return int(Decimal(number))
    try:
        return float(number)
    except ValueError:
        return word


def ReadSymbol() -> str:
    """Read the next symbol of the input (O4); the empty string at its end."""
    stream = Source()
    symbol = NextSymbol()
    stream.at += len(symbol)
    return symbol


def InputEnded() -> bool:
    """Whether the input has no more numbers or words, so that `ReadItem` would fail. It reads nothing."""
    return not Source().has_item()


def WriteSymbol(code: Any) -> None:
    """Print the symbol with this code (G18)."""
    _put(SymbolWith(code))


def NextSymbol() -> str:
    """Look at the next symbol of the input without reading it (O4); the empty string at its end."""
    stream = Source()
    return stream.text[stream.at] if stream.fill() else ""


def _joined(items: tuple[Any, ...]) -> str:
    text = ""
    for index, item in enumerate(items):
        if index and not isinstance(item, str) and not isinstance(items[index - 1], str):
            text += " "
        text += item if isinstance(item, str) else show(item)
    return text


def _put(text: str) -> None:
    stream = Destination()
    if stream is None:
        sys.stdout.write(text)
        if text:
            _OPEN[:] = [] if text.endswith("\n") else [sys.stdout]
    else:
        stream.write(text)


def _stream(value: Any) -> Any:
    require(isinstance(value, Stream), "expected a stream", value)
    return value
