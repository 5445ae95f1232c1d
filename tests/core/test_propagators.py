"""Each constraint against its definition over all assignments of small random domains.

Three promises are checked: no solution is lost, with one variable left the domain is exact (search counts on it), and
if a constraint promises domain consistency, exactly the values of its solutions stay.
"""

from __future__ import annotations

import itertools
import operator
import random
from collections.abc import Callable

import pytest
from tests.core.networks import Network, Row, Rule, as_set, random_clause, random_domain, random_scope, random_table

from woodstock._native import Solver

RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
Make = Callable[[random.Random, list[list[int]]], Rule]


def quotient(x: int, y: int) -> int:
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def linear(strength: str, is_reified: bool) -> Make:
    def make(dice: random.Random, domains: list[list[int]]) -> Rule:
        terms = [dice.randrange(len(domains)) for _ in range(dice.randint(1, 4))]
        coefficients = [dice.randint(-3, 3) for _ in terms]
        relation, constant = dice.choice(list(RELATIONS)), dice.randint(-8, 8)
        truth = len(domains) if is_reified else None
        if is_reified:
            domains.append(dice.choice([[0, 1], [0, 1], [0], [1]]))

        def holds(values: Row) -> bool:
            total = sum(a * values[x] for a, x in zip(coefficients, terms, strict=True))
            return RELATIONS[relation](total, constant) == (truth is None or values[truth] == 1)

        def post(solver: Solver) -> None:
            solver.add_linear(terms, coefficients, relation, constant, truth, strength)

        text = f"linear({coefficients}*{terms} {relation} {constant}, {truth})"
        return Rule(tuple(range(len(domains))), post, holds, text)

    return make


def comparison(is_reified: bool) -> Make:
    def make(dice: random.Random, domains: list[list[int]]) -> Rule:
        x, y = dice.randrange(len(domains)), dice.randrange(len(domains))
        relation, offset = dice.choice(list(RELATIONS)), dice.randint(-3, 3)
        truth = len(domains) if is_reified else None
        if is_reified:
            domains.append(dice.choice([[0, 1], [0, 1], [0], [1]]))

        def holds(values: Row) -> bool:
            return RELATIONS[relation](values[x], values[y] + offset) == (truth is None or values[truth] == 1)

        def post(solver: Solver) -> None:
            solver.add_compare(x, relation, y, offset, truth)

        return Rule(tuple(range(len(domains))), post, holds, f"x{x} {relation} x{y} + {offset}, {truth}")

    return make


def function(name: str, definition: Callable[[int, int, int], bool], strength: str) -> Make:
    def make(dice: random.Random, domains: list[list[int]]) -> Rule:
        scope = random_scope(dice, len(domains), 3)
        scope = scope if len(scope) == 3 else (scope * 3)[:3]

        def post(solver: Solver) -> None:
            getattr(solver, f"add_{name}")(*scope, strength)

        return Rule(scope, post, lambda v: definition(*v), name)

    return make


def absolute(dice: random.Random, domains: list[list[int]]) -> Rule:
    x, z = dice.randrange(len(domains)), dice.randrange(len(domains))
    return Rule((x, z), lambda s: s.add_absolute(x, z), lambda v: v[1] == abs(v[0]), "absolute")


def element(is_constant: bool, is_distinct: bool) -> Make:
    def make(dice: random.Random, domains: list[list[int]]) -> Rule:
        index, result = dice.randrange(len(domains)), dice.randrange(len(domains))
        if is_distinct:
            domains[:] = [[0, 1, 2, 3], *(random_domain(dice) for _ in range(3))]
            index, result = 0, 3
            entries = [dice.randint(-3, 6) for _ in range(3)] if is_constant else [1, 2]
        elif is_constant:
            entries = [dice.randint(-3, 6) for _ in range(dice.randint(1, 5))]
        else:
            entries = [dice.randrange(len(domains)) for _ in range(dice.randint(1, 5))]

        def holds(values: Row) -> bool:
            if not 0 <= values[index] < len(entries):
                return False
            entry = entries[values[index]]
            return values[result] == (entry if is_constant else values[entry])

        def post(solver: Solver) -> None:
            solver.add_element(index, entries, result, is_constant)

        return Rule(tuple(range(len(domains))), post, holds, f"x{result} = {entries}[x{index}]")

    return make


def lookup(dice: random.Random, domains: list[list[int]]) -> Rule:
    """Some results stand outside the result's domain."""
    domains += [random_domain(dice) for _ in range(2 - len(domains))]
    scope = tuple(dice.sample(range(len(domains)), dice.randint(2, len(domains))))
    inputs, result = scope[:-1], scope[-1]
    rows = list(itertools.product(*(domains[x] for x in inputs)))
    values = {row: dice.choice([*domains[result], 99]) for row in rows}
    return Rule(
        scope,
        lambda s: s.add_lookup(inputs, result, list(values.values())),
        lambda v: values[v[:-1]] == v[-1],
        f"x{result} = {values} of {inputs}",
    )


