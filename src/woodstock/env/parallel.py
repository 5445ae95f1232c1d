"""PettingZoo's parallel form, which is GDL's own: in every step each role makes one move."""

from __future__ import annotations

from typing import Any

from woodstock.env.agents import agent_names
from woodstock.env.extras import need
from woodstock.env.lifecycle import Lifecycle
from woodstock.env.render import MODES, check_mode
from woodstock.env.settings import check_choice
from woodstock.env.single import SingleMatch
from woodstock.errors import GameError
from woodstock.game.game import Game

need("pettingzoo", "env")

from pettingzoo import ParallelEnv  # noqa: E402

from woodstock.env import spaces  # noqa: E402

Shown = dict[str, Any]
Flags = dict[str, bool]


class ParallelMatch(Lifecycle, ParallelEnv[str, Any, int]):  # type: ignore[misc]
    """One match; made by `parallel_env`."""

    def __init__(self, match: SingleMatch, mask_in: str, render_mode: str | None) -> None:
        check_choice("mask_in", mask_in, spaces.MASK_IN)
        check_mode(render_mode)
        self.metadata = {"name": match.game.name, "render_modes": list(MODES), "is_parallelizable": True}
        self.render_mode = render_mode
        self.game, self._match, self._mask_in = match.game, match, mask_in
        self.possible_agents = agent_names(match.roles)
        self.agents: list[str] = []
        self.roles = dict(zip(self.possible_agents, match.roles, strict=True))
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

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Shown, Shown]:
        """Start over, in `options["state"]` if that is given."""
        self._check_open()
        self._match.begin(seed, (options or {}).get("state"))
        self.agents = list(self.possible_agents)
        return self._shown()

    def step(self, actions: dict[str, int]) -> tuple[Shown, dict[str, float], Flags, Flags, Shown]:
        """Make one move of every agent."""
        self._check_open()
        if not self.agents:
            raise GameError("the match is over: call reset")
        missing = [agent for agent in self.agents if agent not in actions]
        if missing:
            raise GameError(f"every agent makes a move in every step: none given for {', '.join(missing)}")
        chosen = [self._match.resolve(player, actions[agent]) for player, agent in enumerate(self.possible_agents)]
        self._match.advance(chosen)
        shown, infos = self._shown()
        rewards = dict(zip(self.possible_agents, self._match.rewards, strict=True))
        terminated = dict.fromkeys(self.possible_agents, self._match.state.is_terminal)
        truncated = dict.fromkeys(self.possible_agents, self._match.is_truncated)
        if self._match.is_over:
            self.agents = []
        return shown, rewards, terminated, truncated, infos

    def _shown(self) -> tuple[Shown, Shown]:
        pairs = [spaces.observe(self._match, player, self._mask_in) for player in range(len(self.possible_agents))]
        observations = {agent: pair[0] for agent, pair in zip(self.possible_agents, pairs, strict=True)}
        return observations, {agent: pair[1] for agent, pair in zip(self.possible_agents, pairs, strict=True)}

    def state(self) -> Any:
        """Return the fluents of the state, for critics that see everything; refused if the rules hide something."""
        if self.game.has_percepts:
            raise GameError(f"{self.game.name} hides its state")
        return self._match.observation(0)

    def __str__(self) -> str:
        return self.game.name


def parallel_env(
    game: Game | str,
    *,
    observe: str = "fluents",
    perspective: bool = False,
    mask_in: str = "observation",
    illegal: str = "error",
    max_steps: int | None = None,
    render_mode: str | None = None,
    strict: bool = False,
) -> ParallelMatch:
    """Return a PettingZoo environment in which all roles move at once.

    `mask_in="info"` leaves the mask out of the observation, for code that expects plain arrays. `illegal="random"`
    replaces an illegal move by a random one, as a GGP server does. Rewards are the goals of a terminal state divided
    by 100.

    >>> match = parallel_env("matching-pennies")
    >>> observations, infos = match.reset(seed=1)
    >>> match.agents, match.action_space("even_0").names
    (['even_0', 'odd_1'], ('(turn heads)', '(turn tails)'))
    """
    match = SingleMatch(
        game, observe=observe, perspective=perspective, max_steps=max_steps, illegal=illegal, strict=strict
    )
    return ParallelMatch(match, mask_in, render_mode)
