"""Tournaments: standings, ratings and the matches of a plan that runs, or has run."""

from woodstock.web.tournaments.pages import routes

__all__ = ["routes"]
