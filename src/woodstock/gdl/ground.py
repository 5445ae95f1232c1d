"""Ground a game: `Program` to `GroundProgram` by way of gringo.

Phases reported to the subscriber: `rewrite` (clauses into ones that ground small), `ground` (gringo, in a child process
with its own budget), `read` (aspif into arrays). Gringo takes most of the time.
"""

from __future__ import annotations

import textwrap
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from woodstock.child import ChildOverrun
from woodstock.errors import BudgetExceeded
from woodstock.events import Subscriber, ignore, phase
from woodstock.gdl.asp import Emitter
from woodstock.gdl.ast import Program
from woodstock.gdl.ground_process import count_instances, run_gringo
from woodstock.gdl.ground_program import GroundProgram
from woodstock.gdl.ground_read import helper_name, read_ground
from woodstock.gdl.normalise import Clause, normalise
from woodstock.gdl.rewrite import rewrite

__all__ = ["GroundProgram", "ground"]


# After an overrun gringo runs once more, for this share of the budget, to find the rule with the most instances.
_BLAME_SHARE = 0.15


def ground(
    program: Program,
    *,
    seconds: float = 60.0,
    memory_mb: int = 8192,
    tell: Subscriber = ignore,
    with_names: bool = False,
) -> GroundProgram:
    """Return every ground rule of a game that can ever fire; `with_names` keeps the names of derived atoms.

    Raise `BudgetExceeded` if gringo needs more than `seconds` or `memory_mb`; the message names the rule that has
    the most instances. Raise `RulesError` for rules that have no ground form.
    """
    started = time.monotonic()
    with phase("rewrite", tell) as counts:
        clauses = rewrite(normalise(program))
        emitter = Emitter()
        text = emitter.program(clauses, program.roles(), with_names=with_names)
        counts |= {"rules": len(program.rules), "clauses": len(clauses)}
    with phase("ground", tell) as counts:
        try:
            data = run_gringo(text, max(0.0, seconds - (time.monotonic() - started)), memory_mb, tell)
        except ChildOverrun as overrun:
            used = time.monotonic() - started if overrun.unit == "s" else overrun.used
            limit = seconds if overrun.unit == "s" else overrun.limit
            detail = _blame(program, clauses, seconds * _BLAME_SHARE, memory_mb)
            raise BudgetExceeded("ground", used, limit, overrun.unit, detail) from None
        counts["bytes"] = len(data)
    with phase("read", tell) as counts:
        result = read_ground(data, emitter, program.roles())
        counts |= {"atoms": result.atom_count, "rules": result.rule_count, "fluents": len(result.fluents)}
        counts["moves"] = sum(map(len, result.moves))
    return replace(result, helper_sources=_helper_sources(clauses)) if with_names else result


def _helper_sources(clauses: Sequence[Clause]) -> dict[str, tuple[int, ...]]:
    """Return the source rules of the predicates that rewriting made; the user's have no space in their names."""
    found: dict[str, set[int]] = {}
    for clause in clauses:
        if " " in clause.head.name:
            found.setdefault(helper_name(clause.head.name), set()).add(clause.source)
    return {name: tuple(sorted(sources)) for name, sources in found.items()}


def _blame(program: Program, clauses: Sequence[Clause], seconds: float, memory_mb: int) -> str:
    """Return which rule of the user has the most instances after some time of grounding."""
    text = Emitter().counting_program(clauses, program.roles())
    totals: Counter[int] = Counter()
    for number, instances in count_instances(text, seconds, memory_mb).items():
        totals[clauses[number].source] += instances
    if not totals:
        return ""
    source, instances = totals.most_common(1)[0]
    rule = program.rules[source]
    line = program.text.count("\n", 0, rule.span.start) + 1
    head = textwrap.shorten(str(rule.head), 60, placeholder=" ...")
    return f"the rule with the most instances is {program.name}:{line}, {head}: {instances:,} after {seconds:.0f} s"
