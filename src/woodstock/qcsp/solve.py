"""Solve a quantified problem: who wins, by which strategy, or by which outermost assignments.

The search runs in the calling thread, guides run in their own threads and use the bus. The GIL is free meanwhile, and
Ctrl-C ends the search.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from woodstock._native import (
    Evaluator,
    FormulaSearch,
    QcspBus,
    QcspChannel,
    QcspGuide,
    QcspSearch,
    start_frontier_guide,
    start_mc_guide,
)
from woodstock.constraint.evaluator import compile_conditions
from woodstock.constraint.plain import plain
from woodstock.errors import ModelError
from woodstock.qcsp.check import CertificateError, CheckLimitError, check
from woodstock.qcsp.formula import formula_search
from woodstock.qcsp.guide import Guide, guide_of
from woodstock.qcsp.posting import PUBLISHED, OutOfTime, Posting
from woodstock.qcsp.problem import Problem
from woodstock.qcsp.strategy import Strategy, from_native

_LONGEST_HEAD_START = 3600.0
CHECK_LIMIT = 1_000  # positions; a check of so many takes a few hundredths of a second
STATISTICS = (
    "nodes failures forbidden probes memo_hits memo_size cubes cube_hits plain_lessons propagations "
    "swaps_taken swaps_refused restarts lost_events cpu_seconds"
).split()
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Result:
    """The result of a solve. `is_winning` is none if a limit ended it; `status` says which.

    `is_checked` says whether the strategy passed `check`; large ones are left to you.
    """

    problem: Problem
    is_winning: bool | None
    status: str
    strategy: Strategy | None
    statistics: dict[str, Any]
    guides: tuple[dict[str, Any], ...] = ()
    is_checked: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether the answer is proved."""
        return self.status == "complete"

    @property
    def certificate(self) -> dict[str, Any] | None:
        """The strategy as JSON has it, for `woodstock.qcsp.check`; none without a strategy."""
        return None if self.strategy is None else self.strategy.to_json()

    def __repr__(self) -> str:
        answer = {True: "winning", False: "not winning", None: "unknown"}[self.is_winning]
        return f"<{self.problem.name}: {answer}, {self.status}, {self.statistics['nodes']} nodes>"


@dataclass(frozen=True)
class Winning:
    """The outermost assignments that win, each a dictionary from name to value."""

    problem: Problem
    assignments: tuple[dict[str, int], ...]
    status: str
    statistics: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.assignments)

    def __iter__(self) -> Iterator[dict[str, int]]:
        return iter(self.assignments)


def solve(
    problem: Problem,
    *,
    guide: Guide | str = "none",
    seconds: float | None = None,
    nodes: int | None = None,
    memory_mb: int = 1024,
    strategy: bool = True,
    probing: bool = True,
    memo: bool = True,
    learning: bool = True,
    published: bool = False,
    bus: QcspBus | None = None,
    progress: Progress | None = None,
    check_limit: int = CHECK_LIMIT,
) -> Result:
    """Decide whether the existential player wins, and how.

    `seconds` counts from the call. `memory_mb` bounds the posted problem, the memo and the strategies, each of them; a
    guide with `frontier` posts the problem once more. Helpers of your own join `bus` before the call.
    `progress(nodes, failures)` is called about twenty times a second. A strategy with at most `check_limit` positions
    is checked before it is returned; a wrong one raises `CertificateError`. `published` searches as the paper prints
    it: no probing, no memo, values in ascending order unless a guide swaps them, sums by bounds.

    A quantified Boolean formula has a search of its own that learns clauses and cubes and needs no guide. `learning`
    false, `published` or a `bus` of yours turn it off.
    """
    chosen = guide_of(guide)
    _check_limits(seconds, memory_mb, nodes=nodes, check_limit=check_limit)
    deadline = _deadline(seconds)
    limits: dict[str, Any] = {"nodes": nodes, "memory_mb": memory_mb, "keep_strategy": strategy}
    if learning and not published and bus is None:
        formula = formula_search(problem, seconds=_left(deadline), **limits)
        if formula is not None:
            return _result(problem, formula, formula.run(progress), (), check_limit if strategy else None)
    try:
        posting = Posting(problem, memory_mb, deadline, PUBLISHED if published else None)
    except OutOfTime:
        return Result(problem, None, "seconds", None, dict.fromkeys(STATISTICS, 0))
    thread = chosen.thread_for(problem)
    joined = bus if bus is not None or thread is None else QcspBus()
    # Channels must join before the search is made; guides start after it, when the problem is known to be right.
    channels = [] if joined is None or thread is None else _join(joined, thread, chosen.threads)
    search = posting.search(
        probing=probing and not published,
        memo=memo and not published,
        learn_orders=not published,
        seconds=_left(deadline),
        bus=joined,
        **limits,
        **chosen.search_options(problem),
    )
    guides: list[QcspGuide] = []
    try:
        guides.extend(_start(problem, chosen, line, n, memory_mb, deadline) for n, line in enumerate(channels))
        status = search.run(progress)
    finally:
        facts = tuple(dict(g.finish()) for g in guides)
    return _result(problem, search, status, facts, check_limit if strategy else None)


