"""The commands network, export and solve."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import woodstock as package
from woodstock.scsp import Network, xcsp3

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Woodstock


@pytest.fixture
def pennies(tmp_path: Path) -> Path:
    """An instance with chance: a coin of which one side is likelier."""
    network = Network("pennies", players=["me", "you"])
    guess = network.decision("guess", ["heads", "tails"])
    coin = network.chance("coin", {"heads": "1/3", "tails": "2/3"})
    network.prefer([guess, coin], {("heads", "heads"): [1, 0], ("tails", "tails"): [1, 0]}, otherwise=[0, 1])
    network.threshold = ["1/2", 0]
    xcsp3.write(network, tmp_path / "pennies.xml")
    return tmp_path / "pennies.xml"


def test_network_has_sizes(woodstock: Woodstock, tmp_path: Path) -> None:
    outcome = woodstock("network", "tic-tac-toe")
    assert outcome.code == 0
    assert "variables  largest domain  constraints  tuples" in outcome.out
    facts = woodstock("network", "tic-tac-toe", "--json").json
    assert facts["largest_domain"] == 10 and facts["variables"] > 25 and facts["tuples"] > facts["constraints"]
    assert facts["seconds"] > 0


def test_network_draws(woodstock: Woodstock, tmp_path: Path) -> None:
    path = tmp_path / "graph.svg"
    outcome = woodstock("network", "nim", "--svg", str(path))
    assert outcome.code == 0 and f"wrote {path}" in outcome.err
    assert path.read_text(encoding="utf-8").startswith("<svg")


def test_network_explains(woodstock: Woodstock) -> None:
    text = woodstock("network", "tic-tac-toe", "--explain").out
    assert "cell(1,1) = b  for  (cell 1 1 b)" in text
    assert "rules.kif:" in text
    assert "legal(x)" in woodstock("network", "tic-tac-toe", "--explain", "--json").json["explanation"]


def test_export_and_solve(woodstock: Woodstock, tmp_path: Path) -> None:
    path = tmp_path / "t.xml"
    outcome = woodstock("export", "tic-tac-toe", "-o", str(path))
    assert outcome.code == 0 and f"wrote {path}" in outcome.out.replace("\n", "")
    solved = woodstock("solve", str(path), "--show", "2", "--json").json
    assert solved["solutions"] == 9 and solved["status"] == "complete" and len(solved["shown"]) == 2
    assert {solution["action(o)"] for solution in solved["shown"]} == {"noop"}
    assert "9 solutions" in woodstock("solve", str(path)).out
    assert woodstock("solve", str(path), "--plain", "--json").json["solutions"] == 9


def test_export_of_other_states(woodstock: Woodstock, tmp_path: Path) -> None:
    path = tmp_path / "t.xml"
    after = woodstock("export", "tic-tac-toe", "--turn", "2", "--seed", "5", "-o", str(path), "--json").json
    assert woodstock("solve", str(path), "--json").json["solutions"] == 7
    fluents = " ".join(after["state"])
    again = tmp_path / "again.xml"
    assert woodstock("export", "tic-tac-toe", "--state", fluents, "-o", str(again)).code == 0
    assert again.read_text(encoding="utf-8") == path.read_text(encoding="utf-8")
    listed = tmp_path / "state.txt"
    listed.write_text(fluents.replace(") (", ")\n("), encoding="utf-8")
    assert woodstock("export", "tic-tac-toe", "--state", str(listed), "-o", str(again)).code == 0
    assert again.read_text(encoding="utf-8") == path.read_text(encoding="utf-8")
    raw = woodstock("export", "tic-tac-toe", "--turn", "2", "--seed", "5", "--raw", "-o", str(path), "--json").json
    assert raw["constraints"] > after["constraints"]
    assert woodstock("solve", str(path), "--goal", "count", "--json").json["solutions"] == 7


def test_export_without_a_state(woodstock: Woodstock, tmp_path: Path) -> None:
    path = tmp_path / "t.xml"
    assert woodstock("export", "nim", "--template", "-o", str(path), "--json").json["state"] is None
    some = woodstock("solve", str(path), "--goal", "count", "--nodes", "100", "--json").json
    assert some["status"] == "nodes" and some["solutions"] > 0


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--state", "(cell 1 1 x", "-o", "t.xml"], 1, "do not match"),
        (["--state", "(cell 9 9 x)", "-o", "t.xml"], 1, "no fluent (cell 9 9 x)"),
        (["--turn", "40", "-o", "t.xml"], 1, "ends after"),
        (["--turn", "1", "--template", "-o", "t.xml"], 2, "one of --state, --turn and --template"),
        (["-o", "nowhere/t.xml"], 1, "there is no folder nowhere"),
        ([], 2, "missing option"),
    ],
)
def test_export_errors(
    woodstock: Woodstock, words: list[str], code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = woodstock("export", "tic-tac-toe", *words)
    assert outcome.code == code and message in outcome.err, outcome.err


def test_export_of_a_terminal_state(woodstock: Woodstock, tmp_path: Path) -> None:
    game = package.load("tic-tac-toe")
    fluents = [f"(cell {i} {j} {'x' if i == 1 else 'b'})" for i in (1, 2, 3) for j in (1, 2, 3)]
    assert game.state([*fluents, "(control o)"]).is_terminal
    outcome = woodstock(
        "export", "tic-tac-toe", "--state", " ".join([*fluents, "(control o)"]), "-o", str(tmp_path / "t.xml")
    )
    assert outcome.code == 0
    network = xcsp3.read(tmp_path / "t.xml").network
    assert network["terminal"].domain == (True,)
    assert (network["score(x)"].domain, network["score(o)"].domain) == ((100,), (0,))


def test_export_of_a_state_that_cannot_be(woodstock: Woodstock, tmp_path: Path) -> None:
    outcome = woodstock("export", "tic-tac-toe", "--state", "(cell 1 1 x) (control x)", "-o", str(tmp_path / "t.xml"))
    assert outcome.code == 1 and "exactly one must" in outcome.err


def test_solve_finds_the_best_policy(woodstock: Woodstock, pennies: Path) -> None:
    facts = woodstock("solve", str(pennies), "--player", "me", "--exact", "--json").json
    assert facts["goal"] == "best" and facts["status"] == "complete"
    assert facts["utility"] == {"me": "2/3", "you": "1/3"}
    assert facts["policy"]["decisions"] == {"guess": "tails"}
    text = woodstock("solve", str(pennies), "--exact").out
    assert "expected utility me 2/3, you 1/3" in text and "guess = tails" in text


def test_solve_other_goals(woodstock: Woodstock, pennies: Path) -> None:
    file = str(pennies)
    assert woodstock("solve", file, "--goal", "count", "--json").json["solutions"] == 4
    assert woodstock("solve", file, "--goal", "all", "--show", "5", "--json").json["policies"] == 1
    assert woodstock("solve", file, "--goal", "all", "--threshold", "0", "--json").json["policies"] == 2
    assert "2 policies" in woodstock("solve", file, "--goal", "all", "--threshold", "0,0").out
    nothing = woodstock("solve", file, "--goal", "threshold", "--threshold", "9/10")
    assert nothing.code == 0 and "no policy" in nothing.out
    assert woodstock("solve", file, "--goal", "feasible", "--json").json["policy"] is not None


def test_solve_errors(woodstock: Woodstock, pennies: Path, tmp_path: Path) -> None:
    missing = woodstock("solve", "nim.xml")
    assert missing.code == 2 and "no file nim.xml" in missing.err
    mixed = woodstock("solve", "nim", "--goal", "count")
    assert mixed.code == 2 and "--goal is for solving an instance" in mixed.err
    bad = tmp_path / "bad.xml"
    bad.write_text("<instance>", encoding="utf-8")
    broken = woodstock("solve", str(bad))
    assert broken.code == 1 and f"error: {bad}:1:" in broken.err and "is it complete?" in broken.err
    unknown = woodstock("solve", str(pennies), "--player", "she")
    assert unknown.code == 1 and "no player 'she'" in unknown.err
    sidecar = xcsp3.sidecar_path(pennies)
    content = json.loads(sidecar.read_text(encoding="utf-8"))
    content["probabilities"][0]["rows"][0]["p"] = ["1/2", "1"]
    sidecar.write_text(json.dumps(content), encoding="utf-8")
    wrong = woodstock("solve", str(pennies))
    assert wrong.code == 1 and "sum to 3/2, not to 1" in wrong.err
