"""Recursion: negation must be stratified and recursive rules must not build new terms.

A predicate that depends on its own negation has no least model. A recursive rule must take each argument of its
recursive condition from the head, from a condition outside the recursion, or as a constant [Love et al. 2008, sec. 3]:
that keeps the terms finite. A rule that breaks this without building a larger term only gets a warning.
Cost: linear in the dependency graph, plus one search for each cycle reported.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Hashable, Mapping
from typing import TypeVar

from woodstock.gdl.ast import (
    Atom,
    Constant,
    Function,
    Rule,
    Signature,
    Term,
    Variable,
    literals,
    signature,
    variable_names,
)
from woodstock.gdl.check.survey import Survey, Use
from woodstock.gdl.components import cycles
from woodstock.gdl.diagnostics import Problems

MAX_RULES = 400
"""Components with more rules are not checked rule by rule: the graph is quadratic in the rules."""

_T = TypeVar("_T", bound=Hashable)


def check_strata(survey: Survey, problems: Problems) -> None:
    """Report negation through recursion, and recursion that builds terms."""
    component = _cycle_numbers(survey.edges)
    if not component:
        return
    settled: dict[int, bool] = {}
    for head, below in survey.edges.items():
        for called, uses in below.items():
            if head not in component or component[head] != component.get(called):
                continue
            negated = next((use for use in uses if not use.positive), None)
            if negated is not None:
                number = component[head]
                if number not in settled:
                    settled[number] = _is_settled_by_arguments(survey, component, number)
                _report_cycle(survey, problems, head, negated, settled[number])
    for rule in survey.program.rules:
        if signature(rule.head) in component:
            _check_recursion(rule, component, survey, problems)


def _cycle_numbers(edges: Mapping[_T, Collection[_T]]) -> dict[_T, int]:
    """Return the number of the recursive component of each node that can reach itself."""
    return {node: number for number, nodes in enumerate(cycles(edges)) for node in nodes}


def path(survey: Survey, start: Signature, ends: set[Signature]) -> list[Use]:
    """Return the shortest chain of uses from a predicate to one of `ends`; empty if there is none."""
    came: dict[Signature, Use] = {}
    seen = {start}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for called, uses in survey.edges.get(node, {}).items():
            if called in ends:
                chain = [uses[0]]
                while node != start:
                    chain.append(came[node])
                    node = signature(came[node].rule.head)
                return chain[::-1]
            if called not in seen:
                seen.add(called)
                came[called] = uses[0]
                queue.append(called)
    return []


def chain_text(survey: Survey, chain: list[Use]) -> str:
    """Return a chain of uses as text: `a (line 3) -> not b (line 7) -> c`."""
    steps = [f"{chain[0].rule.head.name} (line {survey.line(chain[0].rule.head.span)})"]
    for use in chain:
        steps.append(f"{'' if use.positive else 'not '}{use.atom.name} (line {survey.line(use.atom.span)})")
    return " -> ".join(steps)


def _is_settled_by_arguments(survey: Survey, component: dict[Signature, int], number: int) -> bool:
    """Return whether the arguments break every negative cycle, as in (goal ?r 0) <= (not (goal ?r 100)).

    The graph has the component's rules as its nodes; a rule calls those whose head its condition can match.
    """
    rules = [r for s, rs in survey.heads.items() if component.get(s) == number for r in rs]
    if len(rules) > MAX_RULES:
        return False
    edges: dict[int, set[int]] = {i: set() for i in range(len(rules))}
    negative: set[tuple[int, int]] = set()
    for i, rule in enumerate(rules):
        for atom, positive in literals(rule.body):
            if component.get(signature(atom)) != number:
                continue
            for j, other in enumerate(rules):
                if atom.name == other.head.name and _may_match(atom.args, other.head.args):
                    edges[i].add(j)
                    if not positive:
                        negative.add((i, j))
    number_of = _cycle_numbers(edges)
    return all(i not in number_of or number_of[i] != number_of.get(j) for i, j in negative)


def _may_match(left: tuple[Term, ...], right: tuple[Term, ...]) -> bool:
    """Return whether two argument lists could become equal; repeated variables are not followed."""
    if len(left) != len(right):
        return False
    for a, b in zip(left, right, strict=True):
        if isinstance(a, Variable) or isinstance(b, Variable):
            continue
        if isinstance(a, Function) and isinstance(b, Function):
            if a.name != b.name or not _may_match(a.args, b.args):
                return False
        elif a != b:
            return False
    return True


def _report_cycle(survey: Survey, problems: Problems, head: Signature, use: Use, is_settled: bool) -> None:
    called = signature(use.atom)
    back = [] if called == head else path(survey, called, {head})
    cycle = "the cycle: " + chain_text(survey, [use, *back])
    message = f"{head[0]} depends on its own negation"
    if is_settled:
        problems.warn(
            "GDL034",
            use.atom.span,
            message,
            cycle,
            "the arguments separate the cases; a helper predicate would be clearer",
        )
    else:
        problems.error("GDL031", use.atom.span, message, cycle, "define one of these predicates without the others")


def _check_recursion(rule: Rule, component: dict[Signature, int], survey: Survey, problems: Problems) -> None:
    own = component[signature(rule.head)]
    recursive: list[Atom] = []
    outside: set[Term] = set(rule.head.args)
    outside_variables: set[str] = set()
    for atom, positive in literals(rule.body):
        if component.get(signature(atom)) == own:
            recursive.append(atom)
        elif positive:
            outside.update(atom.args)
            outside_variables |= variable_names(atom)
    for atom in recursive:
        for term in atom.args:
            if term in outside or isinstance(term, Constant):
                continue
            free = variable_names(term) - outside_variables
            if not free:
                continue
            _report_recursion(rule, atom, term, _grows(rule.head, free), survey, problems)
            return


def _grows(head: Atom, free: set[str]) -> bool:
    """Return whether the head wraps a function around a variable that only the recursion binds."""
    return any(isinstance(term, Function) and free & variable_names(term) for term in head.args)


def _report_recursion(rule: Rule, atom: Atom, term: Term, grows: bool, survey: Survey, problems: Problems) -> None:
    shown = survey.shown(term.span, term)
    message = f"{shown} in a recursive condition of {rule.head.name} is not limited by anything outside the recursion"
    helps = f"use {shown} in the head unchanged, or add a condition that limits it"
    report = problems.error if grows else problems.warn
    code = "GDL032" if grows else "GDL033"
    report(code, term.span, message, helps)
