"""The games that tests of environments run on: a few of every kind, or all bundled ones."""

from __future__ import annotations

import functools

import pytest

import woodstock
from woodstock.game.game import Game
from woodstock.games import all_games

# Alternating, simultaneous, chance, hidden, one player, recursion, three players.
SAMPLE = (
    "tic-tac-toe connect-four matching-pennies connect-four-simultaneous monty-hall kuhn-poker krieg-tic-tac-toe "
    "buttons-and-lights nim hex breakthrough free-for-all-2 randomised-tic-tac-toe-2x2 bomberman"
).split()
_EVERY = sorted(game.name for game in all_games())


@functools.lru_cache(maxsize=4)
def _loaded(name: str) -> Game:
    return woodstock.load(name)


@pytest.fixture(
    params=[*SAMPLE, *(pytest.param(name, marks=pytest.mark.full) for name in _EVERY if name not in SAMPLE)]
)
def game(request: pytest.FixtureRequest) -> Game:
    """A bundled game: a sample in `make test`, all of them in `make check-full`."""
    return _loaded(request.param)
