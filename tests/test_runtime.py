"""cplrt by itself: what it gives to Python, what it refuses, and how deep programs may go."""

# ruff: noqa: F403, F405
import ast
import contextlib
import copy
import io
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from cplrt import *
from cplrt import Array, Cell, Equal, MinList, show
from cplrt.checkers import PrintPosition, board
from cplrt.sharing import MANY, SharingList
from hypothesis import given, settings
from hypothesis import strategies as st

POSITIONS = st.sets(st.integers(0, 70))
BITS = st.one_of(POSITIONS.map(Logical), POSITIONS.map(lambda each: ~Logical(each)))


@given(POSITIONS, POSITIONS)
def test_bit_strings_are_sets_of_positions(one: set[int], two: set[int]) -> None:
    x, y = Logical(one), Logical(two)
    assert set(x & y) == one & two
    assert set(x | y) == set(x + y) == one | two
    assert set(x - y) == set(x & ~y) == one - two
    assert (x == y) == (one == two)
    assert Null(x) == (not one)
    assert list(x) == sorted(one)
    assert set(SingleDigitFrom(x)) == ({min(one)} if one else set())
    assert sorted([Logical(3), Logical(1), Logical(2)]) == [Logical(1), Logical(2), Logical(3)]


@given(BITS)
def test_a_bit_string_reads_back(x: Logical) -> None:
    assert eval(repr(x)) == x
    assert Logical(int(x)) == x and hash(Logical(x)) == hash(x)
    assert ~~x == x


def test_lists_of_their_own_are_not_changed() -> None:
    given = [1, 2]
    Join(given, []).append(3)
    Tail(given).append(3)
    assert given == [1, 2]


def test_min_list_has_each_member_once() -> None:
    assert MinList((3,), [], (1,), Logical(0), (3,), [(2,)]) == [(3,), (1,), (2,)]


def test_long_lists_share_and_short_ones_do_not() -> None:
    members = [*range(10 * MANY)]
    tail = Tail(members)
    assert isinstance(tail, SharingList) and isinstance(Tail(tail), SharingList)
    assert type(Tail([1, 2])) is list and type(Join([1], [2])) is list


def test_operators_are_functions_of_python() -> None:
    assert Juxtapose(3, 4) == 12
    assert Juxtapose(lambda x: -x, 4) == -4
    assert And(False, lambda: 1 / 0) is False
    assert Or(True, lambda: 1 / 0) is True
    assert And(Logical(6), lambda: Logical(3)) == Logical(2)
    assert Or(Logical(6), lambda: Logical(3)) == Logical(7)
    assert (Not(True), Not(Logical(1))) == (False, ~Logical(1))


LONG = st.integers(0, 3 * MANY).map(lambda length: [*range(length)])


def same(shared: list[Any], plain: list[Any]) -> None:
    """To whoever asks, both are the same list."""
    assert shared == plain and plain == shared
    assert (shared != plain, plain != shared) == (False, False)
    assert len(shared) == len(plain) and bool(shared) == bool(plain)
    assert [*shared] == plain and [*reversed(shared)] == plain[::-1]
    assert repr(shared) == repr(plain) and json.dumps(shared) == json.dumps(plain)
    assert shared[:3] == plain[:3] and shared[-2:] == plain[-2:] and shared[::-1] == plain[::-1]
    assert plain + shared == shared + plain == shared * 2 == 2 * shared == plain * 2
    assert copy.deepcopy(shared) == pickle.loads(pickle.dumps(shared)) == shared.copy() == plain
    assert (shared < plain, shared <= plain, shared > plain, shared >= plain) == (False, True, False, True)
    assert sorted(shared) == sorted(plain) and tuple(shared) == tuple(plain)
    if plain:
        assert shared[0] == plain[0] and shared[-1] == plain[-1] and plain[-1] in shared
        assert shared.index(plain[-1]) == plain.index(plain[-1]) and shared.count(plain[0]) == plain.count(plain[0])
    with pytest.raises(IndexError):
        shared[len(plain)]


@settings(deadline=None)
@given(st.data())
def test_lists_that_share_are_lists(data: st.DataObject) -> None:
    """Whatever is done with one list, the others keep their members."""
    members = data.draw(LONG)
    known = [(members, [*members])]
    for _ in range(data.draw(st.integers(1, 12))):
        shared, plain = data.draw(st.sampled_from(known))
        match data.draw(st.sampled_from(("tail", "join", "join all", "change"))):
            case "tail" if plain:
                known.append((Tail(shared), plain[1:]))
            case "join":
                known.append((Join([-1, -2], shared), [-1, -2, *plain]))
            case "join all":
                known.append((Join(shared, shared), plain + plain))
            case "change":
                change = data.draw(st.sampled_from(CHANGES))
                outcomes = []
                for each in (shared, plain):
                    try:
                        outcomes.append(change(each))
                    except IndexError as error:
                        outcomes.append(str(error))
                assert outcomes[0] == outcomes[1]
    for shared, plain in known:
        same(shared, plain)


