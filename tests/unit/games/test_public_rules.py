"""Games that public rulesheets have too, in the same variant: their moves are written as ours and compared.

The sheets lie beside the repository, in `shared/games`; without that folder these tests are skipped.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.games.oracles.oracle import words

import woodstock
from woodstock import State

Translate = Callable[[State, str], str]


def majorities(_: State, move: str) -> str:
    """`(place a 5)` has the row first, as a letter."""
    row, column = words(move)[1:]
    return f"(place {column} {'abcdefghi'.index(row) + 1})"


def mixture(_: State, move: str) -> str:
    """Each piece has a move of its own name; a jump tells the cell in between."""
    name, *cells = words(move)
    return move if name == "drop" else f"(move {' '.join(cells[:2] + cells[-2:])})"


def skirmish(state: State, move: str) -> str:
    """Moves tell the piece after the move, and castling has a name."""
    player, row = ("white", "1") if "(control white)" in state.fluents else ("black", "8")
    if move.lower().startswith("castle"):
        return f"(move e {row} {'g' if move.lower().endswith('kingside') else 'c'} {row})"
    _, piece, *cells = words(move)
    text = " ".join(cells)
    is_pawn = f"(cell {cells[0]} {cells[1]} {player} pawn)" in state.fluents
    return f"(promote {text} {piece})" if is_pawn and cells[3] in "18" else f"(move {text})"


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "sheet", "translate", "matches"),
    [
        ("majorities", "majorities", majorities, 200),
        ("ttcc4-2", "2pttcc4_2008_AAAI_GGP_Competition__turk", mixture, 500),
        ("skirmish-zero-sum", "skirmishZeroSum", skirmish, 50),
    ],
)
def test_random_matches_agree(corpus: Path, name: str, sheet: str, translate: Translate, matches: int) -> None:
    """Passing, which the sheet of ttcc4 allows at any time and we do not, is left out where there is another move."""
    game, twin_game = woodstock.load(name), woodstock.load(corpus / "games" / f"{sheet}.kif")
    assert game.roles == twin_game.roles
    for seed in range(matches):
        rng = random.Random(seed)
        state, twin = game.initial, twin_game.initial
        while not twin.is_terminal:
            assert not state.is_terminal
            ours, theirs = [], []
            for role in game.roles:
                legal = [move for move in twin.legal(role) if move != "noop"]
                names = {translate(twin, move): move for move in legal} or {"noop": "noop"}
                assert set(names) == set(state.legal(role)), f"seed {seed}, {role}"
                ours.append(rng.choice(sorted(names)))
                theirs.append(names[ours[-1]])
            state, twin = state.next(ours), twin.next(theirs)
        assert state.is_terminal and state.goals == twin.goals
