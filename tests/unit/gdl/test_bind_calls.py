"""Head variables that only the calls bind: the game is that of rules in which everything is bound."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import woodstock
from woodstock import Game
from woodstock.errors import RulesError
from woodstock.game.perft import perft
from woodstock.gdl.check import check
from woodstock.gdl.normalise import normalise
from woodstock.gdl.parse import parse, read

# A king walks on three by three cells; a cell that is not visited and touches no visited one is far.
KING = """
(role white)
(role black)
(init (cell 1 1))
(init (control white))
(<= (legal ?p (go ?x2 ?y2)) (true (control ?p)) (true (cell ?x ?y)) (touches ?x ?y ?x2 ?y2) (not (burnt ?x2 ?y2)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (legal ?p stay) (true (control ?p)))
(<= (next (cell ?x ?y)) (does ?p (go ?x ?y)))
(<= (next (cell ?x ?y)) (true (cell ?x ?y)) (does ?p stay))
(<= (next (near ?x ?y)) (does ?p (go ?x2 ?y2)) (index ?x) (index ?y) (touches ?x2 ?y2 ?x ?y))
(<= (next (control ?q)) (true (control ?p)) (role ?q) (distinct ?p ?q))
(<= (next (ash ?x ?y)) (true (cell ?x ?y)) (does ?p (go ?x2 ?y2)))
(<= (next (ash ?x ?y)) (true (ash ?x ?y)))
(<= terminal (true (cell 3 3)))
(<= terminal (true (ash 2 2)))
(<= (goal ?p 100) (true (control ?p)))
(<= (goal ?p 0) (role ?p) (not (true (control ?p))))
(<= (burnt ?x ?y) (true (ash ?x ?y)))
(<= (burnt ?x ?y) (wall ?x ?y))
(index 1) (index 2) (index 3)
(succ 1 2) (succ 2 3)
"""
LOOSE = """
(<= (touches ?x ?y ?x2 ?y) (near ?x ?x2))
(<= (touches ?x ?y ?x ?y2) (near ?y ?y2))
(<= (near ?x ?x2) (or (succ ?x ?x2) (succ ?x2 ?x)))
(<= (wall ?x ?y) (not (index ?x)))
(<= (wall ?x ?y) (not (index ?y)))
(<= (wall 2 ?y) (true (control black)) (true (cell 1 1)))
"""
BOUND = """
(<= (touches ?x ?y ?x2 ?y) (near ?x ?x2) (index ?y))
(<= (touches ?x ?y ?x ?y2) (near ?y ?y2) (index ?x))
(<= (near ?x ?x2) (or (succ ?x ?x2) (succ ?x2 ?x)))
(<= (wall ?x ?y) (index ?x) (index ?y) (not (index ?x)))
(<= (wall ?x ?y) (index ?x) (index ?y) (not (index ?y)))
(<= (wall 2 ?y) (index ?y) (true (control black)) (true (cell 1 1)))
"""


def same(ours: Game, theirs: Game, seeds: int = 20) -> None:
    """Compare two games along random matches."""
    assert ours.roles == theirs.roles
    for seed in range(seeds):
        rng = random.Random(seed)
        state, twin = ours.initial, theirs.initial
        for _ in range(12):
            assert state.fluents == twin.fluents
            assert (state.is_terminal, state.goals) == (twin.is_terminal, twin.goals)
            if state.is_terminal or not all(state.legal(role) for role in ours.roles):
                break
            assert [set(state.legal(role)) for role in ours.roles] == [set(twin.legal(role)) for role in ours.roles]
            moves = [rng.choice(sorted(state.legal(role))) for role in ours.roles]
            state, twin = state.next(moves), twin.next(moves)


@pytest.mark.parametrize("engine", ["auto", "interpreter"])
def test_the_game_is_that_of_rules_where_everything_is_bound(engine: str) -> None:
    ours, theirs = (woodstock.loads(KING + rest, engine=engine) for rest in (LOOSE, BOUND))
    same(ours, theirs)
    assert [row.sequences for row in perft(ours.initial, 4)] == [row.sequences for row in perft(theirs.initial, 4)]


def test_each_variable_gets_a_warning() -> None:
    found = check(parse(KING + LOOSE))
    assert {d.code for d in found} == {"GDL029"} and not any(d.is_error for d in found)
    assert len(found) == 7
    assert check(parse(KING + BOUND)) == ()


def test_a_predicate_that_legal_asks_for_does_not_depend_on_does() -> None:
    clauses = normalise(parse(KING + LOOSE))
    heads = {clause.head.name for clause in clauses}
    copies = [name for name in heads if name.startswith(" asked touches")]
    assert len(copies) == 2
    for clause in clauses:
        if clause.head.name.startswith(" asked touches") and clause.head.name.endswith(" 1"):
            assert "does" not in str(clause)


def test_rules_without_loose_heads_stay_as_they_are() -> None:
    assert not any(" asked" in clause.head.name for clause in normalise(parse(KING + BOUND)))


TAIL = """
(role white) (init (p 1))
(<= (legal white (go ?x)) (true (p ?x)) (q ?x))
(<= terminal (true (p 2))) (goal white 100)
"""


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ("(<= (q ?y) (true (p ?x)))", "GDL029"),
        # A chain of calls, and a call under not.
        ("(<= (q ?x) (r ?x ?x)) (<= (r ?x ?y) (true (p 1)))", "GDL029"),
        ("(<= (q ?x) (true (p ?x)) (not (r ?x))) (<= (r ?x) (true (p 3)))", "GDL029"),
        # Recursion: what is asked for grows with the answers.
        ("(<= (q ?x) (r ?x 3)) (<= (r ?x ?x) (true (p 1))) (<= (r ?x ?y) (succ ?x ?z) (r ?z ?y)) (succ 1 2)", "GDL029"),
        # Nobody calls it; the call needs the value; a keyword has no calls.
        ("(q 1) (<= (r ?x) (true (p 1)))", "GDL021"),
        ("(q 1) (<= (next (p ?x)) (r ?x)) (<= (r ?x) (true (p 1)))", "GDL021"),
        ("(q 1) (<= (next (p ?x)) (true (p 1)))", "GDL021"),
    ],
)
def test_only_what_no_call_can_bind_is_refused(rules: str, code: str) -> None:
    program = parse(TAIL + rules)
    found = {d.code for d in check(program) if d.code in ("GDL021", "GDL029")}
    assert found == {code}
    if code == "GDL021":
        with pytest.raises(RulesError):
            normalise(program)
    else:
        assert woodstock.loads(TAIL + rules).initial.legal("white") == (
            ("(go 1)",) if "3)) (<= (r ?x ?x)" not in rules else ()
        )


def test_absence_that_depends_on_the_answer_is_refused() -> None:
    """What is asked of r would depend on q, and q on the absence of r."""
    rules = "(<= (q ?x) (true (p ?x)) (s ?x) (not (r ?x))) (<= (s ?x) (true (p ?x)) (q ?x)) (<= (r ?x) (true (p 3)))"
    with pytest.raises(RulesError):
        normalise(parse(TAIL + rules))


def test_questions_that_grow_without_end_are_refused() -> None:
    rules = TAIL + "(<= (q ?x) (q (s ?x))) (<= (q ?x) (true (p 3)))"
    assert "GDL021" in {d.code for d in check(parse(rules))}
    with pytest.raises(RulesError):
        woodstock.loads(rules)


def test_a_public_sheet_that_was_refused_plays(corpus: Path) -> None:
    path = corpus / "games" / "DarkChess__tflah.kif"
    assert {d.code for d in check(read(path)) if d.is_error} == set()
    text = path.read_text(encoding="utf-8")
    for old, new in (
        ("(next_x ?x2 ?x1)))", "(next_x ?x2 ?x1)) (index_y ?y1))"),
        ("(next_y ?y2 ?y1)))", "(next_y ?y2 ?y1)) (index_x ?x1))"),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    same(woodstock.load(path, engine="interpreter"), woodstock.loads(text, engine="interpreter"), seeds=1)
