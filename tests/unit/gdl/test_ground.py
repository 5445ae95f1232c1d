"""Grounding: what comes out for small games, what odd rules mean, and what happens when the budget is spent."""

from __future__ import annotations

import numpy as np
import pytest

from woodstock import _native
from woodstock.errors import BudgetExceeded, RulesError
from woodstock.events import PhaseEvent
from woodstock.gdl.components import components, cycles
from woodstock.gdl.ground import GroundProgram, ground
from woodstock.gdl.ground_program import RulesByHead
from woodstock.gdl.parse import parse

COUNTER = """
(role r) (init (at 1)) (succ 1 2) (succ 2 3) (succ 3 10)
(<= (legal r step) (true (at ?x)) (succ ?x ?y))
(<= (next (at ?y)) (does r step) (true (at ?x)) (succ ?x ?y))
(<= terminal (true (at 10))) (<= (goal r 100) (true (at 10))) (<= (goal r 0) (not (true (at 10))))
"""


def bodies(program: GroundProgram, atom: int) -> set[frozenset[int]]:
    """Return the bodies of an atom's rules."""
    offsets = program.body_offsets
    rules = np.flatnonzero(program.heads == atom)
    return {frozenset(program.bodies[offsets[r] : offsets[r + 1]].tolist()) for r in rules}


def test_a_counter() -> None:
    game = ground(parse(COUNTER))
    assert game.roles == ("r",)
    assert game.fluents == ("(at 1)", "(at 2)", "(at 3)", "(at 10)")
    assert game.moves == (("step",),)
    assert game.initial == (0,)
    at = game.fluent_atoms.tolist()
    assert bodies(game, int(game.legal[0])) == {frozenset([a]) for a in at[:3]}
    step = int(game.move_atoms[0])
    assert bodies(game, int(game.next[1])) == {frozenset([at[0], step])}
    assert game.next[0] == 0, "nothing leads back to 1"
    assert [(role, value) for role, value, _ in game.goals] == [(0, 0), (0, 100)]
    assert game.rules_hash == ground(parse(COUNTER)).rules_hash


def test_arrays_are_consistent() -> None:
    game = ground(parse(COUNTER))
    assert game.body_offsets[0] == 0
    assert game.body_offsets[-1] == len(game.bodies)
    assert len(game.body_offsets) == game.rule_count + 1
    assert abs(game.bodies).max() <= game.atom_count
    assert game.move_roles.tolist() == [0]
    inputs = set(game.fluent_atoms.tolist()) | set(game.move_atoms.tolist())
    assert not inputs & set(game.heads.tolist())


def test_what_always_holds_has_an_empty_body() -> None:
    game = ground(parse("(role r) (legal r m) (next (f 1)) terminal (goal r 7)"))
    for atom in (int(game.legal[0]), int(game.next[0]), game.terminal, game.goals[0][2]):
        assert bodies(game, atom) == {frozenset()}


def test_odd_symbols_come_back_as_written() -> None:
    text = "(role a,b) (init (f-1 + 'x' 007 -3)) (<= (next ?f) (true ?f)) (<= (legal ?p (* 1 ?p)) (role ?p))"
    game = ground(parse(text))
    assert game.roles == ("a,b",)
    assert game.fluents == ("(f-1 + 'x' 007 -3)",)
    assert game.moves == (("(* 1 a,b)",),)


def test_who_is_no_role_has_no_moves_and_no_goals() -> None:
    game = ground(parse("(role r) (legal r m) (legal nobody m) (goal nobody 3) (goal r x) (goal r 101) (goal r 50)"))
    assert game.moves == (("m",),)
    assert [(role, value) for role, value, _ in game.goals] == [(0, 50)]


def test_percepts() -> None:
    game = ground(parse("(role r) (legal r m) (<= (sees r (saw ?m)) (does r ?m)) (<= (sees r it) (does r m))"))
    assert [(role, percept) for role, percept, _ in game.sees] == [(0, "(saw m)"), (0, "it")]


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("(not (p ?any b))", False),
        ("(not (p ?any z))", True),
        ("(undefined a)", False),
        ("(not (undefined a))", True),
        ("(not (distinct a a))", True),
        ("(not (distinct a b))", False),
        ("(not (or (p a a) (p a b)))", False),
        ("(not (and (p a a) (p a b)))", True),
        ("(or (p a z) (and (p a ?x) (distinct ?x a)))", True),
        ("(p ?x ?y) (not (distinct ?x ?y))", False),
    ],
)
def test_conditions(condition: str, holds: bool) -> None:
    game = ground(parse(f"(role r) (legal r m) (p a b) (<= terminal {condition})"))
    assert (game.terminal != 0) == holds


