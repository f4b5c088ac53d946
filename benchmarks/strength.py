"""How strong the player of checkers is: matches from the three-move ballots, with Elo and interval.

    .venv/bin/python benchmarks/strength.py --games 40
    .venv/bin/python benchmarks/strength.py --games 100 --seconds 0.1 --engine ./other --record other.jsonl
    .venv/bin/python benchmarks/strength.py --games 1000 --nodes 5000 --before ../cplc-2.0 --record before.jsonl --stop

The player meets alphabeta:3 and two players that pydraughts makes: one plays any move, the other the one after which it
has most. Or it meets an engine that is a program of its own, or the player of another checkout of cplc. Engines play
by the lines of text that `benchmarks/engine.py` describes, each in a process for the whole match; all seconds are those
of the processor, as the engines report them.

Each ballot is played twice, with the sides changed. When all have been played they are played again, with one move at
random after them, then with two, and so on. Games end by the rules, by a position that comes for the third time, and
early: a side that is three pieces ahead for twelve plies has won, and with eight pieces or fewer on the board, thirty
plies without progress (a capture or a move of a man) are a draw. An engine that answers with no move has lost.

A record has a line for the match and a line for each game, written when the game ends. The same command goes on where
it was stopped.
"""

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from math import log
from pathlib import Path as File
from random import Random
from typing import Protocol

from cpl.games.checkers import CHECKERS
from cpl.games.game import End, Path, Turn
from cpl.games.live import Adjudication, LiveGame
from cpl.games.match import Opening, Score, ballots, elo, read_openings
from cpl.games.players import Player, player
from cpl.games.position import BadFen, from_fen

KING = 1.5
"""What a king is worth to the greedy player; a man is worth 1."""
AHEAD = Adjudication(lead=3, plies=12)
"""Who is so far ahead has won."""
FEW, IDLE = 8, 30
"""With so few pieces, so many plies without progress are a draw."""
WORSE, BETTER = 0, 20
"""The two claims between which `--stop` decides: the player is no better, or it is better by so many points of Elo."""
SURE = log(0.95 / 0.05)
"""How much likelier a claim must be than the other, as a logarithm: each error is made once in twenty times."""


# Opponents


class Opponent(Protocol):
    """Who plays a match: it is told where games begin. It counts the positions that it looks at, and its seconds."""

    nodes: int
    seconds: float

    def new(self) -> None:
        """A game begins."""

    def choose(self, turn: Turn) -> Path:
        """Return its move. Raises Illegal if it has none."""

    def close(self) -> None:
        """The match has ended."""


class Illegal(Exception):
    """An answer of an engine that is no move."""


