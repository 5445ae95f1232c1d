"""Every bundled game against an independent implementation: legal moves, ends and goals, state by state."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from tests.unit.games.oracles.compare import compare_match, oracle_perft
from tests.unit.games.oracles.oracle import State
from tests.unit.games.oracles.registry import OPENSPIEL, ORACLES, load_oracle
from tests.unit.games.oracles.stars import ChineseCheckers, advance

import woodstock
from woodstock import Game
from woodstock.games import all_games, find

NAMES = sorted(ORACLES)
TURNS = 400
MOVES = 200_000
"""A default test compares matches until it has seen that many turns, or that many moves if each turn has very many."""


@pytest.fixture(scope="module", params=NAMES)
def bundled(request: pytest.FixtureRequest) -> tuple[str, Game]:
    """A game with its name. Loading some takes seconds, so all tests of a game share it."""
    return request.param, woodstock.load(request.param)


def test_every_game_has_an_oracle() -> None:
    assert [game.name for game in all_games()] == NAMES


def test_percepts_are_compared(bundled: tuple[str, Game]) -> None:
    name, game = bundled
    oracle = load_oracle(name)
    start = oracle.initial()
    percepts = oracle.sees(start, [min(moves) for moves in oracle.legal(start)])
    assert (percepts is not None) == game.has_percepts == ("imperfect" in find(name).kinds)


def test_random_matches_agree(bundled: tuple[str, Game]) -> None:
    name, game = bundled
    oracle = load_oracle(name)
    turns = seed = 0
    most_moves = max(map(len, oracle.legal(oracle.initial())))
    while turns < min(TURNS, MOVES // most_moves) and seed < 30:
        turns += compare_match(game, oracle, seed)
        seed += 1


@pytest.mark.full
def test_a_thousand_random_matches_agree(bundled: tuple[str, Game]) -> None:
    name, game = bundled
    oracle = load_oracle(name)
    most_moves = max(map(len, oracle.legal(oracle.initial())))
    for seed in range(1000 if most_moves < 1000 else 10):
        compare_match(game, oracle, 1_000_000 + seed)


def test_move_sequences_are_counted_alike(bundled: tuple[str, Game]) -> None:
    name, game = bundled
    expected = find(name).perft
    depth = max(depth for depth, count in enumerate(expected) if count <= 3000)
    assert oracle_perft(load_oracle(name), depth) == list(expected[: depth + 1])
    rows = woodstock.perft(game.initial, depth)
    assert [row.sequences for row in rows] == list(expected[: depth + 1])


@pytest.mark.full
def test_all_move_sequences_are_counted_alike(bundled: tuple[str, Game]) -> None:
    name, game = bundled
    expected = list(find(name).perft)
    assert [row.sequences for row in woodstock.perft(game.initial, len(expected) - 1)] == expected
    assert oracle_perft(load_oracle(name), len(expected) - 1) == expected


@pytest.mark.parametrize("name", sorted(OPENSPIEL))
def test_random_matches_agree_with_openspiel(name: str) -> None:
    game, oracle = woodstock.load(name), OPENSPIEL[name]()
    turns = seed = 0
    while turns < TURNS // 2 and seed < 5:
        turns += compare_match(game, oracle, seed)
        seed += 1


@pytest.mark.full
@pytest.mark.parametrize("name", sorted(OPENSPIEL))
def test_a_thousand_random_matches_agree_with_openspiel(name: str) -> None:
    game, oracle = woodstock.load(name), OPENSPIEL[name]()
    for seed in range(1000):
        compare_match(game, oracle, seed)


def race(rng: random.Random, role: str, moves: Sequence[str]) -> str:
    """Pick the move of chinese checkers that goes farthest, mostly: random matches never arrive."""
    best = max(advance(role, move) for move in moves)
    return rng.choice([move for move in moves if advance(role, move) == best or rng.random() < 0.02])


class Races(ChineseCheckers):
    """The same rules; how matches ended is kept."""

    def __init__(self) -> None:
        self.ends: list[Sequence[int]] = []

    def goals(self, state: State) -> Sequence[int]:
        self.ends.append(super().goals(state))
        return self.ends[-1]


@pytest.mark.parametrize("matches", [1, pytest.param(1000, marks=pytest.mark.full)])
def test_races_of_chinese_checkers_agree(matches: int) -> None:
    game, oracle = woodstock.load("chinese-checkers-3"), Races()
    for seed in range(matches):
        compare_match(game, oracle, seed, race)
    assert sum(100 in goals for goals in oracle.ends) > matches // 2


def wary(rng: random.Random, _: str, moves: Sequence[str]) -> str:
    """Lay few bombs in bomberman: at random nearly everybody is burned by the first one."""
    return rng.choice([move for move in moves if move != "lay" or rng.random() < 0.2])


@pytest.mark.parametrize("matches", [30, pytest.param(1000, marks=pytest.mark.full)])
def test_wary_matches_of_bomberman_agree(matches: int) -> None:
    game, oracle = woodstock.load("bomberman"), load_oracle("bomberman")
    assert sum(compare_match(game, oracle, seed, wary) for seed in range(matches)) > 9 * matches


def test_the_last_dot_wins() -> None:
    """Random matches of pacman never come that far."""
    ghosts = ["(at blinky 1 1)", "(at pinky 1 1)", "(at inky 1 1)", "(at clyde 1 1)"]
    counts = ["(dots 1)", "(points 44)", "(control pacman)", "(moves 80)"]
    state = woodstock.load("pacman").state(["(at pacman 7 8)", "(cell 6 8 dot)", "(cell 8 8 fruit)", *ghosts, *counts])
    won, fruit = (state.next([f"(move {way})", "noop"]) for way in ("left", "right"))
    assert won.is_terminal and won.goals["pacman"] == 100
    assert not fruit.is_terminal and "(points 46)" in fruit.fluents


@pytest.mark.parametrize("rows", [1, 3, 10, 11])
def test_a_code_of_mastermind_is_found_after_some_rows(rows: int) -> None:
    """Random matches never find it; the eleventh row comes too late."""
    game, oracle = woodstock.load("mastermind"), load_oracle("mastermind")
    state, twin = game.initial, oracle.initial()
    code = ["red", "blue", "red", "green"]
    joints = [["noop", f"(hide {colour})"] for colour in code]
    joints += [[f"(lay {colour})", "noop"] for colour in (["blue", "red", "red", "red"] * (rows - 1) + code)[:40]]
    for joint in joints:
        assert not state.is_terminal and not oracle.is_terminal(twin)
        percepts = oracle.sees(twin, joint)
        state, twin = state.next(joint), oracle.next(twin, joint)
        assert percepts is not None and set(state.sees("player")) == set(percepts[0])
    assert state.is_terminal and oracle.is_terminal(twin)
    assert state.goals["player"] == oracle.goals(twin)[0] == max(0, 110 - 10 * rows)
