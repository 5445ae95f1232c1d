"""What a browser may see of a match, as values for JSON: positions, turns, moves on the board.

In games that hide things a person sees what their role can know: its own moves, its percepts, and the facts that hold
in every state that fits them. Others see nothing of such a match until it is over, unless only programs play.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

from woodstock.match import seated_roles
from woodstock.web.match.head import Head
from woodstock.web.match.hosted import HostedMatch
from woodstock.web.match.knowledge import Knowledge
from woodstock.web.match.seats import PERSON
from woodstock.web.match.tree import ROOT, Node

Json = dict[str, Any]
HIDDEN_MOVE = "…"
UNKNOWN = "?"
_KEPT = 1024


class Sight:
    """What may be seen of one match. `roles` are always the roles of one browser; () is a spectator."""

    def __init__(self, match: HostedMatch) -> None:
        self._match = match
        self._game = match.loaded.game
        self._scene = match.loaded.view.scene
        self._known: OrderedDict[tuple[str, int], Knowledge] = OrderedDict()
        self._lock = threading.Lock()

    def _role_at(self, roles: tuple[str, ...], node: int) -> str | None:
        """Return the role whose view is shown: the first one of the browser that has a choice."""
        to_move = self._match.tree.state(node).to_move
        return next((role for role in roles if role in to_move), roles[0] if roles else None)

    @property
    def is_hidden(self) -> bool:
        """Whether the rules hide things, and somebody must not see them now."""
        if not self._game.has_percepts or self._match.state.is_terminal:
            return False
        return any(seat.kind == PERSON for seat in self._match.head.seats)

    # One position.

    def position(self, roles: tuple[str, ...], node: int) -> Json:
        """Return a node's picture, its scores and who is to move."""
        state = self._match.tree.state(node)
        found: Json = {"node": node, "toMove": list(state.to_move), "isTerminal": state.is_terminal}
        if state.is_terminal:
            found["scores"] = state.scores
        if not self.is_hidden:
            parent = self._match.tree.nodes[node].parent
            before = None if node == ROOT else self._match.tree.state(parent).fluents
            return {**found, "position": self._scene.position(state.fluents, before)}
        role = self._role_at(roles, node)
        if role is None:
            note = "The rules hide things from players. The whole board is shown when the match is over."
            return {**found, "position": {"pieces": [], "changed": [], "facts": []}, "note": note}
        knowledge = self._knowledge(role, node)
        found["percepts"] = list(state.sees(role))
        found["as"] = role
        certain = knowledge.certain
        if certain is None:
            note = f"Too many states are possible for {role}: only what it saw is shown."
            return {**found, "position": {"pieces": [], "changed": [], "facts": []}, "note": note}
        position = self._scene.position(certain)
        position["facts"] = [fact for fact in position["facts"] if any(fact[1])]
        for place in self._scene.contents(knowledge.doubtful):
            position["pieces"].append([place, UNKNOWN])
        return {**found, "position": position, "note": f"This is what {role} can know."}

    def _knowledge(self, role: str, node: int) -> Knowledge:
        tree = self._match.tree
        with self._lock:
            path = tree.path(node)
            start = next((i for i in range(len(path) - 1, 0, -1) if (role, path[i]) in self._known), 0)
            found = self._known[role, path[start]] if start else Knowledge.at_start(tree.state(ROOT), role)
            for before, after in zip(path[start:], path[start + 1 :], strict=False):
                found = found.after(tree.state(before), tree.nodes[after].moves, tree.state(after))
                self._known[role, after] = found
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
            return found

    # Turns and moves.

    def turn(self, roles: tuple[str, ...], node: Node) -> Json:
        """Return a turn; moves that the roles may not see are left out."""
        found = node.as_json()
        if node.number == ROOT:
            return found
        # A list of turns shows what was decided, not what was forced.
        before = self._match.tree.state(node.parent)
        found["chose"] = [
            i for i, role in enumerate(self._game.roles) if role in before.to_move or len(before.legal(role)) > 1
        ]
        if self.is_hidden:
            names = self._game.roles
            shown = [move if role in roles else HIDDEN_MOVE for role, move in zip(names, node.moves, strict=True)]
            found["moves"] = shown
            found.pop("thoughts", None)
            found.pop("seconds", None)
        return found

    def moves(self, roles: tuple[str, ...], node: int) -> Json:
        """Return the legal moves of roles in a node, with the places to click; roles without a choice are left out."""
        state = self._match.tree.state(node)
        if state.is_terminal:
            return {}
        gestures = self._match.loaded.gestures
        return {
            role: [{"move": one.move, "steps": one.steps} for one in gestures.of(state, role)]
            for role in roles
            if len(state.legal(role)) > 1
        }

    # The whole.

    def head(self, browser: str, head: Head) -> Json:
        """Return seats, clocks and state of play; links of seats are for those who may give them away."""
        may_control = can_control(head, browser)
        seats = []
        for seat in head.seats:
            one: Json = {"role": seat.role, "kind": seat.kind, "spec": seat.spec, "name": seat.name}
            if seat.kind == PERSON:
                one |= {"isMine": seat.owner == browser, "isTaken": bool(seat.owner)}
                if may_control and seat.owner != browser:
                    one["invite"] = seat.invite
            seats.append(one)
        state = self._match.state
        return {
            "seats": seats,
            "startClock": head.start_clock_s,
            "playClock": head.play_clock_s,
            "isClocked": head.is_clocked,
            "delay": head.delay_s,
            "current": head.current,
            "isPaused": head.is_paused,
            "isPreparing": self._match.is_preparing,
            "mayControl": may_control,
            "isOver": self._match.is_over,
            "scores": state.scores if state.is_terminal else None,
        }

    def whole(self, browser: str) -> Json:
        """Return everything a page needs to begin, or to begin again."""
        head = self._match.head
        roles = head.owned(browser)
        tree = self._match.tree
        return {
            "type": "match",
            "id": head.id,
            "game": {"key": head.game, "title": head.title, "roles": list(self._game.roles)},
            "seated": list(seated_roles(self._game)),
            "isFromStart": head.state is None,
            "problem": self._match.problem,
            "isHidden": self._game.has_percepts,
            "roles": list(roles),
            "scene": self._scene.as_json(),
            "tree": [self.turn(roles, node) for node in list(tree.nodes)],
            **self.head(browser, head),
            **self.position(roles, head.current),
            "moves": self.moves(roles, head.current),
        }


def can_control(head: Head, browser: str) -> bool:
    """Return whether a browser may pause, go back and exchange players: it made the match, or has a seat."""
    return head.creator == browser or bool(head.owned(browser))
