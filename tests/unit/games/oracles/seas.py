"""Ships that the opponent does not see: battleship and battleships in fog."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, words

Cell = tuple[int, int]


class BattleshipsInFog(TurnOracle):
    """States are the two ships, the shots and scans of each player, and the number of turns after the launch."""

    roles = ("north", "south", "random")
    cells = tuple((x, y) for x in range(1, 5) for y in range(1, 5))

    def initial(self) -> State:
        return ((), (frozenset(), frozenset()), (False, False), 0)

    def mover(self, state: State) -> int:
        return state[3] % 2 if state[0] else 2

    def moves(self, state: State) -> Collection[str]:
        ships, shots, scans, _ = state
        if not ships:
            return [f"(launch {a} {b} {c} {d})" for a, b in self.cells for c, d in self.cells]
        player = self.mover(state)
        left = [f"(fire {x} {y})" for x, y in self.cells if (x, y) not in shots[player]]
        return left if scans[player] else [*left, "scan"]

    def play(self, state: State, move: str) -> State:
        ships, shots, scans, turns = state
        if not ships:
            a, b, c, d = numbers(move)
            return (((a, b), (c, d)), shots, scans, 0)
        player = self.mover(state)
        if move == "scan":
            return (ships, shots, tuple(scans[seat] or seat == player for seat in (0, 1)), turns + 1)
        fired = tuple(shots[seat] | ({tuple(numbers(move))} if seat == player else set()) for seat in (0, 1))
        return (ships, fired, scans, turns + 1)

    def sees(self, state: State, moves: Sequence[str]) -> Sequence[Collection[str]]:
        player = self.mover(state)
        if player == 2:
            a, b, c, d = numbers(moves[2])
            return ([f"(launched {a} {b})"], [f"(launched {c} {d})"], ())
        name, (x, y) = self.roles[player], state[0][1 - player]
        if moves[player] == "scan":
            percepts = [[f"(scanned {name})"], [f"(scanned {name})"]]
            percepts[player].append(f"(located {x} {y})")
            return (*percepts, ())
        column, row = numbers(moves[player])
        both = [f"(fired {name} {column} {row})", *[f"(hit {name})"] * ((column, row) == (x, y))]
        return (both, both, ())

    def is_terminal(self, state: State) -> bool:
        return bool(state[0]) and any(state[0][1 - player] in state[1][player] for player in (0, 1))

    def goals(self, state: State) -> Sequence[int]:
        return (*(100 if state[0][1 - player] in state[1][player] else 0 for player in (0, 1)), 0)


class Battleship(TurnOracle):
    """States are the fleets, each a tuple of ships, which are sets of cells, and the shots in order."""

    roles = ("first", "second")
    cells = tuple((x, y) for x in (1, 2, 3) for y in (1, 2, 3))

    def initial(self) -> State:
        return (((), ()), ((), ()))

    def mover(self, state: State) -> int:
        fleets, shots = state
        return (sum(map(len, fleets)) + sum(map(len, shots))) % 2

    def moves(self, state: State) -> Collection[str]:
        player = self.mover(state)
        fleet, shots = state[0][player], state[1][player]
        if not fleet:
            return [f"(place_boat {x} {y})" for x, y in self.cells]
        if len(fleet) == 1:
            pairs = [((x, y), (x + a, y + b)) for x, y in self.cells for a, b in ((1, 0), (0, 1))]
            free = [(a, b) for a, b in pairs if b in self.cells and not {a, b} & fleet[0]]
            return [f"(place_cruiser {a[0]} {a[1]} {b[0]} {b[1]})" for a, b in free]
        return [f"(fire {x} {y})" for x, y in self.cells if (x, y) not in shots]

    def play(self, state: State, move: str) -> State:
        player = self.mover(state)
        word, at = words(move)[0], numbers(move)
        added = (tuple(at),) if word == "fire" else (frozenset(zip(at[::2], at[1::2], strict=True)),)
        which = int(word == "fire")
        parts = [list(state[0]), list(state[1])]
        parts[which][player] = (*parts[which][player], *added)
        return (tuple(parts[0]), tuple(parts[1]))

    def sees(self, state: State, moves: Sequence[str]) -> Sequence[Collection[str]]:
        player = self.mover(state)
        if not moves[player].startswith("(fire"):
            return ((), ())
        column, row = numbers(moves[player])
        shots = {*state[1][player], (column, row)}
        met = [ship for ship in state[0][1 - player] if (column, row) in ship]
        result = ["water" if not met else "sunk" if met[0] <= shots else "hit"]
        where = [f"(fired {column} {row})"]
        return (result, where) if player == 0 else (where, result)

    def sunk(self, state: State, player: int) -> int:
        """Return how many ships of the player were sunk."""
        return sum(ship <= set(state[1][1 - player]) for ship in state[0][player])

    def is_terminal(self, state: State) -> bool:
        fleets, shots = state
        is_ready = all(len(fleet) == 2 for fleet in fleets)
        return is_ready and (len(shots[1]) == 4 or any(self.sunk(state, player) == 2 for player in (0, 1)))

    def goals(self, state: State) -> Sequence[int]:
        lead = self.sunk(state, 1) - self.sunk(state, 0)
        return (50 + 25 * lead, 50 - 25 * lead)
