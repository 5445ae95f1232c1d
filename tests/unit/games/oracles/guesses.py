"""One player against what it does not know: number guessing, the tiger, mastermind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import Oracle, State, TurnOracle, numbers, words


class NumberGuessing(TurnOracle):
    """States are the number, the questions so far and the guess."""

    roles = ("player", "random")

    def initial(self) -> State:
        return (None, 0, None)

    def mover(self, state: State) -> int:
        return 1 if state[0] is None else 0

    def moves(self, state: State) -> Collection[str]:
        if state[0] is None:
            return [f"(think {n})" for n in range(1, 17)]
        questions = [f"(less_than {n})" for n in range(2, 17)] if state[1] < 9 else []
        return [*questions, *(f"(guess {n})" for n in range(1, 17))]

    def play(self, state: State, move: str) -> State:
        word, (n,) = words(move)[0], numbers(move)
        if word == "think":
            return (n, 0, None)
        return (state[0], state[1] + 1, None) if word == "less_than" else (*state[:2], n)

    def sees(self, state: State, moves: Sequence[str]) -> Sequence[Collection[str]]:
        if state[0] is None:
            return ((), ())
        word, (n,) = words(moves[0])[0], numbers(moves[0])
        if word == "less_than":
            return (["yes" if state[0] < n else "no"], ())
        return (["right" if state[0] == n else "wrong"], ())

    def is_terminal(self, state: State) -> bool:
        return state[2] is not None

    def goals(self, state: State) -> Sequence[int]:
        return (100 - 10 * state[1] if state[0] == state[2] else 0, 0)


class Tiger(Oracle):
    """States are the door of the tiger, how often the player has listened, and the door that it opened."""

    roles = ("player", "random")
    doors = ("left", "right")

    def initial(self) -> State:
        return (None, 0, None)

    def legal(self, state: State) -> Sequence[Collection[str]]:
        if state[0] is None:
            return (["noop"], [f"(hide {door})" for door in self.doors])
        opens = [f"(open {door})" for door in self.doors]
        return (opens + ["listen"] * (state[1] < 10), [f"(echo {n})" for n in range(1, 21)])

    def next(self, state: State, moves: Sequence[str]) -> State:
        if state[0] is None:
            return (words(moves[1])[1], 0, None)
        if moves[0] == "listen":
            return (state[0], state[1] + 1, None)
        return (*state[:2], words(moves[0])[1])

    def sees(self, state: State, moves: Sequence[str]) -> Sequence[Collection[str]]:
        if state[0] is None:
            return ((), ())
        if moves[0] == "listen":
            is_clear = numbers(moves[1])[0] <= 17
            return ([f"(growl {door})" for door in self.doors if (door == state[0]) == is_clear], ())
        return (["tiger" if words(moves[0])[1] == state[0] else "treasure"], ())

    def is_terminal(self, state: State) -> bool:
        return state[2] is not None

    def goals(self, state: State) -> Sequence[int]:
        return (0 if state[0] == state[2] else 100 - 2 * state[1], 0)


class Mastermind(TurnOracle):
    """States are the code and all pegs laid, as far as they are there."""

    roles = ("player", "random")
    colours = ("red", "orange", "yellow", "green", "blue", "purple")

    def initial(self) -> State:
        return ((), ())

    def mover(self, state: State) -> int:
        return 1 if len(state[0]) < 4 else 0

    def moves(self, state: State) -> Collection[str]:
        word = "hide" if len(state[0]) < 4 else "lay"
        return [f"({word} {colour})" for colour in self.colours]

    def play(self, state: State, move: str) -> State:
        colour = words(move)[1]
        return ((*state[0], colour), ()) if len(state[0]) < 4 else (state[0], (*state[1], colour))

    def sees(self, state: State, moves: Sequence[str]) -> Sequence[Collection[str]]:
        after = self.play(state, moves[self.mover(state)])
        if not after[1] or len(after[1]) % 4:
            return ((), ())
        row = after[1][-4:]
        right = sum(a == b for a, b in zip(after[0], row, strict=True))
        near = (Counter(after[0]) & Counter(row)).total() - right
        number = len(after[1]) // 4
        return ([f"(right {number} {right})", f"(near {number} {near})"], ())

    def is_terminal(self, state: State) -> bool:
        pegs = state[1]
        return len(pegs) == 40 or (len(pegs) > 0 and len(pegs) % 4 == 0 and pegs[-4:] == state[0])

    def goals(self, state: State) -> Sequence[int]:
        return (110 - 10 * (len(state[1]) // 4) if state[1][-4:] == state[0] else 0, 0)
