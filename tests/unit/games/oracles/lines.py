"""Games of marks in a line: tic-tac-toe, connect four on any board, and the randomised game of two by two."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import Oracle, State, TurnOracle, numbers, words, zero_sum

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def has_line(cells: Collection[tuple[int, int]], length: int) -> bool:
    """Return whether that many of the cells are in a line."""
    return any(
        all((x + dx * step, y + dy * step) in cells for step in range(length))
        for x, y in cells
        for dx, dy in DIRECTIONS
    )


class TicTacToe(TurnOracle):
    """States are a tuple of the cells of each player and the player to move."""

    roles = ("x", "o")

    def initial(self) -> State:
        return (frozenset(), frozenset(), 0)

    def mover(self, state: State) -> int:
        return int(state[2])

    def free(self, state: State) -> list[tuple[int, int]]:
        """Return the blank cells."""
        return [(x, y) for x in (1, 2, 3) for y in (1, 2, 3) if (x, y) not in state[0] | state[1]]

    def moves(self, state: State) -> Collection[str]:
        return [f"(mark {x} {y})" for x, y in self.free(state)]

    def play(self, state: State, move: str) -> State:
        marks = list(state[:2])
        marks[state[2]] = marks[state[2]] | {tuple(numbers(move))}
        return (*marks, 1 - state[2])

    def is_terminal(self, state: State) -> bool:
        return has_line(state[0], 3) or has_line(state[1], 3) or not self.free(state)

    def goals(self, state: State) -> Sequence[int]:
        return zero_sum(next((player for player in (0, 1) if has_line(state[player], 3)), None))


class ConnectFour(TurnOracle):
    """States are a tuple of columns, each a text of discs from below, the last mover's line and the mover."""

    roles = ("red", "black")

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows

    def initial(self) -> State:
        return (("",) * self.columns, None, 0)

    def mover(self, state: State) -> int:
        return int(state[2])

    def moves(self, state: State) -> Collection[str]:
        return [f"(drop {i + 1})" for i, column in enumerate(state[0]) if len(column) < self.rows]

    def play(self, state: State, move: str) -> State:
        columns, _, player = state
        at = numbers(move)[0] - 1
        columns = (*columns[:at], columns[at] + "rb"[player], *columns[at + 1 :])
        return (columns, player if self._wins(columns, at) else None, 1 - player)

    @staticmethod
    def _wins(columns: tuple[str, ...], at: int) -> bool:
        row, disc = len(columns[at]) - 1, columns[at][-1]

        def run(dx: int, dy: int) -> int:
            length, x, y = 0, at + dx, row + dy
            while 0 <= x < len(columns) and 0 <= y < len(columns[x]) and columns[x][y] == disc:
                length, x, y = length + 1, x + dx, y + dy
            return length

        return any(1 + run(dx, dy) + run(-dx, -dy) >= 4 for dx, dy in DIRECTIONS)

    def is_terminal(self, state: State) -> bool:
        return state[1] is not None or not self.moves(state)

    def goals(self, state: State) -> Sequence[int]:
        return zero_sum(state[1])


class JointConnectFour(Oracle):
    """States are the discs (cell, player) of the normal and of the suicide board, and the number of turns."""

    roles = ("red", "black")
    boards = ("normal", "suicide")

    def initial(self) -> State:
        return (frozenset(), frozenset(), 0)

    @staticmethod
    def heights(discs: Collection[tuple[tuple[int, int], int]]) -> list[int]:
        """Return how many discs each column has, the first one at 1."""
        return [0] + [sum(cell[0] == column for cell, _ in discs) for column in range(1, 8)]

    def board_of(self, state: State, player: int) -> int:
        """Return the board on which a player moves."""
        return (player + int(state[2])) % 2

    def legal(self, state: State) -> Sequence[Collection[str]]:
        result = []
        for player in (0, 1):
            board = self.board_of(state, player)
            heights = self.heights(state[board])
            result.append([f"(drop {self.boards[board]} {x})" for x in range(1, 8) if heights[x] < 7])
        return result

    def next(self, state: State, moves: Sequence[str]) -> State:
        boards = list(state[:2])
        for player, move in enumerate(moves):
            board = self.board_of(state, player)
            (column,) = numbers(move)
            boards[board] |= {((column, self.heights(boards[board])[column] + 1), player)}
        return (*boards, state[2] + 1)

    def lines(self, state: State) -> list[tuple[int, int]]:
        """Return the boards with a line, and whose."""
        pairs = [(board, player) for board in (0, 1) for player in (0, 1)]
        return [(b, p) for b, p in pairs if has_line({cell for cell, owner in state[b] if owner == p}, 4)]

    def is_terminal(self, state: State) -> bool:
        return bool(self.lines(state)) or any(len(board) == 49 for board in state[:2])

    def goals(self, state: State) -> Sequence[int]:
        winners = {player if board == 0 else 1 - player for board, player in self.lines(state)}
        assert len(winners) < 2
        return zero_sum(next(iter(winners), None))


