"""Safety: every variable of a head, of a negation and of a `distinct` must be bound by a positive condition.

A rule with `or` is safe when each of its branches, taken as a rule of its own, is: a variable is bound by an `or` when
every branch binds it. Public rulesheets break the rule in ways that engines accept, so only what has no meaning is an
error: a head variable that nothing binds. A variable that stands only under `not` means "no instance", one that stands
only in `distinct` differs from everything else. In a head, the first argument of `legal`, `goal` and `sees` ranges over
the roles when nothing else binds it, since engines ask these for each role; `base` and `input` are declarations that no
engine evaluates; and a rule that needs an undefined predicate never applies, so that its variables do not matter.
"""

from __future__ import annotations

from collections.abc import Iterator

from woodstock.gdl.ast import KEYWORDS, And, Atom, Distinct, Formula, Not, Or, Rule, Variable, variables
from woodstock.gdl.check.survey import Survey, signature
from woodstock.gdl.diagnostics import Problems

DECLARATIONS = {"base", "input"}
_ASKED_BY_ROLE = {("legal", 2), ("goal", 2), ("sees", 2)}


def check_safety(survey: Survey, problems: Problems) -> None:
    """Report unsafe variables, each once for each rule."""
    for rule in survey.program.rules:
        bound = _bound(rule.body, frozenset())
        _check_head(rule, bound, survey, problems)
        reported: set[str] = {v.name for v in variables(rule.head)} - bound
        for formula, known in _tests(rule.body, frozenset()):
            for variable in variables(formula):
                if variable.name in known or variable.name in reported:
                    continue
                reported.add(variable.name)
                _report_test(formula, variable, survey, problems)


def _check_head(rule: Rule, bound: frozenset[str], survey: Survey, problems: Problems) -> None:
    reported: set[str] = set()
    for variable in variables(rule.head):
        if variable.name in bound or variable.name in reported:
            continue
        reported.add(variable.name)
        shown = survey.shown(variable.span, variable)
        start, end = variable.span.start, variable.span.end
        if rule.head.name in DECLARATIONS and signature(rule.head) not in survey.uses:
            problems.warn(
                "GDL025",
                start,
                end,
                f"variable {shown} in this {rule.head.name} declaration is not bound",
                f"the declaration is ignored; give {shown} a range with a condition",
            )
        elif signature(rule.head) in _ASKED_BY_ROLE and variable == rule.head.args[0] and _once(rule, variable):
            problems.warn(
                "GDL026",
                start,
                end,
                f"variable {shown} in the head is not bound by the body",
                f"it is taken to range over the roles; add the condition (role {shown})",
            )
        elif missing := _never_true(rule, survey):
            problems.warn(
                "GDL027",
                start,
                end,
                f"variable {shown} in the head is not bound by the body, but the rule never applies",
                f"{missing} is never defined",
            )
        elif not rule.body:
            problems.error(
                "GDL024",
                start,
                end,
                f"variable {shown} in a fact",
                f"a fact names its values; to let {shown} range over something, write a rule with a condition on it",
            )
        else:
            elsewhere = variable.name in {v.name for f in rule.body for v in variables(f)}
            problems.error(
                "GDL021",
                start,
                end,
                f"variable {shown} in the head is not bound by the body",
                f"add a positive condition that mentions {shown}"
                + (", in every branch of an or; not and distinct bind nothing" if elsewhere else ""),
            )


def _once(rule: Rule, variable: Variable) -> bool:
    return sum(v == variable for v in variables(rule.head)) == 1


def _never_true(rule: Rule, survey: Survey) -> str:
    """Return the name of a condition that no rule or fact can make true; empty when there is none."""
    for formula in rule.body:
        if isinstance(formula, Atom) and signature(formula) not in survey.heads and formula.name not in KEYWORDS:
            return formula.name
    return ""


def _report_test(formula: Formula, variable: Variable, survey: Survey, problems: Problems) -> None:
    shown = survey.shown(variable.span, variable)
    start, end = variable.span.start, variable.span.end
    if isinstance(formula, Distinct):
        problems.warn(
            "GDL023",
            start,
            end,
            f"variable {shown} stands only in distinct, which binds nothing",
            f"the condition is taken as always true; add a positive condition that mentions {shown}",
        )
    else:
        problems.warn(
            "GDL022",
            start,
            end,
            f"variable {shown} stands only under not, which binds nothing",
            f"it is read as: there is no {shown} for which this holds; otherwise add a positive condition",
        )


def _bound(body: tuple[Formula, ...], known: frozenset[str]) -> frozenset[str]:
    """Return `known` with the variables that a conjunction binds in every branch."""
    equalities: list[Distinct] = []
    for formula in body:
        known = known | _binds(formula, True, equalities)
    # (not (distinct a b)) says a = b: it passes on what is bound on either side.
    for _ in equalities:
        for e in equalities:
            left = {v.name for v in variables(e.left)}
            right = {v.name for v in variables(e.right)}
            if left <= known or right <= known:
                known = known | left | right
    return known


def _binds(formula: Formula, positive: bool, equalities: list[Distinct]) -> frozenset[str]:
    match formula:
        case Atom():
            return frozenset([v.name for v in variables(formula)]) if positive else frozenset()
        case Not():
            return _binds(formula.body, not positive, equalities)
        case Distinct():
            if not positive:
                equalities.append(formula)
            return frozenset()
        case Or() | And():
            if isinstance(formula, Or) == positive:
                # One branch is taken: an equality inside one binds nothing for all of them.
                return frozenset.intersection(*[_binds(p, positive, []) for p in formula.parts])
            return frozenset().union(*[_binds(p, positive, equalities) for p in formula.parts])


def _tests(
    body: tuple[Formula, ...], known: frozenset[str], positive: bool = True
) -> Iterator[tuple[Formula, frozenset[str]]]:
    """Yield each negated atom and each `distinct`, with the variables bound around it."""
    if positive:
        known = _bound(body, known)
    for formula in body:
        match formula:
            case Atom() if not positive:
                yield formula, known
            case Distinct() if positive:
                yield formula, known
            case Not():
                yield from _tests((formula.body,), known, not positive)
            case Or() | And():
                if isinstance(formula, Or) == positive:
                    for part in formula.parts:
                        yield from _tests((part,), known, positive)
                else:
                    yield from _tests(formula.parts, known, positive)
