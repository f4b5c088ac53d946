"""Calls into a library of C that cplc has made: values of Python are marshalled to words of 64 bits, and back.

A form says how: `i` is a whole number, `b` a truth value, `n` a number, `r` a real, `t` a string, `z` NIL, `(…)` a
tuple, `[…]` a list, `{…}` one of several. By the form `[(in)]`, `[(7, 0.5), (8, 2)]` becomes the words 2, 7, 1, those
of 0.5, 8, 0 and 2: a list begins with its length, and a number says whether it is a real. If a value has another form
than the function wants, or the library gives up a call, the function runs in Python.
"""

import ctypes
import functools
import os
import shutil
import struct
import sys
import tempfile
import threading
from array import array
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar

from cplrt.tables import NEVER, asked

_F = TypeVar("_F", bound=Callable[..., Any])

MOST_MEMORY: Final = 1 << 30
"""The bytes of memory that a call may take."""

STACK: Final = 4 << 20
"""The bytes of the stack that a call may take in the main thread; in others, whose stacks may be small, a sixteenth."""

SUFFIX: Final = ".dll" if sys.platform == "win32" else ".so"
"""The end of a library's file name."""

_RUNS_IN_C: Final = "runs_in_c"
"""The attribute of a function of a library: a function that tells whether C runs its calls."""

_DONE: Final = 0
_HALTING: Final = 0.004
"""The seconds between two questions whether a call is to end."""


class _Misfit(Exception):
    """A value does not have the expected form, or the library gave up a call."""


class Marshaller:
    """Marshals values to words by their forms, and back. Strings cross as their numbers in a table, which begins with
    these and grows.
    """

    def __init__(self, strings: Sequence[str] = ()) -> None:
        self._strings = [*strings]
        self._numbers = {string: number for number, string in enumerate(strings)}

    def words(self, form: str, value: object) -> "array[int]":
        """A value of a form as words. Raises ValueError if it has another form, and OverflowError if it has a number of
        more than 64 bits.
        """
        words = array("q")
        try:
            self.put(_parsed(form), value, words)
        except _Misfit:
            raise ValueError(f"the form of {value!r} is not {form}") from None
        return words

    @contextmanager
    def forgetting(self) -> Iterator[None]:
        """Within, strings get numbers for this time only, or the table would grow without end."""
        lasting = len(self._strings)
        try:
            yield
        finally:
            for string in self._strings[lasting:]:
                del self._numbers[string]
            del self._strings[lasting:]

    def put(self, form: Any, value: Any, words: "array[int]") -> None:
        """Marshal a value. Raises _Misfit if it has another form."""
        kind, parts = form
        match kind, value:
            case ("i", int()) if value.__class__ is int:
                words.append(value)
            case ("b", bool()):
                words.append(value)
            case ("n", float()):
                words.extend((True, _word_of(value)))
            case ("n", int()) if value.__class__ is not bool:
                words.extend((False, value))
            case ("r", int() | float()) if value.__class__ is not bool:
                words.append(_word_of(float(value)))
            case ("t", str()):
                words.append(self._number(value))
            case ("z", list()) if not value:
                pass
            case ("(", tuple()) if len(value) == len(parts):
                for part, item in zip(parts, value, strict=True):
                    self.put(part, item, words)
            case ("[", list()):
                words.append(len(value))
                if parts[0][0] == "i" and {*map(type, value)} == {int}:  # all at once, which is faster
                    words.extend(value)
                    return
                for item in value:
                    self.put(parts[0], item, words)
            case ("{", _):
                for tag, part in enumerate(parts):
                    chosen = array("q", [tag])
                    try:
                        self.put(part, value, chosen)
                    except _Misfit:
                        continue
                    words.extend(chosen)
                    return
                raise _Misfit
            case _:
                raise _Misfit

    def _number(self, string: str) -> int:
        if string not in self._numbers:
            self._numbers[string] = len(self._strings)
            self._strings.append(string)
        return self._numbers[string]

    def get(self, form: Any, words: Iterator[int]) -> Any:
        """The value that the next words are."""
        kind, parts = form
        match kind:
            case "i":
                return next(words)
            case "b":
                return bool(next(words))
            case "r":
                return _real_of(next(words))
            case "n":
                is_real, word = next(words), next(words)
                return _real_of(word) if is_real else word
            case "t":
                return self._strings[next(words)]
            case "z":
                return []
            case "(":
                return tuple([self.get(part, words) for part in parts])
            case "[":
                return [self.get(parts[0], words) for _ in range(next(words))]
            case _:
                return self.get(parts[next(words)], words)


