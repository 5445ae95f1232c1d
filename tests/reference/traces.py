"""Recorded matches to compare our evaluators with: those of the bundled games, and those of the outside corpus.

Bundled games: tests/reference/traces/GAME.txt, written by their independent implementations (`record`). A line is a
turn: the move of each role, then `:` and the legal moves of each role, with `/` between roles. `=` stands for a role
that has no choice; `#57 9b2ef0c1` for 57 legal moves, with the CRC-32 of their sorted texts. Some lines have moves
only. The last line of a match is `end` and the goals, `-` for a role that the other implementation gives none.

The outside corpus, ../shared: public rulesheets, and traces of them by another interpreter that also have the states.
It keeps the case of symbols apart; all texts are compared in lower case.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from woodstock.games import find

FOLDER = Path(__file__).with_name("traces")
SHARED = Path(__file__).resolve().parents[3] / "shared"
BUNDLED = sorted(path.stem for path in FOLDER.glob("*.txt"))
PUBLIC = sorted(path.name.removesuffix(".jsonl.gz") for path in (SHARED / "traces").glob("*.jsonl.gz"))

# Its rules, `(<= (legal ?p noop) (not (true (control ?p))))`, leave ?p unbound. Another interpreter lets every role
# pass, even those in control; the checker refuses the sheet.
REFUSED = {"dominion__deckb"}

_MOVE = re.compile(r"\((?:[^()]|\([^()]*\))*\)|[^\s()]+")


@dataclass(frozen=True)
class Legal:
    """The legal moves of a role as recorded: their number, and a checksum of their texts."""

    count: int
    checksum: int
    shown: str

    @classmethod
    def of(cls, moves: Iterable[str]) -> Legal:
        """Return what is recorded of these moves."""
        texts = lowered(moves)
        return cls(len(texts), zlib.crc32("\n".join(texts).encode()), " ".join(texts))

    def difference(self, moves: Collection[str]) -> str:
        """Return what other moves differ in; nothing if they are the same."""
        ours = Legal.of(moves)
        if (ours.count, ours.checksum) == (self.count, self.checksum):
            return ""
        return f"{ours.count} legal moves {ours.shown}, recorded {self.count} {self.shown}"


@dataclass(frozen=True)
class Line:
    """One state of a match. What was not recorded is None."""

    match: int
    step: int
    is_terminal: bool
    moves: list[str] | None
    legal: list[Legal] | None
    goals: list[int | None] | None
    state: list[str] | None = None

    def __str__(self) -> str:
        return f"match {self.match} step {self.step}"

    def goal_difference(self, goals: Collection[int | None]) -> str:
        """Return how the goals differ; nothing if they are the same where they were recorded."""
        known = self.goals or []
        pairs = zip(goals, known, strict=False)
        if self.state is None:
            # The other implementation gives goals at the end only, and none to chance.
            is_same = all(theirs is None or ours == theirs for ours, theirs in pairs)
        else:
            is_same = list(goals) == known
        return "" if is_same else f"goals {list(goals)}, recorded {known}"


def rules_of(name: str) -> Path:
    """Return the rulesheet of a bundled game or of the outside corpus."""
    return find(name).path if name in BUNDLED else SHARED / "games" / f"{name}.kif"


def lines_of(name: str, most: int | None = None) -> list[Line]:
    """Return the first lines of the recorded matches of a bundled game or of the outside corpus."""
    return (bundled_lines if name in BUNDLED else public_lines)(name)[:most]


def lowered(texts: Iterable[str]) -> list[str]:
    """Return the texts in lower case, sorted."""
    return sorted(text.lower() for text in texts)


def split(text: str) -> list[str]:
    """Return the moves of a text."""
    return _MOVE.findall(text)


def bundled_lines(name: str) -> list[Line]:
    """Return the recorded matches of a bundled game."""
    lines: list[Line] = []
    match = step = 0
    for text in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if text.startswith("#"):
            continue
        if text.startswith("end"):
            goals = [None if goal == "-" else int(goal) for goal in text.split()[1:]]
            lines.append(Line(match, step, True, None, None, goals))
            match, step = match + 1, 0
            continue
        played, _, options = text.partition(" : ")
        moves = split(played)
        legal = None
        if options:
            legal = [_read_legal(part.strip(), move) for part, move in zip(options.split(" / "), moves, strict=True)]
        lines.append(Line(match, step, False, moves, legal, None))
        step += 1
    return lines


def _read_legal(text: str, move: str) -> Legal:
    if text.startswith("#"):
        count, checksum = text[1:].split()
        return Legal(int(count), int(checksum, 16), text)
    return Legal.of([move] if text == "=" else split(text))


def public_roles(name: str) -> list[str]:
    """Return the roles of a trace of the outside corpus."""
    with gzip.open(SHARED / "traces" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        return list(json.loads(file.readline())["roles"])


def public_lines(name: str) -> list[Line]:
    """Return the recorded matches of a rulesheet of the outside corpus."""
    with gzip.open(SHARED / "traces" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        _header, *rows = map(json.loads, file)
    return [
        Line(
            row["match"],
            row["step"],
            row["terminal"],
            row.get("moves") or None,
            None if row["terminal"] else [Legal.of(moves) for moves in row["legal"]],
            row["goals"],
            row["state"],
        )
        for row in rows
    ]
