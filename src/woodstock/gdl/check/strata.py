"""Recursion: negation must be stratified and recursive rules must not build new terms.

A predicate that depends on its own negation has no least model. A recursive rule must take each argument of its
recursive condition from the head, from a condition outside the recursion, or as a constant [Love et al. 2008, sec. 3]:
that keeps the terms finite. Where a rule breaks it without building a larger term, it is only warned about.
Cost: linear in the dependency graph, plus one search for each cycle reported.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

from woodstock.gdl.ast import Atom, Constant, Function, Rule, Term, Variable, variables
from woodstock.gdl.check.survey import Signature, Survey, Use, literals, signature
from woodstock.gdl.diagnostics import Problems

MAX_RULES = 400
"""Components with more rules are not looked at rule by rule: the graph has a square of edges."""

_T = TypeVar("_T", bound=Hashable)


def check_strata(survey: Survey, problems: Problems) -> None:
    """Report negation through recursion, and recursion that builds terms."""
    component = components(survey.edges)
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


def components(edges: Mapping[_T, Iterable[_T]]) -> dict[_T, int]:
    """Return the number of the recursive component of each node of a graph that can reach itself."""
    found: dict[_T, int] = {}
    index: dict[_T, int] = {}
    low: dict[_T, int] = {}
    stack: list[_T] = []
    on_stack: set[_T] = set()
    for root in edges:
        if root in index:
            continue
        # Tarjan's algorithm with its own stack: rulesheets may chain thousands of predicates.
        work = [(root, iter(edges[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, successors = work[-1]
            for successor in successors:
                if successor not in edges:
                    continue
                if successor not in index:
                    index[successor] = low[successor] = len(index)
                    stack.append(successor)
                    on_stack.add(successor)
                    work.append((successor, iter(edges[successor])))
                    break
                if successor in on_stack:
                    low[node] = min(low[node], index[successor])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == index[node]:
                    members = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        members.append(member)
                        if member == node:
                            break
                    if len(members) > 1 or node in edges[node]:
                        found.update(dict.fromkeys(members, index[node]))
    return found


def path(survey: Survey, start: Signature, ends: set[Signature]) -> list[Use]:
    """Return the shortest chain of uses from a predicate to one of `ends`; empty when there is none."""
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


def told(survey: Survey, chain: list[Use]) -> str:
    """Return a chain of uses in words: `a (line 3) -> not b (line 7) -> c`."""
    steps = [f"{chain[0].rule.head.name} (line {survey.line(chain[0].rule.head.span)})"]
    for use in chain:
        steps.append(f"{'' if use.positive else 'not '}{use.atom.name} (line {survey.line(use.atom.span)})")
    return " -> ".join(steps)


def _is_settled_by_arguments(survey: Survey, component: dict[Signature, int], number: int) -> bool:
    """Tell whether the arguments break every negative cycle, as in (goal ?r 0) <= (not (goal ?r 100)).

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
    cycles = components(edges)
    return all(i not in cycles or cycles[i] != cycles.get(j) for i, j in negative)


def _may_match(left: tuple[Term, ...], right: tuple[Term, ...]) -> bool:
    """Tell whether two argument lists could become equal; repeated variables are not followed."""
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
    cycle = "the cycle: " + told(survey, [use, *back])
    start, end = use.atom.span.start, use.atom.span.end
    message = f"{head[0]} depends on its own negation"
    if is_settled:
        problems.warn(
            "GDL034", start, end, message, cycle, "the arguments keep it apart; a helper predicate would be clearer"
        )
    else:
        problems.error(
            "GDL031", start, end, message, cycle, "let one of these predicates be decided without the others"
        )


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
            outside_variables.update(v.name for v in variables(atom))
    for atom in recursive:
        for term in atom.args:
            if term in outside or isinstance(term, Constant):
                continue
            free = {v.name for v in variables(term)} - outside_variables
            if not free:
                continue
            _report_recursion(rule, atom, term, _grows(rule.head, free), survey, problems)
            return


def _grows(head: Atom, free: set[str]) -> bool:
    """Tell whether the head wraps a function around a variable that only the recursion binds."""
    return any(isinstance(term, Function) and any(v.name in free for v in variables(term)) for term in head.args)


def _report_recursion(rule: Rule, atom: Atom, term: Term, grows: bool, survey: Survey, problems: Problems) -> None:
    shown = survey.shown(term.span, term)
    message = f"{shown} in a recursive condition of {rule.head.name} is limited by nothing outside the recursion"
    helps = f"take {shown} over from the head unchanged, or add a condition that limits it"
    report = problems.error if grows else problems.warn
    code = "GDL032" if grows else "GDL033"
    report(code, term.span.start, term.span.end, message, helps)
