"""The pages of matches: the list, a new one, one that is played."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from woodstock.web.pages import render


async def matches(request: Request) -> Any:
    """Show the list of matches."""
    return render(request, "matches.html", page="match")


routes = [Route("/matches", matches)]
