"""Post constraints to the native solver, exactly, with auxiliary variables for parts of conditions.

A small condition becomes a table or a clause. A larger one is taken apart: sums into linear propagators or chains of
x + y = z, products and the like into functions of two variables, conditions into truth values and clauses. The
auxiliary variables are determined by those of the model, so a solution is counted once. A guarded condition must hold
only if its guard does. `PostingOptions` says up to which size tables are used.
"""

from woodstock.constraint.posting.options import PostingOptions
from woodstock.constraint.posting.poster import Poster
from woodstock.constraint.posting.terms import CannotPost

__all__ = ["CannotPost", "Poster", "PostingOptions"]
