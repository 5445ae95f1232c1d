"""Pages that only look: lines of play, records of other hosts, tournaments by name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

from starlette.testclient import TestClient

import woodstock
from woodstock.errors import GameError, WoodstockError
from woodstock.tournament import runner
from woodstock.tournament.plan import parse_plan
from woodstock.tournament.workers import local_workers
from woodstock.web.app import make_app
from woodstock.web.lines import read_line, states_of
from woodstock.web.settings import WebSettings

ORIGIN = {"Origin": "http://127.0.0.1"}
PLAN = """
name = "small"
seed = 1
simulations = 20
matches = 2
concurrency = 1
games = ["tic-tac-toe"]
[[player]]
spec = "random"
[[player]]
spec = "legal"
"""


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tournaments")
    plan = parse_plan(PLAN, "plan.toml")
    (folder / "league").mkdir()
    runner.write_plan(plan.text, folder / "league", folder, 1.0, 1.0)
    assert runner.run(plan, folder / "league", local_workers)
    return folder


@pytest.fixture(scope="module")
def client(league: Path) -> Iterator[TestClient]:
    with TestClient(make_app(WebSettings(tournaments=league)), base_url="http://127.0.0.1", headers=ORIGIN) as client:
        yield client


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    return woodstock.play_match(woodstock.load("tic-tac-toe"), ["random", "random"], seed=2).as_json()


def _data(text: str) -> Any:
    start = text.index('id="data">') + len('id="data">')
    return json.loads(text[start : text.index("</script>", start)])


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        {"game": 1},
        {"game": "nim", "moves": "x"},
        {"game": "nim", "moves": [[1]]},
        {"game": "nim", "start": 3},
    ],
)
def test_a_line_that_is_none_is_refused(value: object) -> None:
    with pytest.raises(WoodstockError):
        read_line(value)


def test_a_line_leads_to_states_and_names_the_turn_that_is_wrong() -> None:
    game = woodstock.load("tic-tac-toe")
    states = states_of(game, None, [("(mark 1 1)", "noop"), ("noop", "(mark 2 2)")])
    assert len(states) == 3 and states[-1].turn == 3
    with pytest.raises(GameError, match="turn 2"):
        states_of(game, None, [("(mark 1 1)", "noop"), ("noop", "(mark 1 1)")])


def test_a_record_of_ours_is_replayed(client: TestClient, record: dict[str, Any]) -> None:
    answer = client.post("/replay", json={"name": "mine.json", "record": record}).json()
    story = _data(client.get(answer["address"]).text)
    assert story["game"] == "tic-tac-toe"  # the rules are those of the bundled game
    assert story["moves"] == record["moves"] and len(story["positions"]) == len(record["moves"]) + 1
    assert [story["scores"][role] for role in story["roles"]] == record["goalValues"]


def test_a_record_of_another_host_is_found_by_its_game(client: TestClient, record: dict[str, Any]) -> None:
    theirs = {name: value for name, value in record.items() if not name.startswith("x-") and name != "gameName"}
    theirs["gameMetaURL"] = "http://games.ggp.org/base/games/ticTacToe/v0/"
    answer = client.post("/replay", json={"name": "theirs.json", "record": theirs}).json()
    assert "address" in answer, answer


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"moves": [["(mark 9 9)", "noop"]], "states": ["()"]}, "record"),
        ({"gameName": "no such game", "x-rules": ""}, "choose the game"),
        ({"moves": 3}, "moves"),
    ],
)
def test_a_wrong_record_gets_a_sentence(
    client: TestClient, record: dict[str, Any], change: dict[str, Any], words: str
) -> None:
    answer = client.post("/replay", json={"name": "wrong.json", "record": {**record, **change}})
    assert answer.status_code == 400 and words in answer.json()["problem"]


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"record": []}', b'{"record": {"moves": [[{}]]}}'])
def test_what_is_no_record_gets_a_sentence(client: TestClient, body: bytes) -> None:
    answer = client.post("/replay", content=body)
    assert answer.status_code == 400 and answer.json()["problem"]


def test_a_tournament_is_listed_and_shown(client: TestClient) -> None:
    assert "league" in client.get("/tournaments").text
    data = _data(client.get("/tournaments/league").text)
    assert data["matches"] == data["known"] == 2 and not data["isRunning"]
    assert len(data["last"]) == 2
    same = client.get("/tournaments/league/news", params={"mark": data["mark"]}).json()
    assert same == {"isRunning": False}
    watched = client.get(f"/tournaments/league/match/{data['last'][0]['key']}")
    assert watched.status_code == 200 and len(_data(watched.text)["moves"]) == data["last"][0]["turns"]
    assert "| " in client.get("/tournaments/league/report.md").text


@pytest.mark.parametrize("name", ["%2e%2e", "%2e%2e%2fleague", "league%2f..", "/etc", "other"])
def test_no_path_reaches_the_file_system(client: TestClient, name: str) -> None:
    assert client.get(f"/tournaments/{name}").status_code in (400, 404)
    assert client.get(f"/tournaments/league/match/{name}").status_code in (400, 404)


def test_puzzles_are_listed_and_others_refused(client: TestClient) -> None:
    assert "eight-puzzle" in client.get("/puzzles").text
    assert client.get("/puzzles?game=eight-puzzle").status_code == 200
    refused = client.get("/puzzles?game=chess")
    assert refused.status_code == 400 and "no puzzle" in refused.text
