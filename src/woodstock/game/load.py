"""From a name, a path or a text to a `Game`: parse, check, ground, compile.

Each phase reports its start and its end. Wrong rules raise `RulesError` with every problem. Rules that are right but
too large to ground within the budget are played by the interpreter, and the game's notes say so.
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
DEFAULT_GROUND_SECONDS = 60.0
DEFAULT_GROUND_MEMORY_MB = 8192

# Games alive in this process, so that unpickling a state finds its game instead of grounding the rules again. It owns
# nothing, and the games in it are immutable: two users of one rulesheet cannot notice each other.
_alive: weakref.WeakValueDictionary[tuple[str, str, str], Game] = weakref.WeakValueDictionary()
_alive_lock = threading.Lock()


def load(
    name_or_path: str | os.PathLike[str],
    *,
    engine: str = "auto",
    ground_seconds: float = DEFAULT_GROUND_SECONDS,
    ground_memory_mb: int = DEFAULT_GROUND_MEMORY_MB,
    tell: events.Subscriber = events.ignore,
) -> Game:
    """Load a bundled game by its name, or any rulesheet by its path.

    `engine` is `circuit` (compiled; needs grounding), `interpreter` (slow, needs none) or `auto`: the circuit if the
    rules ground within `ground_seconds` and `ground_memory_mb`, else the interpreter. `tell` is called with a
    `PhaseEvent` when each phase of the preparation starts and ends.

    >>> import woodstock
    >>> woodstock.load("tic-tac-toe")
    <Game tic-tac-toe: x, o; circuit>
    >>> woodstock.load("tic-tac-toe", engine="interpreter").engine_name
    'interpreter'
    """
    from woodstock.gdl.parse import read

    path, name = _locate(name_or_path)
    recorder = _Recorder(tell)
    with events.phase("parse", recorder) as counts:
        program = read(path)
        counts["rules"] = len(program.rules)
    return _prepare(program, name, engine, (ground_seconds, ground_memory_mb), recorder)


def loads(
    text: str,
    name: str = "<rules>",
    *,
    syntax: str | None = None,
    engine: str = "auto",
    ground_seconds: float = DEFAULT_GROUND_SECONDS,
    ground_memory_mb: int = DEFAULT_GROUND_MEMORY_MB,
    tell: events.Subscriber = events.ignore,
) -> Game:
    """Load the game whose rules are this text; `name` is what messages call it.

    `syntax` is `kif` or `infix`; without it the text shows which. The rest is as for `load`.

    >>> import woodstock
    >>> rules = '''
    ... (role robot) (init (at 1)) (legal robot stay)
    ... (<= (next (at 2)) (does robot stay))
    ... (<= terminal (true (at 2)))
    ... (goal robot 100)
    ... '''
    >>> game = woodstock.loads(rules, "one-step")
    >>> game.initial.next("stay").goals
    {'robot': 100}
    """
    from woodstock.gdl.parse import parse

    recorder = _Recorder(tell)
    with events.phase("parse", recorder) as counts:
        program = parse(text, name, syntax)
        counts["rules"] = len(program.rules)
    return _prepare(program, name, engine, (ground_seconds, ground_memory_mb), recorder)


def from_program(
    program: Program,
    name: str,
    *,
    engine: str = "auto",
    ground_seconds: float = DEFAULT_GROUND_SECONDS,
    ground_memory_mb: int = DEFAULT_GROUND_MEMORY_MB,
    tell: events.Subscriber = events.ignore,
) -> Game:
    """Make a game of parsed rules; the rest is as for `load`."""
    return _prepare(program, name, engine, (ground_seconds, ground_memory_mb), _Recorder(tell))


class _Recorder:
    """A subscriber that passes on every event and keeps those of finished phases."""

    def __init__(self, tell: events.Subscriber) -> None:
        self._tell = tell
        self.phases: list[events.PhaseEvent] = []

    def __call__(self, event: events.PhaseEvent) -> None:
        if event.state == "done":
            self.phases.append(event)
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


def _prepare(program: Program, name: str, engine: str, budget: tuple[float, int], recorder: _Recorder) -> Game:
    from woodstock.gdl.check import check

    if engine not in ENGINES:
        raise GameError(f"no engine {engine!r}; there are {', '.join(ENGINES)}")
    with events.phase("check", recorder) as counts:
        diagnostics = check(program)
        counts["errors"] = sum(d.is_error for d in diagnostics)
        counts["warnings"] = len(diagnostics) - counts["errors"]
    if any(d.is_error for d in diagnostics):
        raise RulesError([d for d in diagnostics if d.is_error])
    computed, reason = _compiled(program, engine, budget, recorder)
    notes = [] if reason is None else [f"The rules are played by the interpreter, slowly{reason}."]
    if computed is None:
        from woodstock.game.interpreter_engine import InterpreterEngine

        with events.phase("interpreter", recorder):
            computed = InterpreterEngine(program)
    game = Game(
        program,
        computed,
        name=name,
        diagnostics=diagnostics,
        notes=notes,
        phases=recorder.phases,
        budget=budget,
    )
    with _alive_lock:
        _alive[program.text, program.name, computed.name] = game
    return game


def _compiled(
    program: Program, engine: str, budget: tuple[float, int], recorder: _Recorder
) -> tuple[Engine | None, str | None]:
    """Return the circuit, or None and why there is none; raise if the circuit alone was asked for."""
    if engine == "interpreter":
        return None, ", because it was asked for"
    try:
        return _compile(program, budget, recorder), None
    except RulesError:
        raise
    except (WoodstockError, MemoryError) as failure:
        # Most often a budget. Whatever it is, the rules are right and the interpreter can play them.
        if engine == "circuit":
            raise
        return None, f": {failure}" if str(failure) else ": the circuit does not fit in memory"
    except ImportError as missing:
        # A source tree that was never built still plays; an installed package always has the native module.
        if engine == "circuit":
            raise GameError(f"the circuit needs the native module, which is not built: {missing}") from missing
        return None, ": the native module is not built"


def _compile(program: Program, budget: tuple[float, int], recorder: _Recorder) -> Engine:
    from woodstock.game.circuit_engine import CircuitEngine
    from woodstock.gdl.ground import ground

    seconds, memory_mb = budget
    grounded = ground(program, seconds=seconds, memory_mb=memory_mb, tell=recorder)
    with events.phase("circuit", recorder) as counts:
        engine = CircuitEngine(grounded)
        counts.update({key: value for key, value in engine.stats.items() if isinstance(value, (int, float))})
    return engine


def restore_game(packed: bytes, program_name: str, name: str, engine: str, budget: tuple[float, int]) -> Game:
    """Return the game of a pickle: the one alive in this process if there is one, else made from its rules."""
    from woodstock.gdl.parse import parse

    text = zlib.decompress(packed).decode()
    with _alive_lock:
        game = _alive.get((text, program_name, engine))
    if game is not None:
        return game
    return _prepare(parse(text, program_name), name, engine, budget, _Recorder(events.ignore))
