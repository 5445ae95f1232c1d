"""Exact beliefs against all histories, one after the other."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.unit.belief.matches import all_histories, observe, random_match

import woodstock
from woodstock import _native
from woodstock.belief import Belief, BeliefError, ImpossibleViewError, information_hash
from woodstock.errors import GameError
from woodstock.game.state import State, packed
from woodstock.gdl.chance import without_chance

GAMES = ["monty-hall", "kuhn-poker", "krieg-tic-tac-toe", "phantom-tic-tac-toe"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_probabilities_are_those_of_all_histories(name: str, seed: int) -> None:
    game = woodstock.load(name)
    for role in without_chance(game.roles):
        match = random_match(game, role, seed, most_turns=5)
        belief = Belief(game, role)
        for turn, seen in enumerate(match, 1):
            observe(belief, seen)
            belief.catch_up()
            exact = all_histories(game, role, match[:turn])
            found = belief.particles.distinct_states()
            assert belief.is_exact
            assert found.keys() == exact.keys()
            assert found == pytest.approx(exact, abs=1e-12)
            assert packed(seen.after) in found


def test_monty_hall_by_hand() -> None:
    game = woodstock.load("monty-hall")
    match = random_match(game, "candidate", 1)
    belief = Belief(game, "candidate")
    for seen in match[:2]:
        observe(belief, seen)
    belief.catch_up()
    # The host has opened a door; the car is behind the chosen one with probability 1/3.
    chances = sorted(belief.particles.weights.tolist())
    assert chances == pytest.approx([1 / 3, 1 / 3, 1 / 3]) or chances == pytest.approx([1 / 3, 2 / 3])
    assert belief.certain <= belief.possible.keys()
    assert all(0 < chance <= 1 for chance in belief.possible.values())
    assert set(belief.legal) == set(match[1].after.legal("candidate"))


def test_a_model_of_the_others_weighs_their_moves() -> None:
    game = woodstock.load("phantom-tic-tac-toe")
    other = game.moves("x")

    def model(
        role: int, states: NDArray[np.uint8], information: NDArray[np.uint64], legal: NDArray[np.uint8]
    ) -> NDArray[np.float64]:
        assert game.roles[role] == "x" and len(information) == len(legal) == len(states)
        return np.tile(np.arange(1.0, len(other) + 1), (len(legal), 1))

    def chance(state: State, role: str, move: str) -> float:
        legal = state.legal(role)
        weights = [other.index(one) + 1 for one in legal] if role == "x" else [1] * len(legal)
        return weights[legal.index(move)] / sum(weights)

    match = random_match(game, "o", 3, most_turns=4)
    belief = Belief(game, "o", model=model)
    for seen in match:
        observe(belief, seen)
    belief.catch_up()
    assert belief.particles.distinct_states() == pytest.approx(all_histories(game, "o", match, chance), abs=1e-12)


def test_information_hashes_follow_each_role() -> None:
    game = woodstock.load("krieg-tic-tac-toe")
    match = random_match(game, "x", 5)
    belief = Belief(game, "x")
    for seen in match[:4]:
        observe(belief, seen)
    belief.catch_up()
    own = _native.information_start(0)
    names = {text: i for i, (role, text, _atom) in enumerate(game.engine.ground.sees) if role == 0}  # type: ignore[attr-defined]
    for seen in match[:4]:
        own = _native.next_information(own, game.moves("x").index(seen.move), [names[text] for text in seen.percepts])
    information = belief.particles.information
    assert (information[:, 0] == own).all()
    assert len(np.unique(information[:, 1])) > 1


def test_a_belief_follows_views_of_a_match() -> None:
    game = woodstock.load("krieg-tic-tac-toe")
    belief = Belief(game, "o")
    with woodstock.Match(game, ["random", "random"], seed=4) as match:
        while not match.is_over:
            match.step()
            view = match.view_of("o")
            belief.follow(view)
            assert packed(match.state) in belief.particles.distinct_states()
            assert belief.particles.information[0, 1] == information_hash(view)
            if not match.is_over:
                assert belief.legal == view.legal
    late, exact = Belief(game, "o"), belief.particles
    late.follow(view)
    assert late.particles.distinct_states() == pytest.approx(exact.distinct_states())
    # Another match: the belief begins anew.
    with woodstock.Match(game, ["random", "random"], seed=5) as match:
        match.step()
        late.follow(match.view_of("o"))
        assert packed(match.state) in late.particles.distinct_states()


@pytest.mark.parametrize(("name", "role"), [("kuhn-poker", "second"), ("krieg-tic-tac-toe", "o")])
def test_rules_that_were_not_grounded_have_the_same_belief(name: str, role: str) -> None:
    game = woodstock.load(name)
    slow = woodstock.load(name, engine="interpreter")
    match = random_match(game, role, 2, most_turns=4)
    exact, same, drawn = Belief(game, role), Belief(slow, role), Belief(slow, role, most_exact=0, particles=20)
    for seen in match:
        for belief in (exact, same, drawn):
            observe(belief, seen)
            belief.catch_up()
        assert same.is_exact and same.possible == pytest.approx(exact.possible)
        assert same.certain == exact.certain and set(same.legal) == set(exact.legal)
        assert not drawn.is_exact and drawn.certain >= exact.certain and set(drawn.legal) == set(exact.legal)
    assert {state.fluents for state in same.states(50)} <= {state.fluents for state in exact.states(500)}
    with pytest.raises(GameError, match="was not grounded"):
        same.sample(1)


def test_open_games_are_known() -> None:
    game = woodstock.load("tic-tac-toe")
    belief = Belief(game, "x")
    with woodstock.Match(game, ["random", "random"], seed=1) as match:
        match.step()
        belief.follow(match.view_of("x"))
    assert belief.is_exact and belief.certain == match.state.fluents


def test_impossible_views_and_wrong_names_are_refused() -> None:
    game = woodstock.load("krieg-tic-tac-toe")
    belief = Belief(game, "x")
    move = game.initial.legal("x")[0]
    with pytest.raises(GameError, match="never has the move"):
        belief.observe("(mark 9 9)", [])
    with pytest.raises(GameError, match="never sees"):
        belief.observe(move, ["(ghost 1 1)"])
    belief.observe(move, [], is_terminal=True)
    with pytest.raises(ImpossibleViewError, match="nothing fits what x saw"):
        belief.catch_up()
    with pytest.raises(GameError, match="hides nothing"):
        Belief(woodstock.load("tic-tac-toe"), "x").observe("noop", [])
    for options in ({"particles": 0}, {"memory_mib": 0}, {"memory_mib": 1e-6}, {"most_exact": -1}):
        with pytest.raises(GameError):
            Belief(game, "x", **options)
    with pytest.raises(GameError):
        belief.sample(0)
    assert issubclass(ImpossibleViewError, BeliefError)
