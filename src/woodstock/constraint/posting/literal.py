"""Literals: a variable of the kernel has one of some values. Clauses and gates consist of them."""

from __future__ import annotations

from dataclasses import dataclass

Pairs = tuple[list[tuple[int, int]], list[tuple[int, int]]]


@dataclass(frozen=True)
class Literal:
    """The variable is `inside`; `outside` are the other values. One of the two is none if it would be long."""

    variable: int
    inside: tuple[int, ...] | None
    outside: tuple[int, ...] | None = None

    def __invert__(self) -> Literal:
        return Literal(self.variable, self.outside, self.inside)


Truth = Literal | bool  # a bool if the answer is known


def equals(variable: int, value: int) -> Literal:
    """Return the literal variable = value."""
    return Literal(variable, (value,))


def negation(literal: Truth) -> Truth:
    """Return the literal that is true if and only if this one is not."""
    return not literal if isinstance(literal, bool) else ~literal


def any_pairs(literals: list[Literal]) -> Pairs:
    """Return pairs x = v and x != v, one of which holds if and only if one of the literals does."""
    positive, negative = [], []
    for literal in literals:
        if literal.inside is not None:
            positive += [(literal.variable, value) for value in literal.inside]
        else:
            assert literal.outside is not None
            assert len(literal.outside) == 1
            negative.append((literal.variable, literal.outside[0]))
    return positive, negative


def all_pairs(literals: list[Literal]) -> Pairs:
    """Return pairs x = v and x != v, which all hold if and only if all of the literals do."""
    positive, negative = any_pairs([~literal for literal in literals])
    return negative, positive
