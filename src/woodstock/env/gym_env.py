"""A Gymnasium environment: one role to learn, the others played by whom you choose."""

from __future__ import annotations

from typing import Any

from woodstock.env.extras import need
from woodstock.env.lifecycle import Lifecycle
from woodstock.env.opponents import Opponents, OpponentSeat, seated
from woodstock.env.render import MODES, check_mode
from woodstock.env.settings import check_choice
from woodstock.env.single import SingleMatch
from woodstock.errors import GameError
from woodstock.game.game import Game

need("gymnasium", "env")

import gymnasium  # noqa: E402

from woodstock.env import spaces  # noqa: E402

ID = "woodstock/Game-v0"


class Env(Lifecycle, gymnasium.Env[Any, int]):
    """One match of `role` against `opponents`: "random", a player such as "uct", a `Player`, or a policy.

    A policy is called with an observation and a mask and returns a move index. A mapping gives each other role its
    own opponent. A step is one decision: states in which the role has no choice are played through. The reward is the
    role's goal divided by 100, at the end. `play_clock_s` and `simulations` are what a player may use for a move.

    >>> match = Env("tic-tac-toe", role="o", opponents="random")
    >>> seen, info = match.reset(seed=1)
    >>> int(seen["action_mask"].sum())                    # x has moved
    8
    """

    metadata = {"render_modes": list(MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: Game | str,
        role: str | None = None,
        opponents: Opponents = "random",
        *,
        observe: str = "fluents",
        perspective: bool = False,
        mask_in: str = "observation",
        illegal: str = "error",
        max_steps: int | None = None,
        play_clock_s: float = 1.0,
        simulations: int = 0,
        render_mode: str | None = None,
        strict: bool = False,
    ) -> None:
        check_choice("mask_in", mask_in, spaces.MASK_IN)
        check_mode(render_mode)
        self._match = match = SingleMatch(
            game, observe=observe, perspective=perspective, max_steps=max_steps, illegal=illegal, strict=strict
        )
        self.game, self.render_mode, self._mask_in = match.game, render_mode, mask_in
        self.role = match.roles[0] if role is None else match.game.roles[match.game.role_index(role)]
        if self.role not in match.roles:
            raise GameError(f"{self.role} is the role of chance: it cannot learn")
        self._player = match.roles.index(self.role)
        self._seats = {
            match.roles.index(other): OpponentSeat(match, other, who, play_clock_s, simulations)
            for other, who in seated(match.roles, self.role, opponents).items()
        }
        self.action_space: Any = spaces.action_space(match, self._player)
        self.observation_space = spaces.observation_space(match, mask_in)
        self._is_over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start over, in `options["state"]` if that is given."""
        self._check_open()
        super().reset(seed=seed)
        for seat in self._seats.values():
            seat.stop()
        self._match.begin(int(self.np_random.integers(2**62)), (options or {}).get("state"))
        self._is_over = False
        self._play_on(has_chosen=False)
        return spaces.observe(self._match, self._player, self._mask_in)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Make a move of the role and of all opponents, until the role has a choice again."""
        self._check_open()
        if self._is_over:
            raise GameError("the match is over, or was not begun: call reset")
        if not self._match.is_over:
            self._move(self._match.resolve(self._player, action))
            self._play_on(has_chosen=True)
        shown, info = spaces.observe(self._match, self._player, self._mask_in)
        match = self._match
        self._is_over = match.is_over
        return shown, match.rewards[self._player], match.state.is_terminal, match.is_truncated, info

    def _play_on(self, has_chosen: bool) -> None:
        """Go on until the role has a choice. A match that would end without any is left at its last forced move."""
        match = self._match
        while self._has_no_choice():
            before = match.state
            seen = match.seen(self._player)
            self._move(match.legal(self._player)[0])
            match.remember(self._player, seen)
            if not has_chosen and self._match.is_over:
                match.begin(None, before)
                return

    def _has_no_choice(self) -> bool:
        return not self._match.is_over and self._player not in self._match.choosers()

    def _move(self, mine: int) -> None:
        joint = [
            mine if player == self._player else self._seats[player].choose(self.np_random)
            for player in range(len(self._match.roles))
        ]
        self._match.advance(joint)

    def close(self) -> None:
        """End the environment and its players; every further call but this is refused."""
        for seat in self._seats.values():
            seat.stop()
        super().close()


gymnasium.register(ID, entry_point="woodstock.env.gym_env:Env", disable_env_checker=True, order_enforce=False)
