"""The ground rule graph: terms, atoms, literals and rules as written [Schiffel 2010; Koriche et al. 2017, 3.2].

Comes in: a `GroundProgram`. Goes out: a coloured graph of linear size. An automorphism is a renaming of roles, fluents,
moves and derived atoms that leaves the set of rules unchanged, and so the game. Symmetries that are visible only in the
meaning of the rules are not found: see `network_graph`.
"""

from __future__ import annotations

import numpy as np

from woodstock.gdl.ground_program import GroundProgram
from woodstock.symmetry.graph import ColouredGraph, GraphBuilder, pairs


def rule_graph(ground: GroundProgram, *, swap_roles: bool = True, fix_initial: bool = True) -> ColouredGraph:
    """Return the rule graph of a game."""
    made = GraphBuilder(ground, swap_roles=swap_roles, fix_initial=fix_initial)
    # Uses of an atom in bodies go to its `atom` vertex, its definitions to its `head` vertex, so that they do not mix.
    # Atom 0, which is never true, has its own colour.
    made_false = made.vertex("false")
    first_atom = made.vertices(ground.atom_count, "atom") - 1
    first_head = made.vertices(ground.atom_count, "head") - 1
    first_rule = made.vertices(ground.rule_count, "rule")

    def atoms(numbers: np.ndarray[tuple[int], np.dtype[np.int32]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        wide = numbers.astype(np.int64)
        return np.where(wide == 0, made_false, wide + first_atom)

    every_atom = np.arange(1, ground.atom_count + 1)
    made.edges(pairs(every_atom + first_atom, every_atom + first_head))
    rules = np.arange(ground.rule_count)
    made.edges(pairs(rules + first_rule, ground.heads + first_head))
    of_rule = np.repeat(rules, np.diff(ground.body_offsets))
    is_negative = ground.bodies < 0
    used = np.abs(ground.bodies).astype(np.int64)
    negated = np.unique(used[is_negative])
    first_negation = made.vertices(len(negated), "not")
    made.edges(pairs(np.arange(len(negated)) + first_negation, negated + first_atom))
    literal = np.where(is_negative, np.searchsorted(negated, used) + first_negation, used + first_atom)
    made.edges(pairs(of_rule + first_rule, literal))

    # Keywords: one vertex for each ground true, does, next, legal, goal, terminal and sees.
    for word, first, numbers in (
        ("true", made.first_fluent, ground.fluent_atoms),
        ("next", made.first_fluent, ground.next),
        ("does", made.first_move, ground.move_atoms),
        ("legal", made.first_move, ground.legal),
    ):
        keyword = made.vertices(len(numbers), word) + np.arange(len(numbers))
        made.edges(pairs(keyword, np.arange(len(numbers)) + first))
        made.edges(pairs(keyword, atoms(numbers)))
    made.star(made.vertex("terminal"), [made_false if not ground.terminal else ground.terminal + first_atom])
    for role, value, atom in ground.goals:
        made.star(made.vertex(("goal", value)), [role, atom + first_atom if atom else made_false])
    for role, _percept, atom in ground.sees:
        percept = made.vertex("sees")
        made.percept(percept)
        made.star(percept, [role, atom + first_atom if atom else made_false])
    return made.build()
