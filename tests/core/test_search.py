"""Every way to search gives the solutions that trying all assignments gives; limits and mistakes are said plainly."""

from __future__ import annotations

import random
import signal
import threading
import time
from typing import TypedDict

import numpy as np
import pytest
from tests.core.networks import Network, Row, array, as_set, random_clause, random_domain, random_gate, random_table

from woodstock._native import Solver


class Way(TypedDict):
    consistency: str
    order: str
    values: str


WAYS: list[Way] = [
    {"consistency": consistency, "order": order, "values": values}
    for consistency in ("mac", "fc")
    for order in ("dom/wdeg", "dom/ddeg", "input")
    for values in ("ascending", "descending")
]


def random_network(seed: int) -> Network:
    dice = random.Random(seed)
    network = Network([random_domain(dice, 4) for _ in range(dice.randint(1, 6))])
    for _ in range(dice.randint(0, 6)):
        kind = dice.random()
        if kind < 0.6:
            network.rules.append(random_table(dice, network.domains, dice.choice(["compact-table", "str2"])))
        elif kind < 0.8:
            network.rules.append(random_clause(dice, network.domains))
        else:
            network.rules.append(random_gate(dice, network.domains))
    return network


@pytest.mark.parametrize("seed", range(300))
def test_all_ways_find_the_same_solutions(seed: int) -> None:
    network = random_network(seed)
    expected = network.solutions()
    solver = network.solver()
    for way in WAYS:
        outcome = solver.enumerate(**way)
        assert as_set(outcome.rows) == expected, (seed, way, str(network))
        assert outcome.is_complete
        assert outcome.count == len(outcome) == len(expected)
    for consistency in ("mac", "fc"):
        assert solver.count(consistency=consistency).count == len(expected)


@pytest.mark.parametrize("seed", range(150))
def test_projections_are_exact_and_without_repetition(seed: int) -> None:
    network = random_network(seed + 1000)
    dice = random.Random(seed)
    columns = dice.sample(range(len(network.domains)), dice.randint(0, len(network.domains)))
    expected = {tuple(row[x] for x in columns) for row in network.solutions()}
    solver = network.solver()
    for way in WAYS:
        assert as_set(solver.enumerate(columns, **way).rows) == expected, (seed, way, columns, str(network))
    assert solver.count(columns).count == len(expected)


@pytest.mark.parametrize("seed", range(100))
def test_batches_levels_and_limits(seed: int) -> None:
    network = random_network(seed + 2000)
    expected = network.solutions()
    solver = network.solver()
    rows: list[Row] = []
    batches = solver.batches(batch_rows=3)
    for batch in batches:
        assert 1 <= len(batch) <= 3
        rows.extend(map(tuple, batch.tolist()))
    assert batches.status == "complete"
    assert sorted(rows) == sorted(expected)
    limit = len(expected) // 2
    outcome = solver.enumerate(limit=limit)
    assert outcome.count == limit
    assert outcome.status == "solutions"
    assert as_set(outcome.rows) <= expected
    # Inside levels, and back.
    dice = random.Random(seed)
    x = dice.randrange(len(network.domains))
    for value in network.domains[x]:
        solver.push()
        fits = solver.assign(x, value)
        subset = {row for row in expected if row[x] == value}
        assert fits or not subset
        assert as_set(solver.enumerate().rows) == subset
        solver.pop()
    assert as_set(solver.enumerate().rows) == expected


def queens(size: int) -> Solver:
    solver = Solver()
    rows = [solver.add_variable(range(size)) for _ in range(size)]
    for a in range(size):
        for b in range(a):
            allowed = {(v, w) for v in range(size) for w in range(size) if v != w and abs(v - w) != a - b}
            solver.add_table([rows[a], rows[b]], array(allowed, 2))
    return solver


@pytest.mark.parametrize(("size", "count"), [(4, 2), (5, 10), (6, 4), (7, 40), (8, 92), (9, 352)])
def test_queens(size: int, count: int) -> None:
    solver = queens(size)
    assert [solver.count(consistency=c).count for c in ("mac", "fc")] == [count, count]


def test_consistency_saves_nodes() -> None:
    solver = queens(8)
    assert solver.count(consistency="mac").nodes < solver.count(consistency="fc").nodes


def test_limits_end_the_search_and_are_named() -> None:
    solver = queens(12)
    assert solver.count(nodes=100).status == "nodes"
    assert solver.count(nodes=100).nodes == 100
    assert queens(30).count(seconds=0.2).status == "seconds"
    found = solver.enumerate(limit=5)
    assert (found.count, found.status, found.is_complete) == (5, "solutions", False)
    free = Solver()
    for _ in range(12):
        free.add_variable(range(10))
    held = free.enumerate(memory_mb=16)
    assert held.status == "memory"
    assert held.rows is not None
    assert 0 < held.rows.nbytes <= 16 << 20
    assert free.count().count == 10**12
    for _ in range(12):
        free.add_variable(range(10))
    with pytest.raises(OverflowError, match="solutions"):
        free.count()


