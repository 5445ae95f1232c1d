"""Several threads against one thread, at equal time by the wall clock, on a machine with as many cores as threads.

    python -m bench.thread_matches --threads 16 --seconds 1 --pairs 4 --minutes 8

Matches are played a few at a time, because one thread leaves most cores idle. Only one player of many threads thinks at
a time: a match waits for its turn before the clock of the start or of a move begins. Rows: the score of many threads in
% with its 95 % interval, from pairs of matches with exchanged seats and the same random opening.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import nullcontext

from bench.common import Report, parser, percent
from bench.threads import with_threads

import woodstock
from woodstock.game.state import State
from woodstock.players.player import Task
from woodstock.players.search_player import SearchPlayer
from woodstock.tournament.intervals import score_interval

GAMES = "connect-four-8x6,breakthrough,knight-through,pentago,quarto"
OPENING = 2


class Matches:
    """All matches of one run."""

    def __init__(
        self,
        specs: tuple[str, str],
        games: list[str],
        pairs: int,
        clocks: tuple[float, float],
        minutes: float,
        report: Report,
    ) -> None:
        self._specs, self._report = specs, report
        self._start_s, self._seconds = clocks
        self._games = {name: woodstock.load(name) for name in games}
        self._jobs: Iterator[tuple[str, int]] = ((name, pair) for pair in range(pairs) for name in games)
        self._end = time.monotonic() + 60 * minutes
        self._lock, self._cores = threading.Lock(), threading.Lock()
        self.scores: dict[str, list[float]] = {name: [] for name in games}

    def play(self, at_once: int) -> None:
        """Play until no pair is left or the time is over."""
        workers = [threading.Thread(target=self._work) for _ in range(at_once)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    def _work(self) -> None:
        while True:
            with self._lock:
                job = next(self._jobs, None)
            if job is None:
                return
            name, pair = job
            scores = [self._match(name, pair, seat) for seat in (0, 1)]
            if None in scores:
                return
            with self._lock:
                self.scores[name].append(sum(score or 0.0 for score in scores) / 2)
                self._report(f"# {name} {self.scores[name][-1]:g}")

    def _match(self, name: str, pair: int, seat: int) -> float | None:
        """Return the score of many threads in this seat; None: there was no time to finish."""
        game = self._games[name]
        state = _opening(game.initial, random.Random(pair))
        players = [SearchPlayer(self._specs[0 if role == seat else 1]) for role in range(2)]
        for number, role in enumerate(game.roles):
            task = Task(game, role, self._start_s, self._seconds, seed=pair, state=state)
            with self._cores if number == seat else nullcontext():
                if time.monotonic() > self._end:
                    return None
                players[number].start(task, time.monotonic() + self._start_s)
        while not state.is_terminal and time.monotonic() < self._end:
            moves = {role: state.legal(role)[0] for role in game.roles}
            for number, role in enumerate(game.roles):
                if len(state.legal(role)) > 1:
                    with self._cores if number == seat else nullcontext():
                        moves[role] = players[number].decide(state, time.monotonic() + self._seconds).move
            state = state.next(moves)
        for player in players:
            player.stop(None)
        if not state.is_terminal:
            return None
        ours, theirs = (state.scores[game.roles[role]] or 0 for role in (seat, 1 - seat))
        return 0.5 if ours == theirs else float(ours > theirs)


def _opening(state: State, dice: random.Random) -> State:
    for _ in range(OPENING):
        state = state.next({role: dice.choice(state.legal(role)) for role in state.game.roles})
    return state


def main() -> None:
    """Read the arguments and play."""
    options = parser(__doc__, out=True)
    options.add_argument("--player", default="mac-ucb-sym")
    options.add_argument("--games", default=GAMES)
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--seconds", type=float, default=1.0, help="for each move, by the wall clock")
    options.add_argument("--start-clock", type=float, default=10.0)
    options.add_argument("--at-once", type=int, default=3, help="matches")
    options.add_argument("--pairs", type=int, default=4, help="of each game")
    options.add_argument("--minutes", type=float, default=1e6)
    asked = options.parse_args()
    one = asked.player
    many = with_threads(one, asked.threads)
    report = Report(asked.out)
    clocks = (asked.start_clock, asked.seconds)
    matches = Matches((many, one), asked.games.split(","), asked.pairs, clocks, asked.minutes, report)
    matches.play(asked.at_once)
    report(f"{many} against {one}, {asked.start_clock:g} s to start, {asked.seconds:g} s a move; score in %, 95 %")
    every = [score for scores in matches.scores.values() for score in scores]
    for name, scores in [*matches.scores.items(), ("all", every)]:
        report(f"{name:24} {percent(score_interval(scores))}  {len(scores)} pairs")


if __name__ == "__main__":
    main()
