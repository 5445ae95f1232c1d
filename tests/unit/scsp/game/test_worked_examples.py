"""The worked examples of the papers: exactly these variables, domains and tables."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from woodstock.constraint.constraint import Table
from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.scsp.game import StageSolver, Template, stage_solver

Tables = dict[str, set[tuple[object, ...]]]


def tables(template: Template) -> Tables:
    return {c.name: set(c.tuples()) for c in template.network().hard if isinstance(c, Table)}


def test_matching_pennies_variables(templates: dict[str, Template]) -> None:
    template = templates["matching"]
    sides, moves = ("face", "inconnue", "pile"), ("(retourne face)", "(retourne pile)")
    assert dict(zip(template.variable_names, template.domains, strict=True)) == {
        "piece(j1)": sides,
        "piece(j2)": sides,
        "action(j1)": moves,
        "action(j2)": moves,
        "terminal": (False, True),
        "score(j1)": (0, 100, "undefined"),
        "score(j2)": (0, 100, "undefined"),
        "piece(j1)@t+1": sides,
        "piece(j2)@t+1": sides,
    }


def test_matching_pennies_tables(templates: dict[str, Template]) -> None:
    found = tables(templates["matching"])
    for role in ("j1", "j2"):
        assert found[f"legal({role})"] == {("inconnue", "(retourne face)"), ("inconnue", "(retourne pile)")}
        assert found[f"next(piece({role}))"] == {("(retourne face)", "face"), ("(retourne pile)", "pile")}
    sides = ("face", "inconnue", "pile")
    assert found["terminal"] == {(a, b, "inconnue" not in (a, b)) for a, b in product(sides, sides)}
    shown = product(("face", "pile"), repeat=2)
    assert {row for row in found["score(j1)"] if row[2] != "undefined"} == {
        (a, b, 100 if a == b else 0) for a, b in shown
    }
    assert len(found) == 7


def test_cooperative_pennies(templates: dict[str, Template]) -> None:
    template = templates["cooperative"]
    found = tables(template)
    sides = ("heads", "tails", "unset")
    for role in ("alice", "bob", "random"):
        assert template.domains[template.variable_names.index(f"coin({role})")] == sides
        assert found[f"legal({role})"] == {
            (True, "(choose heads)"),
            (True, "(choose tails)"),
            (False, "noop"),
        }
        kept = {(side, "noop", side) for side in sides}
        assert (
            kept | {("unset", "(choose heads)", "heads"), ("unset", "(choose tails)", "tails")}
            <= found[f"next(coin({role}))"]
        )
    assert found["terminal"] == {(*row, "unset" not in row) for row in product(sides, repeat=3)}
    assert found["next(control(random))"] == {(False, False), (True, True)}


def test_the_conditional_table_of_chance(templates: dict[str, Template]) -> None:
    network = templates["cooperative"].network()
    (chance,) = network.stochastic
    table = network.probabilities[chance.index]
    assert chance.name == "action(random)"
    assert [v.name for v in table.given] == ["control(random)"]
    half = Fraction(1, 2)
    assert dict(zip(chance.domain, table.at((1,)), strict=True)) == {
        "(choose heads)": half,
        "(choose tails)": half,
        "noop": 0,
    }
    assert dict(zip(chance.domain, table.at((0,)), strict=True)) == {
        "(choose heads)": 0,
        "(choose tails)": 0,
        "noop": 1,
    }


def test_the_best_policy_of_the_cooperative_pennies(games: dict[str, Game], templates: dict[str, Template]) -> None:
    """Alice and bob agree and win half of the time: expectation over chance, maximum over their common choice."""

    def value(solver: StageSolver, state: State | bytes) -> Fraction:
        found = solver.solve(state)
        if found.is_terminal:
            return Fraction(found.goals[0] or 0, 100)
        by_choice: dict[tuple[int, ...], list[Fraction]] = {}
        for (alice, bob, _random), successor in found:
            by_choice.setdefault((alice, bob), []).append(value(solver, successor))
        return max(sum(values, Fraction(0)) / len(values) for values in by_choice.values())

    for name in ("circuit", "table"):
        assert value(stage_solver(templates["cooperative"], name), games["cooperative"].initial) == Fraction(1, 2)


def test_randomised_tictactoe(games: dict[str, Game], templates: dict[str, Template]) -> None:
    """After the first player chose a row, chance marks one of its two cells, each with probability 1/2."""
    game, template = games["tictactoe"], templates["tictactoe"]
    for x, y in product(("x1", "x2"), ("y1", "y2")):
        assert template.domains[template.variable_names.index(f"cell({x},{y})")] == ("b", "one", "two")
    chosen = game.initial.next({"one": "(choose x1)", "two": "noop", "random": "noop"})
    network = template.network(chosen)
    (chance,) = network.stochastic
    assert chance.domain == ("(mark x1 y1)", "(mark x1 y2)")
    assert network.probabilities[chance.index].at(()) == (Fraction(1, 2), Fraction(1, 2))
    # In the start position all four lines are open to the first player.
    assert network.name == game.name
    assert len(stage_solver(template).solve(game.initial)) == 4


def test_recursion_is_its_least_model(games: dict[str, Game], templates: dict[str, Template]) -> None:
    """b, c and d are on a cycle with no way in from a: plain completion would admit that they link each other."""
    game, template = games["recursive"], templates["recursive"]
    cycle = game.state(["(at a)", "(open b c)", "(open c d)", "(open d b)"])
    assert not cycle.is_terminal
    for name in ("circuit", "table"):
        found = stage_solver(template, name).solve(cycle)
        assert not found.is_terminal
        assert found.goals == (0,)
        assert len(found) == 2
    assert template.arrays["recursive_atoms"] == 3
