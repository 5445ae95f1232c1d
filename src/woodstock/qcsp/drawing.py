"""A strategy as a tree that a person can read: what to set, then one branch for each choice of the other player."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from woodstock.qcsp.strategy import Question, Strategy

if TYPE_CHECKING:
    from woodstock.qcsp.problem import Problem

LINES = 200


def draw(problem: Problem, strategy: Strategy, limit: int = LINES) -> str:
    """Return the tree as text. Choices with the same answer share a branch; at most `limit` lines are drawn.

    >>> from woodstock.qcsp import draw, models, solve
    >>> problem = models.small_example()
    >>> print(draw(problem, solve(problem).strategy))
    x = 0, y = 0, t = 0
    """
    lines: list[str] = []
    for line in _lines(problem, strategy, strategy.root, ""):
        if len(lines) == limit:
            lines.append("... and so on")
            break
        lines.append(line)
    return "\n".join(lines) if lines else "nothing to set: every play is won"


def _lines(problem: Problem, strategy: Strategy, node: int, indent: str) -> Iterator[str]:
    values, question = strategy.settings(node)
    if values:
        yield indent + ", ".join(f"{name} = {problem.label(name, value)}" for name, value in values.items())
    at = strategy.nodes[question]
    if not isinstance(at, Question) or set(at.cases.values()) == {0}:
        return  # whatever comes now, the play is won
    if not at.cases:
        yield f"{indent}{at.variable}: no choice is left"
        return
    groups: dict[int, list[int]] = {}
    for value, target in sorted(at.cases.items()):
        groups.setdefault(target, []).append(value)
    for number, (target, chosen) in enumerate(groups.items(), start=1):
        is_last = number == len(groups)
        head = f"{at.variable} = {_listed(problem, at.variable, chosen)}"
        yield f"{indent}{'└─' if is_last else '├─'} {head}"
        yield from _lines(problem, strategy, target, indent + ("   " if is_last else "│  "))


def _listed(problem: Problem, name: str, values: list[int]) -> str:
    """Return the values as text, neighbouring numbers as a range."""
    if name in problem.labels or len(values) < 3 or values != list(range(values[0], values[-1] + 1)):
        return " or ".join(problem.label(name, value) for value in values)
    return f"{values[0]}..{values[-1]}"