def all_different(dice: random.Random, domains: list[list[int]]) -> Rule:
    scope = tuple(dice.sample(range(len(domains)), dice.randint(1, len(domains))))
    return Rule(scope, lambda s: s.add_all_different(scope), lambda v: len(set(v)) == len(v), "all different")


def gate(is_all: bool) -> Make:
    """A 0/1 variable of its own for the result: with it elsewhere too, three clauses together see less."""

    def make(dice: random.Random, domains: list[list[int]]) -> Rule:
        literals = [(x := dice.randrange(len(domains)), dice.choice(domains[x])) for _ in range(dice.randint(0, 4))]
        split = dice.randint(0, len(literals))
        positive, negative = literals[:split], literals[split:]
        result = len(domains)
        domains.append(dice.choice([[0, 1], [0, 1], [0], [1]]))

        def holds(values: Row) -> bool:
            truths = [values[x] == v for x, v in positive] + [values[x] != v for x, v in negative]
            return (values[result] == 1) == (all(truths) if is_all else any(truths))

        def post(solver: Solver) -> None:
            (solver.add_all_of if is_all else solver.add_any_of)(result, positive, negative)

        return Rule(tuple(range(len(domains))), post, holds, f"gate({is_all}, {positive}, {negative})")

    return make


FUNCTIONS: dict[str, Callable[[int, int, int], bool]] = {
    "product": lambda x, y, z: z == x * y,
    "minimum": lambda x, y, z: z == min(x, y),
    "maximum": lambda x, y, z: z == max(x, y),
    "quotient": lambda x, y, z: y != 0 and z == quotient(x, y),
    "remainder": lambda x, y, z: y != 0 and z == x - y * quotient(x, y),
}
# Name: how to make one, and whether it is domain consistent.
CONSTRAINTS: dict[str, tuple[Make, bool]] = {
    "compact-table": (lambda d, domains: random_table(d, domains), True),
    "str2": (lambda d, domains: random_table(d, domains, "str2"), True),
    "clause": (random_clause, True),
    "all of": (gate(True), True),
    "any of": (gate(False), True),
    "linear by bounds": (linear("bounds", False), False),
    "linear by domains": (linear("domain", False), True),
    "linear, reified, by bounds": (linear("bounds", True), False),
    "linear, reified, by domains": (linear("domain", True), True),
    "comparison": (comparison(False), True),
    "comparison, reified": (comparison(True), True),
    "absolute": (absolute, True),
    "element of constants": (element(True, True), True),
    "element of variables": (element(False, True), True),
    "element of constants, indexed by its result": (element(True, False), False),
    "element of variables, some of them the same": (element(False, False), False),
    "lookup": (lookup, False),
    "all different": (all_different, True),
}
for function_name, definition in FUNCTIONS.items():
    CONSTRAINTS[function_name] = (function(function_name, definition, "auto"), True)
    CONSTRAINTS[f"{function_name} by bounds"] = (function(function_name, definition, "bounds"), True)


def domains_of(solver: Solver, count: int) -> list[list[int]]:
    return [solver.domain(x) for x in range(count)]


def check_domains(network: Network, solver: Solver, is_possible: bool, is_exact: bool, told: object) -> None:
    """After propagation, whatever was assigned before it."""
    count = len(network.domains)
    left = domains_of(solver, count)
    solutions = network.solutions(left)
    if not is_possible:
        return
    free = [x for x in network.rules[0].scope if len(left[x]) > 1]
    if is_exact or len(set(free)) <= 1:
        assert left == [sorted({row[x] for row in solutions}) for x in range(count)], told
    else:
        assert all({row[x] for row in solutions} <= set(left[x]) for x in range(count)), told


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_against_the_definition(name: str) -> None:
    make, is_exact = CONSTRAINTS[name]
    for seed in range(120):
        dice = random.Random(f"{name} {seed}")
        domains = [random_domain(dice) for _ in range(dice.randint(1, 4))]
        network = Network(domains)
        network.rules.append(make(dice, domains))
        told = (name, seed, str(network))
        solver, expected = network.solver(), network.solutions()
        is_possible = solver.propagate()
        assert is_possible or not expected, told
        check_domains(network, solver, is_possible, is_exact, told)
        for consistency in ("mac", "fc"):
            assert as_set(solver.enumerate(consistency=consistency).rows) == expected, (consistency, told)
        # A walk down some branches, and back: what was undone must be as it was.
        for _ in range(6):
            depth, is_open = 0, True
            before = domains_of(solver, len(domains))
            allowed = expected
            while is_open and depth < 6:
                x = dice.randrange(len(domains))
                value = dice.choice(domains[x])
                solver.push()
                depth += 1
                if dice.random() < 0.5:
                    is_open = solver.assign(x, value)
                    allowed = {row for row in allowed if row[x] == value}
                else:
                    is_open = solver.remove(x, value)
                    allowed = {row for row in allowed if row[x] != value}
                assert is_open or not allowed, told
                check_domains(network, solver, is_open, is_exact, told)
                if is_open:
                    assert network.solutions(domains_of(solver, len(domains))) == allowed, told
            for _ in range(depth):
                solver.pop()
            assert domains_of(solver, len(domains)) == before, told


