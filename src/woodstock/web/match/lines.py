"""The line of a match that leads to one of its positions, for other pages."""

from __future__ import annotations

from woodstock.errors import GameError
from woodstock.web.lines import Line
from woodstock.web.match.matches import matches_of
from woodstock.web.site import Site


async def line_of(site: Site, match_id: str, node: int | None = None) -> Line:
    """Return the line to a node, by default to where the match is; GameError if it may not be seen."""
    feed = await matches_of(site).feed(match_id)
    if feed.sight.is_hidden:
        raise GameError("the rules hide things from players: this match can be analysed when it is over")
    match = feed.match
    number = match.current if node is None else node
    if number not in match.tree:
        raise GameError("there is no such position in this match")
    moves = tuple(match.tree.nodes[one].moves for one in match.tree.path(number)[1:])
    return Line(match.head.game, match.head.state, moves)
