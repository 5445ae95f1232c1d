"""Why there is no sample."""

from __future__ import annotations

from woodstock.errors import WoodstockError


class BeliefError(WoodstockError):
    """No full state that fits is known: the deadline came first, or the search gave up."""


class ImpossibleViewError(BeliefError):
    """No full state fits what the role is said to have seen."""
