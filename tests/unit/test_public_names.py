"""The public face: every name exists, has a docstring, and shows how to use it by an example that is run."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest

import woodstock

NAMES = [name for name in woodstock.__all__ if name != "__version__"]


def _public_parts(name: str) -> Iterator[tuple[str, Any]]:
    """Yield a public name and, of a class, the methods and properties that it or a class of ours defines."""
    thing = getattr(woodstock, name)
    yield name, thing
    if not inspect.isclass(thing):
        return
    for kind in thing.__mro__:
        if kind is thing or (kind.__module__.startswith("woodstock") and kind.__name__ not in NAMES):
            for member, value in vars(kind).items():
                if not member.startswith("_") and isinstance(
                    value, property | classmethod | staticmethod
                ) | inspect.isfunction(value) | hasattr(value, "func"):
                    yield f"{name}.{member}", value


def _doc(thing: Any) -> str:
    return inspect.getdoc(getattr(thing, "func", thing)) or ""


def _examples(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if line.lstrip().startswith((">>>", "...")))


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_has_an_example(name: str) -> None:
    """A method or property may be shown by the example of its class."""
    shown = _examples(_doc(getattr(woodstock, name)))
    assert shown, f"{name} has no example"
    for part, thing in _public_parts(name):
        assert _doc(thing), f"{part} has no docstring"
        is_shown = re.search(rf"\.{part.rpartition('.')[2]}\b", shown) is not None
        assert part == name or _examples(_doc(thing)) or is_shown, f"no example shows {part}"


def test_what_is_not_for_users_is_not_there() -> None:
    game = woodstock.load("tic-tac-toe")
    for name in ("identity", "indexed_engine", "reference_state", "circuit_stats"):
        assert not hasattr(game, name)
    assert not hasattr(game.initial, "payload")


def test_names_load_late() -> None:
    assert set(woodstock.__all__) <= set(dir(woodstock))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = woodstock.nonsense