class NativeLibrary:
    """A library, with these strings by their numbers: that of this path, or that beside this Python file, which expects
    this digest in it. (Modules that cplc 2.0 wrote expect none.)

    Applied to the number of a function, the forms of its parameters, that of its result and the numbers of the
    constants that it needs, it gives a decorator for the Python of the function. Until `start` the Python runs. Raises
    ImportError, which says why, for a library that the system does not load, and for one with another digest.
    """

    def __init__(self, path: str, strings: Sequence[str] = (), digest: str = "") -> None:
        is_beside = path.endswith(".py")
        try:
            self._library = _loaded(library_of(path) if is_beside else path)
        except ImportError as error:
            if not is_beside:
                raise
            raise ImportError(f"{error}. Make it again with cplc --native") from None
        if digest and _digest_of(self._library) != digest:
            other = library_of(path) if is_beside else path
            raise ImportError(f"{other} was not made together with {path}. Make both again with cplc --native")
        self._library.cpl_answer.restype = ctypes.c_void_p
        self._marshaller = Marshaller(strings)
        self._given: Set[int] | None = None  # the numbers of its constants; those that it made have one number
        self._lock = threading.Lock()  # it runs one call at a time

    def start(self, *constants: tuple[str, object]) -> None:
        """Give the library its constants, each with its form, and let it make those that Python cannot give. If one
        has another form, the Python runs of the functions that need it.
        """
        accepted = set()
        for number, (form, value) in enumerate(constants):
            words = array("q")
            with suppress(_Misfit, OverflowError, RecursionError):
                self._marshaller.put(_parsed(form), value, words)
                place = ctypes.c_void_p(words.buffer_info()[0])
                if self._library.cpl_give(place, ctypes.c_int64(number)) == _DONE:
                    accepted.add(number)
        if len(accepted) == len(constants) and self._library.cpl_make(ctypes.c_int64(STACK >> 4)) == _DONE:
            accepted.add(len(constants))
        self._given = accepted

    def __call__(self, number: int, parameters: str, result: str, *constants: int) -> Callable[[_F], _F]:
        """A decorator for a function."""
        forms, form, needed = [*map(_parsed, parameters.split())], _parsed(result), {*constants}

        def decorator(python: _F) -> _F:
            # While a call runs again in Python, so do its calls of the same function: C might give up each of them.
            is_given_up = False

            @functools.wraps(python)
            def native(*arguments: Any) -> Any:
                nonlocal is_given_up
                if is_given_up or self._given is None or not needed <= self._given or len(arguments) != len(forms):
                    return python(*arguments)
                with self._lock, suppress(_Misfit, OverflowError, RecursionError):
                    return self._called(number, forms, arguments, form)
                is_given_up = True
                try:
                    return python(*arguments)
                finally:
                    is_given_up = False

            setattr(native, _RUNS_IN_C, lambda: self._given is not None and needed <= self._given)
            return native  # type: ignore[return-value]

        return decorator

    def _called(self, number: int, forms: Sequence[Any], arguments: Sequence[Any], form: Any) -> Any:
        """The value of a function. Raises _Misfit if an argument has another form, or the library gives up the call."""
        words, count = array("q"), ctypes.c_int64()
        is_main = threading.current_thread() is threading.main_thread()
        with self._marshaller.forgetting():
            for parameter, argument in zip(forms, arguments, strict=True):
                self._marshaller.put(parameter, argument, words)
            settings = MOST_MEMORY, STACK if is_main else STACK >> 4, is_main
            place = ctypes.c_void_p(words.buffer_info()[0])
            with _watching(self._library.cpl_halt):
                status = self._library.cpl_call(ctypes.c_int64(number), place, *map(ctypes.c_int64, settings))
            if status != _DONE:
                raise _Misfit
            answer = ctypes.string_at(self._library.cpl_answer(ctypes.byref(count)), 8 * count.value)
            return self._marshaller.get(form, iter(struct.unpack(f"{count.value}q", answer)))


