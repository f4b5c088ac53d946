"""Checkers once more, tile by tile in plain Python: what `programs/checkers.cpl` works out on bit strings.

Written from the seeds' words alone. A board is a list of rows, a player "red" or "black", a step is (±1, ±1).
"""

import random
from collections.abc import Iterator
from itertools import pairwise

Board = list[list[int]]
Tile = tuple[int, int]

OWN = {"red": (1, 2), "black": (3, 4)}
OPPONENT = {"red": "black", "black": "red"}
FORWARD = {"red": 1, "black": -1}
FARTHEST = {"red": 7, "black": 0}
DARK = [(row, column) for row in range(8) for column in range(8) if (row + column) % 2]


def at(board: Board, tile: Tile) -> int | None:
    row, column = tile
    return board[row][column] if 0 <= row < 8 and 0 <= column < 8 else None


def further(tile: Tile, step: Tile, times: int = 1) -> Tile:
    return tile[0] + times * step[0], tile[1] + times * step[1]


def pieces(board: Board, player: str) -> list[Tile]:
    return [tile for tile in DARK if at(board, tile) in OWN[player]]


def directions(board: Board, tile: Tile) -> list[Tile]:
    piece = at(board, tile)
    ahead = 1 if piece == 1 else -1
    rows = (ahead,) if piece in (1, 3) else (-1, 1)
    return [(row, column) for row in rows for column in (-1, 1)]


def moved(board: Board, *path: Tile) -> Board:
    """The board after a path; a man who has reached the farthest row is a king."""
    after = [[*row] for row in board]
    (row, column), (last, place) = path[0], path[-1]
    piece = after[row][column]
    for one, other in pairwise(path):
        after[one[0]][one[1]] = 0
        if abs(one[0] - other[0]) == 2:
            after[(one[0] + other[0]) // 2][(one[1] + other[1]) // 2] = 0
    after[last][place] = {(1, 7): 2, (3, 0): 4}.get((piece, last), piece)
    return after


def steps(board: Board, player: str) -> Iterator[list[Tile]]:
    for tile in pieces(board, player):
        for step in directions(board, tile):
            if at(board, further(tile, step)) == 0:
                yield [tile, further(tile, step)]


def jumps(board: Board, player: str) -> Iterator[list[Tile]]:
    for tile in pieces(board, player):
        yield from (path for path in _ways(board, player, tile, directions(board, tile)) if len(path) > 1)


def _ways(board: Board, player: str, tile: Tile, steps: list[Tile]) -> Iterator[list[Tile]]:
    ended = True
    for step in steps:
        over, beyond = further(tile, step), further(tile, step, 2)
        if at(board, over) in OWN[OPPONENT[player]] and at(board, beyond) == 0:
            ended = False
            after = [[*row] for row in board]
            after[beyond[0]][beyond[1]], after[tile[0]][tile[1]], after[over[0]][over[1]] = (
                board[tile[0]][tile[1]],
                0,
                0,
            )
            yield from ([tile, *rest] for rest in _ways(after, player, beyond, steps))
    if ended:
        yield [tile]


def actions(board: Board, player: str) -> list[list[Tile]]:
    return [*jumps(board, player)] or [*steps(board, player)]


def endangered(board: Board, player: str, tile: Tile) -> bool:
    """Whether an opposing piece could jump over whatever stands on a tile."""
    opponent = OPPONENT[player]
    return any(
        at(board, enemy) in OWN[opponent]
        and (-step[0], -step[1]) in directions(board, enemy)
        and at(board, further(tile, step, -1)) == 0
        for step in ((1, 1), (1, -1), (-1, 1), (-1, -1))
        for enemy in [further(tile, step)]
    )


def features(board: Board, player: str) -> dict[str, int]:
    """What the eight strategies say, and the pieces; each as its definition in docs/descriptions.md has it."""
    opponent = OPPONENT[player]
    mine, theirs = [*jumps(board, player)], [*jumps(board, opponent)]
    safe = [path for path in steps(board, opponent) if not endangered(moved(board, *path), opponent, path[1])]
    men = [tile for tile in pieces(board, player) if at(board, tile) == OWN[player][0]]
    home = FARTHEST[opponent]
    theirs_uncrowned = any(at(board, tile) == OWN[opponent][0] for tile in DARK)
    between = [
        tile
        for tile in pieces(board, player)
        if not endangered(board, player, tile)
        and any(
            at(board, further(tile, step)) in OWN[opponent] and at(board, further(tile, step, -1)) in OWN[player]
            for step in ((FORWARD[player], -1), (FORWARD[player], 1))
        )
    ]
    return {
        "CaptureStep": int(bool(mine)),
        "Confinement": -len(safe),
        "MultipleCapture": max([0, *(len(path) - 2 for path in mine)]),
        "BlockedLanes": sum(row == home for row, _ in pieces(board, player)) if theirs_uncrowned else 0,
        "OneSidedCapture": int(bool(mine) and not theirs),
        "Contact": len(between),
        "Recapture": int(all(any(jumps(moved(board, *path), player)) for path in theirs)),
        "SafeRunners": sum(_runs(board, player, tile) for tile in men),
        "Pieces": len(pieces(board, player)),
        "Kings": len(pieces(board, player)) - len(men),
    }


def _runs(board: Board, player: str, tile: Tile) -> bool:
    """Whether a man has a way to the farthest row: a safe step, then tiles that are empty and not endangered now."""
    return any(
        at(board, ahead) == 0
        and not endangered(moved(board, tile, ahead), player, ahead)
        and not endangered(board, player, ahead)
        and _arrives(board, player, ahead)
        for ahead in _ahead(player, tile)
    )


def _arrives(board: Board, player: str, tile: Tile) -> bool:
    return tile[0] == FARTHEST[player] or any(
        at(board, ahead) == 0 and not endangered(board, player, ahead) and _arrives(board, player, ahead)
        for ahead in _ahead(player, tile)
    )


def _ahead(player: str, tile: Tile) -> list[Tile]:
    return [further(tile, (FORWARD[player], side)) for side in (-1, 1)]


def turned(board: Board) -> Board:
    """The board from the other side, with the colours exchanged."""
    return [[{1: 3, 2: 4, 3: 1, 4: 2}.get(piece, 0) for piece in reversed(row)] for row in reversed(board)]


def scattered(rng: random.Random, most: int = 12) -> Board:
    """Pieces thrown on the dark tiles; no man stands where he would have been crowned."""
    board = [[0] * 8 for _ in range(8)]
    share = rng.random()
    for player in OWN:
        free = [tile for tile in DARK if not at(board, tile)]
        for row, column in rng.sample(free, rng.randint(0, most)):
            man, king = OWN[player]
            board[row][column] = king if row == FARTHEST[player] or rng.random() < share else man
    return board
