"""Symmetries of games: known groups, what each method finds, and what a search is given."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import woodstock
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.state import packed
from woodstock.symmetry import Symmetries, find_symmetries, permutations
from woodstock.symmetry.connections import find_connection
from woodstock.symmetry.functions import Limits
from woodstock.symmetry.symmetries import split_points
from woodstock.symmetry.verify import Verifier

LoadAsset = Callable[[str], woodstock.Game]


@pytest.mark.parametrize("method", ["rules", "network"])
@pytest.mark.parametrize(("name", "order"), [("tic-tac-toe", 8), ("connect-four", 2), ("breakthrough", 2), ("nim", 1)])
def test_known_groups(name: str, order: int, method: str) -> None:
    found = find_symmetries(woodstock.load(name), method)
    assert (found.method, found.order, found.notes) == (method, order, ())


def test_a_chain_may_be_followed_from_either_end() -> None:
    # Red's stones are linked from row 1 on; half a turn would follow the chain from the other side.
    game = woodstock.load("hex")
    assert find_symmetries(game, "rules").order == 1
    found = find_symmetries(game, "network")
    assert found.order == 2 and found.notes == ()
    (half_turn,) = found.generators
    assert ("(cell 1 1 red)", "(cell 9 9 red)") in half_turn.fluents and half_turn.roles == ()


def test_what_is_a_connection() -> None:
    # Atoms 1, 2, 3 in a row; 11, 12, 13 must hold there.
    row = {
        1: [frozenset({11}), frozenset({11, 2})],
        2: [frozenset({12, 1}), frozenset({12, 3})],
        3: [frozenset({13, 2})],
    }
    found = find_connection([1, 2, 3], row, frozenset({3}))
    assert found is not None and found.ends == (frozenset({1}), frozenset({3}))
    assert found.guards == {1: {11}, 2: {12}, 3: {13}}
    one_way = row | {1: [frozenset({11})]}
    assert find_connection([1, 2, 3], one_way, frozenset({3})) is None
    toll = row | {2: [frozenset({12, 1}), frozenset({12, 3, 14})]}  # a step that needs more than its places
    assert find_connection([1, 2, 3], toll, frozenset({3})) is None
    both = row | {2: [frozenset({12, 1, 3}), frozenset({12, 1}), frozenset({12, 3})]}
    assert find_connection([1, 2, 3], both, frozenset({3})) is None


@pytest.mark.full
def test_hex_has_its_rotation(corpus: Path) -> None:
    # The rules of this sheet hide it: the rule graph has no symmetry at all.
    game = woodstock.load(corpus / "games" / "hex.kif")
    assert find_symmetries(game, "rules").order == 1
    assert find_symmetries(game, "network", seconds=120).order == 2


def test_roles_may_be_exchanged_where_the_start_does_not_matter() -> None:
    found = find_symmetries(woodstock.load("tic-tac-toe"), fix_initial=False)
    assert found.order == 16
    assert any(generator.roles == (("x", "o"), ("o", "x")) for generator in found.generators)
    fixed = find_symmetries(woodstock.load("tic-tac-toe"), fix_initial=False, swap_roles=False)
    assert fixed.order == 8


def test_the_network_sees_what_the_rules_hide(load_asset: LoadAsset) -> None:
    game = load_asset("hidden-symmetry")
    assert find_symmetries(game, "rules").order == 1
    found = find_symmetries(game, "network")
    assert found.order == 2
    assert ("full left", "full right") in [tuple(t.strip("()") for t in orbit) for orbit in found.fluent_orbits]


def contains(larger: Symmetries, smaller: Symmetries) -> bool:
    """Tell whether every generator of the smaller group is an element of the larger."""
    return all(permutations.is_member(larger.rows, row, larger.order) for row in smaller.rows)


SAMPLE = (
    "2player_normal_form_2010.1297270002808__turk.kif 3pConnectFour.kif Minimal-ticTacToe__sancho.kif "
    "SimultaneousTicTacToe__deckb.kif blocksWorld.kif buttons.kif connectFour.kif coins.kif eightPuzzle.kif "
    "lightsOn.kif maze.kif numbertictactoe.kif pawnWhopping.kif peg.kif racetrackcorridor.kif snake_2009_big.kif "
    "ticTacToe.kif tictactoe_3d_small_2player.kif tictactoex9.kif ticTacToeLarge.kif tictactoe-init1.kif "
    "untwistycomplex__sancho.kif pentago.kif biddingTicTacToe.kif connectFourSuicide_7x7.kif breakthroughSmall.kif "
    "tictactoe__stanford.kif AlexHex__sancho.kif hexbad4__stanford.kif sukoshi__stanfordR.kif"
).split()


@pytest.mark.parametrize("name", SAMPLE)
def test_the_network_has_all_symmetries_of_the_rules(name: str, corpus: Path) -> None:
    path = corpus / "games" / name
    if not path.is_file():
        pytest.skip(f"no {name} in {corpus}")
    game = woodstock.load(path)
    for fix_initial in (True, False):
        network = find_symmetries(game, "network", fix_initial=fix_initial)
        rules = find_symmetries(game, "rules", fix_initial=fix_initial)
        assert contains(network, rules), (network.order, rules.order)
        assert network.notes == rules.notes == ()


@pytest.mark.full
def test_the_network_has_all_symmetries_of_the_rules_everywhere(corpus: Path) -> None:
    wrong = []
    for path in sorted((corpus / "games").glob("*.kif")):
        try:
            game = woodstock.load(path, ground_seconds=20)
        except woodstock.WoodstockError:
            continue
        if game.ground is None or game.ground.rule_count > 200_000:
            continue
        network, rules = find_symmetries(game, "network", seconds=60), find_symmetries(game, "rules", seconds=60)
        if network.method == "network" and rules.method == "rules" and not contains(network, rules):
            wrong.append((path.name, network.order, rules.order))
    assert wrong == []


def test_generators_in_words() -> None:
    found = find_symmetries(woodstock.load("connect-four"))
    (mirror,) = found.generators
    assert ("(drop 1)", "(drop 7)") in {(a, b) for _role, a, _image, b in mirror.moves}
    assert mirror.roles == () and "(drop 4)" not in str(mirror)
    assert str(mirror).count("→") > 20


def test_a_wrong_permutation_is_found_out() -> None:
    engine = woodstock.load("tic-tac-toe").engine
    assert isinstance(engine, CircuitEngine)
    verifier = Verifier(engine)
    ground = engine.ground
    roles, moves = np.arange(2), np.arange(sum(map(len, ground.moves)))
    fluents = np.arange(len(ground.fluents))
    assert verifier.problem(roles, fluents, moves) is None
    a, b = ground.fluents.index("(cell 1 1 b)"), ground.fluents.index("(cell 1 2 b)")
    fluents[[a, b]] = fluents[[b, a]]
    assert verifier.problem(roles, fluents, moves) is not None
    assert verifier.problem(roles[::-1].copy(), np.arange(len(ground.fluents)), moves) is not None


def _states(game: woodstock.Game, matches: int, seed: int) -> list[woodstock.State]:
    dice = random.Random(seed)
    met = []
    for _ in range(matches):
        state = game.initial
        while not state.is_terminal:
            met.append(state)
            state = state.next([dice.choice(state.legal(role)) for role in game.roles])
        met.append(state)
    return met


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four"])
def test_canonical_hashes_are_those_of_the_orbit(name: str) -> None:
    game = woodstock.load(name)
    found = find_symmetries(game, fix_initial=False)
    group = found.group
    assert group.size == found.order
    for state in _states(game, 4, seed=5):
        payload = packed(state)
        images = [group.apply(element, payload) for element in range(group.size)]
        hashes = [group.hash(image) for image in images]
        least, element = group.canonical(payload)
        assert least == min(hashes) and hashes[element] == least
        assert {group.canonical(image)[0] for image in images} == {least}
        assert all(group.apply(group.inverse(e), image) == payload for e, image in enumerate(images))
        assert group.stabiliser(payload) == [e for e, image in enumerate(images) if image == payload]


def test_merged_moves_against_all_pairs() -> None:
    game = woodstock.load("tic-tac-toe")
    found = find_symmetries(game, fix_initial=False)
    group = found.group
    first = {role: sum(len(game.moves(r)) for r in game.roles[:i]) for i, role in enumerate(game.roles)}
    for state in _states(game, 6, seed=9):
        payload = packed(state)
        if state.is_terminal:
            continue
        mover = next((role for role in game.roles if len(state.legal(role)) > 1), game.roles[0])
        classes = found.move_classes(state, mover)
        assert sorted(move for some in classes for move in some) == sorted(state.legal(mover))

        def after(move: str, state: woodstock.State = state, mover: str = mover) -> bytes:
            joint = {role: move if role == mover else state.legal(role)[0] for role in game.roles}
            return packed(state.next(joint))

        # Moves of one class lead to symmetric states; moves whose states are not symmetric are never merged.
        for some in classes:
            assert len({group.canonical(after(move))[0] for move in some}) == 1
        # By brute force over the elements that fix the state and the roles.
        expected: dict[str, set[str]] = {move: {move} for move in state.legal(mover)}
        names = game.moves(mover)
        for element in group.stabiliser(payload):
            row = found._elements[0][element]
            roles, _fluents, images = split_points(found.ground, row)
            if (roles != np.arange(len(game.roles))).any():
                continue
            for move in expected:
                expected[move].add(names[int(images[first[mover] + names.index(move)]) - first[mover]])
        assert {frozenset(some) for some in classes} == {frozenset(some) for some in expected.values()}


def test_what_does_not_fit_gives_way() -> None:
    game = woodstock.load("tic-tac-toe")
    found = find_symmetries(game, limits=Limits(literals=10))
    assert found.method == "network" and found.order == 8 and "given up" in found.notes[0]
    nothing = find_symmetries(game, max_size=10)
    assert nothing.method == "none" and nothing.order == 1 and len(nothing.notes) == 3
    assert nothing.group.size == 1
    small = find_symmetries(game, fix_initial=False, max_elements=5)
    assert not small.is_whole and 1 < small.group.size <= 5
    with pytest.raises(woodstock.GameError, match="no method 'magic'"):
        find_symmetries(game, "magic")


def test_a_graph_that_is_too_large_for_the_time_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("woodstock.symmetry.symmetries.LITERALS_A_SECOND", 1)
    found = find_symmetries(woodstock.load("tic-tac-toe"))
    assert found.method == "rules" and found.order == 8
    assert len(found.notes) == 1 and "network was not begun" in found.notes[0]
    monkeypatch.setattr("woodstock.symmetry.symmetries._RULE_LITERALS_A_SECOND", 1)
    nothing = find_symmetries(woodstock.load("tic-tac-toe"))
    assert nothing.method == "none" and nothing.order == 1
    assert "network was not begun" in nothing.notes[0] and "rules was not begun" in nothing.notes[1]
