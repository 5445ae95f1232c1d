"""The worked examples of the papers as rulesheets, and their templates."""

from __future__ import annotations

import pytest

import woodstock
from woodstock.game.game import Game
from woodstock.scsp.game import Template, translate

MATCHING_PENNIES = """
(role j1) (role j2)
(cote pile) (cote face)
(<= (base (piece ?j ?c)) (role ?j) (cote ?c))
(<= (base (piece ?j inconnue)) (role ?j))
(<= (input ?j (retourne ?c)) (role ?j) (cote ?c))
(init (piece j1 inconnue)) (init (piece j2 inconnue))
(<= (legal ?j (retourne ?c)) (role ?j) (cote ?c) (true (piece ?j inconnue)))
(<= (next (piece ?j ?c)) (does ?j (retourne ?c)))
(<= terminal (not (true (piece j1 inconnue))) (not (true (piece j2 inconnue))))
(<= (goal j1 100) (true (piece j1 ?c)) (true (piece j2 ?c)) (cote ?c))
(<= (goal j2 0) (true (piece j1 ?c)) (true (piece j2 ?c)) (cote ?c))
(<= (goal j1 0) (true (piece j1 ?c)) (true (piece j2 ?d)) (cote ?c) (cote ?d) (distinct ?c ?d))
(<= (goal j2 100) (true (piece j1 ?c)) (true (piece j2 ?d)) (cote ?c) (cote ?d) (distinct ?c ?d))
"""

# Alice and bob choose at once, then random flips; both win if all three sides are equal.
COOPERATIVE_PENNIES = """
(role alice) (role bob) (role random)
(side tails) (side heads)
(init (coin alice unset)) (init (coin bob unset)) (init (coin random unset))
(init (control alice)) (init (control bob))
(<= (legal ?p (choose ?x)) (true (control ?p)) (side ?x))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (coin ?p ?x)) (does ?p (choose ?x)) (side ?x))
(<= (next (coin ?p ?x)) (does ?p noop) (true (coin ?p ?x)))
(<= (next (control random)) (true (control alice)))
(<= terminal (not (true (coin alice unset))) (not (true (coin random unset))) (not (true (coin bob unset))))
(<= has_won (true (coin alice ?x)) (true (coin bob ?x)) (true (coin random ?x)) (side ?x))
(<= (goal alice 100) has_won) (<= (goal alice 0) (not has_won))
(<= (goal bob 100) has_won) (<= (goal bob 0) (not has_won))
(goal random 0)
"""

# A player chooses a row or a column, then chance marks a free cell of it for that player.
RANDOM_TICTACTOE = """
(role one) (role two) (role random)
(index x1) (index x2) (column y1) (column y2)
(line x1) (line x2) (line y1) (line y2)
(on x1 x1 y1) (on x1 x1 y2) (on x2 x2 y1) (on x2 x2 y2)
(on y1 x1 y1) (on y1 x2 y1) (on y2 x1 y2) (on y2 x2 y2)
(other one two) (other two one)
(<= (init (cell ?x ?y b)) (index ?x) (column ?y))
(init (turn one))
(<= (free ?l) (on ?l ?x ?y) (true (cell ?x ?y b)))
(<= (legal ?p (choose ?l)) (true (turn ?p)) (line ?l) (free ?l))
(<= (legal ?p noop) (role ?p) (distinct ?p random) (not (true (turn ?p))))
(<= (legal random (mark ?x ?y)) (true (chosen ?p ?l)) (on ?l ?x ?y) (true (cell ?x ?y b)))
(<= (legal random noop) (not choosing))
(<= choosing (true (chosen ?p ?l)))
(<= (next (chosen ?p ?l)) (does ?p (choose ?l)))
(<= (next (cell ?x ?y ?p)) (does random (mark ?x ?y)) (true (chosen ?p ?l)))
(<= (next (cell ?x ?y ?m)) (true (cell ?x ?y ?m)) (distinct ?m b))
(<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (not (marked ?x ?y)))
(<= (marked ?x ?y) (does random (mark ?x ?y)))
(<= (next (turn ?q)) (true (chosen ?p ?l)) (other ?p ?q))
(<= (wins ?p) (other ?p ?q) (on ?l ?x ?y) (on ?l ?v ?w) (true (cell ?x ?y ?p)) (true (cell ?v ?w ?p))
    (different ?x ?y ?v ?w))
(<= (different ?x ?y ?v ?w) (index ?x) (index ?v) (column ?y) (column ?w) (distinct ?x ?v))
(<= (different ?x ?y ?v ?w) (index ?x) (index ?v) (column ?y) (column ?w) (distinct ?y ?w))
(<= open (true (cell ?x ?y b)))
(<= terminal (wins ?p))
(<= terminal (not open))
(<= (goal ?p 100) (wins ?p))
(<= (goal ?p 0) (other ?p ?q) (wins ?q))
(<= (goal ?p 50) (other ?p ?q) (not (wins ?p)) (not (wins ?q)))
(goal random 0)
"""

# Reachability: `linked` is recursive, and a circular derivation supports itself unless the least model is taken.
RECURSIVE = """
(role walker)
(node a) (node b) (node c) (node d)
(edge a b) (edge b c) (edge c d) (edge d b)
(init (at a)) (init (open a b))
(<= (legal walker (build ?x ?y)) (edge ?x ?y) (not (true (open ?x ?y))))
(legal walker noop)
(<= (next (open ?x ?y)) (true (open ?x ?y)))
(<= (next (open ?x ?y)) (does walker (build ?x ?y)))
(<= (next (at ?x)) (true (at ?x)))
(<= (linked ?x) (true (at ?x)))
(<= (linked ?y) (linked ?x) (true (open ?x ?y)))
(<= terminal (linked d))
(<= (goal walker 100) (linked d))
(<= (goal walker 0) (not (linked d)))
"""

RULES = {
    "matching": MATCHING_PENNIES,
    "cooperative": COOPERATIVE_PENNIES,
    "tictactoe": RANDOM_TICTACTOE,
    "recursive": RECURSIVE,
}


@pytest.fixture(scope="session")
def games() -> dict[str, Game]:
    return {name: woodstock.loads(rules) for name, rules in RULES.items()}


@pytest.fixture(scope="session")
def templates(games: dict[str, Game]) -> dict[str, Template]:
    return {name: translate(game, proof_seconds=20) for name, game in games.items()}
