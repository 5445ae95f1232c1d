"""The batch evaluator: exact chances, the same results by every means, results that go to their own start."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from functools import cache

import pytest

import woodstock
from woodstock import _native
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.game.state import State, packed

BACKENDS = ("portable", "avx2", "avx512", "jit", "jit512")

# A single choice among as many moves as a first, simultaneous choice allowed: the goal tells which was made.
CHOICE = """
(role chooser) (role limiter)
(init begin)
{numbers}
(<= (legal limiter (limit ?n)) (true begin) (number ?n))
(<= (legal limiter wait) (true (limit ?n)))
(<= (legal chooser wait) (true begin))
(<= (legal chooser (take ?k)) (true (limit ?n)) (atmost ?k ?n))
(<= (next (limit ?n)) (does limiter (limit ?n)))
(<= (next (taken ?k ?n)) (does chooser (take ?k)) (true (limit ?n)))
(<= terminal (true (taken ?k ?n)))
(<= (goal chooser ?k) (true (taken ?k ?n)))
(<= (goal limiter ?n) (true (taken ?k ?n)))
(<= (goal chooser 0) (not terminal))
"""

# (cell ?c on) and (cell ?c off) exclude each other, except after 21 coins in a row have shown their first side.
RARE = """
(role random)
(init (count 0)) (init (cell a off))
(<= (legal random first) (true (count ?n)) (true (cell a off)))
(<= (legal random second) (true (count ?n)))
(<= (next (cell a off)) (true (cell a off)) (not (true late)))
(<= (next (count ?m)) (true (count ?n)) (succ ?n ?m) (does random first))
(<= (next (cell a on)) (true (count 20)) (does random first))
(<= (next late) (true (count 20)) (does random first))
(<= (legal random first) (true late))
(<= (next (cell a on)) (true late))
(<= (next over) (true late))
(<= (next over) (true (count ?n)) (does random second))
(<= terminal (true over))
(<= (goal random 100) (true (cell a on)))
(<= (goal random 0) (not (true (cell a on))))
"""


def successors(last: int) -> str:
    return " ".join(f"(succ {i} {i + 1})" for i in range(last))


def circuit(game: Game) -> CircuitEngine:
    assert isinstance(game.engine, CircuitEngine)
    return game.engine


def batches(game: Game) -> dict[str, _native.Batch]:
    """Return an evaluator for each backend that this machine has."""
    found = {}
    for backend in BACKENDS:
        try:
            found[backend] = _native.Batch(circuit(game).circuit, backend)
        except RuntimeError:
            continue
    return found


def plain(raw: dict[str, object]) -> dict[str, object]:
    """Leave out what differs from run to run."""
    return {key: getattr(value, "tolist", lambda v=value: v)() for key, value in raw.items() if key != "cpu_seconds"}


def chi_square(observed: Counter[int], expected: dict[int, float]) -> float:
    """Return the number of standard deviations that the statistic lies above its mean."""
    statistic = sum((observed[key] - mean) ** 2 / mean for key, mean in expected.items())
    freedom = len(expected) - 1
    return (statistic - freedom) / math.sqrt(2 * freedom)


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "breakthrough", "nim"])
def test_every_backend_gives_the_same_playouts(name: str) -> None:
    game = woodstock.load(name)
    start = packed(game.initial)
    results = {b: plain(batch.playouts([start], [3000], 5, 1, 1000, 0.0)) for b, batch in batches(game).items()}
    assert "portable" in results
    for backend, result in results.items():
        assert result == results["portable"], backend


def test_threads_do_not_change_the_result() -> None:
    game = woodstock.load("connect-four")
    results = [game.playouts(20_000, seed=3, threads=threads) for threads in (1, 2, 3)]
    assert results[0].histograms == results[1].histograms == results[2].histograms
    assert results[0].steps == results[1].steps == results[2].steps


def test_seeds_change_the_result() -> None:
    game = woodstock.load("connect-four")
    assert game.playouts(2000, seed=1).histograms != game.playouts(2000, seed=2).histograms
    assert game.playouts(2000, seed=1).histograms == game.playouts(2000, seed=1).histograms


@pytest.mark.parametrize("most", [2, 3, 7, 8, 9, 33])
def test_each_legal_move_is_equally_likely(most: int) -> None:
    numbers = " ".join(f"(number {n})" for n in range(1, most + 1))
    numbers += " ".join(f"(atmost {k} {n})" for n in range(1, most + 1) for k in range(1, n + 1))
    game = woodstock.loads(CHOICE.format(numbers=numbers))
    assert game.playouts(1).count == 1
    count = 200_000
    # The joint outcome is not in the marginal histograms, so ask from each limit by itself.
    states = [game.initial.next({"limiter": f"(limit {n})", "chooser": "wait"}) for n in range(1, most + 1)]
    for n, stats in enumerate(game.playouts_many(states, [count] * most, seed=11), start=1):
        assert sum(stats.histograms["chooser"].values()) == count
        if n > 1:
            expected = dict.fromkeys(range(1, n + 1), count / n)
            assert chi_square(Counter(stats.histograms["chooser"]), expected) < 5, n
    first = game.playouts(count, seed=12)
    assert chi_square(Counter(first.histograms["limiter"]), dict.fromkeys(range(1, most + 1), count / most)) < 5


def test_outcomes_of_tic_tac_toe_have_their_exact_chances() -> None:
    game = woodstock.load("tic-tac-toe")
    role = game.roles[0]

    @cache
    def chances(state: State) -> dict[int, Fraction]:
        if state.is_terminal:
            goal = state.goals[role]
            assert goal is not None
            return {goal: Fraction(1)}
        total: dict[int, Fraction] = {}
        mover = max(game.roles, key=lambda r: len(state.legal(r)))
        moves = state.legal(mover)
        for move in moves:
            joint = {r: move if r == mover else state.legal(r)[0] for r in game.roles}
            for goal, chance in chances(state.next(joint)).items():
                total[goal] = total.get(goal, Fraction(0)) + chance / len(moves)
        return total

    exact = chances(game.initial)
    assert sum(exact.values()) == 1
    count = 2_000_000
    stats = game.playouts(count, seed=17)
    assert chi_square(Counter(stats.histograms[role]), {g: float(p) * count for g, p in exact.items()}) < 5


def test_results_go_to_the_start_that_they_came_from() -> None:
    game = woodstock.load("tic-tac-toe")
    states: list[State] = []
    frontier = [game.initial]
    while frontier and len(states) < 300:
        state = frontier.pop(0)
        states.append(state)
        if state.is_terminal:
            continue
        for x in state.legal(game.roles[0]):
            frontier += [state.next((x, o)) for o in state.legal(game.roles[1])]
    counts = [1 + 37 * (i % 5) for i in range(len(states))]
    for state, count, stats in zip(states, counts, game.playouts_many(states, counts, seed=4), strict=True):
        assert stats.count == count
        assert stats.truncated == stats.stuck == 0
        assert all(sum(histogram.values()) == count for histogram in stats.histograms.values())
        if state.is_terminal:
            assert stats.steps == 0
            assert all(stats.histograms[role] == {state.goals[role]: count} for role in game.roles)
    alone = game.playouts_many([states[3]], [4000], seed=9)[0]
    among = game.playouts_many(states[:8], [4000] * 8, seed=9)[3]
    assert abs(alone.mean_length - among.mean_length) < 0.1


def test_a_bound_cuts_exactly_the_playouts_that_are_longer() -> None:
    game = woodstock.load("tic-tac-toe")
    for bound, seed in ((0, 1), (4, 2), (6, 3), (8, 4), (9, 5)):
        stats = game.playouts(50_000, seed=seed, max_steps=bound)
        assert stats.count == 50_000
        if bound <= 4:
            assert stats.truncated == stats.count
            assert stats.steps == bound * stats.count
        assert (stats.truncated == 0) == (bound == 9)
        assert sum(stats.histograms[game.roles[0]].values()) == stats.count - stats.truncated
    # In 127872 of the 362880 orders of the nine cells the match takes all nine moves.
    shorter = game.playouts(400_000, seed=6, max_steps=8)
    assert abs(shorter.truncated / shorter.count - 127872 / 362880) < 0.004


def test_a_role_without_moves_ends_the_playout_as_stuck() -> None:
    game = woodstock.loads(
        "(role r) (init a) (<= (legal r go) (true a)) (<= (next b) (true a)) (<= terminal (true c)) (goal r 100)"
    )
    stats = game.playouts(100)
    assert (stats.count, stats.stuck, stats.steps) == (100, 100, 100)


def test_a_broken_assumption_is_noticed_and_the_result_stays_exact() -> None:
    game = woodstock.loads(RARE + successors(20))
    batch = _native.Batch(circuit(game).circuit, "auto")
    count = 1 << 24
    raw = batch.playouts([packed(game.initial)], [count], 1, 1, 1000, 0.0)
    goals = circuit(game).ground.goals
    values = {value: int(n) for (_role, value, _atom), n in zip(goals, raw["histogram"][0], strict=True)}
    expected = count / 2**21
    assert raw["guard_trips"] > 0
    assert values[0] + values[100] == count
    assert values[100] > 0
    assert abs(values[100] - expected) < 6 * math.sqrt(expected)


def test_a_state_that_fits_no_phase_is_played_too() -> None:
    game = woodstock.load("tic-tac-toe")
    odd = game.state([f for f in game.initial.fluents if not f.startswith("(control")])
    stats = game.playouts(100, state=odd)
    assert stats.count == 100


def test_unknown_backends_are_refused() -> None:
    game = woodstock.load("tic-tac-toe")
    with pytest.raises(ValueError, match="unknown backend 'gpu'"):
        _native.Batch(circuit(game).circuit, "gpu")
