"""The application: the routes of every page behind the guard."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from woodstock.errors import WoodstockError
from woodstock.web import analysis, editor, games, match, puzzles, replay, tournaments
from woodstock.web.pages import STATIC, problem
from woodstock.web.security import Guard
from woodstock.web.settings import WebSettings
from woodstock.web.site import Site

_LOG = logging.getLogger("woodstock.web")
# Each page is a package that exports its routes.
PAGES = (games, match, analysis, editor, puzzles, replay, tournaments)


def make_app(settings: WebSettings) -> Starlette:
    """Return the application of one site; the site is made when the server starts and closed when it ends."""
    routes: list[BaseRoute] = [route for page in PAGES for route in page.routes]
    routes.append(Mount("/static", StaticFiles(directory=STATIC, check_dir=False)))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.site = site = Site(settings)
        try:
            yield
        finally:
            site.close()

    return Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(Guard, settings=settings), Middleware(GZipMiddleware, minimum_size=1000)],
        exception_handlers={WoodstockError: _known, HTTPException: _missing, Exception: _unknown},
    )


def _known(request: Request, error: Exception) -> Any:
    return problem(request, str(error))


def _missing(request: Request, error: Exception) -> Any:
    assert isinstance(error, HTTPException)
    text = "There is no such page." if error.status_code == 404 else error.detail
    return problem(request, text, error.status_code, title="Not found" if error.status_code == 404 else "Not possible")


def _unknown(request: Request, error: Exception) -> Any:
    _LOG.error("%s %s", request.method, request.url.path, exc_info=error)
    return problem(request, "This is a bug of ours. The log of the server has the details.", 500)
