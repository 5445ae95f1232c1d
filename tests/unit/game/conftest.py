"""Small games for the tests of `woodstock.game`, each loaded on both engines."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import woodstock
from woodstock.game.game import Game

Loader = Callable[[str], Game]

RULES = {
    # Two roles move at once; the first wins if the coins match.
    "pennies": """
        (role even) (role odd)
        (init (coin even unknown)) (init (coin odd unknown))
        (side heads) (side tails)
        (<= (legal ?r (turn ?s)) (role ?r) (side ?s))
        (<= (next (coin ?r ?s)) (does ?r (turn ?s)))
        (<= known (true (coin even ?s)) (side ?s))
        (<= terminal known)
        (<= same (true (coin even ?s)) (true (coin odd ?s)))
        (<= (goal even 100) same)
        (<= (goal even 0) (not same))
        (<= (goal odd 0) same)
        (<= (goal odd 100) (not same))
    """,
    # One role bets, chance throws a die with three sides.
    "die": """
        (role gambler) (role random)
        (init start)
        (side 1) (side 2) (side 3)
        (<= (legal gambler (bet ?s)) (true start) (side ?s))
        (<= (legal random (throw ?s)) (true start) (side ?s))
        (<= (next won) (does gambler (bet ?s)) (does random (throw ?s)))
        (<= (next lost) (does gambler (bet ?s)) (not (does random (throw ?s))))
        (<= terminal (not (true start)))
        (<= (goal gambler 100) (true won))
        (<= (goal gambler 0) (not (true won)))
        (goal random 0)
    """,
    # The dealer sees the card, the guesser sees only that one was dealt.
    "peek": """
        (role dealer) (role guesser)
        (init (phase deal))
        (card red) (card black)
        (<= (legal dealer (deal ?c)) (true (phase deal)) (card ?c))
        (<= (legal guesser wait) (true (phase deal)))
        (<= (legal dealer wait) (true (phase guess)))
        (<= (legal guesser (guess ?c)) (true (phase guess)) (card ?c))
        (<= (next (phase guess)) (true (phase deal)))
        (<= (next (phase over)) (true (phase guess)))
        (<= (next (dealt ?c)) (does dealer (deal ?c)))
        (<= (next (dealt ?c)) (true (dealt ?c)))
        (<= (next hit) (does guesser (guess ?c)) (true (dealt ?c)))
        (<= (sees dealer (card ?c)) (does dealer (deal ?c)))
        (<= (sees guesser dealt) (does dealer (deal ?c)))
        (<= terminal (true (phase over)))
        (<= (goal guesser 100) (true hit))
        (<= (goal guesser 0) (not (true hit)))
        (<= (goal dealer 0) (true hit))
        (<= (goal dealer 100) (not (true hit)))
    """,
    # A role that runs out of moves before the end.
    "stuck": """
        (role walker)
        (init (at 0))
        (step 0 1) (step 1 2)
        (<= (legal walker go) (true (at ?n)) (step ?n ?m))
        (<= (next (at ?m)) (does walker go) (true (at ?n)) (step ?n ?m))
        (<= terminal (true (at 9)))
        (<= (goal walker 100) terminal)
    """,
    # Walks round for ever unless it chooses to leave.
    "ring": """
        (role walker)
        (init (at 0))
        (step 0 1) (step 1 2) (step 2 0)
        (legal walker go)
        (<= (legal walker leave) (true (at 2)))
        (<= (next (at ?m)) (does walker go) (true (at ?n)) (step ?n ?m))
        (<= (next out) (does walker leave))
        (<= terminal (true out))
        (goal walker 50)
    """,
    # Never ends and never can: every playout is cut.
    "clock": """
        (role hand)
        (init tick)
        (legal hand wait)
        (<= (next tick) (true tock))
        (<= (next tock) (true tick))
        (<= terminal (true midnight))
        (<= (goal hand 100) terminal)
    """,
    # Two goals at one end, none at the other.
    "muddle": """
        (role judge)
        (init open)
        (<= (legal judge (rule ?v)) (verdict ?v))
        (verdict both) (verdict neither) (verdict one)
        (<= (next (ruled ?v)) (does judge (rule ?v)))
        (<= terminal (not (true open)))
        (<= (goal judge 0) (true (ruled both)))
        (<= (goal judge 100) (true (ruled both)))
        (<= (goal judge 70) (true (ruled one)))
    """,
    # Declares too little.
    "shy": """
        (role walker)
        (base (at 0)) (base (at 1))
        (input walker go)
        (init (at 0))
        (step 0 1) (step 1 2)
        (<= (legal walker go) (true (at 0)))
        (<= (legal walker run) (true (at 1)))
        (<= (next (at ?m)) (true (at ?n)) (step ?n ?m))
        (<= terminal (true (at 2)))
        (<= (goal walker 100) terminal)
        (<= (goal walker 30) (true (at 7)))
    """,
}


@pytest.fixture(params=["circuit", "interpreter"])
def engine(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def load(engine: str) -> Loader:
    """Load one of the small games, or a bundled one, on the engine of the test."""

    def load_on_engine(name: str) -> Game:
        if name in RULES:
            return woodstock.loads(RULES[name], name, engine=engine)
        return woodstock.load(name, engine=engine)

    return load_on_engine
