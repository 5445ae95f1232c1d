"""A page of SVG: shapes and words come in, in pixels; a document goes out. The same shapes give the same bytes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

SANS = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
MONO = "'DejaVu Sans Mono', Menlo, Consolas, monospace"
# The width of a letter as a share of its size: an upper estimate for the fonts above.
SANS_WIDTH = 0.62
MONO_WIDTH = 0.605
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    """Return text for an XML document: escaped, without characters that XML does not allow."""
    return escape(_FORBIDDEN.sub("\ufffd", text))


def number(value: float) -> str:
    """Return a coordinate as short text, always the same."""
    return f"{value:.1f}".removesuffix(".0")


def cut(text: str, letters: int) -> str:
    """Return text of at most this many letters; an ellipsis marks a cut."""
    return text if len(text) <= letters else text[: max(1, letters - 1)] + "…"


class Canvas:
    """Collects shapes. `width` and `height` grow with the drawing."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.width = 0.0
        self.height = 0.0

    def rect(self, x: float, y: float, w: float, h: float, fill: str, stroke: str = "none", line: float = 1) -> None:
        """Draw a rectangle."""
        self._grow(x + w, y + h)
        place = f'x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}"'
        self._parts.append(f'<rect {place} fill="{fill}" stroke="{stroke}" stroke-width="{number(line)}"/>')

    def polygon(self, points: Sequence[tuple[float, float]], fill: str, stroke: str, line: float = 1) -> None:
        """Draw a closed polygon."""
        for x, y in points:
            self._grow(x, y)
        where = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        self._parts.append(f'<polygon points="{where}" fill="{fill}" stroke="{stroke}" stroke-width="{number(line)}"/>')

    def circle(self, x: float, y: float, radius: float, fill: str, stroke: str = "#222222", line: float = 1.5) -> None:
        """Draw a disc with a rim."""
        self._grow(x + radius, y + radius)
        place = f'cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
        self._parts.append(f'<circle {place} fill="{fill}" stroke="{stroke}" stroke-width="{number(line)}"/>')

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        *,
        fill: str = "#111111",
        anchor: str = "middle",
        is_bold: bool = False,
        is_mono: bool = False,
    ) -> None:
        """Write words; `y` is the middle of the line, `x` its start, middle or end by `anchor`."""
        width = len(words) * size * (MONO_WIDTH if is_mono else SANS_WIDTH)
        self._grow(x + {"start": width, "middle": width / 2, "end": 0}[anchor], y + size / 2)
        # Not dominant-baseline: several renderers do not know it. A third of the size below is the middle of letters.
        look = f'font-size="{number(size)}" fill="{fill}" text-anchor="{anchor}"'
        look += ' font-weight="bold"' if is_bold else ""
        look += f' font-family="{MONO}" xml:space="preserve"' if is_mono else ""
        self._parts.append(f'<text x="{number(x)}" y="{number(y + size * 0.35)}" {look}>{clean(words)}</text>')

    def document(self, title: str, description: str, width: float) -> str:
        """Return the whole document, `width` wide, with a title and a description for those who cannot see it."""
        size = f'width="{number(width)}" height="{number(self.height)}"'
        box = f'viewBox="0 0 {number(width)} {number(self.height)}"'
        name = quoteattr(_FORBIDDEN.sub("\ufffd", title))
        look = f'role="img" aria-label={name} font-family="{SANS}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} {look}>'
        lines = [
            head,
            f"<title>{clean(title)}</title>",
            f"<desc>{clean(description)}</desc>",
            f'<rect width="{number(width)}" height="{number(self.height)}" fill="#ffffff"/>',
            *self._parts,
            "</svg>",
        ]
        return "\n".join(lines) + "\n"

    def _grow(self, x: float, y: float) -> None:
        self.width = max(self.width, x)
        self.height = max(self.height, y)
