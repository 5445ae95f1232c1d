"""What a browser may see of a match, as values for JSON: positions, turns, moves on the board.

In games that hide things a person sees what their role knows: its own moves and percepts, the facts that are certain,
and the others with their probability. Others see nothing of such a match until it is over, unless only programs play.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from woodstock.belief.outlook import Onlooker, Outlook
from woodstock.game.state import State
from woodstock.gdl.chance import without_chance
from woodstock.information import InformationState
from woodstock.information.referee import Views
from woodstock.web.match.head import Head
from woodstock.web.match.hosted import HostedMatch
from woodstock.web.match.seats import PERSON
from woodstock.web.match.tree import ROOT, Node

Json = dict[str, Any]
HIDDEN_MOVE = "…"
UNKNOWN = "?"
_KEPT = 256
# Facts with a probability that are sent, the most likely first.
_MOST_POSSIBLE = 60
_BELIEF_S = 0.5


class Sight:
    """What may be seen of one match. `roles` are always the roles of one browser; () is a spectator."""

    def __init__(self, match: HostedMatch) -> None:
        self._match = match
        self._game = match.loaded.game
        self._scene = match.loaded.view.scene
        self._known: OrderedDict[tuple[str, int], Outlook] = OrderedDict()
        self._onlooker = Onlooker(_BELIEF_S)
        self._lock = threading.Lock()

    def _role_at(self, roles: tuple[str, ...], node: int) -> str | None:
        """Return the role whose view is shown: the first one of the browser that has a choice."""
        to_move = self._match.tree.state(node).to_move
        return next((role for role in roles if role in to_move), roles[0] if roles else None)

    @property
    def is_hidden(self) -> bool:
        """Whether the rules hide things, and somebody must not see them now."""
        if not self._game.has_percepts or self._match.state.is_terminal or self._match.settings.is_cheating:
            return False
        return any(seat.kind == PERSON for seat in self._match.head.seats)

    # One position.

    def position(self, roles: tuple[str, ...], node: int) -> Json:
        """Return a node's picture, its scores and who is to move."""
        state = self._match.tree.state(node)
        # Who has a choice may be a secret, too.
        shown = [role for role in state.to_move if role in roles or not self.is_hidden]
        found: Json = {"node": node, "toMove": shown, "isTerminal": state.is_terminal}
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
        view = self._view(role, node)
        outlook = self._outlook(view, node)
        found["percepts"] = list(view.turns[-1].percepts) if view.turns else []
        found["as"] = role
        if outlook.problem:
            note = f"Only what {role} saw is shown: {outlook.problem}."
            return {**found, "position": {"pieces": [], "changed": [], "facts": []}, "note": note}
        position = self._scene.position(outlook.certain)
        position["facts"] = [fact for fact in position["facts"] if any(fact[1])]
        for place in self._scene.contents(outlook.possible):
            position["pieces"].append([place, UNKNOWN])
        return {**found, "position": position, "possible": self._possible(outlook), "note": _note(role, outlook)}

    def _possible(self, outlook: Outlook) -> list[list[Any]]:
        """Return facts that may hold, each with its probability; that a place is empty is left out."""
        picture = self._match.loaded.view
        told = [(fact, chance) for fact, chance in outlook.possible.items() if not picture.is_blank(fact)]
        told.sort(key=lambda item: (-round(item[1], 6), item[0]))
        return [[fact, round(chance, 4)] for fact, chance in told[:_MOST_POSSIBLE]]

    def _view(self, role: str, node: int) -> InformationState:
        tree = self._match.tree
        return Views().of(role, [tree.state(one) for one in tree.path(node)])

    def _outlook(self, view: InformationState, node: int) -> Outlook:
        with self._lock:
            found = self._known.get((view.role, node))
            if found is None:
                found = self._known[view.role, node] = self._onlooker.outlook(view)
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
        is_hidden = self.is_hidden
        found["chose"] = [
            i
            for i, role in enumerate(self._game.roles)
            if len(before.legal(role)) > 1 and (role in roles or not is_hidden)
        ]
        if is_hidden:
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
        is_hidden = self.is_hidden
        found: Json = {}
        for role in roles:
            if len(state.legal(role)) > 1:
                # Which places a move names can depend on what is there: hidden things must not show that way.
                at = self._some_state(role, node) if is_hidden else state
                found[role] = self._gestures(state.legal(role), at, role)
        return found

    def _gestures(self, legal: Sequence[str], state: State | None, role: str) -> list[Json]:
        gestures = [] if state is None else self._match.loaded.gestures.of(state, role)
        steps = {one.move: one.steps for one in gestures}
        return [{"move": move, "steps": steps.get(move, ())} for move in legal]

    def _some_state(self, role: str, node: int) -> State | None:
        view = self._view(role, node)
        with self._lock:
            return self._onlooker.some_state(view)

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
            "seated": list(without_chance(self._game.roles)),
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


def _note(role: str, outlook: Outlook) -> str:
    if not outlook.possible:
        return f"This is what {role} knows."
    how = "" if outlook.is_exact else ", estimated from a sample"
    return f"This is what {role} knows. Probabilities hold if the others move at random{how}."


def can_control(head: Head, browser: str) -> bool:
    """Return whether a browser may pause, go back and exchange players: it made the match, or has a seat."""
    return head.creator == browser or bool(head.owned(browser))
