"""What a role knows: equality, pickling, matches that go back or get another player, and searches."""

from __future__ import annotations

import pickle

import pytest

import woodstock
from woodstock.errors import GameError
from woodstock.games import all_games
from woodstock.gdl.chance import without_chance
from woodstock.information import HiddenStateError, InformationState, Turn, view_from
from woodstock.information.referee import Views, next_view
from woodstock.match import Match
from woodstock.players import Player, Task

HIDDEN = [one.name for one in all_games() if "(sees" in one.read()]


class Listener(Player):
    """Makes the first move and keeps what it is told."""

    def __init__(self) -> None:
        self.views: list[InformationState] = []
        self.ends: list[InformationState | None] = []

    def start(self, task: Task, deadline: float | None) -> None:
        super().start(task, deadline)
        self.views = []

    def move(self, view: InformationState, deadline: float) -> str:
        self.views.append(view)
        return view.legal[0]

    def stop(self, view: InformationState | None) -> None:
        self.ends.append(view)


def test_two_states_that_a_role_cannot_tell_apart_are_one_view() -> None:
    start = woodstock.load("monty-hall").initial
    first = InformationState.at(start, "candidate")
    one, other = (next_view(first, start.next(["noop", hide])) for hide in ("(hide 1)", "(hide 2)"))
    assert one == other and hash(one) == hash(other) and one != first
    assert one != next_view(InformationState.at(start, "random"), start.next(["noop", "(hide 1)"]))


def test_an_open_game_is_known_whole() -> None:
    start = woodstock.load("tic-tac-toe").initial
    first = InformationState.at(start, "x")
    one, other = (next_view(first, start.next([move, "noop"])) for move in ("(mark 1 1)", "(mark 2 2)"))
    assert one != other and one.state.last_moves == ("(mark 1 1)", "noop")
    assert one.turns == (Turn("(mark 1 1)"),)


@pytest.mark.parametrize("name", ["monty-hall", "tic-tac-toe"])
def test_a_view_survives_pickling(name: str) -> None:
    with Match(woodstock.load(name), ["legal"] * len(without_chance(woodstock.load(name).roles)), seed=1) as match:
        match.step()
        match.step()
        view = match.view_of(without_chance(match.game.roles)[0])
    found = pickle.loads(pickle.dumps(view))
    assert found == view and found.legal == view.legal and found.is_open == view.is_open


def test_who_joins_later_knows_the_start_and_what_its_role_saw() -> None:
    game = woodstock.load("monty-hall")
    late = Listener()
    with Match(game, ["legal"], seed=1) as match:
        match.step()
        match.step()
        match.seat("candidate", late)
        while match.step():
            pass
    assert late.task.first_state == game.initial, "not where the match had come to"
    assert len(late.views[0].turns) == 2 and late.views[0].turns[1] == Turn("(choose 1)", ("(choose 1)",))
    (end,) = late.ends
    assert end is not None and end.is_over and end.goal == match.record.goals["candidate"] and end.legal == ()
    with pytest.raises(HiddenStateError):
        _ = end.state


def test_a_match_that_goes_back_forgets_what_was_seen() -> None:
    with Match(woodstock.load("monty-hall"), ["legal"], seed=1) as match:
        first = match.view_of("candidate")
        match.step()
        second = match.view_of("candidate")
        match.step()
        match.take_back(1)
        assert match.view_of("candidate") == second
        match.take_back(0)
        assert match.view_of("candidate") == first and match.view_of("CANDIDATE").turns == ()


def test_only_what_a_role_knows_is_searched() -> None:
    start = woodstock.load("monty-hall").initial
    later = start.next(["noop", "(hide 1)"])
    with pytest.raises(HiddenStateError):
        woodstock.search(later, "uct", simulations=10)
    view = Views().of("candidate", [start, later])
    with pytest.raises(GameError, match="what candidate knows: it does not say what random does"):
        view_from(view, "random")
    assert woodstock.search(view, "uct", simulations=10).move in view.legal


@pytest.mark.parametrize("name", HIDDEN)
def test_nothing_that_needs_hidden_facts_is_called_proven(name: str) -> None:
    """The full state may be decided; what a role knows of it is not."""
    game = woodstock.load(name)
    states = [game.initial]
    while not states[-1].to_move and not states[-1].is_terminal:
        states.append(states[-1].next([states[-1].legal(role)[0] for role in game.roles]))
    view = Views().of(states[-1].to_move[0], states)
    decision = woodstock.search(view, seconds=0.05)
    assert decision.move in view.legal and not decision.is_proven
    assert not any(move.is_proven for move in decision.moves)
