"""Problems as files and texts, certificates, and every kind of mistake in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from woodstock.errors import ModelError
from woodstock.qcsp import (
    Guide,
    Problem,
    Strategy,
    check,
    draw,
    element,
    files,
    in_table,
    models,
    replay,
    solve,
    strategy,
    winning_assignments,
)
from woodstock.qcsp.text import Names, parse

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "qcsp"


@pytest.mark.parametrize("name", ["baker.toml", "small.json", "nim.toml", "formula.qdimacs", "house.toml"])
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
        "a[x + 2] == 6", "(x if y > 0 else z) == 1", "-x == y", "x ** 2 - y ** 3 + z ** 0 == 1",
        "x - y - z + 2 - 3 == 0",
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
    assert repr(parse("~(x == y)", names, "test")) == repr(parse("not x == y", names, "test"))


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
        ({"prefix": [{"exists": "x", "domain": "0..1"}], "constraints": ["abs(x, x) == 1"]}, "abs takes 1 "),
        ({"prefix": [{"define": "d"}]}, "needs 'as'"),
        (
            {"prefix": [{"exists": "x", "domain": "0..1"}, {"define": "d", "as": "x", "such_that": "d == 1"}]},
            "'such_that'",
        ),
        ({"prefix": [{"exists": "x", "domain": "0..1"}, {"define": ["d", "e"], "as": "x"}]}, "takes one name"),
        ({"prefix": [{"exists": "x", "domain": "0..1", "as": "1"}]}, "unknown key 'as'"),
        ({"prefix": [{"exists": "x", "domain": "0..1", "labels": ["no"]}]}, "1 different labels for 2 values"),
        ({"prefix": [{"exists": "x", "domain": "0..1"}, {"restrict": "y", "such_that": "x == 1"}]}, "no variable y"),
        (
            {
                "prefix": [
                    {"exists": "x", "domain": "0..1"},
                    {"forall": "y", "domain": "0..1"},
                    {"restrict": "x", "such_that": "y == 1"},
                ]
            },
            "y comes after the block",
        ),
        ({"prefix": [{"exists": "x", "domain": "0..1"}], "constraints": [f"x * {10**20} == 1"]}, "more than 53 bits"),
        (
            {"prefix": [{"exists": "x", "domain": "0..1"}], "constraints": ["not " * 600 + "x == 1"]},
            "nested too deeply",
        ),
        (
            {"prefix": [{"exists": "x", "domain": "0..1"}], "constraints": ["abs(" * 120 + "x" + ")" * 120 + " == 1"]},
            "more than 100 levels",
        ),
        ({"prefix": [{"exists": "x", "domain": "0..1"}], "constraints": ["x ** x == 1"]}, "as its exponent"),
        ({"prefix": [{"exists": 3, "count": 2, "domain": "0..1"}]}, "3 is not a name"),
        ({"prefix": [{"exists": "x y", "domain": "0..1"}]}, "'x y' is not a name"),
        ({"prefix": [{"exists": "and", "domain": "0..1"}]}, "'and' is not a name"),
        ({"prefix": [{"exists": "x", "domain": "0..1"}, {"forall": [], "domain": "0..1"}]}, "forall needs a name"),
        ({"prefix": [{"exists": "l", "count": 2, "domain": "0..1"}], "lists": {"l": [1]}}, "also the name of a list"),
        ({"prefix": [{"exists": "x", "domain": "0..1"}, {"restrict": 3, "such_that": "x == 1"}]}, "3 is not a name"),
        ({"prefix": [{"exists": "x", "domain": "1_0..1_1"}]}, "neither a range"),
        ({"prefix": [{"exists": "x", "domain": "0..1", "labels": ["no", "No"]}]}, "1 different labels for 2 values"),
        ({"prefix": [{"exists": "x", "domain": "0..1"}], "tables": {"t": 5}}, "table t: 5 is not a list of rows"),
        ({"prefix": [{"exists": "x", "domain": "0..1"}], "constraints": ["x[x] == 1"]}, "there is no list x"),
        ({"prefix": [{"exists": "x", "domain": "0..1"}], "constraints": ["implies(x == 1)"]}, "implies takes 2"),
        ({"name": "\x1b[31m", "prefix": [{"exists": "x", "domain": "0..1"}]}, "printable"),
        (
            {"prefix": [{"exists": "x", "domain": "0..1"}], "constraints": ["l[x] == 1"], "lists": {"l": [1, 10**20]}},
            "more than 53 bits",
        ),
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


PLACES = """
name = "places"
prefix = [
    { exists = "x", domain = "0..9" },
    { forall = "y", domain = "0..9" },
    { define = "z", as = "%s" },
    { exists = "v", domain = "0..200000" },
]
constraints = [
    "x + y >= 0",
    "%s",
]
"""


@pytest.mark.parametrize(
    ("term", "constraint", "message"),
    [
        ("x + w", "x == y", "places.toml:6: prefix entry 3: 'x + w': no variable w in places"),
        ("x + y", "x == y +", "places.toml:11: constraint 2: 'x == y +' is not an expression"),
        ("x + y", "x // (y - 3) == 1", "places.toml:11: constraint 2: x // (y - 3) divides by y - 3, which can be 0"),
        ("x + y", "v * v == 77 + x", "places.toml:11: constraint 2: v can take too many values"),
    ],
)
def test_messages_name_the_line(tmp_path: Path, term: str, constraint: str, message: str) -> None:
    path = tmp_path / "places.toml"
    path.write_text(PLACES % (term, constraint), encoding="utf-8")
    with pytest.raises(ModelError) as caught:
        solve(files.read(path))  # the last one is found while posting
    assert str(caught.value).startswith(f"{tmp_path}/{message}")


def test_long_expressions() -> None:
    """Chains are flat, however they are written; what is too deep is refused, and messages stay short."""
    problem = Problem()
    x = problem.exists("x", range(3))
    parse(" + ".join(["x"] * 1200) + " <= 1200", Names(problem), "test")
    long = x == 0
    for _ in range(1500):
        long = long | (x == 1)  # type: ignore[assignment]
    problem.require(long)
    with pytest.raises(ModelError) as caught:
        problem.require(sum([x] * 5000) * x * 10**9 // x)
    assert len(str(caught.value)) < 400
    assert solve(problem).is_winning


def test_formulas_are_known_by_their_content(tmp_path: Path) -> None:
    for name in ("formula.qdimacs", "formula", "formula.txt"):
        path = tmp_path / name
        # With the mark that some editors put at the beginning.
        path.write_text("c a comment\ncomment\n\np cnf 2 1\ne 1 0\na 2 0\n1 -2 0\n", encoding="utf-8-sig")
        assert solve(files.read(path)).is_winning
    (tmp_path / "model").write_text('{"prefix": [{"exists": "x", "domain": "0..1"}], "constraints": "x == 1"}')
    assert solve(files.read(tmp_path / "model")).is_winning
    for header, line in (("p cnf \u00b2 1", 1), ("p cnf 2 1\ne \u0661 0", 2), ("p cnf 2 1\ne 1_0 0", 2)):
        path.write_text(f"{header}\n1 0\n", encoding="utf-8")
        with pytest.raises(ModelError, match=rf"formula.txt:{line}: "):
            files.read(path)


def test_numbers_of_numpy_and_truth_values() -> None:
    problem = Problem("numpy")
    x = problem.exists("x", np.arange(4))
    y = problem.forall("y", [False, np.bool_(True)])  # type: ignore[list-item]
    problem.require(x > np.int64(1), x + y != np.int32(3), in_table([x, y], np.array([[2, 0], [2, 1], [3, 0]])))
    assert problem.prefix[1][0].domain == (0, 1)
    assert not solve(problem).is_winning
    with pytest.raises(ModelError, match="not an integer"):
        problem.exists("z", np.array([0.5]))


def test_an_earlier_block_can_be_restricted() -> None:
    problem = Problem("late")
    x = problem.exists("x", range(3))
    y = problem.forall("y", range(3))
    z = problem.exists("z", range(3))
    problem.such_that(y < x, of=y)
    problem.require(z == y + 1, x == 2)
    assert solve(problem).is_winning
    with pytest.raises(ModelError, match="comes after"):
        problem.such_that(z == 1, of=y)
    with pytest.raises(ModelError, match="not a quantified variable"):
        problem.such_that(y == 1, of=problem.define("d", x + y))


def test_a_start_is_a_number_or_a_label() -> None:
    problem = Problem("start")
    x, y = problem.exists("x", range(3)), problem.forall("y", range(2))
    problem.require(x + y >= 1)
    for wrong in ({"x": 1.0}, {"x": 5}, {"x": [1]}, {"y": 1}, {"x": 1, "y": 7}, "x"):
        with pytest.raises(ModelError):
            problem.begin_with(wrong)  # type: ignore[arg-type]
        assert x.codes == [0, 1, 2]  # a refused start changes nothing
    problem.begin_with({"x": True, "y": np.int64(0)})  # type: ignore[dict-item]
    assert (x.codes, y.codes) == ([1], [0])
    assert solve(problem).is_winning


@pytest.mark.parametrize("count", [0, 2.5, "3", None, True])
def test_arrays_of_no_size(count: Any) -> None:
    with pytest.raises(ModelError, match="give a whole number"):
        Problem().exists_array("x", count, [0, 1])
    with pytest.raises(ModelError, match="needs a name"):
        Problem().forall_array(3, 2, [0, 1])  # type: ignore[arg-type]
    assert len(Problem().exists_array("x", np.int64(2), iter([0, 1]))) == 2  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "settings",
    [{"temperature": float("nan")}, {"frequency": 2**40}, {"threads": 10**5}, {"pace": -1.0}, {"seed": 0.5}],
)
def test_guides_that_cannot_be(settings: Any) -> None:
    with pytest.raises(ModelError, match=f"guide: {next(iter(settings))}="):
        Guide("mc", **settings)
    with pytest.raises(ModelError, match="name of a guide"):
        solve(Problem(), guide=None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "limits",
    [{"nodes": -1}, {"memory_mb": -1}, {"seconds": -0.5}, {"nodes": 2.5}, {"seconds": "5"}, {"memory_mb": None}],
)
def test_limits_that_cannot_be(limits: Any) -> None:
    problem, _ = _certificate()
    for call in (solve, winning_assignments):
        with pytest.raises(ModelError, match="at least 0"):
            call(problem, **limits)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("bad.json", "{"),
        ("bad.json", '{"prefix": [], "prefix": [{"exists": "x", "domain": "0..1"}]}'),
        ("bad.json", f'{{"prefix": [{"9" * 5000}]}}'),
        ("bad.toml", "= 1"),
        ("bad.toml", "\xff"),
        ("bad.toml", f"prefix = [{'9' * 5000}]"),
    ],
)
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


def test_trees_are_drawn_and_cut() -> None:
    problem = models.baker(3, 13)
    drawn = draw(problem, solve(problem).strategy or pytest.fail("not won"))
    assert drawn.splitlines()[0] == "w[0] = 1, w[1] = 3, w[2] = 9" and "└─ f = 13" in drawn
    assert draw(problem, solve(problem).strategy or pytest.fail("not won"), 4).endswith("... and so on")
    empty = Problem("empty")
    empty.forall("y", range(2))
    assert "every play is won" in draw(empty, solve(empty).strategy or pytest.fail("not won"))


def test_a_strategy_may_not_look_ahead() -> None:
    problem = Problem("ahead")
    x, y = problem.exists("x", range(2)), problem.forall("y", range(2))
    problem.require(x == y)
    made = strategy.fingerprint(problem)
    question = strategy.Question("y", {0: 2, 1: 3})
    nodes = (strategy.Setting({}, 0), question, strategy.Setting({"x": 0}, 0), strategy.Setting({"x": 1}, 0))
    with pytest.raises(ModelError, match="comes before y"):
        check(problem, Strategy("ahead", made, nodes, 1))
