"""Two players who hide something: Meier, banker and thief."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, words

VALUES = (
    *(10 * a + b for a in range(3, 7) for b in range(1, a)),
    *(11 * a for a in range(1, 7)),
    21,
)
"""The throws of Meier, from low to high."""


def worth(a: int, b: int) -> int:
    """Return what two dice are worth at Meier."""
    return 10 * max(a, b) + min(a, b)


class Meier(TurnOracle):
    """States are whose dice they are, the dice or None, the claims so far, whether the last one is open, the winner."""

    roles = ("first", "second", "random")

    def initial(self) -> State:
        return (0, None, (), False, None)

    def mover(self, state: State) -> int:
        owner, dice, _, is_open, _ = state
        return 2 if dice is None else 1 - owner if is_open else int(owner)

    def moves(self, state: State) -> Collection[str]:
        _, dice, claims, is_open, _ = state
        if dice is None:
            return [f"(roll {a} {b})" for a in range(1, 7) for b in range(1, 7)]
        if is_open:
            return ["doubt"] if claims[-1] == 21 else ["doubt", "believe"]
        start = VALUES.index(claims[-1]) + 1 if claims else 0
        return [f"(say {value})" for value in VALUES[start:]]

    def play(self, state: State, move: str) -> State:
        owner, dice, claims, is_open, _ = state
        if dice is None:
            return (owner, worth(*numbers(move)), claims, False, None)
        if not is_open:
            return (owner, dice, (*claims, numbers(move)[0]), True, None)
        if move == "believe":
            return (1 - owner, None, claims, False, None)
        is_honest = VALUES.index(dice) >= VALUES.index(claims[-1])
        return (owner, dice, claims, True, owner if is_honest else 1 - owner)

    def sees(self, state: State, moves: Sequence[str]) -> Sequence[Collection[str]]:
        owner, dice, _, is_open, _ = state
        move = moves[self.mover(state)]
        if dice is None:
            rolled = [f"(rolled {worth(*numbers(move))})"]
            return (rolled, (), ()) if owner == 0 else ((), rolled, ())
        if not is_open:
            both = [f"(claimed {self.roles[owner]} {numbers(move)[0]})"]
        else:
            both = ["believed"] if move == "believe" else [f"(shown {dice})"]
        return (both, both, ())

    def is_terminal(self, state: State) -> bool:
        return state[4] is not None

    def goals(self, state: State) -> Sequence[int]:
        return (*(100 if state[4] == player else 0 for player in (0, 1)), 0)


class BankerAndThief(TurnOracle):
    """States are the banker's own bank, the deposits and the bank that was robbed."""

    roles = ("banker", "thief", "random")
    banks = ("left", "right")

    def initial(self) -> State:
        return (None, (), None)

    def mover(self, state: State) -> int:
        return 2 if state[0] is None else int(len(state[1]) == 10)

    def moves(self, state: State) -> Collection[str]:
        word = ("deposit", "rob", "choose")[self.mover(state)]
        return [f"({word} {bank})" for bank in self.banks]

    def play(self, state: State, move: str) -> State:
        own, deposits, robbed = state
        bank = words(move)[1]
        if own is None:
            return (bank, (), None)
        return (own, (*deposits, bank), robbed) if len(deposits) < 10 else (own, deposits, bank)

    def sees(self, state: State, moves: Sequence[str]) -> Sequence[Collection[str]]:
        mover = self.mover(state)
        bank = words(moves[mover])[1]
        if mover == 2:
            return ([f"(own {bank})"], (), ())
        return ((), [f"(deposited {bank})"], ()) if mover == 0 else ([f"(robbed {bank})"], [f"(own {state[0]})"], ())

    def is_terminal(self, state: State) -> bool:
        return state[2] is not None

    def goals(self, state: State) -> Sequence[int]:
        own, deposits, robbed = state
        kept = 0 if robbed == own else 10 * deposits.count(own)
        return (kept, 100 - kept, 0)
