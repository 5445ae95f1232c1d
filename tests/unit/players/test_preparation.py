"""Preparing a game ends at the deadline, and begins again when there is more time."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from typing import Any

import pytest

import woodstock
from woodstock.players import Task, preparation
from woodstock.players.budget import Budget
from woodstock.players.preparation import preparation_of
from woodstock.players.search_player import SearchPlayer
from woodstock.players.searcher import TreeSearcher, make_searcher
from woodstock.players.spec import parse_spec
from woodstock.symmetry import symmetries as found_by


def test_symmetries_end_at_the_deadline_and_begin_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = woodstock.load("tic-tac-toe")
    prepared = preparation_of(game)
    assert prepared is not None
    real, told = found_by.find_symmetries, []

    def slow(game: woodstock.Game, method: str, *, seconds: float, **others: Any) -> found_by.Symmetries:
        told.append(seconds)
        if seconds < 5:
            # As with too little time: every method gives up.
            return real(game, method, max_size=1, **others)
        return real(game, method, seconds=seconds, **others)

    monkeypatch.setattr(found_by, "find_symmetries", slow)
    assert prepared.group("network", time.monotonic() + 0.01) is None
    assert told == [], "with no time it is not begun"
    assert prepared.group("network", time.monotonic() + 3) is None
    assert any("given up" in note for note in prepared.notes)
    assert len(told) == 1 and told[0] < 3
    assert prepared.group("network", time.monotonic() + 4) is None
    assert len(told) == 1, "not begun again for a little more time"
    group = prepared.group("network", None)
    assert group is not None and group.size == 16
    assert len(told) == 2
    assert prepared.group("network", time.monotonic() - 1) is group


def test_playouts_that_win_at_once_are_left_out_if_they_would_be_late(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = preparation_of(woodstock.load("tic-tac-toe"))
    assert prepared is not None
    soon = time.monotonic() + 10
    assert prepared.has_time_for_winning(soon), "nothing is known yet"
    monkeypatch.setattr(preparation.Part, "seconds", 6.0)
    assert not prepared.has_time_for_winning(soon)
    assert prepared.has_time_for_winning(None)
    prepared.batch.wait(None)
    assert not prepared.has_time_for_winning(soon)
    assert prepared.has_time_for_winning(time.monotonic() + 60)
    monkeypatch.setattr(preparation.Part, "seconds", 1.0)
    assert prepared.has_time_for_winning(time.monotonic() + 1), "not slow"


def test_tables_that_are_late_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    game = woodstock.load("tic-tac-toe")
    real, may_go_on = preparation._template, threading.Event()

    def slow(reference: weakref.ref[woodstock.Game]) -> Any:
        may_go_on.wait()
        return real(reference)

    monkeypatch.setattr(preparation, "_template", slow)
    player = SearchPlayer("fc-ucb")
    try:
        player.start(Task(game, "x"), time.monotonic())
        first = player.decide(game.initial, simulations=1000)
        assert first.move in game.initial.legal("x")
        assert any("not ready" in note for note in first.statistics["notes"])
        tables = player._searcher._tables  # type: ignore[union-attr]
        assert tables is not None and not tables.is_done
        may_go_on.set()
        assert tables.wait(None) and tables.value is not None
        second = player.decide(game.initial, simulations=1000)
        assert not any("tables" in note for note in second.statistics.get("notes", ()))
        assert second.statistics["nodes"] >= first.statistics["nodes"], "the tree is kept"
    finally:
        may_go_on.set()
        player.stop(None)


def test_a_game_without_tables_is_played_by_the_circuit(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_reference: weakref.ref[woodstock.Game]) -> Any:
        raise MemoryError("too many rows")

    monkeypatch.setattr(preparation, "_template", fails)
    game = woodstock.load("tic-tac-toe")
    decision = woodstock.search(game.initial, "fc-ucb", simulations=500)
    assert decision.move in game.initial.legal("x")
    assert any("no tables" in note for note in decision.statistics["notes"])


@pytest.mark.parametrize("stages", ["mac", "fc"])
def test_stages_are_solved_by_what_was_asked_for(stages: str) -> None:
    game = woodstock.load("reversi-suicide")
    made = preparation_of(game)
    assert made is not None
    searcher = make_searcher(game, parse_spec(f"uct:stages={stages}"))
    assert isinstance(searcher, TreeSearcher)
    made.constant_sum.value = False  # nothing here rests on it, and it takes long
    made.constant_sum.is_started = True
    made.constant_sum._is_done.set()
    searcher.prepare(None)
    begun = time.monotonic()
    decision = searcher.think(game.initial, "black", Budget(begun + 0.5), None)
    assert time.monotonic() - begun < 2
    found = decision.statistics
    assert found["stages_by_network"] > 1
    assert found["stages_by_circuit"] <= 1, "at most the stage that the end of the search cut short"
    assert found["network_nodes"] > 0 and found["propagations"] > 0 and 0 < found["network_seconds"] < 1
    assert "notes" not in found


def test_moves_are_sampled_until_the_tree_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    game = woodstock.load("tic-tac-toe")
    searcher = make_searcher(game, parse_spec("uct"))
    assert isinstance(searcher, TreeSearcher)
    may_go_on, real = threading.Event(), searcher._tree._make
    monkeypatch.setattr(searcher._tree, "_make", lambda: may_go_on.wait() and real())
    searcher.prepare(time.monotonic())
    early = searcher.think(game.initial, "x", Budget(time.monotonic() + 0.1), None)
    assert any("the search tree is not ready" in note for note in early.statistics["notes"])
    assert early.move in game.initial.legal("x")
    may_go_on.set()
    late = searcher.think(game.initial, "x", Budget(simulations=1000), None)
    assert late.statistics["nodes"] > 1


def test_an_interrupt_ends_the_preparation(monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on = threading.Event()
    monkeypatch.setattr(preparation, "_template", lambda _reference: may_go_on.wait() and None)
    searcher = make_searcher(woodstock.load("tic-tac-toe"), parse_spec("fc-ucb"))
    preparing = threading.Thread(target=searcher.prepare, args=(None,))
    preparing.start()
    preparing.join(0.3)
    assert preparing.is_alive(), "without a deadline it waits until all is ready"
    searcher.interrupt()
    preparing.join(10)
    may_go_on.set()
    assert not preparing.is_alive()


def test_a_tree_is_freed_with_its_searcher() -> None:
    searcher = make_searcher(woodstock.load("tic-tac-toe"), parse_spec("mac-ucb-sym"))
    assert isinstance(searcher, TreeSearcher)
    searcher.prepare(None)
    searcher.think(woodstock.load("tic-tac-toe").initial, "x", Budget(simulations=100), None)
    kept = weakref.ref(searcher)
    gc.disable()
    try:
        del searcher
        assert kept() is None, "no cycle keeps it until the next garbage collection"
    finally:
        gc.enable()
