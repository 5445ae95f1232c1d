"""Pieces that the opponent does not see: krieg and phantom tic-tac-toe, dark hex, blind breakthrough."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.unit.games.oracles.lines import has_line
from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, zero_sum


class KriegTicTacToe(TurnOracle):
    """States are the cells of each player, what each has tried in vain, and the player."""

    roles = ("x", "o")

    def __init__(self, size: int = 3, line: int = 3) -> None:
        self.size, self.line = size, line

    def initial(self) -> State:
        return (frozenset(), frozenset(), frozenset(), frozenset(), 0)

    def mover(self, state: State) -> int:
        return int(state[4])

    def moves(self, state: State) -> Collection[str]:
        known = state[state[4]] | state[2 + state[4]]
        cells = range(1, self.size + 1)
        return [f"(mark {x} {y})" for x in cells for y in cells if (x, y) not in known]

    def play(self, state: State, move: str) -> State:
        player, cell = state[4], tuple(numbers(move))
        parts = list(state)
        if cell in state[1 - player]:
            parts[2 + player] = parts[2 + player] | {cell}
        else:
            parts[player] = parts[player] | {cell}
            parts[4] = 1 - player
        return tuple(parts)

    def sees(self, state: State, moves: Sequence[str]) -> Sequence[Collection[str]]:
        player = state[4]
        column, row = numbers(moves[player])
        is_taken = (column, row) in state[1 - player]
        mine = {moves[player], f"({'taken' if is_taken else 'marked'} {column} {row})"}
        theirs = {"noop"} if is_taken else {"noop", "your_turn"}
        return (mine, theirs) if player == 0 else (theirs, mine)

    def is_terminal(self, state: State) -> bool:
        has_won = any(has_line(state[player], self.line) for player in (0, 1))
        return has_won or len(state[0] | state[1]) == self.size**2

    def goals(self, state: State) -> Sequence[int]:
        return zero_sum(next((player for player in (0, 1) if has_line(state[player], self.line)), None))


class PhantomTicTacToe(KriegTicTacToe):
    """A failed try costs the turn; the other one does not notice."""

    def play(self, state: State, move: str) -> State:
        return (*super().play(state, move)[:4], 1 - state[4])

    def sees(self, state: State, moves: Sequence[str]) -> Sequence[Collection[str]]:
        player = state[4]
        column, row = numbers(moves[player])
        taken = {f"(taken {column} {row})"} if (column, row) in state[1 - player] else set()
        won = {f"(won {self.roles[player]})"} if has_line(self.play(state, moves[player])[player], 3) else set()
        return tuple(won | taken if role == player else won for role in (0, 1))


class DarkHex(KriegTicTacToe):
    """States are as in krieg tic-tac-toe; red connects the rows 1 and 3, blue the columns."""

    roles = ("red", "blue")

    def moves(self, state: State) -> Collection[str]:
        return [move.replace("mark", "place") for move in super().moves(state)]

    def sees(self, state: State, moves: Sequence[str]) -> Sequence[Collection[str]]:
        player = state[4]
        column, row = numbers(moves[player])
        is_taken = (column, row) in state[1 - player]
        mine, theirs = ([f"(taken {column} {row})"], []) if is_taken else ([], ["your_turn"])
        return (mine, theirs) if player == 0 else (theirs, mine)

    @staticmethod
    def is_linked(cells: Collection[tuple[int, int]], along: int) -> bool:
        """Return whether a chain of cells leads from 1 to 3 along an axis: 0 for columns, 1 for rows."""
        reached = {cell for cell in cells if cell[along] == 1}
        for _ in range(9):
            steps = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
            reached |= {(x + a, y + b) for x, y in reached for a, b in steps} & set(cells)
        return any(cell[along] == 3 for cell in reached)

    def is_terminal(self, state: State) -> bool:
        return self.is_linked(state[0], 1) or self.is_linked(state[1], 0)

    def goals(self, state: State) -> Sequence[int]:
        return zero_sum(0 if self.is_linked(state[0], 1) else 1)


class BlindBreakthrough(TurnOracle):
    """States are the pawns of each player, the cells found blocked in this turn, and the player."""

    roles = ("white", "black")

    def initial(self) -> State:
        rows = [{(x, y) for x in range(1, 7) for y in pair} for pair in ((1, 2), (5, 6))]
        return (frozenset(rows[0]), frozenset(rows[1]), frozenset(), 0)

    def mover(self, state: State) -> int:
        return int(state[3])

    def moves(self, state: State) -> Collection[str]:
        mine, blocked, ahead = state[state[3]], state[2], 1 - 2 * state[3]
        steps = [(x, y, x + dx, y + ahead) for x, y in mine for dx in (-1, 0, 1)]
        return [
            f"(move {x} {y} {x2} {y2})"
            for x, y, x2, y2 in steps
            if 1 <= x2 <= 6 and 1 <= y2 <= 6 and (x2, y2) not in mine and not (x == x2 and (x2, y2) in blocked)
        ]

    def play(self, state: State, move: str) -> State:
        player = state[3]
        x, y, x2, y2 = numbers(move)
        if x == x2 and (x2, y2) in state[1 - player]:
            return (*state[:2], state[2] | {(x2, y2)}, player)
        pawns = list(state[:2])
        pawns[player] = pawns[player] - {(x, y)} | {(x2, y2)}
        pawns[1 - player] = pawns[1 - player] - {(x2, y2)}
        return (*pawns, frozenset(), 1 - player)

    def sees(self, state: State, moves: Sequence[str]) -> Sequence[Collection[str]]:
        player = state[3]
        x, _, x2, y2 = numbers(moves[player])
        is_there = (x2, y2) in state[1 - player]
        if x == x2 and is_there:
            mine, theirs = [f"(blocked {x2} {y2})"], []
        else:
            mine = [f"(captured {x2} {y2})"] if is_there else []
            theirs = [*mine, "your_turn"]
        return (mine, theirs) if player == 0 else (theirs, mine)

    def is_terminal(self, state: State) -> bool:
        return self.winner(state) is not None

    @staticmethod
    def winner(state: State) -> int | None:
        """Return who has won."""
        for player, far in ((0, 6), (1, 1)):
            if any(y == far for _, y in state[player]) or not state[1 - player]:
                return player
        return None

    def goals(self, state: State) -> Sequence[int]:
        return zero_sum(self.winner(state))
