"""Chinese checkers of OpenSpiel. It has no value for an unfinished match, so that is counted on its board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.unit.games.oracles.oracle import State
from tests.unit.games.oracles.spiel import Spiel
from tests.unit.games.oracles.stars import STAR, TARGETS, TURNS, Cell, named


def place(cell: Cell) -> tuple[int, int]:
    """Return row and column of a cell in the text of OpenSpiel, where columns count double."""
    return cell[1] + 8, 2 * cell[0] + cell[1] + 12


CELLS = sorted(STAR, key=place)
"""The cells in the order in which OpenSpiel counts them."""


def hop(state: Any, action: int) -> str:
    """Name a move: `3->4` is a step, `3=>4` a hop."""
    text = state.action_to_string(state.current_player(), action)
    if text == "Pass":
        return "stop"
    start, end = text.replace("=>", "->").split("->")
    return f"(move {named(CELLS[int(start)])} {named(CELLS[int(end)])})"


class SpielChineseCheckers(Spiel):
    """The game for three, with our bound on the turns."""

    def __init__(self) -> None:
        super().__init__(f"chinese_checkers(players=3,max_moves={TURNS})", ("red", "green", "blue"), hop)

    def goals(self, state: State) -> Sequence[int]:
        returns = state.state.returns()
        if any(returns):
            return [100 if value > 0 else 0 for value in returns]
        rows = [line.ljust(25) for line in str(state.state).splitlines()]
        pieces = [{cell for cell in STAR if rows[place(cell)[0]][place(cell)[1]] == digit} for digit in "123"]
        return [5 * len(own & target) for own, target in zip(pieces, TARGETS, strict=True)]
