"""Plots as SVG: dots with their intervals, and lines over a number."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WIDTH = 760
LETTER = 6.6
LONGEST_LABEL = 48
ROW = 22
_MOST_NAMED = 12  # places of an axis that are named one by one
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
DASHES = ("none", "7 3", "2 3")


@dataclass(frozen=True, slots=True)
class Dot:
    """A value with its interval."""

    label: str
    value: float
    low: float
    high: float


def dot_plot(dots: Sequence[Dot], unit: str, middle: float = 0.0) -> str:
    """Return dots in rows, each with its interval; a line marks `middle`."""
    if not dots:
        return ""
    low = min(middle, *(dot.low for dot in dots))
    high = max(middle, *(dot.high for dot in dots))
    ticks = _ticks(low, high)
    low, high = min(low, ticks[0]), max(high, ticks[-1])
    height = ROW * len(dots) + 50
    left, right = 24 + LETTER * min(LONGEST_LABEL, max(len(dot.label) for dot in dots)), WIDTH - 20

    def x(value: float) -> float:
        return left + (right - left) * (value - low) / (high - low)

    parts = [_head(WIDTH, height, unit)]
    for tick in ticks:
        colour = "#888" if tick == middle else "#e4e4e4"
        parts.append(f'<line x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="8" y2="{height - 40}" stroke="{colour}"/>')
        parts.append(_text(x(tick), height - 24, f"{tick:g}", "middle"))
    parts.append(_text((left + right) / 2, height - 6, unit, "middle"))
    for row, dot in enumerate(dots):
        y = ROW * row + 20
        parts.append(_text(left - 10, y + 4, dot.label, "end"))
        ends = f'x1="{x(dot.low):.1f}" x2="{x(dot.high):.1f}" y1="{y}" y2="{y}"'
        parts.append(f'<line {ends} stroke="#0072b2" stroke-width="2"/>')
        parts.append(f'<circle cx="{x(dot.value):.1f}" cy="{y}" r="4.5" fill="#0072b2"/>')
    return "".join(parts) + "</svg>"


def line_plot(lines: Mapping[str, Sequence[tuple[float, float]]], across: str, up: str, *, is_logarithmic: bool) -> str:
    """Return lines through points; a logarithmic axis suits what doubles, such as clocks."""
    points = [point for line in lines.values() for point in line]
    xs = sorted({x for x, _ in points if x > 0 or not is_logarithmic})
    if not xs:
        return ""
    ticks = _ticks(min(y for _, y in points), max(y for _, y in points))
    height, left, bottom, right = max(320, 40 + 20 * len(lines)), 60, 260, WIDTH - 240

    def place(value: float) -> float:
        return math.log(value) if is_logarithmic else value

    first, last = place(xs[0]), place(xs[-1])

    def px(value: float) -> float:
        return left + (right - left) * ((place(value) - first) / (last - first) if last > first else 0.5)

    def py(value: float) -> float:
        return bottom - (bottom - 20) * (value - ticks[0]) / (ticks[-1] - ticks[0])

    parts = [_head(WIDTH, height, f"{up} over {across}")]
    for tick in ticks:
        parts.append(f'<line x1="{left}" x2="{right}" y1="{py(tick):.1f}" y2="{py(tick):.1f}" stroke="#e4e4e4"/>')
        parts.append(_text(left - 8, py(tick) + 4, f"{tick:g}", "end"))
    named = xs if len(xs) <= _MOST_NAMED else [tick for tick in _ticks(xs[0], xs[-1]) if xs[0] <= tick <= xs[-1]]
    parts += [_text(px(value), bottom + 18, f"{value:g}", "middle") for value in named]
    parts.append(_text((left + right) / 2, bottom + 40, across, "middle"))
    parts.append(_text(left - 40, 12, up, "start"))
    for index, (label, line) in enumerate(lines.items()):
        # When the colours are used up, dashes tell the lines apart.
        colour, dashes = COLOURS[index % len(COLOURS)], DASHES[index // len(COLOURS) % len(DASHES)]
        path = " ".join(f"{px(x):.1f},{py(y):.1f}" for x, y in sorted(line))
        stroke = f'stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"'
        parts.append(f'<polyline points="{path}" fill="none" {stroke}/>')
        parts += [f'<circle cx="{px(x):.1f}" cy="{py(y):.1f}" r="3.5" fill="{colour}"/>' for x, y in line]
        y = 24 + 20 * index
        parts.append(f'<line x1="{right + 20}" x2="{right + 44}" y1="{y}" y2="{y}" {stroke}/>')
        parts.append(_text(right + 50, y + 4, label, "start"))
    return "".join(parts) + "</svg>"


def _head(width: int, height: int, label: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{html.escape(label, quote=True)}" font-family="system-ui, sans-serif" font-size="12">'
    )


def _text(x: float, y: float, text: str, anchor: str) -> str:
    shown = text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#333">{html.escape(shown)}</text>'


def _ticks(low: float, high: float) -> list[float]:
    """Return four to nine round numbers that hold the range.

    >>> _ticks(42, 87)
    [40.0, 50.0, 60.0, 70.0, 80.0, 90.0]
    """
    span = max(high - low, 1.0)
    raw = span / 5
    unit = 10.0 ** math.floor(math.log10(raw))
    step = min((factor * unit for factor in (1, 2, 5, 10)), key=lambda one: abs(one - raw))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(step * number, 10) for number in range(first, max(last, first + 1) + 1)]
