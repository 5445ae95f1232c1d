"""What the FILE argument of `woodstock qcsp` means: a file, a model such as baker(5, 121), or a game to some depth."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from woodstock.errors import ModelError, UnknownGameError

if TYPE_CHECKING:
    from woodstock.qcsp import Problem, Strategy

FORCED_WIN = "forced-win"
FORCED_WIN_FORM = "forced-win(game, depth, role): a win within so many moves; the first role by default"
_GROUND_SECONDS, _GROUND_MEMORY_MB = 60.0, 2048


def load(file: str, start: str | None = None) -> Problem:
    """Return the problem of a file or a model's name, begun with the values of `start`: 'x=1, y=2'."""
    problem = _load(file)
    if start is not None:
        problem.begin_with(_values(start))
    return problem


def _values(text: str) -> dict[str, int | str]:
    values: dict[str, int | str] = {}
    # Commas within brackets belong to a label, such as (mark 1 2).
    for part in re.split(r",(?![^()]*\))", text):
        name, is_given, value = (word.strip() for word in part.partition("="))
        if not is_given or not name or not value:
            raise ModelError(f"--start: {part.strip()!r} is not of the form name=value")
        values[name] = int(value) if re.fullmatch(r"-?[0-9]{1,18}", value) else value
    return values


def _load(file: str) -> Problem:
    from woodstock.qcsp import files, models

    path = Path(file)
    if path.is_file():
        return files.read(path)
    if path.is_dir():
        raise UnknownGameError(f"{file} is a folder, not a problem; name a file in it")
    if re.match(rf"\s*{FORCED_WIN}\b", file):
        return _forced_win(file)
    model = models.parse(file)
    if model is not None:
        return model
    raise UnknownGameError(
        f"no file {file}, and no model of that name{_near(file)}; `woodstock qcsp models` lists them"
    )


def read_certificate(path: Path) -> Strategy:
    """Return the strategy that `solve --save` wrote."""
    from woodstock.qcsp import strategy

    if not path.is_file():
        raise UnknownGameError(f"no file {path}")
    try:
        return strategy.loads(path.read_text(encoding="utf-8"), str(path))
    except UnicodeDecodeError:
        raise ModelError(f"{path}: not UTF-8 text") from None


def _forced_win(text: str) -> Problem:
    """Return the model of a game: forced-win(GAME, DEPTH) or forced-win(GAME, DEPTH, ROLE)."""
    from woodstock.cli.source import load_game
    from woodstock.qcsp.models.game import forced_win

    match = re.fullmatch(rf"\s*{FORCED_WIN}\(\s*(.+?)\s*,\s*(\d+)\s*(?:,\s*(\S+)\s*)?\)\s*", text)
    if match is None:
        form = f"{FORCED_WIN}(game, depth, role)"
        raise ModelError(f"{text.strip()}: expected {form}, as in 'forced-win(tic-tac-toe, 5, x)'")
    game = load_game(match[1], ground_seconds=_GROUND_SECONDS, ground_memory_mb=_GROUND_MEMORY_MB)
    return forced_win(game, int(match[2]), match[3])


def _near(file: str) -> str:
    import difflib

    from woodstock.qcsp.models import MODELS

    near = difflib.get_close_matches(file.partition("(")[0].strip(), [*MODELS, FORCED_WIN], n=1)
    return f" (did you mean {near[0]}?)" if near else ""
