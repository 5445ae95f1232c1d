"""The published players: exact values where a subtree is complete, real shares of time, clear options."""

from __future__ import annotations

import random
import threading
import time
import weakref
from typing import Any

import pytest
from tests.unit.players import rules

import woodstock
from woodstock.gdl.chance import without_chance
from woodstock.players import preparation
from woodstock.players.options import PlayerError
from woodstock.players.player import Task
from woodstock.players.search_player import SearchPlayer
from woodstock.players.spec import parse_spec

STAGED = ("mac-ucb-2015", "fc-ucb-2016", "mac-ucb-sym-2017")
PUBLISHED = (*STAGED, "uct-2016", "uct-sym-2017", "grave-2015", "grave-sym-2017")

# x to move wins at once with (mark 3 1); anything else loses to o's (mark 3 2) or goes on.
TACTICAL = """
(cell 1 1 x) (cell 2 1 x) (cell 3 1 b) (cell 1 2 o) (cell 2 2 o) (cell 3 2 b) (cell 1 3 b) (cell 2 3 b) (cell 3 3 b)
(control x)
"""
# x chooses row 1 and gets (1,1); o chooses column 2 and gets (2,2).
EXAMPLE_5 = (
    ["(choose_row 1)", "noop", "noop"],
    ["noop", "noop", "(mark 1 1 x)"],
    ["noop", "(choose_column 2)", "noop"],
    ["noop", "noop", "(mark 2 2 o)"],
)


def think(player: str, name: str, fluents: str | None = None, **budget: Any) -> woodstock.Decision:
    game = woodstock.load(name)
    state = game.initial if fluents is None else game.state(["(" + f.strip("() \n") + ")" for f in split(fluents)])
    return woodstock.search(state, player, **budget)


def split(text: str) -> list[str]:
    return [part for part in text.replace("\n", " ").replace(") (", ")|(").split("|") if part.strip()]


@pytest.mark.parametrize("player", PUBLISHED)
def test_a_win_in_one_move_is_found(player: str) -> None:
    decision = think(player, "tic-tac-toe", TACTICAL, simulations=3000)
    assert decision.move == "(mark 3 1)"
    assert decision.value > 90 or not decision.is_proven


@pytest.mark.parametrize("player", STAGED)
def test_a_completed_tree_has_exact_values(player: str) -> None:
    decision = think(player, "tic-tac-toe", simulations=10**9)
    assert decision.is_proven
    assert decision.values == {"x": 50.0, "o": 50.0}
    assert all(move.is_proven and move.value == 50 for move in decision.moves), "all nine first moves draw"
    assert decision.statistics["stages_by_circuit"] == 0
    assert decision.statistics["nodes"] <= 5478, "states of tic-tac-toe"


def test_uct_knows_the_subtrees_that_it_has_explored() -> None:
    decision = think("uct-2016", "tic-tac-toe", TACTICAL, simulations=20_000)
    assert decision.moves[0].is_proven and decision.moves[0].value == 100
    assert decision.statistics["nodes"] < 1000


@pytest.mark.parametrize("player", PUBLISHED)
def test_searches_can_be_repeated_exactly(player: str) -> None:
    first, second = (think(f"{player}:seed=7", "connect-four", simulations=400) for _ in range(2))
    assert [(m.move, m.visits, m.value) for m in first.moves] == [(m.move, m.visits, m.value) for m in second.moves]


def test_past_the_horizon_everybody_gets_nothing() -> None:
    decision = think("mac-ucb-2015:horizon=2", "connect-four", simulations=100_000)
    assert decision.is_proven and set(decision.values.values()) == {0.0}
    assert think("uct-2016:horizon=2", "connect-four", simulations=500).values["red"] == 0


@pytest.mark.parametrize("player", PUBLISHED)
def test_past_the_horizon_there_is_still_a_legal_move(player: str) -> None:
    game = woodstock.load("connect-four")
    seated = SearchPlayer(f"{player}:horizon=2")
    seated.start(Task(game, "red"), None)
    state = game.initial
    for _ in range(3):
        decision = seated.decide(state, simulations=200)
        assert decision.move in state.legal("red") and not seated.notes
        state = state.next([decision.move, "noop"])
        state = state.next(["noop", state.legal("black")[0]])
    seated.stop(None)


def test_chance_is_averaged() -> None:
    """Cooperative matching pennies [CONS, example 2]: 1/2 for both if they agree."""
    game = woodstock.load("cooperative-matching-pennies")
    agreed = game.initial.next(["(turn heads)", "(turn heads)", "noop"])
    for player in STAGED:
        decision = woodstock.search(agreed, player, role="alice", simulations=2000)
        assert decision.is_proven and decision.values["alice"] == decision.values["bob"] == 50


