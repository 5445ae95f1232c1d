"""Move sequences by depth, against numbers that are known or plain to count."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from woodstock import GameError, perft
from woodstock.game.game import Game
from woodstock.game.state import State

Loader = Callable[[str], Game]


def count_plainly(state: State, depth: int) -> int:
    """Count sequences one by one."""
    if depth == 0:
        return 1
    if state.is_terminal:
        return 0
    joint_moves = itertools.product(*(state.legal(role) for role in state.game.roles))
    return sum(count_plainly(state.next(joint), depth - 1) for joint in joint_moves)


def test_tic_tac_toe(load: Loader, engine: str) -> None:
    # 255168 matches in all, 362880 = 9! if none ended early.
    depth = 9 if engine == "circuit" else 6
    rows = list(perft(load("tic-tac-toe").initial, depth))
    known = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert [row.sequences for row in rows] == known[: depth + 1]
    assert [row.states for row in rows][:4] == [1, 9, 72, 252]
    assert rows[5].terminal == (1440 if depth > 5 else None)
    assert rows[-1].states is None


@pytest.mark.parametrize("name", ["pennies", "die", "peek", "stuck", "ring", "nim"])
def test_it_agrees_with_plain_counting(load: Loader, name: str) -> None:
    start = load(name).initial
    rows = list(perft(start, 3))
    assert [row.sequences for row in rows] == [n for d in range(4) if (n := count_plainly(start, d))]


def test_exact_beyond_any_machine_word(load: Loader) -> None:
    rows = list(perft(load("ring").initial, 40))
    assert [row.sequences for row in rows[:8]] == [1, 1, 1, 2, 1, 1, 2, 1]
    assert all(row.states is not None and row.states <= 2 for row in rows[:-1])


def test_a_negative_depth_is_refused(load: Loader) -> None:
    with pytest.raises(GameError, match="cannot be negative: -1"):
        list(perft(load("ring").initial, -1))
