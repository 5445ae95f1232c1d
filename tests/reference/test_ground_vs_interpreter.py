"""Ground rules compared with the interpreter on every state of random matches.

The ground program is evaluated here in the simplest way, as its least model stratum by stratum: the test is about
rewriting, grounding and reading.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.reference.traces import BUNDLED, PUBLIC, rules_of

from woodstock.errors import BudgetExceeded
from woodstock.game.interpreter import Interpreter
from woodstock.gdl.ground import GroundProgram, ground
from woodstock.gdl.parse import read

# The number of states: those of slow games are fewer.
BUNDLED_SAMPLE = {
    "amazons-torus-10x10": 3,
    "awale": 5,
    "backgammon": 6,
    "breakthrough": 10,
    "cant-stop": 20,
    "connect-four": 20,
    "dark-hex-3x3": 10,
    "eight-puzzle": 20,
    "hex": 6,
    "kaseklau": 20,
    "krieg-tic-tac-toe": 20,
    "kuhn-poker": 20,
    "leduc-poker": 20,
    "mastermind": 10,
    "meier": 10,
    "monty-hall": 10,
    "nim": 20,
    "othello": 4,
    "pentago": 10,
    "quarto": 10,
    "sheep-and-wolf": 20,
    "tic-tac-toe": 40,
}
# Split and inlined joins, recursion, predicates that negate themselves, chance, percepts, unsafe variables.
SAMPLE = {
    "amazons_8x8": 3,
    "asteroidsParallel": 20,
    "biddingTicTacToe": 20,
    "blindtictactoe__ggpcpp": 20,
    "breakthroughSmall": 20,
    "checkersSmall": 8,
    "connectFour": 30,
    "futoshiki4": 20,
    "hexPie": 4,
    "ii_kriegtictactoe__yannou": 20,
    "linesOfAction": 3,
    "mastermind448__scully": 8,
    "montyhall__scully": 10,
    "pentago": 20,
    "quarto": 10,
    "reversi": 5,
    "sheepAndWolf": 20,
    "ticTacToe": 40,
    "tictactoe_3d_small_6player": 10,
}
FULL_STATES = 40


class GroundModel:
    """Plays a game from its ground rules alone, with the questions of the interpreter."""

    def __init__(self, ground: GroundProgram) -> None:
        self.ground = ground
        self.roles = ground.roles
        offsets, bodies = ground.body_offsets.tolist(), ground.bodies.tolist()
        self.rules: list[list[list[int]]] = [[] for _ in range(ground.atom_count + 1)]
        for rule, head in enumerate(ground.heads.tolist()):
            self.rules[head].append(bodies[offsets[rule] : offsets[rule + 1]])
        inputs = set(ground.fluent_atoms.tolist()) | set(ground.move_atoms.tolist())
        assert not any(self.rules[atom] for atom in inputs), "an input has a rule"
        self.components = _components(self.rules)
        self.fluent = {text: i for i, text in enumerate(ground.fluents)}
        self.offsets = [sum(map(len, ground.moves[:r])) for r in range(len(ground.roles))]

    def initial(self) -> frozenset[str]:
        return frozenset(self.ground.fluents[i] for i in self.ground.initial)

    def values(self, state: frozenset[str], moves: Sequence[str] | None) -> list[bool]:
        """Return the truth of every atom."""
        truth = [False] * (self.ground.atom_count + 1)
        for text in state:
            truth[int(self.ground.fluent_atoms[self.fluent[text]])] = True
        for role, move in enumerate(moves or ()):
            number = self.offsets[role] + self.ground.moves[role].index(move)
            truth[int(self.ground.move_atoms[number])] = True
        for component in self.components:
            changed = True
            while changed:
                changed = False
                for atom in component:
                    if not truth[atom] and any(_holds(body, truth) for body in self.rules[atom]):
                        truth[atom] = True
                        changed = len(component) > 1
        return truth

    def legal(self, truth: list[bool], role: int) -> tuple[str, ...]:
        start = self.offsets[role]
        atoms = self.ground.legal[start : start + len(self.ground.moves[role])].tolist()
        return tuple(m for m, atom in zip(self.ground.moves[role], atoms, strict=True) if truth[atom])

    def goals(self, truth: list[bool]) -> dict[str, int | None]:
        values: dict[str, list[int]] = {role: [] for role in self.roles}
        for role, value, atom in self.ground.goals:
            if truth[atom]:
                values[self.roles[role]].append(value)
        return {role: found[0] if len(found) == 1 else None for role, found in values.items()}

    def next(self, truth: list[bool]) -> frozenset[str]:
        return frozenset(
            f for f, atom in zip(self.ground.fluents, self.ground.next.tolist(), strict=True) if truth[atom]
        )

    def sees(self, truth: list[bool]) -> dict[str, tuple[str, ...]]:
        seen: dict[str, list[str]] = {role: [] for role in self.roles}
        for role, percept, atom in self.ground.sees:
            if truth[atom]:
                seen[self.roles[role]].append(percept)
        return {role: tuple(percepts) for role, percepts in seen.items()}


def _holds(body: list[int], truth: list[bool]) -> bool:
    return all(truth[literal] if literal > 0 else not truth[-literal] for literal in body)


def _components(rules: list[list[list[int]]]) -> list[list[int]]:
    """Return the strongly connected components of the atoms that have rules, dependencies first."""
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    placed: set[int] = set()
    result = []
    for root in range(1, len(rules)):
        if root in number or not rules[root]:
            continue
        work = [(root, iter([abs(x) for body in rules[root] for x in body]))]
        number[root] = low[root] = len(number)
        stack.append(root)
        while work:
            atom, successors = work[-1]
            for other in successors:
                if not rules[other]:
                    continue
                if other not in number:
                    number[other] = low[other] = len(number)
                    stack.append(other)
                    work.append((other, iter([abs(x) for body in rules[other] for x in body])))
                    break
                if other not in placed:
                    low[atom] = min(low[atom], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[atom])
                if low[atom] == number[atom]:
                    cut = stack.index(atom, len(stack) - 1 - stack[::-1].index(atom))
                    result.append(stack[cut:])
                    placed.update(stack[cut:])
                    del stack[cut:]
    for component in result:
        members = set(component)
        if len(component) > 1:
            assert not any(-x in members for atom in component for body in rules[atom] for x in body), "not stratified"
    return result


def differences(name: str, states: int, seed: int = 1) -> list[str]:
    """Return what differs on the states of random matches."""
    program = read(rules_of(name))
    model, oracle = GroundModel(ground(program)), Interpreter(program)
    rng = random.Random(seed)
    found: list[str] = []
    state, is_over = oracle.initial(), False
    if model.initial() != state:
        found.append(f"initial state: {model.initial() ^ state}")
    for step in range(states):
        if is_over:
            state = oracle.initial()
        truth = model.values(state, None)
        legal = [oracle.legal(state, role) for role in oracle.roles]
        ours = [model.legal(truth, role) for role in range(len(oracle.roles))]
        if ours != legal:
            found.append(f"state {step}: legal moves {ours}, not {legal}")
        if truth[model.ground.terminal] != oracle.is_terminal(state):
            found.append(f"state {step}: terminal {truth[model.ground.terminal]}")
        if model.goals(truth) != oracle.goals(state):
            found.append(f"state {step}: goals {model.goals(truth)}, not {oracle.goals(state)}")
        is_over = oracle.is_terminal(state) or not all(legal)
        if not is_over:
            moves = [rng.choice(options) for options in legal]
            truth = model.values(state, moves)
            following = oracle.next(state, moves)
            if model.next(truth) != following:
                found.append(f"state {step}: after {moves} the states differ by {model.next(truth) ^ following}")
            if model.sees(truth) != oracle.sees(state, moves):
                found.append(f"state {step}: after {moves} percepts {model.sees(truth)}")
            state = following
        if found:
            return [f"{name}, seed {seed}", *found]
    return []


@pytest.mark.parametrize("name", BUNDLED_SAMPLE)
def test_random_matches_of_bundled_games(name: str) -> None:
    assert differences(name, BUNDLED_SAMPLE[name]) == []


@pytest.mark.parametrize("name", SAMPLE)
def test_random_matches_of_public_sheets(name: str, corpus: Path) -> None:
    assert differences(name, SAMPLE[name]) == []


@pytest.mark.full
@pytest.mark.parametrize("name", BUNDLED)
def test_random_matches_of_every_bundled_game(name: str) -> None:
    assert differences(name, FULL_STATES) == []


@pytest.mark.full
@pytest.mark.parametrize("name", PUBLIC or SAMPLE)
def test_random_matches_of_every_public_sheet(name: str, corpus: Path) -> None:
    try:
        assert differences(name, FULL_STATES) == []
    except BudgetExceeded as overrun:
        pytest.skip(str(overrun))
