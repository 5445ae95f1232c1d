"""PettingZoo's own tests on our games, without a single warning (warnings are errors here)."""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import pytest

import woodstock
from woodstock.env import Batch
from woodstock.errors import GameError, IllegalMoveError
from woodstock.game.game import Game

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install 'woodstock[env]'")

with warnings.catch_warnings():
    # Its tests import games of its own in a way that it has itself deprecated.
    warnings.simplefilter("ignore", DeprecationWarning)
    peer = pytest.importorskip("pettingzoo.test", reason="PettingZoo's tests need pygame")

from woodstock.env import env, parallel_env

CYCLES, STEPS = 60, 100


def test_the_agent_cycle_passes_the_api_test(game: Game) -> None:
    # PettingZoo warns about every dictionary of its users; with the mask in the info there is nothing to warn about.
    peer.api_test(env(game, mask_in="info", max_steps=STEPS), num_cycles=CYCLES)


def test_the_parallel_form_passes_the_api_test(game: Game) -> None:
    peer.parallel_api_test(parallel_env(game, max_steps=STEPS), num_cycles=CYCLES)


def test_a_seed_fixes_a_match(game: Game) -> None:
    peer.seed_test(partial(env, game, max_steps=STEPS), num_cycles=CYCLES)
    # This one chooses moves without a mask.
    peer.parallel_seed_test(partial(parallel_env, game, illegal="random", max_steps=STEPS), num_cycles=CYCLES)


def test_every_render_mode_draws(game: Game) -> None:
    peer.render_test(lambda render_mode: env(game, max_steps=STEPS, render_mode=render_mode))


def test_observations_are_those_of_the_batch(game: Game) -> None:
    batch = Batch(game, 1, seed=3)
    match = parallel_env(game)
    observations, _ = match.reset(seed=1)
    for _ in range(20):
        for player, agent in enumerate(match.possible_agents):
            frame = batch.frame
            assert frame.masks is not None
            seen = frame.observations[0, player] if batch.plan.is_hidden else frame.observations[0]
            assert observations[agent]["observation"].tolist() == seen.tolist()
            assert observations[agent]["action_mask"].tolist() == frame.masks[0, player].tolist()
        moves = batch.sample()[0].tolist()
        if game.is_stochastic:
            break
        observations, rewards, *_ = match.step(dict(zip(match.agents, moves, strict=True)))
        frame = batch.step(np.array([moves]))
        if not match.agents:
            assert [round(100 * reward) for reward in rewards.values()] == frame.goals[0].tolist()
            break


def test_forced_moves_are_skipped_and_simultaneous_choices_stay_secret() -> None:
    match = env("matching-pennies")
    match.reset(seed=1)
    assert match.agent_selection == "even_0"
    before = match.observe("odd_1")["observation"].copy()
    match.step(0)
    assert match.agent_selection == "odd_1"
    assert match.observe("odd_1")["observation"].tolist() == before.tolist()


def test_bad_use_gets_a_clear_error() -> None:
    game = woodstock.load("tic-tac-toe")
    match = env(game)
    match.reset(seed=1)
    with pytest.raises(IllegalMoveError, match="illegal move noop for x at turn 1: not among its 9 legal moves"):
        match.step(9)
    with pytest.raises(GameError, match="x has moves 0 to 9, not 12"):
        match.step(12)
    with pytest.raises(GameError, match="must be an index, not 'centre'"):
        match.step("centre")
    with pytest.raises(GameError, match="no render_mode 'png'; there are"):
        env(game, render_mode="png")
    with pytest.raises(GameError, match="mask_in must be one of 'observation', 'info'"):
        env(game, mask_in="nowhere")
    with pytest.raises(GameError, match="illegal must be one of 'error', 'random'"):
        env(game, illegal="lose")
    with pytest.raises(GameError, match="say how to draw when you make the environment"):
        match.render()
    match.close()
    with pytest.raises(GameError, match="was closed; make a new one"):
        match.reset()
    parallel = parallel_env(game)
    parallel.reset()
    with pytest.raises(GameError, match="every agent makes a move in every step: none given for o_1"):
        parallel.step({"x_0": 1})
