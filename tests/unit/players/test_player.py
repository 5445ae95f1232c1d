"""Players in matches: started, asked for moves, closed; trees kept, thinking ahead, plans followed."""

from __future__ import annotations

import random
import threading
import time

import pytest

import woodstock
from woodstock.errors import GameError
from woodstock.players import Task
from woodstock.players.plan import Planner
from woodstock.players.search_player import SearchPlayer

PUZZLE = """
(role robot) (init (at 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (legal robot go) (true (at ?x)) (succ ?x ?y))
(<= (legal robot give-up) (true (at ?x)) (succ ?x ?y))
(<= (next (at ?y)) (does robot go) (true (at ?x)) (succ ?x ?y))
(<= (next lost) (does robot give-up))
(<= terminal (true lost)) (<= terminal (true (at 5)))
(<= (goal robot 100) (true (at 5))) (<= (goal robot 0) (true lost))
"""


@pytest.fixture(scope="module")
def tic_tac_toe() -> woodstock.Game:
    return woodstock.load("tic-tac-toe")


def play(game: woodstock.Game, players: dict[str, SearchPlayer], simulations: int) -> woodstock.State:
    for role, player in players.items():
        player.start(Task(game, role), None)
    state = game.initial
    while not state.is_terminal:
        state = state.next(
            {role: player.decide(state, simulations=simulations).move for role, player in players.items()}
        )
    for player in players.values():
        player.stop(None)
    return state


@pytest.mark.parametrize("rival", ["random", "uct", "grave", "flat-mc"])
def test_tic_tac_toe_is_never_lost(tic_tac_toe: woodstock.Game, rival: str) -> None:
    for number in range(4):
        ours, theirs = tic_tac_toe.roles if number % 2 == 0 else tuple(reversed(tic_tac_toe.roles))
        players = {ours: SearchPlayer(f"mac-ucb:seed={number}"), theirs: SearchPlayer(f"{rival}:seed={number}")}
        end = play(tic_tac_toe, players, 30_000)
        assert (end.goals[ours] or 0) >= 50, (rival, number)


@pytest.mark.full
@pytest.mark.parametrize("rival", ["random", "uct", "uct-sym", "grave", "grave-sym", "mac-ucb", "fc-ucb", "flat-mc"])
def test_tic_tac_toe_is_never_lost_in_many_matches(tic_tac_toe: woodstock.Game, rival: str) -> None:
    for number in range(100):
        ours, theirs = tic_tac_toe.roles if number % 2 == 0 else tuple(reversed(tic_tac_toe.roles))
        players = {ours: SearchPlayer(f"mac-ucb-sym:seed={number}"), theirs: SearchPlayer(f"{rival}:seed={number}")}
        end = play(tic_tac_toe, players, 30_000)
        assert (end.goals[ours] or 0) >= 50, (rival, number)


def test_the_tree_is_kept_from_move_to_move() -> None:
    game = woodstock.load("connect-four")
    player = SearchPlayer("mac-ucb")
    player.start(Task(game, game.roles[0]), None)
    first = player.decide(game.initial, simulations=60_000)
    state = game.initial.next([first.move, game.initial.legal(game.roles[1])[0]])
    state = state.next([state.legal(game.roles[0])[0], state.legal(game.roles[1])[0]])
    second = player.decide(state, simulations=1)
    # A new tree would hold little more than the root's children.
    assert second.statistics["nodes"] > 100
    player.stop(None)


def test_a_player_thinks_while_others_do() -> None:
    game = woodstock.load("connect-four")
    player = SearchPlayer("mac-ucb:ponder=yes,learn=no")
    player.start(Task(game, game.roles[0]), time.monotonic() + 30)
    time.sleep(0.3)
    decision = player.decide(game.initial, simulations=1)
    assert decision.statistics["nodes"] > 100
    player.stop(None)


def test_an_interrupt_ends_a_search_at_once() -> None:
    game = woodstock.load("connect-four")
    player = SearchPlayer("mac-ucb")
    player.start(Task(game, game.roles[0]), None)
    timer = threading.Timer(0.5, player.interrupt)
    timer.start()
    decision = player.decide(game.initial, time.monotonic() + 100_000)  # comes back because of the interrupt
    assert decision.move in game.initial.legal(game.roles[0])
    player.stop(None)


def test_an_interrupt_ends_the_wait_for_a_plan_and_the_search_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    game = woodstock.loads(PUZZLE)
    player = SearchPlayer("mac-ucb")

    def is_running(_planner: Planner) -> bool:
        player.interrupt()
        return True

    monkeypatch.setattr(Planner, "start", lambda _planner, _state: None)
    monkeypatch.setattr(Planner, "is_running", property(is_running))
    player.start(Task(game, "robot"), time.monotonic() + 100_000)  # comes back because of the interrupt
    decision = player.decide(game.initial, time.monotonic() + 100_000)  # so does this
    assert decision.move in game.initial.legal("robot")
    player.stop(None)


