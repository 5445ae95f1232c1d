"""Post a quantified problem to the native solver, exactly: every constraint, with auxiliary variables for its parts.

A small condition becomes a table or a clause. A larger one is taken apart: sums into chains of x + y = z, products and
the like into tables of three columns, conditions into truth values and clauses. What follows a restricted universal
block is guarded: it holds by itself where the universal player broke the restriction.
"""

from woodstock.qcsp.posting.problem import Posting, Prefix

__all__ = ["Posting", "Prefix"]
