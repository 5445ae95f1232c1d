"""OpenSpiel's view of our games: one Python game, `woodstock`, with the rules as its parameter.

A node of OpenSpiel is a decision: steps in which nobody has a choice are made at once. If several roles have a choice,
it is a simultaneous node; if `random` has one, a chance node follows with equal probabilities. Utilities are goals
scaled from 0..100 to -1..1. In games with `sees`, the information state of a player is all that it did and saw.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from woodstock.env.analysis import Analysis
from woodstock.env.extras import need
from woodstock.errors import GameError
from woodstock.game.game import Game
from woodstock.game.load import load as load_rules
from woodstock.game.state import State

pyspiel: Any = need("pyspiel", "openspiel")

NAME = "woodstock"
# Forced steps in a row; more are a match that never ends.
_MOST_FORCED = 100_000

# The name of a game that was not loaded by name, before the hash of its rules.
_GIVEN = "rules-"


def _game_type(analysis: Analysis) -> Any:
    """Return the type that OpenSpiel's algorithms look at."""
    kind, facts = pyspiel.GameType, analysis.facts
    utility = kind.Utility.GENERAL_SUM
    if facts.total is not None:
        utility = kind.Utility.ZERO_SUM if facts.total == 50 * len(analysis.players) else kind.Utility.CONSTANT_SUM
    information = kind.Information
    return kind(
        short_name=NAME,
        long_name=f"woodstock: {analysis.game.name}",
        dynamics=kind.Dynamics.SIMULTANEOUS if facts.is_simultaneous else kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if analysis.chance_moves else kind.ChanceMode.DETERMINISTIC,
        information=(information.IMPERFECT_INFORMATION if analysis.plan.is_hidden else information.PERFECT_INFORMATION),
        utility=utility,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=len(analysis.players),
        min_num_players=len(analysis.players),
        provides_information_state_string=True,
        provides_information_state_tensor=analysis.has_tensor,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"game": "tic-tac-toe"},
    )


def _game_info(analysis: Analysis) -> Any:
    """Return the sizes that OpenSpiel's algorithms need."""
    facts, players = analysis.facts, len(analysis.players)
    options = {} if facts.total is None else {"utility_sum": facts.total / 50 - players}
    return pyspiel.GameInfo(
        num_distinct_actions=max(map(len, analysis.moves)),
        max_chance_outcomes=len(analysis.chance_moves),
        num_players=players,
        min_utility=-1.0,
        max_utility=1.0,
        # Several players may decide in each joint move, one after the other if simultaneous moves are made sequential.
        max_game_length=facts.longest * (players if facts.is_simultaneous else 1),
        **options,
    )


# OpenSpiel makes a game anew for each state that it reads back, so what is known about one is kept, by its name.
_ANALYSES: dict[str, Analysis] = {}
_MOST_ANALYSES = 64


