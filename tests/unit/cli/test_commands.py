"""Each command does what its help says, on bundled names, paths and standard input."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from woodstock.games import all_games, find

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Woodstock

RULES = find("tic-tac-toe").path


def test_games_lists_all(woodstock: Woodstock) -> None:
    outcome = woodstock("games")
    assert outcome.code == 0
    assert all(game.name in outcome.out for game in all_games())
    assert [game["name"] for game in woodstock("games", "--json").json] == [game.name for game in all_games()]


@pytest.mark.parametrize("columns", [80, 120, 140])
def test_games_uses_the_width_of_the_terminal(
    woodstock: Woodstock, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    widest = max(map(len, woodstock("games").out.splitlines()))
    assert columns - 20 < widest <= columns


def test_games_prints_one_line_for_each_game_off_a_terminal(woodstock: Woodstock) -> None:
    lines = woodstock("games").out.splitlines()
    for game in all_games():
        assert (
            sum(line.split()[:2] == [game.name, str(game.players)] and game.description in line for line in lines) == 1
        )


def test_games_searches(woodstock: Woodstock) -> None:
    found = [game["name"] for game in woodstock("games", "four", "--json").json]
    assert "connect-four" in found and "nim" not in found
    assert [game["name"] for game in woodstock("games", "--search", "four", "--json").json] == found
    nothing = woodstock("games", "zzz")
    assert nothing.code == 1 and "no game mentions 'zzz'" in nothing.err and nothing.out == ""


@pytest.mark.parametrize("command", ["info", "check", "perft", "fmt", "watch", "simulate"])
@pytest.mark.parametrize("source", ["name", "path", "stdin"])
def test_every_command_takes_a_name_a_path_or_standard_input(woodstock: Woodstock, command: str, source: str) -> None:
    argument = {"name": "ticTacToe", "path": str(RULES), "stdin": "-"}[source]
    options = {
        "check": ["--seconds", "0.1"],
        "simulate": ["--playouts", "10"],
        "perft": ["--depth", "1"],
        "watch": ["--play-clock", "0.01"],
    }
    outcome = woodstock(command, argument, "--json", *options.get(command, []), stdin=RULES.read_bytes())
    assert outcome.code == 0, outcome.err
    assert outcome.json


def test_info_has_sizes_and_stages(woodstock: Woodstock) -> None:
    facts = woodstock("info", "tic-tac-toe", "--json").json
    assert facts["roles"] == ["x", "o"]
    assert facts["fluents"] == 29
    assert facts["moves"] == {"x": 10, "o": 10}
    assert facts["signals_before"] > facts["signals_after"] > 0
    assert {"parse", "check", "ground", "circuit"} <= {phase["phase"] for phase in facts["phases"]}
    text = woodstock("info", "tic-tac-toe").out
    assert "fluents    29" in text and "signals" in text and "ground" in text


def test_simulate_reports_rates_and_goals(woodstock: Woodstock) -> None:
    result = woodstock("simulate", "tic-tac-toe", "--seconds", "0.2", "--json").json
    assert result["playouts_per_second"] > 0 and result["states_per_second"] > 0
    assert 5 <= result["mean_length"] <= 9
    assert set(result["goals"]) == {"x", "o"}
    low, high = result["goals"]["x"]["interval"]
    assert low <= result["goals"]["x"]["mean"] <= high
    assert sum(result["goals"]["x"]["histogram"].values()) == result["playouts"]
    assert {"version", "seed", "rules_hash", "machine", "cpu_seconds", "playouts_per_cpu_second"} <= set(result)


@pytest.mark.parametrize("engine", ["batch", "scalar", "reference"])
def test_simulate_is_repeatable_by_seed(woodstock: Woodstock, engine: str) -> None:
    arguments = ("simulate", "tic-tac-toe", "--playouts", "50", "--engine", engine, "--json", "--seed")
    first, again, other = (woodstock(*arguments, seed).json["goals"] for seed in ("1", "1", "2"))
    assert first == again
    assert first != other


def test_simulate_draws_a_histogram(woodstock: Woodstock) -> None:
    out = woodstock("simulate", "tic-tac-toe", "--playouts", "200").out
    assert "x: mean goal" in out and "+/-" in out and "###" in out


def test_perft_counts_sequences(woodstock: Woodstock) -> None:
    result = woodstock("perft", "tic-tac-toe", "--depth", "3", "--json").json
    assert [row["sequences"] for row in result["depths"]] == [1, 9, 72, 504]
    assert "504" in woodstock("perft", "tic-tac-toe", "--depth", "3").out


def test_fmt_translates_there_and_back(woodstock: Woodstock) -> None:
    infix = woodstock("fmt", "nim", "--to", "infix").out
    assert ":-" in infix and "% Nim." in infix
    back = woodstock("fmt", "-", "--to", "kif", stdin=infix.encode()).out
    assert back == woodstock("fmt", "nim").out


def test_fmt_writes_back_and_checks(woodstock: Woodstock, tmp_path: Path) -> None:
    path = tmp_path / "messy.kif"
    messy = "(role me)(init   (a 1))\n(<= terminal   (true (a 1))) ; done\n(legal me noop)(goal me 100)"
    path.write_text(messy, encoding="utf-8")
    assert woodstock("fmt", str(path), "--check").code == 1
    assert woodstock("fmt", str(path), "--write").code == 0
    assert "; done" in path.read_text(encoding="utf-8")
    assert woodstock("fmt", str(path), "--check").code == 0
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", [game.name for game in all_games()])
def test_bundled_rules_are_formatted(woodstock: Woodstock, name: str) -> None:
    assert woodstock("fmt", name, "--check").code == 0


def test_explain(woodstock: Woodstock) -> None:
    assert "Wrong:" in woodstock("explain", "GDL021").out
    assert woodstock("explain", "gdl021", "--json").json["code"] == "GDL021"
    assert "GDL021" in woodstock("explain").out
    unknown = woodstock("explain", "GDL02")
    assert unknown.code == 2 and "Did you mean" in unknown.err


def test_check_finds_problems(woodstock: Woodstock, tmp_path: Path) -> None:
    path = tmp_path / "bad.kif"
    rules = RULES.read_text(encoding="utf-8")
    path.write_text(rules.replace("(init (control x))", "(init (control x)"), encoding="utf-8")
    outcome = woodstock("check", str(path))
    assert outcome.code == 1
    assert f"{path}:" in outcome.out and "error[GDL" in outcome.out and "^" in outcome.out and "help:" in outcome.out
    result = woodstock("check", str(path), "--json")
    assert result.code == 1 and result.json["errors"] >= 1 and result.json["diagnostics"][0]["line"] > 1


def test_check_plays(woodstock: Woodstock) -> None:
    result = woodstock("check", "tic-tac-toe", "--seconds", "20", "--json").json
    assert result["is_ok"] and result["play"]["is_exhaustive"]
    assert result["play"]["states"] == 5478
    assert {claim["verdict"] for claim in result["play"]["claims"]} == {"proved"}


def test_check_shows_the_way_to_a_stuck_state(woodstock: Woodstock, tmp_path: Path) -> None:
    path = tmp_path / "stuck.kif"
    path.write_text(
        "(role me) (init (at 1)) (succ 1 2) (succ 2 3)\n"
        "(<= (legal me go) (true (at ?x)) (succ ?x ?y))\n"
        "(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))\n"
        "(<= terminal (true (at 9)))\n(goal me 100)\n",
        encoding="utf-8",
    )
    result = woodstock("check", str(path), "--json")
    assert result.code == 1
    (finding,) = [f for f in result.json["play"]["findings"] if f["code"] == "GDL101"]
    assert finding["path"] == [["go"], ["go"]]


def test_watch_tells_the_match(woodstock: Woodstock) -> None:
    command = ("watch", "connect-four", "random", "legal", "--seed", "3")
    outcome = woodstock(*command)
    assert outcome.code == 0
    assert "connect-four: red is random, black is legal" in outcome.out
    assert "turn 1: red (drop " in outcome.out and "the match is over:" in outcome.out
    assert "woodstock watch connect-four random legal --seed 3" in outcome.err
    assert outcome.out == woodstock(*command).out
    assert all(len(line) <= 80 for line in outcome.out.splitlines())


def test_watch_records_the_match(woodstock: Woodstock) -> None:
    record = woodstock("watch", "nim", "--play-clock", "0.01", "--seed", "1", "--json").json
    assert record["is_terminal"] and sorted(record["goals"].values()) == [0, 100]
    assert list(record["players"].values()) == ["mac-ucb-sym", "uct"]
    assert len(record["states"]) == len(record["moves"]) + 1


def test_results_and_progress_are_apart(woodstock: Woodstock) -> None:
    outcome = woodstock("perft", "nim", "--depth", "1", "--json")
    assert outcome.err == ""
