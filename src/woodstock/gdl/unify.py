"""Substitution and unification of terms."""

from __future__ import annotations

from woodstock.gdl.ast import Function, Term, Variable, variables

Substitution = dict[str, Term]


def substitute(term: Term, values: Substitution) -> Term:
    """Apply a substitution whose values may themselves hold substituted variables."""
    match term:
        case Variable():
            found = values.get(term.name)
            return term if found is None else substitute(found, values)
        case Function():
            return Function(term.name, tuple(substitute(a, values) for a in term.args), term.span)
        case _:
            return term


def unify(left: Term, right: Term, values: Substitution) -> bool:
    """Extend `values` so that both terms become equal; return False, with `values` undefined, if none does."""
    left, right = substitute(left, values), substitute(right, values)
    if left == right:
        return True
    if isinstance(left, Variable):
        values[left.name] = right
        return left.name not in (v.name for v in variables(right))
    if isinstance(right, Variable):
        return unify(right, left, values)
    if isinstance(left, Function) and isinstance(right, Function):
        return (
            left.name == right.name
            and len(left.args) == len(right.args)
            and all(unify(a, b, values) for a, b in zip(left.args, right.args, strict=True))
        )
    return False
