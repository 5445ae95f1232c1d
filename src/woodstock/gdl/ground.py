"""Ground a game: `Program` to `GroundProgram` by way of gringo.

Stages told to the subscriber: `rewrite` (clauses into ones that ground small), `ground` (gringo, in a child process
with its own budget), `read` (aspif into arrays). Time is mostly gringo's.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from woodstock.errors import BudgetExceeded
from woodstock.events import Subscriber, ignore, stage
from woodstock.gdl.asp import Emitter
from woodstock.gdl.ast import Program
from woodstock.gdl.ground_process import GroundingOverrun, run_gringo
from woodstock.gdl.ground_program import GroundProgram
from woodstock.gdl.ground_read import Aspif, read_aspif
from woodstock.gdl.normalise import normalise
from woodstock.gdl.order import natural_key
from woodstock.gdl.rewrite import rewrite

__all__ = ["GroundProgram", "ground"]


def ground(
    program: Program, *, seconds: float = 60.0, memory_mb: int = 8192, tell: Subscriber = ignore
) -> GroundProgram:
    """Return every ground rule of a game that can ever fire.

    Raise `BudgetExceeded` when gringo needs more than `seconds` or `memory_mb`; the message names the rule that has
    the most instances. Raise `RulesError` for rules that have no ground form.
    """
    started = time.monotonic()
    with stage("rewrite", tell) as counts:
        clauses = rewrite(normalise(program))
        emitter = Emitter()
        text = emitter.program(clauses, program.roles())
        counts |= {"rules": len(program.rules), "clauses": len(clauses)}
    with stage("ground", tell) as counts:
        try:
            data = run_gringo(text, seconds - (time.monotonic() - started), memory_mb, tell)
        except GroundingOverrun as overrun:
            raise BudgetExceeded("ground", overrun.used, overrun.limit, overrun.unit) from None
        counts["bytes"] = len(data)
    with stage("read", tell) as counts:
        result = _assemble(program.roles(), emitter, read_aspif(data))
        counts |= {"atoms": result.atom_count, "rules": result.rule_count, "fluents": len(result.fluents)}
        counts["moves"] = sum(map(len, result.moves))
    return result


class _Outputs:
    """The shown atoms, sorted by predicate, arguments as KIF."""

    def __init__(self, emitter: Emitter, names: Sequence[str], atoms: Sequence[int]) -> None:
        self.rows: dict[str, list[tuple[list[str], int]]] = {letter: [] for letter in "itdlnegs"}
        decoded = emitter.decode([name[2:-1] for name in names])
        for name, text, atom in zip(names, decoded, atoms, strict=True):
            self.rows[name[0]].append((text.split("\t"), atom))

    def unary(self, letter: str) -> dict[str, int]:
        return {args[0]: atom for args, atom in self.rows[letter]}

    def by_role(self, letter: str, roles: Sequence[str]) -> list[dict[str, int]]:
        """Return the rows of a binary predicate for each role; a first argument that is no role is ignored."""
        found: dict[str, dict[str, int]] = {role: {} for role in roles}
        for (role, value), atom in self.rows[letter]:
            if role in found:
                found[role][value] = atom
        return [found[role] for role in roles]


def _assemble(roles: tuple[str, ...], emitter: Emitter, aspif: Aspif) -> GroundProgram:
    always = aspif.atom_count + 1
    outputs = _Outputs(emitter, aspif.names, [always if atom < 0 else atom for atom in aspif.name_atoms])
    true, following = outputs.unary("t"), outputs.unary("n")
    fluents = sorted(true, key=natural_key)
    index = {fluent: i for i, fluent in enumerate(fluents)}
    does, legal = outputs.by_role("d", roles), outputs.by_role("l", roles)
    moves = tuple(tuple(sorted(role_moves, key=natural_key)) for role_moves in does)
    goals = []
    for role, values in enumerate(outputs.by_role("g", roles)):
        numbers = {int(v): atom for v, atom in values.items() if v.isdecimal() and int(v) <= 100}
        goals += [(role, value, numbers[value]) for value in sorted(numbers)]
    sees = []
    for role, percepts in enumerate(outputs.by_role("s", roles)):
        sees += [(role, percept, percepts[percept]) for percept in sorted(percepts, key=natural_key)]
    return GroundProgram(
        roles=roles,
        fluents=tuple(fluents),
        moves=moves,
        initial=tuple(sorted(index[f] for f in outputs.unary("i") if f in index)),
        atom_count=always,
        heads=np.append(aspif.heads, np.int32(always)),
        body_offsets=np.append(aspif.body_offsets, np.int64(len(aspif.bodies))),
        bodies=aspif.bodies,
        fluent_atoms=np.array([true[f] for f in fluents], dtype=np.int32),
        move_atoms=np.array([does[r][m] for r, ms in enumerate(moves) for m in ms], dtype=np.int32),
        legal=np.array([legal[r].get(m, 0) for r, ms in enumerate(moves) for m in ms], dtype=np.int32),
        next=np.array([following.get(f, 0) for f in fluents], dtype=np.int32),
        terminal=next((atom for _, atom in outputs.rows["e"]), 0),
        goals=tuple(goals),
        sees=tuple(sees),
    )
