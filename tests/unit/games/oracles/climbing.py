"""Can't Stop."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, words, zero_sum

TOPS = {column: 13 - 2 * abs(7 - column) for column in range(2, 13)}
PAIRINGS = {"a": ((0, 1), (2, 3)), "b": ((0, 2), (1, 3)), "c": ((0, 3), (1, 2))}


class CantStop(TurnOracle):
    """States are the heights of both players, the runners, the dice, the phase and the player."""

    roles = ("first", "second", "random")

    def initial(self) -> State:
        return ((0,) * 13, (0,) * 13, (), (), "roll", 0)

    def mover(self, state: State) -> int:
        return 2 if state[4] == "roll" else int(state[5])

    def usable(self, state: State, column: int) -> bool:
        """Return whether a runner can climb there."""
        runners = dict(state[2])
        if column in runners:
            return bool(runners[column] < TOPS[column])
        is_won = any(state[player][column] == TOPS[column] for player in (0, 1))
        return len(runners) < 3 and not is_won

    def pairs(self, state: State) -> dict[str, tuple[int, int]]:
        """Return the two sums of each pairing."""
        dice = state[3]
        return {
            name: (dice[left[0]] + dice[left[1]], dice[right[0]] + dice[right[1]])
            for name, (left, right) in PAIRINGS.items()
        }

    def moves(self, state: State) -> Collection[str]:
        if state[4] == "roll":
            return [f"(roll {face})" for face in range(1, 7)]
        if state[4] == "decide":
            return ["stop", "again"]
        result = set()
        runners = dict(state[2])
        for name, sums in self.pairs(state).items():
            usable = {column for column in sums if self.usable(state, column)}
            new = {column for column in usable if column not in runners}
            if usable == set(sums) and len(runners) + len(new) <= 3:
                result.add(f"(both {name})")
            else:
                result |= {f"(only {name} {column})" for column in usable}
        return result or ["bust"]

    def play(self, state: State, move: str) -> State:
        first, second, runners, dice, _, player = state
        if move.startswith("(roll"):
            dice = (*dice, numbers(move)[0])
            return (first, second, runners, dice, "pair" if len(dice) == 4 else "roll", player)
        if move == "again":
            return (first, second, runners, (), "roll", player)
        heights = [list(first), list(second)]
        if move in ("bust", "stop"):
            if move == "stop":
                for column, height in runners:
                    heights[player][column] = height
            return (*map(tuple, heights), (), (), "roll", 1 - player)
        columns = list(self.pairs(state)[words(move)[1]]) if move.startswith("(both") else numbers(move)
        climbing: dict[int, int] = dict(runners)
        for column in columns:
            height = climbing[column] if column in climbing else heights[player][column]
            climbing[column] = min(TOPS[column], height + 1)
        return (first, second, tuple(sorted(climbing.items())), (), "decide", player)

    def winner(self, state: State) -> int | None:
        """Return who has topped three columns."""
        topped = [sum(state[player][column] == top for column, top in TOPS.items()) for player in (0, 1)]
        return next((player for player in (0, 1) if topped[player] >= 3), None)

    def is_terminal(self, state: State) -> bool:
        return self.winner(state) is not None

    def goals(self, state: State) -> Sequence[int]:
        return (*zero_sum(self.winner(state)), 0)
