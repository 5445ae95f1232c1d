"""The net that orders the moves of the proof search beside a tree: when it learns, and what it may cost."""

from __future__ import annotations

import threading
import time

import pytest
from tests.unit.solve.connect import after_drops, connect

import woodstock
from woodstock import _native
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.state import State, packed
from woodstock.invariants import has_constant_sum
from woodstock.players import Task
from woodstock.players.search_player import SearchPlayer
from woodstock.players.searcher import TreeSearcher
from woodstock.players.spec import parse_spec
from woodstock.players.tree_proofs import TreeProofs


def _proofs(game: woodstock.Game) -> _native.TreeProofs:
    assert isinstance(game.engine, CircuitEngine)
    return _native.TreeProofs(game.engine.circuit, None, 2**20, 0.25, 1, -1)


def _tree(game: woodstock.Game, proofs: _native.TreeProofs) -> _native.TreeSearch:
    assert isinstance(game.engine, CircuitEngine)
    settings = _native.SearchSettings()
    settings.memory_bytes = 64 * 2**20
    tree = _native.TreeSearch(game.engine.circuit, settings)
    tree.set_proofs(proofs)
    tree.set_state(packed(game.initial))
    return tree


def test_it_learns_beside_the_tree() -> None:
    game = woodstock.load("connect-four")
    proofs = _proofs(game)
    _tree(game, proofs).run(0.5, 0, 0, None, 1.0, 0.0)
    assert proofs.states_taught > 100


def test_without_a_clock_it_learns_the_same_each_time() -> None:
    game = woodstock.load("connect-four")
    found = []
    for _ in range(2):
        proofs = _proofs(game)
        tree = _tree(game, proofs)
        tree.run(0.0, 40_000, 0, None, 1.0, 0.0)
        found.append((proofs.states, proofs.states_taught, tree.signature()))
    assert found[0] == found[1]
    assert found[0][1] > 0


def test_one_role_has_nothing_to_learn() -> None:
    game = woodstock.load("eight-puzzle")
    assert not _proofs(game).teach(packed(game.initial), 0.1)


def test_teaching_ends_if_it_is_not_wanted() -> None:
    game = woodstock.load("connect-four")
    proofs = TreeProofs(game, parse_spec("mac-ucb"))
    proofs.prepare(None, None, threading.Event())
    begun = time.monotonic()
    proofs.teach(game.initial, 60.0, lambda: time.monotonic() < begun + 0.1)
    assert time.monotonic() < begun + 5


def test_it_learns_in_the_start_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[State, float]] = []

    def teach(self: TreeSearcher, state: State, seconds: float, is_wanted: object) -> None:
        del self, is_wanted
        seen.append((state, seconds))

    monkeypatch.setattr(TreeSearcher, "teach_proofs", teach)
    monkeypatch.setattr("woodstock.players.learning.LEAST_S", 1.0)
    game = woodstock.load("tic-tac-toe")
    for spec, start_clock_s in (("mac-ucb", 2.0), ("mac-ucb", 0.5), ("mac-ucb:learn=no", 2.0)):
        player = SearchPlayer(spec)
        player.start(Task(game, "x", start_clock_s=start_clock_s, play_clock_s=1), time.monotonic() + start_clock_s)
        player.stop(None)
    assert len(seen) == 1
    assert seen[0][0] == game.initial and 0 < seen[0][1] <= 0.1


def test_a_proven_win_is_made_also_by_a_move_that_the_tree_gave_up() -> None:
    # Only column 4 wins; the tree likes column 5, which loses.
    state = after_drops(woodstock.load("connect-four-8x6"), "546447554571")
    found = woodstock.search(state, "mac-ucb:proofs=0.7,memory=256MiB", seconds=20)
    assert (found.move, found.value) == ("(drop 4)", 100)
    visits = {move.move: move.visits for move in found.moves}
    assert visits["(drop 4)"] < visits["(drop 5)"]


