"""The file of a match: PDN, each game with its number as Round and the whole match as Match.

Games are written one after another, in their order. They are read back to continue the match, and each is replayed
before it is believed.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cpl.games import pdn
from cpl.games.game import BadMove, Game
from cpl.games.match import Match, Pairing, Played, begun, pairings


class BadRecord(ValueError):
    """A file that does not hold games of this match. The message is one line."""


_LONGEST: Final = 1_000_000
"""How many bytes a game has at the most."""


def text_of(game: Game, match: Match, done: Played) -> str:
    """A game as text, with a blank line after it. The first number of the result is that of the side that begins."""
    tags = _tags(game, done.pairing) | {"Termination": done.end.why, "Match": str(match)}
    first = done.pairing.opening.first(game)
    return pdn.written(game, tags, done.moves, pdn.result_of(game, done.end), first) + "\n"


def _tags(game: Game, pairing: Pairing) -> dict[str, str]:
    """Those that a game begins with."""
    names = zip(game.tags, pairing.players, strict=True)
    return {"Event": game.title, "Round": str(pairing.number), **dict(names)}


def recorded(lines: Iterable[bytes], game: Game, match: Match) -> Iterator[Played]:
    """The games of a file, from the first of the match on, each replayed: it must come to its result.

    A last one that was not written whole is left out. Raises BadRecord if the file holds anything else.
    """
    waiting = pairings(match)
    for number, record in enumerate(_records(lines), 1):
        pairing = next(waiting, None)
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', record, re.MULTILINE))
        if tags.get("Match", str(match)) != str(match):
            raise BadRecord(f"it holds games of another match, {tags['Match']}, and not of {match}")
        where = f"it holds something else than games of this match, where game {number} of the file should be"
        if not pairing:
            raise BadRecord(where)
        if record.count("\n\n") < 2 and _is_begun(record, game, pairing):
            return
        _, _, moves = record.partition("\n\n")
        *texts, _ = re.sub(r"\d+\. ", "", " ".join(moves.split())).split(" ")
        try:
            done = _replayed(match, pairing, texts)
        except BadRecord as error:
            raise BadRecord(f"{where}: {error}") from None
        if text_of(game, match, done) != record:
            raise BadRecord(f"{where}: it differs from what its moves make when they are replayed")
        yield done


def _records(lines: Iterable[bytes]) -> Iterator[str]:
    """The games of a file as text, each with the blank line after it; the last may lack its end."""
    record, blank = bytearray(), 0
    for line in lines:
        record += line
        blank += line == b"\n"
        if len(record) > _LONGEST:
            raise BadRecord("it holds something else than games: one would have more than a million bytes")
        if blank == 2:
            yield _decoded(record)
            record, blank = bytearray(), 0
    if record:
        yield _decoded(record)


def _decoded(record: bytearray) -> str:
    try:
        return record.decode()
    except UnicodeDecodeError:
        raise BadRecord("it holds something else than games of this match: it is not UTF-8") from None


def _is_begun(record: str, game: Game, pairing: Pairing) -> bool:
    """Whether this may be the beginning of a record of this game."""
    head = "".join(f'[{name} "{value}"]\n' for name, value in _tags(game, pairing).items())
    return head.startswith(record) or record.startswith(head)


def _replayed(match: Match, pairing: Pairing, moves: Sequence[str]) -> Played:
    """The game of the match that these moves make. Raises BadRecord if they make none that is finished."""
    live = begun(match, pairing)
    opening = [*map(live.game.text, live.played)]
    if [*moves[: len(opening)]] != opening:
        raise BadRecord(f"it does not begin with its opening, {' '.join(opening)}")
    for text in moves[len(opening) :]:
        if end := live.end:
            raise BadRecord(f"it goes on after its end: {end.why}")
        try:
            live.play(live.game.read(live.state, text))
        except BadMove as error:
            raise BadRecord(str(error)) from None
    if not live.end:
        raise BadRecord("it is not finished")
    return Played(pairing, tuple(map(live.game.text, live.played)), live.end, live.game.sides)
