"""Input and output. Attested are `Write`, which outputs a list of elements (O1), `Read`, which takes a list of places
(O2), and the names of four stream commands (O3); what exactly they do, and all the rest, is our choice.
"""

import sys
from typing import Any, TextIO

from cplrt.faults import CplFault
from cplrt.show import Shown, show


class Stream(Shown):
    """A stream of symbols: one that a program reads from, or one that it writes to."""

    __slots__ = ("at", "file", "text")

    def __init__(self, text: str = "", file: TextIO | None = None) -> None:
        self.text = text
        self.at = 0
        self.file = file

    def shown(self) -> tuple[str, None]:
        """Not what it holds."""
        return "a stream", None

    def fill(self) -> bool:
        """Have another symbol to read, if there is one."""
        if self.at < len(self.text):
            return True
        self.text, self.at = self.file.readline() if self.file else "", 0
        return bool(self.text)

    def write(self, text: str) -> None:
        """Put out some text."""
        if self.file is None:
            self.text += text
        else:
            self.file.write(text)


_INPUT = list[Stream]()
_OUTPUT = list[Stream]()


def Source() -> Stream:
    """The stream that is read from (O3): at first the standard input."""
    if not _INPUT:
        _INPUT.append(Stream(file=sys.stdin))
    return _INPUT[0]


def Destination() -> Any:
    """The stream that is written to (O3): at first, and for NIL, the standard output."""
    return _OUTPUT[0] if _OUTPUT else None


def Input(stream: Any) -> None:
    """Read from this stream from now on (O3); NIL is the standard input."""
    _INPUT[:] = [_stream(stream)] if stream != [] else []


def Output(stream: Any) -> None:
    """Write to this stream from now on (O3); NIL is the standard output."""
    _OUTPUT[:] = [_stream(stream)] if stream is not None and stream != [] else []


def StreamOf(text: Any) -> Stream:
    """A stream of the symbols of a string, to read from; of the empty string, one to write to."""
    if not isinstance(text, str):
        raise CplFault(f"StreamOf expected a string, found {show(text)}")
    return Stream(text)


def Symbols(stream: Any) -> str:
    """What a stream holds that is still to be read, or that has been written to it, as a string."""
    made = _stream(stream)
    return made.text[made.at :]


def Finish() -> None:
    """End the program (C23)."""
    raise SystemExit


def Write(*items: Any) -> None:
    """Put out the items and end the line; strings as they are, all else as CPL writes it.

    A blank stands between two items of which neither is a string.
    """
    _put(_joined(items) + "\n")


def WriteOn(*items: Any) -> None:
    """As `Write`, and the line goes on."""
    _put(_joined(items))


def NewLine() -> None:
    """End the line."""
    _put("\n")


def ReadItem() -> Any:
    """The next number, or else the next word, of the input: symbols between blanks and ends of lines."""
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
    sign, digits = (number[0], number[1:]) if number[0] in "+-" else ("", number)
    if digits.isdecimal():
        return -_from_digits(digits) if sign == "-" else _from_digits(digits)
    try:
        return float(number)
    except ValueError:
        return word


def _from_digits(digits: str) -> int:
    """The number, in halves if the digits are many: Python by itself reads no more than 4300."""
    if len(digits) <= 600:
        return int(digits)
    half = len(digits) // 2
    scale: int = 10**half
    return _from_digits(digits[:-half]) * scale + _from_digits(digits[-half:])


def ReadSymbol() -> str:
    """Take the next symbol off the input (O4); the empty string if there is none."""
    stream = Source()
    symbol = NextSymbol()
    stream.at += len(symbol)
    return symbol


def NextSymbol() -> str:
    """The next symbol of the input, which stays there (O4); the empty string if there is none."""
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
    else:
        stream.write(text)


def _stream(value: Any) -> Stream:
    if not isinstance(value, Stream):
        raise CplFault(f"expected a stream, found {show(value)}")
    return value
