"""The source of each variable and constraint: the fluents that it replaces, the rules that it comes from.

A constraint is named after what it defines: legal(role), next(variable), terminal, score(role) or a derived atom; names
that begin with $ stand for parts of bodies that grounding split off. Rules are shown as ground rules, below the file
and line of the rules that they are instances of.
"""

from __future__ import annotations

from collections.abc import Iterator

from woodstock.gdl.chance import is_chance
from woodstock.scsp.game.sources import Sources
from woodstock.scsp.game.template import ATOM, LEGAL, NEXT, SCORE, TABLE, TERMINAL, Template, TemplateConstraint

_KINDS = ("table", "and", "or", "clause")
_MOST_RULES = 8
_MOST_LISTED = 12


def constraint_names(template: Template) -> tuple[str, ...]:
    """Return a distinct name for each constraint."""
    counts: dict[str, int] = {}
    names = []
    origins, indices = template.arrays["origins"].tolist(), template.arrays["origin_indices"].tolist()
    for origin, index in zip(origins, indices, strict=True):
        name = _name(template, origin, index)
        number = counts[name] = counts.get(name, 0) + 1
        names.append(name if number == 1 else f"{name}.{number}")
    # A second round, because "a.2" may itself be a name.
    seen: set[str] = set()
    for i, name in enumerate(names):
        while name in seen:
            name += "'"
        seen.add(name)
        names[i] = name
    return tuple(names)


def _name(template: Template, origin: int, index: int) -> str:
    if origin == LEGAL:
        return f"legal({template.ground.roles[index]})"
    if origin == NEXT:
        return f"next({template.fluent_variables[index].name})"
    if origin == TERMINAL:
        return "terminal"
    if origin == SCORE:
        return f"score({template.ground.roles[index]})"
    return template.atom_name(index)


def explain(template: Template) -> str:
    """Return the whole network as text."""
    template.name_atoms()
    return "\n".join([*_variables(template), "", *_constraints(template)])


def rule_places(template: Template) -> dict[str, list[str]]:
    """Return for each constraint, by name, the places of the rules that it comes from, if known."""
    sources, result = _sources(template), {}
    for number, name in enumerate(constraint_names(template)):
        result[name] = _places(template, sources, _heads(template, template.constraint(number)))
    return result


def _sources(template: Template) -> Sources | None:
    return None if template.program is None else Sources(template.program, template.ground.helper_sources)


def _places(template: Template, sources: Sources | None, heads: list[int]) -> list[str]:
    known = [template.atom_texts[head] for head in heads if head in template.atom_texts]
    return [] if sources is None else sources.lines(known)


def _variables(template: Template) -> Iterator[str]:
    """Yield the elimination of functions: f(t1..tk) = z for F(t1..tk, z)."""
    ground = template.ground
    for variable in template.fluent_variables:
        if variable.is_boolean:
            yield f"{variable.name}: Boolean, for {ground.fluents[variable.fluents[1] or 0]}"
            continue
        yield f"{variable.name}: {len(variable.values)} values"
        for value, fluent in zip(variable.values, variable.fluents, strict=True):
            meaning = "none of them" if fluent is None else ground.fluents[fluent]
            yield f"    {variable.name} = {value}  for  {meaning}"
    for role, moves in zip(ground.roles, ground.moves, strict=True):
        kind = "chance, uniform over the legal values" if is_chance(role) else "decision"
        yield f"action({role}): {len(moves)} values, {kind}"


def _constraints(template: Template) -> Iterator[str]:
    rules = template.ground.rules_by_head
    names, variables, sources = constraint_names(template), template.variable_names, _sources(template)
    for number, name in enumerate(names):
        constraint = template.constraint(number)
        scope = ", ".join(variables[x] for x in constraint.scope[:_MOST_LISTED])
        more = f", ... {len(constraint.scope)} in all" if len(constraint.scope) > _MOST_LISTED else ""
        size = f", {len(constraint.rows)} tuples" if constraint.kind == TABLE and constraint.rows is not None else ""
        yield f"{name}: {_KINDS[constraint.kind]} over {scope}{more}{size}"
        heads = _heads(template, constraint)
        lines = _places(template, sources, heads)
        if lines:
            yield f"    from {', '.join(lines)}"
        shown = [(head, body) for head in heads for body in rules[head]]
        for head, body in shown[:_MOST_RULES]:
            yield f"    {_rule_text(template, head, body)}"
        if len(shown) > _MOST_RULES:
            yield f"    ... {len(shown) - _MOST_RULES} more rules"


def _heads(template: Template, constraint: TemplateConstraint) -> list[int]:
    """Return the atoms whose rules the constraint completes."""
    ground, literals = template.ground, constraint.literals
    origin, index = constraint.origin, constraint.origin_index
    if origin == ATOM:
        return [index]
    if origin == TERMINAL:
        return [ground.terminal]
    if origin == SCORE:
        return [atom for role, _value, atom in ground.goals if role == index]
    if origin == NEXT:
        variable = template.fluent_variables[index]
        chosen = [position for x, position, _ in literals if x == template.first_next + index]
        wanted = range(len(variable.values)) if len(literals) > 1 and chosen == [0] else chosen
        atoms = [variable.fluents[position] for position in wanted]
        return [int(ground.next[fluent]) for fluent in atoms if fluent is not None]
    first = sum(len(moves) for moves in ground.moves[:index])
    played = [position for x, position, is_equal in literals if x == template.first_action + index and not is_equal]
    moves = played or range(len(ground.moves[index]))
    return [int(ground.legal[first + move]) for move in moves]


def _rule_text(template: Template, head: int, body: list[int]) -> str:
    parts = [("" if literal > 0 else "not ") + template.atom_name(abs(literal)) for literal in body]
    name = template.atom_name(head)
    return f"{name} <- {', '.join(parts)}" if parts else f"{name}."
