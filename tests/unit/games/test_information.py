"""What a role knows, compared with OpenSpiel: two histories are the same to a player in ours if and only if there."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from tests.unit.games.oracles.compare import compare_match
from tests.unit.games.oracles.oracle import Oracle
from tests.unit.games.oracles.spiel_hidden import HIDDEN, SpielLeduc, information, observation

import woodstock
from woodstock import Game

# There every role sees the whole state, and OpenSpiel forgets the order of bids: states are compared, not histories.
OPEN = ["goofspiel-4", "oshi-zumo"]
SECRET = sorted(set(HIDDEN) - {*OPEN, "rock-paper-scissors"})


def spiel_state(twin: Any) -> Any:
    """Return the state of OpenSpiel in a state of one of its oracles."""
    return (twin[0] if isinstance(twin, tuple) else twin).state


def decisions(game: Game, oracle: Oracle, seed: int) -> Iterator[tuple[int, tuple[object, ...], str, str]]:
    """Play a random match; yield role, information state of ours and of OpenSpiel, and observation of each decision."""
    rng = random.Random(seed)
    state, twin = game.initial, oracle.initial()
    known: list[tuple[object, ...]] = [()] * len(game.roles)
    while not oracle.is_terminal(twin):
        theirs = spiel_state(twin)
        for role in (0, 1):
            text = information(theirs, role)
            if text is not None:
                yield role, known[role], text, observation(theirs, role)
        joint = [rng.choice(sorted(moves)) for moves in oracle.legal(twin)]
        state, twin = state.next(joint), oracle.next(twin, joint)
        known = [(*known[i], (joint[i], state.sees(role))) for i, role in enumerate(game.roles)]


def compare(name: str, matches: int) -> None:
    """Check that information states correspond one to one, and that ours give the observation."""
    game, oracle = woodstock.load(name), HIDDEN[name]()
    forth: dict[object, object] = {}
    back: dict[object, object] = {}
    nodes = 0
    for seed in range(matches):
        for role, ours, theirs, seen in decisions(game, oracle, seed):
            assert forth.setdefault((role, ours), (theirs, seen)) == (theirs, seen), (seed, ours)
            assert back.setdefault((role, theirs), ours) == ours, (seed, theirs)
            nodes += 1
    assert len(forth) == len(back) < nodes


@pytest.mark.parametrize("name", SECRET)
def test_information_states_correspond_to_openspiel(name: str) -> None:
    compare(name, 50)


@pytest.mark.full
@pytest.mark.parametrize("name", SECRET)
def test_information_states_correspond_to_openspiel_in_many_matches(name: str) -> None:
    compare(name, 5000)


@pytest.mark.parametrize("name", sorted(HIDDEN))
@pytest.mark.parametrize("matches", [15, pytest.param(2000, marks=pytest.mark.full)])
def test_moves_and_goals_agree_with_openspiel(name: str, matches: int) -> None:
    game, oracle = woodstock.load(name), HIDDEN[name]()
    for seed in range(matches):
        compare_match(game, oracle, seed)


@pytest.mark.parametrize("name", OPEN)
def test_states_correspond_to_observations_of_openspiel(name: str) -> None:
    game, oracle = woodstock.load(name), HIDDEN[name]()
    forth: dict[object, object] = {}
    for seed in range(200):
        rng = random.Random(seed)
        state, twin = game.initial, oracle.initial()
        while not oracle.is_terminal(twin) and not spiel_state(twin).is_terminal():
            texts = [spiel_state(twin).observation_string(role).split("\n") for role in (0, 1)]
            theirs = [[line for line in lines if not line.startswith("Win sequence")] for lines in texts]
            assert forth.setdefault(state, theirs) == theirs
            joint = [rng.choice(sorted(moves)) for moves in oracle.legal(twin)]
            state, twin = state.next(joint), oracle.next(twin, joint)
    assert len({str(theirs) for theirs in forth.values()}) == len(forth)


def test_deals_of_leduc_have_the_same_probabilities() -> None:
    """All moves of chance are equally likely in GDL; OpenSpiel gives the probability of each rank."""
    game, oracle = woodstock.load("leduc-poker"), SpielLeduc()
    deals = [oracle.outcomes(move) for move in game.initial.legal("random")]
    theirs = oracle.initial()[0].state
    for first, chance in theirs.chance_outcomes():
        assert sum(deal[0] == first for deal in deals) / len(deals) == pytest.approx(chance)
        for second, later in theirs.child(first).chance_outcomes():
            assert deals.count([first, second]) / len(deals) == pytest.approx(chance * later)
