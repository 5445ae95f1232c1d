"""Permutation groups by their generators: order, orbits, elements.

A permutation is a row of numbers, the image of each point. The order comes from a base and strong generating set by
random Schreier-Sims [Seress 2003, 4.5]: random elements are sifted until many in a row belong to the group known so
far. The result is always the order of a subgroup; if it equals a known upper bound, it is certain.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Permutations = NDArray[np.int64]
Permutation = NDArray[np.int64]

# A uniformly random element lies outside a proper subgroup with a probability of at least a half.
_SIFTS, _SIFTS_BELOW_BOUND = 60, 400


def orbits(generators: Permutations, points: int) -> list[list[int]]:
    """Return the orbits of the points, each ascending, in the order of their least points."""
    parent = np.arange(points)

    def root(point: int) -> int:
        while parent[point] != point:
            parent[point] = parent[parent[point]]
            point = int(parent[point])
        return point

    for row in generators:
        for point in np.flatnonzero(row != np.arange(points)).tolist():
            a, b = root(point), root(int(row[point]))
            if a != b:
                parent[max(a, b)] = min(a, b)
    found: dict[int, list[int]] = {}
    for point in range(points):
        found.setdefault(root(point), []).append(point)
    return list(found.values())


def elements(generators: Permutations, points: int, most: int) -> Permutations | None:
    """Return all elements of the group, the identity first; None if there are more than `most`."""
    identity = np.arange(points)
    found = {identity.tobytes(): identity}
    frontier = [identity]
    while frontier:
        reached = []
        for element in frontier:
            for generator in generators:
                product = generator[element]
                key = product.tobytes()
                if key not in found:
                    if len(found) >= most:
                        return None
                    found[key] = product
                    reached.append(product)
        frontier = reached
    return np.stack(list(found.values()))


def bounded_elements(generators: Permutations, points: int, most: int) -> tuple[Permutations, bool]:
    """Return the whole group, or a subgroup of at most `most` elements; and whether it is the whole.

    It has to be a subgroup so that states that are symmetric under it share their canonical form. Generators that move
    the most points come first: they rotate boards, while those that move few points exchange details.
    """
    whole = elements(generators, points, most)
    if whole is not None:
        return whole, True
    best = np.arange(points)[None]
    chosen: list[Permutation] = []
    moved = (generators != np.arange(points)).sum(axis=1)
    for index in np.argsort(-moved, kind="stable").tolist():
        some = elements(np.stack([*chosen, generators[index]]), points, most)
        if some is not None and len(some) > len(best):
            best = some
            chosen.append(generators[index])
    return best, False


def order(generators: Permutations, points: int, seed: int = 0, bound: int | None = None) -> int:
    """Return the order of the group; certain if it reaches `bound`, which it cannot exceed."""
    return _chain(generators, points, seed, bound, _SIFTS if bound is None else _SIFTS_BELOW_BOUND).order


def is_member(generators: Permutations, element: Permutation, bound: int | None = None) -> bool:
    """Return whether the element belongs to the group; wrongly False in the unlikely case that part of it is missed."""
    return not _chain(generators, len(element), 0, bound, _SIFTS_BELOW_BOUND).insert(element)


def _chain(generators: Permutations, points: int, seed: int, bound: int | None, sifts: int) -> _Chain:
    """Return a chain of the group: complete if it reaches the bound, else after `sifts` elements without effect."""
    chain = _Chain(points)
    if not len(generators):
        return chain
    pool = _RandomElements(list(generators), random.Random(seed))
    for generator in generators:
        chain.insert(generator)
    successes = 0
    while chain.order != bound and successes < sifts:
        successes = 0 if chain.insert(pool.next()) else successes + 1
    return chain


class _Chain:
    """A stabiliser chain: for each base point its orbit under the generators that fix the points before it."""

    def __init__(self, points: int) -> None:
        self._identity = np.arange(points)
        self._base: list[int] = []
        self._generators: list[list[Permutation]] = []
        self._transversals: list[dict[int, Permutation]] = []

    @property
    def order(self) -> int:
        return math.prod(map(len, self._transversals))

    def insert(self, element: Permutation) -> bool:
        """Sift an element; if something is left of it, that becomes a generator. Return whether it did."""
        level = 0
        for level, (point, transversal) in enumerate(zip(self._base, self._transversals, strict=True)):  # noqa: B007
            image = int(element[point])
            to = transversal.get(image)
            if to is None:
                break
            element = _inverse(to)[element]
        else:
            level = len(self._base)
            if (element == self._identity).all():
                return False
            self._base.append(int(np.flatnonzero(element != self._identity)[0]))
            self._generators.append([])
            self._transversals.append({self._base[-1]: self._identity})
        for upper in range(level + 1):
            self._generators[upper].append(element)
        for upper in range(level + 1):
            self._extend(upper)
        return True

    def _extend(self, level: int) -> None:
        transversal = self._transversals[level]
        frontier = list(transversal)
        while frontier:
            point = frontier.pop()
            for generator in self._generators[level]:
                image = int(generator[point])
                if image not in transversal:
                    transversal[image] = generator[transversal[point]]
                    frontier.append(image)


class _RandomElements:
    """Nearly uniform elements by product replacement [Celler et al. 1995]."""

    def __init__(self, generators: Sequence[Permutation], dice: random.Random) -> None:
        self._dice = dice
        self._slots = [generators[i % len(generators)] for i in range(max(11, len(generators) + 5))]
        self._sum = self._slots[0]
        # Each slot has to be multiplied by most others before products are nearly random.
        for _ in range(30 * len(self._slots)):
            self.next()

    def next(self) -> Permutation:
        """Return the next element."""
        i, j = self._dice.sample(range(len(self._slots)), 2)
        other = self._slots[j] if self._dice.random() < 0.5 else _inverse(self._slots[j])
        if self._dice.random() < 0.5:
            self._slots[i] = other[self._slots[i]]
        else:
            self._slots[i] = self._slots[i][other]
        self._sum = self._slots[i][self._sum]
        return self._sum


def _inverse(permutation: Permutation) -> Permutation:
    result = np.empty_like(permutation)
    result[permutation] = np.arange(len(permutation))
    return result
