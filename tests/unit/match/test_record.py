"""Match records: written, read back, replayed and checked against the rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import woodstock
from woodstock.game.game import Game
from woodstock.match import MatchRecord, play_match
from woodstock.match.record import RecordError


@pytest.fixture(scope="module")
def game() -> Game:
    return woodstock.load("connect-four")


@pytest.fixture(scope="module")
def record(game: Game) -> MatchRecord:
    return play_match(game, ["random", "legal"], seed=7, play_clock_s=0.5, start_clock_s=1)


def test_the_same_seed_gives_the_same_match(game: Game, record: MatchRecord) -> None:
    again = play_match(game, ["random", "legal"], seed=7, play_clock_s=0.5, start_clock_s=1)
    assert again.moves == record.moves
    assert play_match(game, ["random", "legal"], seed=8).moves != record.moves


def test_it_is_read_back_as_written(game: Game, record: MatchRecord, tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    record.write(path)
    assert MatchRecord.read(path) == record
    assert [one.name for one in tmp_path.iterdir()] == ["match.json"], "a temporary file is left"
    assert len(record.replay(game)) == len(record.plies) + 1


def test_it_has_the_fields_that_hosts_share(record: MatchRecord) -> None:
    value = record.as_json()
    for name in ("matchId", "randomToken", "startTime", "gameMetaURL", "isCompleted", "isAborted", "states", "moves"):
        assert name in value
    assert value["playerNamesFromHost"] == ["random", "legal"]
    assert value["goalValues"] == list(record.goals.values())
    assert len(value["states"]) == len(value["stateTimes"]) == len(value["errors"]) == len(value["moves"]) + 1
    assert value["playClock"] == 0.5 and value["startClock"] == 1 and isinstance(value["startClock"], int)
    assert json.loads(json.dumps(value)) == value


def test_a_record_of_another_host_is_understood(game: Game, record: MatchRecord) -> None:
    value = {name: field for name, field in record.as_json().items() if not name.startswith("x-")}
    del value["gameRoleNames"]
    value["states"] = [state.upper().replace("(", "( ").replace(")", " )") for state in value["states"]]
    value["moves"] = [[move.replace("(", "( ") for move in joint] for joint in value["moves"]]
    value["errors"] = value["errors"][1:]
    other = MatchRecord.from_json(value)
    assert [state.fluents for state in other.replay(game)] == [state.fluents for state in record.replay(game)]


def _with(record: MatchRecord, **changes: Any) -> dict[str, Any]:
    return record.as_json() | changes


def test_a_record_that_the_rules_contradict_is_refused(game: Game, record: MatchRecord) -> None:
    value = record.as_json()
    wrong = [
        (_with(record, moves=[["(drop 9)", "noop"], *value["moves"][1:]]), "turn 1 of the record: illegal move"),
        (_with(record, states=[value["states"][0]] * len(value["states"])), "differs from the rules"),
        (_with(record, goalValues=[1, 2]), "the rules give"),
        (_with(record, **{name: value[name][:-1] for name in ("moves", "states", "errors")}), "not terminal"),
    ]
    for changed, message in wrong:
        with pytest.raises(RecordError, match=message):
            MatchRecord.from_json(changed).replay(game)
    with pytest.raises(RecordError, match="roles"):
        record.replay(woodstock.loads("(role a) (init x) (legal a b) (goal a 0) (<= terminal (true x))"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"moves": 3}, "'moves' is not a list"),
        ({"moves": [["a"], ["b", "c"]]}, "'states' has"),
        ({"states": ["no brackets"]}, "'states' has"),
        ({"startClock": "soon"}, "'startClock' is not a number"),
        ({"errors": [["", ""]]}, "'errors' does not have"),
    ],
)
def test_a_damaged_record_names_the_field(record: MatchRecord, change: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        MatchRecord.from_json(_with(record, **change))


def test_what_is_no_record_is_told_so(tmp_path: Path, record: MatchRecord) -> None:
    (tmp_path / "text.json").write_text("hello")
    (tmp_path / "list.json").write_text("[1, 2]")
    (tmp_path / "empty.json").write_text("{}")
    for name, message in [("text", "not JSON"), ("list", "no object"), ("empty", "'moves' is missing")]:
        with pytest.raises(RecordError, match=message):
            MatchRecord.read(tmp_path / f"{name}.json")
    with pytest.raises(RecordError, match="cannot read"):
        MatchRecord.read(tmp_path / "nothing.json")
    with pytest.raises(RecordError, match="cannot write"):
        record.write(tmp_path / "no" / "folder.json")