CHANGES: list[Any] = [
    lambda x: x.append(7),
    lambda x: x.insert(1, 7),
    lambda x: x.extend([7, 8]),
    lambda x: x.pop(),
    lambda x: x.reverse(),
    lambda x: x.sort(key=lambda each: -each),
    lambda x: x.__setitem__(0, 7),
    lambda x: x.__delitem__(0),
    lambda x: x.__iadd__([7]),
    lambda x: x.__imul__(2),
    lambda x: x.clear(),
]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ([], "NIL"),
        ([1, [2]], "[1,[2]]"),
        ((1, False), "(1,false)"),
        (Head, "Head"),
        (Logical(5), "Logical([0,2])"),
        (~Logical(0), "~Logical(NIL)"),
        (True, "true"),
        (3.5, "3.5"),
        ("text", "‘text’"),
        (float("inf"), "∞"),
    ],
)
def test_values_are_shown_as_in_cpl(value: Any, shown: str) -> None:
    assert show(value) == shown


def test_a_position_is_printed_as_a_board() -> None:
    assert len(board) == 32
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        PrintPosition((Logical(board), Logical([]), Logical([5]), -1))
    text = out.getvalue()
    assert text.count("w") == 31 and text.count("W") == 2  # the king, and "White to play."
    assert all(f"{square:2}" in text for square in board)


def test_values_are_compared_and_shown_at_any_depth() -> None:
    """No host must allow deep recursion for that."""
    one, other, unlike = nested(100_000, 1), nested(100_000, 1), nested(100_000, True)
    assert Equal(one, other) and not Equal(one, unlike)
    assert len(MinList([one], [other, unlike])) == 2
    assert show(one) == "[" * 100_001 + "1" + "]" * 100_001
    array = Array("general", (0, 0))
    array[0] = one
    for value in (Cell(one), array):
        assert repr(value).count("[") >= 100_001


def test_values_within_themselves_are_compared_and_shown() -> None:
    one: list[object] = [1]
    one.append(one)
    other: list[object] = [1]
    other.append(other)
    assert Equal(one, other)
    assert show(one) == "[1,[…]]"
    assert show([other, other]) == "[[1,[…]],[1,[…]]]"


class Pair(Node):
    __slots__ = ("First", "Rest")


def test_a_cell_is_a_place() -> None:
    cell = Cell(1)
    cell.value += 1
    assert cell.value == 2


def test_a_member_of_an_array_is_a_place() -> None:
    array = Array("real", (1, 2), (1, 2))
    member = MemberOf(array, 2, 1)
    member.value = 5
    assert array[2, 1] == member.value == 5
    assert member == MemberOf(array, 2, 1) != MemberOf(array, 1, 2)


def test_a_component_of_a_node_is_a_place() -> None:
    pair = Pair(1, [])
    component = ComponentOf(pair, "Rest")
    component.value = pair
    assert pair.Rest is pair
    assert component == ComponentOf(pair, "Rest") and hash(component) == hash(ComponentOf(pair, "Rest"))


def test_a_member_of_a_function_is_what_it_returns() -> None:
    assert MemberOf(lambda x: 2 * x, 4).value == 8


def test_nodes_and_elements_are_types() -> None:
    pair = Pair(1, [])
    kind = Element("List", Pair, "integer")
    assert kind(pair) is pair and kind(3) == 3
    assert Type(pair) is Pair
    assert Is(Pair, pair) and Is(kind, pair) and Is(kind, 4)
    assert not Is(kind, True) and not Is(Pair, [])


def test_nodes_are_equal_to_themselves_only_and_shown_at_any_depth() -> None:
    pair = Pair(1, [])
    assert pair != Pair(1, []) and not Null(pair)
    pair.Rest = [pair, Cell(pair)]
    assert show(pair) == "Pair[1,[Pair[…],Pointer[Pair[…]]]]"
    assert show([Pair(1, []), Pair(1, [])]) == "[Pair[1,NIL],Pair[1,NIL]]"
    assert repr(Pair(1, [])) == "Pair[1,NIL]"
    assert copy.copy(pair).First == 1


FAULTS: list[Any] = [
    lambda: Cell().value,
    lambda: Pair(1),
    lambda: Pair(1, 2).Last,
    lambda: setattr(Pair(1, 2), "Last", 3),
    lambda: Element("E", Pair)(3),
    lambda: Not(1),
    lambda: Type(3),
    lambda: Is(3, 3),
    lambda: MemberOf(Array("real", (1, 2)), 3).value,
    lambda: Input(3),
]


@pytest.mark.parametrize("fault", FAULTS)
def test_places_that_are_not_there_are_faults(fault: Any) -> None:
    """Of what is not in test_fast_ways.py."""
    with pytest.raises(CplFault):
        fault()


@given(
    st.lists(
        st.one_of(st.integers(-1000, 1000), st.floats(-10, 10, width=16), st.sampled_from(["a", "1_0", "inf", "-nan"]))
    )
)
def test_what_is_written_is_read(items: list[Any]) -> None:
    Input(StreamOf(" ".join(map(str, items))))
    try:
        assert [ReadItem() for _ in items] == items
        with pytest.raises(CplFault):
            ReadItem()
    finally:
        Input([])


