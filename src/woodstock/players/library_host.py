"""The child process that a strategy's shared library lives in: one call of the library for each message."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from woodstock.child_process import Parent

VERSION = 1
_Texts = ctypes.POINTER(ctypes.c_char_p)


class _Match(ctypes.Structure):
    _fields_ = (
        ("match_id", ctypes.c_char_p),
        ("role", ctypes.c_char_p),
        ("rules", ctypes.c_char_p),
        ("start_clock_s", ctypes.c_double),
        ("play_clock_s", ctypes.c_double),
        ("seed", ctypes.c_ulonglong),
    )


class _Turn(ctypes.Structure):
    _fields_ = (
        ("turn", ctypes.c_int),
        ("last_move_count", ctypes.c_int),
        ("last_moves", _Texts),
        ("fluent_count", ctypes.c_int),
        ("fluents", _Texts),
        ("legal_count", ctypes.c_int),
        ("legal", _Texts),
        ("seconds", ctypes.c_double),
    )


def _counted(texts: Sequence[str]) -> tuple[int, Any]:
    """Return the number of texts and a pointer to them, which keeps them alive."""
    array = (ctypes.c_char_p * max(1, len(texts)))(*[text.encode() for text in texts])
    return len(texts), ctypes.cast(array, _Texts)


def _load(path: str) -> ctypes.CDLL:
    library = ctypes.CDLL(path)
    for name in ("woodstock_version", "woodstock_start", "woodstock_play", "woodstock_stop"):
        getattr(library, name).restype = ctypes.c_int
    library.woodstock_start.argtypes = (ctypes.POINTER(_Match),)
    library.woodstock_play.argtypes = (ctypes.POINTER(_Turn),)
    library.woodstock_stop.argtypes = (ctypes.c_int,)
    if (version := library.woodstock_version()) != VERSION:
        raise OSError(f"the library is of version {version}, this woodstock speaks version {VERSION}")
    return library


def _serve(library: ctypes.CDLL, request: dict[str, Any]) -> int:
    call = request["call"]
    if call == "play":
        texts = [part for key in ("last_moves", "fluents", "legal") for part in _counted(request[key])]
        turn = _Turn(request["turn"], *texts, request["seconds"])
        return int(library.woodstock_play(ctypes.byref(turn)))
    if call == "start":
        names = [request[key].encode() for key in ("match_id", "role", "rules")]
        match = _Match(*names, request["start_clock_s"], request["play_clock_s"], request["seed"])
        result = int(library.woodstock_start(ctypes.byref(match)))
    else:
        result = int(library.woodstock_stop(request["goal"]))
    if result != 0:
        raise OSError(f"woodstock_{call} returned {result}")
    return result


def main(arguments: Sequence[str]) -> None:
    """Serve the library until the parent closes the connection."""
    library: ctypes.CDLL | None = None
    parent = Parent()
    for request in parent:
        try:
            if library is None:
                library = _load(arguments[0])
            answer: dict[str, Any] = {"result": _serve(library, request)}
        except (OSError, AttributeError, ValueError) as error:
            answer = {"error": str(error)}
        parent.send(answer)
