"""Candidates for multi-valued fluents: groups of which at most one member was seen to hold.

Fluents that agree on the functor and on some of the arguments form a group; the other arguments are the value: with
the last argument free, `(cell 1 1 x)`, `(cell 1 1 o)` and `(cell 1 1 b)` are the variable `cell(1,1)` with the values
x, o, b. Random matches refute most candidates; those that are left have to be proved (`prove`).
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from woodstock import _native
from woodstock.gdl.ground_program import GroundProgram

_MOST_ARGUMENTS = 6
_MOST_STATES = 1000
_MOST_RANKS = 2  # templates of one functor that are worth a proof


@dataclass(frozen=True)
class Group:
    """Fluents of which at most one holds, or exactly one; `pattern`: functor and arguments, None where free."""

    pattern: tuple[str | None, ...]
    fluents: tuple[int, ...]
    is_exact: bool


def split_term(text: str) -> list[str]:
    """Return the functor and the arguments of a ground KIF term.

    >>> split_term("(cell 1 (pos 2 3) b)")
    ['cell', '1', '(pos 2 3)', 'b']
    """
    if not text.startswith("("):
        return [text]
    parts: list[str] = []
    depth = 0
    for word in text[1:-1].split():
        if depth:
            parts[-1] += " " + word
        else:
            parts.append(word)
        depth += word.count("(") - word.count(")")
    return parts


def value_name(group: Group, text: str) -> str:
    """Return the free arguments of a member: its value."""
    free = [part for part, fixed in zip(split_term(text), group.pattern, strict=True) if fixed is None]
    return free[0] if len(free) == 1 else f"({' '.join(free)})"


def sample_states(
    ground: GroundProgram, circuit: _native.Circuit, *, seconds: float, seed: int = 1
) -> NDArray[np.uint8]:
    """Return states of random matches, one row of fluents for each; the initial state is the first."""
    stepper = _native.Stepper(circuit)
    fluents = len(ground.fluents)
    bits = np.zeros(64 * ((fluents + 63) // 64), dtype=np.uint8)
    bits[list(ground.initial)] = 1
    initial = np.packbits(bits, bitorder="little").tobytes()
    rng = random.Random(seed)
    roles = range(len(ground.roles))
    states = [initial]
    end = time.monotonic() + seconds
    for _match in range(_MOST_STATES):
        stepper.load(initial)
        while time.monotonic() < end and len(states) < 4 * _MOST_STATES and not stepper.is_terminal():
            legal = [stepper.legal(role) for role in roles]
            if not all(legal):
                break
            states.append(stepper.next([rng.choice(moves) for moves in legal]))
        if time.monotonic() >= end or len(states) >= 4 * _MOST_STATES:
            break
    if len(states) > _MOST_STATES:
        states = [initial, *rng.sample(states, _MOST_STATES - 1)]
    packed = np.frombuffer(b"".join(states), dtype=np.uint8).reshape(len(states), -1)
    return np.ascontiguousarray(np.unpackbits(packed, axis=1, bitorder="little")[:, :fluents])


def candidate_groups(ground: GroundProgram, states: NDArray[np.uint8]) -> list[list[Group]]:
    """Return groups that no state refutes: for each functor its best choice of free arguments, then the second best."""
    by_functor: dict[tuple[str, int], list[int]] = {}
    parts = [split_term(text) for text in ground.fluents]
    for fluent, split in enumerate(parts):
        by_functor.setdefault((split[0], len(split) - 1), []).append(fluent)
    ranks: list[list[Group]] = [[] for _ in range(_MOST_RANKS)]
    for (_functor, arity), members in by_functor.items():
        if not 0 < arity <= _MOST_ARGUMENTS or len(members) < 2:
            continue
        rated: list[tuple[int, list[Group]]] = []
        for free in range(1, 1 << arity):
            groups = _unrefuted(members, parts, free, states)
            if groups:
                saved = sum(len(group.fluents) - 1 for group in groups)
                rated.append((len(members) - saved, groups))
        rated.sort(key=lambda entry: entry[0])
        for rank, (_variables, groups) in zip(ranks, rated, strict=False):
            rank += groups
    return ranks


def choose_groups(groups: Sequence[Group]) -> list[Group]:
    """Return groups that do not overlap, the largest first: each fluent is a value of one variable."""
    taken: set[int] = set()
    chosen = []
    for group in sorted(groups, key=lambda g: (-len(g.fluents), not g.is_exact, g.fluents)):
        if taken.isdisjoint(group.fluents):
            chosen.append(group)
            taken.update(group.fluents)
    return sorted(chosen, key=lambda g: g.fluents)


def _unrefuted(members: list[int], parts: list[list[str]], free: int, states: NDArray[np.uint8]) -> list[Group]:
    by_key: dict[tuple[str | None, ...], list[int]] = {}
    for fluent in members:
        split = parts[fluent]
        key = (split[0], *[None if free >> i & 1 else argument for i, argument in enumerate(split[1:])])
        by_key.setdefault(key, []).append(fluent)
    keys = [key for key, fluents in by_key.items() if len(fluents) > 1]
    if not keys:
        return []
    order = np.array([fluent for key in keys for fluent in by_key[key]])
    starts = np.cumsum([0] + [len(by_key[key]) for key in keys[:-1]])
    sums = np.add.reduceat(states[:, order], starts, axis=1, dtype=np.int32)
    most, least = sums.max(axis=0), sums.min(axis=0)
    return [
        Group(key, tuple(by_key[key]), bool(low == 1))
        for key, high, low in zip(keys, most.tolist(), least.tolist(), strict=True)
        if high <= 1
    ]