def test_a_plan_is_played_to_its_end() -> None:
    game = woodstock.loads(PUZZLE)
    player = SearchPlayer("mac-ucb")
    player.start(Task(game, "robot"), time.monotonic() + 10)
    state = game.initial
    while not state.is_terminal:
        decision = player.decide(state, time.monotonic() + 1)
        state = state.next(decision.move)
    assert state.goals["robot"] == 100
    player.stop(None)


def test_a_player_must_be_started(tic_tac_toe: woodstock.Game) -> None:
    with pytest.raises(GameError, match="was not started"):
        SearchPlayer("uct").decide(tic_tac_toe.initial, simulations=10)
    player = SearchPlayer("uct")
    player.start(Task(tic_tac_toe, "x"), None)
    with pytest.raises(GameError, match="a deadline or a number of simulations"):
        player.decide(tic_tac_toe.initial)


def test_simple_players_choose_legal_moves(tic_tac_toe: woodstock.Game) -> None:
    first = SearchPlayer("legal")
    first.start(Task(tic_tac_toe, "x"), None)
    assert first.decide(tic_tac_toe.initial, simulations=1).move == tic_tac_toe.initial.legal("x")[0]
    chance = random.Random(0)
    for name in ("random", "random:seed=3"):
        player = SearchPlayer(name)
        player.start(Task(tic_tac_toe, "x"), None)
        state = tic_tac_toe.initial
        assert player.decide(state, time.monotonic() + chance.random()).move in state.legal("x")


def test_a_puzzle_without_an_end_is_known_as_such() -> None:
    game = woodstock.loads(
        "(role robot) (init (at 0)) (legal robot stay) (legal robot go) (<= (next (at 1)) (does robot go))"
        "(<= (next (at 0)) (does robot stay)) (<= terminal (true (at 2))) (<= (goal robot 100) (true (at 1)))",
        "endless",
    )
    player = SearchPlayer("mac-ucb")
    player.start(Task(game, "robot"), time.monotonic() + 60)
    assert player.is_without_end
    assert player.decide(game.initial, simulations=100).move in ("stay", "go")
    assert player.is_without_end, "it is not looked for again"
    player.stop(None)


def test_a_handicap_is_a_share_of_each_move_s_clock() -> None:
    game = woodstock.load("connect-four")
    seconds = []
    for spec in ("mac-ucb:learn=no", "mac-ucb:learn=no,time=0.2"):
        player = SearchPlayer(spec)
        player.start(Task(game, game.roles[0], play_clock_s=0.5, clock="cpu"), time.monotonic() + 20)
        begun = time.thread_time()
        player.move(player.task.first_view, time.monotonic() + 60)
        seconds.append(time.thread_time() - begun)
        player.stop(None)
    assert seconds[0] == pytest.approx(0.5, abs=0.1)
    assert seconds[1] == pytest.approx(0.1, abs=0.05)


def test_a_player_thinks_in_the_whole_start_clock_if_asked() -> None:
    game = woodstock.load("connect-four")
    seen = {}
    # What all players share is made once.
    SearchPlayer("mac-ucb").start(Task(game, game.roles[0], simulations=100), time.monotonic() + 20)
    for spec in ("mac-ucb:start=no", "mac-ucb:start=yes"):
        player = SearchPlayer(spec)
        begun = time.monotonic()
        player.start(Task(game, game.roles[0], simulations=100), begun + 0.6)
        seen[spec] = time.monotonic() - begun, player.decide(game.initial, simulations=100).statistics["nodes"]
        player.stop(None)
    assert seen["mac-ucb:start=yes"][0] > 0.5
    assert seen["mac-ucb:start=yes"][1] > 10 * seen["mac-ucb:start=no"][1]


def test_a_player_ponders_on_the_state_that_its_move_leads_to() -> None:
    game = woodstock.load("connect-four")
    player = SearchPlayer("mac-ucb:ponder=yes")
    player.start(Task(game, game.roles[0], simulations=1000), time.monotonic() + 20)
    decision = player.decide(game.initial, simulations=1000)
    after = game.initial.next({game.roles[0]: decision.move, game.roles[1]: "noop"})
    time.sleep(1)
    reply = after.next({game.roles[0]: "noop", game.roles[1]: after.legal(game.roles[1])[3]})
    assert player.decide(reply, simulations=1).statistics["nodes"] > 300
    player.stop(None)
