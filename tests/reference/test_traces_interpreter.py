"""Every line of the recorded matches, by the reference interpreter: state, legal moves, terminal, goals.

The traces come from another interpreter, which keeps the case of symbols apart; texts are compared in lower case.
The first lines of some games run with every `make test`, all lines of all games under the marker `full`.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from woodstock.game.interpreter import Interpreter
from woodstock.gdl.parse import read

SHARED = Path(__file__).resolve().parents[3] / "shared"
TRACES = sorted(path.name.removesuffix(".jsonl.gz") for path in (SHARED / "traces").glob("*.jsonl.gz"))

# Rules that have no agreed meaning: `(<= (legal ?p noop) (not (true (control ?p))))` leaves ?p unbound. The other
# interpreter lets every role pass, even those in control; the checker refuses the sheet.
REFUSED = {"dominion__deckb"}

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


def lowered(texts: Any) -> list[str]:
    return sorted(text.lower() for text in texts)


def differences(name: str, most: int | None) -> list[str]:
    """Return what differs on the first lines of a trace."""
    game = Interpreter(read(SHARED / "games" / f"{name}.kif"))
    with gzip.open(SHARED / "traces" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        header, *lines = map(json.loads, file)
    found: list[str] = []

    def same(what: str, ours: Any, theirs: Any) -> None:
        if ours != theirs:
            found.append(f"{name} match {line['match']} step {line['step']}: {what} {ours}, not {theirs}")

    assert [role.lower() for role in game.roles] == [role.lower() for role in header["roles"]]
    expected: frozenset[str] | None = None
    for line in lines[:most]:
        state = frozenset(line["state"])
        if line["step"] == 0:
            expected = game.initial()
        if expected is not None:
            same("state", lowered(expected), lowered(state))
        same("terminal", game.is_terminal(state), line["terminal"])
        same("goals", list(game.goals(state).values()), line["goals"])
        expected = None
        if not line["terminal"]:
            for role, moves in zip(game.roles, line["legal"], strict=True):
                same(f"legal moves of {role}", lowered(game.legal(state, role)), lowered(moves))
            if line["moves"]:
                expected = game.next(state, line["moves"])
    return found


@pytest.mark.skipif(not TRACES, reason=f"the recorded matches are not here: {SHARED / 'traces'}")
@pytest.mark.parametrize("name", [name for name in SAMPLE if name in TRACES])
def test_the_first_lines(name: str) -> None:
    assert differences(name, SAMPLE_LINES) == []


@pytest.mark.full
@pytest.mark.skipif(not TRACES, reason=f"the recorded matches are not here: {SHARED / 'traces'}")
@pytest.mark.parametrize("name", [name for name in TRACES if name not in REFUSED])
def test_every_line(name: str) -> None:
    assert differences(name, None) == []
