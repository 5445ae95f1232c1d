"""Othello and its suicide form."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, zero_sum

DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


class Othello(TurnOracle):
    """States are the discs of black and of white and the player to move."""

    roles = ("black", "white")
    fewest_win = False

    def initial(self) -> State:
        return (frozenset({(4, 5), (5, 4)}), frozenset({(4, 4), (5, 5)}), 0)

    def mover(self, state: State) -> int:
        return int(state[2])

    @staticmethod
    def turned(state: State, player: int, x: int, y: int) -> set[tuple[int, int]]:
        """Return the discs that a disc there would turn."""
        own, other = state[player], state[1 - player]
        result = set()
        for dx, dy in DIRECTIONS:
            run = []
            at = (x + dx, y + dy)
            while at in other:
                run.append(at)
                at = (at[0] + dx, at[1] + dy)
            if at in own:
                result.update(run)
        return result

    def places(self, state: State, player: int) -> list[tuple[int, int]]:
        """Return where the player can put a disc."""
        taken = state[0] | state[1]
        board = [(x, y) for x in range(1, 9) for y in range(1, 9)]
        return [cell for cell in board if cell not in taken and self.turned(state, player, *cell)]

    def moves(self, state: State) -> Collection[str]:
        return [f"(place {x} {y})" for x, y in self.places(state, state[2])] or ["pass"]

    def play(self, state: State, move: str) -> State:
        player = state[2]
        if move == "pass":
            return (*state[:2], 1 - player)
        x, y = numbers(move)
        turned = self.turned(state, player, x, y)
        discs = [state[0] - turned, state[1] - turned]
        discs[player] = discs[player] | turned | {(x, y)}
        return (*discs, 1 - player)

    def is_terminal(self, state: State) -> bool:
        return not self.places(state, 0) and not self.places(state, 1)

    def goals(self, state: State) -> Sequence[int]:
        black, white = len(state[0]), len(state[1])
        return zero_sum(None if black == white else int((black < white) != self.fewest_win))


class ReversiSuicide(Othello):
    """The same game; fewest discs win."""

    fewest_win = True
