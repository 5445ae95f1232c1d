"""The pages of tournaments: the list, one that is live, its matches, its reports as files."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from woodstock.errors import WoodstockError
from woodstock.tournament.report.page import page as report_page
from woodstock.tournament.report.text import comma_separated, markdown
from woodstock.web.pages import render, site_of
from woodstock.web.replay.pages import show_record
from woodstock.web.replay.story import game_of
from woodstock.web.site import Site
from woodstock.web.tournaments.folders import TournamentFolders, as_json

_REPORTS = {
    "html": ("text/html", report_page),
    "md": ("text/markdown", markdown),
    "csv": ("text/csv", comma_separated),
}


def folders_of(site: Site) -> TournamentFolders:
    """Return the tournaments that this site shows."""
    found: TournamentFolders = site.parts.setdefault("tournaments", TournamentFolders(site.settings.tournaments))
    return found


async def tournaments(request: Request) -> Any:
    """Show the list."""
    site = site_of(request)
    folders = folders_of(site)
    names = await site.run(folders.names)
    shown = [{"name": name, "isRunning": folders.get(name).is_running} for name in names]
    return render(request, "tournaments.html", page="tournaments", tournaments=shown, folder=site.settings.tournaments)


async def tournament(request: Request) -> Any:
    """Show one tournament; the page asks for news by itself."""
    name = request.path_params["name"]
    site = site_of(request)
    folder = folders_of(site).get(name)
    data = await site.run(lambda: as_json(folder, folder.now()))
    return render(request, "tournament.html", page="tournaments", data=data, name=name, title=data["name"])


async def news(request: Request) -> Response:
    """Return the tournament as it is now; nothing if it is as the page knows it."""
    site = site_of(request)
    folder = folders_of(site).get(request.path_params["name"])
    try:
        if request.query_params.get("mark") == folder.mark:
            return JSONResponse({"isRunning": folder.is_running})
        return JSONResponse(await site.run(lambda: as_json(folder, folder.now())))
    except (WoodstockError, OSError) as error:
        return JSONResponse({"problem": str(error)}, 400)


async def match(request: Request) -> Any:
    """Show the replay of a match of a tournament."""
    site = site_of(request)
    folder = folders_of(site).get(request.path_params["name"])
    record = await site.run(folder.record, request.path_params["key"])
    return await show_record(request, record, game_of(record, site.store))


async def report(request: Request) -> Response:
    """Send the report as a file: one page of HTML, Markdown, or a row for each duel."""
    site = site_of(request)
    folder = folders_of(site).get(request.path_params["name"])
    kind = request.path_params["kind"]
    if kind not in _REPORTS:
        raise WoodstockError(f"reports are {', '.join(_REPORTS)}")
    media, write = _REPORTS[kind]
    text = await site.run(lambda: write(folder.now().found))
    headers = {"Content-Disposition": f'attachment; filename="report.{kind}"'}
    return Response(text, media_type=media, headers=headers)


routes = [
    Route("/tournaments", tournaments),
    Route("/tournaments/{name}", tournament),
    Route("/tournaments/{name}/news", news),
    Route("/tournaments/{name}/report.{kind}", report),
    Route("/tournaments/{name}/match/{key:path}", match),
]
