"""The proof search: against an obvious one on random games, with circles, tiny tables, threads and interruptions."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

import pytest
from tests.unit.solve.connect import after_drops, connect

import woodstock
from woodstock import _native
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.state import packed
from woodstock.solve import Solver
from woodstock.symmetry import find_symmetries

TINY = 1
SMALL = 2**20
ANY = 2**62


def _prover(
    game: woodstock.Game,
    *,
    group: _native.SymmetryGroup | None = None,
    is_opposite: bool = False,
    memory: int = SMALL,
    threads: int = 1,
) -> _native.Prover:
    assert isinstance(game.engine, CircuitEngine)
    return _native.Prover(game.engine.circuit, group, is_opposite, memory, threads)


def _graph_game(seed: int, roles: tuple[str, ...], *, has_circles: bool, is_opposite: bool) -> woodstock.Game:
    """A token moves along a random graph; a node belongs to the role that moves there, or ends the match."""
    dice = random.Random(seed)
    size = dice.randint(8, 18)
    facts = []
    for node in range(size):
        others = [other for other in range(size) if other != node] if has_circles else list(range(node + 1, size))
        if len(others) == 0 or (node > 2 and dice.random() < 0.3):
            first = dice.choice((0, 50, 100))
            scores = [first, 100 - first] if is_opposite else [dice.choice((0, 50, 100)) for _ in roles]
            facts += [f"(score {node} {role} {value})" for role, value in zip(roles, scores, strict=False)]
            facts += [f"(end {node})"]
            continue
        facts.append(f"(owner {node} {dice.choice(roles)})")
        facts += [f"(edge {node} {other})" for other in dice.sample(others, min(len(others), dice.randint(1, 4)))]
    text = f"""
    {" ".join(f"(role {role})" for role in roles)} (init (at 0)) {" ".join(facts)}
    (<= (legal ?p (go ?m)) (true (at ?n)) (owner ?n ?p) (edge ?n ?m))
    (<= (legal ?p noop) (role ?p) (true (at ?n)) (owner ?n ?q) (distinct ?p ?q))
    (<= (next (at ?m)) (does ?p (go ?m)))
    (<= terminal (true (at ?n)) (end ?n))
    (<= (goal ?p ?v) (true (at ?n)) (score ?n ?p ?v))
    """
    return woodstock.loads(text, f"graph {seed}")


def _reachable(game: woodstock.Game) -> list[woodstock.State]:
    found = {game.initial: None}
    stack = [game.initial]
    while stack:
        for after in _successors(stack.pop()):
            if after not in found:
                found[after] = None
                stack.append(after)
    return list(found)


def _successors(state: woodstock.State) -> Iterator[woodstock.State]:
    if state.is_terminal:
        return
    mover = max(state.game.roles, key=lambda role: len(state.legal(role)))
    for move in state.legal(mover):
        yield state.next([move if role == mover else state.legal(role)[0] for role in state.game.roles])


def _forced(states: list[woodstock.State], role: str, goal: int, wanted: bool) -> set[woodstock.State]:
    """The states in which the role (or, if not wanted, all others) can force an end with (without) the goal."""
    forced = {s for s in states if s.is_terminal and ((s.goals[role] or 0) >= goal) == wanted}
    while True:
        more = set()
        for state in states:
            if state in forced or state.is_terminal:
                continue
            mover = max(state.game.roles, key=lambda other: len(state.legal(other)))
            after = [other in forced for other in _successors(state)]
            if len(after) == 1 or (mover == role) == wanted:
                is_forced = any(after)
            else:
                is_forced = all(after)
            if is_forced:
                more.add(state)
        if not more:
            return forced
        forced |= more


ROLES = [("a", "b"), ("a", "b", "c"), ("a", "b", "random")]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("has_circles", [False, True])
def test_random_games(seed: int, has_circles: bool) -> None:
    roles = ROLES[seed % 3]
    is_opposite = seed % 2 == 0 and len(roles) == 2
    game = _graph_game(seed, roles, has_circles=has_circles, is_opposite=is_opposite)
    states = _reachable(game)
    provers = [
        _prover(game, is_opposite=is_opposite, memory=memory, threads=threads)
        for memory, threads in ((SMALL, 1), (TINY, 1), (SMALL, 3))
    ]
    decided = forced = 0
    for index, role in enumerate(roles):
        for goal in provers[0].goals(index)[1:]:
            yes, no = (_forced(states, role, goal, wanted) for wanted in (True, False))
            for state in states:
                for prover in provers:
                    verdict = prover.prove(packed(state), index, goal, states=2000)
                    assert verdict != "true" or state in yes, (role, goal)
                    assert verdict != "false" or state in no, (role, goal)
                    decided += verdict in ("true", "false")
                    forced += state in yes or state in no
                    if not has_circles:
                        assert verdict == ("true" if state in yes else "false")
    # In circles a search may give up; it seldom does.
    assert decided >= 0.2 * forced


@pytest.mark.parametrize("name", ["tic-tac-toe", "nim", "connect"])
def test_small_games_against_the_full_search(name: str) -> None:
    game = connect(4, 4, 3) if name == "connect" else woodstock.load(name)
    exact, dice = Solver(game), random.Random(1)
    group = find_symmetries(game, fix_initial=False).group
    provers = [
        _prover(game, group=given, is_opposite=is_opposite, memory=memory, threads=threads)
        for given in (None, group)
        for is_opposite in (False, True)
        for memory, threads in ((SMALL, 1), (TINY, 1), (SMALL, 2))
    ]
    for prover in provers[::2]:
        prover.teach(packed(game.initial), matches=50)
    for _ in range(12):
        state = game.initial
        for _ in range(dice.randint(3, 6)):
            after = state.next([dice.choice(state.legal(role)) for role in game.roles])
            state = state if after.is_terminal else after
        values = exact.solve(state).values
        for index, role in enumerate(game.roles):
            for goal in provers[0].goals(index)[1:]:
                wanted = "true" if values[role] >= goal else "false"
                assert {prover.prove(packed(state), index, goal) for prover in provers} == {wanted}


def test_an_interrupted_search_goes_on_from_what_it_knows() -> None:
    game = connect(5, 4, 4)
    state = game.initial.next(["(drop 3)", "noop"]).next(["noop", "(drop 1)"])
    at_once, in_parts = (_prover(game, is_opposite=True) for _ in range(2))
    wanted = at_once.prove(packed(state), 0, 50)
    verdict, parts = "open", 0
    while verdict == "open":
        verdict = in_parts.prove(packed(state), 0, 50, states=500)
        parts += 1
    assert verdict == wanted and parts > 2


def test_it_stops_at_its_limits() -> None:
    game = woodstock.load("connect-four")
    prover = _prover(game, is_opposite=True)
    assert prover.prove(packed(game.initial), 0, 100, states=10_000) == "open"
    assert prover.states < 11_000
    clock = time.thread_time()
    assert prover.prove(packed(game.initial), 0, 100, seconds=0.1) == "open"
    assert time.thread_time() - clock < 0.15


def test_what_matches_teach_shortens_proofs() -> None:
    # Columns of matches in which no move loses at once.
    played = {
        "connect-four": ("44323533443777", "44466412226623333"),
        "connect-four-8x6": ("642647226227767774411", "5467343343476336764456"),
    }
    states = [0, 0]
    for name, lines in played.items():
        game = woodstock.load(name)
        for line in lines:
            state = after_drops(game, line)
            verdicts = set()
            for is_taught in (False, True):
                prover = _prover(game, is_opposite=True, memory=2**24)
                if is_taught:
                    prover.teach(packed(state), matches=4000)
                verdicts.add(prover.prove(packed(state), 0, 100, states=ANY))
                states[is_taught] += prover.states
            assert len(verdicts) == 1
    assert states[1] < 0.7 * states[0]


def test_teaching_holds_its_clock() -> None:
    game = woodstock.load("connect-four")
    prover = _prover(game)
    clock = time.monotonic()
    prover.teach(packed(game.initial), seconds=0.2)
    assert 0.15 < time.monotonic() - clock < 1


def test_goals_of_matches_that_are_not_over_need_no_claim() -> None:
    assert _prover(woodstock.load("breakthrough")).goals(0) == [0, 100]
    assert _prover(woodstock.load("connect-four")).goals(1) == [0, 50, 100]


def test_moves_at_once_are_left_open() -> None:
    game = woodstock.load("matching-pennies")
    assert _prover(game).prove(packed(game.initial), 0, 100, states=ANY) == "dead"


def test_bad_arguments() -> None:
    game = woodstock.load("tic-tac-toe")
    with pytest.raises(IndexError):
        _prover(game).prove(packed(game.initial), 7, 100)
    with pytest.raises(ValueError, match="threads"):
        _prover(game, threads=0)
    with pytest.raises(ValueError, match="another game"):
        _prover(game, group=find_symmetries(woodstock.load("connect-four")).group)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 400))
def test_many_random_games(seed: int) -> None:
    test_random_games(seed, has_circles=seed % 2 == 0)


@pytest.mark.parametrize("make", [lambda: connect(4, 4, 3), lambda: woodstock.load("tic-tac-toe")])
def test_solve_by_proof(make: Callable[[], woodstock.Game]) -> None:
    game = make()
    full, proof = Solver(game), Solver(game, method="proof")
    dice = random.Random(3)
    for _ in range(8):
        state = game.initial
        for _ in range(dice.randint(2, 5)):
            after = state.next([dice.choice(state.legal(role)) for role in game.roles])
            state = state if after.is_terminal else after
        expected, found = full.solve(state), proof.solve(state)
        assert expected.values == found.values
        assert {move.move for move in expected.best_moves} == {move.move for move in found.best_moves}
    with pytest.raises(woodstock.BudgetExceeded):
        Solver(connect(5, 4, 4), method="proof", max_states=100).solve()
    with pytest.raises(woodstock.GameError, match="goals against optimal opponents"):
        Solver(game, method="proof", opponent="random")
