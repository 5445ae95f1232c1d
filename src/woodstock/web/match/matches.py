"""All matches of a site: those that are played now, and those in the store, which come back when somebody looks."""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
import time
from functools import partial
from typing import Any

from woodstock.errors import WoodstockError
from woodstock.web.match.feed import Feed
from woodstock.web.match.head import Head
from woodstock.web.match.hosted import HostedMatch
from woodstock.web.match.seats import Seat
from woodstock.web.match.tree import Node
from woodstock.web.site import Site

PART = "matches"
# A match that nobody looks at and that waits for a person is put away after this time.
_IDLE_S = 600.0


class NoSuchMatch(WoodstockError):
    """There is no match with this name."""


class TooManyMatches(WoodstockError):
    """The site plays as many matches as it may."""


class Matches:
    """The matches of one site; to be used on the event loop."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._feeds: dict[str, Feed] = {}
        self._opening: dict[str, asyncio.Lock] = {}
        self._looked_at: dict[str, float] = {}
        self._lock = threading.Lock()

    async def create(self, head: Head) -> str:
        """Begin a match and return its name."""
        await self._make_room()
        loaded = await self._site.shelf.get(head.game)
        if head.state is not None:
            loaded.game.state(head.state)
        now = time.time()
        row = (head.id, head.game, json.dumps(head.as_json()), now, now)
        old = "DELETE FROM matches WHERE id NOT IN (SELECT id FROM matches ORDER BY changed DESC LIMIT ?)"
        kept = self._site.settings.matches_kept
        self._site.store.write(("INSERT INTO matches VALUES (?, ?, ?, ?, ?)", row), (old, (kept,)))
        await self.feed(head.id)
        return head.id

    async def feed(self, name: str) -> Feed:
        """Return a match that is played, taking it out of the store if need be."""
        self._looked_at[name] = time.monotonic()
        found = self._feeds.get(name)
        if found is not None:
            return found
        async with self._opening.setdefault(name, asyncio.Lock()):
            found = self._feeds.get(name)
            if found is None:
                await self._make_room()
                found = self._feeds[name] = await self._open(name)
        self._opening.pop(name, None)
        return found

    async def _open(self, name: str) -> Feed:
        rows = self._site.store.read("SELECT head FROM matches WHERE id = ?", (name,))
        if not rows:
            raise NoSuchMatch("There is no such match here.")
        head = Head.from_json(json.loads(rows[0][0]))
        nodes = self._site.store.read("SELECT body FROM nodes WHERE match = ? ORDER BY node", (name,))
        loaded = await self._site.shelf.get(head.game)
        turns = [Node.from_json(json.loads(body)) for (body,) in nodes]
        match = HostedMatch(loaded, head, turns, self._site.settings, self._keep)
        return Feed(match, asyncio.get_running_loop())

    def _keep(self, head: Head, node: Node | None) -> None:
        """Write down where a match is; on its thread, before anybody is told."""
        text = "UPDATE matches SET head = ?, changed = ? WHERE id = ?"
        statements: list[tuple[str, tuple[Any, ...]]] = [(text, (json.dumps(head.as_json()), time.time(), head.id))]
        if node is not None:
            row = (head.id, node.number, node.parent, json.dumps(node.as_json()))
            statements.insert(0, ("INSERT INTO nodes VALUES (?, ?, ?, ?)", row))
        self._site.store.write(*statements)

    async def _make_room(self) -> None:
        """Put away matches that nobody needs; refuse if all are in use."""
        now = time.monotonic()
        most = self._site.settings.matches_at_once
        for name, feed in list(self._feeds.items()):
            idle_s = now - self._looked_at.get(name, 0.0)
            is_needed = feed.viewers or (feed.match.is_busy and idle_s < _IDLE_S)
            if not is_needed and (idle_s > _IDLE_S or len(self._feeds) >= most):
                del self._feeds[name]
                feed.close()
                await self._site.run(partial(feed.match.close))
        if len(self._feeds) >= most:
            raise TooManyMatches(f"{most} matches are being played; wait for one to end, or close a page")

    def listed(self, limit: int = 60) -> list[dict[str, Any]]:
        """Return the matches that changed last, with what a list shows."""
        rows = self._site.store.read(
            "SELECT head, changed, (SELECT count(*) FROM nodes WHERE match = id) FROM matches"
            " ORDER BY changed DESC LIMIT ?",
            (limit,),
        )
        found = []
        for text, changed, turns in rows:
            head = Head.from_json(json.loads(text))
            feed = self._feeds.get(head.id)
            found.append(
                {
                    "id": head.id,
                    "game": head.game,
                    "title": head.title,
                    "seats": [(seat.role, seat.name) for seat in head.seats],
                    "turns": turns,
                    "changed": changed,
                    "isLive": feed is not None and feed.match.is_busy,
                    "viewers": 0 if feed is None else feed.viewers,
                }
            )
        return found

    def close(self) -> None:
        """End all matches; they come back after the next start."""
        for feed in self._feeds.values():
            feed.close()
        threads = [threading.Thread(target=feed.match.close) for feed in self._feeds.values()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def matches_of(site: Site) -> Matches:
    """Return the matches of a site."""
    found = site.parts.get(PART)
    if found is None:
        found = site.parts[PART] = Matches(site)
    assert isinstance(found, Matches)
    return found


def new_name() -> str:
    """Return a name that nobody can guess."""
    return secrets.token_urlsafe(9)


def seat_with_invite(head: Head, secret: str) -> Seat | None:
    """Return the seat that a link gives away."""
    return next((seat for seat in head.seats if seat.invite and secrets.compare_digest(seat.invite, secret)), None)
