"""The match page: any seat is a person, a built-in player or a GGP player by URL."""

from woodstock.web.match.pages import routes

__all__ = ["routes"]
