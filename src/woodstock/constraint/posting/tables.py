"""Conditions and terms written out as rows, for tables of the kernel."""

from __future__ import annotations

import numpy as np

from woodstock.constraint.expression import Expression
from woodstock.constraint.selection import Member
from woodstock.constraint.values import evaluate_all
from woodstock.constraint.variable import Variable

FREE = -(2**31)  # a cell that fits every value


def all_rows(scope: tuple[Variable, ...]) -> np.ndarray:
    """Return every assignment of the scope, the last variable fastest."""
    grid = np.indices([len(v.domain) for v in scope]).reshape(len(scope), -1)
    return np.column_stack([np.array(v.domain, dtype=np.int64)[grid[i]] for i, v in enumerate(scope)])


def rows_of(condition: Expression, scope: tuple[Variable, ...]) -> np.ndarray:
    """Return the assignments for which the condition holds."""
    holds: np.ndarray = evaluate_all(condition, scope).astype(bool)
    rows: np.ndarray = all_rows(scope)[holds]
    return rows


def rows_with_value(term: Expression, scope: tuple[Variable, ...]) -> np.ndarray:
    """Return every assignment, and in a last column what the term comes to; a condition to 0 or 1."""
    return np.column_stack([all_rows(scope), evaluate_all(term, scope).astype(np.int64)])


def rows_of_member(member: Member) -> np.ndarray:
    """Return the rows of a table that is part of the model."""
    return np.array(sorted(member.rows), dtype=np.int64).reshape(len(member.rows), len(member.terms))


def guarded(rows: np.ndarray) -> np.ndarray:
    """Return the rows behind a first column, the guard: where it is 0 everything fits."""
    free = np.full((1, rows.shape[1] + 1), FREE, dtype=np.int64)
    free[0, 0] = 0
    return np.vstack([free, np.column_stack([np.full(len(rows), FREE), rows])])
