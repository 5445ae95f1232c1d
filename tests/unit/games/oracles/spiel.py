"""OpenSpiel as an oracle: the games that it has too, with its actions written as our moves.

`pip install open_spiel`, or the extra `oracle`; without it the tests that need it are skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import pytest
from tests.unit.games.oracles.oracle import State, TurnOracle

Name = Callable[[Any, int], str]
"""The move that an action of a state of OpenSpiel is."""


class Position:
    """A state of OpenSpiel that can be a key: equal to any other with the same history."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self.key = state.history_str()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


class Spiel(TurnOracle):
    """A game of OpenSpiel without chance, whose returns are 1, -1 and 0."""

    def __init__(self, game: str, roles: tuple[str, ...], name: Name) -> None:
        pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not here: pip install 'woodstock[oracle]'")
        self.game = pyspiel.load_game(game)
        self.roles = roles
        self.name = name

    def initial(self) -> State:
        return Position(self.game.new_initial_state())

    def mover(self, state: State) -> int:
        return int(state.state.current_player())

    def actions(self, state: State) -> dict[str, int]:
        """Return the actions by the names of our moves."""
        return {self.name(state.state, action): action for action in state.state.legal_actions()}

    def moves(self, state: State) -> Collection[str]:
        return self.actions(state)

    def play(self, state: State, move: str) -> State:
        return Position(state.state.child(self.actions(state)[move]))

    def is_terminal(self, state: State) -> bool:
        return bool(state.state.is_terminal())

    def goals(self, state: State) -> Sequence[int]:
        return [round(50 + 50 * value) for value in state.state.returns()]


def drop(_: Any, action: int) -> str:
    """Name a move of connect four."""
    return f"(drop {action + 1})"


def mark(_: Any, action: int) -> str:
    """Name a move of tic-tac-toe; cells count from the top left."""
    return f"(mark {action % 3 + 1} {3 - action // 3})"


def step(state: Any, action: int) -> str:
    """Name a move of breakthrough: `a7a6`, with `*` for a capture; black moves first there, so the board is turned."""
    text = state.action_to_string(state.current_player(), action)
    places = [("abcdefgh".index(text[at]) + 1, 9 - int(text[at + 1])) for at in (0, 2)]
    return f"(move {places[0][0]} {places[0][1]} {places[1][0]} {places[1][1]})"


def stone(_: Any, action: int) -> str:
    """Name a move of hex: cells count along the rows."""
    return f"(place {action % 9 + 1} {action // 9 + 1})"


def disc(_: Any, action: int) -> str:
    """Name a move of othello: 64 is the pass."""
    return "pass" if action == 64 else f"(place {action % 8 + 1} {action // 8 + 1})"


def draught(state: Any, action: int) -> str:
    """Name a move of draughts: `a3b4` is a step, `a3c5` a jump."""
    text = state.action_to_string(state.current_player(), action)
    x, y, x2, y2 = "abcdefgh".index(text[0]) + 1, int(text[1]), "abcdefgh".index(text[2]) + 1, int(text[3])
    return f"({'step' if abs(x - x2) == 1 else 'jump'} {x} {y} {x2} {y2})"


def line(state: Any, action: int) -> str:
    """Name a move of dots and boxes: `P1(h,0,0)` is the line above the first box from the top left."""
    text = state.action_to_string(state.current_player(), action)
    kind, row, column = text[text.index("(") + 1 : -1].split(",")
    return f"(draw {kind} {int(column) + 1} {int(row) + 1})"


def take(state: Any, action: int) -> str:
    """Name a move of nim: `pile:2, take:1;`."""
    text = state.action_to_string(state.current_player(), action)
    pile, matches = (int(part.split(":")[1]) for part in text.rstrip(";").split(","))
    return f"(take {'abcd'[pile - 1]} {matches})"


def sow(state: Any, action: int) -> str:
    """Name a move of awale: houses are counted for each player."""
    return f"(sow {action + 1 + 6 * state.current_player()})"


class TurnedRound(Spiel):
    """The same game with the goals turned round: its suicide form."""

    def goals(self, state: State) -> Sequence[int]:
        return [100 - goal for goal in super().goals(state)]


SPIEL: dict[str, Callable[[], Spiel]] = {
    "breakthrough": lambda: Spiel("breakthrough", ("white", "black"), step),
    "breakthrough-suicide": lambda: TurnedRound("breakthrough", ("white", "black"), step),
    "connect-four": lambda: Spiel("connect_four", ("red", "black"), drop),
    "connect-four-20x20": lambda: Spiel("connect_four(rows=20,columns=20)", ("red", "black"), drop),
    "connect-four-7x7": lambda: Spiel("connect_four(rows=7,columns=7)", ("red", "black"), drop),
    "connect-four-8x6": lambda: Spiel("connect_four(rows=6,columns=8)", ("red", "black"), drop),
    "dots-and-boxes-suicide": lambda: TurnedRound("dots_and_boxes(num_rows=4,num_cols=4)", ("first", "second"), line),
    "english-draughts": lambda: Spiel("checkers", ("white", "black"), draught),
    "hex": lambda: Spiel("hex(board_size=9)", ("red", "blue"), stone),
    "nim": lambda: Spiel("nim(is_misere=false)", ("first", "second"), take),
    "othello": lambda: Spiel("othello", ("black", "white"), disc),
    "reversi-suicide": lambda: TurnedRound("othello", ("black", "white"), disc),
    "tic-tac-toe": lambda: Spiel("tic_tac_toe", ("x", "o"), mark),
}
"""The bundled games that OpenSpiel has in the same variant."""
