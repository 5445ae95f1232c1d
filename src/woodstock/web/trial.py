"""A trial of pasted rules: they are loaded and played in a child process first, within limits on time and memory.

What passes here is loaded in the server's own process, by the same steps and so at the same cost. What fails costs its
budget and nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from woodstock.child import Child, ChildGone, ChildTooLate, Limits
from woodstock.child_process import Parent
from woodstock.errors import GameError, WoodstockError
from woodstock.game.load import loads
from woodstock.view import Gestures, View
from woodstock.web.settings import WebSettings

# Reading and drawing come on top of grounding.
_SLACK_S = 10.0
_TURNS = 20


def try_rules(name: str, text: str, settings: WebSettings) -> None:
    """Raise `GameError` if the rules are wrong, or need more time or memory than they may."""
    if len(text.encode()) > settings.rules_bytes:
        raise GameError(f"the rules have more than {settings.rules_bytes >> 10} KiB")
    seconds = settings.ground_seconds + _SLACK_S
    limits = Limits(seconds, settings.ground_memory_mb)
    with Child(__name__, settings.ground_seconds, settings.ground_memory_mb, limits=limits) as child:
        try:
            child.send({"name": name, "text": text}, time.monotonic() + seconds)
            problem = child.receive(time.monotonic() + seconds)["problem"]
        except ChildTooLate:
            raise GameError(f"preparing these rules takes longer than {seconds:.0f} s") from None
        except ChildGone:
            raise GameError(f"these rules need more than {settings.ground_memory_mb} MiB or {seconds:.0f} s") from None
    if problem:
        raise GameError(problem)


def main(arguments: Sequence[str]) -> None:
    """Load, draw and play the rules that the parent sends; answer with what is wrong, or nothing."""
    parent = Parent()
    for message in parent:
        parent.send({"problem": _problem(message["name"], message["text"], float(arguments[0]), int(arguments[1]))})


def _problem(name: str, text: str, ground_seconds: float, memory_mb: int) -> str:
    try:
        game = loads(text, name, ground_seconds=ground_seconds, ground_memory_mb=memory_mb)
        view = View(game)
        Gestures(game, view.layout, view.scene)
        state = game.initial
        for _ in range(_TURNS):
            legal = () if state.is_terminal else [state.legal(role) for role in game.roles]
            if not legal or not all(legal):
                break
            state = state.next([moves[0] for moves in legal])
    except WoodstockError as error:
        return str(error)
    except RecursionError:
        return "the rules nest too deeply"
    except MemoryError:
        return f"the rules need more than {memory_mb} MiB"
    return ""
