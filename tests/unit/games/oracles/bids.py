"""Both players choose at once: rock-paper-scissors, goofspiel, oshi-zumo, simultaneous tic-tac-toe."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import Oracle, State, numbers, words, zero_sum


class RockPaperScissors(Oracle):
    """States are the hands shown."""

    roles = ("left", "right")
    hands = ("rock", "paper", "scissors")

    def initial(self) -> State:
        return ()

    def legal(self, state: State) -> Sequence[Collection[str]]:
        return [[f"(show {hand})" for hand in self.hands]] * 2

    def next(self, state: State, moves: Sequence[str]) -> State:
        return tuple(words(move)[1] for move in moves)

    def is_terminal(self, state: State) -> bool:
        return bool(state)

    def goals(self, state: State) -> Sequence[int]:
        left, right = (self.hands.index(hand) for hand in state)
        return zero_sum({0: None, 1: 0, 2: 1}[(left - right) % 3])


class Goofspiel(Oracle):
    """States are the prizes turned up so far and the bids for them."""

    roles = ("left", "right", "random")
    cards = 4

    def initial(self) -> State:
        return ((), ())

    def legal(self, state: State) -> Sequence[Collection[str]]:
        prizes, bids = state
        if len(prizes) == len(bids):
            return (["noop"], ["noop"], [f"(turn_up {n})" for n in range(1, self.cards + 1) if n not in prizes])
        return (*([f"(bid {n})" for n in self.hand(state, player)] for player in (0, 1)), ["noop"])

    def hand(self, state: State, player: int) -> list[int]:
        """Return the cards that a player has not bid yet."""
        return [n for n in range(1, self.cards + 1) if n not in [bid[player] for bid in state[1]]]

    def next(self, state: State, moves: Sequence[str]) -> State:
        prizes, bids = state
        if len(prizes) == len(bids):
            return ((*prizes, *numbers(moves[2])), bids)
        return (prizes, (*bids, (numbers(moves[0])[0], numbers(moves[1])[0])))

    def is_terminal(self, state: State) -> bool:
        return len(state[1]) == self.cards

    def goals(self, state: State) -> Sequence[int]:
        lead = sum(prize * ((a > b) - (a < b)) for prize, (a, b) in zip(*state, strict=True))
        return (*zero_sum(None if lead == 0 else int(lead < 0)), 0)


class HiddenGoofspiel(Oracle):
    """States are the bids for the prizes 5, 4, 3, 2, 1."""

    roles = ("left", "right")

    def initial(self) -> State:
        return ()

    def legal(self, state: State) -> Sequence[Collection[str]]:
        return [[f"(bid {n})" for n in range(1, 6) if n not in [bid[seat] for bid in state]] for seat in (0, 1)]

    def next(self, state: State, moves: Sequence[str]) -> State:
        return (*state, (numbers(moves[0])[0], numbers(moves[1])[0]))

    def sees(self, state: State, moves: Sequence[str]) -> Sequence[Collection[str]]:
        (left,), (right,) = map(numbers, moves)
        taker = "left" if left > right else "right" if right > left else "nobody"
        return ([f"(took {taker})"], [f"(took {taker})"])

    def is_terminal(self, state: State) -> bool:
        return len(state) == 5

    def goals(self, state: State) -> Sequence[int]:
        lead = sum(prize * ((a > b) - (a < b)) for prize, (a, b) in zip((5, 4, 3, 2, 1), state, strict=True))
        return zero_sum(None if lead == 0 else int(lead < 0))


class OshiZumo(Oracle):
    """States are the place of the wrestler, from -3 to 3, and the coins of each player."""

    roles = ("left", "right")

    def initial(self) -> State:
        return (0, 8, 8)

    def legal(self, state: State) -> Sequence[Collection[str]]:
        return [[f"(bid {n})" for n in range(1, coins + 1)] or ["(bid 0)"] for coins in state[1:]]

    def next(self, state: State, moves: Sequence[str]) -> State:
        (left,), (right,) = map(numbers, moves)
        return (state[0] + (left > right) - (left < right), state[1] - left, state[2] - right)

    def is_terminal(self, state: State) -> bool:
        return bool(abs(state[0]) == 3 or state[1:] == (0, 0))

    def goals(self, state: State) -> Sequence[int]:
        return zero_sum(None if state[0] == 0 else int(state[0] < 0))


class SimultaneousTicTacToe(Oracle):
    """States are the cells of each player and the number of turns."""

    roles = ("x", "o")

    def initial(self) -> State:
        return (frozenset(), frozenset(), 0)

    def legal(self, state: State) -> Sequence[Collection[str]]:
        free = [f"(mark {x} {y})" for x in (1, 2) for y in (1, 2) if (x, y) not in state[0] | state[1]]
        return (free, free)

    def next(self, state: State, moves: Sequence[str]) -> State:
        marks = [set(state[0]), set(state[1])]
        for seat in (0, 1):
            if moves[0] != moves[1] or seat == state[2] % 2:
                marks[seat].add(tuple(numbers(moves[seat])))
        return (frozenset(marks[0]), frozenset(marks[1]), state[2] + 1)

    def is_terminal(self, state: State) -> bool:
        return len(state[0]) == 2 or len(state[1]) == 2

    def goals(self, state: State) -> Sequence[int]:
        winners = [seat for seat in (0, 1) if len(state[seat]) == 2]
        return zero_sum(winners[0] if len(winners) == 1 else None)
