"""Read the constraints of an instance: each element becomes a table or a condition of the network.

A group is its template once for each ``<args>``, with %0, %1, ... and %... replaced. A table without such parameters
is read once and shared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from woodstock.constraint.constraint import Rows
from woodstock.constraint.expression import Compare, Constant, Expression, all_of, negate
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError
from woodstock.scsp.xcsp3.constraint_kinds import NODE_BYTES, READERS, read_integers
from woodstock.scsp.xcsp3.functional import COMPARES, NotationError, parse_functional
from woodstock.scsp.xcsp3.markup import Element
from woodstock.scsp.xcsp3.scope import Arrays, read_range
from woodstock.scsp.xcsp3.tuples import read_tuples

_PARAMETER = re.compile(r"%(\d+|\.\.\.)")
_COMPARED = re.compile(r"\(\s*(\w+)\s*,(.*)\)\Z", re.S)


class Constraints:
    """Reads the constraints of one instance into its network."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays, self.network = arrays, arrays.network
        self._count = 0
        self._tables: dict[tuple[Element, tuple[tuple[object, ...], ...]], Rows] = {}
        self._by_id: dict[str, Element] = {}

    def read(self, element: Element) -> None:
        """Read one child of ``<constraints>``."""
        name = element.attributes.get("id")
        if name is not None:
            self._by_id.setdefault(name, element)
        if element.tag == "block":
            for child in element.children:
                self.read(child)
        elif element.tag == "group":
            self._read_group(element)
        else:
            self._post(element, element, name)

    def _read_group(self, group: Element) -> None:
        templates = [child for child in group.children if child.tag != "args"]
        if len(templates) != 1:
            raise group.error(f"{len(templates)} templates; a group is one constraint and its <args>")
        template = templates[0]
        name = group.attributes.get("id") or template.attributes.get("id")
        for number, args in enumerate(group.all_with("args")):
            words = self._words(args)
            # An argument such as x[1..3] means several.
            flat: list[str] = []
            for word in words:
                if "[" in word and "(" not in word and ("[]" in word or ".." in word):
                    flat += [variable.name for variable in self.arrays.find(word, args)]
                else:
                    flat.append(word)
            self._post(_fill(template, flat, args), args, None if name is None else f"{name}[{number}]", template)

    def _post(self, element: Element, place: Element, name: str | None, origin: Element | None = None) -> None:
        alias = element.attributes.get("as")
        if alias is not None and alias in self._by_id and not element.children and not element.text.strip():
            source = self._by_id[alias]
            element = Element(element.path, source.tag, element.attributes, element.line, element.column)
            element.text, element.children = source.text, source.children
        read = READERS.get(element.tag)
        if read is None:
            raise element.error(f"this constraint is not supported; supported are {', '.join(sorted(READERS))}")
        if element.child("slide") is not None or "reifiedBy" in element.attributes:
            raise element.error("reified and sliding constraints are not supported")
        self._count += 1
        label = name if name is not None else f"c{self._count}"
        try:
            self.arrays.take(NODE_BYTES, element)
            read(self, element, label, origin or element)
        except (NotationError, ModelError) as error:
            if isinstance(error, ModelError) and hasattr(error, "path"):
                raise
            raise place.error(str(error)) from None

    # Parts of constraints

    def variable_or_constant(self, word: str, element: Element) -> Expression:
        """Return what a word of a list means: a variable, an integer or an expression."""
        word = word.strip()
        self.arrays.take(len(word) * 16 + 64, element)

        def find(name: str) -> Expression:
            if name.startswith("%"):
                raise NotationError(f"{name} has no argument", 0)
            return self.arrays.one(name, element)

        try:
            return parse_functional(word, find)
        except NotationError as error:
            shown = word if len(word) <= 60 else word[:57] + "..."
            raise element.error(f"{shown!r}: {error}") from None

    def terms(self, element: Element) -> list[Expression]:
        """Return the terms that an element lists; x[] means several."""
        result: list[Expression] = []
        for word in self._words(element):
            if "(" in word:
                result.append(self.variable_or_constant(word, element))
            elif word[0].isalpha():
                result += self.arrays.find(word, element)
            else:
                result += [Constant(number) for number in read_integers(word, element)]
        if not result:
            raise element.error("the list is empty")
        return result

    def listed(self, element: Element) -> Element:
        """Return the ``<list>`` of a constraint, or the constraint itself if it has no children."""
        return element.need("list") if element.children else element

    def compared(self, element: Element, left: Expression) -> Expression:
        """Return the comparison of `left` as ``<condition>`` says."""
        part = element.need("condition")
        match = _COMPARED.match(part.text.strip())
        if match is None:
            raise part.error(f"{part.text.strip()[:40]!r} is not of the form (le,10)")
        op, operand = match[1], match[2].strip()
        if op in COMPARES:
            return Compare(COMPARES[op], left, self.variable_or_constant(operand, part))
        if op not in ("in", "notin"):
            raise part.error(f"no comparison {op}; expected lt, le, ge, gt, ne, eq, in or notin")
        if operand.startswith("{") and operand.endswith("}"):
            members = [number for word in operand[1:-1].split(",") for number in read_integers(word.strip(), part)]
            inside = left.is_in(members)
        else:
            low, high = read_range(operand, part, "the interval")
            inside = all_of([left >= low, left <= high])
        return inside if op == "in" else negate(inside)

    def rows(self, element: Element, scope: Sequence[Variable], origin: Element) -> Rows:
        """Return the rows of a table, read once for each template and domains."""
        # A template's own element is the key; a filled copy is read for itself.
        is_shared = "%" not in origin.text
        key = (origin if is_shared else element, tuple(variable.domain for variable in scope))
        if key not in self._tables:
            rows = read_tuples(element, scope, self.arrays)
            if not is_shared:
                return rows
            self._tables[key] = rows
        return self._tables[key]

    def _words(self, element: Element) -> list[str]:
        """Split at white space outside of brackets."""
        text = element.text
        if "(" not in text:
            return text.split()
        words: list[str] = []
        depth = start = 0
        for match in re.finditer(r"[()]|\s+|\Z", text):
            sign = match[0]
            if sign == "(":
                depth += 1
            elif sign == ")":
                depth -= 1
            elif depth == 0:
                if text[start : match.start()].strip():
                    words.append(text[start : match.start()].strip())
                start = match.end()
        if depth:
            raise element.error("brackets do not match")
        return words


def _fill(element: Element, words: Sequence[str], args: Element) -> Element:
    """Return a copy of a template with its parameters replaced."""
    result = Element(element.path, element.tag, element.attributes, element.line, element.column)
    result.text_line = element.text_line
    used = {int(match[1]) for match in _PARAMETER.finditer(element.text) if match[1] != "..."}
    rest = words[max(used, default=-1) + 1 :]

    def replaced(match: re.Match[str]) -> str:
        if match[1] == "...":
            return " ".join(rest) if "," not in element.text else ",".join(rest)
        if int(match[1]) >= len(words):
            raise args.error(f"{len(words)} arguments, but the template of line {element.line} uses {match[0]}")
        return words[int(match[1])]

    result.text = _PARAMETER.sub(replaced, element.text) if "%" in element.text else element.text
    result.children = [_fill(child, words, args) for child in element.children]
    return result
