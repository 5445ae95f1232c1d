"""Games of OpenSpiel whose actions are more, or less, than one of our moves: pentago, amazons, Kuhn's poker."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from tests.unit.games.oracles.oracle import State, numbers
from tests.unit.games.oracles.spiel import Position, Spiel

TURNS = {
    "s": "north_west counterclockwise",
    "t": "north_west clockwise",
    "u": "north_east counterclockwise",
    "v": "north_east clockwise",
    "w": "south_east counterclockwise",
    "x": "south_east clockwise",
    "y": "south_west counterclockwise",
    "z": "south_west clockwise",
}
"""The letters of pentago; its picture has an arrow beside each."""


class SpielPentago(Spiel):
    """One action puts a marble and turns a quadrant. States are a position, and the cell of a marble just put."""

    def __init__(self) -> None:
        super().__init__("pentago", ("white", "black"), lambda state, action: "")

    def initial(self) -> State:
        return (super().initial(), None)

    def mover(self, state: State) -> int:
        return super().mover(state[0])

    def joined(self, state: State) -> dict[str, dict[str, int]]:
        """Return the actions by their two moves."""
        position: Any = state[0].state
        result: dict[str, dict[str, int]] = {}
        for action in position.legal_actions():
            column, row, letter = position.action_to_string(position.current_player(), action)
            place = f"(place {'abcdef'.index(column) + 1} {7 - int(row)})"
            result.setdefault(place, {})[f"(turn {TURNS[letter]})"] = action
        return result

    def moves(self, state: State) -> Collection[str]:
        joined = self.joined(state)
        return joined[state[1]] if state[1] else joined

    def play(self, state: State, move: str) -> State:
        if state[1] is None:
            return (state[0], move)
        return (Position(state[0].state.child(self.joined(state)[state[1]][move])), None)

    def is_terminal(self, state: State) -> bool:
        return super().is_terminal(state[0])

    def goals(self, state: State) -> Sequence[int]:
        return super().goals(state[0])


class SpielAmazons(Spiel):
    """Choosing an amazon and where it goes are two actions. The board has edges."""

    def __init__(self) -> None:
        super().__init__("amazons", ("white", "black"), lambda state, action: "")

    @staticmethod
    def cell(state: Any, action: int) -> str:
        """Return the cell of an action; OpenSpiel gives the row, from the top, and the column."""
        text = state.action_to_string(state.current_player(), action)
        row, column = text[text.index("(") + 1 : -1].split(",")
        return f"{int(column)} {11 - int(row)}"

    def actions(self, state: State) -> dict[str, int]:
        """Return the actions by the names of shots; moves are numbered by both of their actions."""
        position = state.state
        legal = position.legal_actions()
        if legal and "Shoot" in position.action_to_string(position.current_player(), legal[0]):
            return {f"(shoot {self.cell(position, action)})": action for action in legal}
        result = {}
        for start in legal:
            after = position.child(start)
            for end in after.legal_actions():
                result[f"(move {self.cell(position, start)} {self.cell(after, end)})"] = start * 1000 + end
        return result

    def play(self, state: State, move: str) -> State:
        action = self.actions(state)[move]
        if move.startswith("(shoot"):
            return Position(state.state.child(action))
        return Position(state.state.child(action // 1000).child(action % 1000))


class SpielKuhn(Spiel):
    """Cards are dealt one by one, in two actions."""

    def __init__(self) -> None:
        super().__init__("kuhn_poker", ("first", "second", "random"), lambda _, action: ("pass", "bet")[action])

    def mover(self, state: State) -> int:
        return 2 if state.state.is_chance_node() else super().mover(state)

    def moves(self, state: State) -> Collection[str]:
        if not state.state.is_chance_node():
            return super().moves(state)
        pairs = [(a, b) for a in state.state.legal_actions() for b in state.state.child(a).legal_actions()]
        return [f"(deal {a + 1} {b + 1})" for a, b in pairs]

    def play(self, state: State, move: str) -> State:
        if not state.state.is_chance_node():
            return super().play(state, move)
        first, second = numbers(move)
        return Position(state.state.child(first - 1).child(second - 1))

    def goals(self, state: State) -> Sequence[int]:
        return [*(round(50 + 25 * value) for value in state.state.returns()), 0]
