"""Prime implicants against truth tables."""

from __future__ import annotations

import itertools
import random

from woodstock.symmetry.terms import FALSE, TRUE, Function, absorb, negation, primes


def _random_function(dice: random.Random, variables: int) -> Function:
    terms = set()
    for _ in range(dice.randint(0, 6)):
        chosen = dice.sample(range(1, variables + 1), dice.randint(1, variables))
        terms.add(frozenset(v if dice.random() < 0.5 else -v for v in chosen))
    return frozenset(terms)


def _holds(function: Function, values: tuple[bool, ...]) -> bool:
    return any(all(values[abs(x) - 1] == (x > 0) for x in term) for term in function)


def _prime_implicants(function: Function, variables: int) -> Function:
    """All minimal terms that imply the function, by trying all terms."""
    table = {values: _holds(function, values) for values in itertools.product((False, True), repeat=variables)}
    implicants = []
    for signs in itertools.product((-1, 0, 1), repeat=variables):
        term = frozenset(sign * v for v, sign in enumerate(signs, start=1) if sign)
        covered = [values for values in table if _holds(frozenset([term]), values)]
        if all(table[values] for values in covered):
            implicants.append(term)
    return frozenset(t for t in implicants if not any(other < t for other in implicants))


def test_primes_are_those_of_the_truth_table() -> None:
    dice = random.Random(3)
    for _ in range(150):
        function = _random_function(dice, 4)
        assert primes(function, 1000) == _prime_implicants(function, 4)


def test_negation_has_the_primes_of_the_complement() -> None:
    dice = random.Random(4)
    for _ in range(100):
        function = primes(_random_function(dice, 4), 1000)
        found = negation(function, 100_000)
        assert found is not None
        for values in itertools.product((False, True), repeat=4):
            assert _holds(found, values) != _holds(function, values)
        assert found == _prime_implicants(found, 4)


def test_constants_and_limits() -> None:
    assert primes(frozenset([frozenset([1]), frozenset([-1])]), 10) == TRUE
    assert negation(TRUE, 10) == FALSE and negation(FALSE, 10) == TRUE
    assert absorb([frozenset([1]), frozenset([1, 2])]) == {frozenset([1])}
    assert negation(frozenset([frozenset([1, 2, 3]), frozenset([4, 5, 6])]), 8) is None
