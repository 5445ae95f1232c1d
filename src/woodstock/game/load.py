"""From a name, a path or a text to a `Game`: parse, check, ground, compile.

Each stage tells when it starts and when it is done. Rules that are wrong raise `RulesError` with every problem; rules
that are right but too large to ground within the budget are played by the interpreter, and the game's notes say so.
"""

from __future__ import annotations

import os
import threading
import weakref
import zlib
from pathlib import Path

from woodstock import events
from woodstock.errors import GameError, RulesError, UnknownGameError, WoodstockError
from woodstock.game.engine import Engine
from woodstock.game.game import Game
from woodstock.gdl.ast import Program

ENGINES = ("auto", "circuit", "interpreter")
DEFAULT_SECONDS = 60.0
DEFAULT_MEMORY_MB = 8192

# Games alive in this process, so that unpickling a state finds its game instead of grounding the rules again. It owns
# nothing, and the games in it are immutable: two users of one rulesheet cannot notice each other.
_alive: weakref.WeakValueDictionary[tuple[str, str, str], Game] = weakref.WeakValueDictionary()
_alive_lock = threading.Lock()


def load(
    name_or_path: str | os.PathLike[str],
    *,
    engine: str = "auto",
    seconds: float = DEFAULT_SECONDS,
    memory_mb: int = DEFAULT_MEMORY_MB,
    tell: events.Subscriber = events.ignore,
) -> Game:
    """Load a bundled game by its name, or any rulesheet by its path.

    `engine` is `circuit` (compiled; needs grounding), `interpreter` (slow, always fits) or `auto`: the circuit if the
    rules ground within `seconds` and `memory_mb`, else the interpreter. `tell` hears of each stage.

    >>> load("tic-tac-toe").roles
    ('x', 'o')
    """
    from woodstock.gdl.parse import read

    path, name = _locate(name_or_path)
    recorder = _Recorder(tell)
    with events.stage("parse", recorder) as counts:
        program = read(path)
        counts["rules"] = len(program.rules)
    return _prepare(program, name, engine, seconds, memory_mb, recorder)


def loads(
    text: str,
    name: str = "<rules>",
    *,
    syntax: str | None = None,
    engine: str = "auto",
    seconds: float = DEFAULT_SECONDS,
    memory_mb: int = DEFAULT_MEMORY_MB,
    tell: events.Subscriber = events.ignore,
) -> Game:
    """Load the game whose rules are this text; `name` is what messages call it. The rest is as for `load`."""
    from woodstock.gdl.parse import parse

    recorder = _Recorder(tell)
    with events.stage("parse", recorder) as counts:
        program = parse(text, name, syntax)
        counts["rules"] = len(program.rules)
    return _prepare(program, name, engine, seconds, memory_mb, recorder)


def from_program(
    program: Program,
    name: str,
    *,
    engine: str = "auto",
    seconds: float = DEFAULT_SECONDS,
    memory_mb: int = DEFAULT_MEMORY_MB,
    tell: events.Subscriber = events.ignore,
) -> Game:
    """Make a game of rules that are parsed already; the rest is as for `load`."""
    return _prepare(program, name, engine, seconds, memory_mb, _Recorder(tell))


class _Recorder:
    """A subscriber that passes every event on and keeps those of finished stages."""

    def __init__(self, tell: events.Subscriber) -> None:
        self._tell = tell
        self.stages: list[events.StageEvent] = []

    def __call__(self, event: events.StageEvent) -> None:
        if event.state == "done":
            self.stages.append(event)
        self._tell(event)


def _locate(name_or_path: str | os.PathLike[str]) -> tuple[Path, str]:
    """Return the file of the rules and what to call the game."""
    from woodstock.games import find, looks_like_path

    text = os.fspath(name_or_path)
    path = Path(text)
    if not isinstance(name_or_path, str) or looks_like_path(text) or path.is_file():
        if path.is_dir():
            raise UnknownGameError(f"{text} is a folder; give the path of a rulesheet")
        if not path.is_file():
            raise UnknownGameError(f"no file {text}; give the path of a rulesheet or the name of a bundled game")
        return path, path.stem
    bundled = find(text)
    return bundled.path, bundled.name


def _prepare(program: Program, name: str, engine: str, seconds: float, memory_mb: int, recorder: _Recorder) -> Game:
    from woodstock.gdl.check import check

    if engine not in ENGINES:
        raise GameError(f"no engine {engine!r}; there are {', '.join(ENGINES)}")
    with events.stage("check", recorder) as counts:
        diagnostics = check(program)
        counts["errors"] = sum(d.is_error for d in diagnostics)
        counts["warnings"] = len(diagnostics) - counts["errors"]
    if any(d.is_error for d in diagnostics):
        raise RulesError([d for d in diagnostics if d.is_error])
    notes: list[str] = []
    computed: Engine | None = None
    if engine != "interpreter":
        try:
            computed = _compile(program, seconds, memory_mb, recorder)
        except RulesError:
            raise
        except (WoodstockError, MemoryError) as failure:
            # Most often a budget. Whatever it is, the rules are right and the interpreter can play them.
            if engine == "circuit":
                raise
            reason = str(failure) or "the circuit does not fit in memory"
            notes.append(f"The rules are played by the interpreter, slowly: {reason}.")
        except ImportError as missing:
            # A source tree that was never built still plays; an installed package always has the native module.
            if engine == "circuit":
                raise GameError(f"the circuit needs the native module, which is not built: {missing}") from missing
            notes.append("The rules are played by the interpreter, slowly: the native module is not built.")
    else:
        notes.append("The rules are played by the interpreter, slowly, because it was asked for.")
    if computed is None:
        from woodstock.game.interpreter_engine import InterpreterEngine

        with events.stage("interpreter", recorder):
            computed = InterpreterEngine(program)
    game = Game(
        program,
        computed,
        name=name,
        diagnostics=diagnostics,
        notes=notes,
        stages=recorder.stages,
        budget=(seconds, memory_mb),
    )
    with _alive_lock:
        _alive[_key(program.text, program.name, computed.name)] = game
    return game


def _compile(program: Program, seconds: float, memory_mb: int, recorder: _Recorder) -> Engine:
    from woodstock.game.circuit_engine import CircuitEngine
    from woodstock.gdl.ground import ground

    grounded = ground(program, seconds=seconds, memory_mb=memory_mb, tell=recorder)
    with events.stage("circuit", recorder) as counts:
        engine = CircuitEngine(grounded)
        counts.update({key: value for key, value in engine.stats.items() if isinstance(value, (int, float))})
    return engine


def _key(text: str, program_name: str, engine: str) -> tuple[str, str, str]:
    return text, program_name, engine


def restore_game(packed: bytes, program_name: str, name: str, engine: str, budget: tuple[float, int]) -> Game:
    """Return the game of a pickle: the one alive in this process if there is one, else made from its rules."""
    from woodstock.gdl.parse import parse

    text = zlib.decompress(packed).decode()
    with _alive_lock:
        game = _alive.get(_key(text, program_name, engine))
    if game is not None:
        return game
    seconds, memory_mb = budget
    return from_program(parse(text, program_name), name, engine=engine, seconds=seconds, memory_mb=memory_mb)
