"""Christopher Strachey's checkers program, with the corrections of a later
reproduction.

C. Strachey, System Analysis and Programming, Scientific American 215(3), September
1966; corrections by P. Norvig.

A position is a tuple (X, Y, K, σ): the pieces of the player to move, those of his
opponent, the kings of both, and whose move it is, Black (1) or White (-1). In the
middle of a move it has a fifth member, Φ, the square that the moving piece has
reached.

Join takes a position, which is a tuple, as one member of a list.

X, Y and K are bit strings, a digit for each square. A Shift by n goes down by n
squares, or up if n is negative. On bit strings + is union, and x - y is what is in x
and not in y.

Compiled from strachey.cpl and checkers-1966.cpl by cplc -O; the docstrings are the
CPL.
"""

from typing import Any, Never

from cplrt import (
    AsBits,
    AsLogical,
    Either,
    Function,
    Join,
    Logical,
    MinList,
    Next,
    Null,
    Shift,
    ShiftBits,
    SingleDigitFrom,
    bits,
    infinity,
    other,
    start_program,
)
from cplrt.checkers import PrintPosition, board

# fmt: off
__all__ = [
    "PCP", "BestPosition", "BitCount", "Black", "Board", "Capture", "CaptureTree",
    "ChosenPosition", "CombineCaptureTrees", "DepthLimit", "FinalPosition",
    "FindMoveList", "Join", "LastRows", "LegalPositionsFrom", "Logical", "MakeMove",
    "MinList", "Next", "NextMoveDirection", "NonCapture", "Null",
    "PartialCapturePositionList", "PartialPositionList", "PositionValue",
    "PrintPosition", "RemainingPositionList", "Resign", "Shift", "SingleDigitFrom",
    "Squares", "StartPosition", "Strength", "Terminal", "TerminalValue", "White",
    "Zero", "board",
]
# fmt: on

if __name__ == "__main__":
    start_program()

Nil = list[Never]
Position = tuple[int, int, int, int]
Move = tuple[int, int, int, int, int]
Tree = tuple[int, int, int, float]


def _ChosenPosition(P: Position) -> Position | str | Nil:
    """
    ChosenPosition(P) = value of
        § let L = LegalPositionsFrom(P)
          if Null(L) then Resign
          let (p,v) = BestPosition(NIL, - ∞,L,0)
          result is p §
    """
    L = _LegalPositionsFrom(P)
    if not L:
        return "Resign"
    P_1: Position | Nil = []
    V = -infinity
    L_1 = L
    while L_1:
        p, l = Next(L_1)
        v = -_PositionValue(p, 1)
        if v > V:
            P_1, V, L_1 = p, v, l
        else:
            L_1 = l
    p_1 = P_1
    return p_1


def _BestPosition(
    P: Position | Nil, V: float, L: list[Position], d: int
) -> tuple[Position | Nil, float]:
    """
    BestPosition(P,V,L,d) = Null(L) → (P,V), value of
        § let (p, l) = Next(L)
          let v = - PositionValue(p,d + 1)
          result is (v > V) → BestPosition(p,v,l,d),
                              BestPosition(P,V,l,d) §
    """
    while L:
        p, l = Next(L)
        v = -_PositionValue(p, d + 1)
        if v > V:
            P, V, L = p, v, l
        else:
            L = l
    return P, V


def _PositionValue(P: Position, d: int) -> float:
    """
    PositionValue(P,d) = Terminal(P,d) → TerminalValue(P), value of
        § let L = LegalPositionsFrom(P)
          let (p,v) = BestPosition(NIL,- ∞,L,d)
          result is v §
    """
    X, Y, K, sigma = P
    if d > 2 or Null(_LegalPositionsFrom(P)) or Y == 0:
        return _TerminalValue(P)
    L = _LegalPositionsFrom(P)
    p, v = _BestPosition([], -infinity, L, d)
    return v


