"""SYM, examples 1 to 4: randomised tic-tac-toe on two by two cells, with rules (6a) and (6b) as printed.

Example 5 is in test_stage.py and, inside a search, in tests/unit/players/papers/test_published.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

import woodstock
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.gdl.chance import chance_index
from woodstock.scsp.game import stage_solver, translate
from woodstock.symmetry import find_symmetries
from woodstock.symmetry.symmetries import Symmetries

RULES = """
(role one) (role two) (role random)
(player one) (player two) (line x1) (line x2) (side y1) (side y2)
(init (cell x1 y1 free)) (init (cell x1 y2 free)) (init (cell x2 y1 free)) (init (cell x2 y2 free)) (init (turn one))
(<= (next (row ?x ?i)) (does ?i (choose_row ?x)))
(<= (next (col ?y ?i)) (does ?i (choose_col ?y)))
(<= (next (cell ?x ?y ?i)) (does random (mark ?x ?y ?i)))
(<= (next (cell ?x ?y ?what)) (true (cell ?x ?y ?what)) (not (marked ?x ?y)))
(<= (marked ?x ?y) (does random (mark ?x ?y ?i)))
(<= (legal random (mark ?x ?y ?i)) (true (row ?x ?i)) (true (cell ?x ?y free)))
(<= (legal random (mark ?x ?y ?i)) (true (col ?y ?i)) (true (cell ?x ?y free)))
(<= (legal random noop) (not chosen))
(<= chosen (true (row ?x ?i)))
(<= chosen (true (col ?y ?i)))
(<= (open_row ?x) (true (cell ?x ?y free)))
(<= (open_col ?y) (true (cell ?x ?y free)))
(<= (legal ?i (choose_row ?x)) (true (turn ?i)) (open_row ?x))
(<= (legal ?i (choose_col ?y)) (true (turn ?i)) (open_col ?y))
(<= (legal ?i noop) (player ?i) (not (true (turn ?i))))
(<= (next (turn two)) (true (row ?x one)))
(<= (next (turn two)) (true (col ?y one)))
(<= (next (turn one)) (true (row ?x two)))
(<= (next (turn one)) (true (col ?y two)))
(<= some_free (true (cell ?x ?y free)))
(<= terminal (not some_free))
(<= (goal ?i 50) (player ?i)) (goal random 0)
"""
MARK, ROW, COL, CELL = "(mark x1 y2 one)", "(row x1 one)", "(col y2 one)", "(cell x1 y2 free)"


@pytest.fixture(scope="module")
def game() -> woodstock.Game:
    return woodstock.loads(RULES, "randomised tic-tac-toe")


def test_example_1_effects_and_moves_of_chance(game: woodstock.Game) -> None:
    after = game.initial.next(["(choose_row x1)", "noop", "noop"])
    assert ROW in after.fluents and set(after.legal("random")) == {"(mark x1 y1 one)", MARK}
    marked = after.next(["noop", "noop", MARK])
    assert "(cell x1 y2 one)" in marked.fluents and CELL not in marked.fluents
    chosen = game.initial.next(["(choose_col y2)", "noop", "noop"])
    assert COL in chosen.fluents and set(chosen.legal("random")) == {MARK, "(mark x2 y2 one)"}


def test_example_2_eight_ground_formulas_each(game: woodstock.Game) -> None:
    assert isinstance(game.engine, CircuitEngine)
    ground = game.engine.ground
    role = chance_index(ground.roles)
    names = ground.moves[role]
    first = sum(len(moves) for moves in ground.moves[:role])
    marks = [int(ground.legal[first + number]) for number, name in enumerate(names) if name.startswith("(mark")]
    assert len(marks) == 8 and len(set(marks)) == 8
    assert [ground.heads.tolist().count(atom) for atom in marks] == [2] * 8, "once by (6a), once by (6b)"
    # With one of the two cells of the row taken, the other one is certain: 1 / y for y free cells.
    after = game.initial.next(["(choose_row x1)", "noop", "noop"])
    network = translate(game).network(after)
    (chance,) = network.stochastic
    assert [float(share) for share in network.probabilities[chance.index].at(())] == [0.5, 0.5]


def images(found: Symmetries, game: woodstock.Game) -> Iterator[dict[str, str]]:
    """Yield what each generator of the group does to fluents and moves."""
    assert isinstance(game.engine, CircuitEngine)
    ground = game.engine.ground
    points = [
        *ground.roles,
        *ground.fluents,
        *(f"{r} {m}" for r, all_of in zip(ground.roles, ground.moves, strict=True) for m in all_of),
    ]
    elements = {tuple(range(len(points)))}
    while True:
        more = elements | {tuple(row[p] for p in element) for row in found.rows.tolist() for element in elements}
        if more == elements:
            break
        elements = more
    for element in elements:
        yield {points[p]: points[q] for p, q in enumerate(element)}


@pytest.mark.parametrize("method", ["rules", "network"])
def test_example_3_a_row_for_a_column(method: str, game: woodstock.Game) -> None:
    """An automorphism exchanges row(x1, 1) and col(y2, 1), the rules (8a) and (8b), and leaves the mark in place."""
    found = find_symmetries(game, method, fix_initial=False)
    assert any(
        one[ROW] == COL and one[COL] == ROW and one[f"random {MARK}"] == f"random {MARK}" and one[CELL] == CELL
        for one in images(found, game)
    )


def test_example_4_the_completion_of_legal_and_next(game: woodstock.Game) -> None:
    """A mark is allowed iff the cell is free and its row or column was chosen; a cell gets a mark iff it is made."""
    solver = stage_solver(translate(game), "mac")
    for is_row, is_col, is_free in product([True, False], repeat=3):
        if not (is_row or is_col):
            continue  # chance waits: another rule
        holds = [ROW] * is_row + [COL] * is_col + [CELL if is_free else "(cell x1 y2 two)"]
        state = game.state([*holds, "(cell x1 y1 free)", "(cell x2 y1 free)", "(cell x2 y2 free)"])
        names = game.moves("random")
        found = list(solver.solve(state))
        allowed = {names[joint[2]] for joint, _after in found}
        assert (MARK in allowed) == is_free, (is_row, is_col, is_free)
        for joint, after in found:
            is_marked = "(cell x1 y2 one)" in game.engine.fluents(after)
            assert is_marked == (names[joint[2]] == MARK)
