"""Backgammon."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, words, zero_sum

BAR, OFF = 25, 0
START = {24: 2, 13: 5, 8: 3, 6: 5}
ROLLS = 250

Side = tuple[int, ...]
"""Checkers of one player by the number of steps they have to go: 0 is off, 25 the bar."""


def turned(point: int) -> int:
    """Return the same point as the other player counts it."""
    return 25 - point


class Backgammon(TurnOracle):
    """States are both sides, the player (None before the first roll), the dice left and the rolls made."""

    roles = ("white", "black", "random")

    def initial(self) -> State:
        side = tuple(START.get(point, 0) for point in range(26))
        return ((side, side), None, (), 0)

    def mover(self, state: State) -> int:
        return int(state[1]) if state[2] else 2

    def singles(self, sides: tuple[Side, Side], player: int, die: int) -> Iterator[int]:
        """Yield the places from which a die can be played if it is the only one."""
        own, other = sides[player], sides[1 - player]
        farthest = max(place for place in range(26) if own[place])
        for place in range(1, 26):
            if not own[place] or (own[BAR] and place != BAR):
                continue
            to = place - die
            if to > 0 and other[turned(to)] < 2:
                yield place
            if to <= 0 and farthest <= 6 and (to == 0 or farthest == place):
                yield place

    def moved(self, sides: tuple[Side, Side], player: int, place: int, die: int) -> tuple[Side, Side]:
        """Return both sides after one checker moved."""
        own, other = list(sides[player]), list(sides[1 - player])
        to = max(place - die, OFF)
        own[place] -= 1
        own[to] += 1
        if to and other[turned(to)]:
            other[turned(to)] = 0
            other[BAR] += 1
        both = (tuple(own), tuple(other))
        return both if player == 0 else (both[1], both[0])

    def length(self, sides: tuple[Side, Side], player: int, dice: tuple[int, ...]) -> int:
        """Return how many of the dice can be played at most."""
        best = 0
        for die in set(dice):
            rest = list(dice)
            rest.remove(die)
            for place in self.singles(sides, player, die):
                after = self.moved(sides, player, place, die)
                ends = after[player][OFF] == 15
                best = max(best, 1 + (0 if ends or not rest else self.length(after, player, tuple(rest))))
                if best == len(dice):
                    return best
        return best

    def moves(self, state: State) -> Collection[str]:
        sides, player, dice, _ = state
        if not dice:
            numbers = [(a, b) for a in range(1, 7) for b in range(1, 7) if player is not None or a != b]
            return [f"(roll {a} {b})" for a, b in numbers]
        longest = self.length(sides, player, dice)
        result = []
        for die in sorted(set(dice), reverse=True):
            rest = list(dice)
            rest.remove(die)
            for place in self.singles(sides, player, die):
                after = self.moved(sides, player, place, die)
                rest_length = 0 if after[player][OFF] == 15 else self.length(after, player, tuple(rest))
                if 1 + rest_length == longest:
                    result.append(f"(move {self.name(player, place)} {die})")
            if result and longest == 1:
                break
        return result or ["pass"]

    @staticmethod
    def name(player: int, place: int) -> str:
        """Return how the rules call a place."""
        return "bar" if place == BAR else str(place if player == 0 else turned(place))

    def play(self, state: State, move: str) -> State:
        sides, player, dice, rolls = state
        if move == "pass":
            return (sides, 1 - player, (), rolls)
        name, a, b = words(move)
        if name == "roll":
            rolled = tuple(sorted((int(a), int(b)))) * (2 if a == b else 1)
            return (sides, int(int(a) < int(b)) if player is None else player, rolled, rolls + 1)
        place = BAR if a == "bar" else int(a) if player == 0 else turned(int(a))
        rest = list(dice)
        rest.remove(int(b))
        return (self.moved(sides, player, place, int(b)), player if rest else 1 - player, tuple(rest), rolls)

    def is_terminal(self, state: State) -> bool:
        return any(side[OFF] == 15 for side in state[0]) or (state[3] == ROLLS and not state[2])

    def goals(self, state: State) -> Sequence[int]:
        winner = next((player for player in (0, 1) if state[0][player][OFF] == 15), None)
        return (*zero_sum(winner), 0)
