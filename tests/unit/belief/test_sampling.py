"""Particles, carried and rebuilt, against exact beliefs; bounds on memory and time; the same again for a seed."""

from __future__ import annotations

import time

import numpy as np
import pytest
from tests.unit.belief.matches import Seen, observe, random_match, total_variation

import woodstock
from woodstock.belief import Belief, BeliefError
from woodstock.game.game import Game


def exact_states(game: Game, role: str, match: list[Seen]) -> dict[bytes, float]:
    belief = Belief(game, role)
    for seen in match:
        observe(belief, seen)
    belief.catch_up()
    assert belief.is_exact
    return belief.particles.distinct_states()


def sampled(game: Game, role: str, match: list[Seen], n: int, seed: int, always_rebuild: bool) -> Belief:
    belief = Belief(game, role, most_exact=0, particles=n, seed=seed, always_rebuild=always_rebuild)
    for seen in match:
        observe(belief, seen)
        if not always_rebuild:
            belief.catch_up()
    belief.catch_up()
    assert not belief.is_exact
    assert belief.stats.rebuilt_turns == always_rebuild
    return belief


@pytest.mark.parametrize("always_rebuild", [False, True], ids=["carried", "rebuilt"])
@pytest.mark.parametrize(
    ("name", "role", "turns"),
    [("krieg-tic-tac-toe", "o", 6), ("phantom-tic-tac-toe", "o", 6), ("battleships-in-fog", "north", 3)],
)
def test_total_variation_falls_with_the_root_of_the_particles(
    name: str, role: str, turns: int, always_rebuild: bool
) -> None:
    game = woodstock.load(name)
    match = random_match(game, role, 1, most_turns=turns)
    exact = exact_states(game, role, match)
    assert len(exact) > 5
    counts, runs = (32, 128, 512), 6
    distances = [
        np.mean(
            [
                total_variation(sampled(game, role, match, n, seed, always_rebuild).particles, exact)
                for seed in range(runs)
            ]
        )
        for n in counts
    ]
    slope = float(np.polyfit(np.log(counts), np.log(distances), 1)[0])
    assert -0.7 < slope < -0.35, distances
    # With independent draws the mean distance is below the sum of standard deviations / 2.
    spread = sum((p * (1 - p)) ** 0.5 for p in exact.values()) / 2
    assert distances[-1] < 3 * spread / counts[-1] ** 0.5


def test_particles_that_die_out_are_rebuilt() -> None:
    game = woodstock.load("krieg-tic-tac-toe-5x5")
    rebuilt = 0
    for seed in (2, 4):
        belief = Belief(game, "o", most_exact=0, particles=8, seed=seed)
        for seen in random_match(game, "o", seed):
            observe(belief, seen)
            belief.catch_up()
            assert 0 < len(belief.particles) <= 8
            assert belief.particles.weights.sum() == pytest.approx(1)
            if not seen.after.is_terminal:
                assert set(belief.legal) == set(seen.after.legal("o"))
        rebuilt += belief.stats.rebuilt_turns + belief.stats.regrown_turns
    assert rebuilt > 0


def test_the_same_seed_gives_the_same_particles() -> None:
    game = woodstock.load("krieg-tic-tac-toe-5x5")
    match = random_match(game, "x", 3, most_turns=12)

    def rows(seed: int) -> bytes:
        belief = Belief(game, "x", most_exact=100, particles=40, seed=seed)
        for seen in match:
            observe(belief, seen)
            belief.catch_up()
        sample = belief.sample(64)
        return sample.states.tobytes() + sample.information.tobytes()

    assert rows(7) == rows(7)
    assert rows(7) != rows(8)


def test_exact_beliefs_become_particles_when_they_are_too_large() -> None:
    game = woodstock.load("krieg-tic-tac-toe-5x5")
    belief = Belief(game, "x", most_exact=50, particles=100)
    kinds = []
    for seen in random_match(game, "x", 1, most_turns=8):
        observe(belief, seen)
        belief.catch_up()
        kinds.append(belief.is_exact)
        assert len(belief.particles) <= (50 if belief.is_exact else 100)
    assert kinds[0] and not kinds[-1]
    assert kinds == sorted(kinds, reverse=True)


def test_memory_holds() -> None:
    game = woodstock.load("blind-breakthrough-6x6")
    belief = Belief(game, "white", particles=1_000_000, most_exact=1_000_000, memory_mib=1)
    for seen in random_match(game, "white", 1, most_turns=20):
        observe(belief, seen)
        belief.catch_up()
        assert belief.stats.memory_bytes <= 2**20
        assert belief.stats.most_particles < 20_000


def test_deadlines_hold_and_work_goes_on() -> None:
    game = woodstock.load("krieg-tic-tac-toe-5x5")
    belief = Belief(game, "x", particles=200_000, most_exact=1_000_000)
    match = random_match(game, "x", 1, most_turns=12)
    for seen in match:
        observe(belief, seen)
        begun = time.monotonic()
        try:
            belief.catch_up(begun + 0.005)
        except BeliefError:
            assert belief.is_behind
        # Generous: the machine may be busy. The benchmark has the figure.
        assert time.monotonic() - begun < 1
    belief.catch_up()
    assert not belief.is_behind
    assert set(belief.legal) == set(match[-1].after.legal("x"))
