"""`woodstock search` as its users meet it."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from woodstock.cli.app import app


def test_a_state_is_searched_and_shown() -> None:
    outcome = CliRunner().invoke(
        app, ["search", "tic-tac-toe", "--player", "mac-ucb", "--simulations", "1000000", "--moves", "(mark 1 1),noop"]
    )
    assert outcome.exit_code == 0, outcome.output
    assert "o plays (mark 2 2) (x 50.0, o 50.0, proven)" in outcome.stdout


def test_json_has_moves_lines_and_counters() -> None:
    outcome = CliRunner().invoke(app, ["search", "nim", "--player", "uct:seed=1", "--simulations", "2000", "--json"])
    assert outcome.exit_code == 0, outcome.output
    told = json.loads(outcome.stdout)
    assert told["move"] == told["moves"][0]["move"]
    assert told["moves"][0]["line"][0][0] == told["move"]
    assert told["statistics"]["simulations"] >= 2000
    assert len(told["signature"]) == 16
