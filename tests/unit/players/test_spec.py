"""Specifications of players: how they are read, and the messages for wrong ones."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import woodstock
from woodstock._native import Growth, PaperSettings, SearchSettings
from woodstock.players import PLAYERS, describe, parse_spec
from woodstock.players.hidden.sampled import NOT_NATIVE as HIDDEN_NOT_NATIVE
from woodstock.players.hidden.sampled import hidden_settings
from woodstock.players.options import OPTIONS, PLAYER_SETTINGS, PlayerError
from woodstock.players.papers.searcher import NOT_NATIVE, paper_settings
from woodstock.players.registry import search_settings


def test_options_are_read_with_their_units() -> None:
    spec = parse_spec("uct:c=0.7,threads=2,memory=256MiB")
    assert spec.settings["exploration"] == 0.7
    assert spec.settings["threads"] == 2
    assert spec.settings["memory_bytes"] == 256 * 2**20
    assert spec.settings["growth"] is Growth.ONE_CHILD
    assert str(spec) == "uct:c=0.7,threads=2,memory=256MiB"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("uc", "no player 'uc'. Did you mean 'uct'? The built-in players are mac-ucb"),
        ("uct:thread=2", "unknown option 'thread'. Did you mean 'threads'? The options are c, puct"),
        ("uct:threads=none", "option threads must be a whole number from 1 to 256, not 'none'"),
        ("uct:c=-1", "option c must be a number from 0, not '-1'"),
        ("uct:c=nan", "option c must be a number from 0"),
        ("uct:memory=lots", "option memory must be a size such as 256MiB or 2GB"),
        ("uct:memory=10", "option memory must be at least 1MiB"),
        ("uct:c", "option 'c' needs a value"),
        ("uct:", "options are missing after the colon"),
        ("legal:seed=1", "unknown option 'seed'. The options are none"),
        ("mac-ucb:wins=often", "option wins must be yes or no"),
        ("mac-ucb:workers=here", "option workers must be the address of a Dask scheduler"),
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


@pytest.mark.parametrize("name", PLAYERS)
def test_settings_of_every_player_are_those_of_the_native_search(name: str) -> None:
    kind = PLAYERS[name]
    if kind.search == "paper":
        settings: Any = paper_settings(parse_spec(name), woodstock.load("tic-tac-toe"))
    elif kind.search == "hidden" and name != "pimc":
        settings = hidden_settings(woodstock.load("tic-tac-toe"), kind.settings)
    else:
        settings = search_settings(kind.settings)
    other = {*NOT_NATIVE, *HIDDEN_NOT_NATIVE, *PLAYER_SETTINGS}
    native = {key: value for key, value in kind.settings.items() if key not in other}
    assert native == {key: getattr(settings, key) for key in native}
    assert pickle.loads(pickle.dumps(parse_spec(name))) == parse_spec(name), "sent to the workers of a cluster"


def test_every_option_is_a_setting() -> None:
    for one in OPTIONS:
        if one.setting not in PLAYER_SETTINGS and one.setting not in NOT_NATIVE:
            assert hasattr(SearchSettings(), one.setting) or hasattr(PaperSettings(), one.setting), one.name


@pytest.mark.parametrize(("values", "error"), [({"laness": 3}, AttributeError), ({"lanes": "many"}, TypeError)])
def test_settings_that_the_native_search_does_not_have_are_refused(
    values: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        search_settings(values)
