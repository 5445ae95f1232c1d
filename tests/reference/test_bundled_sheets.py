"""What holds of the public rulesheets holds of the bundled ones: reading, writing, checking, symmetries."""

from __future__ import annotations

import random

import pytest
from tests.unit.gdl.test_brackets import TOKEN, is_near
from tests.unit.gdl.test_write import come_back
from tests.unit.symmetry.test_symmetries import contains

import woodstock
from woodstock.games import all_games
from woodstock.gdl.check import check
from woodstock.gdl.parse import read
from woodstock.gdl.write import write
from woodstock.symmetry import find_symmetries

PATHS = [game.path for game in all_games()]
SYMMETRIC = [
    "buttons-and-lights",
    "connect-four",
    "copolymer-pie",
    "eight-puzzle",
    "hunter",
    "nim",
    "pentago",
    "sheep-and-wolf",
    "tic-tac-toe",
    "untwisty-corridor",
]


def test_every_sheet_comes_back_from_both_syntaxes() -> None:
    come_back(PATHS)


def test_no_sheet_has_an_error() -> None:
    assert [path for path in PATHS if any(found.is_error for found in check(read(path)))] == []


@pytest.mark.parametrize("syntax", ["kif", "infix"])
def test_a_deleted_bracket_is_reported_within_two_lines(syntax: str) -> None:
    rng = random.Random(20)
    near = []
    for path in PATHS:
        program = read(path)
        text = program.text if syntax == "kif" else write(program, "infix")
        offsets = [token.start() for token in TOKEN[syntax].finditer(text) if token[0] in "()"]
        near += [is_near(text, offset, path.name, syntax) for offset in rng.sample(offsets, 2)]
    assert sum(near) >= 0.95 * len(near)


@pytest.mark.parametrize("name", SYMMETRIC)
def test_the_network_has_all_symmetries_of_the_rules(name: str) -> None:
    game = woodstock.load(name)
    for fix_initial in (True, False):
        network = find_symmetries(game, "network", fix_initial=fix_initial)
        rules = find_symmetries(game, "rules", fix_initial=fix_initial)
        assert contains(network, rules), (network.order, rules.order)
        assert network.notes == rules.notes == ()
