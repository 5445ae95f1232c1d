"""Tic-tac-chess and free for all: pieces from a source that never runs dry."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tests.unit.games.oracles.lines import has_line
from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, zero_sum

SOURCES = ((1, 4), (7, 4))
INNER = {(x, y) for x in range(2, 7) for y in range(2, 7)}
MIDDLE = {(x, y) for x in range(3, 6) for y in range(3, 6)}


class FreeForAll(TurnOracle):
    """States are the pieces on the board of each player, the captures of each, and the number of moves made."""

    roles = ("red", "blue")

    def initial(self) -> State:
        return (frozenset(), frozenset(), (0, 0), 0)

    def mover(self, state: State) -> int:
        return int(state[3] % 2)

    def steps(self, state: State) -> Iterator[tuple[int, int, int, int]]:
        """Yield from where to where the mover can go."""
        player = self.mover(state)
        other = state[1 - player]
        for x, y in state[player] | {SOURCES[player]}:
            for x2, y2 in INNER:
                distance = sorted((abs(x - x2), abs(y - y2)))
                if distance == [1, 2] and (x2, y2) not in state[0] | state[1]:
                    yield x, y, x2, y2
                if max(distance) == 1 and (x2, y2) in other:
                    yield x, y, x2, y2

    def moves(self, state: State) -> Collection[str]:
        return [f"(move {x} {y} {x2} {y2})" for x, y, x2, y2 in self.steps(state)] or ["noop"]

    def play(self, state: State, move: str) -> State:
        player = self.mover(state)
        if move == "noop":
            return (*state[:3], state[3] + 1)
        x, y, x2, y2 = numbers(move)
        pieces, captures = list(state[:2]), list(state[2])
        if (x2, y2) in pieces[1 - player]:
            pieces[1 - player] = pieces[1 - player] - {(x2, y2)}
            captures[player] += 1
        pieces[player] = pieces[player] - {(x, y)} | {(x2, y2)}
        return (*pieces, tuple(captures), state[3] + 1)

    def is_terminal(self, state: State) -> bool:
        return bool(state[3] == 30)

    def goals(self, state: State) -> Sequence[int]:
        return [min(100, 10 * captures) for captures in state[2]]


class TicTacChess(FreeForAll):
    """The same moves; three in a line in the middle win."""

    def winner(self, state: State) -> int | None:
        """Return who has a line."""
        return next((player for player in (0, 1) if has_line(state[player] & MIDDLE, 3)), None)

    def is_terminal(self, state: State) -> bool:
        return self.winner(state) is not None or super().is_terminal(state)

    def goals(self, state: State) -> Sequence[int]:
        return zero_sum(self.winner(state))
