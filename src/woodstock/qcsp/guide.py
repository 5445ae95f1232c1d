"""Guides: what may reorder the values that a quantified search tries, and their settings.

`tight` orders values by the freedom that they leave to the existential player. In a game, whose moves are restricted,
each existential move is propagated before one is searched: forcing moves come first, failing ones are dropped. In
problems without restrictions, universal values that leave little freedom in all variables come first; and if the
outermost block has many assignments, `frontier` looks for one that every universal value accepts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from woodstock.errors import ModelError
from woodstock.qcsp.problem import Problem

GUIDES = ("none", "tight", "mc", "frontier")
RULES = ("evidence", "printed", "program")  # of the guide mc
MANY_ASSIGNMENTS = 10_000  # of the outermost block: from here on `frontier` is worth its thread


@dataclass(frozen=True)
class Guide:
    """Which helper reorders values, and how: `tight` by freedom, `mc` by conflicts, `frontier` with the trace, `none`.

    `mc` and `frontier` are threads. Each begins after `patience` nodes. By its rule `evidence`, `mc` moves a value
    forward if its rate of conflicts is lower by `evidence` standard errors. The rule `printed` is the published
    algorithm, and `program` the authors' public program, if that differs; `Guide.published()` has the published
    settings.

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
    rule: str = "evidence"

    @classmethod
    def published(cls, **changes: Any) -> Guide:
        """Return the guide of [Chantrein, Barichard & Stephan]: counts alone, from the first node on."""
        settings: dict[str, Any] = {"name": "mc", "rule": "printed", "patience": 0}
        return cls(**settings | changes)

    def __post_init__(self) -> None:
        if self.name not in GUIDES:
            raise ModelError(f"unknown guide {self.name!r}: expected one of {', '.join(GUIDES)}")
        if self.rule not in RULES:
            raise ModelError(f"unknown rule {self.rule!r}: expected one of {', '.join(RULES)}")
        if self.threads < 1:
            raise ModelError(f"{self.threads} threads: a guide needs at least one")
        if (
            self.temperature <= 0
            or self.frequency < 1
            or min(self.evidence, self.patience, self.head_start, self.pace) < 0
        ):
            raise ModelError(f"{self}: the temperature is above 0, the frequency at least 1, the others at least 0")

    def search_options(self, problem: Problem) -> dict[str, Any]:
        """Return the options of `QcspSearch` for this guide."""
        options: dict[str, Any] = {"patience": self.patience, "restart_on_swaps": self.restarts}
        if self.name == "mc":
            options["pace"] = self.pace
        if self.name == "tight":
            moves = _moves(problem)
            options |= {"look_ahead": moves} if any(moves) else {"weigh": not problem.is_restricted}
        return options

    def thread_for(self, problem: Problem) -> str | None:
        """Return which guide runs in threads of its own; none: the search is alone."""
        if self.name in ("mc", "frontier"):
            return self.name
        if self.name == "tight" and not problem.is_restricted and _is_large(problem):
            return "frontier"
        return None


def _moves(problem: Problem) -> list[bool]:
    """Return by position whether it is an existential move of a game: in a restricted block, or in the first one."""
    own = [(block, bool(block.restrictions)) for block in problem.blocks if not block.is_universal]
    if not any(is_restricted for _, is_restricted in own):
        return []
    moves = {id(block) for block, is_restricted in own if is_restricted or block is own[0][0]}
    return [id(block) in moves for block in problem.blocks for _ in block.variables]


def _is_large(problem: Problem) -> bool:
    outer = problem.outer
    return len(outer) > 1 and math.prod(len(variable.codes) for variable in outer) >= MANY_ASSIGNMENTS
