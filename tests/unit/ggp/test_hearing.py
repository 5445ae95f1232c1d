"""A player on the network has no referee: what it works out of its legal moves is compared with the referee's."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest

import woodstock
from woodstock.game.game import Game
from woodstock.game.interpreter import Interpreter
from woodstock.games import all_games
from woodstock.gdl.chance import without_chance
from woodstock.gdl.parse import parse
from woodstock.ggp.worker.guess import Guess
from woodstock.ggp.worker.hearing import Hearing
from woodstock.ggp.worker.told_moves import told_moves, without_told_moves
from woodstock.information import InformationState
from woodstock.information.referee import next_view

HIDDEN = [one.name for one in all_games() if "(sees" in one.read()]
LONGEST = 12


def _views(game: Game, role: str, seed: int) -> Iterator[InformationState]:
    """Yield what a role knows after each turn of a random match."""
    chance = random.Random(seed)
    state = game.initial
    view = InformationState.at(state, role)
    for _ in range(LONGEST):
        if state.is_terminal:
            return
        state = state.next([chance.choice(state.legal(one)) for one in game.roles])
        view = next_view(view, state)
        yield view


@pytest.mark.parametrize("name", HIDDEN)
def test_a_belief_knows_the_legal_moves(name: str) -> None:
    game = woodstock.load(name)
    problems: list[str] = []
    for role in without_chance(game.roles):
        hearing = Hearing(game, role, lambda _level, text: problems.append(text))
        for view in _views(game, role, seed=1):
            turn = view.turns[-1]
            hearing.hear(turn.move, turn.percepts, time.monotonic() + 20, is_over=view.is_over)
            assert sorted(hearing.view.legal) == sorted(view.legal)
            assert hearing.view.turns == view.turns
            assert hearing.view.goal in (view.goal, None)
    assert problems == []


@pytest.mark.parametrize("name", ["monty-hall", "kuhn-poker", "krieg-tic-tac-toe"])
def test_the_stand_in_guesses_the_legal_moves(name: str) -> None:
    game = woodstock.load(name)
    for role in without_chance(game.roles):
        guess = Guess(Interpreter(game.program), role, is_hidden=True, chance=random.Random(2))
        for view in _views(game, role, seed=2):
            turn = view.turns[-1]
            guess.hear(turn.move, turn.percepts, time.monotonic() + 20)
            assert view.is_over or sorted(guess.legal()) == sorted(view.legal)
        assert guess.is_certain


def test_the_stand_in_goes_on_after_a_contradiction() -> None:
    game = woodstock.load("monty-hall")
    guess = Guess(Interpreter(game.program), "candidate", is_hidden=True, chance=random.Random(3))
    guess.hear("noop", ["(goat 1)"], time.monotonic() + 0.05)
    assert not guess.is_certain and guess.legal() == ("(choose 1)", "(choose 2)", "(choose 3)")


def test_an_open_game_of_a_gdl2_server_is_open_again() -> None:
    game = woodstock.load("tic-tac-toe")
    rule = "(<= (SEES ?A (SCRAMBLED ?B ?C)) (DOES ?B ?C) (ROLE ?A))"
    program = without_told_moves(parse(f"{game.text}\n{rule}", "rules", "kif"))
    assert "SCRAMBLED" not in program.text
    assert told_moves(["(scrambled O noop)", "(scrambled X (mark 1 1))"], game.roles) == ["(mark 1 1)", "noop"]


@pytest.mark.parametrize(
    "rule",
    [
        "(<= (sees ?p (did ?p ?m)) (role ?p) (does ?p ?m))",
        "(<= (sees x (did ?q ?m)) (role x) (does ?q ?m))",
        "(<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m) (true seen))",
        "(<= (sees ?p ?m) (role ?p) (does ?q ?m))",
    ],
)
def test_other_percepts_are_left_alone(rule: str) -> None:
    program = parse(f"(role x) (role o) (init seen) {rule}", "rules", "kif")
    assert without_told_moves(program) is program
