"""Until when a goal is possible: what no move can influence, such as a counter of steps, says so by itself.

Comes in: the ground rules of a one-player game as arrays, and a state. Goes out: for each goal the last step at which
an end may have it, whatever moves are made. A search that has refuted a goal up to that step has refuted it for good.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MOST_STEPS = 1000
# Rules that the goals and the clocks depend on; evaluating more, for each step, takes longer than it saves.
_MOST_RULES = 20_000
ALWAYS = 1 << 30

Bodies = dict[int, list[list[int]]]


def influenced(problem: dict[str, Any]) -> NDArray[np.bool_]:
    """Return for each atom whether it depends on a move, made now or before."""
    heads, bodies = problem["heads"], np.abs(problem["bodies"])
    owner = np.repeat(np.arange(len(heads)), np.diff(problem["body_offsets"]))
    fluents, after = problem["fluent_atoms"], problem["next"]
    size = 1 + max(int(part.max()) for part in (heads, bodies, fluents, after, problem["move_atoms"]) if len(part))
    is_moved = np.zeros(size, dtype=bool)
    is_moved[problem["move_atoms"]] = True
    count = -1
    while count != (count := int(is_moved.sum())):
        is_moved[0] = False
        is_moved[heads[owner[is_moved[bodies]]]] = True
        is_moved[fluents[is_moved[after]]] = True
    is_moved[0] = False
    return is_moved


class Clock:
    """The game without its moves: each atom is true, false or, if a move has a say in it, open (None)."""

    def __init__(self, problem: dict[str, Any], bodies: Bodies) -> None:
        self._is_moved, self._of = influenced(problem), bodies
        self._after: dict[int, int] = {}
        for atom, after in zip(problem["fluent_atoms"].tolist(), problem["next"].tolist(), strict=True):
            if atom and not self._is_moved[atom]:
                self._after[atom] = after
        self._fluents = {atom for atom in problem["fluent_atoms"].tolist() if atom}
        self._terminal = int(problem["terminal"])
        self._goals = [(int(value), int(atom)) for value, atom in problem["goals"].tolist()]
        self._number = {atom: n for n, atom in enumerate(problem["fluent_atoms"].tolist()) if atom}

    def last_steps(self, start: Sequence[int]) -> dict[int, int]:
        """Return the last step at which each goal is possible; `ALWAYS` if there is none or it is not known."""
        always = {value: ALWAYS for value, _atom in self._goals}
        wanted = [self._terminal, *(atom for _value, atom in self._goals), *self._after.values()]
        if not self._after or self._size(wanted) > _MOST_RULES:
            return always
        last = dict.fromkeys(always, -1)
        holds = set(start)
        now: dict[int, bool | None] = {atom: self._number[atom] in holds for atom in self._after}
        for step in range(_MOST_STEPS):
            known = dict(now)
            is_end = self._value(self._terminal, known)
            for value, atom in self._goals:
                if is_end is not False and self._value(atom, known) is not False:
                    last[value] = step
            after = {atom: self._value(then, known) for atom, then in self._after.items()}
            if is_end:
                return last
            if after == now:  # nothing changes any more
                return {value: ALWAYS if at == step else at for value, at in last.items()}
            now = after
        return always

    def _size(self, atoms: Sequence[int]) -> int:
        seen, work, count = set(atoms), list(atoms), 0
        while work and count <= _MOST_RULES:
            for body in self._of.get(work.pop(), ()):
                count += 1
                fresh = {abs(literal) for literal in body} - seen
                seen |= fresh
                work += fresh
        return count

    def _value(self, atom: int, known: dict[int, bool | None]) -> bool | None:
        """Return what an atom is at a step; atoms that depend on each other are open."""
        if not atom:
            return False
        if atom in known:
            return known[atom]
        known[atom] = None
        if atom in self._fluents or (self._is_moved[atom] and atom not in self._of):
            return None
        found: bool | None = False
        for body in self._of.get(atom, ()):
            values = [self._value(abs(literal), known) for literal in body]
            pairs = zip(body, values, strict=True)
            truths = [None if value is None else value == (literal > 0) for literal, value in pairs]
            if False in truths:
                continue
            found = None if None in truths else True
            if found:
                break
        known[atom] = found
        return found
