"""Plain Python values for expressions: numbers of numpy as integers, exponents, texts that stay short."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from woodstock.errors import ModelError

SHOWN = 80  # characters of an expression in a message
LARGEST_EXPONENT = 32
LARGEST = 2**53  # of constants: bounds are computed with floating-point numbers
LEVELS = 100  # of expressions in each other: most of what works on them is recursive


def plain(value: Any) -> Any:
    """Return numbers and truth values of numpy as Python's own; other values as they are."""
    return value.item() if isinstance(value, np.integer | np.bool_) else value


def shown(thing: object, limit: int = SHOWN) -> str:
    """Return what a message shows of an expression: its text, or the beginning of a long one."""
    text = thing if isinstance(thing, str) else repr(thing)
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def exponent_of(value: object) -> int:
    """Return an exponent as a number."""
    number = plain(value)
    if type(number) is not int or not 0 <= number <= LARGEST_EXPONENT:
        raise ModelError(
            f"** needs a number from 0 to {LARGEST_EXPONENT} as its exponent, got {shown(value)}; for other powers use "
            "an element of a list"
        )
    return number


def extremum(terms: tuple[Any, ...], of_numbers: Callable[[Any], Any], of_arrays: Callable[[Any, Any], Any]) -> Any:
    """Return the least or the greatest of numbers or arrays."""
    if any(isinstance(term, np.ndarray) for term in terms):
        return functools.reduce(of_arrays, terms)
    return of_numbers(terms)