def _LegalPositionsFrom(P: Position) -> list[Position]:
    """
    LegalPositionsFrom(P) = value of
        § let L = RemainingPositionList(P,Capture,5)
          result is Null(L)→RemainingPositionList(P,NonCapture,5),L §
    """
    X, Y, K, sigma = P
    Empty = ~X & ~Y & _Board
    psi = ShiftBits(Empty, sigma * 5) & Y
    Phi = ShiftBits(psi, sigma * 5) & X
    out: list[Position] = []
    L = Phi
    while L:
        Phi_1 = L & -L
        psi_1 = ShiftBits(Phi_1, -sigma * 5)
        theta = ShiftBits(psi_1, -sigma * 5)
        if not Phi_1 & K:
            Xk = theta & _LastRows
        else:
            Xk = theta
        Ip = (X & ~Phi_1 | theta, Y & ~psi_1, K & ~psi_1 & ~Phi_1 | Xk, sigma, theta)
        _CaptureTree_into(Ip, out)
        L &= ~Phi_1
    psi_2 = ShiftBits(Empty, sigma * 4) & Y
    Phi_2 = ShiftBits(psi_2, sigma * 4) & X
    L_1 = Phi_2
    while L_1:
        Phi_3 = L_1 & -L_1
        psi_3 = ShiftBits(Phi_3, -sigma * 4)
        theta_1 = ShiftBits(psi_3, -sigma * 4)
        if not Phi_3 & K:
            Xk_1 = theta_1 & _LastRows
        else:
            Xk_1 = theta_1
        Ip_1 = (
            X & ~Phi_3 | theta_1,
            Y & ~psi_3,
            K & ~psi_3 & ~Phi_3 | Xk_1,
            sigma,
            theta_1,
        )
        _CaptureTree_into(Ip_1, out)
        L_1 &= ~Phi_3
    psi_4 = ShiftBits(Empty, sigma * -4) & Y
    Phi_4 = ShiftBits(psi_4, sigma * -4) & X
    L_2 = Phi_4 & K
    while L_2:
        Phi_5 = L_2 & -L_2
        psi_5 = ShiftBits(Phi_5, -sigma * -4)
        theta_2 = ShiftBits(psi_5, -sigma * -4)
        if not Phi_5 & K:
            Xk_2 = theta_2 & _LastRows
        else:
            Xk_2 = theta_2
        Ip_2 = (
            X & ~Phi_5 | theta_2,
            Y & ~psi_5,
            K & ~psi_5 & ~Phi_5 | Xk_2,
            sigma,
            theta_2,
        )
        _CaptureTree_into(Ip_2, out)
        L_2 &= ~Phi_5
    psi_6 = ShiftBits(Empty, sigma * -5) & Y
    Phi_6 = ShiftBits(psi_6, sigma * -5) & X
    L_3 = Phi_6 & K
    while L_3:
        Phi_7 = L_3 & -L_3
        psi_7 = ShiftBits(Phi_7, -sigma * -5)
        theta_3 = ShiftBits(psi_7, -sigma * -5)
        if not Phi_7 & K:
            Xk_3 = theta_3 & _LastRows
        else:
            Xk_3 = theta_3
        Ip_3 = (
            X & ~Phi_7 | theta_3,
            Y & ~psi_7,
            K & ~psi_7 & ~Phi_7 | Xk_3,
            sigma,
            theta_3,
        )
        _CaptureTree_into(Ip_3, out)
        L_3 &= ~Phi_7
    if not out:
        Phi_8 = ShiftBits(Empty, sigma * 5) & X
        out_1: list[Position] = []
        L_4 = Phi_8
        while L_4:
            Phi_9 = L_4 & -L_4
            theta_4 = ShiftBits(Phi_9, -sigma * 5)
            if not Phi_9 & K:
                Xk_4 = theta_4 & _LastRows
            else:
                Xk_4 = theta_4
            X_1 = X & ~Phi_9 | theta_4
            K_1 = K & ~Phi_9 | Xk_4
            out_1.append((Y, X_1, K_1, -sigma))
            L_4 &= ~Phi_9
        Phi_10 = ShiftBits(Empty, sigma * 4) & X
        L_5 = Phi_10
        while L_5:
            Phi_11 = L_5 & -L_5
            theta_5 = ShiftBits(Phi_11, -sigma * 4)
            if not Phi_11 & K:
                Xk_5 = theta_5 & _LastRows
            else:
                Xk_5 = theta_5
            X_2 = X & ~Phi_11 | theta_5
            K_2 = K & ~Phi_11 | Xk_5
            out_1.append((Y, X_2, K_2, -sigma))
            L_5 &= ~Phi_11
        Phi_12 = ShiftBits(Empty, sigma * -4) & X
        L_6 = Phi_12 & K
        while L_6:
            Phi_13 = L_6 & -L_6
            theta_6 = ShiftBits(Phi_13, -sigma * -4)
            if not Phi_13 & K:
                Xk_6 = theta_6 & _LastRows
            else:
                Xk_6 = theta_6
            X_3 = X & ~Phi_13 | theta_6
            K_3 = K & ~Phi_13 | Xk_6
            out_1.append((Y, X_3, K_3, -sigma))
            L_6 &= ~Phi_13
        Phi_14 = ShiftBits(Empty, sigma * -5) & X
        L_7 = Phi_14 & K
        while L_7:
            Phi_15 = L_7 & -L_7
            theta_7 = ShiftBits(Phi_15, -sigma * -5)
            if not Phi_15 & K:
                Xk_7 = theta_7 & _LastRows
            else:
                Xk_7 = theta_7
            X_4 = X & ~Phi_15 | theta_7
            K_4 = K & ~Phi_15 | Xk_7
            out_1.append((Y, X_4, K_4, -sigma))
            L_7 &= ~Phi_15
        return out_1
    return out


