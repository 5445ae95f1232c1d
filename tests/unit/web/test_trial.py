"""Pasted rules are tried in a child process: what is too large, too slow or wrong never reaches the server."""

from __future__ import annotations

import time

import pytest

pytest.importorskip("starlette", reason="the pages need woodstock[web]")

from woodstock.errors import WoodstockError
from woodstock.web import trial
from woodstock.web.settings import WebSettings
from woodstock.web.shelf import Shelf
from woodstock.web.store import Store
from woodstock.web.trial import try_rules

GOOD = "(role a) (legal a b) (legal a c) (init d) (goal a 1) (<= terminal (not (true d)))"
SETTINGS = WebSettings(ground_seconds=1.0, ground_memory_mb=512)


def test_rules_that_pass_are_loaded() -> None:
    store = Store(None)
    shelf = Shelf(SETTINGS, store)
    loaded = shelf.get_now(store.keep_rules("mine", GOOD))
    assert (loaded.title, loaded.game.roles) == ("mine", ("a",))
    shelf.close()
    store.close()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(role a", r"GDL001"),
        (GOOD + " (" * 20_000, r"GDL|nest"),
        ("; " + "x" * (1 << 20) + "\n" + GOOD, "more than 512 KiB"),
    ],
)
def test_what_is_wrong_is_said(text: str, words: str) -> None:
    with pytest.raises(WoodstockError, match=words):
        try_rules("mine", text, SETTINGS)


def test_rules_that_explode_cost_their_budget_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "_SLACK_S", 1.0)
    numbers = " ".join(f"(n {i})" for i in range(60))
    pairs = " ".join(f"(n ?{c})" for c in "uvwxyz")
    text = GOOD + f" {numbers} (<= (legal a (m ?u ?v ?w ?x ?y ?z)) {pairs})"
    started = time.monotonic()
    with pytest.raises(WoodstockError):
        try_rules("mine", text, WebSettings(ground_seconds=1.0, ground_memory_mb=512))
    assert time.monotonic() - started < 30
