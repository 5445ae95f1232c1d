"""Two players with pieces that take each other: battle of numbers, reflect connect six."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, zero_sum


class BattleOfNumbers(TurnOracle):
    """States are the pieces (cell, player, number), the captures of each player, and the number of moves made."""

    roles = ("red", "green")
    row: tuple[int, ...] = (1, 3, 5, 4, 2)
    """The numbers of red from left to right; green's are mirrored."""
    limit = 40

    def initial(self) -> State:
        red = {((x, 1), 0, number) for x, number in enumerate(self.row, 1)}
        green = {((x, len(self.row)), 1, number) for x, number in enumerate(reversed(self.row), 1)}
        return (frozenset(red | green), (0, 0), 0)

    def mover(self, state: State) -> int:
        return int(state[2] % 2)

    def moves(self, state: State) -> Collection[str]:
        player = self.mover(state)
        board = {cell: (owner, number) for cell, owner, number in state[0]}
        result = []
        for (x, y), owner, number in state[0]:
            if owner != player:
                continue
            for x2, y2 in ((x + a, y + b) for a in (-1, 0, 1) for b in (-1, 1)):
                if not (1 <= x2 <= len(self.row) and 1 <= y2 <= len(self.row)):
                    continue
                there = board.get((x2, y2))
                if there is None:
                    allowed = y2 - y == (1, -1)[player]
                else:
                    allowed = there[0] != player and x2 != x and self.takes(number, there[1])
                if allowed:
                    result.append(f"(move {x} {y} {x2} {y2})")
        return result

    def takes(self, number: int, other: int) -> bool:
        """Return whether a number takes another."""
        if {number, other} == {1, len(self.row)}:
            return number == 1
        return number >= other

    def play(self, state: State, move: str) -> State:
        player = self.mover(state)
        x, y, x2, y2 = numbers(move)
        moving = next(piece for piece in state[0] if piece[0] == (x, y))
        taken = {piece for piece in state[0] if piece[0] == (x2, y2)}
        captures = list(state[1])
        captures[player] += len(taken)
        pieces = state[0] - taken - {moving} | {((x2, y2), *moving[1:])}
        return (pieces, tuple(captures), state[2] + 1)

    def is_terminal(self, state: State) -> bool:
        return len(self.row) in state[1] or state[2] == self.limit or not self.moves(state)

    def goals(self, state: State) -> Sequence[int]:
        red, green = state[1]
        return zero_sum(None if red == green else int(green > red))


class BattleOfNumbersBig(BattleOfNumbers):
    """Numbers from one to seven on a board of seven by seven."""

    row = (1, 3, 5, 7, 6, 4, 2)
    limit = 60


class ReflectConnectSix(TurnOracle):
    """States are the cells of both players, the captures of each, and the number of moves made."""

    roles = ("red", "blue")
    squares = tuple(
        frozenset((x, y) for x in side for y in side if (x, y) != (6, 6)) for side in (range(1, 7), range(6, 12))
    )

    def initial(self) -> State:
        red = frozenset((x, y) for x, y in self.squares[0] if x + y <= 6)
        return (red, frozenset((12 - x, 12 - y) for x, y in red), (0, 0), 0)

    def mover(self, state: State) -> int:
        return int(state[3] % 2)

    def moves(self, state: State) -> Collection[str]:
        player = self.mover(state)
        mine, other = state[player], state[1 - player]
        blank = (self.squares[0] | self.squares[1]) - mine - other
        result = []
        for x, y in mine:
            targets = [(x + a, y + b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
            goals = {cell for cell in targets if cell in blank or (cell in other and state[2][player] < 3)}
            goals |= {(12 - x, 12 - y)} & blank
            result += [f"(move {x} {y} {a} {b})" for a, b in goals]
        return result or ["noop"]

    def play(self, state: State, move: str) -> State:
        player = self.mover(state)
        pieces, captures = list(state[:2]), list(state[2])
        if move != "noop":
            x, y, x2, y2 = numbers(move)
            captures[player] += (x2, y2) in pieces[1 - player]
            pieces[1 - player] -= {(x2, y2)}
            pieces[player] = pieces[player] - {(x, y)} | {(x2, y2)}
        return (*pieces, tuple(captures), state[3] + 1)

    def longest(self, state: State, player: int) -> int:
        """Return the length of the longest line of a player in the square of the other, four at most."""
        cells = state[player] & self.squares[1 - player]
        best = 0
        for x, y in cells:
            for a, b in ((1, 0), (0, 1), (1, 1), (1, -1)):
                length = 1
                while length < 4 and (x + length * a, y + length * b) in cells:
                    length += 1
                best = max(best, length)
        return best

    def is_terminal(self, state: State) -> bool:
        return state[3] == 40 or 4 in (self.longest(state, 0), self.longest(state, 1))

    def goals(self, state: State) -> Sequence[int]:
        ahead = self.longest(state, 0) - self.longest(state, 1)
        red = 50 if ahead == 0 else (60 + 10 * ahead if ahead > 0 else 40 + 10 * ahead)
        return (red, 100 - red)
