"""Games as constraint networks against the engine, on states of random matches.

For each state that is not terminal, the solutions of its stage are exactly the joint legal moves, each with its
successor; both stage solvers find the same ones; after singleton arc consistency the action domains are the legal
moves.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.reference.stage_agreement import SHEETS, compare
from tests.reference.traces import BUNDLED

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


BUNDLED_SAMPLE = {
    "awale": 3,
    "backgammon": 8,
    "breakthrough": 10,
    "chinese-checkers-3": 3,
    "connect-four": 30,
    "eight-puzzle": 20,
    "hunter": 20,
    "kaseklau": 15,
    "krieg-tic-tac-toe": 15,
    "monty-hall": 20,
    "nim": 30,
    "pacman": 6,
    "sheep-and-wolf": 15,
    "tic-tac-toe": 60,
}


def check(name: str, states: int) -> None:
    found = compare(name, states, seconds=5, proof_seconds=0.5)
    assert found.states > 0
    assert found.differences == []


@pytest.mark.parametrize("name", BUNDLED_SAMPLE)
def test_stages_of_bundled_games(name: str) -> None:
    check(name, BUNDLED_SAMPLE[name])


@pytest.mark.parametrize("name", SAMPLE)
def test_stages_of_public_sheets(name: str, corpus: Path) -> None:
    check(name, SAMPLE[name])


@pytest.mark.full
@pytest.mark.parametrize("name", BUNDLED)
def test_stages_of_every_bundled_game(name: str) -> None:
    found = compare(name, 200, least_states=20, seconds=2)
    assert found.differences == []


@pytest.mark.full
@pytest.mark.parametrize("name", SHEETS or SAMPLE)
def test_stages_of_every_public_sheet(name: str, corpus: Path) -> None:
    found = compare(name, 200, least_states=20, seconds=2)
    if found.not_compared:
        pytest.skip(found.not_compared)
    assert found.differences == []
