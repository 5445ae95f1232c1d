"""Every rulesheet with `sees`: random matches to their end, and never without a sample."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.belief.matches import observe, random_match

import woodstock
from woodstock.belief import Belief
from woodstock.errors import RulesError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.game.state import packed
from woodstock.gdl.chance import without_chance

BUNDLED = sorted(
    path.parent.name
    for path in Path(woodstock.__file__).parent.glob("games/*/rules.kif")
    if "(sees " in path.read_text()
)


def follow(
    game: Game, role: str, seed: int, most_turns: int, *, most_exact: int = 20_000, particles: int = 4096
) -> None:
    belief = Belief(game, role, seed=seed, most_exact=most_exact, particles=particles)
    for seen in random_match(game, role, seed, most_turns):
        observe(belief, seen)
        belief.catch_up()
        states = belief.particles.distinct_states()
        assert states, f"{game.name}, {role}, seed {seed}: no sample in a turn of {belief!r}"
        if belief.is_exact:
            assert packed(seen.after) in states
        elif not seen.after.is_terminal:
            assert set(belief.legal) == set(seen.after.legal(role))


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_games_always_have_a_sample(name: str) -> None:
    game = woodstock.load(name)
    for role in without_chance(game.roles):
        follow(game, role, 1, 60)
        follow(game, role, 2, 30, most_exact=0, particles=64)


@pytest.mark.full
def test_public_rulesheets_always_have_a_sample(corpus: Path) -> None:
    played = 0
    for path in sorted((corpus / "games").glob("*.kif")):
        if "sees" not in path.read_text(encoding="utf-8", errors="replace").lower():
            continue
        try:
            game = woodstock.load(path)
        except RulesError:
            continue
        if not isinstance(game.engine, CircuitEngine):
            continue  # beliefs of games that are not grounded have no particles
        for role in without_chance(game.roles):
            for seed in range(3):
                follow(game, role, seed, 400)
            played += 1
    assert played > 20
