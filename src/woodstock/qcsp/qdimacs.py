"""Read QDIMACS, the format of quantified Boolean formulas, line by line; write it, for other solvers.

Variables that no quantifier line names are outermost and existential, as the standard has it. The variables of a
problem are named x1, x2, ... with the values 0 and 1; a clause is a condition over them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from woodstock.constraint.expression import Constant, Expression, any_of
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError
from woodstock.qcsp.problem import Problem

Blocks = list[tuple[str, list[int]]]


class Formula:
    """Blocks of numbered variables ('e' or 'a') and clauses of signed numbers."""

    def __init__(self, variables: int, blocks: Blocks, clauses: list[list[int]]) -> None:
        self.variables, self.blocks, self.clauses = variables, blocks, clauses

    def problem(self, name: str = "formula") -> Problem:
        """Return the formula as a problem."""
        problem = Problem(name)
        quantified = {number for _, numbers in self.blocks for number in numbers}
        free = sorted({abs(literal) for clause in self.clauses for literal in clause} - quantified)
        made: dict[int, Variable] = {number: problem.exists(f"x{number}", (0, 1)) for number in free}
        for kind, numbers in self.blocks:
            for number in numbers:
                add = problem.forall if kind == "a" else problem.exists
                made[number] = add(f"x{number}", (0, 1))
        for clause in self.clauses:
            literals: list[Expression] = [made[abs(n)] == int(n > 0) for n in dict.fromkeys(clause)]
            problem.require(any_of(literals) if literals else Constant(False))
        return problem

    def text(self) -> str:
        """Return the formula as QDIMACS."""
        lines = [f"p cnf {self.variables} {len(self.clauses)}"]
        lines += [" ".join([kind, *map(str, numbers), "0"]) for kind, numbers in self.blocks]
        lines += [" ".join([*map(str, clause), "0"]) for clause in self.clauses]
        return "\n".join(lines) + "\n"


def read(path: Path) -> Formula:
    """Read a file."""
    with path.open(encoding="utf-8-sig", errors="replace") as lines:
        return parse(lines, str(path))


def parse(lines: Iterable[str], where: str = "formula") -> Formula:
    """Read a formula from lines; an error names the line."""
    return _Reader(where).read(lines)


class _Reader:
    def __init__(self, where: str) -> None:
        self.where, self.line = where, 0
        self.variables = self.clause_count = -1
        self.blocks: Blocks = []
        self.clauses: list[list[int]] = []
        self.open: list[int] = []
        self.quantified: set[int] = set()

    def read(self, lines: Iterable[str]) -> Formula:
        for self.line, text in enumerate(lines, start=1):
            words = text.split()
            if not words or words[0].startswith("c"):
                continue
            if words[0] == "p":
                self._header(words)
            elif self.variables < 0:
                self._fail(f"expected 'p cnf VARIABLES CLAUSES' before {words[0]!r}")
            elif words[0] in ("e", "a"):
                self._block(words)
            else:
                self._clause(words)
        if self.variables < 0:
            raise ModelError(f"{self.where}: no line 'p cnf VARIABLES CLAUSES'; this is not QDIMACS")
        if self.open:
            self._fail("the last clause does not end in 0")
        if len(self.clauses) != self.clause_count:
            raise ModelError(
                f"{self.where}: {len(self.clauses)} clauses, the header promises {self.clause_count}; is it cut off?"
            )
        return Formula(self.variables, self.blocks, self.clauses)

    def _fail(self, what: str) -> NoReturn:
        raise ModelError(f"{self.where}:{self.line}: {what}")

    def _header(self, words: list[str]) -> None:
        if self.variables >= 0:
            self._fail("a second line 'p'")
        if len(words) != 4 or words[1] != "cnf" or not all(re.fullmatch(r"[0-9]{1,18}", w) for w in words[2:]):
            self._fail(f"expected 'p cnf VARIABLES CLAUSES', got {' '.join(words)!r}")
        self.variables, self.clause_count = int(words[2]), int(words[3])

    def _number(self, word: str) -> int:
        if not re.fullmatch(r"[+-]?[0-9]{1,18}", word):
            self._fail(f"{word!r} is not a number")
        number = int(word)
        if abs(number) > self.variables:
            self._fail(f"variable {abs(number)}, but the header has {self.variables}")
        return number

    def _block(self, words: list[str]) -> None:
        if self.clauses or self.open:
            self._fail(f"quantifier {words[0]!r} after a clause: all of them come first")
        numbers = [self._number(word) for word in words[1:]]
        if not numbers or numbers[-1] != 0:
            self._fail("a quantifier line ends in 0")
        for number in numbers[:-1]:
            if number <= 0:
                self._fail(f"{number} in a quantifier line: variables are positive numbers")
            if number in self.quantified:
                self._fail(f"variable {number} is quantified twice")
            self.quantified.add(number)
        if numbers[:-1]:
            self.blocks.append((words[0], numbers[:-1]))

    def _clause(self, words: list[str]) -> None:
        for word in words:
            number = self._number(word)
            if number:
                self.open.append(number)
                continue
            self.clauses.append(self.open)
            self.open = []
            if len(self.clauses) > self.clause_count:
                self._fail(f"more clauses than the {self.clause_count} that the header promises")