def test_in_a_proven_draw_a_move_is_made_that_is_sure_of_it() -> None:
    """Playouts may promise more of another move. In a proven draw none can be worth more, but it may lose."""
    game = woodstock.load("tic-tac-toe")
    assert isinstance(game.engine, CircuitEngine)
    settings = _native.SearchSettings()
    settings.growth = _native.Growth.WHOLE_NODE
    tree = _native.TreeSearch(game.engine.circuit, settings)
    tree.set_constant_sum()
    tree.set_state(packed(game.initial))
    tree.run(0.0, 3000, 0, None, 1.0, 0.0)
    moves = {game.moves("x")[of["move"]]: of for of in tree.report(0, 1)["moves"]}
    assert not any(of["proven"] for of in moves.values())
    liked = next(iter(moves))
    assert liked != "(mark 1 2)" and moves[liked]["value"] > 52
    after = game.initial.next({"x": "(mark 1 2)", "o": "noop"})
    assert tree.prove(packed(after), [50, 0], [100, 50])
    assert tree.prove(packed(game.initial), [50, 50], [50, 50])
    tree.run(0.0, 3000, 0, None, 1.0, 0.0)
    report = tree.report(0, 1)
    assert report["proven"] and report["simulations"] == 0, "there is nothing to search for"
    best = report["moves"][0]
    assert (game.moves("x")[best["move"]], best["bounds"][0], best["proven"]) == ("(mark 1 2)", 50, False)


def _risk() -> woodstock.Game:
    """Return a game in which `safe` is a draw and `risky` wins with three of four faces of a die.

    A bad face ends the match at once; a good one is followed by many moves that change nothing.
    """
    last = 18
    rules = """
    (role x) (role o) (role random) (init (at start)) (face 1) (face 2) (face 3) (face 4)
    (<= (legal x safe) (true (at start))) (<= (legal x risky) (true (at start)))
    (<= (legal random (roll ?n)) (true (at die)) (face ?n)) (<= (legal x noop) (true (at die)))
    (<= (legal x set) (true (at ?n)) (step ?n ?m)) (<= (legal x clear) (true (at ?n)) (step ?n ?m))
    (<= (legal o noop) (true (at ?n)))
    (<= (legal random noop) (true (at start))) (<= (legal random noop) (true (at ?n)) (step ?n ?m))
    (<= (next (at die)) (does x risky)) (<= (next (at even)) (does x safe))
    (<= (next (at lost)) (does random (roll 1))) (<= (next (at 1)) (does random (roll ?n)) (distinct ?n 1))
    (<= (next (at ?m)) (true (at ?n)) (step ?n ?m))
    (<= (next (bit ?n)) (true (at ?n)) (does x set)) (<= (next (bit ?n)) (true (bit ?n)))
    (<= terminal (true (at lost))) (<= terminal (true (at even))) (<= terminal (true (at LAST)))
    (<= (goal x 0) (true (at lost))) (<= (goal o 100) (true (at lost)))
    (<= (goal x 50) (true (at even))) (<= (goal o 50) (true (at even)))
    (<= (goal x 100) (true (at LAST))) (<= (goal o 0) (true (at LAST)))
    """.replace("LAST", str(last))
    return woodstock.loads(rules + "".join(f"(step {n} {n + 1})" for n in range(1, last)), "risk")


def test_what_chance_may_spoil_is_no_upper_bound() -> None:
    """That `x` cannot be sure of winning does not mean that it gains nothing by trying."""
    game = _risk()
    assert isinstance(game.engine, CircuitEngine)
    assert has_constant_sum(game.engine.ground, game.engine.circuit, 20.0)
    player = SearchPlayer("mac-ucb:seed=1")
    player.start(Task(game, "x"), None)
    found = player.decide(game.initial, simulations=20_000)
    player.stop(None)
    assert (found.move, found.value, found.is_proven) == ("risky", 75, True)
    assert {move.move: move.bounds for move in found.moves} == {"risky": (75, 75), "safe": (50, 50)}


