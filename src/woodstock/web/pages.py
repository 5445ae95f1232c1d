"""From a template and its values to a page."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import Any

import jinja2
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse

import woodstock
from woodstock.web.site import Site

FOLDER = Path(__file__).parent
STATIC = FOLDER / "static"
# The pages of the navigation: key, address, name.
NAVIGATION = (
    ("games", "/", "Games"),
    ("match", "/matches", "Matches"),
    ("analysis", "/analysis", "Analysis"),
    ("rules", "/rules", "Rules"),
    ("puzzles", "/puzzles", "Puzzles"),
    ("replay", "/replay", "Replay"),
    ("tournaments", "/tournaments", "Tournaments"),
)

_templates = jinja2.Environment(
    loader=jinja2.FileSystemLoader(FOLDER / "templates"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def site_of(connection: HTTPConnection) -> Site:
    """Return the site that a request or a WebSocket belongs to."""
    site: Site = connection.app.state.site
    return site


def browser_of(connection: HTTPConnection) -> str:
    """Return the identity of the browser; nobody else knows it."""
    return str(connection.scope["browser"])


def render(request: Request, template: str, *, page: str, data: object = None, status: int = 200, **more: Any) -> Any:
    """Return a page. `page` is the key of its place in the navigation, `data` what its script gets."""
    text = _templates.get_template(template).render(
        page=page,
        data=data,
        navigation=NAVIGATION,
        nonce=request.scope["nonce"],
        asset=asset,
        version=woodstock.__version__,
        **more,
    )
    return HTMLResponse(text, status, headers={"Cache-Control": "no-store"})


def problem(request: Request, text: str, status: int = 400, *, page: str = "", title: str = "This did not work") -> Any:
    """Return the page that says what went wrong."""
    return render(request, "problem.html", page=page, status=status, title=title, text=text)


@functools.lru_cache(maxsize=256)
def _digest(name: str, _changed: float) -> str:
    return hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]


def asset(name: str) -> str:
    """Return the address of a built file; it changes with its content, so a browser may keep it."""
    path = STATIC / name
    if not path.is_file():
        return f"/static/{name}"
    return f"/static/{name}?v={_digest(name, path.stat().st_mtime)}"
