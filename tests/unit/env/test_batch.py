"""The batch against single states: every array of every step, for games of all kinds."""

from __future__ import annotations

import hashlib
import itertools
from typing import Any

import numpy as np
import pytest

import woodstock
from woodstock.env import Batch
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.game.state import State

N, WATCHED = 700, (0, 1, 63, 64, 511, 512, 699)


def successors(state: State, chosen: dict[str, str]) -> list[State]:
    """Return the states that may follow: one for each move of chance."""
    chance = [role for role in state.game.roles if role not in chosen]
    return [
        state.next({**chosen, **dict(zip(chance, moves, strict=True))})
        for moves in itertools.product(*(state.legal(role) for role in chance))
    ]


def check_row(game: Game, batch: Batch, match: int, state: State) -> None:
    """Compare what the batch shows of a match that goes on with its state."""
    frame = batch.frame
    if not batch.plan.is_hidden:
        assert frame.observations[match].tolist() == state.vector.tolist()
    assert frame.masks is not None
    for player, role in enumerate(batch.roles):
        mask = state.legal_mask(role)
        assert frame.masks[match, player, : len(mask)].tolist() == mask.tolist()
        assert not frame.masks[match, player, len(mask) :].any()
    choices = [player for player, role in enumerate(batch.roles) if len(state.legal(role)) > 1]
    expected = -1 if not choices else choices[0] if len(choices) == 1 else -2
    assert frame.to_move[match] == expected


def check_game(game: Game, steps: int) -> None:
    """Step a batch and follow some of its matches by single states."""
    batch = Batch(game, N, seed=5, threads=2, finals=True)
    states = dict.fromkeys(WATCHED, game.initial)
    turns = dict.fromkeys(WATCHED, 1)
    for _ in range(steps):
        moves = batch.sample().copy()
        before = dict(states)
        frame = batch.step(moves)
        after = batch.states()
        for match in WATCHED:
            chosen = {role: batch.moves(role)[moves[match, p]] for p, role in enumerate(batch.roles)}
            following = successors(before[match], chosen)
            ended = [state for state in following if state.is_terminal]
            if frame.terminal[match]:
                assert ended
                scores = [[state.scores[role] for role in batch.roles] for state in ended]
                assert frame.goals[match].tolist() in scores
                if not batch.plan.is_hidden:
                    assert frame.finals is not None
                    assert frame.finals[match].tolist() in [state.vector.tolist() for state in ended]
                assert frame.turn[match] == 1 and after[match] == game.initial
                states[match], turns[match] = game.initial, 1
            else:
                assert after[match] in following
                assert not after[match].is_terminal or frame.truncated[match]
                assert not frame.goals[match].any()
                states[match], turns[match] = after[match], turns[match] + 1
                assert frame.turn[match] == turns[match]
            check_row(game, batch, match, states[match])


def test_a_batch_agrees_with_single_states(game: Game) -> None:
    check_game(game, 40)


def test_percepts_are_those_of_the_rules() -> None:
    game = woodstock.load("krieg-tic-tac-toe")
    batch = Batch(game, 100, seed=3)
    for _ in range(6):
        before, moves = batch.states(), batch.sample().copy()
        frame = batch.step(moves)
        for match in range(0, 100, 7):
            if frame.terminal[match]:
                assert frame.observations[match].tolist() == [[1] + [0] * (len(batch.observation_names) - 1)] * 2
                continue
            chosen = {role: batch.moves(role)[moves[match, p]] for p, role in enumerate(batch.roles)}
            state = before[match].next(chosen)
            for player, role in enumerate(batch.roles):
                ground = game.ground
                assert ground is not None
                index = game.role_index(role)
                texts = [text for owner, text, _ in ground.sees if owner == index]
                assert frame.observations[match, player, 0] == 0
                row = frame.observations[match, player, 1:]
                seen = [text for text, bit in zip(texts, row, strict=False) if bit]
                assert sorted(seen) == sorted(state.sees(role))
                did = row[len(texts) :][: len(batch.moves(role))]
                assert np.flatnonzero(did).tolist() == [moves[match, player]]


def on_backend(name: str, backend: str) -> Game:
    """Return a game that runs on one instruction set."""
    game = woodstock.load(name)
    assert game.ground is not None
    try:
        return Game(game.program, CircuitEngine(game.ground, backend=backend), name=name)
    except RuntimeError as error:
        pytest.skip(str(error))


def digest(game: Game, threads: int = 1, **options: Any) -> str:
    """Return a hash of everything that a batch shows in 40 steps."""
    batch = Batch(game, 2100, seed=9, threads=threads, **options)
    shown = hashlib.sha256()
    for _ in range(40):
        frame = batch.step(batch.sample())
        for array in (frame.observations, frame.masks, frame.goals, frame.terminal, frame.turn, frame.to_move):
            assert array is not None
            shown.update(np.ascontiguousarray(array).tobytes())
    return shown.hexdigest()


@pytest.mark.parametrize("name", ["tic-tac-toe", "monty-hall", "breakthrough", "hex"])
def test_a_seed_gives_the_same_matches_with_any_number_of_threads(name: str) -> None:
    game = woodstock.load(name)
    assert digest(game) == digest(game, threads=2) == digest(game, threads=5)


@pytest.mark.parametrize("backend", ["portable", "avx2", "avx512", "jit", "jit512"])
def test_a_seed_gives_the_same_matches_on_any_instruction_set(backend: str) -> None:
    for name, options in (
        ("connect-four", {"packed": True, "masks": "bits"}),
        ("monty-hall", {"autoreset": "next"}),
        ("breakthrough", {"turns": "single", "observe": "planes", "perspective": True}),
    ):
        try:
            found = digest(on_backend(name, backend), **options)
        except RuntimeError as error:
            pytest.skip(str(error))
        assert found == digest(woodstock.load(name), **options)
