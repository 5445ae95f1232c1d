"""Stages of games as instances: their solutions are the joint legal moves, with names that lead back to GDL."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest

import woodstock
from woodstock.game.state import State
from woodstock.scsp import xcsp3
from woodstock.scsp.game import translate
from woodstock.scsp.xcsp3.game import export_stage

CHANCE = """
(role robot) (role random)
(init (round 1))
(<= (legal robot (bet ?x)) (side ?x) (true (round 1)))
(<= (legal robot wait) (true (round 2)))
(<= (legal random wait) (true (round 1)))
(<= (legal random (flip ?x)) (side ?x) (true (round 2)))
(side heads) (side tails)
(<= (next (round 2)) (true (round 1)))
(<= (next (chosen ?x)) (does robot (bet ?x)))
(<= (next (chosen ?x)) (true (chosen ?x)))
(<= (next (shown ?x)) (does random (flip ?x)))
(<= terminal (true (shown ?x)))
(<= win (true (shown ?x)) (true (chosen ?x)))
(<= (goal robot 100) win)
(<= (goal robot 0) (not win))
(goal random 0)
"""


def states(game: woodstock.Game, count: int) -> list[State]:
    draw = random.Random(1)
    found: list[State] = []
    state = game.initial
    while len(found) < count:
        found.append(state)
        state = state.next([draw.choice(state.legal(role)) for role in game.roles])
        if state.is_terminal:
            state = game.initial
    return found


@pytest.mark.parametrize(("name", "count"), [("tic-tac-toe", 5), ("nim", 5), ("connect-four", 2)])
@pytest.mark.parametrize("is_preprocessed", [True, False])
def test_solutions_are_the_joint_legal_moves(name: str, count: int, is_preprocessed: bool, tmp_path: Path) -> None:
    game = woodstock.load(name)
    template = translate(game)
    for state in states(game, count):
        written = export_stage(template, tmp_path / "s.xml", state, is_preprocessed=is_preprocessed)
        plain = xcsp3.read(written.path, with_sidecar=False).network
        legal = math.prod(len(state.legal(role)) for role in game.roles)
        assert xcsp3.count(plain).count == legal
        joined = xcsp3.read(written.path).network
        wanted = {tuple(joint) for joint in _joint(state)}
        names = [f"action({role})" for role in game.roles]
        found = {tuple(s[name] for name in names) for s in xcsp3.enumerate_solutions(joined)}
        assert found == wanted


def _joint(state: State) -> list[list[str]]:
    result: list[list[str]] = [[]]
    for role in state.game.roles:
        result = [[*known, move] for known in result for move in state.legal(role)]
    return result


def test_values_lead_back_to_atoms(tmp_path: Path) -> None:
    game = woodstock.load("tic-tac-toe")
    state = game.initial.next(["(mark 2 2)", "noop"])
    written = export_stage(translate(game), tmp_path / "s.xml", state, rules_hash=game.rules_hash)
    instance = xcsp3.read(written.path)
    assert instance.game is not None
    assert instance.game["rules_hash"] == game.rules_hash
    assert instance.game["state"] == sorted(state.fluents)
    content = json.loads(written.sidecar.read_text(encoding="utf-8"))
    atoms, variables = content["game"]["atoms"], {entry["id"]: entry for entry in content["variables"]}
    # The fluents at t are the state; each action is a legal move.
    now = {
        atom for name, entry in variables.items() for atom in atoms.get(name, []) if atom and atom.startswith("(true")
    }
    assert now == {f"(true {fluent})" for fluent in state.fluents}
    assert atoms["action_o"] == [f"(does o {move})" for move in state.legal("o")]
    assert any("rules" in entry and entry["rules"][0].startswith("rules.kif:") for entry in content["hard"])


def test_chance_is_in_the_sidecar(tmp_path: Path) -> None:
    game = woodstock.loads(CHANCE)
    template = translate(game)
    state = game.initial.next(["(bet heads)", "wait"])
    for at, is_preprocessed in ((state, True), (state, False), (None, True)):
        written = export_stage(template, tmp_path / "s.xml", at, is_preprocessed=is_preprocessed)
        network = xcsp3.read(written.path).network
        assert [v.name for v in network.stochastic] == ["action(random)"]
        assert network.players == ("robot",)
        before, after = written.network.probabilities, network.probabilities
        assert [dict(table.rows) for table in after.values()] == [dict(table.rows) for table in before.values()]
        assert xcsp3.count(xcsp3.read(written.path, with_sidecar=False).network).count == xcsp3.count(network).count
