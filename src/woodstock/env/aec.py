"""PettingZoo's agent-environment cycle: agents with a choice act in turn, forced moves are made for them.

If several roles have a choice at once, they choose one after the other, and none sees what the others chose before
the joint move is made.
"""

from __future__ import annotations

from typing import Any

from woodstock.env.agents import agent_names
from woodstock.env.extras import need
from woodstock.env.lifecycle import Lifecycle
from woodstock.env.render import MODES, check_mode
from woodstock.env.settings import check_choice
from woodstock.env.single import SingleMatch
from woodstock.game.game import Game

need("pettingzoo", "env")

from pettingzoo import AECEnv  # noqa: E402

from woodstock.env import spaces  # noqa: E402


class TurnMatch(Lifecycle, AECEnv[str, Any, Any]):  # type: ignore[misc]
    """One match; made by `env`."""

    def __init__(self, match: SingleMatch, mask_in: str, render_mode: str | None) -> None:
        super().__init__()
        check_choice("mask_in", mask_in, spaces.MASK_IN)
        check_mode(render_mode)
        self.metadata = {"name": match.game.name, "render_modes": list(MODES), "is_parallelizable": False}
        self.render_mode = render_mode
        self.game, self._match, self._mask_in = match.game, match, mask_in
        self.possible_agents = agent_names(match.roles)
        self.roles = dict(zip(self.possible_agents, match.roles, strict=True))
        self._player = {agent: player for player, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: spaces.observation_space(match, mask_in) for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.action_space(match, player) for player, agent in enumerate(self.possible_agents)
        }

    def observation_space(self, agent: str) -> Any:
        """Return the space of what the agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the moves of the agent; `names` has them as the rules write them."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start over, in `options["state"]` if that is given."""
        self._check_open()
        self._match.begin(seed, (options or {}).get("state"))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._chosen: dict[int, int] = {}
        self._skip()
        self._waiting = self._match.choosers()
        if not self._waiting:
            # No choice in the whole match: the first agent makes its only move, so that there is something to step.
            self._match.begin(None, (options or {}).get("state"))
            self._waiting = [0]
        self._tell()
        self.agent_selection = self.possible_agents[self._waiting[0]]

    def observe(self, agent: str) -> Any:
        """Return what the agent sees now."""
        return spaces.observe(self._match, self._player[agent], self._mask_in)[0]

    def step(self, action: Any) -> None:
        """Choose the move of `agent_selection`; the joint move is made when all with a choice have chosen."""
        self._check_open()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        player = self._player[agent]
        self._chosen[player] = self._match.resolve(player, action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._waiting.remove(player)
        if not self._waiting:
            self._make_move()
        self._accumulate_rewards()
        order = self._waiting or range(len(self.possible_agents))
        alive = [self.possible_agents[p] for p in order if self.possible_agents[p] in self.agents]
        self.agent_selection = alive[0]
        if self.render_mode == "human":
            self.render()

    def _make_move(self) -> None:
        match = self._match
        joint = [self._chosen[p] if p in self._chosen else match.legal(p)[0] for p in range(len(self.possible_agents))]
        self._chosen = {}
        match.advance(joint)
        self._skip()
        self._waiting = match.choosers()
        if match.is_over:
            self.rewards = dict(zip(self.possible_agents, match.rewards, strict=True))
            self.terminations = dict.fromkeys(self.agents, match.state.is_terminal)
            self.truncations = dict.fromkeys(self.agents, match.is_truncated)
        self._tell()

    def _skip(self) -> None:
        """Make the moves of steps in which nobody has a choice; percepts of these steps are kept."""
        match = self._match
        players = range(len(self.possible_agents))
        while not match.is_over and (joint := match.only_moves()) is not None:
            seen = [match.seen(player) for player in players]
            match.advance(joint)
            for player in players:
                match.remember(player, seen[player])

    def _tell(self) -> None:
        self.infos = {
            agent: spaces.observe(self._match, self._player[agent], self._mask_in)[1] for agent in self.agents
        }

    def __str__(self) -> str:
        return self.game.name


def env(
    game: Game | str,
    *,
    observe: str = "fluents",
    perspective: bool = False,
    mask_in: str = "observation",
    illegal: str = "error",
    max_steps: int | None = None,
    render_mode: str | None = None,
    strict: bool = False,
) -> TurnMatch:
    """Return a PettingZoo environment in which agents act in turn; the options are those of `parallel_env`.

    >>> match = env("tic-tac-toe")
    >>> match.reset(seed=1)
    >>> match.agent_selection, match.action_space("x_0").names[4]
    ('x_0', '(mark 2 2)')
    >>> match.step(4)
    >>> match.agent_selection, int(match.last()[0]["action_mask"].sum())
    ('o_1', 8)
    """
    match = SingleMatch(
        game, observe=observe, perspective=perspective, max_steps=max_steps, illegal=illegal, strict=strict
    )
    return TurnMatch(match, mask_in, render_mode)