def _RemainingPositionList_into(
    P: Position, C: str, s: int, out: list[Position]
) -> None:
    """Put what RemainingPositionList gives into a list."""
    X, Y, K, sigma = P
    Empty = ~X & ~Y & _Board
    if C == "Capture":
        psi = ShiftBits(Empty, sigma * s) & Y
    else:
        psi = Empty
    Phi = ShiftBits(psi, sigma * s) & X
    _PartialPositionList_into(P, C, s, Phi if s > 0 else Phi & K, out)


def _RemainingPositionList(P: Position, C: str, s: int) -> list[Position]:
    """
    RemainingPositionList(P,C,s) =
        PartialPositionList(P,C,s,FindMoveList(P,C,s))
    """
    X, Y, K, sigma = P
    Empty = ~X & ~Y & _Board
    if C == "Capture":
        psi = ShiftBits(Empty, sigma * s) & Y
    else:
        psi = Empty
    Phi = ShiftBits(psi, sigma * s) & X
    if s > 0:
        L = Phi
    else:
        L = Phi & K
    out: list[Position] = []
    _PartialPositionList_into(P, C, s, L, out)
    return out


def _PartialPositionList_into(
    P: Position, C: str, s: int, L: int, out: list[Position]
) -> None:
    """Put what PartialPositionList gives into a list."""
    while L:
        Phi = L & -L
        Ip = _MakeMove(P, C, s, Phi)
        if C == "Capture":
            _CaptureTree_into(Ip, out)
        else:
            X, Y, K, sigma, Phi_1 = Ip
            out.append((Y, X, K, -sigma))
        L = L & ~Phi
    if s != -5:
        if s == 5:
            s_1 = 4
        elif s == 4:
            s_1 = -4
        else:
            s_1 = -5
        _RemainingPositionList_into(P, C, s_1, out)


def _PartialPositionList(P: Position, C: str, s: int, L: int) -> list[Position]:
    """
    PartialPositionList(P,C,s,L) =
        Null(L)→( (s = -5)→NIL,
                  RemainingPositionList(P,C,NextMoveDirection(s) )), ## added )
        value of
        § let Φ = SingleDigitFrom(L)
          let Ip = MakeMove(P,C,s,Φ)
          let l = (C = Capture)→CaptureTree(Ip),
                                FinalPosition(Ip)
          result is Join(l,PartialPositionList(P,C,s, L - Φ))§
    """
    out: list[Position] = []
    _PartialPositionList_into(P, C, s, L, out)
    return out


def NextMoveDirection(s: float) -> int:
    """NextMoveDirection(s) = (s = 5) → 4, ( (s = 4) → - 4, -5)"""
    if s == 5:
        return 4
    if s == 4:
        return -4
    return -5