def _result(
    problem: Problem,
    search: QcspSearch | FormulaSearch,
    status: str,
    guides: tuple[dict[str, Any], ...],
    check_limit: int | None,
) -> Result:
    """Return what the search found; `check_limit` none: without a strategy."""
    found = None if check_limit is None else search.strategy
    kept = None if found is None else from_native(problem, found[0], found[1])
    is_checked = kept is not None and check_limit is not None and _passes(problem, kept, check_limit)
    statistics = dict.fromkeys(STATISTICS, 0) | dict(search.stats)
    return Result(problem, search.is_won, status, kept, statistics, guides, is_checked)


def _passes(problem: Problem, strategy: Strategy, limit: int) -> bool:
    """Whether the strategy was checked; false if that takes more than `limit` positions."""
    if len(strategy.nodes) > limit:
        return False
    try:
        check(problem, strategy, limit)
    except CheckLimitError:
        return False
    except CertificateError as error:
        raise CertificateError(f"the search returned a wrong strategy, please report this: {error}") from None
    return True


def winning_assignments(
    problem: Problem,
    *,
    limit: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    memory_mb: int = 1024,
    progress: Progress | None = None,
) -> Winning:
    """Return every assignment of the outermost existential block from which the existential player wins."""
    if not problem.outer:
        raise ModelError(f"{problem.name}: the prefix does not begin with an existential variable")
    _check_limits(seconds, memory_mb, nodes=nodes, limit=limit)
    deadline = _deadline(seconds)
    try:
        posting = Posting(problem, memory_mb, deadline)
    except OutOfTime:
        return Winning(problem, (), "seconds", dict.fromkeys(STATISTICS, 0))
    search = posting.search(
        keep_strategy=False, enumerate=True, solutions=limit, nodes=nodes, seconds=_left(deadline), memory_mb=memory_mb
    )
    status = search.run(progress)
    names = [variable.name for variable in problem.outer]
    rows = tuple(dict(zip(names, row, strict=True)) for row in search.solutions)
    return Winning(problem, rows, status, dict(search.stats))


def evaluator_of(problem: Problem) -> Evaluator:
    """Return all constraints and restrictions, compiled over the variables of the prefix."""
    restrictions = [restriction for block in problem.blocks for restriction in block.restrictions]
    places = {variable.index: place for place, (variable, _) in enumerate(problem.prefix)}
    return compile_conditions([*problem.constraints, *restrictions], places, problem.definitions)


def _check_limits(seconds: Any, memory_mb: int, **limits: int | None) -> None:
    given = {name: limit for name, limit in limits.items() if limit is not None} | {"memory_mb": memory_mb}
    for name, limit in given.items():
        if type(plain(limit)) is not int or not 0 <= limit < 2**40:
            raise ModelError(f"{name}={limit!r}: a limit is a whole number, at least 0")
    if seconds is not None and not (isinstance(seconds, float | int | np.number) and seconds >= 0):
        raise ModelError(f"seconds={seconds!r}: a time is a number, at least 0")


def _deadline(seconds: float | None) -> float:
    return math.inf if seconds is None else time.perf_counter() + seconds


def _left(deadline: float) -> float | None:
    return None if deadline == math.inf else max(deadline - time.perf_counter(), 0.0)


def _join(line: QcspBus, thread: str, count: int) -> list[QcspChannel]:
    return [line.join(wants_trace=thread == "frontier") for _ in range(count)]


def _start(
    problem: Problem, guide: Guide, channel: QcspChannel, number: int, memory_mb: int, deadline: float
) -> QcspGuide:
    seed = (guide.seed * 1_000_003 + number) % 2**64
    if guide.name != "mc":
        own = Posting(problem, memory_mb)
        return start_frontier_guide(own.solver, own.prefix, channel, seed=seed)
    started = start_mc_guide(
        [variable.codes for variable, _ in problem.prefix],
        evaluator_of(problem),
        channel,
        temperature=guide.temperature,
        frequency=guide.frequency,
        seed=seed,
        evidence=guide.evidence,
        head_start=guide.head_start,
        rule=guide.rule,
    )
    if guide.head_start:
        started.wait_until_ready(min(deadline - time.perf_counter(), _LONGEST_HEAD_START))
    return started
