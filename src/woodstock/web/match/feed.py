"""From what happens in a match to the browsers that look: each message is made once for all who see the same.

Messages are made on the thread of the match, so the event loop only sends. A browser that reads too slowly is sent
away; it comes back by itself and begins with the whole.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from woodstock.web.match.hosted import Happened, HostedMatch
from woodstock.web.match.sight import Sight

_WAITING_MESSAGES = 256


@dataclass(eq=False)
class Viewer:
    """One page that looks at a match. None in the queue: it is sent away.

    What happens before it was told the whole is kept back until then.
    """

    browser: str
    early: list[str] | None = field(default_factory=list)
    queue: asyncio.Queue[str | None] = field(default_factory=lambda: asyncio.Queue(_WAITING_MESSAGES))

    def begin(self, whole: str) -> None:
        """Send the whole, and what happened since it was asked for."""
        early, self.early = self.early or [], None
        for text in (whole, *early):
            self.put(text)

    def put(self, text: str) -> None:
        """Send a message; on the event loop only."""
        if self.early is not None:
            self.early.append(text)
        elif self.queue.full():
            while not self.queue.empty():
                self.queue.get_nowait()
            self.queue.put_nowait(None)
        else:
            self.queue.put_nowait(text)


class Feed:
    """The browsers that look at one match."""

    def __init__(self, match: HostedMatch, loop: asyncio.AbstractEventLoop) -> None:
        self.match = match
        self.sight = Sight(match)
        self._loop = loop
        self._viewers: set[Viewer] = set()
        self._leave: Callable[[], None] = match.subscribe(self._hear)

    @property
    def viewers(self) -> int:
        """How many pages look."""
        return len(self._viewers)

    def add(self, viewer: Viewer) -> None:
        """Let a page hear everything from now on."""
        self._viewers.add(viewer)

    def remove(self, viewer: Viewer) -> None:
        """Forget a page that is gone."""
        self._viewers.discard(viewer)

    def close(self) -> None:
        """Hear nothing more."""
        self._leave()

    def _hear(self, event: Happened) -> None:
        """Make the messages of an event; on the thread of the match."""
        viewers = list(self._viewers)
        texts: dict[Any, list[str]] = {}
        for viewer in viewers:
            key = self._variant(viewer, event)
            if key not in texts:
                texts[key] = [json.dumps(one, separators=(",", ":")) for one in self._messages(viewer, event)]
        if viewers:
            sent = [(viewer, texts[self._variant(viewer, event)]) for viewer in viewers]
            self._loop.call_soon_threadsafe(_send, sent)

    def _variant(self, viewer: Viewer, event: Happened) -> object:
        """Return what the messages of an event depend on: for a head the browser, else its roles."""
        return viewer.browser if event.type == "head" else self.match.head.owned(viewer.browser)

    def _messages(self, viewer: Viewer, event: Happened) -> list[dict[str, Any]]:
        roles = self.match.head.owned(viewer.browser)
        sight = self.sight
        if event.type == "turn":
            number = event.values["node"]["node"]
            turn = sight.turn(roles, self.match.tree.nodes[number])
            found = {"type": "turn", "turn": turn, "isOver": self.match.is_over, **sight.position(roles, number)}
            found |= {} if sight.is_hidden else {"details": event.values["details"]}
            if not roles:
                return [found]
            return [found, {"type": "moves", "node": number, "moves": sight.moves(roles, number)}]
        if event.type == "head":
            current = self.match.current
            head = {"type": "head", "roles": list(roles), **sight.head(viewer.browser, self.match.head)}
            head["watchers"] = len(self._viewers)
            return [{**head, **sight.position(roles, current), "moves": sight.moves(roles, current)}]
        if sight.is_hidden and event.type == "thought":
            return []
        if sight.is_hidden and event.type == "asked":
            # Who has a choice may be a secret.
            own = [role for role in event.values["roles"] if role in roles]
            return [{"type": event.type, **event.values, "roles": own}]
        return [{"type": event.type, **event.values}]


def _send(sent: list[tuple[Viewer, list[str]]]) -> None:
    for viewer, texts in sent:
        for text in texts:
            viewer.put(text)