def _FindMoveList(P: Position, C: str, s: int) -> int:
    """
    FindMoveList(P,C,s) = value of
        § let (X,Y,K,σ) = P
          let Empty = ~ X ∧ ~ Y ∧ Board
          let ψ = (C = Capture) → (Shift(Empty,σs) ∧ Y), Empty
          let Φ = Shift(ψ, σs) ∧ X
          result is (s > 0) → Φ, Φ ∧ K §
    """
    X, Y, K, sigma = P
    Empty = ~X & ~Y & _Board
    if C == "Capture":
        psi = ShiftBits(Empty, sigma * s) & Y
    else:
        psi = Empty
    Phi = ShiftBits(psi, sigma * s) & X
    if s > 0:
        return Phi
    return Phi & K


def _MakeMove(P: Position, C: str, s: int, Phi: int) -> Move:
    """
    MakeMove(P,C,s,Φ) = value of ## changed NIL to Zero in ψ; modified kings in Xk and result
        § let (X,Y,K,σ) = P
          let ψ = (C = Capture) → Shift(Φ, - σs), Zero
          let θ = (C = Capture) → Shift(ψ, - σs), Shift(Φ, - σs)
          let Xk = Null(Φ ∧ K) → (θ ∧ LastRows), θ
          result is ((X - Φ + θ), (Y - ψ), (K - ψ - Φ + Xk),σ,θ)§
    """
    X, Y, K, sigma = P
    if C == "Capture":
        psi = ShiftBits(Phi, -sigma * s)
    else:
        psi = 0
    if C == "Capture":
        theta = ShiftBits(psi, -sigma * s)
    else:
        theta = ShiftBits(Phi, -sigma * s)
    if not Phi & K:
        Xk = theta & _LastRows
    else:
        Xk = theta
    return X & ~Phi | theta, Y & ~psi, K & ~psi & ~Phi | Xk, sigma, theta


def FinalPosition(Ip: tuple[Any, Any, Any, float, Any]) -> tuple[Any, Any, Any, float]:
    """
    FinalPosition(Ip) = value of
        § let (X,Y,K,σ,Φ) = Ip
          result is (Y,X,K, - σ)§
    """
    X, Y, K, sigma, Phi = Ip
    return Y, X, K, -sigma


def _CaptureTree_into(Ip: Move, out: list[Position]) -> None:
    """Put what CaptureTree gives into a list."""
    L = _PartialCapturePositionList(Ip)
    if not L:
        X, Y, K, sigma, Phi = Ip
        out.append((Y, X, K, -sigma))
    else:
        _CombineCaptureTrees_into(L, out)


def _CaptureTree(Ip: Move) -> Tree | list[Position]:
    """
    CaptureTree(Ip) = value of
        § let L = PartialCapturePositionList(Ip)
          result is Null(L) → (FinalPosition(Ip) ),
                              CombineCaptureTrees(L) §
    """
    L = _PartialCapturePositionList(Ip)
    if not L:
        X, Y, K, sigma, Phi = Ip
        return Y, X, K, -sigma
    out: list[Position] = []
    _CombineCaptureTrees_into(L, out)
    return out


