"""What holds in every state of a game: groups of fluents that exclude each other, and goals of constant sum.

Comes in: a `GroundProgram` and its circuit. Goes out: conjectures by random play (`candidate_groups`) and proofs by
induction (`prove_groups`, `has_constant_sum`). The circuit guards the conjectures that it makes from the same groups,
so it never waits for a proof; constraint networks and players need proofs.
"""

from woodstock.invariants.constant_sum import has_constant_sum
from woodstock.invariants.groups import Group, candidate_groups
from woodstock.invariants.proof import prove_groups

__all__ = ["Group", "candidate_groups", "has_constant_sum", "prove_groups"]
