"""Puzzles: games of one role, to be solved by hand or shown with a plan, step by step."""

from woodstock.web.puzzles.pages import routes

__all__ = ["routes"]
