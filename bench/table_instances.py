"""Table instances with 10^4 to 10^7 solutions, the same on every machine: what bench/constraint.py measures."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

WILDCARD = -1  # no instance has it as a value


@dataclass
class Table:
    scope: list[int]
    tuples: NDArray[np.int32]
    is_allowed: bool = True


@dataclass
class Instance:
    name: str
    domains: list[range]
    tables: list[Table] = field(default_factory=list)

    def add(self, scope: list[int], tuples: object, is_allowed: bool = True) -> None:
        self.tables.append(Table(scope, np.array(tuples, dtype=np.int32).reshape(-1, len(scope)), is_allowed))


def random_rows(dice: random.Random, domains: list[range], count: int) -> list[tuple[int, ...]]:
    rows: set[tuple[int, ...]] = set()
    while len(rows) < count:
        rows.add(tuple(dice.choice(domain) for domain in domains))
    return sorted(rows)


def random_tables(name: str, seed: int, variables: int, size: int, arity: int, tables: int, share: float) -> Instance:
    """Tables that allow a share of all combinations, over scopes that together reach every variable."""
    dice = random.Random(seed)
    instance = Instance(name, [range(size)] * variables)
    scopes = [dice.sample(range(variables), arity) for _ in range(tables)]
    for x in range(variables):
        if not any(x in scope for scope in scopes):
            scopes[x % tables][x % arity] = x
    for scope in scopes:
        if len(set(scope)) == arity:
            instance.add(scope, random_rows(dice, [range(size)] * arity, round(share * size**arity)))
    return instance


def forbidden_tables(
    name: str, seed: int, variables: int, size: int, arity: int, tables: int, share: float
) -> Instance:
    allowed = random_tables(name, seed, variables, size, arity, tables, share)
    return Instance(name, allowed.domains, [Table(t.scope, t.tuples, False) for t in allowed.tables])


def short_tables(name: str, seed: int, variables: int, size: int, arity: int, tables: int, rows: int) -> Instance:
    """Rows in which every second entry or so is a wildcard."""
    dice = random.Random(seed)
    instance = Instance(name, [range(size)] * variables)
    for _ in range(tables):
        short: set[tuple[int, ...]] = set()
        while len(short) < rows:
            short.add(tuple(WILDCARD if dice.random() < 0.45 else dice.randrange(size) for _ in range(arity)))
        instance.add(dice.sample(range(variables), arity), sorted(short))
    return instance


def latin_square(order: int) -> Instance:
    """Every row and every column is one of the permutations."""
    instance = Instance(f"latin-{order}", [range(order)] * order**2)
    permutations = list(itertools.permutations(range(order)))
    for i in range(order):
        instance.add([order * i + j for j in range(order)], permutations)
        instance.add([order * j + i for j in range(order)], permutations)
    return instance


def magic_square() -> Instance:
    """Order 4: lines of four different numbers with the sum 34, and all sixteen different."""
    instance = Instance("magic-square-4", [range(1, 17)] * 16)
    lines = [[4 * i + j for j in range(4)] for i in range(4)] + [[4 * j + i for j in range(4)] for i in range(4)]
    lines += [[0, 5, 10, 15], [3, 6, 9, 12]]
    rows = [row for row in itertools.permutations(range(1, 17), 4) if sum(row) == 34]
    for line in lines:
        instance.add(line, rows)
    different = [(a, b) for a in range(1, 17) for b in range(1, 17) if a != b]
    for x, y in itertools.combinations(range(16), 2):
        instance.add([x, y], different)
    return instance


def queens(size: int) -> Instance:
    instance = Instance(f"queens-{size}", [range(size)] * size)
    for a, b in itertools.combinations(range(size), 2):
        instance.add([a, b], [(v, w) for v in range(size) for w in range(size) if v != w and abs(v - w) != b - a])
    return instance


def pigeons(count: int, holes: int) -> Instance:
    instance = Instance(f"pigeons-{count}-{holes}", [range(holes)] * count)
    same = [(v, v) for v in range(holes)]
    for a, b in itertools.combinations(range(count), 2):
        instance.add([a, b], same, is_allowed=False)
    return instance


def parity(name: str, seed: int, variables: int, equations: int) -> Instance:
    """Like dubois: sums modulo 2 of three variables, here with solutions."""
    dice = random.Random(seed)
    instance = Instance(name, [range(2)] * variables)
    hidden = [dice.randrange(2) for _ in range(variables)]
    # Every variable is in some equation: solvers leave out those that are in none.
    order = dice.sample(range(variables), variables)
    for i in range(equations):
        scope = order[3 * i : 3 * i + 3] or dice.sample(range(variables), 3)
        odd = sum(hidden[x] for x in scope) % 2
        instance.add(scope, [row for row in itertools.product(range(2), repeat=3) if sum(row) % 2 == odd])
    return instance


def colouring(name: str, seed: int, nodes: int, edges: int, colours: int) -> Instance:
    dice = random.Random(seed)
    instance = Instance(name, [range(colours)] * nodes)
    different = [(a, b) for a in range(colours) for b in range(colours) if a != b]
    for a, b in sorted(dice.sample(list(itertools.combinations(range(nodes), 2)), edges)):
        instance.add([a, b], different)
    return instance


def crossword(name: str, seed: int, side: int, letters: int, words: int) -> Instance:
    """A square without black cells; words are random, the same list across and down."""
    dice = random.Random(seed)
    instance = Instance(name, [range(letters)] * side**2)
    rows = random_rows(dice, [range(letters)] * side, words)
    for i in range(side):
        instance.add([side * i + j for j in range(side)], rows)
        instance.add([side * j + i for j in range(side)], rows)
    return instance


INSTANCES: dict[str, Callable[[], Instance]] = {
    "random-12-8-4": lambda: random_tables("random-12-8-4", 1, 12, 5, 4, 8, 0.365),
    "random-15-16-3": lambda: random_tables("random-15-16-3", 2, 15, 6, 3, 16, 0.42),
    "random-10-6-5": lambda: random_tables("random-10-6-5", 3, 10, 9, 5, 6, 0.2),
    "random-20-14-4": lambda: random_tables("random-20-14-4", 4, 20, 4, 4, 14, 0.35),
    "large-9-4-5": lambda: random_tables("large-9-4-5", 5, 9, 12, 5, 4, 0.12),
    "forbidden-12-20-4": lambda: forbidden_tables("forbidden-12-20-4", 6, 12, 4, 4, 20, 0.24),
    "short-14-10-6": lambda: short_tables("short-14-10-6", 7, 14, 4, 6, 10, 22),
    "latin-5": lambda: latin_square(5),
    "magic-square-4": magic_square,
    "queens-12": lambda: queens(12),
    "pigeons-8-9": lambda: pigeons(8, 9),
    "parity-60": lambda: parity("parity-60", 8, 60, 42),
    "colouring-18": lambda: colouring("colouring-18", 9, 18, 39, 4),
    "crossword-4": lambda: crossword("crossword-4", 10, 4, 8, 330),
}
