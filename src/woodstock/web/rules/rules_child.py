"""The child process: it reads, loads and plays what somebody is typing, within the limits of a child.

One request a message, one answer each; `desk` is the other side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from woodstock.child_process import Parent
from woodstock.errors import RulesError, WoodstockError
from woodstock.web.rules.reading import Offsets, diagnostic_json, formatted, read_rules

JsonObject = dict[str, Any]


def main(arguments: Sequence[str]) -> None:
    """Answer requests until the parent closes the connection."""
    ground_seconds, memory_mb = float(arguments[0]), int(arguments[1])
    parent = Parent()
    answers = Answers(ground_seconds, memory_mb)
    for request in parent:
        parent.send(answers.answer(request))


class Answers:
    """Answers requests; keeps the game of the last text."""

    def __init__(self, ground_seconds: float, memory_mb: int) -> None:
        self._ground_seconds, self._memory_mb = ground_seconds, memory_mb
        self._draft: Any = None

    def answer(self, request: JsonObject) -> JsonObject:
        """Return the answer, or what is wrong."""
        try:
            return self._answer(request)
        except RulesError as error:
            offsets = Offsets(str(request.get("text", "")))
            found = [diagnostic_json(one, offsets) for one in error.diagnostics]
            first = found[0]["message"] if found else "the rules cannot be read"
            return {"problem": f"the rules have errors: {first}", "diagnostics": found}
        except WoodstockError as error:
            return {"problem": str(error)}
        except RecursionError:
            return {"problem": "the rules nest too deeply"}
        except MemoryError:
            return {"problem": f"the rules need more than {self._memory_mb} MiB"}
        except Exception as error:
            # Whatever somebody types must not end the child; this is a bug of ours, so it says what it is.
            return {"problem": f"this is a bug of ours: {type(error).__name__}: {error}"}

    def _answer(self, request: JsonObject) -> JsonObject:
        match request["do"]:
            case "check":
                return read_rules(request["text"])
            case "format":
                return formatted(request["text"], request.get("to"))
            case "open":
                path = request.get("path", ())
                found: JsonObject = self._board.open(request["text"], path, self._ground_seconds, self._memory_mb)
                return found
            case "show":
                return dict(self._board.show(request["path"]))
            case "play":
                return dict(self._board.play(request["path"], request["moves"], int(request.get("seed", 0))))
            case "random":
                turns, seed = int(request.get("turns", 1)), int(request.get("seed", 0))
                return dict(self._board.random(request["path"], turns, seed))
            case "warnings":
                return dict(self._board.warnings(float(request.get("seconds", 1.0))))
            case other:
                raise WoodstockError(f"no request {other!r}")

    @property
    def _board(self) -> Any:
        # Late: a child that only reads rules needs neither numpy nor the native module, and starts in half the time.
        if self._draft is None:
            from woodstock.web.rules.draft import Draft

            self._draft = Draft()
        return self._draft
