"""Pentago, quarto, sheep and wolf."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence

from tests.unit.games.oracles.lines import has_line
from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, words, zero_sum


class Pentago(TurnOracle):
    """States are the marbles of each player, the player, and whether a quadrant is to be turned."""

    roles = ("white", "black")

    def initial(self) -> State:
        return (frozenset(), frozenset(), 0, False)

    def mover(self, state: State) -> int:
        return int(state[2])

    def moves(self, state: State) -> Collection[str]:
        if state[3]:
            sides = itertools.product(("south", "north"), ("west", "east"), ("clockwise", "counterclockwise"))
            return [f"(turn {a}_{b} {way})" for a, b, way in sides]
        taken = state[0] | state[1]
        return [f"(place {x} {y})" for x in range(1, 7) for y in range(1, 7) if (x, y) not in taken]

    def play(self, state: State, move: str) -> State:
        marbles = list(state[:2])
        if not state[3]:
            marbles[state[2]] = marbles[state[2]] | {tuple(numbers(move))}
            return (*marbles, state[2], True)
        _, quadrant, way = words(move)
        left, low = 4 if quadrant.endswith("east") else 1, 4 if quadrant.startswith("north") else 1

        def turn(cell: tuple[int, int]) -> tuple[int, int]:
            x, y = cell[0] - left - 1, cell[1] - low - 1
            if abs(x) > 1 or abs(y) > 1:
                return cell
            x, y = (y, -x) if way == "clockwise" else (-y, x)
            return (x + left + 1, y + low + 1)

        return (*(frozenset(map(turn, own)) for own in marbles), 1 - state[2], False)

    def is_terminal(self, state: State) -> bool:
        if state[3]:
            return False
        return len(state[0] | state[1]) == 36 or has_line(state[0], 5) or has_line(state[1], 5)

    def goals(self, state: State) -> Sequence[int]:
        lines = [player for player in (0, 1) if has_line(state[player], 5)]
        return zero_sum(lines[0] if len(lines) == 1 else None)


PIECES = ["".join(letters) for letters in itertools.product("ld", "ts", "rs", "hf")]
LINES = [
    *[[(x, y) for x in range(4)] for y in range(4)],
    *[[(x, y) for y in range(4)] for x in range(4)],
    [(x, x) for x in range(4)],
    [(x, 3 - x) for x in range(4)],
]


class Quarto(TurnOracle):
    """States are the board as a sorted tuple of cell and piece, the piece at hand and the player."""

    roles = ("first", "second")

    def initial(self) -> State:
        return ((), None, 0)

    def mover(self, state: State) -> int:
        return int(state[2])

    def moves(self, state: State) -> Collection[str]:
        board = dict(state[0])
        if state[1] is None:
            return [f"(give {piece})" for piece in PIECES if piece not in board.values()]
        return [f"(place {x + 1} {y + 1})" for x in range(4) for y in range(4) if (x, y) not in board]

    def play(self, state: State, move: str) -> State:
        if state[1] is None:
            return (state[0], words(move)[1], 1 - state[2])
        x, y = numbers(move)
        return (tuple(sorted((*state[0], ((x - 1, y - 1), state[1])))), None, state[2])

    @staticmethod
    def line(state: State) -> bool:
        """Return whether four pieces in a line share a property."""
        board = dict(state[0])
        return any(
            all(cell in board for cell in line)
            and any(len({board[cell][letter] for cell in line}) == 1 for letter in range(4))
            for line in LINES
        )

    def is_terminal(self, state: State) -> bool:
        return self.line(state) or len(state[0]) == 16

    def goals(self, state: State) -> Sequence[int]:
        return zero_sum(state[2] if self.line(state) else None)


class SheepAndWolf(TurnOracle):
    """States are the sheep, the wolf and the player to move."""

    roles = ("sheep", "wolf")

    def initial(self) -> State:
        return (frozenset({(1, 1), (3, 1), (5, 1), (7, 1)}), (4, 8), 0)

    def mover(self, state: State) -> int:
        return int(state[2])

    def moves(self, state: State) -> Collection[str]:
        sheep, wolf, player = state
        result = []
        for x, y in sheep if player == 0 else [wolf]:
            for dx, dy in itertools.product((-1, 1), (1,) if player == 0 else (-1, 1)):
                x2, y2 = x + dx, y + dy
                if 1 <= x2 <= 8 and 1 <= y2 <= 8 and (x2, y2) not in sheep and (x2, y2) != wolf:
                    result.append(f"(move {x} {y} {x2} {y2})")
        return result

    def play(self, state: State, move: str) -> State:
        sheep, wolf, player = state
        x, y, x2, y2 = numbers(move)
        if player == 0:
            return (sheep - {(x, y)} | {(x2, y2)}, wolf, 1)
        return (sheep, (x2, y2), 0)

    def is_terminal(self, state: State) -> bool:
        return state[1][1] == 1 or not self.moves(state)

    def goals(self, state: State) -> Sequence[int]:
        return zero_sum(1 if state[1][1] == 1 else 1 - state[2])
