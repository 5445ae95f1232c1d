"""A draft: the game of rules that are being written, and the states that can be tried on its board."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any

from woodstock.errors import WoodstockError
from woodstock.game.game import Game
from woodstock.game.load import from_program
from woodstock.game.semantics import check_semantics, replay
from woodstock.game.state import State
from woodstock.gdl.parse import parse
from woodstock.gdl.source import clean
from woodstock.view import Gestures, View
from woodstock.web.position import position_json
from woodstock.web.rules.reading import Offsets, diagnostic_json

JsonObject = dict[str, Any]

_MOST_STEPS = 500


class Draft:
    """The last text that could be loaded, with its board."""

    def __init__(self) -> None:
        self._text = ""
        self._game: Game | None = None
        self._view: View | None = None
        self._gestures: Gestures | None = None

    def open(self, text: str, path: Sequence[Sequence[str]], ground_seconds: float, memory_mb: int) -> JsonObject:
        """Load the rules; return the board and the state after as much of `path` as is still legal."""
        begun = time.perf_counter()
        text = clean(text)
        if self._game is None or text != self._text:
            self._load(text, ground_seconds, memory_mb)
        game, view, _ = self._loaded()
        kept = _longest(game, path)
        return {
            "scene": view.scene.as_json(),
            "roles": list(game.roles),
            "engine": game.engine_name,
            "notes": list(game.notes),
            **self.show(kept),
            "seconds": round(time.perf_counter() - begun, 3),
        }

    def _load(self, text: str, ground_seconds: float, memory_mb: int) -> None:
        program = parse(text, "rules")
        old = self._game
        if old is not None and program.rules == old.program.rules:
            # Only comments and spaces changed: the engine and the board stay, places in the text are the new ones.
            self._game = Game(program, old.engine, name=old.name, notes=old.notes, budget=old.budget)
        else:
            self._game = from_program(program, "rules", ground_seconds=ground_seconds, ground_memory_mb=memory_mb)
            self._view = View(self._game)
            self._gestures = Gestures(self._game, self._view.layout, self._view.scene)
        self._text = text

    def show(self, path: Sequence[Sequence[str]]) -> JsonObject:
        """Return the state that these joint moves lead to."""
        game, view, gestures = self._loaded()
        before = None if not path else replay(game, [tuple(joint) for joint in path[:-1]])
        state = game.initial if before is None else before.next(tuple(path[-1]))
        return {
            "path": [list(joint) for joint in path],
            "position": position_json(view, gestures, state, before),
            "goals": state.goals,
            "facts": sorted(state.fluents),
        }

    def play(self, path: Sequence[Sequence[str]], moves: dict[str, str], seed: int) -> JsonObject:
        """Make these moves, and one at random for every other role; return the state after them."""
        game, *_ = self._loaded()
        state = replay(game, [tuple(joint) for joint in path])
        chance = random.Random(seed)
        joint = [moves.get(role) or _any(state, role, chance) for role in game.roles]
        state.next(joint)  # says what is not legal
        return self.show([*path, joint])

    def random(self, path: Sequence[Sequence[str]], turns: int, seed: int) -> JsonObject:
        """Play some turns at random."""
        game, *_ = self._loaded()
        state = replay(game, [tuple(joint) for joint in path])
        chance = random.Random(seed)
        made = [list(joint) for joint in path]
        for _ in range(min(turns, _MOST_STEPS)):
            if state.is_terminal or not all(state.legal(role) for role in game.roles):
                break
            joint = [_any(state, role, chance) for role in game.roles]
            state = state.next(joint)
            made.append(joint)
        return self.show(made)

    def warnings(self, seconds: float) -> JsonObject:
        """Play at random for a while; return what was found, each with the way to its position."""
        game, *_ = self._loaded()
        report = check_semantics(game, seconds=seconds)
        offsets = Offsets(self._text)
        return {
            "findings": [
                {**diagnostic_json(one.diagnostic, offsets), "path": [list(joint) for joint in one.path]}
                for one in report.findings
            ],
            "claims": [{"text": one.text, "verdict": one.verdict, "detail": one.detail} for one in report.claims],
            "states": report.states,
            "playouts": report.playouts,
            "is_exhaustive": report.is_exhaustive,
        }

    def _loaded(self) -> tuple[Game, View, Gestures]:
        if self._game is None or self._view is None or self._gestures is None:
            raise WoodstockError("there are no rules to play yet")
        return self._game, self._view, self._gestures


def _any(state: State, role: str, chance: random.Random) -> str:
    legal = state.legal(role)
    if not legal:
        raise WoodstockError(f"{role} has no legal move here, although the state is not terminal")
    return chance.choice(legal)


def _longest(game: Game, path: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the first joint moves of a path, as far as they are legal in the game as it is now."""
    state, kept = game.initial, []
    for joint in path:
        try:
            state = state.next(tuple(joint))
        except WoodstockError:
            break
        kept.append(list(joint))
    return kept
