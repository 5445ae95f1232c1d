"""Games as constraint networks against the engine, on states of random matches.

For each state that is not terminal, the solutions of its stage are exactly the joint legal moves, each with its
successor; both stage solvers find the same ones; after singleton arc consistency the action domains are the legal
moves.
"""

from __future__ import annotations

import itertools
import math
import random
import time
from pathlib import Path

import pytest

import woodstock
from woodstock.errors import GameError, WoodstockError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.scsp.game import CircuitStage, TableStage, translate

SHARED = Path(__file__).resolve().parents[3] / "shared"
SHEETS = sorted(path.stem for path in (SHARED / "games").glob("*.kif"))

# One to six roles, simultaneous moves, chance, percepts; the number of states.
SAMPLE = {
    "asteroidsParallel": 20,
    "backgammon__deckb": 12,
    "biddingTicTacToe": 15,
    "blindtictactoe__ggpcpp": 20,
    "breakthroughSmall": 20,
    "chineseCheckers6": 15,
    "connectFour": 40,
    "eightPuzzle": 20,
    "futoshiki4": 10,
    "hanoi": 30,
    "ii_kriegtictactoe__yannou": 15,
    "kalaha5x2x3": 15,
    "mastermind448__scully": 8,
    "montyhall__scully": 20,
    "nim3": 30,
    "pacman2psmall__ggpcpp": 15,
    "pentago": 8,
    "reversi": 4,
    "sheepAndWolf": 15,
    "ticTacToe": 60,
    "tictactoe_3d_small_6player": 6,
}
FULL_STATES = 200
# States with more joint moves than this are looked at through the first of them.
MOST_SOLUTIONS = 3000
# Singleton consistency tries every value left: not on every state of a large network.
SINGLETON_STATES = 3


def differences(name: str, states: int, *, proof_seconds: float, seed: int = 1, seconds: float = 60.0) -> list[str]:
    """Return what differs on the states of random matches."""
    game = woodstock.load(SHARED / "games" / f"{name}.kif")
    engine = game.engine
    if not isinstance(engine, CircuitEngine):
        pytest.skip(f"{name} was not grounded")
    template = translate(game, proof_seconds=proof_seconds)
    table, circuit = TableStage(template), CircuitStage(template)
    rng = random.Random(seed)
    packed = start = template.pack(game.initial)
    found: list[str] = []
    end = time.monotonic() + seconds
    for step in range(states):
        if time.monotonic() > end:
            break
        legal = [tuple(engine.legal_indices(packed, role)) for role in range(len(game.roles))]
        is_terminal, goals = engine.is_terminal(packed), engine.goals(packed)
        joint = 0 if is_terminal else math.prod(map(len, legal))
        ours, theirs = table.solve(packed, limit=MOST_SOLUTIONS), circuit.solve(packed, limit=MOST_SOLUTIONS)
        for solver, result in (("table", ours), ("circuit", theirs)):
            if (result.is_terminal, result.goals) != (is_terminal, goals):
                found.append(f"state {step}, {solver}: {result.is_terminal} {result.goals}, not {is_terminal} {goals}")
            if len(result) != min(joint, MOST_SOLUTIONS) or len(set(map(tuple, result.moves.tolist()))) != len(result):
                found.append(f"state {step}, {solver}: {len(result)} solutions for {joint} joint moves")
        if joint <= MOST_SOLUTIONS and sorted(ours) != sorted(theirs):
            found.append(f"state {step}: the solvers differ")
        if joint and joint <= MOST_SOLUTIONS and {moves for moves, _ in theirs} != set(itertools.product(*legal)):
            found.append(f"state {step}: the solutions are not the joint legal moves")
        solutions = [*theirs]
        for moves, successor in rng.sample(solutions, min(10, len(solutions))):
            if engine.next_by_index(packed, moves) != successor:
                found.append(f"state {step}: {moves} leads to another state")
        if joint and step < SINGLETON_STATES and table.legal(packed) != tuple(legal):
            found.append(f"state {step}: actions {table.legal(packed)} after singleton consistency, not {legal}")
        if found:
            return [f"{name}, seed {seed}", *found]
        packed = rng.choice(solutions)[1] if solutions else start
    return []


@pytest.mark.skipif(not SHEETS, reason=f"the corpus of public rulesheets is not here: {SHARED}")
@pytest.mark.parametrize("name", [name for name in SAMPLE if name in SHEETS])
def test_stages(name: str) -> None:
    assert differences(name, SAMPLE[name], proof_seconds=0.5, seconds=5) == []


@pytest.mark.full
@pytest.mark.skipif(not SHEETS, reason=f"the corpus of public rulesheets is not here: {SHARED}")
@pytest.mark.parametrize("name", SHEETS)
def test_stages_of_every_sheet(name: str) -> None:
    try:
        assert differences(name, FULL_STATES, proof_seconds=2.0) == []
    except GameError as refusal:
        pytest.skip(str(refusal))
    except WoodstockError as broken:
        pytest.skip(f"the rules do not load: {str(broken)[:200]}")
