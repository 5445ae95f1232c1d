"""Static checks of a rulesheet: everything that can be found without playing it.

Comes in: a `Program`. Goes out: diagnostics, sorted by position, at most 20 errors and 20 warnings. An error means that
the game cannot be played correctly; a warning is about something that public rulesheets often do and engines accept.
Cost: about that of parsing.
"""

from __future__ import annotations

from woodstock.gdl.ast import Program
from woodstock.gdl.check.keywords import check_keywords
from woodstock.gdl.check.names import check_names
from woodstock.gdl.check.safety import check_safety
from woodstock.gdl.check.strata import check_strata
from woodstock.gdl.check.survey import survey
from woodstock.gdl.diagnostics import Diagnostic, Problems, limited

__all__ = ["check"]


def check(program: Program) -> tuple[Diagnostic, ...]:
    """Return every problem of a program that can be found without playing it."""
    found = survey(program)
    problems = Problems(found.source)
    check_keywords(found, problems)
    check_safety(found, problems)
    check_strata(found, problems)
    check_names(found, problems)
    return limited(problems.found)
