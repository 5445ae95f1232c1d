"""Proves that two players' goals always add up to the same, so that what one is sure of the other cannot get.

Comes in: a game. Goes out: True where it is proven; False says nothing. By induction over one step: no legal joint
move leads from a state that is not over, and in which some facts hold that are invariant too, to an end whose goals
add up to anything else. The invariants are groups of fluents of which exactly one holds, such as the contents of a
cell; those that a step may break are dropped until none is [Houdini: Flanagan & Leino 2001]. clingo looks for them.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Iterable, Sequence
from fractions import Fraction

from clingo import Control, Model
from clingo.backend import Backend

from woodstock.game.game import Game
from woodstock.gdl.ground_program import GroundProgram

# Rules that are stated twice; more take too long to be worth it.
MOST_LITERALS = 150_000
# A number and no time, so that a search with a seed and without a clock is always the same.
MOST_CONFLICTS = 20_000
# How often a proof looks whether the program ends, and how long the end waits for it.
_LOOK_EVERY_S = 0.05
_LONGEST_END_S = 5.0


class _Solves:
    """The solves under way: clingo has a thread for each, and one that outlives the interpreter aborts the process."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._count = 0
        self.is_ending = False

    def __enter__(self) -> None:
        with self._changed:
            self._count += 1

    def __exit__(self, *_details: object) -> None:
        with self._changed:
            self._count -= 1
            self._changed.notify_all()

    def end(self) -> None:
        """Have those in the background end before the interpreter does."""
        with self._changed:
            self.is_ending = True
            self._changed.wait_for(lambda: self._count == 0, _LONGEST_END_S)


_solves = _Solves()
atexit.register(_solves.end)


def has_constant_sum(game: Game, seconds: float) -> bool:
    """Tell whether it is proven, within the time, that the goals of two players add up to the same at every end."""
    ground = game.ground
    if ground is None or game.initial.is_terminal:
        return False
    players = [role for role, name in enumerate(ground.roles) if name.lower() != "random"]
    if len(players) != 2 or len(ground.bodies) > MOST_LITERALS:
        return False
    ends_at = time.monotonic() + seconds
    step = _Step(ground)
    groups = _candidates(ground)
    first = set(ground.initial)
    groups = [group for group in groups if len(first.intersection(group)) == 1]
    broken = step.group_literals(groups)
    while True:
        # A step that keeps to the groups left and breaks one of them.
        kept = [breaks for _group, _holds, breaks in broken]
        found = step.find([holds for _group, holds, _breaks in broken], kept, ends_at)
        if found is None:
            return False
        if not found:
            break
        broken = [entry for entry in broken if entry[2] not in found]
    bad = step.bad_end(players)
    found = step.find([holds for _group, holds, _breaks in broken], [bad], ends_at)
    return found is not None and not found


