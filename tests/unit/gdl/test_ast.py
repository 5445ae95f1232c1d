"""The walk over the syntax tree that all readers share."""

from __future__ import annotations

from woodstock.gdl.ast import Atom, signature, variable_names, variables, walk
from woodstock.gdl.parse import parse

RULE = parse("(<= (p ?x (f ?y b)) (or (q ?x) (not (and (r ?y) (distinct ?z a)))))").rules[0]


def test_walk_gives_parents_first_and_goes_left_to_right() -> None:
    assert [str(node) for node in walk(RULE.head)] == ["(p ?x (f ?y b))", "?x", "(f ?y b)", "?y", "b"]
    atoms = [node.name for node in walk(*RULE.body) if isinstance(node, Atom)]
    assert atoms == ["q", "r"]


def test_variables_keep_their_order_and_repeats() -> None:
    assert [v.name for v in variables(RULE.head, *RULE.body)] == ["x", "y", "x", "y", "z"]
    assert variable_names(*RULE.body) == {"x", "y", "z"}


def test_a_signature_is_a_name_and_an_arity() -> None:
    assert signature(RULE.head) == ("p", 2)
    assert signature(Atom("terminal")) == ("terminal", 0)


def test_nodes_of_a_program_are_those_of_its_rules() -> None:
    program = parse("(role a) (<= (p b) (q c))")
    assert [str(node) for node in program.nodes()] == ["(role a)", "a", "(p b)", "b", "(q c)", "c"]
