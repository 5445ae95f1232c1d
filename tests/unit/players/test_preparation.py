"""What a game needs before it is searched is bounded by the deadline, and begun again when there is more time."""

from __future__ import annotations

import time
from typing import Any

import pytest

import woodstock
from woodstock.players.preparation import preparation_of
from woodstock.symmetry import symmetries as found_by


def test_symmetries_end_at_the_deadline_and_begin_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = woodstock.load("tic-tac-toe")
    preparation = preparation_of(game)
    assert preparation is not None
    real, told = found_by.find_symmetries, []

    def slow(game: woodstock.Game, method: str, *, seconds: float, **others: Any) -> found_by.Symmetries:
        told.append(seconds)
        if seconds < 5:
            # As with too little time: every method gives up.
            return real(game, method, max_size=1, **others)
        return real(game, method, seconds=seconds, **others)

    monkeypatch.setattr(found_by, "find_symmetries", slow)
    assert preparation.group("network", time.monotonic() + 0.01) is None
    assert told == [], "with no time it is not begun"
    assert preparation.group("network", time.monotonic() + 3) is None
    assert any("given up" in note for note in preparation.notes)
    assert len(told) == 1 and told[0] < 3
    assert preparation.group("network", time.monotonic() + 4) is None
    assert len(told) == 1, "not begun again for a little more time"
    group = preparation.group("network", None)
    assert group is not None and group.size == 16
    assert len(told) == 2
    assert preparation.group("network", time.monotonic() - 1) is group
