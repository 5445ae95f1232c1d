"""Games for one player: the eight puzzle, buttons and lights, sudoku, the hunter."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, words


class Puzzle(TurnOracle):
    """One player; the goal is 100 if solved, else 0. States end with the number of moves made."""

    roles = ("robot",)
    limit = 0

    def mover(self, state: State) -> int:
        return 0

    def solved(self, state: State) -> bool:
        """Return whether the puzzle is done."""
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


class ParallelButtons(Puzzle):
    """States are the lights of each board; a move presses one button on every board, and the first two boards count."""

    limit = 6

    def __init__(self, boards: int) -> None:
        self.boards = boards

    def initial(self) -> State:
        return (("000",) * self.boards, 0)

    def moves(self, state: State) -> Collection[str]:
        return [f"(press {' '.join(buttons)})" for buttons in itertools.product("abc", repeat=self.boards)]

    @staticmethod
    def press(lights: str, button: str) -> str:
        """Return the lights of one board after a press."""
        if button == "a":
            return ("1" if lights[0] == "0" else "0") + lights[1:]
        return lights[1] + lights[0] + lights[2] if button == "b" else lights[0] + lights[2] + lights[1]

    def play(self, state: State, move: str) -> State:
        return (tuple(map(self.press, state[0], words(move)[1:])), state[1] + 1)

    def solved(self, state: State) -> bool:
        return bool(state[0][:2] == ("111", "111"))


class Sudoku(Puzzle):
    """States are the cells with their numbers; there is no count of moves, the board fills."""

    clues = (
        "..32641..",
        "...38...2",
        "..25.1.83",
        "7...5....",
        "63.1.7.5.",
        "8.9..6..1",
        "396....1.",
        "...69....",
        ".4.8.5.9.",
    )
    """Rows from 1 to 9, columns from left to right."""

    def initial(self) -> State:
        cells = {
            (x, y): int(letter)
            for y, row in enumerate(self.clues, 1)
            for x, letter in enumerate(row, 1)
            if letter != "."
        }
        return frozenset(cells.items())

    def moves(self, state: State) -> Collection[str]:
        board = dict(state)
        result = []
        for x in range(1, 10):
            for y in range(1, 10):
                if (x, y) in board:
                    continue
                block = ((x - 1) // 3, (y - 1) // 3)
                near = {
                    number
                    for (a, b), number in board.items()
                    if a == x or b == y or ((a - 1) // 3, (b - 1) // 3) == block
                }
                result += [f"(put {x} {y} {number})" for number in range(1, 10) if number not in near]
        return result

    def play(self, state: State, move: str) -> State:
        x, y, number = numbers(move)
        return state | {((x, y), number)}

    def solved(self, state: State) -> bool:
        return len(state) == 81

    def is_terminal(self, state: State) -> bool:
        return not self.moves(state)


class HunterBig(Puzzle):
    """States are the cell of the knight, the cells of the pawns, and the number of moves."""

    limit = 48
    sides = (7, 7)
    worth: tuple[int, ...] = (
        *(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 11, 12, 14, 15, 17, 19, 21, 23, 26, 28),
        *(31, 34, 37, 40, 43, 47, 51, 55, 59, 63, 68, 72, 77, 83, 88, 94, 100),
    )

    def initial(self) -> State:
        cells = itertools.product(*(range(1, side + 1) for side in self.sides))
        return ((1, 1), frozenset(cells) - {(1, 1)}, 0)

    def moves(self, state: State) -> Collection[str]:
        x, y = state[0]
        jumps = [(x + a, y + b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
        on_board = [(a, b) for a, b in jumps if min(a, b) >= 1 and a <= self.sides[0] and b <= self.sides[1]]
        return [f"(move {x} {y} {a} {b})" for a, b in on_board]

    def play(self, state: State, move: str) -> State:
        knight = tuple(numbers(move)[2:])
        return (knight, state[1] - {knight}, state[2] + 1)

    def solved(self, state: State) -> bool:
        return not state[1]

    def goals(self, state: State) -> Sequence[int]:
        return [self.worth[self.limit - len(state[1])]]


class Hunter(HunterBig):
    """The same with five rows and three columns; a pawn is worth as much as its number, in parts of their sum."""

    limit = 14
    sides = (5, 3)
    worth = (0, 1, 3, 7, 11, 16, 22, 29, 37, 45, 54, 64, 75, 87, 100)


class UntwistyCorridor(Puzzle):
    """States are whether all doors were right, and the number of moves."""

    limit = 9
    doors = (4, 9, 2, 7, 7, 1, 10, 5, 3)

    def initial(self) -> State:
        return (True, 0)

    def moves(self, state: State) -> Collection[str]:
        return [f"(door {door})" for door in range(1, 11)]

    def play(self, state: State, move: str) -> State:
        is_right, step = state
        return (is_right and numbers(move) == [self.doors[step]], step + 1)

    def solved(self, state: State) -> bool:
        return bool(state[0]) and state[1] == self.limit