def test_an_unbound_head_is_refused_with_its_place() -> None:
    with pytest.raises(RulesError) as caught:
        ground(parse("(role r)\n(legal r m)\n(<= (p ?x) (not (q ?x)))\n(q a)", "bad.kif"))
    assert "bad.kif:3" in str(caught.value)


EXPLODES = "(role r)\n" + " ".join(f"(d {i})" for i in range(60)) + "\n(init (at 1)) (legal r m)\n"
EXPLODES += "(<= (q ?a ?b ?c ?d) (d ?a) (d ?b) (d ?c) (d ?d) (true (at ?a)))\n"
EXPLODES += "(<= (next (at ?a)) (d ?a)) (<= (next (all ?a ?b ?c ?d)) (q ?a ?b ?c ?d))\n"


def test_too_long_names_the_rule() -> None:
    with pytest.raises(BudgetExceeded) as caught:
        ground(parse(EXPLODES, "big.kif"), seconds=2.0)
    assert caught.value.phase == "ground"
    assert caught.value.unit == "s"
    assert caught.value.used >= caught.value.limit == 2.0


def test_too_much_memory() -> None:
    with pytest.raises(BudgetExceeded) as caught:
        ground(parse(EXPLODES, "big.kif"), seconds=60.0, memory_mb=80)
    assert caught.value.unit == "MiB"
    assert "big.kif:4" in caught.value.detail or "big.kif:5" in caught.value.detail


def test_stages_are_told() -> None:
    events: list[PhaseEvent] = []
    ground(parse(COUNTER), tell=events.append)
    assert [(e.phase, e.state) for e in events if e.state != "progress"] == [
        (stage, state) for stage in ("rewrite", "ground", "read") for state in ("start", "done")
    ]
    assert events[-1].counts["fluents"] == 4


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"asp",
        b"asp 1 0 0\n",
        b"asp 1 0 0\n1 0 1 1 0 2 3\n0\n",
        b"asp 1 0 0\n1 0 1 0 0 0\n0\n",
        b"asp 1 0 0\n1 0 1 99999999999999999999 0 0\n0\n",
        b"asp 1 0 0\n1 0 2 1 2 0 0\n0\n",
        b"asp 1 0 0\n4 9 t(1) 0\n0\n",
        b"asp 1 0 0\n4 -1 t(1) 0\n0\n",
        b"asp 1 0 0\n7 1\n0\n",
        b"asp 1 0 0\n1 0 1 1 0 99999999999\n0\n",
    ],
)
def test_bad_aspif_is_an_error(data: bytes) -> None:
    with pytest.raises(RuntimeError, match="aspif line"):
        _native.read_aspif(data)


def test_pruning_checks_its_input() -> None:
    offsets = np.array([0, 1], dtype=np.int64)
    one = np.array([1], dtype=np.int32)
    with pytest.raises(IndexError):
        _native.prune_rules(1, one, offsets, np.array([2], dtype=np.int32), one)
    with pytest.raises(IndexError):
        _native.prune_rules(1, one, np.array([0, 5], dtype=np.int64), one, one)


def test_rules_by_head() -> None:
    program = RulesByHead(
        heads=np.array([3, 2, 3], dtype=np.int32),
        body_offsets=np.array([0, 2, 3, 3], dtype=np.int64),
        bodies=np.array([2, -1, 1], dtype=np.int32),
        atom_count=4,
    )
    assert program[3] == [[2, -1], []]
    assert program[4] == []
    assert program.bodies() == {3: [[2, -1], []], 2: [[1]]}
    assert program.cone(np.array([2], dtype=np.int32)).tolist() == [1]
    assert program.cone(np.array([3, 0], dtype=np.int32)).tolist() == [0, 1, 2]
    assert program.literals(np.array([0, 1])).tolist() == [2, -1, 1]


def test_cycles() -> None:
    assert cycles({"a": ["b"], "b": ["a", "outside"], "c": ["a"], "d": ["d"]}) == [("a", "b"), ("d",)]
    assert components({1: [2], 2: [3], 3: []}) == [(3,), (2,), (1,)]
