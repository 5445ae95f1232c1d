"""The tuples of ``<supports>`` and ``<conflicts>`` as rows of positions in domains, and back.

Text is read in pieces of about a megabyte, so that a table costs its own text and 4 bytes for each cell. A tuple with a
value outside a domain can never occur and is left out, as the format says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from woodstock.constraint.constraint import WILDCARD, Rows
from woodstock.constraint.variable import Variable
from woodstock.scsp.xcsp3.markup import Element
from woodstock.scsp.xcsp3.scope import Arrays, read_range

_PIECE = 1 << 20
_SEPARATORS = str.maketrans("(),", "   ")
_GOOD = re.compile(r"\s*(?:\(\s*(?:[+-]?\d+|\*)(?:\s*,\s*(?:[+-]?\d+|\*))*\s*\)\s*)*\Z")
_ONE = re.compile(r"\s*\(([^()]*)\)\s*")
_WORD = re.compile(r"[+-]?\d{1,12}\Z|\*\Z")
_OUTSIDE = -2


def read_tuples(element: Element, scope: Sequence[Variable], arrays: Arrays) -> Rows:
    """Return the rows of the table in an element."""
    if len(scope) == 1:
        return _read_unary(element, scope[0], arrays)
    # Variables of the same domain share a dictionary.
    shared: dict[tuple[object, ...], dict[str, int]] = {}
    lookups = []
    for variable in scope:
        if variable.domain not in shared:
            arrays.take(len(variable.domain) * 120, element)
            known = {str(value): position for position, value in enumerate(variable.domain)}
            known["*"] = WILDCARD
            shared[variable.domain] = known
        lookups.append(shared[variable.domain])
    blocks: list[Rows] = []
    for start, piece in _pieces(element.text):
        if not _GOOD.match(piece):
            raise _bad_tuple(element, start, piece, len(scope))
        words = piece.translate(_SEPARATORS).split()
        count = piece.count("(")
        if len(words) != count * len(scope) or not _all_of_arity(piece, len(scope)):
            raise _bad_tuple(element, start, piece, len(scope))
        arrays.take(len(words) * 4, element)
        block = np.empty((count, len(scope)), dtype=np.int32)
        for column, lookup in enumerate(lookups):
            block[:, column] = [_position(lookup, word) for word in words[column :: len(scope)]]
        blocks.append(block[(block != _OUTSIDE).all(axis=1)])
    if not blocks:
        return np.empty((0, len(scope)), dtype=np.int32)
    return np.concatenate(blocks)


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    while start < len(text):
        end = text.find(")", min(len(text), start + _PIECE)) + 1 or len(text)
        yield start, text[start:end]
        start = end


def _position(lookup: dict[str, int], word: str) -> int:
    found = lookup.get(word)
    if found is None:
        # 007 and +7 are other ways to write 7.
        found = lookup.get(str(int(word)) if len(word) < 40 else word, _OUTSIDE)
    return found


def _all_of_arity(piece: str, arity: int) -> bool:
    # The total is right, but one tuple may be too short and another too long.
    return all(part.count(",") == arity - 1 for part in piece.split("(")[1:])


def _bad_tuple(element: Element, start: int, piece: str, arity: int) -> Exception:
    """Return the error for the first tuple that is wrong."""
    offset = 0
    while (match := _ONE.match(piece, offset)) is not None:
        words = [word.strip() for word in match[1].split(",")]
        line = element.line_at(start + match.start(1))
        shown = match[1] if len(match[1]) <= 60 else match[1][:57] + "..."
        if len(words) != arity:
            return element.error(f"the tuple ({shown}) has {len(words)} values for {arity} variables", line)
        for word in words:
            if not _WORD.match(word):
                return element.error(f"the tuple ({shown}) has {word[:40]!r}; integers and * are expected", line)
        offset = match.end()
    rest = piece[offset : offset + 40].strip()
    line = element.line_at(start + offset)
    return element.error(f"{rest!r} is not a tuple; ({','.join(['1'] * min(arity, 4))}) would be one", line)


def _read_unary(element: Element, variable: Variable, arrays: Arrays) -> Rows:
    """A table of one column is a list of values and ranges."""
    rows: list[list[int]] = []
    for word in element.text.replace("(", " ").replace(")", " ").split():
        if word == "*":
            return np.array([[WILDCARD]], dtype=np.int32)
        low, high = read_range(word, element, "the values")
        arrays.take(4 * min(len(variable.domain), high - low + 1), element)
        if high - low < len(variable.domain):
            rows += [[variable.positions[value]] for value in range(low, high + 1) if value in variable.positions]
        else:
            # A range may be far larger than the domain.
            inside = [value for value in variable.domain if low <= value <= high]  # type: ignore[operator]
            rows += [[variable.positions[value]] for value in inside]
    return np.array(rows, dtype=np.int32).reshape(len(rows), 1)


def write_tuples(rows: Rows, codes: Sequence[Sequence[int]]) -> str:
    """Return rows as the text of a table; `codes` are the integers of each column's positions."""
    if rows.shape[1] == 1:
        if bool((rows == WILDCARD).any()):
            return "*"
        return " ".join(str(codes[0][position]) for position in rows[:, 0].tolist())
    words = [[*map(str, column), "*"] for column in codes]
    lines: list[str] = []
    line: list[str] = []
    width = 0
    for row in rows.tolist():
        entry = f"({','.join(column[position] for column, position in zip(words, row, strict=True))})"
        width += len(entry)
        line.append(entry)
        if width > 110:
            lines.append("".join(line))
            line, width = [], 0
    if line:
        lines.append("".join(line))
    return "\n".join(lines)
