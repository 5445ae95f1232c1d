"""Every line of the recorded matches, by the reference interpreter: state, legal moves, terminal, goals.

The first lines of some games run with every `make test`, all lines of all games under the marker `full`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.reference.traces import BUNDLED, PUBLIC, REFUSED, lines_of, lowered, public_roles, rules_of

from woodstock.game.interpreter import Interpreter
from woodstock.gdl.parse import read

# Chess-like joins, recursion, negation of a predicate by itself, chance, percepts, odd symbols, many roles, unsafe
# variables, no init, `or` in all places.
SAMPLE = [
    "2pffa",
    "4pttc",
    "aipsrovers01",
    "asteroidsParallel",
    "battle",
    "biddingTicTacToe",
    "blindtictactoe__ggpcpp",
    "blobwars",
    "breakthrough",
    "checkers",
    "checkers-mustjump-torus",
    "chess_200",
    "connectFour",
    "dualConnect4",
    "futoshiki4",
    "gt_prisoner",
    "hex",
    "hidato19",
    "ii_kriegtictactoe__yannou",
    "kriegTTT_5x5__scully",
    "lightsOnSimul4",
    "linesOfAction",
    "mastermind448__scully",
    "mastermind__deckb",
    "meier__scully",
    "montyhall__scully",
    "pentago",
    "quarto",
    "reversi",
    "skirmish",
    "small_dominion__scully",
    "ticTacToe",
    "tictactoe_3d_small_6player",
    "vis_pacman3p__scully",
]
SAMPLE_LINES = 15


def differences(name: str, most: int | None) -> list[str]:
    """Return what differs on the first lines of a trace."""
    game = Interpreter(read(rules_of(name)))
    assert name in BUNDLED or lowered(game.roles) == lowered(public_roles(name))
    found: list[str] = []

    def same(what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            found.append(f"{name} {line}: {what} {ours}, not {theirs}")

    came: frozenset[str] | None = None
    for line in lines_of(name, most):
        if line.step == 0:
            came = game.initial()
        state = came if line.state is None else frozenset(line.state)
        assert state is not None, "a line without a state follows a line with moves"
        if came is not None:
            same("state", lowered(came), lowered(state))
        same("terminal", game.is_terminal(state), line.is_terminal)
        same("difference", line.goal_difference(game.goals(state).values()), "")
        for role, legal in zip(game.roles, line.legal or (), strict=False):
            same(f"difference of {role}", legal.difference(game.legal(state, role)), "")
        came = game.next(state, line.moves) if line.moves else None
    return found


# The largest game takes as long as twenty others; its small forms are here.
@pytest.mark.parametrize("name", [name for name in BUNDLED if name != "buttons-and-lights-10"])
def test_the_first_lines_of_bundled_games(name: str) -> None:
    assert differences(name, SAMPLE_LINES) == []


@pytest.mark.full
@pytest.mark.parametrize("name", BUNDLED)
def test_every_line_of_bundled_games(name: str) -> None:
    assert differences(name, None) == []


@pytest.mark.parametrize("name", SAMPLE)
def test_the_first_lines_of_public_sheets(name: str, corpus: Path) -> None:
    assert differences(name, SAMPLE_LINES) == []


@pytest.mark.full
@pytest.mark.parametrize("name", [name for name in PUBLIC if name not in REFUSED] or SAMPLE)
def test_every_line_of_public_sheets(name: str, corpus: Path) -> None:
    assert differences(name, None) == []
