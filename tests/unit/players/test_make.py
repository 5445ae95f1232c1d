"""Players by specification: every kind obeys the same protocol, and one that cannot be made says why."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import pytest

import woodstock
from woodstock.errors import GameError
from woodstock.information import InformationState
from woodstock.players import Player, Reply, Task, make_player
from woodstock.players.player import as_reply


class Last(Player):
    """Makes the last legal move."""

    def move(self, view: InformationState, deadline: float) -> str:
        return view.legal[-1]


@pytest.fixture
def library(root: Path, tmp_path: Path) -> str:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler here")
    made = tmp_path / "longest.so"
    source = root / "examples" / "strategies" / "longest.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-I", root / "include", "-o", made, source], check=True)
    return f"lib:{made}"


def _check_protocol(player: Player) -> None:
    """Play two matches of two moves; a player is as good after a match as before."""
    game = woodstock.load("tic-tac-toe")
    for _ in range(2):
        player.start(Task(game, "x", play_clock_s=5.0, simulations=100), time.monotonic() + 10)
        state = game.initial
        for _ in range(2):
            reply = as_reply(player.move(InformationState.at(state, "x"), time.monotonic() + 5))
            assert isinstance(reply, Reply) and reply.move in state.legal("x")
            state = state.next([reply.move, "noop"])
            state = state.next(["noop", state.legal("o")[0]])
        player.interrupt()
        player.stop(None)


@pytest.mark.parametrize(
    "spec", ["random", "legal", "uct", "mac-ucb-sym:threads=2", f"python:{__name__}.Last", "human"]
)
def test_every_kind_of_player_obeys_the_protocol(spec: str) -> None:
    player = make_player(spec, lambda view: view.legal[0])
    assert player.name == spec and player.is_human == (spec == "human")
    _check_protocol(player)


def test_a_library_obeys_the_protocol(library: str) -> None:
    _check_protocol(make_player(library))


def test_a_player_without_a_name_has_that_of_its_class() -> None:
    assert Last().name == "Last"
    with pytest.raises(TypeError, match="abstract"):
        Player()  # type: ignore[abstract]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nobody", "no player 'nobody'"),
        ("utc", "Did you mean 'uct'"),
        ("uct:c=much", "must be"),
        ("human", "needs a terminal"),
        ("http://", "not the address"),
        ("http://host:port", "no proper port"),
        ("https://host:1", "plain http"),
        ("lib:nothing.so", "no such file"),
        ("python:nothing", "names no class"),
        ("python:no.module.Here", "cannot be imported"),
        ("python:time.Nothing", "has no class"),
        ("python:fractions.Fraction", "not a player"),
    ],
)
def test_a_player_that_cannot_be_made_says_why(spec: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        make_player(spec)
