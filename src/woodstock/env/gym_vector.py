"""A Gymnasium vector environment on the batch: one role in many matches, the others random or by a policy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from woodstock.env.batch import Batch
from woodstock.env.extras import need
from woodstock.env.opponents import Policy, seated
from woodstock.env.settings import check_choice
from woodstock.errors import GameError
from woodstock.game.game import Game

need("gymnasium", "env")

from gymnasium import spaces as gym_spaces  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402
from gymnasium.vector import VectorEnv as GymVectorEnv  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402

from woodstock.env.spaces import Fluents, Moves  # noqa: E402

_AUTORESET = {
    "same": AutoresetMode.SAME_STEP,
    "next": AutoresetMode.NEXT_STEP,
    "never": AutoresetMode.DISABLED,
}


class VectorEnv(GymVectorEnv[Any, Any, Any]):
    """`num_envs` matches of `role`; the options are those of `Batch`.

    Opponents are "random" or policies: called with the rows of observations and masks of the matches in which the
    opponent has a choice, they return a move index for each. A step is one decision of `role` in every match.
    Observations are dictionaries with `observation` and `action_mask`; with `copy=False` they are the buffers of the
    batch, which the next step overwrites.

    >>> vector = VectorEnv("tic-tac-toe", 1024, role="x")
    >>> seen, info = vector.reset(seed=1)
    >>> seen, rewards, ended, cut, info = vector.step(np.argmax(seen["action_mask"], axis=1))
    >>> rewards.shape, seen["observation"].shape
    ((1024,), (1024, 29))
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int,
        role: str | None = None,
        opponents: str | Policy | Mapping[str, str | Policy] = "random",
        *,
        seed: int = 0,
        autoreset: str = "same",
        copy: bool = True,
        **options: Any,
    ) -> None:
        check_choice("autoreset", autoreset, tuple(_AUTORESET))
        refused = [name for name in ("turns", "finals", "masks", "packed") if name in options]
        if refused:
            raise GameError(f"a vector environment sets {refused[0]} itself; use Batch for other forms")
        self.batch = batch = Batch(game, num_envs, seed=seed, autoreset=autoreset, finals=True, **options)
        self.num_envs = batch.n
        self.role = batch.roles[0] if role is None else batch.game.roles[batch.game.role_index(role)]
        if self.role not in batch.roles:
            raise GameError(f"{self.role} is the role of chance: it cannot learn")
        self._player = batch.roles.index(self.role)
        self._others: dict[int, str | Policy] = {}
        for other, who in seated(batch.roles, self.role, cast(Any, opponents)).items():
            if who != "random" and not callable(who):
                raise GameError(f"in a vector {other} must be 'random' or a policy, not {who!r}; Env takes any player")
            self._others[batch.roles.index(other)] = who
        self.metadata = {"autoreset_mode": _AUTORESET[autoreset], "name": batch.game.name}
        self._autoreset, self._copy = autoreset, copy
        fluents = Fluents(batch.observation_shape, batch.observation_names)
        mask = gym_spaces.Box(0, 1, (batch.mask_size,), np.int8)
        self.single_observation_space = gym_spaces.Dict({"observation": fluents, "action_mask": mask})
        self.single_action_space = Moves(batch.mask_size, batch.moves(self.role))
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = gym_spaces.MultiDiscrete(np.full(self.num_envs, batch.mask_size))

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start all matches over, or those flagged by `options["reset_mask"]`."""
        if seed is not None and not isinstance(seed, int | np.integer):
            raise GameError("a vector of matches has one seed, not one for each match")
        which = (options or {}).get("reset_mask")
        if which is not None:
            self.batch.restart(which)
        else:
            self.batch.reset(None if seed is None else int(seed))
        self._play_on(np.zeros(self.num_envs, np.float32), self._flags(), self._flags())
        return self._shown(), {}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Make a move of the role and of all opponents in every match, until the role has a choice again."""
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,):
            raise GameError(f"one action for each of {self.num_envs} matches is needed, not {actions.shape}")
        rewards, ended, cut = np.zeros(self.num_envs, np.float32), self._flags(), self._flags()
        info: dict[str, Any] = {}
        self._move(actions, None, rewards, ended, cut, info)
        self._play_on(rewards, ended, cut, info)
        return self._shown(), rewards, ended, cut, info

    def _flags(self) -> NDArray[np.bool_]:
        return np.zeros(self.num_envs, dtype=np.bool_)

    def _play_on(
        self,
        rewards: NDArray[np.float32],
        ended: NDArray[np.bool_],
        cut: NDArray[np.bool_],
        info: dict[str, Any] | None = None,
    ) -> None:
        """Step the matches in which the role has no choice; one that has ended waits unless it has started over."""
        while True:
            waiting = self._has_no_choice()
            if self._autoreset != "same":
                waiting &= ~(ended | cut | self.batch.frame.terminal | self.batch.frame.truncated)
            if not waiting.any():
                return
            self._move(None, waiting, rewards, ended, cut, info)

    def _has_no_choice(self) -> NDArray[np.bool_]:
        masks = cast(NDArray[np.uint8], self.batch.frame.masks)
        return cast(NDArray[np.bool_], masks[:, self._player].sum(axis=1) < 2)

    def _move(
        self,
        actions: NDArray[Any] | None,
        only: NDArray[np.bool_] | None,
        rewards: NDArray[np.float32],
        ended: NDArray[np.bool_],
        cut: NDArray[np.bool_],
        info: dict[str, Any] | None,
    ) -> None:
        moves = self.batch.sample()
        for other, who in self._others.items():
            if who != "random":
                self._ask(cast(Policy, who), other, moves)
        if actions is not None:
            moves[:, self._player] = actions
        frame = self.batch.step(moves, only)
        # A match counts once in a step, even if the next one ends before the role has had a choice.
        fresh = (frame.terminal | frame.truncated) & ~(ended | cut)
        if only is not None:
            fresh &= only
        if not fresh.any():
            return
        rewards[fresh] = frame.goals[fresh, self._player] / 100
        ended[fresh], cut[fresh] = frame.terminal[fresh], frame.truncated[fresh]
        if info is not None and self._autoreset == "same":
            self._keep_finals(info, fresh)

    def _keep_finals(self, info: dict[str, Any], fresh: NDArray[np.bool_]) -> None:
        """Note the observations of final states as Gymnasium does: `final_obs` and which rows of it are new."""
        finals = self._own(cast(NDArray[np.uint8], self.batch.frame.finals))
        if "final_obs" not in info:
            mask = np.ones((self.num_envs, self.batch.mask_size), np.int8)
            info["final_obs"] = {"observation": np.zeros_like(finals), "action_mask": mask}
            info["_final_obs"] = self._flags()
        info["final_obs"]["observation"][fresh] = finals[fresh]
        info["_final_obs"] |= fresh

    def _ask(self, policy: Policy, player: int, moves: NDArray[np.int32]) -> None:
        masks = cast(NDArray[np.uint8], self.batch.frame.masks)[:, player]
        choosing = np.flatnonzero(masks.sum(axis=1) > 1)
        if len(choosing):
            seen = self._own(self.batch.frame.observations, player)
            moves[choosing, player] = np.asarray(policy(seen[choosing], masks[choosing]))

    def _own(self, observations: NDArray[np.uint8], player: int | None = None) -> NDArray[np.uint8]:
        has_views = observations.ndim > 1 + len(self.batch.observation_shape)
        return observations[:, self._player if player is None else player] if has_views else observations

    def _shown(self) -> dict[str, NDArray[Any]]:
        masks = cast(NDArray[np.uint8], self.batch.frame.masks)[:, self._player].view(np.int8)
        seen = self._own(self.batch.frame.observations)
        if self._copy:
            seen, masks = seen.copy(), masks.copy()
        return {"observation": seen, "action_mask": masks}

    def close_extras(self, **_options: Any) -> None:
        """Free the matches."""
        self.batch.close()