@pytest.mark.parametrize("seed", range(150))
def test_mixed_networks(seed: int) -> None:
    dice = random.Random(seed)
    domains = [random_domain(dice, 4) for _ in range(dice.randint(2, 4))]
    network = Network(domains)
    for _ in range(dice.randint(1, 4)):
        # Those two choose the variables themselves.
        names = [name for name in CONSTRAINTS if name not in ("element of constants", "element of variables")]
        make, _exact = CONSTRAINTS[dice.choice(names)]
        if len(domains) < 6:
            network.rules.append(make(dice, domains))
    expected = network.solutions()
    solver = network.solver()
    for consistency in ("mac", "fc"):
        for order in ("dom/wdeg", "input"):
            found = as_set(solver.enumerate(consistency=consistency, order=order).rows)
            assert found == expected, (consistency, order, str(network))


@pytest.mark.parametrize("seed", range(60))
def test_singleton_consistency(seed: int) -> None:
    """Exactly the values stay whose assignment leaves an arc consistent network, and no solution is lost."""
    dice = random.Random(seed)
    network = Network([random_domain(dice, 4) for _ in range(4)])
    for _ in range(4):
        network.rules.append(random_table(dice, network.domains))
    solver, expected = network.solver(), network.solutions()
    is_possible = solver.singleton_propagate()
    assert is_possible or not expected
    if not is_possible:
        return
    assert network.solutions(domains_of(solver, 4)) == expected
    for x in range(4):
        for value in solver.domain(x):
            solver.push()
            assert solver.assign(x, value)
            solver.pop()


def test_wide_numbers() -> None:
    """Domains too large to tabulate: bounds first, exact in the end."""
    solver = Solver()
    x, y, z = (solver.add_variable(range(-300, 301)) for _ in range(3))
    solver.add_product(x, y, z)
    solver.add_linear([x, y], [3, -2], "==", 7)
    assert solver.propagate()
    expected = {
        (a, b, a * b) for a in range(-300, 301) for b in range(-300, 301) if 3 * a - 2 * b == 7 and abs(a * b) <= 300
    }
    for consistency in ("mac", "fc"):
        assert as_set(solver.enumerate(consistency=consistency).rows) == expected


@pytest.mark.parametrize("name", FUNCTIONS)
def test_wide_functions(name: str) -> None:
    solver = Solver()
    x, y = solver.add_variable(range(-90, 91)), solver.add_variable(range(-80, 81))
    z = solver.add_variable(range(-40, 41))
    getattr(solver, f"add_{name}")(x, y, z)
    holds = FUNCTIONS[name]
    expected = {
        (a, b, c)
        for a in range(-90, 91)
        for b in range(-80, 81)
        for c in ({a * b, min(a, b), max(a, b)} | ({quotient(a, b), a - b * quotient(a, b)} if b else set()))
        if abs(c) <= 40 and holds(a, b, c)
    }
    assert as_set(solver.enumerate().rows) == expected


def test_mistakes_about_numbers() -> None:
    solver = Solver()
    x, y = solver.add_variable([1, 2, 3]), solver.add_variable([0, 1])
    with pytest.raises(ValueError, match="2 variables, but 1 coefficients"):
        solver.add_linear([x, y], [1], "==", 0)
    with pytest.raises(ValueError, match="unknown relation '=<'"):
        solver.add_compare(x, "=<", y)
    with pytest.raises(ValueError, match="no other values than 0 and 1"):
        solver.add_linear([y], [1], "==", 0, reified=x)
    with pytest.raises(ValueError, match="cannot be one of its variables"):
        solver.add_linear([y, x], [1, 1], "==", 0, reified=y)
    with pytest.raises(ValueError, match="too large"):
        solver.add_linear([x], [2**62], "==", 0)
    with pytest.raises(ValueError, match="4 values, the inputs have 3 assignments"):
        solver.add_lookup([x], y, [0, 1, 0, 1])
    with pytest.raises(ValueError, match="is twice"):
        solver.add_lookup([x], x, [0, 1, 2])
    with pytest.raises(ValueError, match="array is empty"):
        solver.add_element(x, [], y)
    with pytest.raises(IndexError, match="no variable 9"):
        solver.add_all_different([x, 9])
    wide = [solver.add_variable(range(1000)) for _ in range(3)]
    with pytest.raises(MemoryError, match="use bounds"):
        solver.add_linear(wide, [1, 1, 1], "==", 7, strength="domain")


def test_all_different_counts_holes() -> None:
    """Two variables share two values: nobody else may have them."""
    solver = Solver()
    a, b = solver.add_variable([1, 2]), solver.add_variable([1, 2])
    c, d = solver.add_variable([1, 2, 3, 4]), solver.add_variable([2, 3, 9])
    solver.add_all_different([a, b, c, d])
    assert solver.propagate()
    assert [solver.domain(x) for x in (a, b, c, d)] == [[1, 2], [1, 2], [3, 4], [3, 9]]


def test_permutations() -> None:
    solver = Solver()
    variables = [solver.add_variable(range(7)) for _ in range(7)]
    solver.add_all_different(variables)
    assert solver.count().count == 5040
