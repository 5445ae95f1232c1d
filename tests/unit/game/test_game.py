"""Games: loading, engines, playouts, indices, pickling, threads."""

from __future__ import annotations

import concurrent.futures
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import woodstock
from woodstock import BudgetExceeded, GameError, RulesError, UnknownGameError
from woodstock.events import PhaseEvent
from woodstock.game.game import Game
from woodstock.gdl import ground as grounding

Loader = Callable[[str], Game]


def test_a_bundled_game_is_found_by_any_spelling_of_its_name() -> None:
    assert woodstock.load("ticTacToe", engine="interpreter").name == "tic-tac-toe"


def test_a_game_is_loaded_by_its_path(tmp_path: Path, load: Loader) -> None:
    path = tmp_path / "copy.kif"
    path.write_text(load("pennies").text, encoding="utf-8")
    game = woodstock.load(path, engine=load("pennies").engine_name)
    assert game.name == "copy"
    assert game.roles == ("even", "odd")
    assert woodstock.load(str(path), engine="interpreter").roles == game.roles


def test_an_unknown_name_is_answered_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownGameError, match="Did you mean 'tic-tac-toe'"):
        woodstock.load("tic-tac-to")
    with pytest.raises(UnknownGameError, match="no file"):
        woodstock.load("nowhere/game.kif")
    with pytest.raises(UnknownGameError, match="is a folder"):
        woodstock.load(tmp_path)


def test_wrong_rules_raise_all_their_problems() -> None:
    with pytest.raises(RulesError) as caught:
        woodstock.loads("(role a", "broken.kif")
    assert caught.value.diagnostics
    assert len(pickle.loads(pickle.dumps(caught.value)).diagnostics) == len(caught.value.diagnostics)
    with pytest.raises(GameError, match="no engine 'warp'"):
        woodstock.loads("(role a)", engine="warp")


def test_each_stage_is_told(engine: str) -> None:
    heard: list[PhaseEvent] = []
    game = woodstock.load("tic-tac-toe", engine=engine, tell=heard.append)
    assert [event.phase for event in heard if event.state == "done"] == [event.phase for event in game.phases]
    assert {"parse", "check", engine} <= {event.phase for event in game.phases}


def test_rules_that_do_not_ground_in_time_are_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    def overrun(*_args: object, **_options: object) -> object:
        raise BudgetExceeded("ground", 61.0, 60.0, "s", "chess.kif:41 has the most instances")

    monkeypatch.setattr(grounding, "ground", overrun)
    game = woodstock.load("breakthrough")
    assert game.engine_name == "interpreter"
    assert game.notes == (
        "The rules are played by the interpreter, slowly: ground exceeded its budget: 61 s used, limit 60 s; "
        "chess.kif:41 has the most instances.",
    )
    assert len(game.initial.legal(game.roles[0])) > 1
    with pytest.raises(BudgetExceeded) as caught:
        woodstock.load("breakthrough", engine="circuit")
    assert pickle.loads(pickle.dumps(caught.value)).detail == caught.value.detail
    with pytest.raises(GameError, match="use engine='reference'"):
        game.playouts(1, engine="batch")


def test_the_interpreter_has_no_indices() -> None:
    game = woodstock.load("tic-tac-toe", engine="interpreter")
    for ask in (lambda: game.fluents, lambda: game.moves("x"), lambda: game.initial.vector):
        with pytest.raises(GameError, match="runs on the interpreter"):
            ask()
    with pytest.raises(GameError, match="runs on the interpreter"):
        game.initial.legal_mask("x")


@pytest.mark.parametrize("engine", ["circuit"], indirect=True)
def test_indices_agree_with_texts(load: Loader) -> None:
    game = load("tic-tac-toe")
    state = game.initial.next(["(mark 2 3)", "noop"])
    assert len(game.fluents) == 29
    assert {game.fluents[i] for i in np.flatnonzero(state.vector)} == state.fluents
    assert state.vector.dtype == np.uint8
    for role in game.roles:
        assert tuple(game.moves(role)[i] for i in np.flatnonzero(state.legal_mask(role))) == state.legal(role)
        assert tuple(game.moves(role)[i] for i in state.legal_indices(role)) == state.legal(role)
    indices = [state.legal_indices(role)[0] for role in game.roles]
    assert state.next_by_index(indices) == state.next([state.legal(role)[0] for role in game.roles])
    with pytest.raises(GameError, match="x has moves 0 to 9, not 10"):
        state.next_by_index([10, 0])
    with pytest.raises(GameError, match="needs 2 moves"):
        state.next_by_index([0])
    assert game.fluents == load("tic-tac-toe").fluents


def test_an_unpickled_state_finds_its_game_in_a_new_process(load: Loader, tmp_path: Path) -> None:
    state = load("tic-tac-toe").initial.next(["(mark 2 2)", "noop"])
    (tmp_path / "state").write_bytes(pickle.dumps([state, state.next(["noop", "(mark 1 1)"])]))
    program = (
        "import pickle, sys, pathlib\n"
        "a, b = pickle.loads(pathlib.Path(sys.argv[1]).read_bytes())\n"
        "assert a.game is b.game and a.next(['noop', '(mark 1 1)']) == b\n"
        "sys.stdout.write(' '.join(sorted(a.fluents)) + a.game.engine_name)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "state"], capture_output=True, text=True, check=True
    )
    assert done.stdout == " ".join(sorted(state.fluents)) + state.game.engine_name


def test_threads_share_a_game_without_meeting(load: Loader) -> None:
    game, other = load("tic-tac-toe"), load("pennies")

    def walk(seed: int) -> list[frozenset[str]]:
        state, seen = (game if seed % 3 else other).initial, []
        while not state.is_terminal:
            seen.append(state.fluents)
            state = state.next([state.legal(role)[seed % len(state.legal(role))] for role in state.game.roles])
        return seen

    alone = [walk(seed) for seed in range(24)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(walk, range(24))) == alone


def test_public_names_are_exported() -> None:
    for name in woodstock.__all__:
        assert getattr(woodstock, name) is not None
        assert name in dir(woodstock)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = woodstock.nothing


def test_importing_the_package_stays_light() -> None:
    program = "import sys, woodstock; sys.exit('numpy' in sys.modules or 'clingo' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