def test_interruption_returns_what_was_found() -> None:
    solver = Solver()
    for _ in range(80):
        solver.add_variable([0, 1])
    pairs = array({(0, 0), (0, 1), (1, 0)}, 2)
    for x in range(79):
        solver.add_table([x, x + 1], pairs)
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    try:
        timer.start()
        outcome = solver.count(seconds=60)  # there are more than 10^16
    finally:
        timer.join()
        signal.signal(signal.SIGINT, previous)
    assert outcome.status == "interrupted"
    assert outcome.count > 0
    assert solver.propagate()


def test_a_search_under_way_holds_the_solver() -> None:
    solver = queens(6)
    with solver.batches(batch_rows=1) as batches:
        next(batches)
        for attempt in (solver.propagate, solver.push, solver.count, lambda: solver.assign(0, 1)):
            with pytest.raises(RuntimeError, match="search is under way"):
                attempt()
    assert batches.status == "interrupted"
    assert solver.count().count == 4


def test_mistakes_have_clear_messages() -> None:
    solver = Solver(memory_mb=1)
    x, y = solver.add_variable([1, 2, 3]), solver.add_variable(np.array([1, 5], dtype=np.int64))
    with pytest.raises(ValueError, match="domain is empty"):
        solver.add_variable([])
    with pytest.raises(ValueError, match="strictly ascending, got 1 after 2"):
        solver.add_variable([2, 1])
    with pytest.raises(ValueError, match="32 bits"):
        solver.add_variable([2**40])
    with pytest.raises(IndexError, match="no variable 7: there are 2"):
        solver.add_table([x, 7], array({(1, 1)}, 2))
    with pytest.raises(IndexError, match="no variable -1"):
        solver.domain(-1)
    with pytest.raises(ValueError, match="3 columns, the scope has 2"):
        solver.add_table([x, y], array({(1, 1, 1)}, 3))
    with pytest.raises(ValueError, match="scope is empty"):
        solver.add_table([], np.zeros((1, 0), dtype=np.int32))
    with pytest.raises(ValueError, match="unknown algorithm 'gac'"):
        solver.add_table([x], array({(1,)}, 1), algorithm="gac")
    with pytest.raises(ValueError, match="unknown order 'best'"):
        solver.enumerate(order="best")
    with pytest.raises(ValueError, match="asked for twice"):
        solver.enumerate([x, x])
    with pytest.raises(TypeError):
        solver.add_table([x, y], np.array([[1.5, 2.5]]))
    with pytest.raises(MemoryError, match="MiB"):
        solver.add_table([x, y], np.zeros((300_000, 2), dtype=np.int32))
    with pytest.raises(RuntimeError, match="no level is open"):
        solver.pop()
    solver.push()
    with pytest.raises(RuntimeError, match="at the root"):
        solver.add_clause([(x, 1)])
    solver.pop()
    solver.add_table([x, y], array({(1, 4), (8, 5), (2, 5)}, 2))  # values out of the domains support nothing
    assert solver.propagate()
    assert (solver.domain(x), solver.domain(y)) == ([2], [5])
    assert not solver.assign(x, 3)
    assert solver.is_failed
    assert solver.count().count == 0


def test_empty_table_and_empty_clause_have_no_solution() -> None:
    for is_table in (True, False):
        solver = Solver()
        solver.add_variable([0, 1])
        if is_table:
            solver.add_table([0], np.zeros((0, 1), dtype=np.int32))
        else:
            solver.add_clause([])
        assert not solver.propagate()
        for way in WAYS:
            assert solver.enumerate(**way).count == 0


def test_wide_domains() -> None:
    solver = Solver()
    x = solver.add_variable(range(1000))
    y = solver.add_variable(range(0, 4000, 3))
    solver.add_table([x, y], array({(v, 3 * v) for v in range(0, 1000, 7)}, 2))
    solver.add_table([y], array({(v,) for v in range(0, 1500, 3)}, 1), is_allowed=False)
    expected = {(v, 3 * v) for v in range(0, 1000, 7) if 3 * v >= 1500}
    for way in WAYS:
        assert as_set(solver.enumerate(**way).rows) == expected


def test_edges() -> None:
    empty = Solver()
    assert (empty.count().count, empty.enumerate().count) == (1, 1)
    solver = Solver(memory_mb=64)
    with pytest.raises(MemoryError, match="values does not fit"):
        solver.add_variable(range(10**12))
    x = solver.add_variable([5])
    assert as_set(solver.enumerate().rows) == {(5,)}
    assert as_set(solver.enumerate([]).rows) == {()}
    assert solver.enumerate(limit=0).status == "solutions"
    assert solver.enumerate(seconds=0).status == "seconds"
    assert solver.remove(x, 9)
    assert not solver.remove(x, 5)


def test_two_threads_do_not_meet() -> None:
    solver = queens(30)
    errors: list[str] = []
    thread = threading.Thread(target=lambda: solver.count(seconds=1.0))
    thread.start()
    while thread.is_alive():
        try:
            solver.domain(0)
        except RuntimeError as error:
            errors.append(str(error))
            break
        time.sleep(0.001)
    thread.join()
    assert errors == ["the solver is at work in another thread"]
    assert solver.propagate()
