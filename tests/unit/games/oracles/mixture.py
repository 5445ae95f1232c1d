"""TTCC4: tic-tac-toe, chess, checkers and connect four."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tests.unit.games.oracles.lines import has_line
from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, zero_sum
from tests.unit.games.oracles.sources import INNER, MIDDLE

Piece = tuple[int, str]

HOMES = {
    (0, "pawn"): (1, 5),
    (0, "checker"): (1, 4),
    (0, "knight"): (1, 3),
    (1, "pawn"): (7, 3),
    (1, "checker"): (7, 4),
    (1, "knight"): (7, 5),
}


class TicTacChessCheckersFour(TurnOracle):
    """States are the pieces by their cells, and the number of moves made."""

    roles = ("red", "blue")

    def initial(self) -> State:
        return (frozenset((cell, piece) for piece, cell in HOMES.items()), 0)

    def mover(self, state: State) -> int:
        return int(state[1] % 2)

    def steps(self, state: State) -> Iterator[tuple[int, int, int, int]]:
        """Yield from where to where pieces of the mover can go."""
        board: dict[tuple[int, int], Piece] = dict(state[0])
        player = self.mover(state)
        for (x, y), (owner, kind) in board.items():
            if owner != player:
                continue
            for x2, y2 in INNER:
                distance = sorted((abs(x2 - x), abs(y2 - y)))
                target = board.get((x2, y2))
                takes = target is not None and target[0] != player
                middle = board.get(((x + x2) // 2, (y + y2) // 2))
                if kind == "pawn":
                    can = (distance == [0, 1] and target is None) or (distance == [1, 1] and takes)
                elif kind == "knight":
                    can = distance == [1, 2] and (target is None or takes)
                elif kind == "checker":
                    jumps = distance == [2, 2] and middle is not None and middle[0] != player
                    can = target is None and (distance == [1, 1] or jumps)
                else:
                    can = False
                if can:
                    yield x, y, x2, y2

    def moves(self, state: State) -> Collection[str]:
        taken = dict(state[0])
        drops = [f"(drop {x})" for x in (3, 4, 5) if (x, 6) not in taken]
        return [f"(move {x} {y} {x2} {y2})" for x, y, x2, y2 in self.steps(state)] + drops or ["noop"]

    def play(self, state: State, move: str) -> State:
        board: dict[tuple[int, int], Piece] = dict(state[0])
        if move.startswith("(drop"):
            (x,) = numbers(move)
            row = 6
            while row > 2 and (x, row - 1) not in board:
                row -= 1
            board[x, row] = (self.mover(state), "disc")
        elif move != "noop":
            x, y, x2, y2 = numbers(move)
            piece = board.pop((x, y))
            jumped = ((x + x2) // 2, (y + y2) // 2) if piece[1] == "checker" and abs(x - x2) == 2 else (x2, y2)
            captured = board.pop(jumped, None)
            board[x2, y2] = piece
            if captured in HOMES:
                board[HOMES[captured]] = captured
        return (frozenset(board.items()), state[1] + 1)

    def winner(self, state: State) -> int | None:
        """Return who has a line in the middle."""
        for player in (0, 1):
            if has_line({cell for cell, piece in state[0] if piece[0] == player and cell in MIDDLE}, 3):
                return player
        return None

    def is_terminal(self, state: State) -> bool:
        return self.winner(state) is not None or bool(state[1] == 60)

    def goals(self, state: State) -> Sequence[int]:
        return zero_sum(self.winner(state))
