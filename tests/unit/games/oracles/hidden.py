"""Games of imperfect information: krieg tic-tac-toe and small poker. What is compared is the true state."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.unit.games.oracles.lines import has_line
from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, zero_sum


class KriegTicTacToe(TurnOracle):
    """States are the cells of each player, what each has tried in vain, and the player."""

    roles = ("x", "o")

    def initial(self) -> State:
        return (frozenset(), frozenset(), frozenset(), frozenset(), 0)

    def mover(self, state: State) -> int:
        return int(state[4])

    def moves(self, state: State) -> Collection[str]:
        known = state[state[4]] | state[2 + state[4]]
        return [f"(mark {x} {y})" for x in (1, 2, 3) for y in (1, 2, 3) if (x, y) not in known]

    def play(self, state: State, move: str) -> State:
        player, cell = state[4], tuple(numbers(move))
        parts = list(state)
        if cell in state[1 - player]:
            parts[2 + player] = parts[2 + player] | {cell}
        else:
            parts[player] = parts[player] | {cell}
            parts[4] = 1 - player
        return tuple(parts)

    def is_terminal(self, state: State) -> bool:
        return has_line(state[0], 3) or has_line(state[1], 3) or len(state[0] | state[1]) == 9

    def goals(self, state: State) -> Sequence[int]:
        return zero_sum(next((player for player in (0, 1) if has_line(state[player], 3)), None))


class SmallPoker(TurnOracle):
    """States are the cards and the moves made."""

    roles = ("first", "second", "random")
    ends = ("pp", "bp", "bb", "pbp", "pbb")

    def initial(self) -> State:
        return ((), "")

    def mover(self, state: State) -> int:
        return len(state[1]) % 2 if state[0] else 2

    def moves(self, state: State) -> Collection[str]:
        if state[0]:
            return ["pass", "bet"]
        return [f"(deal {a} {b})" for a in (1, 2, 3) for b in (1, 2, 3) if a != b]

    def play(self, state: State, move: str) -> State:
        return (state[0], state[1] + move[0]) if state[0] else (tuple(numbers(move)), "")

    def is_terminal(self, state: State) -> bool:
        return state[1] in self.ends

    def goals(self, state: State) -> Sequence[int]:
        (first, second), story = state
        higher = 1 if first > second else -1
        won = {"pp": higher, "bp": 1, "bb": 2 * higher, "pbp": -1, "pbb": 2 * higher}[story]
        return (50 + 25 * won, 50 - 25 * won, 0)
