"""Check a certificate without the solver: play every scenario and evaluate every constraint by its definition.

Nothing here knows about propagation or search. Scenarios at the same node of the strategy that agree on all variables
of undecided constraints are checked once, which keeps shared parts cheap. `limit` bounds the work.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from woodstock.constraint.expression import Expression, Logic
from woodstock.constraint.variable import scope_of
from woodstock.errors import ModelError
from woodstock.qcsp.problem import Problem
from woodstock.qcsp.strategy import Question, Strategy, fingerprint

DEFAULT_LIMIT = 10_000_000


class CertificateError(ModelError):
    """The certificate does not prove that the problem is won; the message has a counterexample."""


class CheckLimitError(ModelError):
    """The check has more positions than its limit."""


@dataclass(frozen=True)
class Checked:
    """The size of a successful check."""

    positions: int
    plays: int


@dataclass
class _Step:
    """One variable of the problem in declared order."""

    index: int
    name: str
    values: tuple[int, ...]
    kind: str  # "exists", "forall", "defined"
    term: Expression | None
    block: int


def check(problem: Problem, strategy: Strategy, limit: int = DEFAULT_LIMIT) -> Checked:
    """Raise `CertificateError` unless the strategy wins every play of the problem."""
    if strategy.fingerprint != fingerprint(problem):
        raise CertificateError(
            f"the certificate is for another problem ({strategy.problem_name or 'without a name'}), "
            f"not for {problem.name} as it is now"
        )
    return _Checker(problem, strategy, limit).run()


def complete_definitions(problem: Problem, assignment: dict[str, int]) -> None:
    """Add the defined variables whose terms are known."""
    values = {problem.variable(name).index: value for name, value in assignment.items()}
    for index, term in problem.definitions.items():
        if index not in values and all(v.index in values for v in term.variables()):
            values[index] = int(term.evaluate(values))
            assignment[problem.variables[index].name] = values[index]


class _Checker:
    def __init__(self, problem: Problem, strategy: Strategy, limit: int) -> None:
        self.problem, self.strategy, self.limit = problem, strategy, limit
        self.steps = _steps(problem)
        self.place = {step.index: number for number, step in enumerate(self.steps)}
        self.values: dict[int, int] = {}  # by number of the variable
        # Constraints and restrictions of existential blocks, by the step after which they can be evaluated.
        self.due: list[list[Expression]] = [[] for _ in self.steps]
        self.tests: list[list[Expression]] = [[] for _ in self.steps]  # restrictions of universal blocks
        self.pending: list[tuple[Expression, frozenset[int], int]] = []
        self.early: list[Expression] = []
        for constraint in problem.constraints:
            self._place(constraint, len(self.steps) - 1 if problem.is_restricted else 0)
        for block in problem.blocks:
            end = max(self.place[v.index] for v in block.variables)
            for restriction in block.restrictions:
                if block.is_universal:
                    # It may use variables that are defined after the block.
                    due = max([end, *(self.place[v.index] for v in restriction.variables())])
                    self.tests[due].append(restriction)
                    self._note(restriction, due)
                else:
                    # Must hold once the block is set, whatever follows.
                    self._place(restriction, end)
        self.seen: set[Any] = set()
        self.positions = self.plays = 0

    def _place(self, expression: Expression, earliest: int) -> None:
        if not self.steps:
            self.early.append(expression)
            return
        due = max([earliest, *(self.place[v.index] for v in expression.variables())])
        self.due[due].append(expression)
        self._note(expression, due)

    def _note(self, expression: Expression, due: int) -> None:
        self.pending.append((expression, frozenset(v.index for v in scope_of(expression)), due))

    def run(self) -> Checked:
        for expression in self.early:
            if not expression.evaluate({}):
                raise CertificateError(f"{expression!r} never holds")
        for entry in self.strategy.nodes:
            for name in [entry.variable] if isinstance(entry, Question) else entry.values:
                self.problem.variable(name)
        settings, node = self.strategy.settings(self.strategy.root)
        # The next step, the values set so far, the node, and a universal value to try first.
        stack: list[tuple[int, dict[str, int], int | None, int | None]] = [(0, settings, node, None)]
        while stack:
            at, known, where, value = stack.pop()
            self._walk(at, known, where, value, stack)
        return Checked(self.positions, self.plays)

    def _walk(
        self,
        at: int,
        known: dict[str, int],
        node: int | None,
        value: int | None,
        stack: list[tuple[int, dict[str, int], int | None, int | None]],
    ) -> None:
        """Go on from one step to the end of the play or to the next choice of the universal player."""
        block = self.steps[at].block if at < len(self.steps) else -1
        while at < len(self.steps):
            step = self.steps[at]
            if node is None and step.kind != "defined" and (step.kind == "exists" or step.block != block):
                self._fail(at - 1, "the certificate has no case for this choice")
            if step.kind == "forall" and value is None:
                if self._is_known(at, known, node):
                    return
                stack.extend((at, known, node, choice) for choice in reversed(step.values))
                return
            if step.kind == "forall":
                self.values[step.index] = value  # type: ignore[assignment]
                known, node = self._follow(step, value, known, node)  # type: ignore[arg-type]
                value, block = None, step.block
            elif step.kind == "exists":
                chosen = known.get(step.name, step.values[0])
                if chosen not in step.values:
                    self._fail(at, f"{step.name} = {chosen} is not in its domain")
                self.values[step.index] = chosen
            else:
                self.values[step.index] = int(step.term.evaluate(self.values))  # type: ignore[union-attr]
            for restriction in self.tests[at]:
                if not restriction.evaluate(self.values):
                    self.plays += 1
                    return  # the universal player broke the rules: the play counts for nothing
            for expression in self.due[at]:
                if not expression.evaluate(self.values):
                    self._fail(at, f"{expression!r} does not hold")
            at += 1
        if node is None:
            self._fail(at - 1, "the certificate has no case for this choice")
        self.plays += 1

    def _follow(
        self, step: _Step, value: int, known: dict[str, int], node: int | None
    ) -> tuple[dict[str, int], int | None]:
        if node is None:
            return known, None
        at = self.strategy.nodes[node]
        if not isinstance(at, Question) or at.variable != step.name:
            if isinstance(at, Question) and self._place_of(at.variable) < self.place[step.index]:
                raise CertificateError(f"node {node} asks for {at.variable} after it was answered")
            return known, node
        if value not in at.cases:
            return known, None
        more, following = self.strategy.settings(at.cases[value])
        for name in more:
            if self._place_of(name) < self.place[step.index]:
                raise CertificateError(
                    f"node {at.cases[value]} sets {name}, which comes before {step.name}, by the value of {step.name}"
                )
        return {**known, **more}, following

    def _place_of(self, name: str) -> int:
        return self.place[self.problem.variable(name).index]

    def _is_known(self, at: int, known: dict[str, int], node: int | None) -> bool:
        """Whether this position was checked before: same node, same values of the variables that matter."""
        self.positions += 1
        if self.positions > self.limit:
            raise CheckLimitError(f"the check gave up after {self.limit:,} positions; raise the limit")
        matters: set[int] = set()
        is_any_open = False
        done = {index: value for index, value in self.values.items() if self.place[index] < at}
        for expression, scope, due in self.pending:
            if due < at or _is_certain(expression, done):
                continue
            is_any_open = True
            matters |= scope
        if not is_any_open and not self.problem.is_restricted and node is not None:
            self.plays += 1
            return True
        for index in self.problem.definitions:
            if self.place[index] >= at:
                matters.update(v.index for v in self.problem.definitions[index].variables())
        ahead = tuple(sorted((name, v) for name, v in known.items() if self._place_of(name) >= at))
        key = (at, node, ahead, tuple(sorted((i, v) for i, v in done.items() if i in matters)))
        if key in self.seen:
            return True
        self.seen.add(key)
        return False

    def _fail(self, at: int, what: str) -> None:
        play = ", ".join(
            f"{step.name} = {self.values[step.index]}" for step in self.steps[: at + 1] if step.index in self.values
        )
        raise CertificateError(f"{what} after {play}")


def _is_certain(expression: Expression, values: Mapping[int, int]) -> bool:
    """Whether it holds whatever follows; false if that is not known."""
    if isinstance(expression, Logic) and expression.op == "|":
        return any(_is_certain(part, values) for part in expression.arguments)
    if isinstance(expression, Logic) and expression.op == "&":
        return all(_is_certain(part, values) for part in expression.arguments)
    if all(v.index in values for v in expression.variables()):
        return bool(expression.evaluate(values))
    return False


def _steps(problem: Problem) -> list[_Step]:
    quantified = {}
    for number, block in enumerate(problem.blocks):
        for variable in block.variables:
            quantified[variable.index] = ("forall" if block.is_universal else "exists", number)
    steps = []
    for variable in problem.variables:
        kind, number = quantified.get(variable.index, ("defined", -1))
        term = problem.definitions.get(variable.index)
        steps.append(_Step(variable.index, variable.name, tuple(variable.codes), kind, term, number))
    return steps
