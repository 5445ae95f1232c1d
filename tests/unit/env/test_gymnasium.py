"""Gymnasium's own check on our games, opponents of every kind, and the vector against single matches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import woodstock
from woodstock.errors import GameError
from woodstock.game.game import Game

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install 'woodstock[env]'")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from woodstock.env import Env, VectorEnv  # noqa: E402


def test_every_game_passes_check_env(game: Game) -> None:
    made = gymnasium.make("woodstock.env.gym_env:woodstock/Game-v0", game=game, illegal="random", max_steps=60)
    check_env(made.unwrapped)


def play(match: Env, seed: int) -> float:
    """Play the first legal move to the end."""
    seen, _ = match.reset(seed=seed)
    while True:
        seen, reward, ended, cut, _ = match.step(int(np.argmax(seen["action_mask"])))
        if ended or cut:
            return float(reward)


class Centre(woodstock.Player):
    """Takes the centre if it can."""

    def move(self, view: woodstock.InformationState, deadline: float) -> str:
        del deadline
        legal = view.legal
        return "(mark 2 2)" if "(mark 2 2)" in legal else legal[0]


@pytest.mark.parametrize("opponent", ["random", "uct", Centre(), lambda seen, mask: int(np.argmax(mask))])
def test_opponents_may_be_players_or_policies(opponent: Any) -> None:
    match = Env("tic-tac-toe", role="o", opponents=opponent, simulations=50)
    rewards = [play(match, seed) for seed in range(3)]
    assert all(reward in (0.0, 0.5, 1.0) for reward in rewards)
    match.close()
    with pytest.raises(GameError, match="was closed"):
        match.reset()


def test_bad_use_gets_a_clear_error() -> None:
    with pytest.raises(GameError, match="'z' is no opponent: the others are o"):
        Env("tic-tac-toe", opponents={"z": "random"})
    with pytest.raises(GameError, match="has no role 'z'"):
        Env("tic-tac-toe", role="z")
    with pytest.raises(GameError, match="random is the role of chance: it cannot learn"):
        Env("monty-hall", role="random")
    match = Env("tic-tac-toe")
    with pytest.raises(GameError, match="the match is over, or was not begun: call reset"):
        match.step(0)
    with pytest.raises(GameError, match="must be 'random' or a policy, not 'uct'"):
        VectorEnv("tic-tac-toe", 4, opponents="uct")
    with pytest.raises(GameError, match=r"one action for each of 4 matches is needed, not \(3,\)"):
        vector = VectorEnv("tic-tac-toe", 4)
        vector.reset(seed=1)
        vector.step(np.zeros(3, np.int64))


@pytest.mark.parametrize("autoreset", ["same", "next", "never"])
@pytest.mark.parametrize(
    ("name", "role"), [("tic-tac-toe", "o"), ("kuhn-poker", "second"), ("matching-pennies", "odd")]
)
def test_a_vector_plays_whole_matches(name: str, role: str, autoreset: str) -> None:
    vector = VectorEnv(
        name, 300, role=role, autoreset=autoreset, opponents=lambda seen, masks: np.argmax(masks, axis=1)
    )
    seen, _ = vector.reset(seed=4)
    chance = np.random.default_rng(1)
    finished, was_over = 0, np.zeros(300, dtype=bool)
    for _ in range(30):
        assert vector.observation_space.contains(seen)
        if autoreset != "never":
            assert (seen["action_mask"].sum(axis=1) > 1)[~was_over].all()
        actions = (seen["action_mask"] * chance.random(seen["action_mask"].shape)).argmax(axis=1)
        seen, rewards, ended, cut, info = vector.step(actions)
        over = ended | cut
        assert not rewards[~over].any()
        if autoreset == "same" and over.any():
            assert info["_final_obs"].tolist() == over.tolist()
        if autoreset == "next":
            assert not (over & was_over).any()
        if autoreset == "never" and over.any():
            seen, _ = vector.reset(options={"reset_mask": over})
            over = np.zeros(300, dtype=bool)
        finished, was_over = finished + int((ended | cut).sum()), over
    assert finished > 300
    vector.close()


def test_a_vector_of_random_play_has_the_goals_of_playouts() -> None:
    game = woodstock.load("tic-tac-toe")
    vector = VectorEnv(game, 4000, role="x")
    seen, _ = vector.reset(seed=7)
    chance, goals = np.random.default_rng(2), []
    for _ in range(40):
        actions = (seen["action_mask"] * chance.random(seen["action_mask"].shape)).argmax(axis=1)
        seen, rewards, ended, _, _ = vector.step(actions)
        goals += rewards[ended].tolist()
    expected = game.playouts(100_000, seed=3).goal_means["x"]
    assert expected is not None
    assert abs(100 * np.mean(goals) - expected) < 1.5
