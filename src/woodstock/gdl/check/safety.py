"""Safety: every variable of a head, of a negation and of a `distinct` must be bound by a positive condition.

A rule with `or` is safe if each branch is safe as a rule of its own: an `or` binds a variable if every branch binds it.
Public rulesheets break this rule in ways that engines accept, so only a rule without a meaning is an error: one with a
head variable that nothing binds. A variable that occurs only under `not` means "no instance"; one that occurs only in
`distinct` differs from everything else. In a head, the first argument of `legal`, `goal` and `sees` ranges over
the roles if nothing else binds it, since engines ask for these one role at a time. `base` and `input` are declarations
that no engine evaluates. A rule that needs an undefined predicate never applies, so its variables do not matter. A head
variable of a predicate that is no keyword may get its values from the calls (`bind_calls`), as in Prolog.
"""

from __future__ import annotations

from collections.abc import Iterator

from woodstock.gdl.ast import (
    ASKED_OF_ROLES,
    KEYWORDS,
    And,
    Atom,
    Distinct,
    Formula,
    Not,
    Or,
    Rule,
    Variable,
    signature,
    variable_names,
    variables,
)
from woodstock.gdl.bind_calls import unbound_rules
from woodstock.gdl.check.survey import Survey
from woodstock.gdl.diagnostics import Problems

DECLARATIONS = {"base", "input"}


def check_safety(survey: Survey, problems: Problems) -> None:
    """Report unsafe variables, each once for each rule."""
    unbound: frozenset[int] | None = None
    for index, rule in enumerate(survey.program.rules):
        bound = _bound(rule.body, frozenset())
        if unbound is None and not variable_names(rule.head) <= bound:
            unbound = unbound_rules(survey.program)
        is_called_bound = unbound is not None and index not in unbound
        _check_head(rule, bound, is_called_bound, survey, problems)
        reported: set[str] = variable_names(rule.head) - bound
        for formula, known in _tests(rule.body, frozenset()):
            for variable in variables(formula):
                if variable.name in known or variable.name in reported:
                    continue
                reported.add(variable.name)
                _report_test(formula, variable, survey, problems)


def _check_head(rule: Rule, bound: frozenset[str], is_called_bound: bool, survey: Survey, problems: Problems) -> None:
    reported: set[str] = set()
    for variable in variables(rule.head):
        if variable.name in bound or variable.name in reported:
            continue
        reported.add(variable.name)
        shown, place = survey.shown(variable.span, variable), variable.span
        unbound = f"variable {shown} in the head is not bound by the body"
        if rule.head.name in DECLARATIONS and signature(rule.head) not in survey.uses:
            message = f"variable {shown} in this {rule.head.name} declaration is not bound"
            hint = f"the declaration is ignored; give {shown} a range with a condition"
            problems.warn("GDL025", place, message, hint)
        elif signature(rule.head) in ASKED_OF_ROLES and variable == rule.head.args[0] and _once(rule, variable):
            hint = f"it ranges over the roles; to say so, add the condition (role {shown})"
            problems.warn("GDL026", place, unbound, hint)
        elif missing := _never_true(rule, survey):
            message = f"{unbound}, but the rule never applies"
            problems.warn("GDL027", place, message, f"{missing} is never defined")
        elif is_called_bound:
            hint = f"every call binds it, so the rule works here; to be safe, add a positive condition on {shown}"
            problems.warn("GDL029", place, f"variable {shown} in the head is bound only by the calls", hint)
        elif not rule.body:
            hint = f"a fact names its values; to let {shown} range over values, write a rule with a condition on it"
            problems.error("GDL024", place, f"variable {shown} in a fact", hint)
        else:
            hint = f"add a positive condition that mentions {shown}"
            if variable.name in variable_names(*rule.body):
                hint += ", in every branch of an or; not and distinct bind nothing"
            problems.error("GDL021", place, unbound, hint)


def _once(rule: Rule, variable: Variable) -> bool:
    return sum(v == variable for v in variables(rule.head)) == 1


def _never_true(rule: Rule, survey: Survey) -> str:
    """Return the name of a condition that no rule or fact can make true; empty if there is none."""
    for formula in rule.body:
        if isinstance(formula, Atom) and signature(formula) not in survey.heads and formula.name not in KEYWORDS:
            return formula.name
    return ""


def _report_test(formula: Formula, variable: Variable, survey: Survey, problems: Problems) -> None:
    shown = survey.shown(variable.span, variable)
    if isinstance(formula, Distinct):
        message = f"variable {shown} occurs only in distinct, which binds nothing"
        hint = f"the condition counts as always true; add a positive condition that mentions {shown}"
        problems.warn("GDL023", variable.span, message, hint)
    else:
        message = f"variable {shown} occurs only under not, which binds nothing"
        hint = f"it means: this holds for no {shown}; if you mean something else, add a positive condition"
        problems.warn("GDL022", variable.span, message, hint)


def _bound(body: tuple[Formula, ...], known: frozenset[str]) -> frozenset[str]:
    """Return `known` with the variables that a conjunction binds in every branch."""
    equalities: list[Distinct] = []
    for formula in body:
        known = known | _binds(formula, True, equalities)
    # (not (distinct a b)) means a = b: a binding of one side binds the other.
    for _ in equalities:
        for e in equalities:
            left, right = variable_names(e.left), variable_names(e.right)
            if left <= known or right <= known:
                known = known | left | right
    return known


def _binds(formula: Formula, positive: bool, equalities: list[Distinct]) -> frozenset[str]:
    match formula:
        case Atom():
            return frozenset(variable_names(formula)) if positive else frozenset()
        case Not():
            return _binds(formula.body, not positive, equalities)
        case Distinct():
            if not positive:
                equalities.append(formula)
            return frozenset()
        case Or() | And():
            if isinstance(formula, Or) == positive:
                # Only one branch holds: an equality inside it binds nothing for the others.
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
