"""Games as constraint networks against the engine, on states of random matches.

For each state that is not terminal, the solutions of its stage are exactly the joint legal moves, each with its
successor; both stage solvers find the same ones; after singleton arc consistency the action domains are the legal
moves.
"""

from __future__ import annotations

import pytest
from tests.reference.stage_agreement import SHARED, SHEETS, compare

# One to six roles, simultaneous moves, chance, percepts; the number of states.
SAMPLE = {
    "asteroidsParallel": 20,
    "backgammon__deckb": 12,
    "biddingTicTacToe": 15,
    "blindtictactoe__ggpcpp": 20,
    "breakthroughSmall": 20,
    "chineseCheckers6": 15,
    "connectFour": 40,
    "eightPuzzle": 20,
    "futoshiki4": 10,
    "hanoi": 30,
    "ii_kriegtictactoe__yannou": 15,
    "kalaha5x2x3": 15,
    "mastermind448__scully": 8,
    "montyhall__scully": 20,
    "nim3": 30,
    "pacman2psmall__ggpcpp": 15,
    "pentago": 8,
    "reversi": 4,
    "sheepAndWolf": 15,
    "ticTacToe": 60,
    "tictactoe_3d_small_6player": 6,
}


@pytest.mark.skipif(not SHEETS, reason=f"the corpus of public rulesheets is not here: {SHARED}")
@pytest.mark.parametrize("name", [name for name in SAMPLE if name in SHEETS])
def test_stages(name: str) -> None:
    found = compare(name, SAMPLE[name], seconds=5, proof_seconds=0.5)
    assert found.states > 0
    assert found.differences == []


@pytest.mark.full
@pytest.mark.skipif(not SHEETS, reason=f"the corpus of public rulesheets is not here: {SHARED}")
@pytest.mark.parametrize("name", SHEETS)
def test_stages_of_every_sheet(name: str) -> None:
    found = compare(name, 200, least_states=20, seconds=2)
    if found.not_compared:
        pytest.skip(found.not_compared)
    assert found.differences == []
