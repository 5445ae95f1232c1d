"""Does a network of several turns prove wins faster than search? Forced wins within n turns, by both.

    python -m bench.forced_wins --out bench/results/forced_wins.txt
    python -m bench.forced_wins --matches 20 --jobs 16 --out bench/results/forced_wins_matches.txt

In states of random matches near their end: is there a policy that wins within n turns whatever the other role does?
Asked as one quantified problem (`woodstock.qcsp.models.game.forced_win`) of our quantified solver, and of the exact
solver by alpha-beta, which knows no horizon. Processor time. A win that the network proves must be one of the search.

`--matches`: does it win matches? `mac-ucb` against itself with the network beside its tree, at equal processor time.
The network is asked about the root first, then whether the move that the tree likes leaves the other role a forced win;
if so, the next best move is asked about. It has at most a third of the time.
"""

from __future__ import annotations

import random
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from bench.common import ChildError, Report, parser, run_apart

import woodstock
from woodstock.errors import WoodstockError
from woodstock.information import InformationState
from woodstock.match import play_match
from woodstock.players import Player, Reply
from woodstock.players.search_player import SearchPlayer
from woodstock.qcsp import solve
from woodstock.qcsp.models.game import forced_win, move_names
from woodstock.solve import Solver
from woodstock.tournament.intervals import score_interval

GAMES = {"tic-tac-toe": (3, 6), "connect-four": (34, 6), "nim": (3, 6), "sheep-and-wolf": (12, 5), "quarto": (24, 5)}
COLUMNS = (
    f"{'game':<16} {'states':>6} {'turns':>5} {'wins':>5} {'network s':>10} {'search s':>9} {'network / search':>17}"
)


def late_state(game: woodstock.Game, turns: int, seed: int) -> woodstock.State | None:
    """Return a state after so many random turns, None if the match was over before."""
    rng, state = random.Random(seed), game.initial
    for _ in range(turns):
        if state.is_terminal:
            return None
        state = state.next([rng.choice(state.legal(role)) for role in game.roles])
    return None if state.is_terminal else state


def row_of(name: str, count: int) -> str:
    """Return the line of a game."""
    after, horizon = GAMES[name]
    game = woodstock.load(name)
    spent = [0.0, 0.0]
    states = wins = 0
    for seed in range(20 * count):
        state = late_state(game, after, seed)
        if state is None or not state.to_move:
            continue
        role = state.to_move[0]
        clock = time.process_time()
        answer = solve(forced_win(game, horizon, role, state), seconds=20.0, strategy=False)
        spent[0] += time.process_time() - clock
        clock = time.process_time()
        try:
            found = Solver(game, symmetries="none", method="alpha-beta", seconds=20.0).solve(state)
        except WoodstockError:
            continue
        spent[1] += time.process_time() - clock
        states += 1
        is_won = answer.is_winning
        wins += bool(is_won)
        if is_won:
            assert found.values[role] == 100, f"{name}, seed {seed}"
        if states == count:
            break
    ratio = spent[0] / max(spent[1], 1e-9)
    return f"{name:<16} {states:>6} {horizon:>5} {wins:>5} {spent[0]:>10.2f} {spent[1]:>9.2f} {ratio:>17.1f}"


MATCH_GAMES = ("breakthrough", "connect-four", "knight-through", "pentago", "quarto", "sheep-and-wolf")
MATCH_COLUMNS = (
    f"{'game':<16} {'matches':>7} {'score with the network':>24} {'asked':>6} {'wins':>5} {'saved':>6} {'s each':>7}"
)
SHARE = 1 / 3  # of the time, at most
TURNS = 3


