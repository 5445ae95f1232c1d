"""Helpers on the bus: they see what the search does and change nothing but the order, whatever they send."""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.unit.qcsp.brute import random_problem, wins

from woodstock._native import Evaluator, QcspBus, QcspChannel
from woodstock.errors import ModelError
from woodstock.qcsp import Guide, Problem, check, solve
from woodstock.qcsp.bus import Event, Line, ProcessHelper, ThreadHelper
from woodstock.qcsp.models import baker
from woodstock.qcsp.solve import evaluator_of


def _domains(problem: Problem) -> list[list[int]]:
    return [variable.codes for variable, _ in problem.prefix]


def test_the_trace_tells_what_the_search_did() -> None:
    problem = Problem()
    x, y = problem.exists("x", range(3)), problem.forall("y", range(2))
    z = problem.exists("z", range(4))
    problem.require(z == x + y, x != 0)
    bus, seen = QcspBus(), []
    with ThreadHelper(problem, bus, lambda event, line: seen.append(event)) as helper:
        result = solve(problem, bus=bus, probing=False)
    assert result.is_winning and helper.error is None
    assert [e.value for e in seen if e.kind == "tried" and e.variable == "x"] == [1]
    assert {e.variable for e in seen if e.kind == "opened"} >= {"x", "y"}
    assert {(e.variable, e.value) for e in seen if e.kind == "won"} >= {("x", 1), ("y", 0), ("y", 1)}
    assert seen[-1].kind == "strategy"


def test_a_swap_before_the_start_decides_what_is_tried_first() -> None:
    problem = baker(3, 13)
    bus = QcspBus()
    line = Line(problem, bus)
    assert line.swap("w[0]", 1, 9)
    result = solve(problem, bus=bus)
    assert result.strategy is not None and result.strategy.first_values()["w[0]"] == 9
    assert result.statistics["swaps_taken"] == 1


def test_swaps_of_open_variables_wait_for_their_next_opening() -> None:
    problem = baker(least_first=4)
    bus = QcspBus()

    def meddle(event: Event, line: Line) -> None:
        if event.kind == "tried" and event.variable == "w[1]":
            line.swap("w[0]", 9, 40)

    with ThreadHelper(problem, bus, meddle):
        result = solve(problem, bus=bus)
    assert result.is_winning and result.strategy is not None
    assert result.strategy.first_values()["w[0]"] == 9  # opened once, in the order it had then


def test_the_search_as_published_takes_the_published_nodes() -> None:
    for least, nodes in ((1, 19_130), (2, 1_171_084)):
        result = solve(baker(least_first=least), published=True)
        assert result.is_winning and result.statistics["nodes"] == nodes
    assert result.statistics["probes"] == result.statistics["memo_hits"] == 0


def test_a_head_start_reaches_the_outermost_variable() -> None:
    problem, firsts = baker(3, 13), set()
    for seed in range(6):
        result = solve(problem, guide=Guide.published(head_start=2000, seed=seed), published=True)
        assert result.strategy is not None
        firsts.add(result.strategy.first_values()["w[0]"])
        assert result.guides[0]["iterations"] >= 2000
    assert len(firsts) > 1  # without a head start always 1


def test_a_guide_can_ask_for_restarts_and_set_the_pace() -> None:
    problem = baker(least_first=2)
    paced = solve(problem, guide=Guide.published(pace=1.5), published=True, nodes=20_000)
    assert paced.guides[0]["iterations"] >= 1.5 * 19_000
    again = solve(problem, guide=Guide.published(pace=1.5, restarts=True), published=True, nodes=20_000)
    assert paced.statistics["restarts"] == 0 < again.statistics["restarts"]
    for wrong in ({"head_start": -1}, {"pace": -1.0}, {"temperature": 0.0}, {"frequency": 0}):
        with pytest.raises(ModelError, match="guide: "):
            Guide(**wrong)


def test_a_helper_that_raises_ends_alone() -> None:
    problem, bus = baker(3, 13), QcspBus()

    def fail(event: Event, line: Line) -> None:
        raise RuntimeError("no idea")

    with ThreadHelper(problem, bus, fail) as helper:
        assert solve(problem, bus=bus).is_winning
    assert isinstance(helper.error, RuntimeError)


