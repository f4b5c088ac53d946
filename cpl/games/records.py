"""The games of a match as text, in the manner of PDN, and back as far as a match that goes on needs them.

Each has its number as Round and the whole match as Match, so that a file says of itself what it is a part of. Games of
another number than 21, which PDN has for English draughts, have no GameType; what they are stands in Event.
"""

import re
from collections.abc import Iterator

from cpl.games.game import End, Game
from cpl.games.match import Match, Pairing, Played
from cpl.games.movetext import movetext

_RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}
_FIRST = '[Event "'
"""What a game begins with."""
_GAME = re.compile(r"((?:\[.*\]\n)+)\n((?:[^\[\n].*\n)+)\n")
_TAG = re.compile(r'^\[(\w+) "([^"\n]*)"\]\n', re.MULTILINE)


class BadRecord(ValueError):
    """A file that does not hold games of this match, in one plain line."""


def text_of(game: Game, match: Match, played: Played) -> str:
    """A game as text, with a blank line after it. The first number of the result is that of the side that begins."""
    first, second = played.pairing.players
    tags = {
        "Event": f"{game.title}",
        "Round": str(played.pairing.number),
        **dict(zip(game.tags, (first, second), strict=True)),
        "Result": _RESULTS[played.points],
        **({"GameType": game.game_type} if game.game_type else {}),
        "Termination": played.end.why,
        "Match": str(match),
    }
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    return f"{head}\n{movetext(played.moves, tags['Result'])}\n\n"


def whole_games(text: str, game: Game, match: Match) -> Iterator[tuple[str, Played]]:
    """The games of a file that were written to their end, each with its text.

    What stands after the last of them is a game that was torn off. Raises BadRecord if a game is not of this match.
    """
    at = 0
    while found := _GAME.match(text, at):
        tags = dict(_TAG.findall(found[1]))
        if tags.get("Match") != str(match):
            told = tags.get("Match", "one that it does not name")
            raise BadRecord(f"it holds games of another match, {told}, and not of {match}")
        yield found[0], _played(game, tags, found[2])
        at = found.end()
    if text[at : at + len(_FIRST)] != _FIRST[: len(text) - at]:
        raise BadRecord("it is no file of games of a match")


def _played(game: Game, tags: dict[str, str], words: str) -> Played:
    try:
        points = {result: points for points, result in _RESULTS.items()}[tags["Result"]]
        one, other = (tags[each] for each in game.tags)
        pairing = Pairing(int(tags["Round"]), (one, other))
        end = End({1.0: game.sides[0], 0.0: game.sides[1]}.get(points), tags["Termination"])
    except (KeyError, ValueError):
        raise BadRecord(f"the tags of game {tags.get('Round', '?')} are not those of a game of a match") from None
    moves = re.sub(r"\d+\. ", "", " ".join(words.split())).split(" ")[:-1]
    return Played(pairing, tuple(moves), end, game.sides)
