"""What the documentation site needs beyond the pages in docs: a hook of mkdocs and an extension of griffe.

README, CONTRIBUTING and CHANGELOG become pages of the site, and the reference is made from `woodstock.__all__`.
Examples in docstrings are fenced, so that they are shown as code. A page that would load anything from the network is
refused.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

import woodstock

ROOT = Path(__file__).resolve().parent.parent
PAGES = {"index.md": "README.md", "contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}
REFERENCE = {
    "Games": "load loads Game State PlayoutStats perft PerftRow View",
    "Search and players": "search Decision SearchInfo RootMove Player Task Reply InformationState Turn make_player",
    "Matches": "play_match Match MatchRecord",
    "Exact values and symmetries": "solve_game Solution Equilibrium find_symmetries Symmetries",
    "Errors": "WoodstockError RulesError GameError UnknownGameError IllegalMoveError HiddenStateError BudgetExceeded",
}
_LINK = re.compile(r"\[([^\]]*)\]\(([^)\s:]+)\)")
_EXAMPLE = re.compile(r"(?:^[ \t]*>>> .*\n?)(?:^[ \t]*\S.*\n?)*", re.M)
_LOADED = re.compile(r"<(?:script|img|iframe|source)[^>]*\bsrc=\"https?:|<link[^>]*stylesheet[^>]*\bhref=\"https?:")


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages that are not in docs."""
    for name, source in PAGES.items():
        files.append(File.generated(config, name, content=_moved(ROOT / source)))
    files.append(File.generated(config, "reference.md", content=_reference()))
    return files


def on_page_markdown(markdown: str, *, page: Any, config: MkDocsConfig, files: Files) -> str:
    """Turn links out of docs, which have no page on the site, into plain text."""
    del config, files
    folder = (ROOT / "docs" / page.file.src_uri).parent

    def kept(match: re.Match[str]) -> str:
        path, _, anchor = match[2].partition("#")
        target = Path(os.path.normpath(folder / path))
        if path and ((ROOT / "docs") not in target.parents or target.is_dir()):
            return match[1]
        if path and target.is_file():
            path = path.replace(target.name, Path(_page_of(str(target.relative_to(ROOT / "docs")))).name)
        return f"[{match[1]}]({path}{'#' if anchor else ''}{anchor})"

    return _LINK.sub(kept, markdown)


def on_post_page(output: str, *, page: Any, config: MkDocsConfig) -> str:
    """Refuse a page that loads something from the network."""
    del config
    found = _LOADED.search(output)
    if found:
        raise PluginError(f"{page.file.src_uri} would load {found[0]}... from the network")
    return output


class FencedExamples(griffe.Extension):
    """Show the examples of docstrings as code."""

    def on_object(self, *, obj: griffe.Object, **_others: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = _EXAMPLE.sub(_fenced, obj.docstring.value)


def _fenced(example: re.Match[str]) -> str:
    return f"```python\n{example[0].rstrip()}\n```\n"


def _page_of(path: str) -> str:
    """Return the page that shows a file of docs: a report that was also written as HTML is shown as that."""
    html = str(Path(path).with_suffix(".html"))
    return html if path.endswith(".md") and (ROOT / "docs" / html).is_file() else path


def _moved(source: Path) -> str:
    """Return a page of the root with its links as seen from docs; files that the site has not become plain text."""
    names = {origin: name for name, origin in PAGES.items()}

    def seen_from_docs(match: re.Match[str]) -> str:
        if match[2] in names or match[2].startswith("docs/"):
            return f"[{match[1]}]({names.get(match[2], match[2].removeprefix('docs/'))})"
        return match[1]

    return _LINK.sub(seen_from_docs, source.read_text(encoding="utf-8"))


def _reference() -> str:
    listed = [name for names in REFERENCE.values() for name in names.split()]
    if sorted(listed) != sorted(set(woodstock.__all__) - {"__version__"}):
        raise PluginError(f"the reference must list each public name once: {set(woodstock.__all__) ^ set(listed)}")
    lines = [
        "# Reference",
        "",
        "Everything in `woodstock`, made from the docstrings. Every example is run by the tests.",
    ]
    for title, names in REFERENCE.items():
        lines += ["", f"## {title}"]
        for name in names.split():
            lines += ["", f"::: woodstock.{woodstock._HOMES[name]}.{name}"]
    return "\n".join(lines) + "\n"