def _analysis(name: str, game: Game | None = None) -> Analysis:
    """Return what is known about a game; a game that is given replaces the one of that name."""
    known = _ANALYSES.get(name)
    if known is None or (game is not None and game is not known.game):
        if game is None and name.startswith(_GIVEN):
            raise GameError(f"the game {name} was made from rules in another process: load it there by a file")
        known = Analysis(load_rules(name) if game is None else game)
        while len(_ANALYSES) >= _MOST_ANALYSES:
            del _ANALYSES[next(iter(_ANALYSES))]
        _ANALYSES[name] = known
    return known


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of ours for OpenSpiel; `load` makes it."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {"game": "tic-tac-toe"}
        self.analysis = _analysis(params["game"])
        super().__init__(_game_type(self.analysis), _game_info(self.analysis), params)

    def new_initial_state(self) -> OpenSpielState:
        """Return the root of the game tree."""
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return what makes tensors and texts of what a player sees."""
        del params
        return Observer(self.analysis, bool(iig_obs_type is not None and iig_obs_type.perfect_recall))


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A node: a decision of one player or of several at once, a move of chance, or the end."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.analysis = game.analysis
        self.state: State = self.analysis.game.initial
        # For each player: what it did and saw in each step so far.
        self.stories: tuple[tuple[tuple[str, tuple[str, ...]], ...], ...] = ((),) * len(self.analysis.players)
        self._chosen: tuple[int, ...] | None = None
        self._settle()

    # Where the match is.

    def _choosers(self) -> list[int]:
        if self.state.is_terminal:
            return []
        return [p for p, role in enumerate(self.analysis.players) if len(self.state.legal(role)) > 1]

    def _chance_moves(self) -> Sequence[str]:
        role = self.analysis.chance_role
        return () if role is None else self.state.legal(role)

    def _settle(self) -> None:
        """Make the steps in which neither a player nor chance has a choice."""
        for _ in range(_MOST_FORCED):
            if self._chosen is None:
                if self.state.is_terminal or self._choosers():
                    return
                self._chosen = tuple(self._legal_indices(p)[0] for p in range(len(self.analysis.players)))
            if len(self._chance_moves()) > 1:
                return
            self._advance(self._chance_moves()[0] if self._chance_moves() else None)
        raise GameError(f"{self.analysis.game.name} makes forced moves without end")

    def _legal_indices(self, player: int) -> list[int]:
        found = list(self.state.legal_indices(self.analysis.players[player]))
        if not found:
            raise GameError(f"{self.analysis.players[player]} has no legal move in a state that is not terminal")
        return found

    def _advance(self, chance: str | None) -> None:
        assert self._chosen is not None
        joint = {role: self.analysis.moves[p][self._chosen[p]] for p, role in enumerate(self.analysis.players)}
        if self.analysis.chance_role is not None and chance is not None:
            joint[self.analysis.chance_role] = chance
        self.state = self.state.next(joint)
        self._chosen = None
        if self.analysis.plan.is_hidden:
            self.stories = tuple(
                (*story, (joint[role], tuple(self.state.sees(role))))
                for story, role in zip(self.stories, self.analysis.players, strict=True)
            )

    # What OpenSpiel asks.

    def current_player(self) -> Any:
        """Return the player to move, or that chance, several players or nobody is."""
        if self._chosen is not None:
            return pyspiel.PlayerId.CHANCE
        choosers = self._choosers()
        if not choosers:
            return pyspiel.PlayerId.TERMINAL
        if len(choosers) == 1:
            return choosers[0]
        if not self.analysis.facts.is_simultaneous:
            raise GameError(
                f"several roles of {self.analysis.game.name} choose at once here, which random play did not show before"
            )
        return pyspiel.PlayerId.SIMULTANEOUS

    def _legal_actions(self, player: int) -> list[int]:
        return self._legal_indices(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the moves of chance with their probabilities, which are equal."""
        names = self.analysis.chance_moves
        legal = sorted(names.index(move) for move in self._chance_moves())
        return [(index, 1 / len(legal)) for index in legal]

    def _apply_action(self, action: int) -> None:
        if self._chosen is not None:
            self._advance(self.analysis.chance_moves[action])
        else:
            mover = self._choosers()[0]
            self._chosen = tuple(
                action if p == mover else self._legal_indices(p)[0] for p in range(len(self.analysis.players))
            )
        self._settle()

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self._chosen = tuple(actions)
        self._settle()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.analysis.chance_moves[action]
        return self.analysis.moves[player][action]

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return self._chosen is None and self.state.is_terminal

    def returns(self) -> list[float]:
        """Return the goals of a terminal state, scaled to -1..1, else zeros."""
        if not self.is_terminal():
            return [0.0] * len(self.analysis.players)
        scores = self.state.scores
        return [scores[role] / 50 - 1 for role in self.analysis.players]

    def __str__(self) -> str:
        waits = "" if self._chosen is None else f" chosen {self._chosen}"
        return " ".join(sorted(self.state.fluents)) + waits


class Observer:
    """What a player sees: the last step (or the state, if nothing is hidden), or all of its story."""

    def __init__(self, analysis: Analysis, perfect_recall: bool) -> None:
        self._analysis, self._recalls = analysis, perfect_recall
        hidden = analysis.plan.is_hidden
        self._shape = (analysis.facts.longest, analysis.width) if perfect_recall and hidden else (analysis.width,)
        has_tensor = analysis.has_tensor or not (perfect_recall and hidden)
        self.tensor = np.zeros(int(np.prod(self._shape)) if has_tensor else 0, np.float32)
        self.dict = {"observation": self.tensor.reshape(self._shape)} if has_tensor else {}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Fill the tensor with what the player sees."""
        self.tensor.fill(0)
        if not self.dict:
            return
        to = self.dict["observation"]
        if not self._analysis.plan.is_hidden:
            to[:] = state.state.vector
            return
        story = state.stories[player]
        if self._recalls:
            if len(story) > len(to):
                raise GameError(f"a match of {self._analysis.game.name} is longer than the {len(to)} steps expected")
            for row, step in zip(to, story, strict=False):
                self._mark(row, player, step)
        else:
            self._mark(to, player, story[-1] if story else None)

    def _mark(self, row: Any, player: int, step: tuple[str, tuple[str, ...]] | None) -> None:
        for position, (kind, text) in enumerate(self._analysis.plan.names_of(player)):
            if step is None:
                row[position] = kind == "first"
            elif kind != "first":
                row[position] = text == step[0] if kind == "did" else text in step[1]

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return the same as text."""
        if self._analysis.plan.is_hidden:
            story = state.stories[player] if self._recalls else state.stories[player][-1:]
            return "; ".join(f"{did}: {' '.join(seen)}" for did, seen in story) or "start"
        return state.history_str() if self._recalls else str(state)


def load(game: Game | str) -> Any:
    """Return a game for OpenSpiel; `pyspiel.load_game("woodstock(game=tic-tac-toe)")` does the same for a name.

    >>> game = load("tic-tac-toe")
    >>> state = game.new_initial_state()
    >>> state.action_to_string(0, state.legal_actions()[4])
    '(mark 2 2)'
    """
    name = game if isinstance(game, str) else f"{_GIVEN}{game.rules_hash}"
    _analysis(name, load_rules(game) if isinstance(game, str) else game)
    return pyspiel.load_game(NAME, {"game": name})


pyspiel.register_game(
    pyspiel.GameType(
        short_name=NAME,
        long_name="woodstock: any rules in GDL",
        dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=64,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"game": "tic-tac-toe"},
    ),
    OpenSpielGame,
)
