"""Moves on the board: which places to click, one after the other, for each legal move of a state.

Comes in: a `Game` and its pictures. Goes out: a `Gesture` for each move. The places that a move names are inferred
once for a game (`references`). A move that names none is shown where it has an effect: the next state of each move is
computed, and the places that are not as after most other moves are its places. A move without any place, such as
a pass, is made on a piece that a click picks up, by clicking it again, or it has no steps and is chosen from a list.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.view.board import Layout
from woodstock.view.references import Form, Observation, Places, Reference, find_references
from woodstock.view.scene import Contents, Scene
from woodstock.view.terms import Fact, fact

OBSERVED_STATES = 60
OBSERVED_MATCHES = 6
OBSERVED_MOVES = 8
OBSERVED_SECONDS = 0.6
MOST_MOVES = 4000
# Effects are computed for at most this many moves and this long.
MOST_EFFECTS = 600
EFFECT_SECONDS = 0.06
# Up to this many moves may be to let things stay.
MOST_STAYING = 3
# After this many groups without a gain, the effects of a form of move are not computed any more.
_ENOUGH_TRIES = 60


@dataclass(frozen=True, slots=True)
class Gesture:
    """A move and the places to click for it: one of each step, in order. Without steps it is in the list only."""

    move: str
    steps: tuple[tuple[int, ...], ...] = ()


def fitting(gestures: Collection[Gesture], clicks: Sequence[int]) -> list[Gesture]:
    """Return the gestures that begin with these clicks.

    >>> import woodstock
    >>> game = woodstock.load("tic-tac-toe")
    >>> [one.move for one in fitting(Gestures(game).of(game.initial, "x"), [4])]
    ['(mark 2 2)']
    """
    return [
        one
        for one in gestures
        if len(one.steps) >= max(1, len(clicks))
        and all(click in step for click, step in zip(clicks, one.steps, strict=False))
    ]


class Gestures:
    """How the moves of one game are made on its board; made once.

    >>> import woodstock
    >>> game = woodstock.load("connect-four")
    >>> gestures = Gestures(game)
    >>> [len(one.steps[0]) for one in gestures.of(game.initial, "red")]          # a column has six places
    [6, 6, 6, 6, 6, 6, 6]
    """

    def __init__(self, game: Game, layout: Layout | None = None, scene: Scene | None = None) -> None:
        from woodstock.view.view import view_of

        self._scene = view_of(game).scene if scene is None else scene
        self._places = Places(view_of(game).layout if layout is None else layout, self._scene)
        seen = list(_observe(game, self._scene))
        moves = {one.move.text: one.move for one in seen}
        for move in _all_moves(game):
            moves.setdefault(move, fact(move))
        # For each form: how many groups of moves with equal places were looked at, and how many effects told apart.
        self._tries: dict[Form, tuple[int, int]] = {}
        self.references: dict[Form, list[Reference]] = find_references(self._places, moves.values(), seen)

    def of(self, state: State, role: str) -> list[Gesture]:
        """Return a gesture for each legal move of a role."""
        if not self._scene.place_count:
            return [Gesture(move) for move in state.legal(role)]
        now = self._scene.contents(state.fluents)
        found = [Gesture(move, self._named(fact(move), now)) for move in state.legal(role)]
        groups: dict[tuple[tuple[int, ...], ...], list[int]] = {}
        for number, one in enumerate(found):
            groups.setdefault(one.steps, []).append(number)
        unclear = [numbers for numbers in groups.values() if len(numbers) > 1 or not found[numbers[0]].steps]
        effects = _Effects(state, role, self._scene)
        for numbers in unclear:
            form = fact(found[numbers[0]].move).key
            tried, told = self._tries.get(form, (0, 0))
            if tried >= _ENOUGH_TRIES and not told:
                continue
            extra = effects.places_of([found[number].move for number in numbers], found[numbers[0]].steps)
            self._tries[form] = tried + 1, told + any(extra)
            for number, places in zip(numbers, extra, strict=False):
                if places:
                    found[number] = replace(found[number], steps=(*found[number].steps, places))
        found = [effects.landing_first(one) if any(len(step) > 1 for step in one.steps) else one for one in found]
        homeless = [one for one in found if not one.steps]
        if 0 < len(homeless) <= MOST_STAYING and len(homeless) < len(found):
            staying = effects.staying(homeless, [one for one in found if one.steps])
            found = [replace(one, steps=staying.get(one.move, ())) if not one.steps else one for one in found]
        return found

    def meant(self, state: State, role: str, clicks: Sequence[int]) -> list[str]:
        """Return the moves of a role, legal or not, whose places are these, or else begin with these.

        >>> import woodstock
        >>> game = woodstock.load("tic-tac-toe")
        >>> Gestures(game).meant(game.initial, "x", [4])
        ['(mark 2 2)']
        """
        if state.game.engine.numbering is None or not clicks:
            return []
        now = self._scene.contents(state.fluents)
        whole: list[str] = []
        begun: list[str] = []
        for move in state.game.moves(role):
            steps = self._named(fact(move), now)
            if len(steps) >= len(clicks) and all(click in step for click, step in zip(clicks, steps, strict=False)):
                (whole if len(steps) == len(clicks) else begun).append(move)
        return whole or begun

    def _named(self, move: Fact, now: Contents) -> tuple[tuple[int, ...], ...]:
        references = self.references.get(move.key, [])
        steps = tuple(self._places.named(reference, move, now) for reference in references)
        return tuple(step for step in steps if step)


class _Effects:
    """What each move of a role changes, if the others do the first thing they can; computed when it is needed."""

    def __init__(self, state: State, role: str, scene: Scene) -> None:
        self._state, self._role, self._scene = state, role, scene
        self._after: dict[str, dict[int, tuple[str, ...]]] = {}
        self._ends_at = time.perf_counter() + EFFECT_SECONDS

    def places_of(self, moves: Sequence[str], steps: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Return for each move the places where it does something else than other moves; nothing if it takes long."""
        if len(moves) > MOST_EFFECTS:
            return []
        now = self._scene.contents(self._state.fluents)
        after = []
        for move in moves:
            held = self._contents(move)
            if held is None:
                return []
            after.append(held)
        used = {place for step in steps for place in step}
        own = [mine - used for mine in _own_places(now, after)]
        # Where something appears is a better place to click than where something vanishes.
        appeared = [{p for p in mine if held.get(p)} for mine, held in zip(own, after, strict=True)]
        return [tuple(sorted(new or mine)) for new, mine in zip(appeared, own, strict=True)]

    def staying(self, still: Sequence[Gesture], others: Sequence[Gesture]) -> dict[str, tuple[tuple[int, ...], ...]]:
        """Return steps for moves that only leave things where they are: the pieces that a click picks up.

        To click such a piece again is to let it stay. Where another move ends, a click means that move.
        """
        now = self._scene.contents(self._state.fluents)
        ends = {place for one in others for place in one.steps[-1]}
        held_up = {place for one in others for step in one.steps[:-1] for place in step if place in now} - ends
        found: dict[str, tuple[tuple[int, ...], ...]] = {}
        for one in still:
            held = self._contents(one.move)
            places = () if held is None else tuple(sorted(p for p in held_up if held.get(p) == now[p]))
            found[one.move] = (places,) if places else ()
        return found

    def landing_first(self, gesture: Gesture) -> Gesture:
        """Return the gesture with the place where something appears at the front of its last step: a disc falls."""
        after = self._contents(gesture.move)
        if after is None:
            return gesture
        now = self._scene.contents(self._state.fluents)
        last = gesture.steps[-1]
        landing = [place for place in last if after.get(place) and after.get(place) != now.get(place)]
        step = (*landing, *(place for place in last if place not in landing))
        return replace(gesture, steps=(*gesture.steps[:-1], step))

    def _contents(self, move: str) -> dict[int, tuple[str, ...]] | None:
        found = self._after.get(move)
        if found is None:
            if time.perf_counter() > self._ends_at:
                return None
            roles = self._state.game.roles
            legal = [self._state.legal(role) for role in roles]
            if not all(legal):
                return None
            joint = [move if role == self._role else mine[0] for role, mine in zip(roles, legal, strict=True)]
            found = self._after[move] = self._scene.contents(self._state.next(joint).fluents)
        return found