class WithNetwork(SearchPlayer):
    """`mac-ucb` with the network of a few turns as one more source of proofs."""

    def __init__(self) -> None:
        super().__init__("mac-ucb")
        self.asked = self.wins = self.saved = 0
        self.spent = 0.0

    def move(self, view: InformationState, deadline: float) -> Reply:
        task, state = self._started(), view.state
        if len(state.legal(task.role)) == 1:
            return super().move(view, deadline)
        begun = self.spent
        won = self._forced(state, task.role, TURNS)
        if won is not None and won in state.legal(task.role):
            self.wins += 1
            return Reply(won)
        left = task.play_clock_s - (self.spent - begun)
        decision = self.decide(view, deadline - 0.01, cpu_seconds=max(0.1, left - 0.1 * task.play_clock_s))
        other = next(role for role in task.game.roles if role != task.role)
        for move in decision.moves[:3]:
            if self.spent - begun > SHARE * task.play_clock_s:
                break
            after = state.next([move.move if role == task.role else state.legal(role)[0] for role in task.game.roles])
            if after.is_terminal or self._forced(after, other, TURNS - 1) is None:
                self.saved += move.move != decision.move
                return Reply(move.move)
        return Reply(decision.move)

    def _forced(self, state: woodstock.State, role: str, turns: int) -> str | None:
        """Return the first move of a forced win, if there is one."""
        clock = time.thread_time()
        found = solve(forced_win(state.game, turns, role, state), seconds=0.3, strategy=True)
        self.spent += time.thread_time() - clock
        self.asked += 1
        if not found.is_winning or found.strategy is None:
            return None
        first = found.strategy.first_values().get(f"{role}[0]")
        return "" if first is None else move_names(state.game, role)[int(first)]


def one_match(name: str, number: int, seconds: float) -> list[float]:
    """Play a match; runs in a process of its own. Returns the score and the counts of the player with the network."""
    game, ours = woodstock.load(name), WithNetwork()
    seats: list[Player | str] = [ours, "mac-ucb"] if number % 2 == 0 else ["mac-ucb", ours]
    record = play_match(game, seats, seed=number // 2, clock="cpu", play_clock_s=seconds, start_clock_s=5, opening=2)
    own, other = (record.goals[game.roles[place]] for place in ((0, 1) if number % 2 == 0 else (1, 0)))
    return [0.5 if own == other else float(own > other), ours.asked, ours.wins, ours.saved, ours.spent]


def play_all(count: int, jobs: int, seconds: float, games: list[str], report: Report) -> None:
    """Write a line for each game."""
    report(MATCH_COLUMNS)
    with ThreadPoolExecutor(jobs) as pool:
        ask = {
            name: [pool.submit(run_apart, one_match, name, number, seconds, seconds=900) for number in range(count)]
            for name in games
        }
        for name, answers in ask.items():
            rows: list[list[float]] = []
            for answer in answers:
                try:
                    rows.append(answer.result())
                except (ChildError, subprocess.TimeoutExpired) as error:
                    report(f"{name:<16} a match failed: {str(error).splitlines()[0][:80]}")
            if not rows:
                continue
            pairs = [(one[0] + two[0]) / 2 for one, two in zip(rows[::2], rows[1::2], strict=False)]
            found = score_interval(pairs)
            asked, wins, saved, spent = (sum(row[place] for row in rows) for place in range(1, 5))
            score = f"{100 * found.mean:.1f} [{100 * found.low:.0f}, {100 * found.high:.0f}]"
            report(
                f"{name:<16} {len(rows):>7} {score:>24} {asked:>6} {wins:>5} {saved:>6} {spent / max(asked, 1):>7.3f}"
            )


def main() -> None:
    options = parser(__doc__, out=True)
    options.add_argument("--states", type=int, default=5)
    options.add_argument("--games", nargs="*", default=None)
    options.add_argument("--matches", type=int, default=0, help="of each game; 0: the states instead")
    options.add_argument("--seconds", type=float, default=1.0, help="processor time of a move in matches")
    options.add_argument("--jobs", type=int, default=1)
    given = options.parse_args()
    report = Report(given.out)
    if given.matches:
        play_all(given.matches, given.jobs, given.seconds, given.games or list(MATCH_GAMES), report)
        return
    report(COLUMNS)
    for name in given.games or list(GAMES):
        report(row_of(name, given.states))


if __name__ == "__main__":
    main()
