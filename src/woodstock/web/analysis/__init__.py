"""Analysis of any state: a stream of values and lines, the facts about it, and the review of a match."""

from woodstock.web.analysis.pages import routes

__all__ = ["routes"]