def _all_moves(game: Game) -> Iterator[str]:
    """Yield the moves that a role may ever have, if the game is grounded; of very many, some."""
    if game.engine.numbering is not None:
        for role in game.roles:
            moves = game.moves(role)
            yield from moves[:: 1 + len(moves) // MOST_MOVES]


def _observe(game: Game, scene: Scene) -> Iterator[Observation]:
    """Yield what moves change in a few random matches."""
    chance = random.Random(0)
    ends_at = time.perf_counter() + OBSERVED_SECONDS
    shown = 0
    for _ in range(OBSERVED_MATCHES):
        state = game.initial
        while shown < OBSERVED_STATES and not state.is_terminal and time.perf_counter() < ends_at:
            legal = [state.legal(role) for role in game.roles]
            if not all(legal):
                break
            shown += 1
            joint = [chance.choice(moves) for moves in legal]
            for number, moves in enumerate(legal):
                if len(moves) > 1:
                    tried = chance.sample(moves, min(OBSERVED_MOVES, len(moves)))
                    joints = [[*joint[:number], move, *joint[number + 1 :]] for move in tried]
                    yield from _observed(state, tried, joints, scene)
            state = state.next(joint)


def _observed(state: State, moves: Sequence[str], joints: Sequence[list[str]], scene: Scene) -> Iterator[Observation]:
    """Yield what moves of one role change, all else being equal."""
    now = scene.contents(state.fluents)
    after = [scene.contents(state.next(joint).fluents) for joint in joints]
    for move, held, own in zip(moves, after, _own_places(now, after), strict=True):
        changed = frozenset(p for p in {*now, *held} if now.get(p) != held.get(p))
        yield Observation(fact(move), now, changed, frozenset(own))


def _own_places(now: Contents, after: Sequence[Contents]) -> list[set[int]]:
    """Return for each of several outcomes the places that are not as in most of the others.

    So what the other roles do, or what happens anyway, is nobody's; and the place of a piece that stays, while it goes
    by every other move, belongs to the move that lets it stay. A single outcome is compared with what is there now.
    """
    if len(after) == 1:
        return [{p for p in {*now, *after[0]} if now.get(p) != after[0].get(p)}]
    usual: dict[int, tuple[str, ...] | None] = {}
    for place in {place for held in after for place in held} | {*now}:
        counts = Counter(held.get(place) for held in after)
        most = max(counts.values())
        likely = [one for one, count in counts.items() if count == most]
        usual[place] = now.get(place) if now.get(place) in likely else likely[0]
    own = [{place for place, held_usually in usual.items() if held.get(place) != held_usually} for held in after]
    # The most usual outcome has no place by this; it gets what it changes and some other move does not.
    differing = {place for place in usual if len({held.get(place) for held in after}) > 1}
    return [
        mine or {place for place in differing if held.get(place) != now.get(place)}
        for mine, held in zip(own, after, strict=True)
    ]
