"""The front page: the games with their pictures."""

from woodstock.web.games.pages import routes

__all__ = ["routes"]