def _candidates(ground: GroundProgram) -> list[list[int]]:
    """Return groups of fluents that differ in one place alone, and those with one name."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for fluent, text in enumerate(ground.fluents):
        parts = _split(text)
        groups.setdefault((parts[0], len(parts)), []).append(fluent)
        for place in range(1, len(parts)):
            key = (*parts[:place], None, *parts[place + 1 :])
            groups.setdefault(key, []).append(fluent)
    unique = {tuple(group) for group in groups.values()}
    return [list(group) for group in sorted(unique)]


def _split(text: str) -> list[str]:
    """Return the name and the arguments of a fluent; nested terms stay whole."""
    if not text.startswith("("):
        return [text]
    parts, depth, start = [], 0, 1
    for at in range(1, len(text)):
        letter = text[at]
        if depth == 0 and letter in " )":
            if at > start:
                parts.append(text[start:at])
            start = at + 1
        depth += (letter == "(") - (letter == ")")
    return parts


class _Step:
    """One step of the game from any state that is not over, in clingo: all literals are of its numbering."""

    def __init__(self, ground: GroundProgram) -> None:
        self._ground = ground
        self._control = Control(["--models=1", f"--solve-limit={MOST_CONFLICTS}"])
        self._rules: list[tuple[int, list[int]]] = []
        offsets, bodies = ground.body_offsets.tolist(), ground.bodies.tolist()
        for rule, head in enumerate(ground.heads.tolist()):
            self._rules.append((head, bodies[offsets[rule] : offsets[rule + 1]]))
        with self._control.backend() as backend:
            self._never = backend.add_atom()
            self._before = self._atoms(backend)
            self._after = self._atoms(backend)
            self._state(backend)

    def _atoms(self, backend: Backend) -> list[int]:
        return [self._never, *(backend.add_atom() for _ in range(self._ground.atom_count))]

    def _state(self, backend: Backend) -> None:
        ground, before, after = self._ground, self._before, self._after
        self._now, self._then = [], []
        for atom, following in zip(ground.fluent_atoms.tolist(), ground.next.tolist(), strict=True):
            now = before[atom] if atom else backend.add_atom()
            then = after[atom] if atom else backend.add_atom()
            backend.add_rule([now], choice=True)
            backend.add_rule([then], [before[following]])
            self._now.append(now)
            self._then.append(then)
        does: list[list[int]] = [[] for _ in ground.roles]
        made = zip(ground.move_roles.tolist(), ground.move_atoms.tolist(), ground.legal.tolist(), strict=True)
        for role, atom, legal in made:
            literal = before[atom] if atom else backend.add_atom()
            backend.add_rule([literal], [before[legal]], choice=True)
            does[role].append(literal)
        for literals in does:
            backend.add_rule([], [-literal for literal in literals])
            backend.add_weight_rule([], 2, [(literal, 1) for literal in literals])
        backend.add_rule([], [before[ground.terminal]])
        for atoms in (before, after):
            for head, body in self._rules:
                backend.add_rule([atoms[head]], [atoms[x] if x > 0 else -atoms[-x] for x in body])

    def group_literals(self, groups: Iterable[Sequence[int]]) -> list[tuple[Sequence[int], int, int]]:
        """Return for each group a literal that exactly one holds before the step, and one that this fails after it."""
        result = []
        with self._control.backend() as backend:
            for group in groups:
                one = [self._exactly_one(backend, [literals[f] for f in group]) for literals in (self._now, self._then)]
                breaks = backend.add_atom()
                backend.add_rule([breaks], [-one[1]])
                result.append((group, one[0], breaks))
        return result

    @staticmethod
    def _exactly_one(backend: Backend, literals: Sequence[int]) -> int:
        one: int = backend.add_atom()
        some, several = backend.add_atom(), backend.add_atom()
        backend.add_weight_rule([some], 1, [(literal, 1) for literal in literals])
        backend.add_weight_rule([several], 2, [(literal, 1) for literal in literals])
        backend.add_rule([one], [some, -several])
        return one

    def bad_end(self, players: Sequence[int]) -> int:
        """Return a literal that the step leads to an end whose goals do not add up, or where one is missing."""
        ground, after = self._ground, self._after
        values: list[list[tuple[Fraction, int]]] = []
        for role in players:
            named = [(value, after[atom]) for other, value, atom in ground.goals if other == role]
            least = min((value for value, _ in named), default=0)
            most = max((value for value, _ in named), default=0)
            values.append([(Fraction(value - least, max(most - least, 1)), literal) for value, literal in named])
        with self._control.backend() as backend:
            bad: int = backend.add_atom()
            end = after[ground.terminal]
            for a, of_a in values[0]:
                for b, of_b in values[1]:
                    if a + b != 1:
                        backend.add_rule([bad], [end, of_a, of_b])
            for goals in values:
                one = self._exactly_one(backend, [literal for _, literal in goals])
                backend.add_rule([bad], [end, -one])
        return bad

    def find(self, given: Sequence[int], wanted: Sequence[int], ends_at: float) -> set[int] | None:
        """Return which of `wanted` hold in a step with all of `given`.

        None of them where there is no such step; None where that could not be settled.
        """
        if not wanted:
            return set()
        with self._control.backend() as backend:
            some = backend.add_atom()
            for literal in wanted:
                backend.add_rule([some], [literal])
        held: set[int] = set()

        def read(model: Model) -> bool:
            held.update(literal for literal in wanted if model.is_true(literal))
            return False

        if _solves.is_ending:
            return None
        with _solves, self._control.solve(assumptions=[*given, some], on_model=read, async_=True) as handle:
            while not _solves.is_ending:
                left = ends_at - time.monotonic()
                if handle.wait(min(max(0.0, left), _LOOK_EVERY_S)):
                    result = handle.get()
                    return held if result.satisfiable else set() if result.unsatisfiable else None
                if left <= 0:
                    break
            handle.cancel()
            return None