def test_no_two_modules_define_the_same_name() -> None:
    """A module that stands alone has the parts of all of them in one scope. A type variable is the same everywhere."""
    seen: dict[str, str] = {}
    for module in sorted((ROOT / "runtime" / "cplrt").glob("*.py")):
        for node in ast.parse(module.read_text(encoding="utf-8")).body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="TypeVar"))):
                    assert seen.setdefault(name, ast.unparse(node)) == ast.unparse(node)
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
                    assert name == "__all__" or seen.setdefault(name, module.name) == module.name, name


PROGRAM = """\
Count(n) = n = 0 → 0, 1 + Count(n - 1)
Endless(n) = 1 + Endless(n + 1)
Nest(n) = n = 0 → NIL, [Nest(n - 1)]
Same(n) = Nest(n) = Nest(n)
After[ref x] = x + 1
Up[n] = value of
  § let g = λm. Up[m]
    result is n = 0 → 0, After[g[n - 1]] §|
"""

LIMITS = """\
import gc, locale, os, resource, signal, sys, threading, warnings
def limits():
    handlers = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGVTALRM)]
    stacks = resource.getrlimit(resource.RLIMIT_STACK), threading.stack_size(threading.stack_size())
    modes = gc.isenabled(), locale.setlocale(locale.LC_ALL), [*warnings.filters], os.getcwd(), dict(os.environ)
    of_sys = sys.getrecursionlimit(), sys.excepthook, sys.displayhook, sys.get_int_max_str_digits()
    return of_sys, handlers, stacks, modes
before = limits()
"""

ASK = """\
import threading, cpl, cplrt
module = cpl.load("a.cpl")
def ask(function, *arguments):
    try:
        print(function(*arguments))
    except cplrt.CplFault as fault:
        print(type(fault).__name__, "allow_deep_recursion()" in str(fault))
def everything():
    ask(module.Count, 100000)
    ask(module.Same, 60000)
    ask(module.Up, 15000)
    ask(module.Endless, 0)
def in_thread():
    thread = threading.Thread(target=everything)
    thread.start()
    thread.join()
"""


def script(folder: Path, *parts: str) -> list[str]:
    """What a host prints that goes through these steps."""
    (folder / "a.cpl").write_text(PROGRAM, encoding="utf-8")
    command = [sys.executable, "-c", "".join(parts)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_a_library_changes_nothing_of_its_host(tmp_path: Path) -> None:
    use = "cpl.compile_text('F(x) = x').python\nassert cpl.check_text('F(x) = y')\nassert limits() == before\n"
    assert script(tmp_path, LIMITS, ASK, use) == []


@pytest.mark.parametrize("where", ["everything()", "in_thread()"])
def test_a_host_is_told_how_to_get_more_room(tmp_path: Path, where: str) -> None:
    assert script(tmp_path, ASK, where) == ["TooDeep True"] * 4


@pytest.mark.parametrize("where", ["everything()", "in_thread()"])
def test_a_host_may_allow_more_room(tmp_path: Path, where: str) -> None:
    found = script(tmp_path, ASK, "cplrt.allow_deep_recursion()\n", where)
    assert found == ["100000", "True", "15000", "TooDeep False"]


@pytest.mark.long
def test_a_command_has_room_and_ends(tmp_path: Path) -> None:
    (tmp_path / "a.cpl").write_text(PROGRAM, encoding="utf-8")
    for way, calls, values in (
        ([], ("Count(100000)", "Same(60000)", "Up(15000)", "Endless(0)"), ["100000", "true", "15000"]),
        (["--interpreter"], ("Up(5000)", "Endless(0)"), ["5000"]),  # a tenth as fast
    ):
        command = [sys.executable, "-m", "cpl", "run", "a.cpl", *way, *(f"--call={call}" for call in calls)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout.split()) == (1, values)
        assert "cpl run: the recursion goes too deep; does it ever end?\n" in done.stderr


def nested(depth: int, inner: object) -> list[object]:
    """A list of a list of … of this."""
    made = [inner]
    for _ in range(depth):
        made = [made]
    return made


def test_a_text_that_needs_room_is_refused_or_compiled(tmp_path: Path) -> None:
    """A chain of operators, which the compiler walks by recursion."""
    use = """\
import cpl, cplrt
text = "F(b) = " + "b ∧ " * 399 + "b"
for found in cpl.check_text(text):
    print(found.code, found.help)
cplrt.allow_deep_recursion()
print(cpl.check_text(text))
"""
    advice = "use cplc, or call cplrt.allow_deep_recursion() first"
    assert script(tmp_path, LIMITS, use) == [f"no-room {advice}", "[]"]
    (tmp_path / "b.cpl").write_text("F(b) = " + "b ∧ " * 399 + "b\n", encoding="utf-8")
    command = [sys.executable, "-m", "cpl", "check", "b.cpl"]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0
