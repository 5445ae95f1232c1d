"""Pickomino."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, words, zero_sum

FACES = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "worm": 5}


class Pickomino(TurnOracle):
    """States are the grill, the stacks, the player, the dice rolled, the dice to roll, the faces kept with their
    numbers, and the phase."""

    roles = ("first", "second", "random")

    def initial(self) -> State:
        return (frozenset(range(21, 37)), ((), ()), 0, (), 8, (), "roll")

    def mover(self, state: State) -> int:
        return 2 if state[6] == "roll" else int(state[2])

    def moves(self, state: State) -> Collection[str]:
        grill, stacks, player, rolled, _, kept, phase = state
        faces = {face for face, _ in kept}
        if phase == "roll":
            return [f"(roll {face})" for face in FACES]
        if phase == "keep":
            return {f"(keep {face})" for face in rolled if face not in faces} or ["fail"]
        total = sum(FACES[face] * count for face, count in kept)
        result = set()
        if sum(count for _, count in kept) < 8:
            result.add("again")
        if "worm" in faces:
            if stacks[1 - player] and stacks[1 - player][-1] == total:
                result.add(f"(claim {total})")
            if any(tile <= total for tile in grill):
                result.add(f"(claim {max(tile for tile in grill if tile <= total)})")
        return result or ["fail"]

    def play(self, state: State, move: str) -> State:
        grill, stacks, player, rolled, pending, kept, _ = state
        name, *arguments = words(move)
        if name == "roll":
            phase = "roll" if pending > 1 else "keep"
            return (grill, stacks, player, tuple(sorted((*rolled, arguments[0]))), pending - 1, kept, phase)
        if name == "keep":
            more = tuple(sorted((*kept, (arguments[0], rolled.count(arguments[0])))))
            return (grill, stacks, player, (), 0, more, "decide")
        if name == "again":
            return (grill, stacks, player, (), 8 - sum(count for _, count in kept), kept, "roll")
        piles = [list(stack) for stack in stacks]
        if name == "claim":
            tile = int(arguments[0])
            if tile in grill:
                grill = grill - {tile}
            else:
                piles[1 - player].pop()
            piles[player].append(tile)
        else:
            back = piles[player].pop() if piles[player] else None
            highest = max(grill)
            if back is not None:
                grill = grill | {back}
            if back is None or back < highest:
                grill = grill - {highest}
        return (grill, tuple(map(tuple, piles)), 1 - player, (), 8, (), "roll")

    def is_terminal(self, state: State) -> bool:
        return not state[0]

    def goals(self, state: State) -> Sequence[int]:
        first, second = (sum((tile - 21) // 4 + 1 for tile in stack) for stack in state[1])
        return (*zero_sum(None if first == second else int(first < second)), 0)
