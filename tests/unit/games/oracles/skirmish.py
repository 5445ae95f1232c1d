"""Skirmish: chess without check."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, words, zero_sum

Cell = tuple[int, int]
Board = dict[Cell, tuple[int, str]]

ROOK = ((1, 0), (-1, 0), (0, 1), (0, -1))
BISHOP = ((1, 1), (-1, 1), (1, -1), (-1, -1))
RAYS = {"rook": ROOK, "bishop": BISHOP, "queen": ROOK + BISHOP}
LEAPS = {
    "king": ROOK + BISHOP,
    "knight": tuple((x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)),
}
HOME = ("rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook")
PROMOTIONS = ("queen", "rook", "bishop", "knight")


class Skirmish(TurnOracle):
    """States: the board, cells of kings and rooks that never moved, the cell behind a double step, captures, moves."""

    roles = ("white", "black")

    def initial(self) -> State:
        board: Board = {}
        for file, piece in enumerate(HOME):
            board[file, 0], board[file, 1] = (0, piece), (0, "pawn")
            board[file, 7], board[file, 6] = (1, piece), (1, "pawn")
        return (frozenset(board.items()), frozenset((x, y) for x in (0, 4, 7) for y in (0, 7)), None, (0, 0), 0)

    def mover(self, state: State) -> int:
        return int(state[4] % 2)

    def steps(self, state: State) -> Iterator[tuple[Cell, Cell]]:
        """Yield from where to where pieces of the mover can go; castling is a step of the king."""
        board: Board = dict(state[0])
        player = self.mover(state)
        for (x, y), (owner, piece) in board.items():
            if owner != player:
                continue
            for dx, dy in LEAPS.get(piece, ()):
                to = (x + dx, y + dy)
                if self.inside(to) and board.get(to, (1 - player, ""))[0] != player:
                    yield (x, y), to
            for dx, dy in RAYS.get(piece, ()):
                to = (x + dx, y + dy)
                while self.inside(to) and to not in board:
                    yield (x, y), to
                    to = (to[0] + dx, to[1] + dy)
                if self.inside(to) and board[to][0] != player:
                    yield (x, y), to
            if piece == "pawn":
                for to in self.pawn(board, (x, y), player, state[2]):
                    yield (x, y), to
            if piece == "king" and (x, y) in state[1]:
                for rook, between, to_x in ((7, (5, 6), 6), (0, (1, 2, 3), 2)):
                    if (rook, y) in state[1] and not any((file, y) in board for file in between):
                        yield (x, y), (to_x, y)

    @staticmethod
    def inside(cell: Cell) -> bool:
        """Return whether a cell is on the board."""
        return 0 <= cell[0] < 8 and 0 <= cell[1] < 8

    @staticmethod
    def pawn(board: Board, cell: Cell, player: int, passed: Cell | None) -> Iterator[Cell]:
        """Yield where a pawn can go."""
        x, y = cell
        forward = 1 if player == 0 else -1
        if (x, y + forward) not in board:
            yield (x, y + forward)
            if y == (1 if player == 0 else 6) and (x, y + 2 * forward) not in board:
                yield (x, y + 2 * forward)
        for to in ((x - 1, y + forward), (x + 1, y + forward)):
            if (to in board and board[to][0] != player) or to == passed:
                yield to

    def moves(self, state: State) -> Collection[str]:
        board: Board = dict(state[0])
        result = []
        for start, end in self.steps(state):
            text = f"{'abcdefgh'[start[0]]} {start[1] + 1} {'abcdefgh'[end[0]]} {end[1] + 1}"
            if board[start][1] == "pawn" and end[1] in (0, 7):
                result += [f"(promote {text} {piece})" for piece in PROMOTIONS]
            else:
                result.append(f"(move {text})")
        return result

    def play(self, state: State, move: str) -> State:
        board: Board = dict(state[0])
        player = self.mover(state)
        parts = words(move)
        start, end = (("abcdefgh".index(parts[at]), int(parts[at + 1]) - 1) for at in (1, 3))
        piece = board.pop(start)
        takes = board.pop(end, None) is not None
        if piece[1] == "pawn" and end == state[2]:
            del board[end[0], start[1]]
            takes = True
        board[end] = piece if len(parts) == 5 else (player, parts[5])
        if piece[1] == "king" and abs(start[0] - end[0]) == 2:
            rook = (7 if end[0] == 6 else 0, start[1])
            board[(start[0] + end[0]) // 2, start[1]] = board.pop(rook)
        is_double = piece[1] == "pawn" and abs(start[1] - end[1]) == 2
        passed = (start[0], (start[1] + end[1]) // 2) if is_double else None
        taken = tuple(count + (takes and role == player) for role, count in enumerate(state[3]))
        unmoved = state[1] - {start, end}
        return (frozenset(board.items()), unmoved, passed, taken, state[4] + 1)

    def is_terminal(self, state: State) -> bool:
        return bool(state[4] == 100) or not any(self.steps(state))

    def goals(self, state: State) -> Sequence[int]:
        white, black = state[3]
        return zero_sum(None if white == black else int(white < black))