@pytest.mark.parametrize(
    ("name", "solve"), [("connect-four", 0.9), ("breakthrough", 0.5), ("kaseklau", 0.9), ("reversi-suicide", 0.9)]
)
def test_the_share_of_solving_is_real(name: str, solve: float) -> None:
    game = woodstock.load(name)
    player = SearchPlayer(f"mac-ucb-2015:solve={solve}")
    role = without_chance(game.roles)[0]
    player.start(Task(game, role), None)
    chance = random.Random(1)
    state = game.initial
    while len(state.legal(role)) == 1:
        state = state.next([chance.choice(state.legal(other)) for other in game.roles])
    decision = player.decide(state, time.monotonic() + 30, cpu_seconds=0.7)
    player.stop(None)
    found = decision.statistics
    spent = found["solve_seconds"] + found["sample_seconds"]
    assert abs(found["solve_seconds"] / spent - solve) <= 0.02
    assert spent > 0.65, "the shares are shares of all the time"


def test_the_shares_of_three_are_real() -> None:
    game = woodstock.load("connect-four")
    player = SearchPlayer("mac-ucb-sym-2017:shares=40/40/20")
    player.start(Task(game, "red"), None)
    found = player.decide(game.initial, time.monotonic() + 30, cpu_seconds=1.0).statistics
    player.stop(None)
    parts = [found[f"{part}_seconds"] for part in ("solve", "sample", "symmetry")]
    for part, share in zip(parts, (0.4, 0.4, 0.2), strict=True):
        assert abs(part / sum(parts) - share) <= 0.03
    assert found["merged_moves"] > 0 and found["symmetry_searches"] > 0


@pytest.mark.parametrize("name", ["hex", pytest.param("chess", marks=pytest.mark.full)])
def test_a_stage_that_takes_long_gives_way_to_playouts(name: str) -> None:
    """Forward checking takes a tenth of a second for a stage of hex, and longer in chess."""
    game = woodstock.load(name)
    player = SearchPlayer("fc-ucb-2016")
    player.start(Task(game, game.roles[0]), None)
    found = player.decide(game.initial, time.monotonic() + 60, cpu_seconds=0.6).statistics
    player.stop(None)
    spent = found["solve_seconds"] + found["sample_seconds"]
    assert abs(found["solve_seconds"] / spent - 0.9) <= 0.02 and found["simulations"] > 0


@pytest.mark.parametrize(("player", "share"), [("uct-sym-2017", 0.2), ("grave-sym-2017", 0.25)])
def test_the_share_of_symmetries_is_spent(player: str, share: float) -> None:
    """In breakthrough it finds little and is spent all the same, as printed."""
    game = woodstock.load("breakthrough")
    seated = SearchPlayer(player)
    seated.start(Task(game, "white"), None)
    found = seated.decide(game.initial, time.monotonic() + 30, cpu_seconds=0.4).statistics
    seated.stop(None)
    spent = found["symmetry_seconds"] + found["sample_seconds"]
    assert abs(found["symmetry_seconds"] / spent - share) <= 0.02 and found["symmetry_searches"] > 0


def test_moves_are_merged_as_the_group_says() -> None:
    game = woodstock.load("tic-tac-toe")
    state = game.initial.next(["(mark 1 1)", "noop"])
    seated = SearchPlayer("uct-sym-2017")
    seated.start(Task(game, "o"), None)
    decision = seated.decide(state, time.monotonic() + 30, cpu_seconds=0.3)
    seated.stop(None)
    told = {move.move: (move.visits, move.value) for move in decision.moves}
    classes = woodstock.find_symmetries(game, fix_initial=False).move_classes(state, "o")
    assert sorted(map(len, classes)) == [1, 1, 2, 2, 2]
    for same in classes:
        assert len({told[move] for move in same}) == 1
    assert decision.statistics["merged_moves"] >= 3


def test_symmetric_states_share_their_values() -> None:
    found = think("mac-ucb-sym-2017", "tic-tac-toe", simulations=10**9)
    plain = think("mac-ucb-2015", "tic-tac-toe", simulations=10**9)
    assert found.is_proven and found.statistics["values_reused"] > 0 and found.statistics["groups_beyond"] > 0
    assert found.statistics["nodes"] < plain.statistics["nodes"] / 3


