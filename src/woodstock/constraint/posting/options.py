"""How conditions are posted. Every choice is exact: tables prune most, parts of conditions are cheaper."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PostingOptions:
    """Limits up to which conditions and terms become tables; the defaults are those of stochastic networks."""

    table_limit: int = 100_000  # assignments of a condition that is posted as one table
    parts_limit: int = 100_000  # the same if it can be taken apart without losing much
    slow_limit: int = (
        100_000  # the same for and, or, not over values that are not integers, which Python evaluates slowly
    )
    arity_limit: int = 1_000  # variables of such a table
    truth_limit: int = 20_000  # assignments of a condition whose truth is a column of a table
    term_limit: int = 0  # assignments of a term that is tabulated as a whole
    pair_limit: int = 0  # pairs of values of a product and the like that is posted as a table
    chain_limit: int = 0  # values of a partial sum in a chain; other sums propagate by bounds
    value_limit: int = 2_000_000  # values of a term
    set_limit: int = 64  # values of a variable that a literal may list: one word of the kernel
    has_joint_tables: bool = True  # whether an and is one table if it is small, or always taken apart
