"""Matches of players of hidden information, in both seats, by processor time.

    python -m bench.hidden_matches --jobs 16 --minutes 10 --out bench/results/hidden_matches.txt
    python -m bench.hidden_matches --games meier --rivals ismcts --clock 0.2 --minutes 1

Each pair is two matches with the same seed and exchanged seats. Chance draws the same numbers in both as far as they go
the same way. A row is our mean score with its 95 % interval over pairs; the score of a match is 50 and half of the
difference of the goals, so a win is 100 and a loss 0 in games of win or loss. Pairs are played game by game in turn
until the minutes are over; only whole pairs count. A side's errors are late, missing and illegal moves.
"""

from __future__ import annotations

import multiprocessing
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from itertools import count

from bench.common import Report, parser

import woodstock
from woodstock.gdl.chance import without_chance
from woodstock.match import play_match
from woodstock.tournament.intervals import score_interval

GAMES = (
    *("leduc-poker", "liars-dice", "meier", "goofspiel-5", "phantom-tic-tac-toe"),
    *("dark-hex-3x3", "krieg-tic-tac-toe-5x5", "blind-breakthrough-6x6", "battleship", "battleships-in-fog"),
)
RIVALS = ("pimc", "ismcts")


@dataclass(frozen=True)
class Pair:
    """Two matches of one game with exchanged seats."""

    game: str
    ours: str
    rival: str
    seed: int
    clock_s: float


@cache
def _game(name: str) -> woodstock.Game:
    return woodstock.load(name)


def play(pair: Pair) -> tuple[float, list[int]]:
    """Return our mean score in 0..1 and the errors of both sides."""
    game = _game(pair.game)
    seats = without_chance(game.roles)
    scores, errors = [], [0, 0]
    for seat in (0, 1):
        sides = (seats[seat], seats[1 - seat])
        record = play_match(
            game,
            {sides[0]: pair.ours, sides[1]: pair.rival},
            seed=pair.seed,
            clock="cpu",
            start_clock_s=5.0,
            play_clock_s=pair.clock_s,
        )
        ours, theirs = (record.goals.get(role) or 0 for role in sides)
        scores.append(0.5 + (ours - theirs) / 200)
        for side, role in enumerate(sides):
            errors[side] += sum(record.errors.get(role, {}).values())
    return sum(scores) / 2, errors


def pairs(games: list[str], rivals: list[str], ours: str, clock_s: float) -> Iterator[Pair]:
    """Yield pairs, one for each game and rival in turn."""
    for seed in count(1):
        for game in games:
            for rival in rivals:
                yield Pair(game, ours, rival, seed, clock_s)


def _row(results: list[tuple[float, list[int]]]) -> str:
    one = score_interval([score for score, _ in results])
    ours, theirs = (sum(errors[side] for _, errors in results) for side in (0, 1))
    interval = f"{100 * one.mean:5.1f}  {100 * one.low:5.1f} .. {100 * one.high:5.1f}"
    return f"{interval}  {2 * one.count:4d} matches, errors {ours} and {theirs}"


def main() -> None:
    """Play until the time is over and print a row for each game and rival."""
    options = parser(__doc__, out=True)
    options.add_argument("--jobs", type=int, default=1, help="matches at a time")
    options.add_argument("--minutes", type=float, default=10.0)
    options.add_argument("--clock", type=float, default=1.0, help="seconds of processor time for a move")
    options.add_argument("--ours", default="mac-ucb-ii")
    options.add_argument("--rivals", default=",".join(RIVALS), help="players, separated by commas")
    options.add_argument("--games", default=",".join(GAMES))
    options.add_argument("--most-pairs", type=int, default=10**6, help="of each game and rival")
    given = options.parse_args()
    games, rivals = given.games.split(","), given.rivals.split(",")
    report = Report(given.out)
    end = time.monotonic() + 60 * given.minutes
    wanted = pairs(games, rivals, given.ours, given.clock)
    results: dict[tuple[str, str], list[tuple[float, list[int]]]] = defaultdict(list)
    running: dict[Future[tuple[float, list[int]]], Pair] = {}
    left = given.most_pairs * len(games) * len(rivals)
    with ProcessPoolExecutor(given.jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        while running or (time.monotonic() < end and left > 0):
            while len(running) < given.jobs and time.monotonic() < end and left > 0:
                pair = next(wanted)
                left -= 1
                running[pool.submit(play, pair)] = pair
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                pair = running.pop(done)
                results[pair.game, pair.rival].append(done.result())
    report(f"{given.ours}, {given.clock:g} s of processor time a move; score in % and its 95 % interval")
    for rival in rivals:
        report()
        report(f"against {rival}")
        for game in games:
            if results[game, rival]:
                report(f"  {game:24} {_row(results[game, rival])}")
        means = [
            sum(score for score, _ in results[game, rival]) / len(results[game, rival])
            for game in games
            if results[game, rival]
        ]
        report(f"  {'mean of the games':24} {100 * sum(means) / max(1, len(means)):5.1f}")


if __name__ == "__main__":
    main()
