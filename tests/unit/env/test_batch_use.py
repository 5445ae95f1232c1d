"""Starts, states in and out, autoreset, waiting matches, DLPack, and bad use."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import woodstock
from woodstock.env import Batch
from woodstock.env.settings import BatchMoveError, SlowGameWarning
from woodstock.errors import GameError

COIN = """
(role robot) (role random)
(<= (base (side ?s)) (face ?s)) (face heads) (face tails) (base start)
(<= (input random (toss ?s)) (face ?s)) (input random noop) (input robot noop) (input robot go)
(init start)
(<= (legal random (toss ?s)) (true start) (face ?s)) (<= (legal random noop) (not (true start)))
(legal robot noop) (legal robot go)
(<= (next (side ?s)) (does random (toss ?s)))
(<= terminal (not (true start)))
(<= (goal robot 100) (true (side heads))) (<= (goal robot 0) (true (side tails)))
(<= (goal random 0) (role random))
"""


def test_chance_is_fair_and_has_its_own_stream() -> None:
    game = woodstock.loads(COIN, "coin")
    batch = Batch(game, 4000, seed=1)
    moves = np.zeros((4000, 1), dtype=np.int64)
    first = batch.step(moves).goals.copy()
    second = batch.step(moves).goals.copy()
    assert 1850 < (first == 100).sum() < 2150
    assert 900 < ((first == 100) & (second == 100)).sum() < 1100
    # What the players do and sample does not change what chance does.
    again = Batch(game, 4000, seed=1)
    again.sample()
    assert (again.step(moves + 1).goals == first).all()
    assert (batch.reset(seed=1) is batch.frame) and (batch.step(moves).goals == first).all()


def test_states_go_in_and_out() -> None:
    game = woodstock.load("connect-four")
    batch = Batch(game, 50, seed=2)
    for _ in range(5):
        batch.step(batch.sample())
    states = batch.states()
    other = Batch(game, 50, seed=3)
    frame = other.set_states(states, turn=6)
    assert frame.masks is not None and batch.frame.masks is not None
    assert (frame.observations == batch.frame.observations).all() and (frame.masks == batch.frame.masks).all()
    assert (frame.turn == 6).all()
    moves = batch.sample().copy()
    assert (other.step(moves).observations == batch.step(moves).observations).all()
    ended = game.state([*states[0].fluents])
    while not ended.is_terminal:
        ended = ended.next([ended.legal(role)[0] for role in game.roles])
    frame = other.set_states([ended] * 50)
    assert frame.terminal.all()
    other.step(other.sample())
    assert not other.frame.terminal.any() and (other.frame.turn == 1).all()


def test_matches_begin_in_given_states() -> None:
    game = woodstock.load("nim")
    first = game.initial
    second = first.next([first.legal(role)[0] for role in game.roles])
    batch = Batch(game, 400, seed=1, starts=[first, second])
    begun = batch.states()
    assert {first, second} == set(begun) and 140 < begun.count(first) < 260
    for _ in range(30):
        frame = batch.step(batch.sample())
        for match in np.flatnonzero(frame.terminal).tolist()[:5]:
            assert batch.states()[match] in (first, second)


@pytest.mark.parametrize("autoreset", ["next", "never"])
def test_finished_matches_wait(autoreset: str) -> None:
    game = woodstock.load("tic-tac-toe")
    batch = Batch(game, 600, seed=5, autoreset=autoreset)
    for _ in range(8):
        batch.step(batch.sample())
    ended = batch.frame.terminal.copy()
    states = batch.states()
    assert ended.any() and not ended.all()
    assert all(states[match].is_terminal == ended[match] for match in range(600))
    assert batch.frame.masks is not None
    assert (batch.frame.masks[ended] == 1).all()  # every move is allowed, and ignored
    after = batch.step(np.where(ended[:, None], 5, batch.sample()))
    if autoreset == "never":
        assert [states[match] == batch.states()[match] for match in np.flatnonzero(ended)]
        assert after.terminal[ended].all()
        batch.restart(after.terminal.copy())
    assert all(batch.states()[match] == game.initial for match in np.flatnonzero(ended))
    assert not batch.frame.terminal[ended].any() and (batch.frame.turn[ended] == 1).all()


def test_some_matches_may_wait_for_a_step() -> None:
    batch = Batch("tic-tac-toe", 600, seed=1)
    only = np.arange(600) % 3 == 0
    before = batch.states()
    frame = batch.step(batch.sample(), only)
    after = batch.states()
    assert all((before[match] == after[match]) != only[match] for match in range(600))
    assert (frame.turn == np.where(only, 2, 1)).all()


def test_a_bound_on_steps_cuts_matches() -> None:
    batch = Batch("connect-four", 100, seed=1, max_steps=3)
    for step in range(1, 10):
        frame = batch.step(batch.sample())
        assert frame.truncated.all() == (step % 3 == 0) and not frame.terminal.any()


def test_an_illegal_move_is_named_and_nothing_is_stepped() -> None:
    batch = Batch("tic-tac-toe", 1000, seed=1, threads=2)
    batch.step(batch.sample())
    before = [array.copy() for array in (batch.frame.observations, batch.frame.masks, batch.frame.turn)]  # type: ignore[union-attr]
    moves = batch.sample().copy()
    taken = int(np.flatnonzero(batch.frame.masks[700, 1] == 0)[0])  # type: ignore[index]
    moves[700, 1] = moves[900, 1] = taken
    with pytest.raises(
        BatchMoveError, match=r"match 700: illegal move .* for o at turn 2: .*no match was stepped"
    ) as info:
        batch.step(moves)
    error = info.value
    assert (error.match, error.index, error.role, len(error.legal)) == (700, taken, "o", 8)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    for array, kept in zip((batch.frame.observations, batch.frame.masks, batch.frame.turn), before, strict=True):
        assert array is not None and (array == kept).all()
    # The caller's own mask may be overwritten; the batch knows better.
    batch.frame.masks[:] = 1  # type: ignore[index]
    with pytest.raises(BatchMoveError):
        batch.step(moves)
    moves[700, 1], moves[900, 1] = batch.sample()[700, 1], batch.sample()[900, 1]
    assert (batch.step(moves).turn == 3).all()


def test_arrays_are_reused_and_shared_without_copies() -> None:
    batch = Batch("connect-four", 64, seed=1)
    frame = batch.frame
    assert batch.step(batch.sample()) is frame
    view: Any = np.from_dlpack(frame.observations)
    assert np.shares_memory(view, frame.observations)
    assert frame.observations.ctypes.data % 64 == 0 and frame.masks is not None and frame.masks.ctypes.data % 64 == 0
    torch = pytest.importorskip("torch", reason="torch is not installed")
    tensor = torch.from_dlpack(frame.observations)
    batch.step(torch.from_numpy(batch.sample().astype(np.int64)))
    assert (tensor.numpy() == frame.observations).all()
    batch.close()
    assert int(tensor.sum()) > 0  # the memory lives as long as anyone holds it


def test_packed_bits_are_the_same_bits() -> None:
    plain = Batch("breakthrough", 300, seed=1)
    packed = Batch("breakthrough", 300, seed=1, packed=True, masks="bits")
    for _ in range(20):
        one, two = plain.step(plain.sample()), packed.step(packed.sample())
        assert one.masks is not None and two.masks is not None
        bits = np.unpackbits(two.observations, axis=-1, bitorder="little")
        assert (bits[:, : one.observations.shape[1]] == one.observations).all()
        bits = np.unpackbits(two.masks, axis=-1, bitorder="little")
        assert (bits[:, :, : one.masks.shape[2]] == one.masks).all()


def test_each_role_sees_itself_as_the_first() -> None:
    game = woodstock.load("breakthrough")
    raw = Batch(game, 300, seed=1)
    own = Batch(game, 300, seed=1, perspective=True)
    single = Batch(game, 300, seed=1, perspective=True, turns="single", observe="planes")
    assert own.moves("white") == raw.moves("white") and set(own.moves("black")) == set(raw.moves("black"))
    # At the start, black to move would see what white sees at the start.
    for _ in range(12):
        names = [[raw.moves(role)[m] for role, m in zip(raw.roles, row, strict=True)] for row in raw.sample()]
        moves = np.array([[own.moves(role).index(m) for role, m in zip(own.roles, row, strict=True)] for row in names])
        mover = np.maximum(own.frame.to_move, 0)
        assert single.frame.masks is not None and own.frame.masks is not None
        assert (single.frame.masks == own.frame.masks[np.arange(300), mover]).all()
        planes = own.frame.observations[np.arange(300), mover]
        assert (single.frame.observations.sum(axis=(1, 2, 3)) > 0).all() and planes.shape == (300, 130)
        raw.step(np.array([[raw.moves(r).index(m) for r, m in zip(raw.roles, row, strict=True)] for row in names]))
        own.step(moves)
        single.step(moves[np.arange(300), mover])
        assert own.states() == raw.states() == single.states()
        for match in range(0, 300, 50):
            state = raw.states()[match]
            pieces = [
                sum(f"{colour})" in fluent for fluent in state.fluents if "cell" in fluent) for colour in raw.roles
            ]
            white = [i for i, name in enumerate(own.observation_names) if "cell" in name and "white" in name]
            assert own.frame.observations[match, 0, white].sum() == pieces[0]
            assert own.frame.observations[match, 1, white].sum() == pieces[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 0}, "n, the number of matches, must be a whole number of at least 1, not 0"),
        ({"n": 2.5}, "not 2.5"),
        ({"threads": 0}, "threads must be a whole number of at least 1"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
        ({"observe": "pixels"}, "no observation 'pixels'; there are 'fluents' and 'planes'"),
        ({"masks": "sparse"}, "masks must be one of 'bytes', 'bits', 'none'"),
        ({"autoreset": "maybe"}, "autoreset must be one of 'same', 'next', 'never'"),
        ({"device": "cuda"}, "device must be one of 'cpu', not 'cuda'"),
        ({"starts": []}, "starts needs at least one state"),
        ({"max_steps": 0}, "max_steps must be a whole number of at least 1"),
        ({"n": 10**9}, "masks of 1,000,000,000 matches would take 18.6 GiB. Use fewer matches, masks='bits'"),
    ],
)
def test_bad_settings_get_a_clear_error(options: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError) as info:
        Batch("tic-tac-toe", options.pop("n", 4), **options)
    assert message in str(info.value)


def test_bad_moves_get_a_clear_error() -> None:
    batch = Batch("tic-tac-toe", 4)
    for moves, message in (
        (np.zeros(4, np.int32), r"moves must have the shape \(4, 2\), one move for each match and role; got \(4,\)"),
        (np.zeros((4, 2)), "moves must be integers, such as int32 or int64, not float64"),
        ("xo", "shape"),
        (np.full((4, 2), 77), "match 0: x has moves 0 to 9, not 77; no match was stepped"),
        (np.full((4, 2), -1), "match 0: x has 9 legal moves, so -1 does not say which"),
    ):
        with pytest.raises(GameError, match=message):
            batch.step(moves)
    assert (batch.step(np.array([[0, -1]] * 4, dtype=np.int8)).turn == 2).all()  # -1: the only legal move
    with pytest.raises(GameError, match="only must be 4 truth values, not int64"):
        batch.step(batch.sample(), np.zeros(4, np.int64))
    with pytest.raises(GameError, match="set_states needs 4 states"):
        batch.set_states([])
    with pytest.raises(GameError, match="a state of nim is no state of tic-tac-toe"):
        batch.set_states([woodstock.load("nim").initial] * 4)
    with pytest.raises(GameError, match="several roles have a choice at once"):
        Batch("matching-pennies", 2, turns="single").step(np.zeros(2, np.int32))
    batch.close()
    with pytest.raises(GameError, match="this batch of tic-tac-toe was closed"):
        batch.step(np.zeros((4, 2), np.int32))


def test_what_is_hidden_stays_hidden() -> None:
    with pytest.raises(GameError, match="krieg-tic-tac-toe hides its state, so there are no planes"):
        Batch("krieg-tic-tac-toe", 2, observe="planes")
    with pytest.raises(GameError, match=r"no symmetry of .* maps the role"):
        Batch("sheep-and-wolf", 2, perspective=True)
    with pytest.raises(GameError, match="no board"):
        Batch("matching-pennies", 2, observe="planes")


def test_a_game_on_the_interpreter_is_slow_but_right() -> None:
    game = woodstock.load("tic-tac-toe", engine="interpreter")
    with pytest.raises(GameError, match="runs on the interpreter, which strict=True refuses"):
        Batch(game, 3, strict=True)
    with pytest.warns(SlowGameWarning, match="thousands of times slower"):
        slow = Batch(game, 5, seed=1, autoreset="next")
    fast = Batch("tic-tac-toe", 5, seed=1, autoreset="next")
    assert set(slow.observation_names) == set(fast.observation_names)
    order = [fast.observation_names.index(name) for name in slow.observation_names]
    for _ in range(12):
        moves = slow.sample().copy()
        names = [[slow.moves(role)[m] for role, m in zip(slow.roles, row, strict=True)] for row in moves]
        fast.step(np.array([[fast.moves(r).index(m) for r, m in zip(fast.roles, row, strict=True)] for row in names]))
        slow.step(moves)
        assert (slow.frame.observations == fast.frame.observations[:, order]).all()
        for one, two in zip(
            (slow.frame.goals, slow.frame.terminal, slow.frame.turn),
            (fast.frame.goals, fast.frame.terminal, fast.frame.turn),
            strict=True,
        ):
            assert (np.asarray(one) == np.asarray(two)).all()
