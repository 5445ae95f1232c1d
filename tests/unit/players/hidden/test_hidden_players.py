"""Players of hidden information against values that are known."""

from __future__ import annotations

import random
import time

import pytest

import woodstock
from woodstock import _native
from woodstock.equilibrium import exploitability
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.state import State
from woodstock.gdl.chance import without_chance
from woodstock.information import InformationState
from woodstock.information.referee import Views
from woodstock.players.budget import Budget
from woodstock.players.hidden import make_hidden_searcher
from woodstock.players.hidden.numbers import known_by
from woodstock.players.hidden.sampled import hidden_settings
from woodstock.players.preparation import preparation_of
from woodstock.players.spec import parse_spec

KINDS = ("mac-ucb-ii", "pimc", "ismcts", "oos")


def _views(game: woodstock.Game, role: str, *turns: list[str]) -> InformationState:
    states: list[State] = [game.initial]
    for moves in turns:
        states.append(states[-1].next(moves))
    return Views().of(role, states)


@pytest.fixture(scope="module")
def kuhn() -> woodstock.Game:
    return woodstock.load("kuhn-poker")


@pytest.mark.parametrize("player", [*KINDS, "mac-ucb", "uct", "grave-2015"])
def test_every_player_answers_with_what_it_knows(kuhn: woodstock.Game, player: str) -> None:
    view = _views(kuhn, "first", ["noop", "noop", "(deal 1 3)"])
    decision = woodstock.search(view, player, simulations=2000)
    assert decision.move in view.legal
    assert not decision.is_proven and not any(move.is_proven for move in decision.moves)
    assert {move.move for move in decision.moves} == set(view.legal)
    assert all(0 <= value <= 100 for value in decision.values.values())
    if decision.strategy:
        assert sum(decision.strategy.values()) == pytest.approx(1)
    again = woodstock.search(view, player, simulations=2000)
    assert (again.move, again.strategy) == (decision.move, decision.strategy), "no clock: the same answer"


def test_small_games_are_solved(kuhn: woodstock.Game) -> None:
    searcher = make_hidden_searcher(kuhn, parse_spec("mac-ucb"))
    searcher.prepare(None)

    def strategy(view: InformationState) -> dict[str, float]:
        decision = searcher.think(view, Budget(simulations=3000))
        assert decision.statistics["is_whole_game"]
        return dict(decision.strategy)

    assert exploitability(kuhn, strategy) < 0.01


@pytest.mark.parametrize(
    ("name", "turns", "role", "value", "moves"),
    [
        ("monty-hall", [["noop", "(hide 2)"]], "candidate", 200 / 3, {"(choose 1)", "(choose 2)", "(choose 3)"}),
        ("number-guessing", [["noop", "(think 11)"]], "player", 60, {"(less_than 9)"}),
        ("banker-and-thief", None, "banker", 25, None),
    ],
)
def test_information_is_paid_for_if_it_is_worth_it(
    name: str, turns: list[list[str]] | None, role: str, value: float, moves: set[str] | None
) -> None:
    game = woodstock.load(name)
    if turns is None:
        state = game.initial
        turns = [[state.legal(one)[0] for one in game.roles]]
    decision = woodstock.search(_views(game, role, *turns), "mac-ucb-ii", simulations=2000)
    assert decision.value == pytest.approx(value, rel=0.01)
    assert moves is None or decision.move in moves


def test_a_win_that_is_sure_is_not_mixed_with_anything() -> None:
    game = woodstock.load("battleships-in-fog")
    searcher = make_hidden_searcher(game, parse_spec("mac-ucb-ii"))
    searcher.prepare(None)
    for shot in ("(fire 2 1)", "(fire 3 2)", "(fire 4 3)"):
        turns = (["noop", "noop", "(launch 1 2 1 1)"], ["scan", "noop", "noop"], ["noop", shot, "noop"])
        decision = searcher.think(_views(game, "north", *turns), Budget(simulations=5_000))
        assert decision.strategy == pytest.approx(dict.fromkeys(decision.strategy, 0.0) | {"(fire 1 1)": 1.0})


def test_a_large_game_is_searched_within_its_memory_and_time() -> None:
    game = woodstock.load("krieg-tic-tac-toe-5x5")
    view = InformationState.at(game.initial, "x")
    for player in ("mac-ucb-ii", "ismcts", "oos"):
        searcher = make_hidden_searcher(game, parse_spec(f"{player}:memory=1MiB"))
        searcher.prepare(None)
        decision = searcher.think(view, Budget(time.monotonic() + 10, cpu_seconds=0.2))
        assert decision.simulations > 0
        assert decision.statistics["memory_bytes"] <= 1.2 * 2**20
        begun = time.thread_time()
        searcher.think(view, Budget(time.monotonic() + 10, cpu_seconds=0.2))
        assert time.thread_time() - begun < 0.5


def test_what_cannot_be_known_is_refused(kuhn: woodstock.Game) -> None:
    view = InformationState.at(kuhn.initial, "first").after("noop", ["(hand 9)"], ["pass", "bet"])
    with pytest.raises(woodstock.GameError, match="hand 9"):
        woodstock.search(view, "mac-ucb-ii", simulations=10)


@pytest.mark.parametrize("player", KINDS)
def test_open_games_are_played_too(player: str) -> None:
    game = woodstock.load("tic-tac-toe")
    state = game.initial
    for moves in (["(mark 1 1)", "noop"], ["noop", "(mark 2 1)"], ["(mark 1 2)", "noop"], ["noop", "(mark 2 2)"]):
        state = state.next(moves)
    assert woodstock.search(state, player, simulations=5000).move == "(mark 1 3)"


@pytest.mark.parametrize("name", ["phantom-tic-tac-toe", "meier"])
def test_matches_end(name: str) -> None:
    game = woodstock.load(name)
    seats = without_chance(game.roles)
    for one, other in (("mac-ucb-sym", "pimc"), ("oos", "ismcts")):
        record = woodstock.play_match(game, dict(zip(seats, (one, other), strict=True)), simulations=300, seed=2)
        assert not any(record.errors.values())


def test_few_playouts_do_not_favour_who_chooses_last() -> None:
    # The best of many noisy values looks better than it is, and most leaves are the opponent's.
    game = woodstock.load("blind-breakthrough-6x6")
    assert isinstance(game.engine, CircuitEngine)
    prepared = preparation_of(game)
    assert prepared is not None
    prepared.batch.wait(None)
    chance = random.Random(1)
    states = [game.initial]
    for _ in range(12):
        states.append(states[-1].next([chance.choice(states[-1].legal(role)) for role in game.roles]))
    known = known_by(Views().of("white", states))
    values = []
    for lanes, simulations in ((1, 20_000), (64, 600_000)):
        native = _native.HiddenSearch(game.engine.circuit, hidden_settings(game, {"lanes": lanes}), "subgame")
        native.set_situation(known.role, known.start, known.own_moves, known.hashes, known.legal, known.seen)
        assert native.sample(200, 100, 0, 0)
        native.begin()
        native.run(0, simulations)
        values.append(native.report()["value"][0])
    assert values[0] == pytest.approx(values[1], abs=8)
