"""Exact values of games with hidden information or simultaneous moves: what their pages say, computed again.

Games of one player are solved on the rules, over what the player can know; the others by arguments that are short to
write down: a strategy for each side, and what it guarantees against everything the other one can do.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from fractions import Fraction
from functools import cache

import pytest
from tests.unit.games.oracles.bluffs import VALUES, worth

import woodstock
from woodstock import Game, State
from woodstock.games import find

Belief = dict[State, Fraction]


def value_of_knowing(game: Game, role: str) -> Fraction:
    """Return what a role can expect that plays alone against chance, by what it sees."""
    memory: dict[frozenset[tuple[State, Fraction]], Fraction] = {}
    index = game.roles.index(role)

    def follow(belief: Belief, move: str) -> dict[tuple[str, ...], Belief]:
        classes: dict[tuple[str, ...], Belief] = defaultdict(lambda: defaultdict(Fraction))
        for state, weight in belief.items():
            options = [(move,) if i == index else state.legal(name) for i, name in enumerate(game.roles)]
            joints = list(itertools.product(*options))
            for joint in joints:
                after = state.next(joint)
                classes[after.sees(role)][after] += weight / len(joints)
        return classes

    def value(belief: Belief) -> Fraction:
        """Return the expected goal, not divided by the probability of the belief."""
        ends = sum((w * (s.goals[role] or 0) for s, w in belief.items() if s.is_terminal), Fraction(0))
        going = {state: weight for state, weight in belief.items() if not state.is_terminal}
        if not going:
            return ends
        total = sum(going.values())
        key = frozenset((state, weight / total) for state, weight in going.items())
        if key not in memory:
            scaled = dict(key)
            (legal,) = {state.legal(role) for state in scaled}
            memory[key] = max(sum(map(value, follow(scaled, move).values()), Fraction(0)) for move in legal)
        return ends + total * memory[key]

    return value({game.initial: Fraction(1)})


def test_monty_hall_is_worth_two_thirds() -> None:
    assert value_of_knowing(woodstock.load("monty-hall"), "candidate") == Fraction(200, 3)


def test_the_tiger_is_worth_listening_to() -> None:
    assert value_of_knowing(woodstock.load("tiger"), "player") == Fraction(1467922755477, 16000000000)


@pytest.mark.parametrize(
    ("last", "value"), [(4, 80), (6, Fraction(220, 3)), pytest.param(16, 60, marks=pytest.mark.full)]
)
def test_questions_are_worth_their_price(last: int, value: Fraction) -> None:
    lines = find("number-guessing").read().splitlines()
    kept = [line for line in lines if not line.startswith("(succ") or int(line.split()[1]) < max(last, 9)]
    rules = "\n".join(kept).replace("(<= (number ?n) (succ ?m ?n))", "")
    rules += "".join(f"(number {n})" for n in range(1, last + 1))
    assert value_of_knowing(woodstock.loads(rules), "player") == value


def test_a_banker_who_keeps_the_secret_gets_25() -> None:
    """Five notes in each bank against any thief, and a thief who robs in proportion to the notes."""
    game = woodstock.load("banker-and-thief")
    worst, best = [], []
    for own in ("left", "right"):
        start = game.initial.next(["noop", "noop", f"(choose {own})"])
        for deposits in itertools.product(("left", "right"), repeat=10):
            notes = deposits.count(own)
            # The order of notes does not matter, so the first one of each number stands for all.
            if list(deposits) != sorted(deposits):
                continue
            state = start
            for bank in deposits:
                state = state.next([f"(deposit {bank})", "noop", "noop"])
            kept = {
                bank: state.next(["noop", f"(rob {bank})", "noop"]).goals["banker"] or 0 for bank in ("left", "right")
            }
            best.append(sum(Fraction(deposits.count(bank), 10) * goal for bank, goal in kept.items()))
            if notes == 5:
                worst.append(kept)
    assert max(best) == 25
    assert {sum(kept[bank] for kept in worst) / 2 for bank in ("left", "right")} == {25}


def test_a_scan_is_worth_a_turn() -> None:
    @cache
    def value(mine: int, theirs: int, can_scan: bool) -> Fraction:
        """Return the chance of the player on turn, who has not ruled out that many cells; the other one `theirs`."""
        if mine == 1:
            return Fraction(1)
        fire = Fraction(1, mine) + (1 - Fraction(1, mine)) * (1 - value(theirs, mine - 1, theirs > 1))
        return max(fire, 1 - value(theirs, 1, theirs > 1)) if can_scan else fire

    assert value(16, 16, True) == Fraction(15, 16)


def test_equal_chances_are_best_in_simultaneous_tic_tac_toe() -> None:
    """In every state both guarantee the same by choosing each free cell equally often."""

    @cache
    def value(state: State) -> Fraction:
        if state.is_terminal:
            return Fraction(state.goals["x"] or 0)
        rows = [[value(state.next([x, o])) for o in state.legal("o")] for x in state.legal("x")]
        least: Fraction = min(sum(column) / len(rows) for column in zip(*rows, strict=True))
        most = max(sum(row) / len(row) for row in rows)
        assert least == most
        return least

    assert value(woodstock.load("simultaneous-tic-tac-toe-2x2").initial) == Fraction(125, 3)


def test_the_value_of_meier() -> None:
    """One linear program for each claim, from the highest: what a speaker says for each throw, against both answers."""
    optimize = pytest.importorskip("scipy.optimize", reason="scipy is not here: pip install scipy")
    throws = [worth(a, b) for a in range(1, 7) for b in range(1, 7)]
    chances = [throws.count(value) / 36 for value in VALUES]
    count = len(VALUES)
    values = [0.0] * count
    for last in range(count - 2, -2, -1):
        claims = range(last + 1, count)
        width = len(claims)
        above, equal = [], []
        for number, claim in enumerate(claims):
            doubted = [-float(i // width >= claim and i % width == number) for i in range(count * width)]
            believed = [-(1 - values[claim]) * (i % width == number) for i in range(count * width)]
            guaranteed = [float(i == number) for i in range(width)]
            above += [doubted + guaranteed] + [believed + guaranteed] * (claim < count - 1)
        for throw in range(count):
            equal.append([float(i // width == throw) for i in range(count * width)] + [0.0] * width)
        cost = [0.0] * (count * width) + [-1.0] * width
        result = optimize.linprog(cost, above, [0.0] * len(above), equal, chances)
        values[last] = -result.fun
    assert 100 * values[-1] == pytest.approx(64.794, abs=1e-3)
