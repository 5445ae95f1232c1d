"""States: what holds, what is legal, what follows, and what is refused."""

from __future__ import annotations

import contextlib
import copy
import pickle
import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from woodstock import GameError, IllegalMoveError
from woodstock.game.game import Game
from woodstock.game.state import State

Loader = Callable[[str], Game]


def random_walk(game: Game, seed: int) -> list[State]:
    """Return the states of one random match."""
    chance = random.Random(seed)
    states = [game.initial]
    while not states[-1].is_terminal:
        state = states[-1]
        states.append(state.next([chance.choice(state.legal(role)) for role in game.roles]))
    return states


def test_tic_tac_toe_from_the_first_move_to_a_win(load: Loader) -> None:
    game = load("tic-tac-toe")
    state = game.initial
    assert game.roles == ("x", "o")
    assert "(cell 1 1 b)" in state.fluents
    assert len(state.fluents) == 10
    assert state.legal("x")[:4] == ("(mark 1 1)", "(mark 1 2)", "(mark 1 3)", "(mark 2 1)")
    assert state.legal("o") == ("noop",)
    assert not state.is_terminal
    for x_move, o_move in (
        ("(mark 1 1)", "noop"),
        ("noop", "(mark 2 2)"),
        ("(mark 1 2)", "noop"),
        ("noop", "(mark 3 3)"),
    ):
        state = state.next({"x": x_move, "o": o_move})
    state = state.next(["(mark 1 3)", "noop"])
    assert state.is_terminal
    assert state.goals == {"x": 100, "o": 0}
    assert state.turn == 6
    assert state.last_moves == ("(mark 1 3)", "noop")


@pytest.mark.parametrize("text", ["(mark 1 2)", "(MARK 1 2)", "  ( mark\n1   2 ) ", "mark(1,2)", "Mark( 1 , 2 )"])
def test_a_move_is_understood_however_it_is_written(load: Loader, text: str) -> None:
    state = load("tic-tac-toe").initial
    assert state.next({"X": text, "o": " NOOP "}) == state.next(("(mark 1 2)", "noop"))


def test_an_illegal_move_says_for_whom_when_and_what_is_near(load: Loader) -> None:
    state = load("tic-tac-toe").initial.next(["(mark 1 1)", "noop"])
    with pytest.raises(IllegalMoveError) as caught:
        state.next(["noop", "(mark 1 1)"])
    error = caught.value
    assert (error.move, error.role, error.turn) == ("(mark 1 1)", "o", 2)
    assert error.legal == state.legal("o")
    assert "illegal move (mark 1 1) for o at turn 2: not among its 8 legal moves; nearest (mark" in str(error)
    assert pickle.loads(pickle.dumps(error)).legal == error.legal


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ({"x": "(mark 1 1)"}, "none given for o"),
        ({"x": "(mark 1 1)", "z": "noop"}, "no role 'z'"),
        (["(mark 1 1)"], "needs 2 moves, one for each of x, o: 1 given"),
        (["(mark 1 1)", "noop", "noop"], "3 given"),
        ("(mark 1 1)", "1 given"),
        (["(mark 1 1)", 3], "must be text"),
    ],
)
def test_an_incomplete_joint_move_is_refused(load: Loader, moves: object, message: str) -> None:
    with pytest.raises(GameError, match=message.replace("(", r"\(").replace(")", r"\)")):
        load("tic-tac-toe").initial.next(moves)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ["", "(", ")", "(mark 1", "mark 1 2", "(mark ?x 1)", "((mark) 1 2)", "\x00", "mark(1,2))"]
)
def test_text_that_is_no_term_is_an_illegal_move(load: Loader, text: str) -> None:
    with pytest.raises(IllegalMoveError):
        load("tic-tac-toe").initial.next([text, "noop"])


def test_no_move_follows_a_terminal_state(load: Loader) -> None:
    end = load("pennies").initial.next(["(turn heads)", "(turn heads)"])
    assert end.is_terminal
    with pytest.raises(GameError, match="the state at turn 2: it is terminal"):
        end.next(["(turn heads)", "(turn heads)"])


def test_a_stuck_role_is_named(load: Loader) -> None:
    state = load("stuck").initial.next("go").next("go")
    assert not state.is_terminal
    assert state.legal("walker") == ()
    with pytest.raises(GameError, match="walker has no legal move in the state at turn 3, which is not terminal"):
        state.next("go")


def test_simultaneous_moves(load: Loader) -> None:
    start = load("pennies").initial
    assert start.next(["(turn heads)", "(turn tails)"]).goals == {"even": 0, "odd": 100}
    assert start.next(["(turn tails)", "(turn tails)"]).goals == {"even": 100, "odd": 0}


def test_chance_is_a_role_like_the_others(load: Loader) -> None:
    game = load("die")
    assert game.is_stochastic
    assert not load("pennies").is_stochastic
    assert game.initial.legal("random") == ("(throw 1)", "(throw 2)", "(throw 3)")
    assert game.initial.next(["(bet 2)", "(throw 2)"]).goals == {"gambler": 100, "random": 0}


