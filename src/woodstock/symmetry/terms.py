"""Boolean functions as sets of terms, and their canonical form: all prime implicants.

A term is a frozenset of literals (numbers, negative for "not"); a function is a frozenset of terms and holds if one of
them does. The set of all prime implicants depends on the function alone, not on how it was written
[Blake 1937; Quine 1955]. Every step here treats all variables alike, so that renaming variables renames the result: all
limits are on counts that renaming does not change.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

Term = frozenset[int]
Function = frozenset[Term]

TRUE: Function = frozenset([frozenset()])
FALSE: Function = frozenset()

_MOST_COMPARISONS = 400_000


def absorb(terms: Iterable[Term]) -> Function:
    """Leave out every term that contains a shorter one; if that is too much work, only repeated terms."""
    unique = frozenset(terms)
    if len(unique) < 2:
        return unique
    lengths = {len(term) for term in unique}
    if len(lengths) == 1:
        return unique
    if 0 in lengths:
        return TRUE
    shortest = min(lengths)
    long = sum(1 for term in unique if len(term) > shortest)
    if long * len(unique) > _MOST_COMPARISONS:
        return unique
    kept: list[Term] = []
    for _length, some in itertools.groupby(sorted(unique, key=len), key=len):
        kept += [term for term in some if not any(shorter < term for shorter in kept)]
    return frozenset(kept)


def product(factors: Sequence[Function]) -> Function:
    """Return the conjunction of functions, absorbed."""
    terms: list[Term] = []
    for choice in itertools.product(*factors):
        term = frozenset().union(*choice)
        if not any(-literal in term for literal in term):
            terms.append(term)
    return absorb(terms)


def is_unate(function: Function) -> bool:
    """Return whether no variable occurs both plain and negated; then the absorbed terms are the primes."""
    literals = frozenset().union(*function)
    return not any(-literal in literals for literal in literals)


def primes(function: Function, most_terms: int) -> Function:
    """Return all prime implicants by rounds of consensus; the function unchanged if there are too many."""
    current = absorb(function)
    if len(current) > most_terms or is_unate(current):
        return current
    written = current
    fresh = current
    while True:
        found = current | _consensus(current, fresh)
        if len(found) > 8 * most_terms:
            return written
        after = absorb(found)
        if after == current:
            return current
        fresh, current = after - current, after


def _consensus(terms: Function, fresh: Function) -> Function:
    """Return the consensus of pairs of terms, one of them fresh, that are opposed in exactly one variable."""
    by_literal: dict[int, list[Term]] = {}
    for term in terms:
        for literal in term:
            by_literal.setdefault(literal, []).append(term)
    found: set[Term] = set()
    for one in fresh:
        against = frozenset([-literal for literal in one])
        for literal in one:
            for other in by_literal.get(-literal, ()):
                if len(against & other) == 1:
                    found.add((one - {literal}) | (other - {-literal}))
    return frozenset(found)


def negation(function: Function, most_terms: int) -> Function | None:
    """Return the primes of the complement of a function given by its primes; None if that may be too large."""
    size = 1
    for term in function:
        size *= len(term)
        if size > most_terms:
            return None
    return product([frozenset(frozenset([-literal]) for literal in term) for term in function])
