"""Breakthrough, its suicide form and knight through: armies that cross the board."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, zero_sum


class Breakthrough(TurnOracle):
    """States are the pawns of white and black and the player to move."""

    roles = ("white", "black")
    suicide = False

    def initial(self) -> State:
        white = frozenset((x, y) for x in range(1, 9) for y in (1, 2))
        return (white, frozenset((x, 9 - y) for x, y in white), 0)

    def mover(self, state: State) -> int:
        return int(state[2])

    def steps(self, state: State) -> Iterator[tuple[int, int, int, int]]:
        """Yield from where to where the mover can go."""
        own, other = state[state[2]], state[1 - state[2]]
        forward = 1 if state[2] == 0 else -1
        for x, y in own:
            for dx in (-1, 0, 1):
                target = (x + dx, y + forward)
                if 1 <= target[0] <= 8 and target not in own and (dx or target not in other):
                    yield (x, y, *target)

    def moves(self, state: State) -> Collection[str]:
        return [f"(move {x} {y} {x2} {y2})" for x, y, x2, y2 in self.steps(state)]

    def play(self, state: State, move: str) -> State:
        x, y, x2, y2 = numbers(move)
        armies = [state[0] - {(x2, y2)}, state[1] - {(x2, y2)}]
        armies[state[2]] = armies[state[2]] - {(x, y)} | {(x2, y2)}
        return (*armies, 1 - state[2])

    def winner(self, state: State) -> int | None:
        """Return who is through, or has taken all; the other one in the suicide form."""
        through = [any(y == 8 for _, y in state[0]) or not state[1], any(y == 1 for _, y in state[1]) or not state[0]]
        if not any(through):
            return None
        return through.index(True) if not self.suicide else 1 - through.index(True)

    def is_terminal(self, state: State) -> bool:
        return self.winner(state) is not None

    def goals(self, state: State) -> Sequence[int]:
        return zero_sum(self.winner(state))


class BreakthroughSuicide(Breakthrough):
    """The same game with the goals turned round."""

    suicide = True


class KnightThrough(Breakthrough):
    """Knights that only jump forward, in place of pawns."""

    def steps(self, state: State) -> Iterator[tuple[int, int, int, int]]:
        own = state[state[2]]
        forward = 1 if state[2] == 0 else -1
        for x, y in own:
            for dx, dy in ((-2, 1), (-1, 2), (1, 2), (2, 1)):
                target = (x + dx, y + dy * forward)
                if 1 <= target[0] <= 8 and 1 <= target[1] <= 8 and target not in own:
                    yield (x, y, *target)