@contextmanager
def _watching(halt: Callable[[ctypes.c_int64], object]) -> Iterator[None]:
    """Tell a call of C what `Halted` gives in this thread, if somebody has said when that is true."""
    if (is_over := asked()) is NEVER:
        yield
        return
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_HALTING):
            if is_over():
                halt(ctypes.c_int64(1))
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
        halt(ctypes.c_int64(0))


_paths: set[str] = set()
_loading = threading.Lock()


def _loaded(path: str) -> ctypes.CDLL:
    """A library with constants of its own: one that is loaded again would share them, so a copy of it is loaded. The
    copy is in the folder of the library if nothing may be run where temporary files are. Raises ImportError, which says
    why.
    """
    path = os.path.abspath(path)  # a bare name would be looked for in the folders of the system
    with _loading:
        if why := why_not_loaded(path):
            raise ImportError(f"{path} cannot be loaded: {why}")
        if path not in _paths:
            _paths.add(path)
            return ctypes.CDLL(path)
        for place in (None, os.path.dirname(path)):
            options: Any = {"prefix": "cplc-", "dir": place, "ignore_cleanup_errors": True}
            with suppress(OSError), tempfile.TemporaryDirectory(**options) as folder:
                return ctypes.CDLL(shutil.copy(path, folder))
    raise ImportError(f"{path} cannot be loaded a second time: no folder takes a copy of it from which code may run")


def _digest_of(library: ctypes.CDLL) -> str:
    """The digest that a library holds; empty if it holds none, as one that cplc 2.0 made."""
    try:
        return ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(library, "cpl_digest"))).decode(errors="replace")
    except ValueError:
        return ""


def why_not_loaded(path: str) -> str:
    """Why the system does not load the library of this path, in plain words; empty if it does."""
    path = os.path.abspath(path)  # a bare name would be looked for in the folders of the system
    try:
        with open(path, "rb") as file:
            head, size = file.read(_HEAD), os.fstat(file.fileno()).st_size
    except OSError as error:
        return (error.strerror or str(error)).lower()
    if why := _why_no_library(head, size):
        return why
    try:
        ctypes.CDLL(path)
    except OSError as error:
        if hasattr(os, "statvfs") and os.statvfs(path).f_flag & getattr(os, "ST_NOEXEC", 0):
            return "its folder may not run code (noexec)"
        return str(error)
    return ""


_HEAD: Final = 64
_OWN: Final = "/proc/self/exe"
"""The length of the head of a program or library in the format ELF, and where Linux shows the program that runs."""


def _why_no_library(head: bytes, size: int) -> str:
    """Why this is not a library, by its head and its size, where libraries have the format ELF; empty if it may be one.
    The system would load one whose end is missing, and crash.
    """
    try:
        with open(_OWN, "rb") as file:
            own = file.read(_HEAD)
    except OSError:
        return ""
    if own[:5] != b"\x7fELF\x02":  # of 64 bits
        return ""
    if len(head) < _HEAD:
        return "its end is missing"
    if head[:4] != own[:4]:
        return "it is not a library of this system"
    if head[4:6] + head[18:20] != own[4:6] + own[18:20]:
        return "it was built for another kind of machine"
    order = "<" if head[5] == 1 else ">"
    sections, each, count = struct.unpack_from(f"{order}40xQ10xHH", head)  # their table is at the end
    return "its end is missing" if size < sections + each * count else ""


def runs_in_c(function: object) -> bool:
    """Tell whether a function is in a library, which has all constants that it needs. A single call may still be given
    up, and run in Python.
    """
    tells: Callable[[], bool] | None = getattr(function, _RUNS_IN_C, None)
    return tells is not None and tells()


def library_of(module: str) -> str:
    """The path of the library of a module: `libfast.so` beside `fast.py`."""
    folder, name = os.path.split(module)
    return os.path.join(folder, f"lib{os.path.splitext(name)[0]}{SUFFIX}")


def _word_of(value: float) -> int:
    return array("q", struct.pack("d", value))[0]


def _real_of(word: int) -> float:
    return array("d", struct.pack("q", word))[0]


def _parsed(form: str) -> Any:
    """A form as its first sign and the forms in its brackets."""
    return _next_form(iter(form))


def _next_form(signs: Iterator[str]) -> tuple[str, list[Any]] | None:
    """The form that begins here; None if a bracket closes."""
    kind, parts = next(signs), list[Any]()
    if kind in "([{":
        while part := _next_form(signs):
            parts.append(part)
    return None if kind in ")]}" else (kind, parts)
