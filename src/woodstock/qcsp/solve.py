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

from woodstock._native import (
    Evaluator,
    QcspBus,
    QcspChannel,
    QcspGuide,
    QcspSearch,
    start_frontier_guide,
    start_mc_guide,
)
from woodstock.constraint.evaluator import compile_conditions
from woodstock.errors import ModelError
from woodstock.qcsp.check import CertificateError, CheckLimitError, check
from woodstock.qcsp.posting import PUBLISHED, OutOfTime, Posting
from woodstock.qcsp.problem import Problem
from woodstock.qcsp.strategy import Strategy, from_native

GUIDES = ("none", "mc", "frontier")
_LONGEST_HEAD_START = 3600.0
CHECK_LIMIT = 1_000  # positions; a check of so many takes a few hundredths of a second
STATISTICS = (
    "nodes failures forbidden probes memo_hits memo_size propagations "
    "swaps_taken swaps_refused restarts lost_events cpu_seconds"
).split()
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Guide:
    """Which helper reorders values, and how: `mc` by conflicts, `frontier` with the trace, `none`.

    It begins after `patience` nodes. `mc` moves a value forward if its rate of conflicts is lower by `evidence`
    standard errors; `Guide.published()` is the published algorithm.

    A swap counts when its variable is opened next, and the outermost ones are opened at once: with a `head_start` the
    search begins only after so many iterations. With `restarts` a swap of an open variable is a request to restart,
    which the search grants at doubling distances. With a `pace` the search waits until the guide has made so many
    iterations for each node; else it never waits.
    """

    name: str = "none"
    threads: int = 1
    seed: int = 0
    temperature: float = 4.5
    frequency: int = 1000
    evidence: float = 3.0
    patience: int = 256
    head_start: int = 0
    restarts: bool = False
    pace: float = 0.0

    @classmethod
    def published(cls, **changes: Any) -> Guide:
        """Return the guide of [Chantrein, Barichard & Stephan]: counts alone, from the first node on."""
        settings: dict[str, Any] = {"name": "mc", "evidence": 0.0, "patience": 0}
        return cls(**settings | changes)

    def __post_init__(self) -> None:
        if self.name not in GUIDES:
            raise ModelError(f"unknown guide {self.name!r}: expected one of {', '.join(GUIDES)}")
        if self.threads < 1:
            raise ModelError(f"{self.threads} threads: a guide needs at least one")
        if (
            self.temperature <= 0
            or self.frequency < 1
            or min(self.evidence, self.patience, self.head_start, self.pace) < 0
        ):
            raise ModelError(f"{self}: the temperature is above 0, the frequency at least 1, the others at least 0")


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
    """
    chosen = Guide(guide) if isinstance(guide, str) else guide
    _check_limits(seconds=seconds, nodes=nodes, memory_mb=memory_mb, check_limit=check_limit)
    deadline = _deadline(seconds)
    try:
        posting = Posting(problem, memory_mb, deadline, PUBLISHED if published else None)
    except OutOfTime:
        return Result(problem, None, "seconds", None, dict.fromkeys(STATISTICS, 0))
    line = bus if bus is not None or chosen.name == "none" else QcspBus()
    # Channels must join before the search is made; guides start after it, when the problem is known to be right.
    channels: list[QcspChannel] = []
    if line is not None and chosen.name != "none":
        channels = [line.join(wants_trace=chosen.name == "frontier") for _ in range(chosen.threads)]
    search = posting.search(
        probing=probing and not published,
        memo=memo and not published,
        learn_orders=not published,
        restart_on_swaps=chosen.restarts,
        pace=chosen.pace if chosen.name == "mc" else 0.0,
        keep_strategy=strategy,
        nodes=nodes,
        seconds=_left(deadline),
        memory_mb=memory_mb,
        bus=line,
        patience=chosen.patience,
    )
    guides: list[QcspGuide] = []
    try:
        for number, channel in enumerate(channels):
            guides.append(_start(problem, chosen, channel, number, memory_mb))
        for started in guides if chosen.head_start else ():
            started.wait_until_ready(min(deadline - time.perf_counter(), _LONGEST_HEAD_START))
        status = search.run(progress)
    finally:
        facts = tuple(dict(g.finish()) for g in guides)
    kept = _kept(problem, search) if strategy else None
    is_checked = kept is not None and _passes(problem, kept, check_limit)
    return Result(problem, search.is_won, status, kept, dict(search.stats), facts, is_checked)


def _kept(problem: Problem, search: QcspSearch) -> Strategy | None:
    found = search.strategy
    return None if found is None else from_native(problem, found[0], found[1])


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
    _check_limits(seconds=seconds, nodes=nodes, memory_mb=memory_mb, limit=limit)
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


def _check_limits(seconds: float | None, **limits: int | None) -> None:
    for name, limit in limits.items():
        if limit is not None and (type(limit) is not int or not 0 <= limit < 2**40):
            raise ModelError(f"{name}={limit!r}: a limit is a whole number, at least 0")
    if seconds is not None and not seconds >= 0:
        raise ModelError(f"seconds={seconds!r}: a time is at least 0")


def _deadline(seconds: float | None) -> float:
    return math.inf if seconds is None else time.perf_counter() + seconds


def _left(deadline: float) -> float | None:
    return None if deadline == math.inf else max(deadline - time.perf_counter(), 0.0)


def _start(problem: Problem, guide: Guide, channel: QcspChannel, number: int, memory_mb: int) -> QcspGuide:
    seed = guide.seed * 1_000_003 + number
    if guide.name == "mc":
        domains = [variable.codes for variable, _ in problem.prefix]
        return start_mc_guide(
            domains,
            evaluator_of(problem),
            channel,
            temperature=guide.temperature,
            frequency=guide.frequency,
            seed=seed,
            evidence=guide.evidence,
            head_start=guide.head_start,
        )
    own = Posting(problem, memory_mb)
    return start_frontier_guide(own.solver, own.prefix, channel, seed=seed)
