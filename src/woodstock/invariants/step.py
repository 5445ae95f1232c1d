"""One step of a game for clingo: any state, any joint move, and what follows.

The program is written in clasp's intermediate format over the atoms of the ground program and fresh ones; a file of it
loads much faster than rules that are added one by one.
"""

from __future__ import annotations

import atexit
import tempfile
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal

import clingo
import numpy as np

from woodstock.gdl.ground_program import GroundProgram

# How often a solve checks whether it has to stop, and how long the end of the program waits for it.
_GLANCE_SECONDS = 0.02
_LONGEST_END_S = 5.0


class Step:
    """Rules of a step as text; literals are atoms of the ground program or what the methods return."""

    def __init__(self, ground: GroundProgram) -> None:
        self._ground = ground
        self._lines = ["asp 1 0 0"]
        self._atoms = ground.atom_count
        self.fluents = [atom or self._fresh() for atom in ground.fluent_atoms.tolist()]

    def _fresh(self) -> int:
        self._atoms += 1
        return self._atoms

    def rules(self, numbers: Iterable[int], shift: int = 0) -> None:
        """Add rules of the ground program; with `shift`, over atoms whose numbers are that much higher."""
        ground = self._ground
        chosen = np.fromiter(numbers, dtype=np.int64)
        bodies = (ground.bodies + shift * np.sign(ground.bodies)).tolist()
        heads = (ground.heads[chosen] + shift).tolist()
        starts, ends = ground.body_offsets[chosen].tolist(), ground.body_offsets[chosen + 1].tolist()
        self._lines += [
            f"1 0 1 {head} 0 {end - start} {' '.join(map(str, bodies[start:end]))}".rstrip()
            for head, start, end in zip(heads, starts, ends, strict=True)
        ]

    def choice(self, atoms: Sequence[int]) -> None:
        """Let the atoms be true or false."""
        if atoms:
            self._lines.append(f"1 1 {len(atoms)} {' '.join(map(str, atoms))} 0 0")

    def switch(self) -> int:
        """Return an atom that assumptions set to true or false."""
        atom = self._fresh()
        self.choice([atom])
        return atom

    def never(self, literals: Sequence[int]) -> None:
        """Forbid that all of the literals hold."""
        self._lines.append(f"1 0 0 0 {len(literals)} {' '.join(map(str, literals))}".rstrip())

    def any_of(self, bodies: Iterable[Sequence[int]]) -> int:
        """Return an atom that holds if all literals of one of the bodies do."""
        atom = self._fresh()
        for body in bodies:
            self._lines.append(f"1 0 1 {atom} 0 {len(body)} {' '.join(map(str, body))}".rstrip())
        return atom

    def at_least(self, bound: int, atoms: Sequence[int]) -> int:
        """Return an atom that holds if that many of the atoms do."""
        atom = self._fresh()
        weighted = " ".join(f"{counted} 1" for counted in atoms)
        self._lines.append(f"1 0 1 {atom} 1 {bound} {len(atoms)} {weighted}".rstrip())
        return atom

    def exactly_one(self, atoms: Sequence[int]) -> int:
        """Return an atom that holds if one of the atoms does, and no other."""
        return self.any_of([[self.at_least(1, atoms), -self.at_least(2, atoms)]])

    def inputs(self) -> None:
        """Allow any state, and exactly one move for each role."""
        self.choice(self.fluents)
        moves = [atom or self._fresh() for atom in self._ground.move_atoms.tolist()]
        first = 0
        for names in self._ground.moves:
            atoms = moves[first : first + len(names)]
            first += len(names)
            self.choice(atoms)
            self.never([-self.exactly_one(atoms)])

    def all_rules(self) -> None:
        """Add the whole game: only legal moves are made, and the state is not terminal."""
        ground = self._ground
        self.rules(range(ground.rule_count))
        self.inputs()
        for move, legal in zip(ground.move_atoms.tolist(), ground.legal.tolist(), strict=True):
            if move:
                self.never([move, -legal] if legal else [move])
        if ground.terminal:
            self.never([ground.terminal])

    def state_after(self) -> int:
        """Add the rules once more for the state after the step; return by how much their atoms are shifted."""
        ground, shift = self._ground, self._atoms
        self._atoms += ground.atom_count
        self.rules(range(ground.rule_count), shift)
        for atom, following in zip(ground.fluent_atoms.tolist(), ground.next.tolist(), strict=True):
            if atom and following:
                self._lines.append(f"1 0 1 {atom + shift} 0 1 {following}")
        return shift

    def load(self, most_conflicts: int) -> clingo.Control:
        """Return a solver of the step that gives up a question after so many conflicts."""
        control = clingo.Control(["--warn=none", f"--solve-limit={most_conflicts}"])
        with tempfile.TemporaryDirectory(prefix="woodstock-") as folder:
            path = Path(folder) / "step.aspif"
            path.write_text("\n".join([*self._lines, "0", ""]), encoding="ascii")
            control.load(str(path))
        return control


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
        """Stop the solves in the background before the interpreter ends."""
        with self._changed:
            self.is_ending = True
            self._changed.wait_for(lambda: self._count == 0, _LONGEST_END_S)


_solves = _Solves()
atexit.register(_solves.end)

Answer = frozenset[int] | Literal["none", "unknown", "stopped"]


def solve(
    control: clingo.Control, assumptions: Sequence[int], wanted: Iterable[int], is_over: Callable[[], bool]
) -> Answer:
    """Return which of the `wanted` literals hold in a step that fits the assumptions.

    Without such a step `none`, after too many conflicts `unknown`, and `stopped` once `is_over` says so.
    """
    if _solves.is_ending:
        return "stopped"
    with _solves, control.solve(assumptions=assumptions, async_=True, yield_=True) as handle:
        while not handle.wait(_GLANCE_SECONDS):
            if is_over() or _solves.is_ending:
                handle.cancel()
                return "stopped"
        model = handle.model()
        if model is not None:
            return frozenset(literal for literal in wanted if model.is_true(literal))
        return "none" if handle.get().unsatisfiable else "unknown"
