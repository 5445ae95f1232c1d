"""Values learned in the start clock: the net learns from matches with itself, and is used if it wins a trial."""

from __future__ import annotations

import random
import re
import statistics
import time
from collections import Counter

import pytest

import woodstock
from woodstock import _native
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.state import packed
from woodstock.gdl.chance import chance_index
from woodstock.players import Task
from woodstock.players.budget import Budget
from woodstock.players.favours import find_favours
from woodstock.players.kinds import find_kinds, kinds_of
from woodstock.players.learning import Learning, Lesson
from woodstock.players.patterns import Patterns, find_patterns
from woodstock.players.search_player import SearchPlayer
from woodstock.players.searcher import TreeSearcher, make_searcher
from woodstock.players.spec import parse_spec
from woodstock.players.trials import FAVOURED, NET_USES, Couple, Trial, TrialMatches, Use


def _circuit(game: woodstock.Game) -> _native.Circuit:
    assert isinstance(game.engine, CircuitEngine)
    return game.engine.circuit


def _searcher(game: woodstock.Game) -> TreeSearcher:
    found = make_searcher(game, parse_spec("mac-ucb:proofs=off,seed=1,memory=64MiB"))
    assert isinstance(found, TreeSearcher)
    found.prepare(None)
    return found


def test_a_net_learns_who_wins() -> None:
    game = woodstock.load("breakthrough")
    net = _native.SelfPlay(_circuit(game), seed=3)
    net.run(packed(game.initial), 60.0, matches=4000)
    assert net.matches == 4000
    # Whoever has lost six of sixteen pawns will lose.
    for winner, loser in ((0, 1), (1, 0)):
        pawns = sorted(fluent for fluent in game.initial.fluents if re.match(rf".cell .* {game.roles[loser]}", fluent))
        assert len(pawns) == 16
        values = net.values(packed(game.state(game.initial.fluents - set(pawns[::3]))))
        assert values[winner] > 0.7 > 0.3 > values[loser], (winner, values)


def test_a_net_with_kinds_soon_knows_that_pieces_are_worth_something() -> None:
    game = woodstock.load("skirmish-zero-sum")
    assert isinstance(game.engine, CircuitEngine)
    kinds = find_kinds(game.engine.ground.fluents)
    start, dice = packed(game.initial), random.Random(1)
    right = []
    for known in (kinds, []):
        net = _native.SelfPlay(_circuit(game), seed=3, kinds=known)
        net.run(start, 60.0, matches=100)
        worse = 0
        for role, colour in enumerate("wb"):
            pieces = sorted(one for one in game.initial.fluents if re.match(rf".cell . . {colour}[qrbn]", one))
            for _ in range(50):
                fewer = game.state(game.initial.fluents - set(dice.sample(pieces, 3)))
                worse += net.values(packed(fewer))[role] < net.values(start)[role]
        right.append(worse)
    assert right[0] >= 90 > right[1] + 10, right


def test_kinds_agree_in_some_arguments() -> None:
    fluents = ["(cell 1 a king)", "(cell 1 b king)", "(cell 2 b rook)", "(held (pair 1 2) x)", "over"]
    assert kinds_of(fluents) == [[0, 1], [1, 2]]
    assert find_kinds(fluents) == []  # of so few each is met soon
    board = [f"(cell {x} {y} {man})" for x in range(12) for y in range(12) for man in ("king", "rook", "pawn", "ox")]
    # A column, a row, a square, a piece anywhere, in a column and in a row.
    sizes = Counter(map(len, find_kinds(board)))
    assert sizes == {48: 12 + 12, 4: 144, 144: 4, 12: 2 * 48}


def test_kinds_of_other_fluents_are_refused() -> None:
    with pytest.raises(ValueError, match="does not have"):
        _native.SelfPlay(_circuit(woodstock.load("tic-tac-toe")), kinds=[[0, 5000]])


def test_the_same_seed_gives_the_same_net() -> None:
    game = woodstock.load("connect-four")
    nets = [_native.SelfPlay(_circuit(game), seed=seed) for seed in (3, 3, 4)]
    for net in nets:
        net.run(packed(game.initial), 60.0, matches=200)
    first, again, other = (net.values(packed(game.initial)) for net in nets)
    assert first == again != other


def _random_states(game: woodstock.Game, count: int) -> list[woodstock.State]:
    dice, states = random.Random(1), [game.initial]
    while len(states) < count:
        after = states[-1].next({role: dice.choice(states[-1].legal(role)) for role in game.roles})
        states.append(game.initial if after.is_terminal else after)
    return states


