"""Games of chance: orchard, kaseklau, Monty Hall."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, words, zero_sum

TREES = ("apple", "pear", "cherry", "plum")


class Orchard(TurnOracle):
    """States are the fruits of the trees, the pieces of the raven, the player, and whether it has the basket."""

    roles = ("alice", "bob", "random")

    def initial(self) -> State:
        return ((10, 10, 10, 10), 0, 0, False)

    def mover(self, state: State) -> int:
        return state[2] if state[3] else 2

    def moves(self, state: State) -> Collection[str]:
        if not state[3]:
            return [f"(roll {face})" for face in (*TREES, "basket", "raven")]
        fruits = state[0]
        pairs = [
            f"(pick {TREES[a]} {TREES[b]})"
            for a in range(4)
            for b in range(a, 4)
            if fruits[a] and fruits[b] and (a != b or fruits[a] > 1)
        ]
        return pairs or [f"(pick_last {TREES[a]})" for a in range(4) if fruits[a]]

    def play(self, state: State, move: str) -> State:
        fruits, raven, player, _ = state
        _, *trees = words(move)
        if trees == ["basket"]:
            return (fruits, raven, player, True)
        if trees == ["raven"]:
            return (fruits, raven + 1, 1 - player, False)
        left = list(fruits)
        for tree in trees:
            left[TREES.index(tree)] = max(0, left[TREES.index(tree)] - 1)
        return (tuple(left), raven, 1 - player, False)

    def is_terminal(self, state: State) -> bool:
        return not any(state[0]) or state[1] == 9

    def goals(self, state: State) -> Sequence[int]:
        goal = 0 if any(state[0]) else 100
        return (goal, goal, 0)


class Kaseklau(TurnOracle):
    """States are mouse, cat, cheese, scores, dice or None, and the turns made."""

    roles = ("first", "second", "random")

    def initial(self) -> State:
        return (1, 7, frozenset(range(2, 13)), (0, 0), None, 0)

    def mover(self, state: State) -> int:
        return 2 if state[4] is None else state[5] % 2

    def moves(self, state: State) -> Collection[str]:
        if state[4] is None:
            return [f"(roll {a} {b})" for a in range(1, 7) for b in range(1, 7)]
        return {f"(mouse {die})" for die in state[4]}

    def play(self, state: State, move: str) -> State:
        mouse, cat, cheese, scores, dice, turns = state
        if dice is None:
            return (mouse, cat, cheese, scores, tuple(numbers(move)), turns)
        named = numbers(move)[0]
        other = dice[1] if dice[0] == named else dice[0]
        mouse, cat = (mouse + named - 1) % 12 + 1, (cat + other - 1) % 12 + 1
        if mouse in cheese and mouse != cat:
            scores = tuple(score + (player == turns % 2) for player, score in enumerate(scores))
        return (mouse, cat, cheese - {mouse}, scores, None, turns + 1)

    def is_terminal(self, state: State) -> bool:
        return not state[2] or state[5] == 40

    def goals(self, state: State) -> Sequence[int]:
        first, second = state[3]
        return (*zero_sum(None if first == second else int(first < second)), 0)


class MontyHall(TurnOracle):
    """States are the moves made."""

    roles = ("candidate", "random")

    def initial(self) -> State:
        return ()

    def mover(self, state: State) -> int:
        return 1 - len(state) % 2

    def moves(self, state: State) -> Collection[str]:
        if len(state) == 0:
            return [f"(hide {door})" for door in (1, 2, 3)]
        if len(state) == 1:
            return [f"(choose {door})" for door in (1, 2, 3)]
        if len(state) == 2:
            return [f"(open {door})" for door in (1, 2, 3) if door not in [numbers(move)[0] for move in state]]
        return ["stay", "switch"]

    def play(self, state: State, move: str) -> State:
        return (*state, move)

    def sees(self, state: State, moves: Sequence[str]) -> Sequence[Collection[str]]:
        shown = {f"(goat {numbers(moves[1])[0]})"} if moves[1].startswith("(open") else set()
        won = {"car"} if len(state) == 3 and self.goals((*state, moves[0]))[0] == 100 else set()
        return ({moves[0]} | shown | won, ())

    def is_terminal(self, state: State) -> bool:
        return len(state) == 4

    def goals(self, state: State) -> Sequence[int]:
        hidden, chosen = numbers(state[0])[0], numbers(state[1])[0]
        return (100 if (hidden == chosen) == (state[3] == "stay") else 0, 0)
