"""Ground a game: `Program` to `GroundProgram` by way of gringo.

Stages told to the subscriber: `rewrite` (clauses into ones that ground small), `ground` (gringo, in a child process
with its own budget), `read` (aspif into arrays). Time is mostly gringo's.
"""

from __future__ import annotations

import time

from woodstock.errors import BudgetExceeded
from woodstock.events import Subscriber, ignore, stage
from woodstock.gdl.asp import Emitter
from woodstock.gdl.ast import Program
from woodstock.gdl.ground_process import GroundingOverrun, run_gringo
from woodstock.gdl.ground_program import GroundProgram
from woodstock.gdl.ground_read import read_ground
from woodstock.gdl.normalise import normalise
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
        result = read_ground(data, emitter, program.roles())
        counts |= {"atoms": result.atom_count, "rules": result.rule_count, "fluents": len(result.fluents)}
        counts["moves"] = sum(map(len, result.moves))
    return result