@contextmanager
def _flooding(domains: list[list[int]], channel: QcspChannel, seed: int, is_lying: bool) -> Iterator[None]:
    """Send random swaps as fast as the channel takes them; half of a liar's name what does not exist."""
    chance, is_over = random.Random(seed), threading.Event()

    def flood() -> None:
        while not is_over.is_set():
            position = chance.randrange(len(domains))
            first, second = chance.choice(domains[position]), chance.choice(domains[position])
            if is_lying and chance.random() < 0.25:
                channel.ask_for_restart()
            elif is_lying and chance.random() < 0.5:
                channel.send(position + 7, first + 1_000_000, second)
            else:
                channel.send(position, first, second)

    thread = threading.Thread(target=flood, daemon=True)
    thread.start()
    yield
    is_over.set()
    thread.join()


@pytest.mark.parametrize("is_lying", [False, True])
def test_a_flood_changes_no_answer(is_lying: bool) -> None:
    for seed in range(40):
        problem = random_problem(seed, is_restricted=seed % 2 == 0)
        bus = QcspBus()
        channel = bus.join()
        with _flooding(_domains(problem), channel, seed, is_lying):
            result = solve(problem, bus=bus)
        assert result.is_winning == wins(problem), f"seed {seed}"
        if result.strategy is not None:
            check(problem, result.strategy)


@pytest.mark.parametrize("guide", ["mc", "frontier"])
def test_guides_change_no_answer(guide: str) -> None:
    for seed in range(60):
        problem = random_problem(seed, is_restricted=seed % 2 == 0, has_definitions=seed % 3 == 0)
        result = solve(problem, guide=Guide(guide, threads=1 + seed % 2, seed=seed))
        assert result.is_winning == wins(problem), f"seed {seed}"
        if result.strategy is not None:
            check(problem, result.strategy)


HELPER = """
import json, sys
head = json.loads(sys.stdin.readline())
assert [entry["variable"] for entry in head["prefix"]][0] == "w[0]"
print(json.dumps({"swap": ["w[0]", 1, 9]}), flush=True)
print("nonsense", flush=True)
print(json.dumps({"swap": ["nobody", 1, 9]}), flush=True)
print(json.dumps({"swap": ["w[0]", "a"]}), flush=True)
print(json.dumps({"restart": True}), flush=True)
kinds = set()
for line in sys.stdin:
    kinds.add(json.loads(line)["event"])
open(sys.argv[1], "w").write(" ".join(sorted(kinds)))
"""


def test_another_process_reads_the_trace_and_sends_swaps(tmp_path: Path) -> None:
    out = tmp_path / "kinds"
    problem, bus = baker(least_first=2), QcspBus()
    with ProcessHelper(problem, bus, [sys.executable, "-c", HELPER, str(out)]) as helper:
        result = solve(problem, bus=bus)
    assert result.is_winning
    assert {"failed", "opened", "tried", "won"} <= set(out.read_text().split())
    assert helper.nonsense == 3


def test_a_process_that_dies_changes_nothing() -> None:
    problem, bus = baker(3, 13), QcspBus()
    with ProcessHelper(problem, bus, [sys.executable, "-c", "import sys; sys.exit(1)"]):
        assert solve(problem, bus=bus).is_winning
    with pytest.raises(ModelError, match="cannot start"), ProcessHelper(problem, QcspBus(), ["/no/such/program"]):
        pass


def test_the_evaluator_agrees_with_the_expressions() -> None:
    import itertools
    import random

    rng = random.Random(1)
    for seed in range(80):
        problem = random_problem(seed, has_definitions=True)
        evaluator = evaluator_of(problem)
        prefix = [v for v, _ in problem.prefix]
        rows = list(itertools.product(*(variable.codes for variable in prefix)))
        for row in rng.sample(rows, min(20, len(rows))):
            values = {v.index: value for v, value in zip(prefix, row, strict=True)}
            for index, term in problem.definitions.items():
                values[index] = int(term.evaluate(values))
            number = 0
            for constraint in problem.constraints:
                if any(True for _ in constraint.variables()) and _depends(problem, constraint):
                    assert evaluator.holds(number, row) == bool(constraint.evaluate(values)), f"seed {seed}"
                    number += 1


def _depends(problem: Problem, expression: object) -> bool:
    """Whether a quantified variable stands in it, directly or by definitions."""
    from woodstock.constraint.expression import Expression

    assert isinstance(expression, Expression)
    for variable in expression.variables():
        if variable.index not in problem.definitions or _depends(problem, problem.definitions[variable.index]):
            return True
    return False


def test_malformed_code_is_refused() -> None:
    evaluator = Evaluator(1)
    for code in ([99], [2], [0], [0, 1, 0, 2], [17, 5], [], [1, 7]):
        with pytest.raises(ValueError):
            evaluator.add_condition(code, [])