def _PartialCapturePositionList(Ip: Move) -> list[Move]:
    """
    PartialCapturePositionList(Ip) = value of
        § let (X,Y,K,σ,Φ) = Ip
          let P = (X,Y,K,σ)
          result is MinList(PCP(P,Φ,5),PCP(P,Φ,4),
                            PCP(P,Φ ∧ K, - 4),
                            PCP(P,Φ ∧ K, - 5) )§
    """
    X, Y, K, sigma, Phi = Ip
    psi = ShiftBits(Phi, -sigma * 5) & Y
    Empty = ~X & ~Y & _Board
    theta = ShiftBits(psi, -sigma * 5) & Empty
    if not Phi & K:
        Xk = theta & _LastRows
    else:
        Xk = theta & ~Phi
    if not theta:
        x: Move | Nil = []
    else:
        x = (X & ~Phi | theta, Y & ~psi, K & ~psi & ~Phi | Xk, sigma, theta)
    psi_1 = ShiftBits(Phi, -sigma * 4) & Y
    theta_1 = ShiftBits(psi_1, -sigma * 4) & Empty
    if not Phi & K:
        Xk_1 = theta_1 & _LastRows
    else:
        Xk_1 = theta_1 & ~Phi
    if not theta_1:
        x_1: Move | Nil = []
    else:
        x_1 = (X & ~Phi | theta_1, Y & ~psi_1, K & ~psi_1 & ~Phi | Xk_1, sigma, theta_1)
    Phi_1 = Phi & K
    psi_2 = ShiftBits(Phi_1, -sigma * -4) & Y
    theta_2 = ShiftBits(psi_2, -sigma * -4) & Empty
    if not Phi_1 & K:
        Xk_2 = theta_2 & _LastRows
    else:
        Xk_2 = theta_2 & ~Phi_1
    if not theta_2:
        x_2: Move | Nil = []
    else:
        x_2 = (
            X & ~Phi_1 | theta_2,
            Y & ~psi_2,
            K & ~psi_2 & ~Phi_1 | Xk_2,
            sigma,
            theta_2,
        )
    psi_3 = ShiftBits(Phi_1, -sigma * -5) & Y
    theta_3 = ShiftBits(psi_3, -sigma * -5) & Empty
    if not Phi_1 & K:
        Xk_3 = theta_3 & _LastRows
    else:
        Xk_3 = theta_3 & ~Phi_1
    return MinList(
        x,
        x_1,
        x_2,
        (
            []
            if not theta_3
            else (
                X & ~Phi_1 | theta_3,
                Y & ~psi_3,
                K & ~psi_3 & ~Phi_1 | Xk_3,
                sigma,
                theta_3,
            )
        ),
    )


def _PCP(P: Position, Phi: int, s: int) -> Move | Nil:
    """
    PCP(P,Φ,s) = value of ## modified kings in Xk and result
        § let (X,Y,K,σ) = P
          let ψ = Shift(Φ, - σs) ∧ Y
          let Empty = ~ X ∧ ~ Y ∧ Board
          let θ = Shift(ψ, - σs) ∧ Empty
          let Xk = Null(Φ ∧ K) → (θ ∧ LastRows), (θ - Φ)
          result is Null(θ) → NIL,
                    ((X - Φ + θ),(Y - ψ),(K - ψ - Φ + Xk),σ,θ)§
    """
    X, Y, K, sigma = P
    psi = ShiftBits(Phi, -sigma * s) & Y
    Empty = ~X & ~Y & _Board
    theta = ShiftBits(psi, -sigma * s) & Empty
    if not Phi & K:
        Xk = theta & _LastRows
    else:
        Xk = theta & ~Phi
    if not theta:
        return []
    return X & ~Phi | theta, Y & ~psi, K & ~psi & ~Phi | Xk, sigma, theta


def _CombineCaptureTrees_into(L: list[Move], out: list[Position]) -> None:
    """Put what CombineCaptureTrees gives into a list."""
    while not Null(L):
        Ip, l = Next(L)
        _CaptureTree_into(Ip, out)
        L = l


def _CombineCaptureTrees(L: list[Move]) -> list[Position]:
    """
    CombineCaptureTrees(L) = Null(L) → NIL, value of
        § let (Ip,l) = Next(L)
          result is Join(CaptureTree(Ip),CombineCaptureTrees(l) )§
    """
    out: list[Position] = []
    _CombineCaptureTrees_into(L, out)
    return out


# From checkers-1966.cpl
#
# What Strachey's checkers program of 1966 assumes and does not print.
#
# He described these functions in words, or left them to the reader; the CPL was written
# for this reproduction of his program.


# σ is also the direction of play: Black moves up the numbers of the squares, White down.
Black = 1
White = -1

# The two kinds of move.
Capture = "Capture"
NonCapture = "NonCapture"

# What a player without a move says.
Resign = "Resign"

# Positions more plies ahead than this are not searched: their pieces are counted.
DepthLimit = 2

# No square at all.
_Zero = 0


# The squares from a to b as a bit string.
def _Squares(a: int, b: int) -> int:
    """Squares(a,b) = a > b → Zero, Logical([a]) ∨ Squares(a + 1, b)"""
    if a > b:
        return 0
    return AsBits(Logical([a]), bits) | _Squares(a + 1, b)