class Engine:
    """A player that is a program of its own."""

    def __init__(self, command: list[str], limit: str) -> None:
        self._command, self._limit = command, limit
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.nodes, self.seconds = 0, 0.0

    def new(self) -> None:
        """A game begins."""
        assert self._process.stdin
        self._process.stdin.write("new\n")

    def choose(self, turn: Turn) -> Path:
        """Return its move. Raises Illegal if it answers with none."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(f"{CHECKERS.to_fen(turn)} {self._limit}\n")
        line = self._process.stdout.readline()
        if not line:
            sys.exit(f"{shlex.join(self._command)} has ended")
        fen, *figures = line.split() or [""]
        if figures:
            self.nodes, self.seconds = self.nodes + int(figures[0]), self.seconds + float(figures[1])
        with suppress(BadFen):
            after = from_fen(fen)
            for path in turn.legal:
                if CHECKERS.play(turn, path).state[0] == after:
                    return path
        raise Illegal(f"an illegal answer, {fen!r} to {CHECKERS.to_fen(turn)}")

    def close(self) -> None:
        """The match has ended: the program ends, as it has no more lines to read."""
        self._process.communicate()


class InProcess:
    """A player of this process, which counts nothing."""

    def __init__(self, choose: Player) -> None:
        self.choose = choose
        self.nodes, self.seconds = 0, 0.0

    def new(self) -> None:
        """A game begins."""

    def close(self) -> None:
        """The match has ended."""


def chance(random: Random) -> Player:
    """Any move of pydraughts."""
    return lambda turn: random.choice(moves(turn))


def greedy(random: Random) -> Player:
    """The move of pydraughts after which it has most, less what the other has; any of several."""
    return lambda turn: max(moves(turn), key=lambda move: (-lead(CHECKERS.play(turn, move)), random.random()))


def moves(turn: Turn) -> list[Path]:
    """The moves that pydraughts finds."""
    from draughts import Board

    legal = Board(variant="english", fen=CHECKERS.to_fen(turn)).legal_moves()
    return [CHECKERS.read(turn, ("x" if move.has_captures else "-").join(map(str, move.steps_move))) for move in legal]


def lead(turn: Turn) -> float:
    """What the side to move has, less what the other has."""
    worth = {
        letter: (KING if letter.isupper() else 1) * (1 if letter.lower() == turn.side[0] else -1) for letter in "bBwW"
    }
    return sum(worth[letter] for letter in turn.pieces.values())


# Games


@dataclass(frozen=True)
class Game:
    """A game that was played: its number from 0, and what it brought us, 1, 0.5 or 0; how far we were ahead at its end,
    and what each used of positions and seconds for its moves.
    """

    number: int
    points: float
    why: str
    lead: float
    moves: list[str]
    our_nodes: int
    our_seconds: float
    their_nodes: int
    their_seconds: float


def begun(number: int, openings: list[Opening], seed: int) -> LiveGame:
    """The game of this number after its opening, which is that of the game before or after it."""
    rounds, place = divmod(number // 2, len(openings))
    opening = openings[place]
    live = LiveGame(CHECKERS, {}, first=opening.first(CHECKERS), adjudication=AHEAD)
    for text in opening.moves:
        live.play(CHECKERS.read(live.state, text))
    random = Random(f"{seed} {number // 2}")
    for _ in range(rounds):
        live.play(random.choice(live.moves()))
    return live


def end_of(live: LiveGame) -> End | None:
    """Return how a game has ended, if it has."""
    before = live.states[-IDLE - 1] if len(live.states) > IDLE else None
    is_idle = before and before.progress == live.state.progress
    if live.end is None and is_idle and len(live.state.pieces) <= FEW:
        return End(None, f"{FEW} pieces or fewer, and {IDLE} plies without progress")
    return live.end


def play(number: int, live: LiveGame, we: Opponent, they: Opponent) -> Game:
    """Play a game from its opening to the end. We begin games with an even number."""
    ours = CHECKERS.sides[number % 2]
    used = [(who.nodes, who.seconds) for who in (we, they)]
    we.new()
    they.new()
    while (end := end_of(live)) is None:
        mover = we if live.side == ours else they
        try:
            live.play(mover.choose(live.state))
        except Illegal as error:
            end = End(CHECKERS.other(live.side), str(error))
            break
    points = 0.5 if end.winner is None else float(end.winner == ours)
    ahead = lead(live.state) if live.side == ours else -lead(live.state)
    texts = [CHECKERS.text(move) for move in live.played]
    (our_nodes, our_seconds), (their_nodes, their_seconds) = used
    return Game(
        number,
        points,
        end.why,
        ahead,
        texts,
        we.nodes - our_nodes,
        we.seconds - our_seconds,
        they.nodes - their_nodes,
        they.seconds - their_seconds,
    )


# The record of a match


class Record:
    """The file of a match, if there is one: a line says what match it is, and each line after it is a game."""

    def __init__(self, file: File | None, match: str) -> None:
        """Read the games that are there. The program ends if they are of another match."""
        self._file = file
        self.games: list[Game] = []
        head = json.dumps({"match": match}) + "\n"
        if file is None:
            return
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        whole = text[: text.rfind("\n") + 1]  # a game that was not written whole is played again
        lines = whole.splitlines(keepends=True) or [head]
        if lines[0] != head:
            sys.exit(f"{file} has games of another match: {lines[0].strip()}")
        self.games = [Game(**json.loads(line)) for line in lines[1:]]
        file.write_text("".join(lines), encoding="utf-8")

    def add(self, game: Game) -> None:
        """Write a game that has ended."""
        self.games.append(game)
        if self._file:
            with self._file.open("a", encoding="utf-8") as file:
                print(json.dumps(asdict(game)), file=file)


# Results


def score_of(games: Iterable[Game]) -> Score:
    """Count wins, draws and losses of the games that we began, and of the others."""
    score = Score([0, 0, 0], [0, 0, 0])
    for game in games:
        results = score.second if game.number % 2 else score.first
        results[(1, 0.5, 0).index(game.points)] += 1
    return score


def likelihood(games: list[Game]) -> float:
    """Return the logarithm of how much likelier it is that we are better by BETTER than by WORSE points of Elo.

    Two games with the same opening count as one result, so that openings that favour a side do not matter. This is the
    generalised sequential probability ratio test, with the variance that was seen.
    """
    pairs = [(one.points + other.points) / 2 for one, other in zip(games[::2], games[1::2], strict=False)]
    if len(pairs) < 2:
        return 0
    mean = sum(pairs) / len(pairs)
    variance = sum((pair - mean) ** 2 for pair in pairs) / len(pairs)
    if not variance:
        return 0
    worse, better = (1 / (1 + 10 ** (-points / 400)) for points in (WORSE, BETTER))
    return len(pairs) * (better - worse) * (2 * mean - worse - better) / (2 * variance)


def summary(opponent: str, games: list[Game]) -> Iterator[str]:
    """Yield the lines of the result."""
    score = score_of(games)
    won, drawn, lost = (sum(counts) for counts in zip(score.first, score.second, strict=True))
    points = f"{score.share:6.1%} ({score.interval[0]:.0%}–{score.interval[1]:.0%})"
    ratings = f"{elo(score.share):+.0f} ({elo(score.interval[0]):+.0f} to {elo(score.interval[1]):+.0f})"
    leads = [game.lead for game in games if game.points == 0.5]
    yield f"{opponent:32}{won:4}{drawn:6}{lost:5}  {points}  {ratings}  {sum(leads) / max(1, len(leads)):+.2f}"
    for who in ("our", "their"):
        nodes = sum(getattr(game, f"{who}_nodes") for game in games)
        seconds = sum(getattr(game, f"{who}_seconds") for game in games)
        if nodes:
            plies = sum(len(game.moves) for game in games) / 2
            name = "we" if who == "our" else "they"
            yield f"    {name}: {nodes:,} positions in {seconds:.1f} s, {seconds / plies:.3f} s a move"


def is_decided(games: list[Game]) -> bool:
    """Whether `--stop` ends the match: after a pair of games, when one claim is sure."""
    return len(games) % 2 == 0 and abs(likelihood(games)) >= SURE


def match(we: Opponent, they: Opponent, number: int, seed: int, record: Record, stop: bool) -> None:
    """Play so many games, or until they decide."""
    every = read_openings(CHECKERS, ballots("ballots").read_text(encoding="utf-8"))
    openings = Random(seed).sample(every, len(every))
    while len(record.games) < number and not (stop and is_decided(record.games)):
        game = len(record.games)
        record.add(play(game, begun(game, openings, seed), we, they))


def main() -> None:
    """Play, and print the scores."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=40, help="games against each (40)")
    parser.add_argument("--seconds", type=float, default=0.2, help="how long it thinks about a move (0.2)")
    parser.add_argument("--nodes", type=int, help="how many positions it looks at, instead")
    parser.add_argument("--depth", type=int, help="how many plies it looks ahead, instead")
    parser.add_argument("--engine", metavar="COMMAND", help="an engine to meet, instead of the other players")
    parser.add_argument("--before", metavar="CHECKOUT", help="another checkout of cplc, whose player it meets instead")
    parser.add_argument("--record", metavar="FILE", type=File, help="write each game to it, and go on after its last")
    parser.add_argument("--stop", action="store_true", help=f"stop when it is {BETTER} points of Elo better, or is not")
    parser.add_argument("--seed", type=int, default=0, help="another seed gives other games (0)")
    options = parser.parse_args()
    limit = f"seconds {options.seconds}"
    if options.nodes:
        limit = f"nodes {options.nodes}"
    elif options.depth:
        limit = f"depth {options.depth}"
    command = [sys.executable, str(File(__file__).parent / "engine.py")]
    opponents: dict[str, Callable[[Random], Opponent]] = {
        "alphabeta:3": lambda _: InProcess(player("alphabeta:3", CHECKERS)),
        "pydraughts, greedy": lambda random: InProcess(greedy(random)),
        "pydraughts, at random": lambda random: InProcess(chance(random)),
    }
    if options.engine:
        opponents = {options.engine: lambda _: Engine(shlex.split(options.engine), limit)}
    elif options.before:
        opponents = {options.before: lambda _: Engine([*command, options.before], limit)}
    elif options.record:
        parser.error("a record is of a match with an engine, or with the player before")

    print(f"{f'{limit} against':32} won drawn lost  points           Elo difference  lead if drawn")
    for opponent, make in opponents.items():
        record = Record(options.record, f"{limit} against {opponent}, seed {options.seed}")
        with closing(Engine(command, limit)) as we, closing(make(Random(options.seed))) as they:
            match(we, they, options.games, options.seed, record, options.stop)
        for line in summary(opponent, record.games):
            print(line)
        if options.stop:
            found = likelihood(record.games)
            claim = "better" if found >= SURE else "not better" if found <= -SURE else "not decided"
            print(f"    {claim}: {BETTER} points of Elo against {WORSE}, likelihood {found:+.2f} of ±{SURE:.2f}")


if __name__ == "__main__":
    main()
