"""Games of OpenSpiel that are not quite ours: compared as far as they agree."""

from __future__ import annotations

import random

import pytest
from tests.unit.games.oracles.compare import compare_match
from tests.unit.games.oracles.spiel import Spiel, sow
from tests.unit.games.oracles.spiel_gammon import SpielBackgammon
from tests.unit.games.oracles.spiel_moves import SpielAmazons

import woodstock
from woodstock.games import find


@pytest.mark.parametrize("matches", [1, pytest.param(1000, marks=pytest.mark.full)])
def test_amazons_agree_on_a_board_with_edges(matches: int) -> None:
    """The rules of the torus, without the fact that joins its edges."""
    oracle = SpielAmazons()
    text = find("amazons-torus-10x10").read()
    assert text.count("(shift up 10 1)\n") == 1
    game = woodstock.loads(text.replace("(shift up 10 1)\n", ""))
    for seed in range(matches):
        compare_match(game, oracle, seed)


@pytest.mark.parametrize("matches", [3, pytest.param(1000, marks=pytest.mark.full)])
def test_awale_agrees_until_a_position_comes_again(matches: int) -> None:
    """OpenSpiel ends a match there; ours goes on for 200 moves."""
    oracle = Spiel("oware", ("south", "north"), sow)
    game = woodstock.load("awale")
    for seed in range(matches):
        rng = random.Random(seed)
        state, twin = game.initial, oracle.initial()
        seen = set()
        for _ in range(200):
            position = frozenset(fluent for fluent in state.fluents if not fluent.startswith("(step"))
            if oracle.is_terminal(twin):
                assert state.is_terminal or position in seen
                if position not in seen:
                    assert list(state.goals.values()) == oracle.goals(twin)
                break
            assert not state.is_terminal
            seen.add(position)
            joint = [sorted(moves) for moves in oracle.legal(twin)]
            assert joint == [sorted(state.legal(role)) for role in game.roles]
            moves = [rng.choice(legal) for legal in joint]
            state, twin = state.next(moves), oracle.next(twin, moves)


def test_rolls_of_backgammon_have_the_same_probabilities() -> None:
    """All moves of chance are equally likely in GDL; OpenSpiel gives the probability of each outcome."""
    oracle = SpielBackgammon()
    first = oracle.initial()
    later = oracle.play(first, "(roll 3 1)")
    for _ in range(2):
        later = oracle.play(later, min(oracle.moves(later)))
    for state, count in ((first, 30), (later, 36)):
        assert len(oracle.rolls(state[0].state)) == count
        assert [chance for _, chance in state[0].state.chance_outcomes()] == pytest.approx([1 / count] * count)
