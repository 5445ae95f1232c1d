"""Games for one player: the eight puzzle, buttons and lights."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, words


class Puzzle(TurnOracle):
    """One player; the goal is 100 if solved, else 0. States end with the number of moves made."""

    roles = ("robot",)
    limit = 0

    def mover(self, state: State) -> int:
        return 0

    def solved(self, state: State) -> bool:
        """Tell whether the puzzle is done."""
        raise NotImplementedError

    def is_terminal(self, state: State) -> bool:
        return self.solved(state) or bool(state[-1] == self.limit)

    def goals(self, state: State) -> Sequence[int]:
        return [100 if self.solved(state) else 0]


class EightPuzzle(Puzzle):
    """States are the tiles from the top left, 0 for the gap."""

    limit = 60

    def initial(self) -> State:
        return ((0, 5, 2, 4, 3, 8, 1, 7, 6), 0)

    def moves(self, state: State) -> Collection[str]:
        row, column = divmod(state[0].index(0), 3)
        beside = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
        return [f"(slide {x + 1} {3 - y})" for y, x in beside if 0 <= x < 3 and 0 <= y < 3]

    def play(self, state: State, move: str) -> State:
        x, y = numbers(move)
        tiles = list(state[0])
        gap, at = tiles.index(0), (3 - y) * 3 + x - 1
        tiles[gap], tiles[at] = tiles[at], tiles[gap]
        return (tuple(tiles), state[1] + 1)

    def solved(self, state: State) -> bool:
        return bool(state[0] == (1, 2, 3, 4, 5, 6, 7, 8, 0))


class Buttons(Puzzle):
    """States are the lights of each board."""

    limit = 6

    def __init__(self, boards: int = 1) -> None:
        self.boards = boards

    def initial(self) -> State:
        return (((False,) * 3,) * self.boards, 0)

    def moves(self, state: State) -> Collection[str]:
        if self.boards == 1:
            return ("a", "b", "c")
        return [f"(press {board} {button})" for board in range(1, self.boards + 1) for button in "abc"]

    def play(self, state: State, move: str) -> State:
        board = 0 if self.boards == 1 else int(words(move)[1]) - 1
        p, q, r = state[0][board]
        after = {"a": (not p, q, r), "b": (q, p, r), "c": (p, r, q)}[words(move)[-1]]
        return ((*state[0][:board], after, *state[0][board + 1 :]), state[1] + 1)

    def solved(self, state: State) -> bool:
        return any(all(board) for board in state[0])