# The squares are numbered 5 to 12, 14 to 21, 23 to 30 and 32 to 39, two rows at a time.
# Since 13, 22 and 31 are left out, every step is one of 4 or 5, up or down, and none wraps
# round an edge of the board.
_Board = _Squares(5, 12) | _Squares(14, 21) | _Squares(23, 30) | _Squares(32, 39)

# The first and the last row: a man that arrives on either has crossed the board.
_LastRows = _Squares(5, 8) | _Squares(36, 39)

# Black's men on the first three rows, White's on the last three, Black to move.
_StartPosition = (
    _Squares(5, 12) | _Squares(14, 17),
    _Squares(27, 30) | _Squares(32, 39),
    _Zero,
    Black,
)


# A position is terminal if it lies beyond the depth limit, if the player to move has no
# move, or if his opponent has no pieces.
def _Terminal(P: Position, d: float) -> bool:
    """
    Terminal(P,d) = value of
      § let (X,Y,K,σ) = P
        result is d > DepthLimit ∨ Null(LegalPositionsFrom(P)) ∨ Null(Y) §|
    """
    X, Y, K, sigma = P
    return d > 2 or Null(_LegalPositionsFrom(P)) or Y == 0


# The value of a terminal position to the player to move: he loses if he cannot move, wins
# if his opponent has no pieces, and otherwise counts his pieces against the opponent's.
def _TerminalValue(P: Position) -> float:
    """
    TerminalValue(P) = value of
      § let (X,Y,K,σ) = P
        result is Null(LegalPositionsFrom(P)) → -∞,
                  Null(Y) → ∞,
                  Strength(X,K) - Strength(Y,K) §|
    """
    X, Y, K, sigma = P
    if not _LegalPositionsFrom(P):
        return -infinity
    if not Y:
        return infinity
    return _Strength(X, K) - _Strength(Y, K)


# A man counts one, a king four more.
def _Strength(Z: int, K: int) -> int:
    """Strength(Z,K) = BitCount(Z) + 4×BitCount(Z ∧ K)"""
    return _BitCount(Z) + 4 * _BitCount(Z & K)


# The number of ones in a bit string.
def _BitCount(x: int) -> int:
    """BitCount(x) = Null(x) → 0, 1 + BitCount(x - SingleDigitFrom(x))"""
    if not x:
        return 0
    return 1 + _BitCount(x & ~(x & -x))


# Outside of this module bit strings are Logical. Inside they are whole numbers.


ChosenPosition = AsLogical(
    _ChosenPosition, Function(((bits, bits, bits, other),), (bits, bits, bits, other))
)
BestPosition = AsLogical(
    _BestPosition,
    Function(
        ((bits, bits, bits, other), other, [(bits, bits, bits, other)], other),
        ((bits, bits, bits, other), other),
    ),
)
PositionValue = AsLogical(
    _PositionValue, Function(((bits, bits, bits, other), other), other)
)
LegalPositionsFrom = AsLogical(
    _LegalPositionsFrom,
    Function(((bits, bits, bits, other),), [(bits, bits, bits, other)]),
)
RemainingPositionList = AsLogical(
    _RemainingPositionList,
    Function(((bits, bits, bits, other), other, other), [(bits, bits, bits, other)]),
)
PartialPositionList = AsLogical(
    _PartialPositionList,
    Function(
        ((bits, bits, bits, other), other, other, bits), [(bits, bits, bits, other)]
    ),
)
FindMoveList = AsLogical(
    _FindMoveList, Function(((bits, bits, bits, other), other, other), bits)
)
MakeMove = AsLogical(
    _MakeMove,
    Function(
        ((bits, bits, bits, other), other, other, bits), (bits, bits, bits, other, bits)
    ),
)
CaptureTree = AsLogical(
    _CaptureTree,
    Function(
        ((bits, bits, bits, other, bits),),
        Either((bits, bits, bits, other), [(bits, bits, bits, other)]),
    ),
)
PartialCapturePositionList = AsLogical(
    _PartialCapturePositionList,
    Function(((bits, bits, bits, other, bits),), [(bits, bits, bits, other, bits)]),
)
PCP = AsLogical(
    _PCP,
    Function(((bits, bits, bits, other), bits, other), (bits, bits, bits, other, bits)),
)
CombineCaptureTrees = AsLogical(
    _CombineCaptureTrees,
    Function(([(bits, bits, bits, other, bits)],), [(bits, bits, bits, other)]),
)
Zero = AsLogical(_Zero, bits)
Squares = AsLogical(_Squares, Function((other, other), bits))
Board = AsLogical(_Board, bits)
LastRows = AsLogical(_LastRows, bits)
StartPosition = AsLogical(_StartPosition, (bits, bits, bits, other))
Terminal = AsLogical(_Terminal, Function(((bits, bits, bits, other), other), other))
TerminalValue = AsLogical(_TerminalValue, Function(((bits, bits, bits, other),), other))
Strength = AsLogical(_Strength, Function((bits, bits), other))
BitCount = AsLogical(_BitCount, Function((bits,), other))