def test_a_net_that_knows_symmetries_values_images_alike() -> None:
    game = woodstock.load("breakthrough")
    group = woodstock.find_symmetries(game, fix_initial=False).group
    plain, symmetric = (_native.SelfPlay(_circuit(game), seed=3) for _ in range(2))
    symmetric.set_group(group)
    assert (plain.symmetries, symmetric.symmetries) == (1, group.size) == (1, 4)
    differences = []
    for net in (plain, symmetric):
        net.run(packed(game.initial), 60.0, matches=500)
        off = []
        for state in _random_states(game, 60):
            values = net.values(packed(state))
            for element in range(1, group.size):
                # An image has the same values, the two roles in the same places or exchanged.
                image = net.values(group.apply(element, packed(state)))
                off.append(min(abs(values[0] - image[0]), abs(values[0] - image[1])))
        differences.append(sum(off) / len(off))
    assert differences[1] < 0.7 * differences[0], differences


def test_a_group_of_another_game_is_refused() -> None:
    net = _native.SelfPlay(_circuit(woodstock.load("breakthrough")))
    with pytest.raises(ValueError, match="of another game"):
        net.set_group(woodstock.find_symmetries(woodstock.load("tic-tac-toe")).group)


def test_a_player_with_symmetries_gives_them_to_its_net(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("woodstock.players.learning.LEAST_S", 1.0)
    game = woodstock.load("connect-four")
    player = SearchPlayer("mac-ucb-sym")
    player.start(Task(game, game.roles[0], start_clock_s=2.0, seed=1), time.monotonic() + 2.0)
    assert player.lesson is not None
    assert player.lesson.net.symmetries == 4
    player.stop(None)


@pytest.mark.parametrize("name", ["backgammon", "connect-four-simultaneous", "chinese-checkers-3", "pacman-ghosts"])
def test_chance_simultaneous_moves_and_many_roles(name: str) -> None:
    game = woodstock.load(name)
    chance = chance_index(game.roles)
    net = _native.SelfPlay(_circuit(game), chance, seed=1)
    net.run(packed(game.initial), 60.0, matches=5)
    assert net.states > 40
    assert all(0 <= value <= 1 for value in net.values(packed(game.initial)))


def test_a_trial_tells_a_good_net_from_a_bad_one() -> None:
    scores = []
    for name, matches in (("breakthrough-suicide", 1000), ("connect-four", 1)):
        game = woodstock.load(name)
        learning = Learning(game.initial, 1, lambda: True)
        assert learning.prepare(time.monotonic() + 60.0)
        learning.net.run(packed(game.initial), 60.0, matches=matches)
        trials = learning.try_net(2.0)
        assert [trial.use for trial in trials] == list(NET_USES)
        scores.append([trial.score for trial in trials])
    # Either use may be the first that is beyond doubt.
    assert max(scores[0]) > 0.7 > 0.6 > scores[1][0], scores


def test_corners_of_othello_gain() -> None:
    game = woodstock.load("othello")
    circuit = _circuit(game)
    assert circuit.prepare_biased(-1)
    made = [_native.MoveGains(circuit, seed=seed) for seed in (1, 1, 2)]
    for one in made:
        one.run(packed(game.initial), 60.0, stages=800)
    gains, again, other = (one.gains for one in made)
    assert gains == again != other
    assert isinstance(game.engine, CircuitEngine)
    names = [move for moves in game.engine.ground.moves for move in moves]
    corners = [number for number, name in enumerate(names) if re.fullmatch(r"\(place [18] [18]\)", name)]
    assert len(corners) == 8
    assert sum(gains[corner] for corner in corners) / 8 > 0.04 > 0.02 > max(gains[-2:])  # those are noop and pass
    assert all(made[0].favours[corner] > 8 for corner in corners)


def test_a_game_of_very_many_moves_has_no_favours() -> None:
    game = woodstock.load("amazons")
    assert not _circuit(game).prepare_biased(-1)
    assert find_favours(_circuit(game), -1, packed(game.initial), 1, 0.1, lambda: True) == []


def test_favours_that_pay_are_used_by_both_sides_of_the_nets_trial() -> None:
    game = woodstock.load("reversi-suicide")
    learning = Learning(game.initial, 1, lambda: True)
    assert learning.prepare(time.monotonic() + 60.0)
    learning.net.run(packed(game.initial), 60.0, matches=5)
    trial = learning.try_favours(0.4, 1.0)
    assert trial.use is FAVOURED
    assert len(trial.scores) >= 1
    assert Lesson(1.0, learning.net, (), trial).best is None


def test_a_net_that_does_not_pay_stays_out() -> None:
    instead, beside = NET_USES
    net = _native.SelfPlay(_circuit(woodstock.load("tic-tac-toe")))

    def trial(use: Use, wins: int, pairs: int) -> Trial:
        return Trial(use, [1.0] * wins + [0.0] * (pairs - wins))

    assert not trial(instead, 22, 40).pays
    assert not trial(instead, 2, 2).pays, "too few matches to say"
    assert not trial(instead, 4, 6).pays, "too few to be sure"
    assert trial(instead, 3, 3).pays
    assert trial(instead, 11, 16).pays
    assert not trial(beside, 8, 16).pays
    assert not trial(beside, 10, 16).pays
    assert trial(beside, 11, 16).pays
    assert Lesson(10.0, net, (trial(instead, 11, 16), trial(beside, 10, 16))).best == trial(instead, 11, 16)
    assert Lesson(10.0, net, (trial(instead, 8, 16), trial(beside, 11, 16))).best == trial(beside, 11, 16)
    assert Lesson(10.0, net, (trial(instead, 8, 16), trial(beside, 8, 16))).best is None


def test_a_trial_beyond_doubt_ends_and_the_net_has_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    game = woodstock.load("breakthrough")
    learning = Learning(game.initial, 1, lambda: True)
    monkeypatch.setattr(learning, "try_favours", lambda seconds, trial_seconds: Trial(FAVOURED))
    played = []

    def play_pair(matches: TrialMatches, couple: Couple, each: float, deadline: float) -> float:
        played.append(learning.net.matches)
        return 1.0

    monkeypatch.setattr(TrialMatches, "play_pair", play_pair)
    assert learning.prepare(time.monotonic() + 60.0)
    lesson = learning.run(time.monotonic() + 1.0)
    # The two uses take turns, and the first one to have five pairs ends the trial.
    assert [len(trial.scores) for trial in lesson.trials] == [5, 4]
    assert lesson.net.matches > played[-1]
    assert lesson.seconds == pytest.approx(1.0, abs=0.3)


def test_a_trial_of_slow_searches_has_fewer_pairs() -> None:
    """With a millisecond a move a slow search has no stage: both sides make the same moves, and each pair is even."""
    initial = woodstock.load("breakthrough").initial

    def each(stage_s: float, seconds: float) -> float:
        matches = TrialMatches(initial, 1, lambda: True, stage_s=stage_s)
        assert matches.prepare(time.monotonic() + 60.0)
        return matches.time_for_move(2, seconds, 50.0)

    assert each(0.0, 3.2) == each(0.0002, 3.2) == pytest.approx(0.002)  # 16 pairs fit
    assert each(0.0007, 3.2) == pytest.approx(0.0028)  # four stages
    assert each(0.01, 3.2) == pytest.approx(0.004)  # 8 pairs fit, four of each use
    assert each(0.01, 100.0) == pytest.approx(0.04)  # there is time for all
    assert each(0.0, 100.0) == pytest.approx(0.02)
    assert each(0.01, 0.1) == pytest.approx(0.001)


def test_threads_learn_one_net() -> None:
    game = woodstock.load("breakthrough")
    net = _native.SelfPlay(_circuit(game), seed=3, threads=3)
    assert net.threads == 3
    assert abs(_lead_by_pawns(net, game)) < 0.05
    net.run(packed(game.initial), 60.0, matches=4000)
    assert net.matches == 4000
    # What the threads learn depends on how they share the cores: 0.21 to 0.54 in 30 runs on a busy machine.
    assert _lead_by_pawns(net, game) > 0.1


def _lead_by_pawns(net: _native.SelfPlay, game: woodstock.Game) -> float:
    """Return by how much a side with more pawns is ahead, in the mean of both sides and of six and eight lost pawns."""
    leads = []
    for winner, loser in ((0, 1), (1, 0)):
        pawns = sorted(fluent for fluent in game.initial.fluents if re.match(rf".cell .* {game.roles[loser]}", fluent))
        for lost in (pawns[::3], pawns[::2]):
            values = net.values(packed(game.state(game.initial.fluents - set(lost))))
            leads.append(values[winner] - values[loser])
    return statistics.fmean(leads)


def test_threads_try_several_pairs_at_once() -> None:
    game = woodstock.load("breakthrough-suicide")
    learning = Learning(game.initial, 1, lambda: True, threads=2)
    assert learning.prepare(time.monotonic() + 60.0)
    learning.net.run(packed(game.initial), 60.0, matches=1500)
    trials = learning.try_net(10.0)
    assert max(trial.score for trial in trials) > 0.6
    assert sum(len(trial.scores) for trial in trials) >= 4


def test_a_player_learns_with_its_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("woodstock.players.learning.LEAST_S", 1.0)
    game = woodstock.load("breakthrough")
    for cores, threads in ((4, 2), (1, 1)):
        monkeypatch.setattr("woodstock.players.learning._cores", lambda cores=cores: cores)
        player = SearchPlayer("mac-ucb:threads=2")
        player.start(Task(game, game.roles[0], start_clock_s=2.0, seed=1), time.monotonic() + 2.0)
        assert player.lesson is not None
        assert player.lesson.net.threads == threads
        player.stop(None)


@pytest.mark.parametrize(
    ("name", "lines", "length"), [("tic-tac-toe", 8, 3), ("connect-four", 69, 4), ("pentago", 32, 5)]
)
def test_patterns_are_the_lines_of_games_of_lines(name: str, lines: int, length: int) -> None:
    game = woodstock.load(name)
    assert isinstance(game.engine, CircuitEngine)
    ground = game.engine.ground
    patterns = find_patterns(ground, game.engine.circuit)
    assert len(patterns.scopes) == lines
    for scope in patterns.scopes:
        names = [ground.fluents[patterns.variables[variable][0]].split()[0] for variable in scope]
        assert sorted(names) == ["(cell"] * length + ["(control"]


def test_a_game_without_lines_has_no_patterns() -> None:
    game = woodstock.load("knight-through")
    assert isinstance(game.engine, CircuitEngine)
    assert find_patterns(game.engine.ground, game.engine.circuit) == Patterns()


def test_a_search_takes_the_nets_value() -> None:
    game = woodstock.load("breakthrough")
    searcher = _searcher(game)
    net = _native.SelfPlay(_circuit(game), seed=1)
    net.run(packed(game.initial), 60.0, matches=50)
    searcher.native.set_net(net, 10**6, 4)
    decision = searcher.think(game.initial, game.roles[0], Budget(simulations=1), None)
    best = game.initial.next({game.roles[0]: decision.move, game.roles[1]: "noop"})
    assert decision.moves[0].value == pytest.approx(100 * net.values(packed(best))[0], abs=0.5)


def test_a_long_start_clock_is_used_and_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("woodstock.players.learning.LEAST_S", 2.0)
    game = woodstock.load("connect-four")
    player = SearchPlayer("mac-ucb")
    begun = time.monotonic()
    player.start(Task(game, game.roles[0], start_clock_s=2.5, seed=1), begun + 2.5)
    assert time.monotonic() - begun < 4.0  # a busy machine
    assert player.lesson is not None
    assert player.lesson.net.states > 100
    assert player.lesson.net.symmetries == 1  # mac-ucb has none
    assert player.move(player.task.first_view, time.monotonic() + 0.2).move in game.initial.legal(game.roles[0])
    player.stop(None)


def _lesson(game: woodstock.Game, score: float) -> Lesson:
    return Lesson(0.0, _native.SelfPlay(_circuit(game)), (Trial(NET_USES[0], [score] * 10),))


def test_a_net_that_is_used_goes_on_learning() -> None:
    game = woodstock.load("breakthrough")
    state = game.initial.next({role: game.initial.legal(role)[0] for role in game.roles})
    lesson = _lesson(game, 1.0)
    rest = lesson.go_on(state, Budget(cpu_seconds=0.4), lambda: True)
    learned = lesson.net.matches
    assert learned > 1
    assert rest.cpu_seconds == pytest.approx(0.32, abs=0.03)
    deadline = time.monotonic() + 0.4
    assert lesson.go_on(state, Budget(deadline), lambda: True).deadline == deadline
    assert lesson.net.matches > learned


def test_a_net_does_not_learn_if_it_is_not_used_or_nobody_waits_for_it_or_there_is_no_clock() -> None:
    game = woodstock.load("breakthrough")
    used, unused = _lesson(game, 1.0), _lesson(game, 0.0)
    unused.go_on(game.initial, Budget(cpu_seconds=0.4), lambda: True)
    used.go_on(game.initial, Budget(cpu_seconds=0.4), lambda: False)
    used.go_on(game.initial, Budget(simulations=1000), lambda: True)
    used.go_on(game.initial, Budget(time.monotonic() + 10.0, simulations=1000), lambda: True)
    assert used.net.matches == unused.net.matches == 0


def test_a_short_start_clock_is_not_used() -> None:
    player = SearchPlayer("mac-ucb")
    player.start(Task(woodstock.load("tic-tac-toe"), "x", start_clock_s=1.0), time.monotonic() + 1.0)
    assert player.lesson is None
    player.stop(None)


def test_fast_matches_and_matches_without_a_clock_learn_nothing() -> None:
    game = woodstock.load("breakthrough")
    for task in (
        Task(game, game.roles[0], start_clock_s=10.0, play_clock_s=0.1),
        Task(game, game.roles[0], start_clock_s=10.0, simulations=100),
    ):
        player = SearchPlayer("mac-ucb")
        player.start(task, time.monotonic() + 10.0)
        assert player.lesson is None
        player.stop(None)


def test_a_game_that_is_proven_at_once_is_not_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("woodstock.players.learning._PROBE_S", 20.0)  # a slow machine may need longer than usual
    game = woodstock.load("tic-tac-toe")
    player = SearchPlayer("mac-ucb-sym")
    player.start(Task(game, "o", start_clock_s=60.0), time.monotonic() + 60.0)
    assert player.lesson is None
    player.stop(None)
