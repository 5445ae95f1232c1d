"""Draw a state as text: the boards side by side, a legend, and all other facts below, within a given width.

The result is a `rich.text.Text`. Its `str()` is plain text with the same information: colours only repeat the letters.
"""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from rich.text import Text

from woodstock.view.grid import Style, block_width, draw_panel, notes
from woodstock.view.panels import Panel
from woodstock.view.terms import Fact, natural

MAX_FACT_LINES = 8
GAP = "    "


def draw_text(panels: Sequence[Panel], rest: Sequence[Fact], first: Iterable[str], style: Style, width: int) -> Text:
    """Return the picture of a state: panels, legend, and the facts of the rest, those called `first` before others."""
    shelves: dict[tuple[str, ...], list[list[Text]]] = {}
    legend: dict[str, str] = {}
    remarks: list[str] = []
    undrawn: list[str] = []
    for number, panel in enumerate(panels):
        blocks = draw_panel(panel, style, width)
        if not blocks:
            undrawn += _listed(panel)
            continue
        # Rows go below each other, boards side by side.
        shelf = panel.shelf if len(panel.rows) > 1 and panel.places else (*panel.shelf, str(number))
        shelves.setdefault(shelf, []).extend(blocks)
        legend |= panel.legend
        remarks += notes(panel)
    lines = _stacked(list(shelves.values()), width)
    if legend:
        words = "  ".join(f"{short}={name.replace(' ', '-')}" for short, name in sorted(legend.items()))
        lines += [Text(line, style="dim") for line in textwrap.wrap(words, width)]
    lines += [Text(line) for remark in [*remarks, *undrawn] for line in textwrap.wrap(remark, width)]
    if lines and rest:
        lines.append(Text())
    return Text("\n").join(lines + fact_lines(rest, first, width))


def _listed(panel: Panel) -> Iterator[str]:
    """Yield a board that is too wide to be drawn, as a list of its pieces."""
    yield f"{panel.title or 'board'}: {len(panel.columns)} columns are too many for this width"
    for row in panel.rows:
        held = [f"{mark} {'+'.join(panel.cells[mark, row])}" for mark in panel.columns if (mark, row) in panel.cells]
        if held:
            yield f"{row}  {', '.join(held)}"


def _stacked(shelves: Sequence[Sequence[list[Text]]], width: int) -> list[Text]:
    """Return the shelves one below the other, each broken if it is too wide."""
    lines: list[Text] = []
    for shelf in shelves:
        row: list[list[Text]] = []
        for block in shelf:
            if row and sum(block_width(other) + len(GAP) for other in row) + block_width(block) > width:
                lines += [*_beside(row), Text()]
                row = []
            row.append(block)
        lines += [*_beside(row), Text()]
    return lines[:-1]


def _beside(blocks: Sequence[Sequence[Text]]) -> list[Text]:
    lines = []
    for i in range(max(map(len, blocks))):
        line = Text()
        for block in blocks:
            part = block[i].copy() if i < len(block) else Text()
            part.pad_right(block_width(block) - len(part))
            line.append_text(part).append(GAP)
        line.rstrip()
        lines.append(line)
    return lines


def fact_lines(facts: Sequence[Fact], first: Iterable[str], width: int) -> list[Text]:
    """Return facts by name, `heap  a 1, b 3`; long lines wrap, a very long list ends with the number left out."""
    groups: dict[str, list[str]] = defaultdict(list)
    for one in sorted(facts, key=lambda one: tuple(map(natural, one.args))):
        # The text, not the symbols: nested terms keep their brackets.
        groups[one.name].append(one.text[len(one.name) + 2 : -1] if one.args else "")
    margin = min(16, max(map(len, groups), default=0))
    lines: list[Text] = []
    early = set(first)
    for name in sorted(groups, key=lambda name: (name not in early, name)):
        for number, body in enumerate(_wrapped(groups[name], max(20, width - margin - 2))):
            line = Text((name if number == 0 else "").ljust(margin) + "  ", style="bold")
            line.append(body, style="not bold")
            line.rstrip()
            lines.append(line)
    return lines


def _wrapped(items: Sequence[str], width: int) -> Iterator[str]:
    """Yield lines of whole items, separated by commas."""
    line, lines = "", 0
    for shown, item in enumerate(items):
        if line and len(line) + 2 + len(item) + 1 > width:
            yield line + ","
            lines += 1
            if lines == MAX_FACT_LINES:
                yield f"... and {len(items) - shown} more"
                return
            line = item
        else:
            line = f"{line}, {item}" if line else item
    yield line
