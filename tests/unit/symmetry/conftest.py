"""Games that several tests of symmetries use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import woodstock

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def load_asset() -> Callable[[str], woodstock.Game]:
    """Load a rulesheet of this folder, each once."""
    loaded: dict[str, woodstock.Game] = {}

    def load(name: str) -> woodstock.Game:
        if name not in loaded:
            loaded[name] = woodstock.load(HERE / f"{name}.kif")
        return loaded[name]

    return load
