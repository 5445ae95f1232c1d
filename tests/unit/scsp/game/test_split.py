"""P' and P'' of games [RIA, algorithms 1 to 3; CONS, 3.3 and 4.2], against the joint moves of the circuit."""

from __future__ import annotations

import random

import pytest

import woodstock
from woodstock.errors import ModelError
from woodstock.gdl.chance import without_chance
from woodstock.scsp import Network
from woodstock.scsp.game import MacStage, stage_solver, translate
from woodstock.scsp.sfc import chance_part, feasibility_constraint, hard_part, solutions
from woodstock.scsp.solve import solve

# Bundled games with chance: by itself, after a decision, and at once with decisions (backgammon: a move and no roll).
STOCHASTIC = (
    *("cooperative-matching-pennies", "kaseklau", "monty-hall", "orchard", "randomised-tic-tac-toe-2x2", "kuhn-poker"),
)
LARGE = ("backgammon", "cant-stop", "pacman", "pickomino", "yahtzee")


def check(name: str, states: int) -> None:
    game = woodstock.load(name)
    template = translate(game)
    native, circuit = MacStage(template), stage_solver(template)
    players = without_chance(game.roles)
    chance, state = random.Random(3), game.initial
    for _ in range(states):
        if state.is_terminal:
            break
        joint = [
            {f"action({role})": game.moves(role)[move] for role, move in zip(game.roles, moves, strict=True)}
            for moves, _ in circuit.solve(state)
        ]
        network = template.network(state)
        cut = feasibility_constraint(network)
        names = [variable.name for variable in cut.scope]
        found = {tuple(v.domain[i] for v, i in zip(cut.scope, row, strict=True)) for row in cut.rows.tolist()}
        assert found == {tuple(moves[of] for of in names) for moves in joint}
        scope, rows = native.feasible(state)
        assert set(rows) == {tuple(moves[of] for of in scope) for moves in joint}
        rest = hard_part(network)
        place = [next(i for i, v in enumerate(rest.variables) if v.name == f"action({role})") for role in players]
        made = [tuple(rest.variables[i].domain[row[i]] for i in place) for row in solutions(network)]
        assert len(set(made)) == len(made)
        assert set(made) == {tuple(moves[f"action({role})"] for role in players) for moves in joint}
        state = state.next({role: chance.choice(state.legal(role)) for role in game.roles})


@pytest.mark.parametrize("name", STOCHASTIC)
def test_the_split_of_games_with_chance(name: str) -> None:
    check(name, 4)


@pytest.mark.full
@pytest.mark.parametrize("name", LARGE)
def test_the_split_of_large_games_with_chance(name: str) -> None:
    check(name, 4)


def test_the_parts_of_cooperative_matching_pennies() -> None:
    """The tables of figure 3 that have the stochastic variable in their scope are P''; all others are P'."""
    network = translate(woodstock.load("cooperative-matching-pennies")).network()
    stochastic, hard = chance_part(network), hard_part(network)
    assert {c.name: len(c.rows) for c in stochastic.hard} == {  # type: ignore[attr-defined]
        "legal(random)": 3,
        "next(coin(random))": 9,
    }
    assert [v.name for v in stochastic.stochastic] == ["action(random)"]
    assert [v.name for v in stochastic.variables if v.is_propagated] == ["coin(random)@t+1"]
    assert {c.name for c in hard.hard} | {c.name for c in stochastic.hard} == {c.name for c in network.hard}
    assert not {v.name for v in hard.variables} & {"action(random)", "coin(random)@t+1"}
    table = network.probabilities[network["action(random)"].index]
    turns = network["control"].positions
    assert [float(p) for p in table.at((turns["chance"],))] == [0.5, 0.5, 0.0]
    assert [float(p) for p in table.at((turns["players"],))] == [0.0, 0.0, 1.0]


def dice(is_functional: bool = True) -> Network:
    """A decision, a die, and a total that follows from both; the total may not be 4."""
    network = Network("dice")
    stake, die = network.decision("stake", [0, 1, 2]), network.chance("die", [1, 2, 3])
    total = network.consequence("total", range(7))
    network.require(total == stake + die if is_functional else total >= stake + die)
    network.require(total != 4)
    return network


def test_what_is_propagated_is_not_decided() -> None:
    network = dice()
    cut = feasibility_constraint(network)
    assert [v.name for v in cut.scope] == ["stake"]
    assert cut.rows.tolist() == [[0]], "stakes 1 and 2 make 4 with some outcome"
    assert list(solutions(network)) == [(0,)]


def test_what_does_not_follow_is_searched() -> None:
    assert feasibility_constraint(dice(is_functional=False)).rows.tolist() == [[0], [1], [2]]


def test_a_decision_after_chance_is_refused() -> None:
    network = Network("late")
    die = network.chance("die", [1, 2])
    network.require(network.decision("guess", [1, 2]) == die)
    with pytest.raises(ModelError, match="guess comes after chance die"):
        feasibility_constraint(network)
    with pytest.raises(ModelError, match="propagated variables"):
        solve(dice(), "all", method="sfc")
    assert sum(1 for _ in solve(dice(), "all", threshold=0)) == 1
