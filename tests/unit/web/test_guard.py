"""Who may ask what: names, tokens, origins, sizes, and what every answer forbids."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("starlette", reason="the pages need woodstock[web]")

from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from woodstock.web.app import make_app
from woodstock.web.settings import WebSettings

ADDRESS = "http://127.0.0.1:8765"
SAME = {"Origin": ADDRESS}


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(make_app(WebSettings()), base_url=ADDRESS) as found:
        yield found


def test_a_page_under_another_name_is_refused(client: TestClient) -> None:
    assert client.get("/matches").status_code == 200
    assert client.get("/matches", headers={"Host": "evil.example"}).status_code == 400
    assert client.get("/matches", headers={"Host": "127.0.0.1.evil.example"}).status_code == 400
    assert client.get("/matches", headers={"Host": ""}).status_code == 400


def test_every_answer_forbids_foreign_and_inline_scripts(client: TestClient) -> None:
    for path in ("/matches", "/no-such-page", "/static/no-such-file"):
        policy = client.get(path).headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "script-src 'self';" in policy and "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy


def test_the_nonce_of_styles_is_new_each_time(client: TestClient) -> None:
    policies = {client.get("/matches").headers["Content-Security-Policy"] for _ in range(3)}
    assert len(policies) == 3


@pytest.mark.parametrize("origin", [{}, {"Origin": "http://evil.example"}, {"Origin": "null"}])
def test_a_change_must_come_from_a_page_of_the_site(client: TestClient, origin: dict[str, str]) -> None:
    answer = client.post("/match/new", data={"game": "tic-tac-toe"}, headers=origin)
    assert answer.status_code == 403
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("ws://127.0.0.1:8765/match/x/live", headers=origin),
    ):
        pass


def test_a_large_body_is_refused(client: TestClient) -> None:
    answer = client.post("/match/new", content=b"game=" + b"x" * (2 << 20), headers=SAME)
    assert answer.status_code == 413


def test_no_path_reaches_the_file_system(client: TestClient) -> None:
    for path in (
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/match/new?game=../../etc/passwd",
    ):
        answer = client.get(path)
        assert answer.status_code in (400, 404), path
        assert "Starlette" not in answer.text


def test_with_a_token_the_address_is_shown_once() -> None:
    settings = WebSettings(host="0.0.0.0", token="secret-token")
    with TestClient(make_app(settings), base_url="http://box.local:8765", follow_redirects=False) as client:
        assert client.get("/matches").status_code == 403
        assert client.get("/matches?token=wrong").status_code == 403
        answer = client.get("/matches?token=secret-token&x=1")
        assert (answer.status_code, answer.headers["location"]) == (303, "/matches?x=1")
        assert "HttpOnly" in answer.headers["set-cookie"] and "SameSite=Strict" in answer.headers["set-cookie"]
        assert client.get("/matches").status_code == 200
        # A path that begins with two slashes names another site.
        client.cookies.clear()
        answer = client.get("http://box.local:8765//evil.example/?token=secret-token")
        assert answer.headers["location"].startswith("/evil.example")


def test_a_websocket_needs_the_token() -> None:
    settings = WebSettings(host="0.0.0.0", token="secret-token")
    with TestClient(make_app(settings), base_url="http://box.local:8765") as client:
        origin = {"Origin": "http://box.local:8765"}
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect("ws://box.local:8765/match/x/live?token=secret-token", headers=origin),
        ):
            pass
