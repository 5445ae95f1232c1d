"""Conditions as the kernel sees them, against their own meaning over all assignments."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from woodstock.constraint.expression import Expression
from woodstock.scsp import Condition, Network, all_different, kernel, maximum, minimum, total
from woodstock.scsp.automaton import of_constraint
from woodstock.scsp.kernel import Kernel

DOMAINS: list[list[int]] = [[-2, 0, 1, 3], [1, 2, 5], [0, 1, 2], [3, 2, 1, 0]]


def network() -> Network:
    result = Network("kernel")
    for number, domain in enumerate(DOMAINS):
        result.decision(f"x{number}", domain)
    return result


def terms(leaves: list[Expression]) -> st.SearchStrategy[Expression]:
    def extend(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        return st.one_of(
            st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
            st.tuples(inner, st.integers(-2, 2)).map(lambda pair: pair[0] * pair[1] - 1),
            st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
            inner.map(abs),
            inner.map(lambda term: abs(term) % 3),
            inner.map(lambda term: abs(term) // 2),
            st.tuples(inner, inner).map(minimum),
            st.tuples(inner, inner).map(maximum),
        )

    return st.recursive(st.sampled_from(leaves), extend, max_leaves=4)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Network, Expression]:
    net = network()
    leaves: list[Expression] = list(net.variables)
    compares = st.tuples(terms(leaves), terms(leaves), st.sampled_from(["==", "!=", "<", "<=", ">", ">="])).map(
        lambda parts: {
            "==": parts[0] == parts[1],
            "!=": parts[0] != parts[1],
            "<": parts[0] < parts[1],
            "<=": parts[0] <= parts[1],
            ">": parts[0] > parts[1],
            ">=": parts[0] >= parts[1],
        }[parts[2]]
    )
    different = st.lists(terms(leaves), min_size=2, max_size=3).map(all_different)
    whole = st.recursive(
        st.one_of(compares, different),
        lambda inner: st.one_of(
            st.tuples(inner, inner).map(lambda pair: pair[0] & pair[1]),
            st.tuples(inner, inner).map(lambda pair: pair[0] | pair[1]),
            inner.map(lambda part: ~part),
        ),
        max_leaves=4,
    )
    return net, draw(whole)


@pytest.mark.parametrize("limit", [0, 12, 100_000])
@settings(max_examples=80, deadline=None)
@given(case=cases())
def test_posted_conditions_have_the_same_solutions(limit: int, case: tuple[Network, Expression]) -> None:
    net, expression = case
    condition = Condition("c", expression)
    with pytest.MonkeyPatch.context() as patch:
        # Low limits take the way through propagators.
        patch.setattr(kernel, "TABULATE_LIMIT", max(limit, 1))
        patch.setattr("woodstock.scsp.automaton.TABULATE_LIMIT", limit)
        posted = Kernel(net.variables, [condition])
        automaton = of_constraint(condition)
    expected = set()
    for values in itertools.product(*DOMAINS):
        assignment = dict(enumerate(values))
        holds = condition.holds(assignment)
        state = automaton.start
        for slot, variable in enumerate(automaton.scope):
            state = automaton.step(state, slot, variable.positions[assignment[variable.index]])
        assert automaton.is_decided(state)
        assert bool(automaton.outcome(state)) == holds
        if holds:
            expected.add(values)
    rows = posted.solver.enumerate([posted.ids[v.index] for v in net.variables]).rows
    assert rows is not None
    found = {tuple(row) for row in rows.tolist()}
    # What has no propagator is left out: then nothing may be lost.
    assert found == expected if posted.is_complete else found >= expected


def test_rows_are_decoded_to_positions() -> None:
    net = network()
    posted = Kernel(net.variables, [])
    last = net.variables[3]
    assert posted.positions(last) == [0, 1, 2, 3]
    rows = posted.decode([last], np.array([[3], [0], [2]], dtype=np.int32))
    assert rows.tolist() == [[0], [3], [1]]
    assert posted.assign(last, 0)
    assert posted.positions(last) == [0]
    assert posted.solver.domain(posted.ids[last.index]) == [3]


def test_large_sums_products_and_differences_have_propagators() -> None:
    net = Network("large")
    x = [net.decision(f"x{i}", range(1, 40)) for i in range(5)]
    posted = Kernel(
        net.variables,
        [
            Condition("sum", total(x) <= 7),
            Condition("product", x[0] * x[1] + x[2] * x[3] >= 4),
            Condition("different", all_different(x[:4])),
            Condition("either", (total(x) == 6) | (x[0] + x[1] + x[2] + 0 * x[3] + x[4] >= 30)),
        ],
    )
    assert posted.is_complete
    assert not posted.solver.propagate()
