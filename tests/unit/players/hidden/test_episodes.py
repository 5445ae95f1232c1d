"""Games that fall into episodes: parts that begin in a state which every role knows."""

from __future__ import annotations

import pytest

import woodstock
from woodstock import _native
from woodstock.equilibrium import InformationTree, exploitability
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.information import InformationState
from woodstock.information.referee import Views
from woodstock.players.hidden.numbers import known_by
from woodstock.players.hidden.sampled import hidden_settings


class _Episodes:
    """The native search of `mac-ucb-ii`, with nothing but episodes."""

    def __init__(self, game: woodstock.Game) -> None:
        self.game = game
        assert isinstance(self.game.engine, CircuitEngine)
        self._native = _native.HiddenSearch(self.game.engine.circuit, hidden_settings(self.game, {}), "subgame")

    def build(self, view: InformationState, most_histories: float = 1e6) -> bool:
        self._set(view)
        return self._native.build_episodes(0, 0, most_histories)

    def report(self, view: InformationState, iterations: int = 0) -> dict[str, object]:
        self._set(view)
        assert self._native.is_solved()
        if iterations:
            self._native.run(0, iterations)
        return self._native.report()

    def strategy(self, view: InformationState) -> dict[str, float]:
        names = self.game.moves(view.role)
        moves = self.report(view)["moves"]
        assert isinstance(moves, list)
        return {names[of["move"]]: of["probability"] for of in moves}

    def _set(self, view: InformationState) -> None:
        known = known_by(view)
        self._native.set_situation(known.role, known.start, known.own_moves, known.hashes, known.legal, known.seen)


# Two rounds: a card is dealt that the first player alone sees; it says a card, the second player guesses. A wrong guess
# that was said is punished more in the second round. After a round all is shown.
ROUNDS = """
(role first) (role second) (role random)
(card a) (card b) (card c) (after 1 2) (after 2 3) (adds 0 10 10) (adds 0 30 30) (adds 10 30 40) (adds 10 10 20)
(adds 10 0 10) (adds 0 0 0)
(init (round 1)) (init (phase deal)) (init (score 0))
(<= (legal random (deal ?c)) (true (phase deal)) (card ?c))
(<= (legal random noop) (not (true (phase deal))))
(<= (legal first (say ?c)) (true (phase say)) (card ?c))
(<= (legal first noop) (not (true (phase say))))
(<= (legal second (guess ?c)) (true (phase guess)) (card ?c))
(<= (legal second noop) (not (true (phase guess))))
(<= (next (phase say)) (true (phase deal)))
(<= (next (phase guess)) (true (phase say)))
(<= (next (phase deal)) (true (phase guess)))
(<= (next (dealt ?c)) (does random (deal ?c)))
(<= (next (dealt ?c)) (true (dealt ?c)) (not (true (phase guess))))
(<= (next (said ?c)) (does first (say ?c)))
(<= (next (round ?r)) (true (round ?r)) (not (true (phase guess))))
(<= (next (round ?n)) (true (round ?r)) (true (phase guess)) (after ?r ?n))
(<= (worth 10) (does second (guess ?c)) (true (dealt ?c)) (true (round 1)))
(<= (worth 30) (does second (guess ?c)) (true (dealt ?c)) (true (said ?c)) (true (round 2)))
(<= (worth 10) (does second (guess ?c)) (true (dealt ?c)) (not (true (said ?c))) (true (round 2)))
(<= (worth 0) (does second (guess ?c)) (not (true (dealt ?c))))
(<= (next (score ?s)) (true (score ?s)) (not (true (phase guess))))
(<= (next (score ?t)) (true (score ?s)) (worth ?w) (adds ?s ?w ?t))
(<= (sees first (dealt ?c)) (does random (deal ?c)))
(<= (sees ?role (said ?c)) (role ?role) (does first (say ?c)))
(<= (sees ?role (shown ?g ?c)) (role ?role) (does second (guess ?g)) (true (dealt ?c)))
(<= terminal (true (round 3)))
(<= (goal second ?s) (true (score ?s)))
(<= (goal first 100) (true (score 0))) (<= (goal first 90) (true (score 10))) (<= (goal first 80) (true (score 20)))
(<= (goal first 70) (true (score 30))) (<= (goal first 60) (true (score 40)))
(goal random 0)
"""


def test_what_is_said_of_the_exploitability_is_that_of_the_whole_game() -> None:
    episodes = _Episodes(woodstock.loads(ROUNDS))
    tree = InformationTree(episodes.game)
    first = next(tree.views(0))
    assert episodes.build(first)
    found = []
    for iterations in (1, 10_000):
        said = episodes.report(first, iterations)
        found.append(exploitability(tree, episodes.strategy))
        assert said["exploitability"] == pytest.approx(found[-1], abs=1e-9)
    assert said["episodes"] == 3, "the start, and the second round with and without a point"
    assert found[1] < 0.01 < found[0]


def test_meier_is_solved() -> None:
    episodes = _Episodes(woodstock.load("meier"))
    states = [episodes.game.initial]
    states.append(states[-1].next(["noop", "noop", "(roll 3 1)"]))
    view = Views().of("first", states)
    assert episodes.build(view)
    said = episodes.report(view, 10_000)
    assert said["exploitability"] < 0.1  # type: ignore[operator]
    # The second player believes 55 and rolls 31: it must say 66 or 21, and is doubted.
    for moves in (["(say 55)", "noop", "noop"], ["noop", "believe", "noop"], ["noop", "noop", "(roll 3 1)"]):
        states.append(states[-1].next(moves))
    assert episodes.report(Views().of("second", states))["value"] == pytest.approx([100, 0, 0], abs=0.1)


def test_games_without_episodes_are_given_up() -> None:
    for name in ("kuhn-poker", "phantom-tic-tac-toe"):
        episodes = _Episodes(woodstock.load(name))
        role = episodes.game.roles[0]
        assert not episodes.build(InformationState.at(episodes.game.initial, role), 20_000)