class SimultaneousConnectFour(Oracle):
    """States are the columns from below and the number of turns made."""

    roles = ("red", "black")

    def initial(self) -> State:
        return (("",) * 7, 0)

    def legal(self, state: State) -> Sequence[Collection[str]]:
        return [[f"(drop {i + 1})" for i, column in enumerate(state[0]) if len(column) < 6]] * 2

    def next(self, state: State, moves: Sequence[str]) -> State:
        columns = list(state[0])
        for player in (0, 1) if state[1] % 2 == 0 else (1, 0):
            at = numbers(moves[player])[0] - 1
            if len(columns[at]) < 6:
                columns[at] += "rb"[player]
        return (tuple(columns), state[1] + 1)

    @staticmethod
    def lines(state: State) -> list[int]:
        """Return who has four in a line."""
        places = {(x, y): disc for x, column in enumerate(state[0]) for y, disc in enumerate(column)}
        return [p for p, own in enumerate("rb") if has_line({c for c, disc in places.items() if disc == own}, 4)]

    def is_terminal(self, state: State) -> bool:
        return bool(self.lines(state)) or not self.legal(state)[0]

    def goals(self, state: State) -> Sequence[int]:
        lines = self.lines(state)
        return zero_sum(lines[0] if len(lines) == 1 else None)


class RandomisedTicTacToe(TurnOracle):
    """States are the cells of each player, the player, and the line that was chosen or None."""

    roles = ("x", "o", "random")

    def initial(self) -> State:
        return (frozenset(), frozenset(), 0, None)

    def mover(self, state: State) -> int:
        return 2 if state[3] else int(state[2])

    def moves(self, state: State) -> Collection[str]:
        free = [(x, y) for x in (1, 2) for y in (1, 2) if (x, y) not in state[0] | state[1]]
        if state[3] is None:
            return {f"(choose_column {x})" for x, _ in free} | {f"(choose_row {y})" for _, y in free}
        axis, index = state[3]
        return [f"(mark {x} {y} {'xo'[state[2]]})" for x, y in free if (x, y)[axis] == index]

    def play(self, state: State, move: str) -> State:
        first, second, player, chosen = state
        if chosen is None:
            name, index = words(move)
            return (first, second, player, (0 if name == "choose_column" else 1, int(index)))
        marks = [first, second]
        marks[player] = marks[player] | {tuple(numbers(move))}
        return (*marks, 1 - player, None)

    @staticmethod
    def wins(state: State) -> bool:
        """Return whether the cells of x have a row or a column in common."""
        return any(len({cell[axis] for cell in state[0]}) < len(state[0]) for axis in (0, 1))

    def is_terminal(self, state: State) -> bool:
        return self.wins(state) or len(state[0] | state[1]) == 4

    def goals(self, state: State) -> Sequence[int]:
        return (*zero_sum(0 if self.wins(state) else 1), 0)


class MatchingPennies(Oracle):
    """The state is what was turned, or nothing."""

    roles = ("even", "odd")

    def initial(self) -> State:
        return ()

    def legal(self, state: State) -> Sequence[Collection[str]]:
        return [("(turn heads)", "(turn tails)")] * 2

    def next(self, state: State, moves: Sequence[str]) -> State:
        return tuple(moves)

    def is_terminal(self, state: State) -> bool:
        return len(state) == 2

    def goals(self, state: State) -> Sequence[int]:
        return zero_sum(0 if state[0] == state[1] else 1)


class CooperativePennies(Oracle):
    """The state is the list of coins shown so far."""

    roles = ("alice", "bob", "random")
    sides = ("(turn heads)", "(turn tails)")

    def initial(self) -> State:
        return ()

    def legal(self, state: State) -> Sequence[Collection[str]]:
        return [self.sides, self.sides, ("noop",)] if not state else [("noop",), ("noop",), self.sides]

    def next(self, state: State, moves: Sequence[str]) -> State:
        return tuple(moves[:2]) if not state else (*state, moves[2])

    def is_terminal(self, state: State) -> bool:
        return len(state) == 3

    def goals(self, state: State) -> Sequence[int]:
        return (100, 100, 0) if len(set(state)) == 1 else (0, 0, 0)
