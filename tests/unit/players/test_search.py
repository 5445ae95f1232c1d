"""`woodstock.search`: exact values, determinism, budgets, and a move in every game."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any, cast

import pytest
from tests.unit.players import rules

import woodstock
from woodstock.errors import GameError
from woodstock.game.state import packed
from woodstock.players import SearchInfo
from woodstock.players.budget import Budget
from woodstock.players.options import PlayerError
from woodstock.players.searcher import TreeSearcher, make_searcher
from woodstock.players.spec import parse_spec

TREE_PLAYERS = ("mac-ucb", "mac-ucb-sym", "uct", "uct-sym", "grave", "fc-ucb")


@pytest.fixture(scope="module")
def tic_tac_toe() -> woodstock.Game:
    return woodstock.load("tic-tac-toe")


@cache
def written(text: str) -> woodstock.Game:
    """Return the game of these rules, compiled once."""
    return woodstock.loads(text)


@pytest.fixture(scope="module")
def nim() -> woodstock.Game:
    return woodstock.load("nim")


def random_states(game: woodstock.Game, count: int, seed: int) -> list[woodstock.State]:
    """Return states of random matches that are not terminal."""
    chance = random.Random(seed)
    found: list[woodstock.State] = []
    while len(found) < count:
        state = game.initial
        for _ in range(chance.randrange(2, 7)):
            if state.is_terminal:
                break
            state = state.next([chance.choice(state.legal(role)) for role in game.roles])
        if not state.is_terminal:
            found.append(state)
    return found


@pytest.mark.parametrize("player", TREE_PLAYERS)
@pytest.mark.parametrize("name", ["tic-tac-toe", "nim"])
def test_proven_values_agree_with_brute_force(name: str, player: str, request: pytest.FixtureRequest) -> None:
    game: woodstock.Game = request.getfixturevalue(name.replace("-", "_"))
    value = cast(Callable[[woodstock.State], tuple[float, ...]], rules.exact_values(game))
    proven = 0
    for state in random_states(game, 4, seed=len(player)):
        decision = woodstock.search(state, player, simulations=300_000)
        assert decision.is_proven, (player, state)
        proven += 1
        mover = game.role_index(decision.role)
        assert tuple(decision.values.values()) == pytest.approx(value(state))
        legal = [[decision.move] if role == decision.role else state.legal(role) for role in game.roles]
        after = state.next([moves[0] for moves in legal])
        assert value(after)[mover] == pytest.approx(value(state)[mover])
    assert proven == 4


def test_chance_is_averaged_exactly() -> None:
    game = woodstock.loads(rules.GAMBLE)
    decision = woodstock.search(game.initial, "mac-ucb", simulations=100_000)
    assert (decision.move, decision.value, decision.is_proven) == ("save", 30.0, True)
    values = {of.move: of.value for of in decision.moves}
    assert values["gamble"] == pytest.approx(25.0)


@pytest.mark.parametrize("player", ["mac-ucb", "uct", "grave"])
def test_cooperation_finds_the_common_best(player: str) -> None:
    game = woodstock.loads(rules.COORDINATION)
    for role in game.roles:
        decision = woodstock.search(game.initial, player, simulations=20_000, role=role)
        assert decision.move == "a"


@pytest.mark.parametrize("player", ["mac-ucb", "mac-ucb-sym", "uct", "grave", "flat-mc"])
def test_a_seed_and_a_number_of_simulations_give_one_tree(tic_tac_toe: woodstock.Game, player: str) -> None:
    first, second = (woodstock.search(tic_tac_toe.initial, f"{player}:seed=5", simulations=20_000) for _ in range(2))
    assert first.signature
    assert (first.signature, first.moves) == (second.signature, second.moves)
    other = woodstock.search(tic_tac_toe.initial, f"{player}:seed=6", simulations=20_000)
    assert other.signature != first.signature


def test_the_worth_of_the_turn_changes_the_tree_and_no_proof(tic_tac_toe: woodstock.Game) -> None:
    game = woodstock.load("connect-four")
    without, with_it = (
        woodstock.search(game.initial, player=f"mac-ucb:learn=no,turn={share}", simulations=100_000).signature
        for share in (0, 1)
    )
    assert without != with_it
    for share in (0, 1):
        found = woodstock.search(tic_tac_toe.initial, player=f"mac-ucb:turn={share}", simulations=200_000)
        assert found.is_proven
        assert found.value == 50


def test_symmetric_moves_share_their_states(tic_tac_toe: woodstock.Game) -> None:
    plain = woodstock.search(tic_tac_toe.initial, "mac-ucb:proofs=off", simulations=10**7)
    merged = woodstock.search(tic_tac_toe.initial, "mac-ucb-sym:proofs=off", simulations=10**7)
    assert plain.value == merged.value == 50.0
    assert merged.statistics["nodes"] * 4 < plain.statistics["nodes"]
    assert len(merged.moves) == 9


def test_without_symmetric_states_the_tree_is_that_without_symmetries() -> None:
    game = woodstock.load("breakthrough")
    state, dice = game.initial, random.Random(3)
    for _ in range(7):
        state = state.next({role: dice.choice(state.legal(role)) for role in game.roles})
    plain, turned = (woodstock.search(state, player, simulations=60_000) for player in ("mac-ucb", "mac-ucb-sym"))
    assert (turned.statistics["symmetry_hits"], turned.moves) == (0, plain.moves)
    assert turned.statistics["hash_hits"] == plain.statistics["hash_hits"] > 0


@pytest.mark.parametrize("player", ["mac-ucb-sym", "uct-sym", "grave-sym"])
def test_the_tree_is_found_again_after_any_of_several_symmetric_moves(tic_tac_toe: woodstock.Game, player: str) -> None:
    searcher = make_searcher(tic_tac_toe, parse_spec(player))
    assert isinstance(searcher, TreeSearcher)
    searcher.prepare(None)
    searcher.think(tic_tac_toe.initial, "x", Budget(simulations=5_000), None)
    known = {}
    for cell in ("1 1", "1 3", "3 1", "3 3"):
        assert searcher.native.set_state(packed(tic_tac_toe.initial.next([f"(mark {cell})", "noop"])))
        report = searcher.native.report(1, 0)
        known[cell] = (report["value"], {tic_tac_toe.moves("o")[of["move"]]: of["visits"] for of in report["moves"]})
    assert all(value == known["1 1"][0] for value, _ in known.values())
    # What is known of a move goes round with the board.
    assert known["1 1"][1]["(mark 2 2)"] == known["3 3"][1]["(mark 2 2)"] > 0
    assert known["1 1"][1]["(mark 1 2)"] == known["3 3"][1]["(mark 3 2)"] == known["1 3"][1]["(mark 2 3)"]
    assert known["1 1"][1]["(mark 3 3)"] == known["3 3"][1]["(mark 1 1)"] == known["3 1"][1]["(mark 1 3)"]


@pytest.mark.parametrize("player", (*TREE_PLAYERS, "flat-mc", "random", "legal"))
@pytest.mark.parametrize("text", [rules.ENDLESS, rules.BROKEN, rules.wide(3000)], ids=["endless", "broken", "wide"])
def test_awkward_games_get_a_legal_move(text: str, player: str) -> None:
    game = written(text)
    decision = woodstock.search(game.initial, player, seconds=0.15)
    assert decision.move in game.initial.legal(game.roles[0])
    if text == rules.BROKEN and player in TREE_PLAYERS:
        assert decision.move == "c"


def test_a_full_memory_still_gives_a_move() -> None:
    game = woodstock.load("breakthrough")
    decision = woodstock.search(game.initial, "mac-ucb:memory=1MiB,lanes=16", seconds=0.4)
    assert decision.move in game.initial.legal(decision.role)
    assert decision.statistics["memory_bytes"] <= 2**20


def test_moves_are_passed_over_by_confidence() -> None:
    state = woodstock.load("connect-four").initial
    found = {
        confidence: woodstock.search(state, f"mac-ucb:c=0.5,confidence={confidence}", simulations=40_000)
        for confidence in (0, 0.1)
    }
    assert found[0.1].statistics["prunings"] > found[0].statistics["prunings"] + 100
    # What is passed over is not searched, so the best move gets more of the descents.
    assert found[0.1].moves[0].visits > found[0].moves[0].visits


@pytest.mark.full
@pytest.mark.parametrize("player", TREE_PLAYERS)
def test_ten_thousand_moves_get_an_answer(player: str) -> None:
    game = woodstock.loads(rules.wide(10_000))
    decision = woodstock.search(game.initial, player, seconds=1)
    assert decision.move in game.initial.legal(decision.role)


@pytest.mark.full
def test_ten_thousand_moves_are_opened_by_and_by() -> None:
    game = woodstock.loads(rules.wide(10_000))
    decision = woodstock.search(game.initial, "mac-ucb", simulations=60_000)
    assert (decision.move, decision.value) == ("(pick 7)", 100.0)


def test_memory_is_bounded_and_the_root_keeps_its_moves() -> None:
    game = woodstock.load("breakthrough")
    decision = woodstock.search(game.initial, "mac-ucb:memory=1MiB,lanes=32", simulations=60_000)
    assert decision.statistics["collections"] > 0
    assert decision.statistics["memory_bytes"] <= 2**20
    assert decision.move in game.initial.legal(decision.role)
    assert sum(of.visits for of in decision.moves) > 1000


def test_threads_search_one_tree(tic_tac_toe: woodstock.Game) -> None:
    decision = woodstock.search(tic_tac_toe.initial, "mac-ucb:threads=3", simulations=10**7)
    assert (decision.is_proven, decision.value) == (True, 50.0)


def test_a_game_on_the_interpreter_is_sampled() -> None:
    game = woodstock.load("tic-tac-toe", engine="interpreter")
    state = game.initial.next(["(mark 1 1)", "noop"]).next(["noop", "(mark 2 1)"])
    state = state.next(["(mark 1 2)", "noop"]).next(["noop", "(mark 3 1)"])
    decision = woodstock.search(state, "mac-ucb", simulations=60)
    assert decision.move in state.legal("x")
    assert "interpreter" in decision.statistics["notes"][0]


def test_information_comes_while_it_runs() -> None:
    game = woodstock.load("connect-four")
    heard: list[SearchInfo] = []
    woodstock.search(game.initial, "mac-ucb", seconds=0.5, tell=heard.append, interval=0.05)
    assert len(heard) >= 2
    assert heard[-1].simulations >= heard[0].simulations > 0
    best = heard[-1].moves[0]
    assert best.interval[0] <= best.value <= best.interval[1]
    assert best.line[0][0] == best.move


def test_what_a_subscriber_raises_ends_the_search() -> None:
    game = woodstock.load("connect-four")

    def fail(_info: SearchInfo) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        woodstock.search(game.initial, "mac-ucb", seconds=30, tell=fail, interval=0.01)


@pytest.mark.parametrize(
    ("budget", "says"),
    [
        ({}, "needs a budget"),
        ({"seconds": 0}, "seconds must be above 0"),
        ({"simulations": -1}, "simulations must be above 0"),
    ],
)
def test_wrong_budgets_are_refused(tic_tac_toe: woodstock.Game, budget: dict[str, Any], says: str) -> None:
    with pytest.raises(PlayerError, match=says):
        woodstock.search(tic_tac_toe.initial, **budget)


def test_there_is_nothing_to_search_at_the_end(tic_tac_toe: woodstock.Game) -> None:
    state = tic_tac_toe.initial
    while not state.is_terminal:
        state = state.next([state.legal(role)[0] for role in tic_tac_toe.roles])
    with pytest.raises(GameError, match="terminal"):
        woodstock.search(state, seconds=1)
    with pytest.raises(GameError, match="no role"):
        woodstock.search(tic_tac_toe.initial, seconds=1, role="nobody")
