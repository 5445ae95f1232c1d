"""Known truths: tic-tac-toe is never lost, and small games are solved at sight.

    python -m bench.truth --out bench/results/truth.txt

First, matches of tic-tac-toe in both seats against every rival, with a number of simulations for each move: matches
lost, matches won, and moves that gave a forced win away. Second, random positions of small games with a budget of
processor time for each: how often the search proves the exact value, and how often the exact solver confirms its move
as a best one.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator
from functools import partial

from bench.common import Report, parser
from tests.unit.solve.connect import connect

import woodstock
from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.players import Task
from woodstock.players.search_player import SearchPlayer
from woodstock.players.spec import parse_spec
from woodstock.solve import Solver

RIVALS = "mac-ucb uct uct-sym grave grave-sym fc-ucb flat-mc random".split()


def hex_board(size: int) -> Game:
    """Hex on a smaller board: the bundled rules with fewer rows and columns."""
    text = re.sub(r"\(succ (\d+) \d+\)", lambda m: m[0] if int(m[1]) < size else "", woodstock.load("hex").text)
    return woodstock.loads(text.replace("(last 9)", f"(last {size})"), f"hex {size}x{size}")


def breakthrough_board(columns: int, rows: int) -> Game:
    """Breakthrough on a smaller board; columns get numbers of their own."""
    text = woodstock.load("breakthrough").text
    text = text.replace("(index ?column)", "(column ?column)")
    text = re.sub(r"\(succ (\d+) \d+\)", lambda m: m[0] if int(m[1]) < max(rows, columns) else "", text)
    text = re.sub(r"\(index (\d+)\)", lambda m: m[0] if int(m[1]) <= rows else "", text)
    text = text.replace("(home black 7)", f"(home black {rows - 1})").replace("(home black 8)", f"(home black {rows})")
    text = text.replace("(far white 8)", f"(far white {rows})")
    text = text.replace("(succ ?column ?column2))", "(succ ?column ?column2) (column ?column) (column ?column2))")
    text = text.replace("(succ ?column2 ?column))", "(succ ?column2 ?column) (column ?column) (column ?column2))")
    text += "".join(f"(column {c})" for c in range(1, columns + 1))
    return woodstock.loads(text, f"breakthrough {columns}x{rows}")


def with_seed(spec: str, seed: int) -> str:
    """Return the specification with a seed, and with little memory for a tree: there are thousands of trees."""
    options = parse_spec(spec).kind.options
    given = [f"seed={seed}"] if "seed" in options else []
    given += ["memory=32MiB"] if "memory" in options else []
    return spec + (":" + ",".join(given) if given else "")


class Truth:
    """Exact values and best moves of tic-tac-toe, each state solved once."""

    def __init__(self, game: Game) -> None:
        self._solver = Solver(game)
        self._known: dict[tuple[State, str], tuple[float, frozenset[str]]] = {}

    def of(self, state: State, role: str) -> tuple[float, frozenset[str]]:
        """Return the value for the role that moves, and its best moves."""
        if (state, role) not in self._known:
            solution = self._solver.solve(state)
            best = frozenset(move.move for move in solution.moves if move.is_best)
            self._known[state, role] = (float(solution.values[role]), best)
        return self._known[state, role]


def matches(rival: str, ours: str, count: int, simulations: int, rival_simulations: int) -> str:
    """Play matches of tic-tac-toe against one rival in one seat."""
    game = woodstock.load("tic-tac-toe")
    truth = Truth(game)
    won = drawn = lost = given_away = not_best = 0
    for number in range(count):
        players = {
            role: SearchPlayer(with_seed("mac-ucb-sym" if role == ours else rival, number)) for role in game.roles
        }
        for role, player in players.items():
            player.start(Task(game, role), None)
        state = game.initial
        while not state.is_terminal:
            moves = {
                role: player.decide(state, simulations=simulations if role == ours else rival_simulations).move
                for role, player in players.items()
            }
            if len(state.legal(ours)) > 1:
                value, best = truth.of(state, ours)
                not_best += moves[ours] not in best
                given_away += value == 100 and moves[ours] not in best
            state = state.next(moves)
        for player in players.values():
            player.stop(None)
        goal = state.goals[ours] or 0
        won, drawn, lost = won + (goal == 100), drawn + (goal == 50), lost + (goal == 0)
    return f"{won:>6} {drawn:>6} {lost:>6} {given_away:>16} {not_best:>9}"


def random_positions(game: Game, count: int, least_turns: int, seed: int) -> Iterator[State]:
    """Yield positions of random matches in which somebody has a choice."""
    dice = random.Random(seed)
    while count:
        line = [game.initial]
        while not line[-1].is_terminal:
            line.append(line[-1].next([dice.choice(line[-1].legal(role)) for role in game.roles]))
        usable = [state for state in line[least_turns:-1] if max(len(state.legal(role)) for role in game.roles) > 1]
        if usable:
            count -= 1
            yield dice.choice(usable)


def after(solver: Solver, state: State, role: str, move: str) -> float:
    """Return the exact value for a role after its move; the others have no choice."""
    child = state.next({other: move if other == role else state.legal(other)[0] for other in state.game.roles})
    return float(child.goals[role] or 0) if child.is_terminal else float(solver.solve(child).values[role])


def positions(make: Callable[[], Game], least_turns: int, count: int, seconds: float) -> str:
    """Search random positions of a small game and compare with the exact solver."""
    game = make()
    solver = Solver(game, method="alpha-beta")
    proven = wrong = best = both = hard = 0
    spent = 0.0
    for number, state in enumerate(random_positions(game, count, least_turns, 1)):
        role = next(role for role in game.roles if len(state.legal(role)) > 1)
        values = {move: after(solver, state, role, move) for move in state.legal(role)}
        value = max(values.values())
        player = SearchPlayer(f"mac-ucb-sym:seed={number},memory=512MiB")
        player.start(Task(game, role), None)
        clock = time.thread_time()
        decision = player.decide(state, time.monotonic() + 60 * seconds, cpu_seconds=seconds)
        spent += time.thread_time() - clock
        player.stop(None)
        is_right = decision.is_proven and decision.value == value
        is_best = values[decision.move] == value
        hard += min(values.values()) < value
        proven, best, both = proven + is_right, best + is_best, both + (is_right and is_best)
        wrong += decision.is_proven and decision.value != value
    return f"{hard:>14} {proven:>12} {wrong:>12} {best:>9} {both:>6} {spent / max(1, count):>11.3f}"


# Small games, each with the number of random turns before a position is taken.
SMALL: dict[str, tuple[Callable[[], Game], int]] = {
    "nim": (partial(woodstock.load, "nim"), 0),
    "connect 3 on 4x4": (partial(connect, 4, 4, 3), 0),
    "connect 4 on 5x4": (partial(connect, 5, 4, 4), 2),
    "breakthrough 3x5": (partial(breakthrough_board, 3, 5), 0),
    "breakthrough 4x5": (partial(breakthrough_board, 4, 5), 2),
    "hex 3x3": (partial(hex_board, 3), 0),
    "hex 4x4": (partial(hex_board, 4), 2),
}
MATCH_HEAD = (
    f"{'rival':<12} {'as':<4} {'matches':>7} {'won':>6} {'drawn':>6} {'lost':>6} "
    f"{'wins given away':>16} {'not best':>9}"
)
POSITION_HEAD = (
    f"{'game':<20} {'positions':>9} {'with bad moves':>14} {'value proven':>12} {'wrong proofs':>12} {'best move':>9} "
    f"{'both':>6} {'CPU s, mean':>11}"
)


def main() -> None:
    options = parser(__doc__, out=True)
    options.add_argument("--matches", type=int, default=1000, help="of tic-tac-toe, for each rival and seat")
    options.add_argument("--simulations", type=int, default=100_000, help="of our player, for each move")
    options.add_argument("--rival-simulations", type=int, default=2_000)
    options.add_argument("--rivals", nargs="*", default=RIVALS)
    options.add_argument("--games", nargs="*", default=list(SMALL), help="small games whose positions are searched")
    options.add_argument("--positions", type=int, default=100, help="of each small game")
    options.add_argument("--seconds", type=float, default=1.0, help="processor time for each position")
    given = options.parse_args()
    report = Report(given.out, resume=True)
    report(f"## mac-ucb-sym in tic-tac-toe, {given.simulations} simulations a move; rivals {given.rival_simulations}")
    report(MATCH_HEAD)
    for rival in given.rivals:
        for ours in ("x", "o"):
            label = f"{rival:<12} {ours:<4} {given.matches:>7} "
            if not report.has(label):
                report(label + matches(rival, ours, given.matches, given.simulations, given.rival_simulations))
    report(f"## mac-ucb-sym in random positions, {given.seconds:g} s of processor time each, a new tree each")
    report(POSITION_HEAD)
    for name in given.games:
        label = f"{name:<20} {given.positions:>9} "
        if not report.has(label):
            report(label + positions(*SMALL[name], given.positions, given.seconds))


if __name__ == "__main__":
    main()