def test_more_joint_moves_than_arms_prove_nothing() -> None:
    """The only move that wins is the last of 25,600, and 20,000 are looked at."""
    numbers = " ".join(f"(number {n})" for n in range(1, 161))
    text = f"""(role a) (role b) {numbers} (init start)
    (<= (legal a (pick ?x ?y)) (number ?x) (number ?y) (true start)) (<= (legal a noop) (not (true start)))
    (legal b noop) (<= (next won) (does a (pick 99 99))) (<= (next over) (true start))
    (<= terminal (true over)) (<= (goal a 100) (true won)) (<= (goal a 0) (not (true won))) (goal b 0)"""
    decision = woodstock.search(woodstock.loads(text, "many").initial, "mac-ucb-2015", role="a", simulations=100)
    assert not decision.is_proven or decision.value == 100


@pytest.mark.parametrize("player", PUBLISHED)
def test_the_clock_and_the_memory_hold(player: str) -> None:
    game = woodstock.load("breakthrough")
    seated = SearchPlayer(f"{player}:memory=2MiB")
    seated.start(Task(game, "white"), None)
    state, begun = game.initial, time.monotonic()
    for _ in range(2):
        clock = time.monotonic() + 0.3
        decision = seated.decide(state, clock)
        assert time.monotonic() < clock + 1.0  # a busy machine
        assert decision.move in state.legal("white")
        assert decision.statistics["memory_bytes"] < 3 * 2**20
        state = state.next([decision.move, "noop"])
        state = state.next(["noop", state.legal("black")[0]])
    seated.stop(None)
    assert time.monotonic() - begun < 5


def test_options_of_published_players_are_their_own() -> None:
    assert parse_spec("mac-ucb-2015").settings["solve_share"] == 0.9
    for text, needle in (
        ("mac-ucb-2015:lanes=8", "unknown option 'lanes'"),
        ("mac-ucb-2015:solve=1.5", "a number from 0.01 to 0.99"),
        ("mac-ucb-sym-2017:shares=45/30", "add up to 100"),
        ("mac-ucb-sym-2017:shares=45/30/30", "add up to 100"),
        ("mac-ucb-sym-2017:shares=nan/50/50", "add up to 100"),
        ("mac-ucb:solve=0.9", "unknown option 'solve'"),
        ("mac-ucb:stages=table", "one of circuit, mac, fc"),
    ):
        with pytest.raises(PlayerError, match=needle):
            parse_spec(text)


def test_symmetric_states_share_a_node() -> None:
    plain, shared = (think(player, "tic-tac-toe", simulations=20_000) for player in ("uct-2016", "uct-sym-2017"))
    assert shared.statistics["elements"] == 8
    assert shared.statistics["nodes"] < plain.statistics["nodes"] / 3
    assert shared.statistics["symmetry_hits"] > 0


def test_the_moves_of_example_5_are_symmetric_in_a_search() -> None:
    """SYM, example 5: after (1,1) is marked 1 and (2,2) is marked 2, all four moves of player 1 are alike."""
    game = woodstock.load("randomised-tic-tac-toe-2x2")
    state = game.initial
    for moves in EXAMPLE_5:
        state = state.next(moves)
    role = game.roles[0]
    assert len(state.legal(role)) == 4
    decision = woodstock.search(state, "mac-ucb-sym-2017", role=role, simulations=100_000)
    assert decision.is_proven
    assert len({move.value for move in decision.moves}) == 1
    assert decision.statistics["merged_moves"] > 0


def test_a_network_that_is_late_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    game = woodstock.load("tic-tac-toe")
    real, may_go_on = preparation._template, threading.Event()

    def slow(reference: weakref.ref[woodstock.Game]) -> Any:
        may_go_on.wait()
        return real(reference)

    monkeypatch.setattr(preparation, "_template", slow)
    player = SearchPlayer("mac-ucb-2015")
    try:
        player.start(Task(game, "x"), time.monotonic())
        begun = time.monotonic()
        early = player.decide(game.initial, begun + 0.4)
        assert time.monotonic() - begun < 1.5
        assert any("not ready" in note for note in early.statistics["notes"])
        may_go_on.set()
        later = player.decide(game.initial, time.monotonic() + 20, simulations=50)
        assert later.statistics["stages"] > 0
    finally:
        may_go_on.set()
        player.stop(None)


@pytest.mark.parametrize("player", PUBLISHED)
@pytest.mark.parametrize("text", [rules.ENDLESS, rules.BROKEN, rules.wide(500)], ids=["endless", "broken", "wide"])
def test_awkward_games_get_a_legal_move(text: str, player: str) -> None:
    game = woodstock.loads(text)
    decision = woodstock.search(game.initial, player, seconds=0.1)
    assert decision.move in game.initial.legal(game.roles[0])
    if text == rules.BROKEN:
        assert decision.move == "c" or "notes" in decision.statistics
