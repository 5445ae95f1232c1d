"""Posted conditions against their own meaning over all assignments."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from woodstock.constraint.expression import Expression
from woodstock.constraint.posting import CannotPost, Poster, PostingOptions
from woodstock.qcsp import choose, element, in_table
from woodstock.qcsp.posting import OPTIONS as QUANTIFIED
from woodstock.scsp import Condition, Network, all_different, maximum, minimum, total
from woodstock.scsp.automaton import Outcome, of_constraint

DOMAINS: list[list[int]] = [[-2, 0, 1, 3], [1, 2, 5], [0, 1, 2], [3, 2, 1, 0]]


def network() -> Network:
    result = Network("posting")
    for number, domain in enumerate(DOMAINS):
        result.decision(f"x{number}", domain)
    return result


def terms(leaves: list[Expression]) -> st.SearchStrategy[Expression]:
    def extend(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        return st.one_of(
            st.tuples(inner, inner, inner).map(lambda terms: choose(terms[0] < terms[1], terms[1], terms[2])),
            st.tuples(inner, inner).map(lambda pair: element([4, pair[0], 1], abs(pair[1]) % 3)),
            inner.map(lambda term: element([5, -1, 2], abs(term) % 3)),
            inner.map(lambda term: (term - 1) // -2),
            inner.map(lambda term: (term - 1) % 2),
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


def conditions(leaves: list[Expression]) -> st.SearchStrategy[Expression]:
    inner = terms(leaves)
    compares = st.tuples(inner, inner, st.sampled_from(["==", "!=", "<", "<=", ">", ">="])).map(
        lambda parts: {
            "==": parts[0] == parts[1],
            "!=": parts[0] != parts[1],
            "<": parts[0] < parts[1],
            "<=": parts[0] <= parts[1],
            ">": parts[0] > parts[1],
            ">=": parts[0] >= parts[1],
        }[parts[2]]
    )
    member = st.tuples(inner, inner, st.booleans()).map(
        lambda parts: in_table(parts[:2], [(0, 1), (2, 3), (3, 3), (-2, 0)], is_allowed=parts[2])
    )
    different = st.lists(inner, min_size=2, max_size=3).map(all_different)
    return st.recursive(
        st.one_of(compares, different, member),
        lambda part: st.one_of(
            st.tuples(part, part).map(lambda pair: pair[0] & pair[1]),
            st.tuples(part, part).map(lambda pair: pair[0] | pair[1]),
            part.map(lambda one: ~one),
        ),
        max_leaves=4,
    )


NETWORK = network()
CONDITIONS = conditions(list(NETWORK.variables))  # made once: making a strategy takes longer than drawing from it


def limited(limit: int, options: PostingOptions) -> PostingOptions:
    """Return the options with low limits, which take the way through propagators."""
    names = ("table_limit", "parts_limit", "slow_limit", "truth_limit", "term_limit", "set_limit", "pair_limit")
    return dataclasses.replace(options, **{name: min(limit, getattr(options, name)) for name in names})


def test_a_choice_is_looked_up_in_the_order_of_the_solver() -> None:
    net = Network("posting")
    x, y, z = net.decision("x", range(4)), net.decision("y", [2, 1]), net.decision("z", [3, 2, 1, 0])
    condition = Condition("c", x == choose(y < 2, y, z))
    posted = Poster(net.variables, [condition], limited(12, QUANTIFIED))
    rows = posted.solver.enumerate(posted.columns(net.variables)).rows
    assert rows is not None
    expected = [v for v in itertools.product(range(4), (1, 2), range(4)) if condition.holds(dict(enumerate(v)))]
    assert sorted(map(tuple, rows.tolist())) == expected


@pytest.mark.parametrize("options", [PostingOptions(), QUANTIFIED], ids=["default", "quantified"])
@pytest.mark.parametrize("limit", [1, 12, 100_000])
@settings(max_examples=20, deadline=None)
@given(expression=CONDITIONS)
def test_posted_conditions_have_the_same_solutions(limit: int, options: PostingOptions, expression: Expression) -> None:
    net = NETWORK
    condition = Condition("c", expression)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("woodstock.scsp.automaton.TABULATE_LIMIT", limit)
        automaton = of_constraint(condition)
    posted = Poster(net.variables, [condition], limited(limit, options))
    guarded = Poster(net.variables, options=limited(limit, options))
    guard = guarded.solver.add_variable([0, 1])
    guarded.require(expression, guard)
    expected = set()
    for values in itertools.product(*DOMAINS):
        assignment = dict(enumerate(values))
        holds = condition.holds(assignment)
        state = automaton.start
        for slot, variable in enumerate(automaton.scope):
            state = automaton.step(state, slot, variable.positions[assignment[variable.index]])
        assert isinstance(state, Outcome)
        assert state.value == holds
        if holds:
            expected.add(values)
    columns = posted.columns(net.variables)
    rows = posted.solver.enumerate(columns).rows
    assert rows is not None
    assert sorted(map(tuple, rows.tolist())) == sorted(expected)
    # Auxiliary variables are determined: no solution is counted twice.
    assert posted.solver.count().count == len(expected)
    everything = [(0, *values) for values in itertools.product(*DOMAINS)]
    rows = guarded.solver.enumerate([guard, *columns]).rows
    assert rows is not None
    assert sorted(map(tuple, rows.tolist())) == sorted([*everything, *((1, *values) for values in expected)])


def test_values_of_any_kind() -> None:
    net = Network("values")
    x = [net.decision(f"x{i}", ["a", "b", ("c", 1)]) for i in range(3)]
    y = net.decision("y", ["b", 7, "a"])
    flag = net.decision("flag", [False, True])
    conditions = [
        all_different(x),
        (x[0] == y) | (x[1] != "b"),
        ~((x[2] == y) & (flag == True)),  # noqa: E712  # an expression
        total([x[0] == "a", x[1] == "a", flag]) >= 1,
    ]
    expected = [
        values
        for values in itertools.product(*(v.domain for v in net.variables))
        if all(condition.evaluate(dict(enumerate(values))) for condition in conditions)
    ]
    for limit in (1, 5, 100_000):
        constraints = [Condition(f"c{i}", condition) for i, condition in enumerate(conditions)]
        posted = Poster(net.variables, constraints, limited(limit, PostingOptions()))
        rows = posted.solver.enumerate(posted.columns(net.variables)).rows
        assert rows is not None
        found = [
            tuple(v.domain[p] for v, p in zip(net.variables, row, strict=True))
            for row in posted.decode(net.variables, rows).tolist()
        ]
        assert sorted(found, key=repr) == sorted(expected, key=repr), limit


def test_what_cannot_be_posted_exactly_is_refused_or_left_out() -> None:
    net = Network("floats")
    x = [net.decision(f"x{i}", [0.5, 1.5, 2.0]) for i in range(3)]
    n = net.decision("n", range(3))
    condition = Condition("c", (total(x) <= 3) & (n == 2))
    options = limited(5, PostingOptions())
    with pytest.raises(CannotPost, match=r"constraint c: .*not over integers"):
        Poster(net.variables, [condition], options)
    posted = Poster(net.variables, [condition], options, may_leave_out=True)
    assert not posted.is_complete
    assert posted.solver.propagate()
    assert posted.positions(n) == [2]
    assert Poster(net.variables, [condition]).is_complete


def test_rows_are_decoded_to_positions() -> None:
    net = network()
    posted = Poster(net.variables, [])
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
    posted = Poster(
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
