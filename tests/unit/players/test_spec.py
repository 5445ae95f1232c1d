"""Specifications of players: what is read, and what wrong ones are told."""

from __future__ import annotations

import pytest

from woodstock.players import PLAYERS, describe, parse_spec
from woodstock.players.options import PlayerError


def test_options_are_read_with_their_units() -> None:
    spec = parse_spec("uct:c=0.7,threads=2,memory=256MiB")
    assert spec.settings["exploration"] == 0.7
    assert spec.settings["threads"] == 2
    assert spec.settings["memory_bytes"] == 256 * 2**20
    assert spec.settings["growth"] == "one-child"
    assert str(spec) == "uct:c=0.7,threads=2,memory=256MiB"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("uc", "no player 'uc'. Did you mean 'uct'? The players are mac-ucb"),
        ("uct:thread=2", "unknown option 'thread'. Did you mean 'threads'? The options are c, lanes"),
        ("uct:threads=none", "option threads must be a whole number from 1 to 256, not 'none'"),
        ("uct:c=-1", "option c must be a number from 0, not '-1'"),
        ("uct:c=nan", "option c must be a number from 0"),
        ("uct:memory=lots", "option memory must be a size such as 256MiB or 2GB"),
        ("uct:memory=10", "option memory must be at least 1MiB"),
        ("uct:c", "option 'c' needs a value"),
        ("uct:", "options are missing after the colon"),
        ("legal:seed=1", "unknown option 'seed'. The options are none"),
        ("mac-ucb:rule=best", "option rule must be one of ucb, prior"),
    ],
)
def test_wrong_specifications_are_explained(text: str, says: str) -> None:
    with pytest.raises(PlayerError) as caught:
        parse_spec(text)
    assert says in str(caught.value)


@pytest.mark.parametrize("name", PLAYERS)
def test_every_player_is_described_with_its_options(name: str) -> None:
    text = describe(name)
    assert text.startswith(f"{name}: ")
    assert all(f"  {option} " in text for option in PLAYERS[name].options)
