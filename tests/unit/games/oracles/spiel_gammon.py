"""Backgammon of OpenSpiel, whose actions play two dice at once: here they are taken apart."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from tests.unit.games.oracles.gammon import ROLLS
from tests.unit.games.oracles.oracle import State
from tests.unit.games.oracles.spiel import Position, Spiel

PASS, BAR = -1, 100
"""Places in actions of OpenSpiel that are no points."""

Halves = tuple[str, ...]


class SpielBackgammon(Spiel):
    """States are a position of OpenSpiel, the moves made since then, the rolls made, and whether the turn goes on."""

    def __init__(self) -> None:
        super().__init__("backgammon", ("white", "black", "random"), lambda state, action: "")

    def initial(self) -> State:
        return (super().initial(), (), 0, False)

    def mover(self, state: State) -> int:
        position = state[0].state
        return 2 if position.is_chance_node() else int(position.current_player())

    def rolls(self, position: Any) -> dict[str, int]:
        """Return the outcomes of chance; those of the first roll depend on who starts, who has the higher number."""
        result = {}
        for action, _ in position.chance_outcomes():
            text = position.action_to_string(-1, action)
            a, b = sorted(text[text.index("roll: ") + 6 :].rstrip(")"), reverse=True)
            if "starts" in text:
                result[f"(roll {a} {b})" if "X starts" in text else f"(roll {b} {a})"] = action
            else:
                result[f"(roll {a} {b})"] = result[f"(roll {b} {a})"] = action
        return result

    def halves(self, position: Any, action: int) -> Halves:
        """Return the moves of an action; passing comes last, once."""
        moves: list[str] = []
        for half in position.spiel_move_to_checker_moves(position.current_player(), action):
            if half.pos == PASS:
                return (*moves, "pass")
            moves.append(f"(move {'bar' if half.pos == BAR else 24 - half.pos} {half.num})")
        return tuple(moves)

    def continuations(self, state: State) -> dict[Halves, int]:
        """Return the actions that begin with the moves made, by the moves that are left."""
        position, made = state[0].state, state[1]
        every = {self.halves(position, action): action for action in position.legal_actions()}
        return {halves[len(made) :]: action for halves, action in every.items() if halves[: len(made)] == made}

    def moves(self, state: State) -> Collection[str]:
        if state[0].state.is_chance_node():
            return self.rolls(state[0].state)
        return {halves[0] for halves in self.continuations(state)}

    def play(self, state: State, move: str) -> State:
        position, made, rolls, _ = state
        if position.state.is_chance_node():
            return (Position(position.state.child(self.rolls(position.state)[move])), (), rolls + 1, True)
        action = self.continuations(state).get((move,))
        if action is None:
            after: State = (position, (*made, move), rolls, True)
            ending = self.continuations(after).get(("pass",))
            if ending is not None and position.state.child(ending).is_terminal():
                return (Position(position.state.child(ending)), (), rolls, False)
            return after
        following = position.state.child(action)
        # A double is two actions; giving up the first half gives up the second.
        while move == "pass" and not following.is_terminal() and not following.is_chance_node():
            following = following.child(following.legal_actions()[0])
        goes_on = not following.is_terminal() and not following.is_chance_node()
        return (Position(following), (), rolls, goes_on)

    def is_terminal(self, state: State) -> bool:
        return super().is_terminal(state[0]) or (state[2] == ROLLS and not state[3])

    def goals(self, state: State) -> Sequence[int]:
        return (*super().goals(state[0]), 0)
