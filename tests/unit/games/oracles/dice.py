"""Yahtzee."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, words, zero_sum

BOXES = ("1", "2", "3", "4", "5", "6", "three", "four", "house", "small", "large", "yahtzee", "chance")


def worth(box: str, dice: Sequence[int]) -> int:
    """Return the points of five dice in a box."""
    counts = sorted((dice.count(face) for face in set(dice)), reverse=True)
    if box.isdigit():
        return int(box) * dice.count(int(box))
    if box == "house":
        return 25 if counts == [3, 2] else 0
    if box in ("small", "large"):
        length = 4 if box == "small" else 5
        runs = [set(range(low, low + length)) for low in range(1, 8 - length)]
        return (30 if box == "small" else 40) if any(run <= set(dice) for run in runs) else 0
    if box == "yahtzee":
        return 50 if counts[0] == 5 else 0
    needed = {"three": 3, "four": 4, "chance": 1}[box]
    return sum(dice) if counts[0] >= needed else 0


class Yahtzee(TurnOracle):
    """States are the dice (0 for one to be rolled), the rolls left, the boxes with their points, and the player."""

    roles = ("first", "second", "random")

    def initial(self) -> State:
        return ((0,) * 5, 2, ((), ()), 0)

    def mover(self, state: State) -> int:
        return 2 if 0 in state[0] else int(state[3])

    def moves(self, state: State) -> Collection[str]:
        if 0 in state[0]:
            return [f"(roll {face})" for face in range(1, 7)]
        used = {box for box, _ in state[2][state[3]]}
        result = [f"(fill {box})" for box in BOXES if box not in used]
        if state[1]:
            result += [f"(again {' '.join(flags)})" for flags in itertools.product("yn", repeat=5) if "y" in flags]
        return result

    def play(self, state: State, move: str) -> State:
        dice, rolls, boxes, player = state
        name, *arguments = words(move)
        if name == "roll":
            at = dice.index(0)
            return ((*dice[:at], numbers(move)[0], *dice[at + 1 :]), rolls, boxes, player)
        if name == "again":
            again = tuple(0 if flag == "y" else die for flag, die in zip(arguments, dice, strict=True))
            return (again, rolls - 1, boxes, player)
        filled = tuple(sorted((*boxes[player], (arguments[0], worth(arguments[0], dice)))))
        both = (filled, boxes[1]) if player == 0 else (boxes[0], filled)
        return ((0,) * 5, 2, both, 1 - player)

    def is_terminal(self, state: State) -> bool:
        return all(len(boxes) == 13 for boxes in state[2])

    def goals(self, state: State) -> Sequence[int]:
        totals = []
        for boxes in state[2]:
            upper = sum(points for box, points in boxes if box.isdigit())
            totals.append(sum(points for _, points in boxes) + (35 if upper >= 63 else 0))
        return (*zero_sum(None if totals[0] == totals[1] else int(totals[0] < totals[1])), 0)
