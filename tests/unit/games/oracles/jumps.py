"""English draughts and checkers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, zero_sum

Piece = tuple[int, bool]
"""The player, and whether it is a king."""


class Draughts(TurnOracle):
    """States are sorted pieces with their cells, the player, the cell that goes on jumping, and a count of moves."""

    roles = ("white", "black")

    def __init__(self, limit: int = 40, counts_captures: bool = False) -> None:
        self.limit, self.counts_captures = limit, counts_captures

    def initial(self) -> State:
        cells = [(x, y) for x in range(1, 9) for y in range(1, 9) if (x + y) % 2 == 0]
        board = {cell: (0 if cell[1] < 4 else 1, False) for cell in cells if cell[1] < 4 or cell[1] > 5}
        return (frozenset(board.items()), 0, None, 0)

    def mover(self, state: State) -> int:
        return int(state[1])

    @staticmethod
    def directions(piece: Piece) -> list[tuple[int, int]]:
        """Return where a piece can go."""
        forward = 1 if piece[0] == 0 else -1
        return [(dx, dy) for dx in (-1, 1) for dy in (-1, 1) if piece[1] or dy == forward]

    def jumps(self, board: dict[tuple[int, int], Piece], cell: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Yield where the piece on a cell can jump to."""
        for dx, dy in self.directions(board[cell]):
            over, to = (cell[0] + dx, cell[1] + dy), (cell[0] + 2 * dx, cell[1] + 2 * dy)
            inside = 1 <= to[0] <= 8 and 1 <= to[1] <= 8
            if inside and to not in board and over in board and board[over][0] != board[cell][0]:
                yield to

    def moves(self, state: State) -> Collection[str]:
        board = dict(state[0])
        own = [cell for cell, piece in board.items() if piece[0] == state[1]]
        jumpers = [state[2]] if state[2] else own
        jumps = [f"(jump {x} {y} {x2} {y2})" for x, y in jumpers for x2, y2 in self.jumps(board, (x, y))]
        if jumps:
            return jumps
        steps = []
        for x, y in own:
            for dx, dy in self.directions(board[x, y]):
                to = (x + dx, y + dy)
                if 1 <= to[0] <= 8 and 1 <= to[1] <= 8 and to not in board:
                    steps.append(f"(step {x} {y} {to[0]} {to[1]})")
        return steps

    def play(self, state: State, move: str) -> State:
        board = dict(state[0])
        x, y, x2, y2 = numbers(move)
        player, king = board.pop((x, y))
        is_crowned = not king and y2 == (8 if player == 0 else 1)
        board[x2, y2] = (player, king or is_crowned)
        captures = move.startswith("(jump")
        if captures:
            del board[(x + x2) // 2, (y + y2) // 2]
        goes_on = captures and not is_crowned and any(self.jumps(board, (x2, y2)))
        count = 0 if captures and not self.counts_captures else state[3] + 1
        return (frozenset(board.items()), player if goes_on else 1 - player, (x2, y2) if goes_on else None, count)

    def is_terminal(self, state: State) -> bool:
        return state[3] >= self.limit or not self.moves(state)

    def goals(self, state: State) -> Sequence[int]:
        return zero_sum(None if self.moves(state) else 1 - state[1])
