"""Matches on the site, over the same requests and messages that a browser sends."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the pages need woodstock[web]")

from starlette.testclient import TestClient

from woodstock.web.app import make_app
from woodstock.web.settings import WebSettings

ADDRESS = "http://127.0.0.1:8765"
ORIGIN = {"Origin": ADDRESS}
Json = dict[str, Any]


@contextmanager
def site(database: Path | None = None) -> Iterator[TestClient]:
    settings = WebSettings(database=database)
    with TestClient(make_app(settings), base_url=ADDRESS) as client:
        yield client


@pytest.fixture
def client() -> Iterator[TestClient]:
    with site() as found:
        yield found


def begin(client: TestClient, game: str, *kinds: str, **more: str) -> str:
    """Begin a match; return its address."""
    form = {"game": game, "start_clock": "0.2", "play_clock": "0.2", **more}
    for number, kind in enumerate(kinds):
        name, _, spec = kind.partition(" ")
        form[f"kind{number}"] = name
        form[f"url{number}" if name == "url" else f"spec{number}"] = spec
    answer = client.post("/match/new", data=form, headers=ORIGIN, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


class Page:
    """A page that looks at a match: what a script of the browser would know."""

    def __init__(self, client: TestClient, match: str) -> None:
        self._socket = client.websocket_connect(f"ws://127.0.0.1:8765{match}/live", headers=ORIGIN)
        self.socket = self._socket.__enter__()
        try:
            self.whole = self.until("match")
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_details: object) -> None:
        self._socket.__exit__(None, None, None)

    def send(self, kind: str, **values: object) -> None:
        self.socket.send_text(json.dumps({"type": kind, **values}))

    def until(self, *kinds: str) -> Json:
        while True:
            found: Json = self.socket.receive_json()
            if found["type"] in kinds:
                return found
            assert found["type"] != "problem" or "problem" in kinds, found["text"]

    def move(self, move: str, role: str, node: int) -> Json:
        self.send("move", role=role, node=node, move=move)
        return self.until("turn")


def test_two_people_in_one_browser_play_to_the_end(client: TestClient) -> None:
    with Page(client, begin(client, "tic-tac-toe", "here", "here")) as page:
        assert page.whole["roles"] == ["x", "o"]
        assert [one["move"] for one in page.whole["moves"]["x"]][4] == "(mark 2 2)"
        node, turns = 0, ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)", "(mark 1 3)"]
        for number, move in enumerate(turns):
            found = page.move(move, "xo"[number % 2], node)
            node = found["turn"]["node"]
        assert found["isTerminal"] and found["scores"] == {"x": 100, "o": 0} and found["isOver"]


def test_a_built_in_player_answers_and_its_thoughts_are_kept(client: TestClient) -> None:
    match = begin(client, "tic-tac-toe", "here", "player uct:c=0.7")
    with Page(client, match) as page:
        page.move("(mark 2 2)", "x", 0)
        found = page.until("turn")
        assert found["turn"]["moves"][0] == "noop" and found["turn"]["thoughts"]["o"]["lines"]
    record = client.get(f"{match}/record.json").json()
    assert record["moves"][0][0] == "(mark 2 2)"
    assert record["playerNamesFromHost"] == ["person", "uct:c=0.7"]


def test_take_back_and_branch(client: TestClient) -> None:
    with Page(client, begin(client, "tic-tac-toe", "here", "here")) as page:
        first = page.move("(mark 1 1)", "x", 0)["turn"]["node"]
        second = page.move("(mark 2 2)", "o", first)["turn"]["node"]
        page.send("go", node=first)
        assert page.until("head")["current"] == first
        other = page.move("(mark 3 3)", "o", first)
        assert other["turn"] | {"parent": first} == other["turn"] and other["turn"]["node"] != second
        # A move in a position of the past begins a variation there, without going back first.
        third = page.move("(mark 3 1)", "x", second)
        assert third["turn"]["parent"] == second
        # A move that was taken back is not made again by itself.
        page.send("go", node=second)
        page.send("pause", isPaused=False)
        while page.until("head")["isPaused"]:
            pass
        page.send("show", node=second)
        assert page.until("position", "turn")["type"] == "position"
        # The same move again is the same position.
        page.send("go", node=0)
        page.until("head")
        assert page.move("(mark 1 1)", "x", 0)["turn"]["node"] == first


def test_pause_and_step(client: TestClient) -> None:
    with Page(client, begin(client, "tic-tac-toe", "player random", "player random", is_paused="on")) as page:
        assert page.whole["isPaused"] and page.whole["current"] == 0
        page.send("step")
        assert page.until("turn")["turn"]["node"] == 1
        page.send("step")
        assert page.until("turn")["turn"]["node"] == 2
        page.send("delay", seconds=0)
        page.send("pause", isPaused=False)
        while not (found := page.until("turn"))["isOver"]:
            pass
        assert sum(found["scores"].values()) == 100


def test_a_match_from_another_position(client: TestClient) -> None:
    state = "(cell 1 1 x) (cell 1 2 x) (cell 1 3 b) (control x)"
    with Page(client, begin(client, "tic-tac-toe", "here", "player legal", state=state)) as page:
        assert not page.whole["isFromStart"]
        assert page.move("(mark 1 3)", "x", 0)["isTerminal"]


def test_a_match_from_a_position_of_another_one(client: TestClient) -> None:
    match = begin(client, "tic-tac-toe", "here", "here")
    with Page(client, match) as page:
        page.move("(mark 2 2)", "x", 0)
    form = client.get(f"/match/new?game=tic-tac-toe&match={match.rpartition('/')[2]}&node=1").text
    assert "(cell 2 2 x)" in form and "(control o)" in form
    assert client.get("/match/new?game=tic-tac-toe&match=no-such-match").status_code == 400


def test_the_oldest_matches_leave_the_store(tmp_path: Path) -> None:
    settings = WebSettings(database=tmp_path / "web.sqlite", matches_kept=2)
    with TestClient(make_app(settings), base_url=ADDRESS) as client:
        names = [begin(client, "tic-tac-toe", "here", "here") for _ in range(4)]
        listed = client.get("/matches").text
        assert [name in listed for name in names] == [False, False, True, True]


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"kind1": "player", "spec1": "lib:/etc/passwd"}, "no player"),
        ({"kind1": "player", "spec1": "python:os.system"}, "no player"),
        ({"kind1": "player", "spec1": "uct:workers=tcp://10.0.0.1:1"}, "command line"),
        ({"kind1": "player", "spec1": "uct:memory=64GiB"}, "MiB"),
        ({"kind1": "player", "spec1": "uct:threads=200"}, "cores"),
        ({"kind1": "url", "url1": "file:///etc/passwd"}, "no address"),
        ({"kind1": "teapot"}, "a seat is for"),
        ({"play_clock": "nan"}, "a clock has"),
        ({"play_clock": "-1"}, "a clock has"),
        ({"state": "(cell 1 1"}, "state"),
        ({"state": "(teapot 1)"}, "teapot"),
        ({"game": "../../etc/passwd"}, "No game"),
        ({"game": "r0123456789abcdef"}, "no such rules"),
    ],
)
def test_what_a_form_may_not_ask_for(client: TestClient, form: dict[str, str], words: str) -> None:
    answer = client.post("/match/new", data={"game": "tic-tac-toe", **form}, headers=ORIGIN)
    assert answer.status_code == 400
    assert words in answer.text


def test_a_second_browser_takes_a_seat_by_link(client: TestClient) -> None:
    match = begin(client, "tic-tac-toe", "here", "link")
    with Page(client, match) as page:
        (invite,) = [seat["invite"] for seat in page.whole["seats"] if "invite" in seat]
        assert page.whole["roles"] == ["x"]
        first = client.cookies["woodstock_browser"]
        client.cookies.clear()
        with Page(client, match) as watcher:
            assert watcher.whole["roles"] == [] and not watcher.whole["mayControl"]
            assert all("invite" not in seat for seat in watcher.whole["seats"])
            watcher.send("move", role="x", node=0, move="(mark 1 1)")
            assert "not yours" in watcher.until("problem")["text"]
            watcher.send("pause", isPaused=True)
            assert "only those who play" in watcher.until("problem")["text"]
        assert client.get(f"{match}?seat=wrong").status_code == 410
        assert client.get(f"{match}?seat={invite}").status_code == 200
        second = client.cookies["woodstock_browser"]
        with Page(client, match) as other:
            assert other.whole["roles"] == ["o"] and other.whole["moves"] == {}
            node = page.move("(mark 1 1)", "x", 0)["turn"]["node"]
            assert other.until("turn")["turn"]["node"] == node
            assert len(other.until("moves")["moves"]["o"]) == 8
            other.move("(mark 2 2)", "o", node)
            assert page.until("turn")["turn"]["moves"] == ["noop", "(mark 2 2)"]
        # The seat is taken now: a third browser comes too late.
        client.cookies.clear()
        assert client.get(f"{match}?seat={invite}").status_code == 409
        assert first != second


def test_a_match_comes_back_after_the_server_ended(tmp_path: Path) -> None:
    file = tmp_path / "web.sqlite"
    with site(file) as client:
        match = begin(client, "tic-tac-toe", "here", "here")
        with Page(client, match) as page:
            first = page.move("(mark 1 1)", "x", 0)["turn"]["node"]
            page.move("(mark 2 2)", "o", first)
            page.send("go", node=first)
            page.until("head")
            before = page.move("(mark 3 3)", "o", first)
        browser = client.cookies["woodstock_browser"]
    with site(file) as client:
        client.cookies.set("woodstock_browser", browser, domain="127.0.0.1")
        assert "Tic-tac-toe" in client.get("/matches").text
        with Page(client, match) as page:
            assert page.whole["current"] == before["turn"]["node"]
            assert page.whole["position"] == before["position"]
            assert [turn["moves"] for turn in page.whole["tree"]][2:] == [
                ["noop", "(mark 2 2)"],
                ["noop", "(mark 3 3)"],
            ]
            assert page.move("(mark 1 2)", "x", before["turn"]["node"])["turn"]["parent"] == before["turn"]["node"]


@contextmanager
def ggp_player(*moves: str) -> Iterator[str]:
    """A player on the network that makes these moves; gives its address."""
    left = list(moves)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            text = self.rfile.read(int(self.headers["Content-Length"])).decode().lower()
            answer = "ready" if "start" in text[:8] else left.pop(0) if "play" in text[:8] else "done"
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer.encode())

        def log_message(self, *_details: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_ggp_player_by_its_address(tmp_path: Path) -> None:
    file = tmp_path / "web.sqlite"
    with ggp_player("noop", "(mark 3 3)", "noop") as address, site(file) as client:
        match = begin(client, "tic-tac-toe", "here", f"url {address}", play_clock="5", start_clock="5")
        with Page(client, match) as page:
            first = page.move("(mark 2 2)", "x", 0)["turn"]["node"]
            second = page.until("turn")
            assert second["turn"]["parent"] == first and second["turn"]["moves"] == ["noop", "(mark 3 3)"]
            page.send("go", node=0)
            assert "cannot take moves back" in page.until("problem")["text"]
        browser = client.cookies["woodstock_browser"]
    with site(file) as client:
        # Its protocol has no message for joining in the middle, so the seat is free after a new start.
        client.cookies.set("woodstock_browser", browser, domain="127.0.0.1")
        with Page(client, match) as page:
            seat = page.whole["seats"][1]
            assert (seat["kind"], seat["isTaken"], page.whole["isPaused"]) == ("person", False, True)
            assert page.whole["current"] == second["turn"]["node"]
            assert "cannot join in the middle" in page.whole["problem"]


def test_a_clock_that_binds_people_makes_a_random_move(client: TestClient) -> None:
    with Page(client, begin(client, "tic-tac-toe", "here", "here", is_clocked="on", play_clock="0.05")) as page:
        page.send("seat", role="o", seat={"kind": "player", "spec": "legal"})
        found = page.until("turn")
        assert found["turn"]["errors"][0] == "TO" and "run out" in found["details"]["x"]


def test_seats_are_exchanged_while_the_match_goes_on(client: TestClient) -> None:
    with Page(client, begin(client, "tic-tac-toe", "here", "here")) as page:
        node = page.move("(mark 2 2)", "x", 0)["turn"]["node"]
        page.send("seat", role="o", seat={"kind": "player", "spec": "random:seed=1"})
        assert page.until("turn")["turn"]["parent"] == node
        page.send("seat", role="x", seat={"kind": "player", "spec": "no-such-player"})
        assert "no player" in page.until("problem")["text"]
        page.send("seat", role="teapot", seat={"kind": "player", "spec": "random"})
        assert "no seat" in page.until("problem")["text"]


def test_why_a_click_is_not_legal(client: TestClient) -> None:
    with Page(client, begin(client, "tic-tac-toe", "here", "here")) as page:
        first = page.move("(mark 2 2)", "x", 0)["turn"]["node"]
        page.send("why", role="o", node=first, clicks=[4])
        found = page.until("why")
        assert found["places"] == ["2 2"] and found["moves"][0]["move"] == "(mark 2 2)"
        assert found["moves"][0]["reasons"][0]["condition"] == "(true (cell 2 2 b))"
        page.send("why", role="o", node=first, move="(mark 9 9)")
        assert page.until("why", "problem")["type"] == "why"


def test_hidden_things_stay_hidden(client: TestClient) -> None:
    match = begin(client, "kuhn-poker", "here", "player legal")
    with Page(client, match) as page:
        # Chance deals at once: the turn comes as news, or is in what a page hears first.
        is_dealt = len(page.whole["tree"]) > 1
        shown = page.whole if is_dealt else page.until("turn")
        turn = page.whole["tree"][1] if is_dealt else shown["turn"]
        cards = shown["position"]["pieces"]
        assert [piece for _, piece in cards].count("?") == 1 and len(cards) == 2
        assert "…" in turn["moves"]
        assert "thoughts" not in turn
        client.cookies.clear()
        with Page(client, match) as watcher:
            assert watcher.whole["position"]["pieces"] == [] and "over" in watcher.whole["note"]
            assert set(watcher.whole["tree"][1]["moves"]) == {"…"}
        assert client.get(f"{match}/record.json").status_code == 400
        assert client.get(f"/analysis?match={match.rpartition('/')[2]}").status_code == 400


def test_a_person_sees_what_is_possible_and_nothing_of_the_others(client: TestClient) -> None:
    with Page(client, begin(client, "monty-hall", "here")) as page:
        shown = page.whole if len(page.whole["tree"]) > 1 else page.until("turn")
        assert shown["percepts"] == ["noop"] and shown["as"] == "candidate"
        assert {fact: round(chance, 2) for fact, chance in shown["possible"]} == {
            "(car 1)": 0.33, "(car 2)": 0.33, "(car 3)": 0.33
        }  # fmt: skip
        node = shown["node"]
        page.send("move", role="candidate", node=node, move="(choose 1)")
        while "(goat" not in str(shown.get("percepts")):
            shown = page.until("turn")
        assert shown["turn"]["moves"] == ["noop", "…"] and shown["turn"]["chose"] == []
        assert sorted(round(chance, 2) for _, chance in shown["possible"]) == [0.33, 0.67]
        hidden = json.dumps({name: value for name, value in shown.items() if name != "possible"})
        assert "car " not in hidden


@pytest.mark.parametrize(
    "text",
    ["", "x", "[]", "{}", '{"type": "move"}', '{"type": "go", "node": -1}', '{"type": "go", "node": "0"}',
     '{"type": "go", "node": 1e99}', '{"type": "go", "node": true}', '{"type": "seat", "role": "x", "seat": 3}',
     '{"type": "show", "node": 99}', '{"type": "delay", "seconds": "x"}',
     '{"type": "why", "role": "x", "node": 0, "clicks": ["x"]}'],
)  # fmt: skip
def test_messages_that_make_no_sense_get_an_answer(client: TestClient, text: str) -> None:
    with Page(client, begin(client, "tic-tac-toe", "here", "here")) as page:
        page.socket.send_text(text)
        assert page.until("problem")["text"]
        page.move("(mark 1 1)", "x", 0)


def test_hostile_names_are_only_text(client: TestClient) -> None:
    name = "<script>alert(1)</script>"
    app: Any = client.app
    rules = "(role a) (legal a b) (legal a c) (init d) (goal a 1) (<= terminal (not (true d)))"
    key = app.state.site.store.keep_rules(name, rules)
    answer = client.get(f"/match/new?game={key}")
    assert "<script>alert" not in answer.text and "&lt;script&gt;alert" in answer.text
    match = begin(client, key, "here")
    assert "<script>alert" not in client.get(match).text + client.get("/matches").text
