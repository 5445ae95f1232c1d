"""Multi-valued fluents: what is proved, and what is refuted or left unproved."""

from __future__ import annotations

import pytest

import woodstock
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.gdl.kif import read_terms, split_term
from woodstock.invariants import Group, candidate_groups, prove_groups
from woodstock.scsp.game import translate

COUNTER = """
(role p)
(init (step 1))
(succ 1 2) (succ 2 3) (succ 3 4)
(legal p go)
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 4)))
(goal p 100)
"""

# Two marks hold together only after the rare move; random play of a few matches may well not see it.
RARE = """
(role p)
(init (mark a)) (init (left 1))
(succ 1 2) (succ 2 3) (succ 3 4)
(legal p wait) (legal p both)
(<= (next (left ?n)) (true (left ?m)) (succ ?m ?n))
(<= (next (mark a)) (true (mark a)))
(<= (next (mark b)) (does p both))
(<= (next (mark b)) (true (mark b)))
(<= terminal (true (left 4)))
(goal p 0)
"""


def test_terms_are_split() -> None:
    assert split_term("(cell 1 (pos 2 (f 3)) b)") == ["cell", "1", "(pos 2 (f 3))", "b"]
    assert split_term("noop") == ["noop"]


def test_terms_of_a_user_are_read() -> None:
    assert read_terms("(cell 1(pos 2  3) ) ready") == ["(cell 1 (pos 2 3))", "ready"]
    for broken in ("(cell 1 1", "cell 1)", "(cell 1))"):
        with pytest.raises(ValueError, match="do not match"):
            read_terms(broken)


def test_candidates_are_conjectures() -> None:
    """Every choice of free arguments makes a template; random matches refute (cell 1 ? ?), which has two marks."""
    engine = woodstock.load("tic-tac-toe").engine
    assert isinstance(engine, CircuitEngine)
    found = [group for groups in candidate_groups(engine.ground, engine.circuit) for group in groups]
    patterns = {group.pattern: group.is_exact for group in found}
    assert not any(group.is_proven for group in found)
    assert patterns["cell", "1", "1", None] and patterns["control", None]
    assert ("cell", "1", None, None) not in patterns and ("cell", None, "1", "x") not in patterns


def test_a_counter_needs_that_play_goes_on() -> None:
    """At step 4 there is no next step: only in states that are not terminal does exactly one step follow."""
    template = translate(woodstock.loads(COUNTER))
    (step,) = template.fluent_variables
    assert (step.name, step.values) == ("step", ("1", "2", "3", "4"))


def test_what_is_not_an_invariant_is_not_proved() -> None:
    engine = woodstock.loads(RARE).engine
    assert isinstance(engine, CircuitEngine)
    fluents = engine.ground.fluents
    marks = tuple(fluents.index(f"(mark {name})") for name in "ab")
    steps = tuple(fluents.index(f"(left {n})") for n in "1234")
    candidates = [Group(("mark", None), marks, False), Group(("left", None), steps, True)]
    proved = prove_groups(engine.ground, engine.circuit, [candidates], seconds=20)
    assert proved == [Group(("left", None), steps, True, is_proven=True)]


def test_no_time_leaves_booleans() -> None:
    engine = woodstock.loads(COUNTER).engine
    assert isinstance(engine, CircuitEngine)
    group = Group(("step", None), tuple(range(4)), True)
    assert prove_groups(engine.ground, engine.circuit, [[group]], seconds=0) == []
