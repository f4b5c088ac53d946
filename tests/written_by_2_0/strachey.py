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

Compiled from strachey.cpl and checkers-1966.cpl by cplc; the docstrings are the CPL.
"""

from typing import Never

from cplrt import Join, Logical, MinList, Next, Null, Shift, SingleDigitFrom, infinity
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

Nil = list[Never]
Position = tuple[Logical, Logical, Logical, int]
Move = tuple[Logical, Logical, Logical, int, Logical]


def ChosenPosition(P: Position) -> Position | str | Nil:
    """
    ChosenPosition(P) = value of
        § let L = LegalPositionsFrom(P)
          if Null(L) then Resign
          let (p,v) = BestPosition(NIL, - ∞,L,0)
          result is p §
    """
    L = LegalPositionsFrom(P)
    if Null(L):
        return Resign
    p, v = BestPosition([], -infinity, L, 0)
    return p


def BestPosition(
    P: Position | Nil, V: float, L: list[Position], d: int
) -> tuple[Position | Nil, float]:
    """
    BestPosition(P,V,L,d) = Null(L) → (P,V), value of
        § let (p, l) = Next(L)
          let v = - PositionValue(p,d + 1)
          result is (v > V) → BestPosition(p,v,l,d),
                              BestPosition(P,V,l,d) §
    """
    if Null(L):
        return P, V
    p, l = Next(L)
    v = -PositionValue(p, d + 1)
    if v > V:
        return BestPosition(p, v, l, d)
    return BestPosition(P, V, l, d)


def PositionValue(P: Position, d: int) -> float:
    """
    PositionValue(P,d) = Terminal(P,d) → TerminalValue(P), value of
        § let L = LegalPositionsFrom(P)
          let (p,v) = BestPosition(NIL,- ∞,L,d)
          result is v §
    """
    if Terminal(P, d):
        return TerminalValue(P)
    L = LegalPositionsFrom(P)
    p, v = BestPosition([], -infinity, L, d)
    return v


def LegalPositionsFrom(P: Position) -> list[Position]:
    """
    LegalPositionsFrom(P) = value of
        § let L = RemainingPositionList(P,Capture,5)
          result is Null(L)→RemainingPositionList(P,NonCapture,5),L §
    """
    L = RemainingPositionList(P, Capture, 5)
    if Null(L):
        return RemainingPositionList(P, NonCapture, 5)
    return L


def RemainingPositionList(P: Position, C: str, s: int) -> list[Position]:
    """
    RemainingPositionList(P,C,s) =
        PartialPositionList(P,C,s,FindMoveList(P,C,s))
    """
    return PartialPositionList(P, C, s, FindMoveList(P, C, s))


def PartialPositionList(P: Position, C: str, s: int, L: Logical) -> list[Position]:
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
    if Null(L):
        if s == -5:
            return []
        return RemainingPositionList(P, C, NextMoveDirection(s))
    Phi = SingleDigitFrom(L)
    Ip = MakeMove(P, C, s, Phi)
    if C == Capture:
        l: Position | list[Position] = CaptureTree(Ip)
    else:
        l = FinalPosition(Ip)
    return Join(l, PartialPositionList(P, C, s, L - Phi))


def NextMoveDirection(s: int) -> int:
    """NextMoveDirection(s) = (s = 5) → 4, ( (s = 4) → - 4, -5)"""
    if s == 5:
        return 4
    if s == 4:
        return -4
    return -5


def FindMoveList(P: Position, C: str, s: int) -> Logical:
    """
    FindMoveList(P,C,s) = value of
        § let (X,Y,K,σ) = P
          let Empty = ~ X ∧ ~ Y ∧ Board
          let ψ = (C = Capture) → (Shift(Empty,σs) ∧ Y), Empty
          let Φ = Shift(ψ, σs) ∧ X
          result is (s > 0) → Φ, Φ ∧ K §
    """
    X, Y, K, sigma = P
    Empty = ~X & ~Y & Board
    if C == Capture:
        psi = Shift(Empty, sigma * s) & Y
    else:
        psi = Empty
    Phi = Shift(psi, sigma * s) & X
    if s > 0:
        return Phi
    return Phi & K


def MakeMove(P: Position, C: str, s: int, Phi: Logical) -> Move:
    """
    MakeMove(P,C,s,Φ) = value of ## changed NIL to Zero in ψ; modified kings in Xk and result
        § let (X,Y,K,σ) = P
          let ψ = (C = Capture) → Shift(Φ, - σs), Zero
          let θ = (C = Capture) → Shift(ψ, - σs), Shift(Φ, - σs)
          let Xk = Null(Φ ∧ K) → (θ ∧ LastRows), θ
          result is ((X - Φ + θ), (Y - ψ), (K - ψ - Φ + Xk),σ,θ)§
    """
    X, Y, K, sigma = P
    if C == Capture:
        psi = Shift(Phi, -sigma * s)
    else:
        psi = Zero
    if C == Capture:
        theta = Shift(psi, -sigma * s)
    else:
        theta = Shift(Phi, -sigma * s)
    if Null(Phi & K):
        Xk = theta & LastRows
    else:
        Xk = theta
    return X - Phi + theta, Y - psi, K - psi - Phi + Xk, sigma, theta


def FinalPosition(Ip: Move) -> Position:
    """
    FinalPosition(Ip) = value of
        § let (X,Y,K,σ,Φ) = Ip
          result is (Y,X,K, - σ)§
    """
    X, Y, K, sigma, Phi = Ip
    return Y, X, K, -sigma


def CaptureTree(Ip: Move) -> Position | list[Position]:
    """
    CaptureTree(Ip) = value of
        § let L = PartialCapturePositionList(Ip)
          result is Null(L) → (FinalPosition(Ip) ),
                              CombineCaptureTrees(L) §
    """
    L = PartialCapturePositionList(Ip)
    if Null(L):
        return FinalPosition(Ip)
    return CombineCaptureTrees(L)


def PartialCapturePositionList(Ip: Move) -> list[Move]:
    """
    PartialCapturePositionList(Ip) = value of
        § let (X,Y,K,σ,Φ) = Ip
          let P = (X,Y,K,σ)
          result is MinList(PCP(P,Φ,5),PCP(P,Φ,4),
                            PCP(P,Φ ∧ K, - 4),
                            PCP(P,Φ ∧ K, - 5) )§
    """
    X, Y, K, sigma, Phi = Ip
    P = (X, Y, K, sigma)
    return MinList(
        PCP(P, Phi, 5), PCP(P, Phi, 4), PCP(P, Phi & K, -4), PCP(P, Phi & K, -5)
    )


def PCP(P: Position, Phi: Logical, s: int) -> Move | Nil:
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
    psi = Shift(Phi, -sigma * s) & Y
    Empty = ~X & ~Y & Board
    theta = Shift(psi, -sigma * s) & Empty
    if Null(Phi & K):
        Xk = theta & LastRows
    else:
        Xk = theta - Phi
    if Null(theta):
        return []
    return X - Phi + theta, Y - psi, K - psi - Phi + Xk, sigma, theta


def CombineCaptureTrees(L: list[Move]) -> list[Position]:
    """
    CombineCaptureTrees(L) = Null(L) → NIL, value of
        § let (Ip,l) = Next(L)
          result is Join(CaptureTree(Ip),CombineCaptureTrees(l) )§
    """
    if Null(L):
        return []
    Ip, l = Next(L)
    return Join(CaptureTree(Ip), CombineCaptureTrees(l))


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
Zero = Logical(0)


# The squares from a to b as a bit string.
def Squares(a: int, b: int) -> Logical:
    """Squares(a,b) = a > b → Zero, Logical([a]) ∨ Squares(a + 1, b)"""
    if a > b:
        return Zero
    return Logical([a]) | Squares(a + 1, b)


# The squares are numbered 5 to 12, 14 to 21, 23 to 30 and 32 to 39, two rows at a time.
# Since 13, 22 and 31 are left out, every step is one of 4 or 5, up or down, and none wraps
# round an edge of the board.
Board = Squares(5, 12) | Squares(14, 21) | Squares(23, 30) | Squares(32, 39)

# The first and the last row: a man that arrives on either has crossed the board.
LastRows = Squares(5, 8) | Squares(36, 39)

# Black's men on the first three rows, White's on the last three, Black to move.
StartPosition = (
    Squares(5, 12) | Squares(14, 17),
    Squares(27, 30) | Squares(32, 39),
    Zero,
    Black,
)


# A position is terminal if it lies beyond the depth limit, if the player to move has no
# move, or if his opponent has no pieces.
def Terminal(P: Position, d: int) -> bool:
    """
    Terminal(P,d) = value of
      § let (X,Y,K,σ) = P
        result is d > DepthLimit ∨ Null(LegalPositionsFrom(P)) ∨ Null(Y) §|
    """
    X, Y, K, sigma = P
    return d > DepthLimit or Null(LegalPositionsFrom(P)) or Null(Y)


# The value of a terminal position to the player to move: he loses if he cannot move, wins
# if his opponent has no pieces, and otherwise counts his pieces against the opponent's.
def TerminalValue(P: Position) -> float:
    """
    TerminalValue(P) = value of
      § let (X,Y,K,σ) = P
        result is Null(LegalPositionsFrom(P)) → -∞,
                  Null(Y) → ∞,
                  Strength(X,K) - Strength(Y,K) §|
    """
    X, Y, K, sigma = P
    if Null(LegalPositionsFrom(P)):
        return -infinity
    if Null(Y):
        return infinity
    return Strength(X, K) - Strength(Y, K)


# A man counts one, a king four more.
def Strength(Z: Logical, K: Logical) -> int:
    """Strength(Z,K) = BitCount(Z) + 4×BitCount(Z ∧ K)"""
    return BitCount(Z) + 4 * BitCount(Z & K)


# The number of ones in a bit string.
def BitCount(x: Logical) -> int:
    """BitCount(x) = Null(x) → 0, 1 + BitCount(x - SingleDigitFrom(x))"""
    if Null(x):
        return 0
    return 1 + BitCount(x - SingleDigitFrom(x))


# Lines of strachey.cpl: 52-53=2-3 54-56=3-5 69-70=7 71-73=8-10 74-75=10-11 85-86=13
#   87-89=14-16 98-99=19-20 100-101=20 109=23 124-126=26 127=27 128-130=29-31 131=31
#   133-134=32-33 139-143=35 155-157=38-40 158=40 160-162=40-42 163-164=42 176-177=45-46
#   178=46 180-181=46-47 182=47 184-185=47-48 186=48 188-189=48-49 198-199=52-53
#   209-210=56-57 211-212=57-58 224-226=61-63 227-228=63 242-246=68-72 247=72
#   249-250=72-73 251-252=73-74 261-262=76 263-264=77-78
# Lines of checkers-1966.cpl: 276-277=7-8 280-281=11-12 284=15 287=18 290=21 296-298=35
#   304=26 307=29 310-315=32 326-327=40-41 340-341=46-47 342-343=47-48 344-345=48-49
#   351=52 357-359=55
