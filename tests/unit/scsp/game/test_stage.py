"""Stage solvers: one interface, equal solutions, clear errors; networks of single states have the same solutions."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from woodstock.errors import GameError
from woodstock.game.game import Game
from woodstock.game.state import packed
from woodstock.scsp.game import FcStage, MacStage, TableStage, Template, stage_solver, translate

NAMES = ("matching", "cooperative", "tictactoe", "recursive")


def states_of(game: Game, count: int, seed: int = 1) -> list[bytes]:
    rng = random.Random(seed)
    found: list[bytes] = []
    state = game.initial
    while len(found) < count:
        found.append(packed(state))
        if state.is_terminal:
            state = game.initial
        else:
            state = state.next({role: rng.choice(state.legal(role)) for role in game.roles})
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("solver", [TableStage, MacStage, FcStage])
@pytest.mark.parametrize("options", [{}, {"algorithm": "str2"}, {"order": "dom/wdeg"}, {"singleton": True}])
def test_networks_and_circuit_agree(
    games: dict[str, Game], templates: dict[str, Template], name: str, solver: Any, options: dict[str, Any]
) -> None:
    table, circuit = solver(templates[name], **options), stage_solver(templates[name])
    for state in states_of(games[name], 30):
        ours, theirs = table.solve(state), circuit.solve(state)
        assert sorted(ours) == sorted(theirs)
        assert (ours.is_terminal, ours.goals) == (theirs.is_terminal, theirs.goals)


@pytest.mark.parametrize("name", NAMES)
def test_boolean_fluents_give_the_same_solutions(
    games: dict[str, Game], templates: dict[str, Template], name: str
) -> None:
    boolean = translate(games[name], proof_seconds=0)
    assert all(v.is_boolean for v in boolean.fluent_variables)
    table, circuit = TableStage(boolean), stage_solver(templates[name])
    for state in states_of(games[name], 20):
        assert sorted(table.solve(state)) == sorted(circuit.solve(state))


@pytest.mark.parametrize("name", NAMES)
def test_actions_after_singleton_consistency_are_the_legal_moves(
    games: dict[str, Game], templates: dict[str, Template], name: str
) -> None:
    game, table = games[name], TableStage(templates[name])
    for bits in states_of(game, 30):
        state = game.state(game.engine.fluents(bits))
        if state.is_terminal:
            continue
        moves = templates[name].ground.moves
        legal = [tuple(moves[r][m] for m in kept) for r, kept in enumerate(table.legal(bits))]
        assert legal == [state.legal(role) for role in game.roles]


@pytest.mark.parametrize("name", NAMES)
def test_the_network_of_a_state_has_the_same_solutions(
    games: dict[str, Game], templates: dict[str, Template], name: str
) -> None:
    """Brute force over the open actions and fluents of the preprocessed network."""
    game, template = games[name], templates[name]
    for bits in states_of(game, 6):
        if game.state(game.engine.fluents(bits)).is_terminal:
            continue
        network = template.network(bits)
        first = template.first_next
        asked = [
            *network.declared[template.first_action : template.terminal],
            *network.declared[first : template.first_auxiliary],
        ]
        found = set()
        for values in product(*(v.domain for v in network.declared)):
            assignment = dict(enumerate(values))
            if all(constraint.holds(assignment) for constraint in network.hard):
                found.add(tuple(assignment[v.index] for v in asked))
        roles = len(game.roles)
        expected = set()
        for moves, successor in stage_solver(template).solve(bits):
            named = tuple(template.ground.moves[r][m] for r, m in enumerate(moves))
            expected.add(named + tuple(template.inject(successor).values()))
        assert found == expected
        assert all(len(row) == roles + len(template.fluent_variables) for row in found)


def test_forward_checking_guesses_nothing(games: dict[str, Game], templates: dict[str, Template]) -> None:
    """All but the actions follows from them: one node for each solution, and no dead end."""
    found = FcStage(templates["tictactoe"]).solve(games["tictactoe"].initial)
    assert len(found) == 4
    assert found.statistics["nodes"] == 4 and found.statistics["failures"] == 0


def test_a_state_that_breaks_an_invariant_is_refused(games: dict[str, Game], templates: dict[str, Template]) -> None:
    two_faces = games["matching"].state(["(piece j1 pile)", "(piece j1 face)", "(piece j2 pile)"])
    with pytest.raises(GameError, match="exclude each other"):
        TableStage(templates["matching"]).solve(two_faces)
    nothing = games["matching"].state(["(piece j1 pile)"])
    with pytest.raises(GameError, match="exactly one must"):
        templates["matching"].inject(nothing)


def test_injection_names_values(games: dict[str, Game], templates: dict[str, Template]) -> None:
    assert templates["matching"].inject(games["matching"].initial) == {
        "piece(j1)": "inconnue",
        "piece(j2)": "inconnue",
    }


def test_a_terminal_state_has_no_solutions_and_its_scores(
    games: dict[str, Game], templates: dict[str, Template]
) -> None:
    over = games["matching"].state(["(piece j1 pile)", "(piece j2 pile)"])
    for name in ("circuit", "table"):
        found = stage_solver(templates["matching"], name).solve(over)
        assert (found.is_terminal, found.goals, len(found)) == (True, (100, 0), 0)


def test_limits(games: dict[str, Game], templates: dict[str, Template]) -> None:
    for name in ("circuit", "table"):
        solver = stage_solver(templates["matching"], name)
        found = solver.solve(games["matching"].initial, limit=3)
        assert (len(found), found.is_complete) == (3, False)
        assert solver.solve(games["matching"].initial, limit=4).is_complete


def test_an_unknown_solver_is_named(templates: dict[str, Template]) -> None:
    with pytest.raises(GameError, match="'tables': expected one of circuit, table"):
        stage_solver(templates["matching"], "tables")


def test_explanation_names_rules(templates: dict[str, Template]) -> None:
    text = templates["matching"].explain()
    assert "piece(j1) = pile  for  (piece j1 pile)" in text
    assert "next(piece(j1)): table over action(j1), piece(j1)@t+1, 2 tuples" in text
    assert "next(piece(j1,pile)) <- does(j1,retourne(pile))" in text
    assert "    from <rules>:9\n" in text