def _proof_states_until_drawn(game: woodstock.Game, *, is_sum_proven: bool) -> int:
    """Return how many states proofs take until the tree knows that nobody can win."""
    proofs = _proofs(game)
    tree = _tree(game, proofs)
    if is_sum_proven:
        tree.set_constant_sum()
    tree.run(0.0, 10_000_000, 0, None, 1.0, 0.0)
    report = tree.report(0, 1)
    assert report["value"] == [50, 50]
    assert report["proven"] == is_sum_proven, "what rests on an assumption is not called proven"
    return proofs.states


def test_proofs_take_players_for_rivals_if_the_tree_does() -> None:
    """Many rulesheets have opposite goals in every match, but no proof of it is found."""
    game = connect(4, 4, 4)
    assumed, proven = (_proof_states_until_drawn(game, is_sum_proven=known) for known in (False, True))
    assert 0 < assumed < 1.5 * proven  # twice as many, if each role's claims are proven for themselves


def _five_in_a_row(size: int) -> woodstock.Game:
    """Return the game in which five marks in a row win, on a square board."""
    numbers = range(1, size + 1)
    rules = [
        "(role x) (role o) (init (control x))",
        *(f"(init (cell {row} {column} empty))" for row in numbers for column in numbers),
        *(f"(step down {n} {n + 1}) (step right {n} {n + 1}) (step left {n + 1} {n})" for n in numbers[:-1]),
        *(f"(step same {n} {n})" for n in numbers),
        "(way same right) (way down same) (way down right) (way down left)",
        "(<= (legal ?p (mark ?r ?c)) (true (control ?p)) (true (cell ?r ?c empty)))",
        "(<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))",
        "(<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))",
        "(<= (next (cell ?r ?c ?p)) (does ?p (mark ?r ?c)))",
        "(<= (next (cell ?r ?c ?what)) (true (cell ?r ?c ?what)) (distinct ?what empty))",
        "(<= (next (cell ?r ?c empty)) (true (cell ?r ?c empty)) (not (marked ?r ?c)))",
        "(<= (marked ?r ?c) (does ?p (mark ?r ?c)))",
        "(<= (run1 ?p ?r ?c ?v ?h) (true (cell ?r ?c ?p)) (role ?p) (way ?v ?h))",
        *(
            f"(<= (run{n + 1} ?p ?r ?c ?v ?h) (run{n} ?p ?r2 ?c2 ?v ?h) (step ?v ?r ?r2) (step ?h ?c ?c2)"
            " (true (cell ?r ?c ?p)))"
            for n in range(1, 5)
        ),
        "(<= (row ?p) (run5 ?p ?r ?c ?v ?h))",
        "(<= open (true (cell ?r ?c empty)))",
        "(<= terminal (row ?p)) (<= terminal (not open))",
        "(<= (goal ?p 100) (row ?p)) (<= (goal x 0) (row o)) (<= (goal o 0) (row x))",
        "(<= (goal ?p 50) (role ?p) (not (row x)) (not (row o)))",
    ]
    return woodstock.loads("\n".join(rules), f"five in a row on {size}x{size}")


def test_moves_that_lose_soon_are_proven_far_from_the_end_of_the_match() -> None:
    """Three in a row with both ends open win unless they are stopped; playouts end some forty turns later."""
    game = _five_in_a_row(11)
    state = game.initial
    for x, o in (("5 4", "1 1"), ("5 5", "11 1"), ("5 6", None)):
        state = state.next({"x": f"(mark {x})", "o": "noop"})
        if o is not None:
            state = state.next({"x": "noop", "o": f"(mark {o})"})
    player = SearchPlayer("mac-ucb:seed=1,memory=256MiB")
    player.start(Task(game, "o"), None)
    found = player.decide(state, time.monotonic() + 60.0, cpu_seconds=1.0)
    player.stop(None)
    assert found.move in {f"(mark 5 {column})" for column in (2, 3, 7, 8)}
    lost = {move.move for move in found.moves if move.bounds == (0, 0)}
    assert len(lost) >= 20 and not lost & {"(mark 5 3)", "(mark 5 7)"}
