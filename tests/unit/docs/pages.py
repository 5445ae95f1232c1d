"""The pages that people read, and the blocks of code in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# The pages of docs/games are generated; tests/unit/games compares them with what generates them.
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(page for page in (ROOT / "docs").rglob("*.md") if page.parent.name != "games"),
]
# Blocks that are output, or a picture: there is nothing to run.
SHOWN = {"text", "mermaid", "c", "json", "html", "xml"}
RUN = {"python", "console", "sh", "kif", "prolog", "toml"}
_BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```", re.M | re.S)


@dataclass(frozen=True)
class Block:
    """One fenced block; `line` is where it begins."""

    language: str
    text: str
    line: int


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = []
    for match in _BLOCK.finditer(text):
        found.append(Block(match[1].strip(), match[2], text.count("\n", 0, match.start()) + 1))
    return found


def commands(page: Path) -> list[str]:
    """Return what the page tells its reader to type, in order; comments and output left out."""
    found = []
    for block in blocks(page):
        if block.language == "console":
            found += [line[2:] for line in block.text.splitlines() if line.startswith("$ ")]
        elif block.language == "sh":
            found += [line for line in block.text.splitlines() if line and not line.startswith("#")]
    return [re.split(r"\s+#\s", line)[0].strip() for line in found]
