"""The score of each role when the rules do not say it clearly.

In a terminal state every role should have exactly one goal. Public rulesheets do not always keep this, and a match must
end with a score all the same. The rule, for every match, record and tournament: if several goal values hold, the one
whose `goal` rule comes first in the rulesheet counts (the smallest, if that one rule gives several); if none holds, the
score is 0. `woodstock check` warns about such states (GDL102).
"""

from __future__ import annotations

from woodstock.game.interpreter import Interpreter
from woodstock.gdl.ast import Atom, Constant, Program, Rule

_PROBE = "woodstock-goal"
_MOST = 100


class GoalRules:
    """Finds which `goal` rule gives which value. Built when a state first needs it: most games never do."""

    def __init__(self, program: Program) -> None:
        goals = [rule for rule in program.rules if rule.head.name == "goal" and len(rule.head.args) == 2]
        probes = tuple(
            Rule(Atom(_PROBE, (Constant(str(number)), *rule.head.args)), rule.body) for number, rule in enumerate(goals)
        )
        self._interpreter = Interpreter(Program(program.rules + probes, program.text, program.name))

    def first(self, fluents: frozenset[str], role: str) -> int:
        """Return the value of the first rule that gives the role one in this state, or 0."""
        found = [
            (int(number), int(value))
            for number, owner, value in self._interpreter.rows(_PROBE, 3, fluents)
            if owner == role and value.isdecimal() and int(value) <= _MOST
        ]
        return min(found)[1] if found else 0
