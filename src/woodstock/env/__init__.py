"""Any game as an environment for learning.

`Batch` steps thousands of matches together and needs nothing but numpy. `parallel_env` and `env` are PettingZoo
environments, `Env` and `VectorEnv` are Gymnasium ones; they need the extra `env`. `woodstock.env.openspiel` registers
games with OpenSpiel; it needs the extra `openspiel`. Each of them is imported when it is first used.

>>> import woodstock.env
>>> batch = woodstock.env.Batch("tic-tac-toe", 4096, seed=1)
>>> frame = batch.step(batch.sample())
>>> frame.observations.shape, frame.masks.shape
((4096, 29), (4096, 2, 10))
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from woodstock.env.aec import env
    from woodstock.env.batch import Batch, Frame
    from woodstock.env.gym_env import Env
    from woodstock.env.gym_vector import VectorEnv
    from woodstock.env.parallel import parallel_env

_HOMES = {
    "Batch": "batch",
    "Env": "gym_env",
    "Frame": "batch",
    "VectorEnv": "gym_vector",
    "env": "aec",
    "parallel_env": "parallel",
}

__all__ = ["Batch", "Env", "Frame", "VectorEnv", "env", "parallel_env"]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'woodstock.env' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"woodstock.env.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
