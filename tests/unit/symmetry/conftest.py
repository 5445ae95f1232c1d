"""Games that several tests of symmetries use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import woodstock

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def load_asset() -> Callable[[str], woodstock.Game]:
    """Load a rulesheet of this folder, each once."""
    loaded: dict[str, woodstock.Game] = {}

    def load(name: str) -> woodstock.Game:
        if name not in loaded:
            loaded[name] = woodstock.load(HERE / f"{name}.kif")
        return loaded[name]

    return load


@pytest.fixture
def corner(load_asset: Callable[[str], woodstock.Game]) -> woodstock.State:
    """SYM, example 5: one chose a row and got a corner, two chose a column and got the opposite one."""
    state = load_asset("randomised-tic-tac-toe").initial
    for moves in (
        ["(choose (row x1))", "noop", "noop"],
        ["noop", "noop", "(mark x1 y1)"],
        ["noop", "(choose (column y2))", "noop"],
        ["noop", "noop", "(mark x2 y2)"],
    ):
        state = state.next(moves)
    return state
