"""Preprocessing of the network of a state: equal scopes are merged, what says nothing is left out."""

from __future__ import annotations

import woodstock
from woodstock.cli.options import DEFAULT_PROOF_SECONDS as COMMAND_LINE_SECONDS
from woodstock.constraint.constraint import Table
from woodstock.scsp import Network
from woodstock.scsp.game import Template, translate
from woodstock.scsp.game.translate import DEFAULT_PROOF_SECONDS

# The next place of both fluents depends on the same move: in a state the two tables have scopes that differ only in
# their results, and legality has the scope of the move and the door.
TWO_DOORS = """
(role walker) (room a) (room b) (room c)
(init (at a)) (init (lamp a))
(<= (legal walker (go ?x)) (room ?x))
(<= (next (at ?x)) (does walker (go ?x)))
(<= (next (lamp ?x)) (does walker (go ?x)))
(<= terminal (true (at c)) (true (lamp c)))
(goal walker 0)
"""


def scopes(template: Template, *, injected: bool) -> list[frozenset[str]]:
    game = woodstock.loads(TWO_DOORS)
    network = template.network(game.initial if injected else None)
    return [frozenset(v.name for v in c.scope) for c in network.hard if isinstance(c, Table)]


def test_no_two_tables_have_the_same_scope() -> None:
    template = translate(woodstock.loads(TWO_DOORS))
    for injected in (False, True):
        found = scopes(template, injected=injected)
        assert found
        assert len(set(found)) == len(found)


def test_merged_tables_are_the_intersection() -> None:
    import numpy as np

    from woodstock.scsp.game.build import _intersection

    network = Network()
    x, y = network.decision("x", range(3)), network.decision("y", range(2))
    first = Table("first", (x, y), np.array([[0, 0], [0, 1], [1, 1], [2, 0]], dtype=np.int32))
    second = Table("second", (y, x), np.array([[1, 0], [0, 2], [0, 1]], dtype=np.int32))
    merged = _intersection(first, second)
    assert [v.name for v in merged.scope] == ["x", "y"]
    assert merged.rows.tolist() == [[0, 1], [2, 0]]
    nothing = _intersection(first, Table("empty", (x, y), np.zeros((0, 2), dtype=np.int32)))
    assert nothing.rows.shape == (0, 2)


def test_the_command_line_has_the_default_of_the_library() -> None:
    assert COMMAND_LINE_SECONDS == DEFAULT_PROOF_SECONDS


def test_explanations_name_derived_atoms_and_lines() -> None:
    rules = """
(role p) (init (n 0))
(succ 0 1) (succ 1 2)
(<= (legal p go) (not done))
(legal p wait)
(<= done (true (n 2)))
(<= (next (n ?y)) (does p go) (true (n ?x)) (succ ?x ?y))
(<= (next (n ?x)) (does p wait) (true (n ?x)))
(<= terminal done)
(<= (goal p 100) done)
(<= (goal p 0) (not done))
"""
    template = translate(woodstock.loads(rules, "count"), proof_seconds=0)
    text = template.explain()
    assert "atom" not in text
    assert "legal(p,go) <- not done" in text
    assert "    from count:7, count:8\n" in text
