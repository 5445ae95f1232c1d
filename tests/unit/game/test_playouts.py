"""Playouts by every engine: exact counts, seeds, bounds, start states."""

from __future__ import annotations

import concurrent.futures
import math
import pickle
import time
from collections.abc import Callable

import pytest

import woodstock
from woodstock import GameError
from woodstock.game.game import Game
from woodstock.game.playouts import PlayoutStats

Loader = Callable[[str], Game]


@pytest.fixture(params=["batch", "scalar", "reference"])
def how(request: pytest.FixtureRequest, engine: str) -> str:
    name: str = request.param
    if engine == "interpreter" and name != "reference":
        pytest.skip("the interpreter has one way of playing")
    return name


def test_every_playout_is_counted(load: Loader, how: str) -> None:
    game = load("tic-tac-toe")
    stats = game.playouts(300, seed=1, engine=how)
    assert (stats.count, stats.truncated, stats.stuck, stats.finished) == (300, 0, 0, 300)
    assert stats.engine == how
    assert 5 <= stats.mean_length <= 9
    assert stats.steps == round(stats.mean_length * 300)
    for role in game.roles:
        assert sum(stats.histograms[role].values()) == 300
        assert stats.undefined[role] == 0
        assert stats.goal_sums[role] == sum(v * n for v, n in stats.histograms[role].items())
    assert sum(stats.goal_sums.values()) == 100 * 300
    assert stats.histograms["x"][100] == stats.histograms["o"][0]
    assert stats.seconds > 0
    assert stats.playouts_per_second > 0
    assert pickle.loads(pickle.dumps(stats)) == stats


def test_a_seed_gives_the_same_playouts_again(load: Loader, how: str) -> None:
    game = load("tic-tac-toe")
    n = 50 if how == "reference" else 200
    first, second, other = (game.playouts(n, seed=seed, engine=how).histograms for seed in (7, 7, 8))
    assert first == second
    assert first != other


def test_the_mean_is_the_true_one(load: Loader, how: str) -> None:
    # Random play of tic-tac-toe: x wins 737/1260, o 121/420, and the rest are draws.
    n = 600 if how == "reference" else 60_000
    stats = load("tic-tac-toe").playouts(n, seed=3, engine=how)
    wins = stats.histograms["x"][100] / n
    exact = 737 / 1260
    assert abs(wins - exact) < 5 * math.sqrt(exact * (1 - exact) / n)
    low, high = stats.goal_interval("x") or (0, 0)
    assert low < (stats.goal_means["x"] or 0) < high
    assert high - low < 232 / math.sqrt(n)


def test_chance_is_uniform(load: Loader, how: str) -> None:
    n = 3000
    stats = load("die").playouts(n, seed=2, engine=how)
    assert abs(stats.histograms["gambler"][100] / n - 1 / 3) < 5 * math.sqrt(2 / 9 / n)
    assert stats.mean_length == 1


def test_results_go_to_their_own_start(load: Loader, how: str) -> None:
    game = load("pennies")
    start = game.initial
    won = start.next(["(turn heads)", "(turn heads)"])
    lost = start.next(["(turn heads)", "(turn tails)"])
    results = game.playouts_many([won, start, lost, won], [10, 100, 0, 3], seed=5, engine=how)
    assert [stats.count for stats in results] == [10, 100, 0, 3]
    assert [stats.steps for stats in results] == [0, 100, 0, 0]
    assert results[0].histograms["even"] == {100: 10}
    assert set(results[1].histograms["even"]) == {0, 100}
    assert results[2].histograms["even"] == {}
    assert results[2].goal_means["even"] is None
    assert results[2].goal_interval("even") is None
    assert results[3].histograms["odd"] == {0: 3}
    assert game.playouts_many([], [], engine=how) == []


def test_an_endless_game_is_cut(load: Loader, how: str) -> None:
    stats = load("clock").playouts(5, max_steps=40, engine=how)
    assert (stats.count, stats.truncated, stats.finished, stats.steps) == (5, 5, 0, 200)
    assert stats.histograms["hand"] == {}


def test_a_stuck_playout_is_told_from_a_cut_one(load: Loader, how: str) -> None:
    stats = load("stuck").playouts(6, engine=how)
    assert (stats.count, stats.stuck, stats.truncated, stats.steps) == (6, 6, 0, 12)


def test_a_goal_that_is_missing_or_double_is_undefined(load: Loader, how: str) -> None:
    stats = load("muddle").playouts(400, seed=1, engine=how)
    assert set(stats.histograms["judge"]) == {70}
    assert stats.histograms["judge"][70] + stats.undefined["judge"] == 400
    assert 200 < stats.undefined["judge"] < 330


def test_a_timed_run_plays_whole_rounds(load: Loader, how: str) -> None:
    stats = load("pennies").playouts(seconds=0.1, engine=how)
    assert stats.count == stats.finished > 10
    assert stats.seconds > 0.05


def test_senseless_requests_are_refused(load: Loader) -> None:
    game = load("pennies")
    requests: list[tuple[Callable[[], object], str]] = [
        (lambda: game.playouts(), "how many playouts"),
        (lambda: game.playouts(3, seconds=1), "not both"),
        (lambda: game.playouts(-1), "cannot be negative"),
        (lambda: game.playouts(1, threads=0), "at least one thread"),
        (lambda: game.playouts(1, max_steps=-1), "cannot be negative"),
        (lambda: game.playouts(1, engine="gpu"), "no playout engine 'gpu'"),
        (lambda: game.playouts_many([game.initial], []), "one count for each state"),
        (lambda: game.playouts(1, load("die").initial), "a state of die cannot be played out by pennies"),
    ]
    for wrong, message in requests:
        with pytest.raises(GameError, match=message):
            wrong()


def test_runs_of_one_game_are_pooled() -> None:
    game = woodstock.load("nim", engine="interpreter")
    one, two = game.playouts(10, seed=1), game.playouts(15, seed=2)
    both = one + two
    assert both.count == 25
    assert both.steps == one.steps + two.steps
    assert sum(both.histograms["first"].values()) == 25
    with pytest.raises(ValueError, match="same roles"):
        _ = both + PlayoutStats(0, 0, 0, 0, 0.0, 0.0, {"other": {}}, {"other": 0})


@pytest.mark.parametrize("engine", ["circuit"], indirect=True)
def test_threads_do_not_change_the_counts(load: Loader) -> None:
    game = load("connect-four")
    alone, together = (game.playouts(20_000, seed=4, threads=threads) for threads in (1, 3))
    assert together.count == together.finished == 20_000
    assert together.threads == 3
    assert together.histograms == alone.histograms
    assert together.steps == alone.steps


@pytest.mark.parametrize("engine", ["circuit"], indirect=True)
@pytest.mark.parametrize("how", ["batch", "scalar"])
def test_runs_in_several_threads_do_not_meet(load: Loader, how: str) -> None:
    game = load("connect-four")

    def play(seed: int) -> PlayoutStats:
        return game.playouts(500, seed=seed, engine=how)

    alone = [play(seed).histograms for seed in range(8)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert [stats.histograms for stats in pool.map(play, range(8))] == alone


@pytest.mark.parametrize("engine", ["circuit"], indirect=True)
@pytest.mark.parametrize("how", ["batch", "scalar"])
def test_other_threads_run_meanwhile(load: Loader, how: str) -> None:
    game = load("breakthrough")
    game.playouts(100, engine=how)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        running = pool.submit(game.playouts, 800_000 if how == "batch" else 15_000, engine=how)
        ticks = 0
        while not running.done():
            time.sleep(0.005)
            ticks += 1
    assert ticks > 3
