"""Imports point one way, along the flow of data; nothing in the library prints or ends the process."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

# Each part and those it may import from: everything further down the flow. `errors`, `events` and `pictures` are
# common ground, `__init__` is the public face.
MAY_IMPORT: dict[str, set[str]] = {
    "gdl": {"_native"},
    "games": set(),
    "game": {"gdl", "games", "_native"},
    "invariants": {"gdl", "_native"},
    "constraint": {"_native"},
    "scsp": {"constraint", "invariants", "game", "gdl", "_native"},
    "belief": {"information", "scsp", "game", "gdl", "_native"},
    "qcsp": {"constraint", "game", "gdl", "_native"},
    "symmetry": {"game", "gdl", "_native"},
    "information": {"game"},
    # The process that speaks the protocol does nothing else: games and players are for its worker processes.
    "ggp": {"gdl"},
    "players": {"ggp", "belief", "information", "symmetry", "scsp", "invariants", "game", "gdl", "_native"},
    "equilibrium": {"information", "symmetry", "game", "gdl", "_native"},
    "solve": {"information", "equilibrium", "symmetry", "invariants", "game", "gdl", "_native"},
    "view": {"game", "gdl"},
    "match": {"players", "information", "game", "gdl"},
    "env": {"players", "information", "invariants", "symmetry", "view", "game", "gdl", "_native"},
    "ggp.worker": {"ggp", "information", "belief", "match", "players", "game", "gdl"},
    "tournament": {"match", "players", "game", "games", "gdl"},
    "tune": {"tournament", "match", "players", "gdl"},
    "web": {
        *("information", "belief", "tournament", "match", "ggp", "view", "players", "solve", "symmetry", "scsp"),
        *("game", "gdl", "games"),
    },
    "cli": {
        *("information", "belief", "web", "tune", "tournament", "match", "ggp", "view"),
        *("players", "solve", "symmetry", "qcsp", "scsp", "constraint", "game", "gdl", "games"),
    },
    "__init__": {"game", "information", "symmetry", "players", "match", "solve", "view"},
    "errors": {"gdl"},  # for the type of its diagnostics only
    "events": set(),
    "pictures": set(),
    "child": set(),
    "child_process": set(),
}
COMMON = {"errors", "events", "pictures", "child", "child_process", "__init__"}


def _imports(tree: ast.AST) -> Iterator[str]:
    """Yield the part of woodstock that each import names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == "woodstock":
                yield _part(parts[1:])


def _part(parts: Sequence[str]) -> str:
    """Return the part of woodstock that a module belongs to."""
    if not parts:
        return "__init__"
    return "ggp.worker" if tuple(parts[:2]) == ("ggp", "worker") else parts[0]


def _modules(root: Path) -> list[Path]:
    return sorted((root / "src" / "woodstock").rglob("*.py"))


def test_imports_point_along_the_flow(root: Path) -> None:
    wrong = []
    for path in _modules(root):
        part = _part(path.relative_to(root / "src" / "woodstock").with_suffix("").parts)
        assert part in MAY_IMPORT, f"{part} is new: say in {__file__} what it may import"
        for other in _imports(ast.parse(path.read_text(encoding="utf-8"))):
            # Names of the package itself, such as woodstock.load, are the public face and belong to the command line.
            target = other if other in MAY_IMPORT or other == "_native" else "__init__"
            if target != part and target not in COMMON | MAY_IMPORT[part]:
                wrong.append(f"{path.relative_to(root)} imports woodstock.{other}")
    assert wrong == []


def test_no_relative_imports(root: Path) -> None:
    for path in _modules(root):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level:
                pytest.fail(f"{path}:{node.lineno}: a relative import hides which part is meant")


def test_only_the_command_line_prints_or_exits(root: Path) -> None:
    for path in _modules(root):
        relative = path.relative_to(root / "src" / "woodstock")
        # The start of child processes, and one that must end whatever its threads do.
        if relative.parts[0] == "cli" or relative.as_posix() in ("child_process.py", "ggp/worker/child.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                assert called not in ("print", "sys.exit", "exit", "os._exit"), f"{path}:{node.lineno} calls {called}"


def test_files_stay_small(root: Path) -> None:
    for path in _modules(root):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        assert lines <= 800, f"{path} has {lines} lines: one concept for each file"
