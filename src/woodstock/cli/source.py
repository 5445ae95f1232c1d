"""What a GAME argument means: the name of a bundled game, a path, or - for standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from woodstock.cli.output import messages
from woodstock.cli.progress import phases
from woodstock.errors import GameError, UnknownGameError
from woodstock.games import find, looks_like_path

if TYPE_CHECKING:
    from woodstock.game.game import Game
    from woodstock.game.state import State

STDIN = "-"
STDIN_NAME = "<stdin>"


def read_rules(name: str) -> tuple[str, str]:
    """Return the text of the rules, and their name for messages."""
    from woodstock.gdl.source import decode

    if name == STDIN:
        return decode(sys.stdin.buffer.read()), STDIN_NAME
    path = locate(name)
    return decode(path.read_bytes()), str(path)


def locate(name: str) -> Path:
    """Return the file of a bundled game or a path."""
    path = Path(name)
    if path.is_file():
        return path
    if path.is_dir():
        raise UnknownGameError(f"{name} is a folder, not a rulesheet; name a file in it")
    if looks_like_path(name):
        raise UnknownGameError(f"no file {name}{_near_file(path)}")
    return find(name).path


def load_game(name: str, *, ground_seconds: float, ground_memory_mb: int) -> Game:
    """Load the game with its phases shown, and print notes about it on stderr."""
    import woodstock

    with phases() as tell:
        if name == STDIN:
            text, shown = read_rules(name)
            game = woodstock.loads(
                text, shown, ground_seconds=ground_seconds, ground_memory_mb=ground_memory_mb, tell=tell
            )
        else:
            given = name if not looks_like_path(name) and not Path(name).exists() else locate(name)
            game = woodstock.load(given, ground_seconds=ground_seconds, ground_memory_mb=ground_memory_mb, tell=tell)
    console = messages()
    for note in game.notes:
        console.print(f"note: {note}")
    if game.diagnostics:
        console.print(f"note: {len(game.diagnostics)} warnings about the rules; `woodstock check {name}` shows them")
    return game


def read_state(game: Game, text: str) -> State:
    """Return the state with the fluents of a text, or of the file that it names."""
    from woodstock.gdl.kif import read_terms

    path = Path(text)
    if "(" not in text and path.is_file():
        text = path.read_text(encoding="utf-8")
    try:
        return game.state(read_terms(text))
    except ValueError as error:
        example = "give fluents such as '(cell 1 1 x) (control o)'"
        raise GameError(f"the brackets of --state do not match ({error}): {example}") from None


def _near_file(path: Path) -> str:
    """Return a hint at a file with a similar name in the same folder."""
    import difflib

    try:
        names = [other.name for other in path.parent.iterdir() if other.is_file()]
    except OSError:
        return f": there is no folder {path.parent}"
    near = difflib.get_close_matches(path.name, names, n=1)
    return f". Did you mean '{path.with_name(near[0])}'?" if near else ""
