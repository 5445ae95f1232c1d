"""Games that public rulesheets have too, in the same variant: their moves are written as ours and compared.

The sheets are next to the repository, in `shared/games`; without that folder these tests are skipped.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.games.oracles.oracle import words

import woodstock
from woodstock import State
from woodstock.games import find

Translate = Callable[[State, str], str]


def majorities(_: State, move: str) -> str:
    """`(place a 5)` has the row first, as a letter."""
    row, column = words(move)[1:]
    return f"(place {column} {'abcdefghi'.index(row) + 1})"


def mixture(_: State, move: str) -> str:
    """Each piece has a move of its own name; a jump includes the cell in between."""
    name, *cells = words(move)
    return move if name == "drop" else f"(move {' '.join(cells[:2] + cells[-2:])})"


def skirmish(state: State, move: str) -> str:
    """Moves include the piece after the move, and castling has a name."""
    player, row = ("white", "1") if "(control white)" in state.fluents else ("black", "8")
    if move.lower().startswith("castle"):
        return f"(move e {row} {'g' if move.lower().endswith('kingside') else 'c'} {row})"
    _, piece, *cells = words(move)
    text = " ".join(cells)
    is_pawn = f"(cell {cells[0]} {cells[1]} {player} pawn)" in state.fluents
    return f"(promote {text} {piece})" if is_pawn and cells[3] in "18" else f"(move {text})"


def joint(_: State, move: str) -> str:
    """The board is part of the name of the move."""
    name, column = words(move)
    return f"(drop {name.removeprefix('drop_')} {column})"


def pressed(_: State, move: str) -> str:
    """All buttons are set at once."""
    return move.replace("set", "press")


def as_it_is(_: State, move: str) -> str:
    """Both write moves in the same way."""
    return move


def shmup(_: State, move: str) -> str:
    """Rows are counted from the north, and who does not move does nothing."""
    if move == "noop":
        return "stay"
    kind, way = words(move)
    return f"({kind} {way.lower().translate(str.maketrans('ns', 'sn'))})"


def shorter(name: str, old: str, new: str) -> woodstock.Game:
    """Load a bundled game with one of its numbers changed."""
    text = find(name).read()
    assert text.count(old) == 1
    return woodstock.loads(text.replace(old, new))


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "sheet", "translate", "matches"),
    [
        ("majorities", "majorities", majorities, 200),
        ("ttcc4-2", "2pttcc4_2008_AAAI_GGP_Competition__turk", mixture, 500),
        ("skirmish-zero-sum", "skirmishZeroSum", skirmish, 50),
        ("battle-of-numbers", "battleofnumbers__stanford", as_it_is, 500),
        ("shmup", "shmup", shmup, 500),
        ("hunter", "hunter__nggp", as_it_is, 500),
        ("hunter-big", "hunterbig__stanford", as_it_is, 500),
        ("joint-connect-four-7x7", "jointconnectfour77__stanford", joint, 300),
    ],
)
def test_random_matches_agree(corpus: Path, name: str, sheet: str, translate: Translate, matches: int) -> None:
    """Passing, which the sheet of ttcc4 allows at any time and we do not, is left out if there is another move."""
    compare(woodstock.load(name), woodstock.load(corpus / "games" / f"{sheet}.kif"), translate, matches)


@pytest.mark.full
@pytest.mark.parametrize("boards", [3, 7])
def test_won_matches_of_buttons_agree(corpus: Path, boards: int) -> None:
    """The sheets give no goal to an end that is not won, if the other boards happen to be lit, and 0 in most others."""
    ours = woodstock.load(f"buttons-and-lights-{boards}").initial
    theirs = woodstock.load(corpus / "games" / f"bandl{boards}__stanford.kif").initial
    for button in "abcaba":
        assert not ours.is_terminal and not theirs.is_terminal
        assert set(ours.legal("robot")) == {pressed(theirs, move) for move in theirs.legal("robot")}
        rest = " ".join(random.Random(button).choices("abc", k=boards - 2))
        ours, theirs = (
            state.next([f"({name} {button} {button} {rest})"]) for state, name in ((ours, "press"), (theirs, "set"))
        )
    assert ours.is_terminal and theirs.is_terminal and ours.goals["robot"] == 100


@pytest.mark.full
def test_reflect_connect_agrees_up_to_its_length(corpus: Path) -> None:
    """The sheet ends the match a move earlier."""
    game = shorter("reflect-connect-six", "(true (step 40))", "(true (step 39))")
    compare(game, woodstock.load(corpus / "games" / "reflectconnect6__stanfordR.kif"), as_it_is, 200)


def compare(game: woodstock.Game, twin_game: woodstock.Game, translate: Translate, matches: int) -> None:
    """Play random matches on our rules and on the public ones."""
    assert game.roles == twin_game.roles
    for seed in range(matches):
        rng = random.Random(seed)
        state, twin = game.initial, twin_game.initial
        while not twin.is_terminal:
            assert not state.is_terminal
            ours, theirs = [], []
            for role in game.roles:
                legal = [move for move in twin.legal(role) if move != "noop" or translate is shmup]
                names = {translate(twin, move): move for move in legal} or {"noop": "noop"}
                assert set(names) == set(state.legal(role)), f"seed {seed}, {role}"
                ours.append(rng.choice(sorted(names)))
                theirs.append(names[ours[-1]])
            state, twin = state.next(ours), twin.next(theirs)
        assert state.is_terminal and state.goals == twin.goals
