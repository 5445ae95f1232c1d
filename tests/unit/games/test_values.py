"""Values of games that are known exactly, computed on the rules themselves."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from functools import cache

import pytest
from tests.unit.games.oracles.duels import ReflectConnectSix
from tests.unit.games.oracles.puzzles import EightPuzzle, Hunter, HunterBig, Sudoku, UntwistyCorridor
from tests.unit.games.oracles.races import VectorRacer, VectorRacer6

import woodstock
from woodstock import State
from woodstock.games import find


def expected(state: State, role: str) -> Fraction:
    """Return what a role expects if it plays best, and all others and chance at random."""

    @cache
    def value(state: State) -> Fraction:
        if state.is_terminal:
            return Fraction(state.goals[role] or 0)
        others = [state.legal(name) for name in state.game.roles if name != role]
        combinations = list(itertools.product(*others))
        best = Fraction(-1)
        for move in state.legal(role):
            total = Fraction(0)
            for combination in combinations:
                joint = dict(zip([name for name in state.game.roles if name != role], combination, strict=True))
                total += value(state.next({**joint, role: move}))
            best = max(best, total / len(combinations))
        return best

    return value(state)


def minimax(state: State, memory: dict[State, int]) -> int:
    """Return the goal of the first role with best play of both, in a game of turns."""
    if state.is_terminal:
        return state.goals[state.game.roles[0]] or 0
    if state not in memory:
        first, second = state.game.roles
        moves = [(a, b) for a in state.legal(first) for b in state.legal(second)]
        values = (minimax(state.next(move), memory) for move in moves)
        memory[state] = max(values) if len(state.legal(second)) == 1 and "noop" in state.legal(second) else min(values)
    return memory[state]


def test_tic_tac_toe_is_a_draw() -> None:
    assert minimax(woodstock.load("tic-tac-toe").initial, {}) == 50


def test_nim_is_won_by_the_second_player() -> None:
    assert minimax(woodstock.load("nim").initial, {}) == 0


@pytest.mark.parametrize("size", [2, 3])
def test_small_hex_is_won_by_the_first_player(size: int) -> None:
    text = find("hex").read().replace("(last 9)", f"(last {size})")
    lines = [line for line in text.splitlines() if not line.startswith("(succ") or int(line[6]) < size]
    assert minimax(woodstock.loads("\n".join(lines)).initial, {}) == 100


def test_agreeing_on_pennies_is_worth_a_half() -> None:
    game = woodstock.load("cooperative-matching-pennies")
    values = {}
    for alice, bob in itertools.product(("(turn heads)", "(turn tails)"), repeat=2):
        state = game.initial.next([alice, bob, "noop"])
        values[alice == bob] = expected(state, "alice")
    assert values == {True: 50, False: 0}


@pytest.mark.parametrize(("move", "value"), [("stay", Fraction(100, 3)), ("switch", Fraction(200, 3))])
def test_switching_doors_doubles_the_chance(move: str, value: Fraction) -> None:
    """The candidate does not see the car, so it cannot be asked for the best move in each state: the plan is fixed."""

    def average(state: State) -> Fraction:
        if state.is_terminal:
            return Fraction(state.goals["candidate"] or 0)
        candidate = [move] if move in state.legal("candidate") else list(state.legal("candidate"))
        joint = list(itertools.product(candidate, state.legal("random")))
        return sum((average(state.next(moves)) for moves in joint), Fraction(0)) / len(joint)

    assert average(woodstock.load("monty-hall").initial) == value


def test_a_nearly_empty_orchard() -> None:
    """Two fruits on two trees, one piece of the raven missing: each roll wins, loses or repeats."""
    trees = ["(tree apple 1)", "(tree pear 1)", "(tree cherry 0)", "(tree plum 0)"]
    game = woodstock.load("orchard")
    state = game.state([*trees, "(raven 8)", "(control alice)"])
    outcomes = [state.next(["noop", "noop", roll]) for roll in state.legal("random")]
    assert len(outcomes) == 6
    lost = [after for after in outcomes if after.is_terminal]
    assert len(lost) == 1 and lost[0].goals["alice"] == 0
    # With x for two trees and y for one: x = (2y + 1 + 2x) / 6 and y = (1 + 1 + 3y) / 6, so y = 2/3 and x = 7/12.
    with_basket = next(after for after in outcomes if "basket" in after.fluents)
    assert with_basket.legal("alice") == ("(pick apple pear)",)
    assert with_basket.next(["(pick apple pear)", "noop", "noop"]).goals["alice"] == 100
    assert sum(after.fluents >= set(trees) | {"(raven 8)", "(control bob)"} for after in outcomes) == 2


@pytest.mark.full
def test_the_eight_puzzle_takes_twenty_moves() -> None:
    puzzle = EightPuzzle()
    level, seen, moves = {puzzle.initial()[0]}, set(), 0
    while not any(puzzle.solved((tiles, 0)) for tiles in level):
        seen |= level
        level = {puzzle.play((tiles, 0), move)[0] for tiles in level for move in puzzle.moves((tiles, 0))} - seen
        moves += 1
    assert moves == 20


def test_a_tour_of_the_hunter_takes_all_pawns() -> None:
    """Always jump to where the fewest jumps lead on, ties in the order of `offers`."""
    puzzle, state = HunterBig(), woodstock.load("hunter-big").initial

    def exits(twin: tuple[tuple[int, int], frozenset[tuple[int, int]], int], move: str) -> int:
        after = puzzle.play(twin, move)
        return sum(len(puzzle.play(after, onward)[1]) < len(after[1]) for onward in puzzle.moves(after))

    twin = puzzle.initial()
    while not puzzle.is_terminal(twin):
        offers = [move for move in puzzle.moves(twin) if len(puzzle.play(twin, move)[1]) < len(twin[1])]
        move = min(offers, key=lambda move: exits(twin, move))
        state, twin = state.next([move]), puzzle.play(twin, move)
    assert state.is_terminal and state.goals == {"robot": 100}


def test_exactly_one_row_of_doors_leads_through_the_corridor() -> None:
    states = {woodstock.load("untwisty-corridor").initial: 1}
    for right in UntwistyCorridor.doors:
        after: dict[State, int] = {}
        for state, ways in states.items():
            for door in state.legal("robot"):
                after[state.next([door])] = after.get(state.next([door]), 0) + ways
        states = after
        assert sorted(states.values())[0] == 1 and len(states) == 2, right
    assert {state.goals["robot"]: ways for state, ways in states.items()} == {100: 1, 0: 10**9 - 1}


def test_thirteen_pawns_are_the_most_on_the_small_board_of_the_hunter() -> None:
    puzzle = Hunter()
    level = {puzzle.initial()}
    for _ in range(puzzle.limit):
        level = {puzzle.play(twin, move) for twin in level for move in puzzle.moves(twin)}
    assert max(puzzle.goals(twin)[0] for twin in level) == 87
    assert max(woodstock.solve_game(woodstock.load("hunter")).values.values()) == 87


@pytest.mark.parametrize(
    ("race", "name", "places", "shortest"),
    [(VectorRacer(), "vector-racer", 584, 11), (VectorRacer6(), "vector-racer-6", 698, 12)],
)
def test_every_place_and_speed_of_the_racer_agrees_and_so_does_the_shortest_lap(
    race: VectorRacer, name: str, places: int, shortest: int
) -> None:
    level, seen, goals = [(woodstock.load(name).initial, race.initial())], set(), {}
    while level:
        after = []
        for state, twin in level:
            assert state.is_terminal == race.is_terminal(twin)
            if state.is_terminal:
                goals[twin[-1]] = state.goals["robot"]
                continue
            assert set(state.legal("robot")) == set(race.moves(twin))
            for move in race.moves(twin):
                ahead = race.play(twin, move)
                if ahead[:-1] not in seen:
                    seen.add(ahead[:-1])
                    after.append((state.next([move]), ahead))
        level = after
    assert len(seen) == places and min(goals) == shortest and goals[shortest] == 100


def test_lines_of_reflect_connect_are_measured_alike_on_random_boards() -> None:
    """Lines of three and four are rare in random matches."""
    game, oracle, rng, goals = woodstock.load("reflect-connect-six"), ReflectConnectSix(), random.Random(1), set()
    cells = sorted(oracle.squares[0] | oracle.squares[1])
    rest = ["(captures red 0)", "(captures blue 0)", "(control red)", "(step 40)"]
    for _ in range(200):
        weights = (rng.choice((2, 8)), rng.choice((2, 8)), 10)
        owners = dict(zip(cells, rng.choices(("red", "blue", "b"), weights, k=len(cells)), strict=True))
        held = [frozenset(cell for cell, owner in owners.items() if owner == role) for role in oracle.roles]
        state = game.state([*(f"(cell {x} {y} {owner})" for (x, y), owner in owners.items()), *rest])
        assert tuple(state.goals.values()) == oracle.goals((*held, (0, 0), 40))
        early = game.state(state.fluents - {"(step 40)"} | {"(step 38)"})
        assert early.is_terminal == oracle.is_terminal((*held, (0, 0), 38))
        goals.add(state.goals["red"])
    assert goals >= {20, 30, 50, 70, 80}


def test_the_sudoku_has_one_solution() -> None:
    def solutions(board: dict[tuple[int, int], int]) -> int:
        cells = [(x, y) for x in range(1, 10) for y in range(1, 10) if (x, y) not in board]
        if not cells:
            return 1
        fits = {cell: set(range(1, 10)) - {board[near] for near in board if _sees(cell, near)} for cell in cells}
        cell = min(cells, key=lambda cell: len(fits[cell]))
        return sum(solutions({**board, cell: number}) for number in fits[cell])

    assert solutions(dict(Sudoku().initial())) == 1


def _sees(cell: tuple[int, int], other: tuple[int, int]) -> bool:
    same_block = all((a - 1) // 3 == (b - 1) // 3 for a, b in zip(cell, other, strict=True))
    return cell[0] == other[0] or cell[1] == other[1] or same_block


@pytest.mark.full
def test_the_orchard_is_won_with_probability_684() -> None:
    @cache
    def value(trees: tuple[int, ...], raven: int) -> Fraction:
        if not any(trees):
            return Fraction(1)
        if raven == 9:
            return Fraction(0)

        def after(*picked: int) -> Fraction:
            left = list(trees)
            for tree in picked:
                left[tree] -= 1
            return value(tuple(sorted(left)), raven)

        bearing = [tree for tree in range(4) if trees[tree]]
        pairs = [(a, b) for a in bearing for b in bearing if a < b or (a == b and trees[a] > 1)]
        basket = max((after(*pair) for pair in pairs), default=None)
        total = sum((after(tree) for tree in bearing), value(trees, raven + 1))
        # An empty tree changes nothing, so the other faces share its probability.
        return (total + (basket if basket is not None else after(bearing[0]))) / (len(bearing) + 2)

    assert round(float(value((10, 10, 10, 10), 0)), 4) == 0.6840


BEAR_OFF = {
    (1, 1): 36,
    (2, 1): 36,
    (2, 2): 26,
    (3, 1): 34,
    (3, 2): 25,
    (3, 3): 17,
    (4, 1): 29,
    (4, 2): 23,
    (4, 3): 17,
    (4, 4): 11,
    (5, 1): 23,
    (5, 2): 19,
    (5, 3): 14,
    (5, 4): 10,
    (5, 5): 6,
    (6, 1): 15,
    (6, 2): 13,
    (6, 3): 10,
    (6, 4): 8,
    (6, 5): 6,
    (6, 6): 4,
    (6,): 27,
}
"""Rolls of 36 that bear off the last checkers of backgammon, by the points they are on: known from every book."""


def test_the_last_checkers_of_backgammon() -> None:
    """White has one roll: the other side bears off its last checker after that."""
    game = woodstock.load("backgammon")
    black = ["(point 24 black 1)", "(off black 14)", "(bar black 0)"]
    for points, rolls in BEAR_OFF.items():
        white = [f"(point {point} white {points.count(point)})" for point in set(points)]
        rest = [f"(off white {15 - len(points)})", "(bar white 0)", "(control white)", "(rolls 40)"]
        assert expected(game.state([*white, *rest, *black]), "white") == Fraction(100 * rolls, 36)
