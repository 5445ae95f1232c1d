"""Libraries that only some environments need: the error says what to install."""

from __future__ import annotations

import importlib
from types import ModuleType

from woodstock.errors import WoodstockError


class MissingExtraError(WoodstockError, ImportError):
    """A library of an extra is not installed."""


def need(module: str, extra: str) -> ModuleType:
    """Import a library, or say which extra of woodstock brings it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        library = module.partition(".")[0]
        raise MissingExtraError(
            f"{library} is not installed: run pip install 'woodstock[{extra}]' ({error})"
        ) from error
