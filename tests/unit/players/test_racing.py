"""Settings that race in the start clock: who drops out, who wins, and that the clock holds."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping
from typing import Any

import pytest

import woodstock
from woodstock.information import InformationState
from woodstock.players import racing
from woodstock.players.player import Task
from woodstock.players.preparation import preparation_of
from woodstock.players.search_player import SearchPlayer
from woodstock.players.searcher import TreeSearcher
from woodstock.players.spec import PlayerSpec, parse_spec


def race(game: str, spec: PlayerSpec, seconds: float, *rivals: Mapping[str, Any]) -> tuple[racing.Race, object]:
    loaded = woodstock.load(game)
    preparation = preparation_of(loaded)
    assert preparation is not None
    preparation.batch.wait(None)
    made = racing.Race(loaded.initial, spec, preparation, lambda: True, rivals)
    return made, made.run(time.monotonic() + seconds)


def test_a_rival_that_loses_drops_out() -> None:
    assert not racing.Standing({}, points=1, matches=4).is_lost
    assert racing.Standing({}, points=2, matches=6).is_lost
    assert racing.Standing({}, points=9, matches=12).deviations == pytest.approx(1.732, abs=1e-3)


def test_what_the_user_set_does_not_race() -> None:
    made, _ = race("nim", parse_spec("mac-ucb:c=0.2"), 0.0, *racing.RIVALS)
    assert [set(one.settings) for one in made.standings] == [{"child_playouts"}]


def test_clearly_better_settings_win() -> None:
    # The player's own settings allow one step for a playout, so that they know nothing.
    usual = parse_spec("mac-ucb")
    blind = dataclasses.replace(usual.kind, settings={**usual.kind.settings, "max_steps": 1, "minimax_share": 0.0})
    seeing = {"max_steps": 100, "minimax_share": 0.5}
    for seconds in (2.0, 10.0):  # a busy machine has time for one match in two seconds, which decides nothing
        made, won = race("connect-four", dataclasses.replace(usual, kind=blind), seconds, seeing)
        if won:
            break
    assert won == seeing
    assert made.matches >= 2
    assert race("connect-four", usual, 1.0, {"max_steps": 1, "minimax_share": 0.0})[1] == {}


def test_the_start_clock_holds() -> None:
    game = woodstock.load("connect-four")
    player = SearchPlayer("mac-ucb:race=yes")
    begun = time.monotonic()
    player.start(Task(game, "red"), begun + racing.LEAST_S / 0.85)
    assert time.monotonic() < begun + racing.LEAST_S / 0.85 + 1.5  # a busy machine
    assert sum(one.matches for one in player.standings) > 0
    assert isinstance(player._searcher, TreeSearcher)
    assert player.move(InformationState.at(game.initial, "red"), time.monotonic() + 0.1).move
    player.stop(None)


def test_one_role_has_no_rivals() -> None:
    player = SearchPlayer("mac-ucb:race=yes")
    player.start(Task(woodstock.load("eight-puzzle"), "robot"), time.monotonic() + 0.5)
    assert player.standings == []
    player.stop(None)
