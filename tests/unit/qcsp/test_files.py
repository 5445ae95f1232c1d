"""Problems as files and texts, certificates, and every kind of mistake in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from woodstock.errors import ModelError
from woodstock.qcsp import Problem, Strategy, check, element, files, models, replay, solve, strategy
from woodstock.qcsp.text import Names, parse

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "qcsp"


@pytest.mark.parametrize("name", ["baker.toml", "small.json", "nim.toml", "formula.qdimacs"])
def test_examples_are_won(name: str) -> None:
    problem = files.read(EXAMPLES / name)
    result = solve(problem)
    assert result.is_winning and result.strategy is not None
    check(problem, result.strategy)


def test_texts_mean_what_python_means() -> None:
    problem = Problem()
    for name in "xyz":
        problem.exists(name, range(-2, 3))
    names = Names(problem, {"a": [4, 5, 6, 7, 8]}, {"t": [[0, 1], [1, 2]]})
    texts = [
        "x + 2 * y - z == 1", "x // 2 == y", "x % 3 <= 1", "not x == y", "x < y and y < z or z == 0", "x <= y <= z",
        "abs(x) == max(y, z)", "min(x, y, 1) == z", "sum(x, y, z) == 0", "(x, y) in t", "(x, y) not in t",
        "a[x + 2] == 6", "(x if y > 0 else z) == 1", "-x == y",
    ]  # fmt: skip
    for text in texts:
        expression = parse(text, names, "test")
        for x in range(-2, 3):
            for y in range(-2, 3):
                for z in (-1, 0, 2):
                    expected = eval(text, {"x": x, "y": y, "z": z, "t": [(0, 1), (1, 2)], "a": [4, 5, 6, 7, 8],
                                           "abs": abs, "max": max, "min": min, "sum": lambda *v: sum(v)})  # fmt: skip
                    assert bool(expression.evaluate({0: x, 1: y, 2: z})) == bool(expected), text
    assert repr(parse("implies(x == 1, alldifferent(y, z))", names, "test")) != ""


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "expected a table"),
        ({}, "'prefix' must be a list"),
        ({"prefix": [], "extra": 1}, "unknown key 'extra'"),
        ({"prefix": [{"exists": "x"}]}, "x needs a domain"),
        ({"prefix": [{"exists": "x", "domain": []}]}, "variable x: the domain is empty"),
        ({"prefix": [{"exists": "x", "domain": "2..1"}]}, "variable x: the domain is empty"),
        ({"prefix": [{"exists": "x", "domain": "a..b"}]}, "neither a range"),
        ({"prefix": [{"exists": "x", "domain": [1, 1]}]}, "is twice in the domain"),
        ({"prefix": [{"exists": "x", "domain": [1.5]}]}, "not a list of integers"),
        ({"prefix": [{"exists": "x", "domain": "0..1"}, {"forall": "x", "domain": "0..1"}]}, "the name is taken"),
        ({"prefix": [{"exists": "x", "forall": "y", "domain": "0..1"}]}, "expected one of exists, forall, define"),
        ({"prefix": [{"exists": "x", "count": 0, "domain": "0..1"}]}, "f: prefix entry 1: array x: 0 variables"),
        ({"prefix": [{"exists": "x", "count": 10**6, "domain": "0..1"}]}, "more than 100,000"),
        ({"prefix": [{"exists": "xs", "domain": "0..1"}], "constraints": ["x == 1"]}, "no variable x"),
        ({"prefix": [{"exists": "x", "domain": "0..1"}], "constraints": ["x + 1"]}, "not a condition"),
        ({"prefix": [{"exists": "x", "domain": "0..1"}], "constraints": ["x == "]}, "is not an expression"),
        ({"prefix": [{"exists": "x", "domain": "0..1"}], "constraints": ["1 // x == 1"]}, "f: constraint 1: 1 // x"),
        ({"prefix": [{"exists": "x", "domain": "0..1"}], "constraints": ["open('f') == x"]}, "no function open"),
        ({"prefix": [{"exists": "x", "domain": "0..1"}], "constraints": ["x.y == 1"]}, "not possible here"),
        ({"prefix": [{"exists": "x", "domain": "0..1"}], "constraints": ["(x, x) in t"]}, "no table t"),
        ({"prefix": [{"exists": "x", "domain": "0..9"}], "lists": {"a": [1]}, "constraints": "a[x] == 1"}, "1 entries"),
        ({"prefix": [{"exists": "x", "domain": "0..1"}], "constraints": ["abs(x, x) == 1"]}, "wrong arguments"),
        ({"prefix": [{"define": "d"}]}, "needs 'as'"),
    ],
)
def test_mistakes_in_a_problem_are_told(data: Any, message: str) -> None:
    with pytest.raises(ModelError) as caught:
        files.build(data, "f")
    assert message in str(caught.value)


def test_mistakes_at_modelling_time() -> None:
    problem, other = Problem("one"), Problem("two")
    x = problem.exists("x", range(3))
    stranger = other.exists("s", range(3))
    with pytest.raises(ModelError, match="no variable yet"):
        Problem().such_that(x == 1)
    with pytest.raises(ModelError, match="another problem"):
        problem.require(stranger == 1, x == 1)
    with pytest.raises(ModelError, match="not an integer"):
        problem.require(x == "one")
    with pytest.raises(ModelError, match="not an integer"):
        problem.exists("y", ["a"])  # type: ignore[list-item]
    with pytest.raises(ModelError, match="the list is empty"):
        element([], x)
    with pytest.raises(ModelError, match="unknown guide"):
        solve(problem, guide="best")
    with pytest.raises(ModelError, match="no model"):
        models.make("bakery")
    with pytest.raises(ModelError, match="too many"):
        models.make("small-example", 1)
    with pytest.raises(ModelError):
        models.baker(0)


@pytest.mark.parametrize(("name", "text"), [("bad.json", "{"), ("bad.toml", "= 1"), ("bad.toml", "\xff")])
def test_damaged_files(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ModelError, match=name):
        files.read(path)


def _certificate() -> tuple[Problem, dict[str, Any]]:
    problem = models.baker(3, 13)
    result = solve(problem)
    assert result.certificate is not None
    return problem, json.loads(json.dumps(result.certificate))


def test_a_certificate_survives_writing_and_reading() -> None:
    problem, data = _certificate()
    read = strategy.loads(json.dumps(data))
    assert check(problem, read).plays == 13
    for amount in range(1, 14):
        play = replay(problem, read, lambda name, values, known, amount=amount: amount)  # type: ignore[misc]
        assert sum(play[f"w[{i}]"] * play[f"c[{i}]"] for i in range(3)) == amount


def test_wrong_certificates_are_refused() -> None:
    problem, data = _certificate()
    with pytest.raises(ModelError, match="another problem"):
        check(models.baker(3, 12), strategy.loads(json.dumps(data)))
    refused = 0
    for number, node in enumerate(data["nodes"]):
        for name, value in node.get("set", {}).items():
            changed = json.loads(json.dumps(data))
            changed["nodes"][number]["set"][name] = value + 1 if name[0] == "w" or value < 1 else value - 1
            with pytest.raises(ModelError):
                check(problem, strategy.loads(json.dumps(changed)))
            refused += 1
    assert refused > 3
    missing = json.loads(json.dumps(data))
    question = next(node for node in missing["nodes"] if "ask" in node)
    question["cases"].pop()
    with pytest.raises(ModelError, match="no case"):
        check(problem, strategy.loads(json.dumps(missing)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(format="x"), "not a certificate"),
        (lambda d: d.update(version=9), "version 9"),
        (lambda d: d.update(nodes=[]), "at least one node"),
        (lambda d: d.update(root=10**6), "root"),
        (lambda d: d["nodes"].append(1), "not an object"),
        (lambda d: d["nodes"].append({"set": {"x": "y"}, "next": 0}), "from names to integers"),
        (lambda d: d["nodes"].append({"ask": "f"}), "'ask' and 'cases'"),
        (lambda d: d["nodes"].append({"ask": "f", "cases": [{"values": [1, 1], "next": 0}]}), "two cases"),
    ],
)
def test_damaged_certificates(change: Any, message: str) -> None:
    _, data = _certificate()
    change(data)
    with pytest.raises(ModelError) as caught:
        strategy.loads(json.dumps(data))
    assert message in str(caught.value)


def test_certificates_that_are_no_json_or_run_in_circles() -> None:
    with pytest.raises(ModelError, match="not JSON"):
        strategy.loads("{")
    problem, data = _certificate()
    data["nodes"].append({"set": {}, "next": len(data["nodes"])})
    data["root"] = len(data["nodes"]) - 1
    with pytest.raises(ModelError, match="leads back"):
        check(problem, strategy.loads(json.dumps(data)))


def test_a_strategy_may_not_look_ahead() -> None:
    problem = Problem("ahead")
    x, y = problem.exists("x", range(2)), problem.forall("y", range(2))
    problem.require(x == y)
    made = strategy.fingerprint(problem)
    question = strategy.Question("y", {0: 2, 1: 3})
    nodes = (strategy.Setting({}, 0), question, strategy.Setting({"x": 0}, 0), strategy.Setting({"x": 1}, 0))
    with pytest.raises(ModelError, match="comes before y"):
        check(problem, Strategy("ahead", made, nodes, 1))