def test_percepts_differ_by_role(load: Loader) -> None:
    game = load("peek")
    assert game.has_percepts
    assert game.initial.sees("dealer") == ()
    dealt = game.initial.next(["(deal red)", "wait"])
    assert dealt.sees("dealer") == ("(card red)",)
    assert dealt.sees("guesser") == ("dealt",)
    over = dealt.next(["wait", "(guess red)"])
    assert over.sees("guesser") == ()
    assert over.goals == {"dealer": 0, "guesser": 100}


def test_a_goal_that_is_missing_or_double_is_none(load: Loader) -> None:
    state = load("muddle").initial
    assert state.next("(rule both)").goals == {"judge": None}
    assert state.next("(rule neither)").goals == {"judge": None}
    assert state.next("(rule one)").goals == {"judge": 70}


def test_states_are_equal_by_what_holds(load: Loader) -> None:
    game = load("tic-tac-toe")
    one = game.initial.next(["(mark 1 1)", "noop"]).next(["noop", "(mark 3 3)"]).next(["(mark 2 1)", "noop"])
    other = game.initial.next(["(mark 2 1)", "noop"]).next(["noop", "(mark 3 3)"]).next(["(mark 1 1)", "noop"])
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other, game.initial}) == 2
    assert one != game.initial
    assert one != "a state"
    assert load("tic-tac-toe").initial == game.initial
    assert load("pennies").initial != game.initial


def test_a_state_is_made_from_its_fluents(load: Loader) -> None:
    game = load("tic-tac-toe")
    walked = random_walk(game, 3)[4]
    made = game.state([text.upper().replace(" ", "  ") for text in walked.fluents])
    assert made == walked
    assert made.turn is None
    assert made.legal("x") == walked.legal("x")
    assert game.state(["cell(1, 1, b)", "control(x)"]).legal("x") == ("(mark 1 1)",)
    assert game.state([]).fluents == frozenset()
    with pytest.raises(GameError, match=r"no fluent \(cell 1 1 purple\)"):
        game.state(["(cell 1 1 purple)"])
    with pytest.raises(GameError, match="not one string"):
        game.state("(cell 1 1 b)")
    with pytest.raises(GameError, match="must be text"):
        game.state([1])  # type: ignore[list-item]


def test_states_survive_pickling_and_copying(load: Loader) -> None:
    states = random_walk(load("tic-tac-toe"), 5)
    again = pickle.loads(pickle.dumps(states))
    assert again == states
    assert [s.turn for s in again] == [s.turn for s in states]
    assert again[0].game is states[0].game
    assert copy.copy(states[2]) is states[2]
    assert copy.deepcopy(states)[3] == states[3]
    peek = load("peek").initial.next(["(deal red)", "wait"])
    assert pickle.loads(pickle.dumps(peek)).sees("dealer") == ("(card red)",)


def test_an_unknown_role_is_answered_with_the_nearest(load: Loader) -> None:
    with pytest.raises(GameError, match=r"no role 'dealr'; its roles are dealer, guesser\. Did you mean dealer"):
        load("peek").initial.legal("dealr")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(min_value=0, max_value=2**32))
def test_whatever_is_played_the_state_stays_one_board(load: Loader, seed: int) -> None:
    game = load("tic-tac-toe")
    for state in random_walk(game, seed):
        assert len(state.fluents) == 10
        assert game.state(state.fluents) == state
        if not state.is_terminal:
            assert sorted(map(len, (state.legal("x"), state.legal("o"))))[0] == 1


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=30))
def test_no_text_breaks_a_state(load: Loader, text: str) -> None:
    state = load("pennies").initial
    with contextlib.suppress(IllegalMoveError):
        assert state.next([text, text]).is_terminal
    # Without grounding, any term over the symbols of the rules may be a fluent.
    with contextlib.suppress(GameError):
        assert len(state.game.state([text]).fluents) == 1


def test_who_is_to_move(load: Loader) -> None:
    assert load("pennies").initial.to_move == ("even", "odd")
    die = load("die").initial
    assert die.to_move == ("gambler",), "chance is left out"
    assert die.next(["(bet 1)", "(throw 1)"]).to_move == (), "nobody moves in a terminal state"


def test_print_draws_the_board(load: Loader) -> None:
    state = load("tic-tac-toe").initial.next(["(mark 2 2)", "noop"])
    assert str(state).splitlines()[:4] == ["3  .  .  .", "2  .  x  .", "1  .  .  .", "   1  2  3"]
    assert "(cell 2 2 x)" in repr(state)


def test_moves_by_index_are_checked_as_moves_by_name_are(load: Loader) -> None:
    game = load("tic-tac-toe")
    if game.engine_name != "circuit":
        with pytest.raises(GameError, match="need the circuit"):
            game.initial.next_by_index([0, 0])
        return
    state = game.initial
    for _ in range(3):
        chosen = [state.legal_indices(role)[-1] for role in game.roles]
        by_name = state.next([game.moves(role)[index] for role, index in zip(game.roles, chosen, strict=True)])
        by_index = state.next_by_index(chosen)
        assert by_index == by_name
        assert (by_index.turn, by_index.last_moves) == (by_name.turn, by_name.last_moves)
        state = by_index
        with pytest.raises(IllegalMoveError) as caught:
            state.next_by_index(chosen)
        assert caught.value.role == "x" and caught.value.turn == state.turn
    with pytest.raises(GameError, match="has moves 0 to"):
        state.next_by_index([-1, 0])