# Lines of strachey.cpl: 74-75=2-3 77-79=4 80-83=7-10 84=10 86=11 87=7 88=5 101-104=7-10
#   105=10 107=11 108=7 118=13 120-123=13-16 132=19 133-135=39-41 136=26 137=42 138=26
#   139=29 140-142=46-48 143=48 145-146=48-49 147=31 148=33 149-151=40-42 152=26 153=29
#   154-156=46-48 157=48 159-160=48-49 161-163=49 164=38 165-166=49 167=31 168=33
#   169-171=40-42 172=26 173=29 174-176=46-48 177=48 179-180=48-49 181-183=49 184=38
#   185-186=49 187=31 188=33 189-191=40-42 192=26 193=29 194-196=46-48 197=48
#   199-200=48-49 201-203=49 204=38 205-206=49 207=31 208=33 209=20 210=41 211=26 212=42
#   213=26 214=29 215-216=47-48 217=48 219-220=48-49 221=49 222=53 223=33 224-225=41-42
#   226=26 227=29 228-229=47-48 230=48 232-233=48-49 234=49 235=53 236=33 237-238=41-42
#   239=26 240=29 241-242=47-48 243=48 245-246=48-49 247=49 248=53 249=33 250-251=41-42
#   252=26 253=29 254-255=47-48 256=48 258-259=48-49 260=49 261=53 262=33 263-264=26
#   271=23 272-273=39-40 274=40 276-277=40-41 278=23 286=23 287-288=39-40 289=40
#   291-293=40-42 294=42 296=42 297-299=26 306=26 307-309=29-31 310=31 312=32 313=53
#   314=33 315=26 316-319=35 321=35 322=27 337-339=26 344-348=35 360-362=38-40 363=40
#   365-367=40-42 368-369=42 381-382=45-46 383=46 386-387=47 389-390=47-48 391=48
#   393-394=48-49 403-404=52-53 409-410=56-57 411=57 412=53 414=58 424-425=56-57 426=57
#   427=53 428-430=76 442=61 443-446=69-72 447=72 449-450=72-73 451=73 453=74 454=69
#   455-456=71-72 457=72 459-460=72-73 461=73 463=74 464=64 465=69 466-467=71-72 468=72
#   470-471=72-73 472=73 474-477=74 478=62 479-480=74 481=69 482-483=71-72 484=72 486=72
#   487=63 488-490=73 491=63 492-493=73 494-497=74 498=62 499=74 500-502=63
#   516-520=68-72 521=72 523-524=72-73 525-526=73-74 531-533=76-78 534=78 543-545=76
#   646-648=1 649-655=7 656-658=13 659-662=18 663-666=22 667-672=25 673-675=37
#   676-681=44 682-688=55 689-692=60 693-696=67 697-700=76
# Lines of checkers-1966.cpl: 76=15 119=41 385=21 557-558=7-8 561-562=11-12 565=15
#   568=18 571=21 577=35 578=21 579=35 585=26 588=29 591-593=32 594=21 595-596=32
#   607-608=40-41 621-622=46-47 623-624=47-48 625-626=48-49 632=52 638-640=55 701=21
#   702=35 703=26 704=29 705=32 706=39 707=45 708=52 709=55
