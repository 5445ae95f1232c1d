"""Names: arities, spellings, and names that are used but never defined. All warnings: engines accept them."""

from __future__ import annotations

import difflib
import re

from woodstock.gdl.ast import (
    GIVEN,
    KEYWORD_ARITY,
    KEYWORDS,
    And,
    Constant,
    Distinct,
    Function,
    Not,
    Or,
    Signature,
    Span,
    Term,
    Variable,
    signature,
)
from woodstock.gdl.check.survey import Survey, counted
from woodstock.gdl.diagnostics import Problems

_WORD = re.compile(r"\(?\s*([^\s(),;.&|]+)")


def check_names(survey: Survey, problems: Problems) -> None:
    """Report undefined and overloaded names, unknown roles and names with two spellings."""
    _check_undefined(survey, problems)
    _check_overloads(survey, problems)
    _check_roles(survey, problems)
    _check_fluents_and_moves(survey, problems)
    _check_spellings(survey, problems)
    _check_bare_facts(survey, problems)


def _check_undefined(survey: Survey, problems: Problems) -> None:
    defined = sorted({name for name, _ in survey.heads if name not in KEYWORDS})
    for (name, arity), uses in survey.uses.items():
        if (name, arity) in survey.heads or (name, arity) in GIVEN or KEYWORD_ARITY.get(name, arity) != arity:
            continue
        span = uses[0].atom.span
        others = sorted({a for n, a in survey.heads if n == name})
        near = difflib.get_close_matches(name, defined, n=1, cutoff=0.6) if len(defined) <= 2000 else []
        if others:
            hint = f"{name} is defined with {' and with '.join(map(counted, others))}"
        elif near:
            hint = f"did you mean {near[0]}?"
        else:
            hint = "add a fact or a rule for it, or remove the condition"
        problems.warn("GDL061", span, f"{name} with {counted(arity)} is never defined: it is always false", hint)


def _check_overloads(survey: Survey, problems: Problems) -> None:
    _report_overloads("predicate", "GDL041", {s: r[0].head.span for s, r in survey.heads.items()}, survey, problems)
    _report_overloads("function", "GDL042", survey.functions, survey, problems)


def _report_overloads(kind: str, code: str, places: dict[Signature, Span], survey: Survey, problems: Problems) -> None:
    by_name: dict[str, list[tuple[int, Span]]] = {}
    for (name, arity), span in places.items():
        if name not in KEYWORD_ARITY:
            by_name.setdefault(name, []).append((arity, span))
    for name, found in by_name.items():
        if len(found) < 2:
            continue
        found.sort(key=lambda f: f[1].start)
        (first, where), (second, span) = found[:2]
        problems.warn(
            code,
            span,
            f"{kind} {name} has {counted(second)} here and {first} in line {survey.line(where)}",
            "they count as two different names; is a bracket or an argument missing?",
        )


def _check_roles(survey: Survey, problems: Problems) -> None:
    roles = set(survey.program.roles())
    if not roles:
        return
    reported = set()
    for name in ("legal", "goal", "does", "sees", "input"):
        atoms = [r.head for r in survey.heads.get((name, 2), ())] + [u.atom for u in survey.uses.get((name, 2), ())]
        for atom in atoms:
            role = atom.args[0]
            if isinstance(role, Constant) and role.name not in roles and role.name not in reported:
                reported.add(role.name)
                near = difflib.get_close_matches(role.name, sorted(roles), n=1)
                problems.warn(
                    "GDL062",
                    role.span,
                    f"{role.name} is not a role",
                    f"did you mean {near[0]}?" if near else f"the roles are {', '.join(sorted(roles))}"[:100],
                )


def _check_fluents_and_moves(survey: Survey, problems: Problems) -> None:
    """Report conditions on fluents that no state has, and on moves that are never legal."""
    for code, given, sources, place, message in (
        (
            "GDL063",
            ("true", 1),
            (("init", 1), ("next", 1)),
            0,
            "never becomes true: no init or next rule makes it true",
        ),
        ("GDL064", ("does", 2), (("legal", 2),), 1, "is never legal"),
    ):
        made = [rule.head.args[place] for s in sources for rule in survey.heads.get(s, ())]
        if any(isinstance(term, Variable) for term in made):
            continue
        shapes = {_shape(term) for term in made}
        reported = set()
        for use in survey.uses.get(given, ()):
            term = use.atom.args[place]
            shape = _shape(term)
            if not isinstance(term, Variable) and shape not in shapes and shape not in reported:
                reported.add(shape)
                problems.warn(code, term.span, f"{survey.shown(term.span, term)} {message}", _nearest(shape, shapes))


def _nearest(shape: Signature, known: set[Signature]) -> str:
    name, arity = shape
    others = sorted(a for n, a in known if n == name)
    if others:
        return f"{name} has {' or '.join(map(counted, others))} elsewhere, not {arity}"
    near = difflib.get_close_matches(name, sorted({n for n, _ in known}), n=1)
    return f"did you mean {near[0]}?" if near else f"check the name {name}"


def _shape(term: Term) -> Signature:
    return signature(term) if isinstance(term, Function) else (str(term), 0)


def _check_spellings(survey: Survey, problems: Problems) -> None:
    text = survey.source.text
    reported: set[str] = set()
    for node in survey.program.nodes():
        if isinstance(node, (Distinct, Not, Or, And)):
            continue
        found = _WORD.match(text, node.span.start)
        if found is None or found[1] == node.name:
            continue
        name, is_variable = node.name, isinstance(node, Variable)
        word = found[1][1:] if is_variable and found[1][0] == "?" else found[1]
        if word == name or name in KEYWORDS or word.lower() != name.lower() or word in reported:
            continue
        if is_variable and found[1][0] != "?" and word[1:] == name[1:]:
            continue  # infix: the capital is syntax
        reported.add(word)
        kind = "variable" if is_variable else "name"
        problems.warn(
            "GDL043",
            Span(node.span.start, node.span.start + len(found[0])),
            f"{kind} {word} is also spelt {name}",
            "case makes no difference: both are the same " + kind,
        )


def _check_bare_facts(survey: Survey, problems: Problems) -> None:
    text = survey.source.text
    for rule in survey.program.rules:
        if rule.body or rule.head.args or rule.head.name == "terminal" or not rule.span.end:
            continue
        # In the infix syntax a fact is followed by its full stop, which no bare KIF symbol can be.
        if text[rule.span.start] == "(" or text[rule.span.end : rule.span.end + 80].lstrip()[:1] == ".":
            continue
        problems.warn(
            "GDL003",
            rule.span,
            f"{rule.head.name} is outside all brackets",
            "it is read as a fact; is a bracket missing before it?",
        )
