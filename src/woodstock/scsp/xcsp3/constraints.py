"""Read the constraints of an instance: each element becomes a table or a condition of the network.

A group is its template once for each ``<args>``, with %0, %1, ... and %... replaced. A table without such parameters
is read once and shared.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence

import numpy as np

from woodstock.constraint.constraint import WILDCARD, Condition, ElementOf, Rows, Table
from woodstock.constraint.expression import (
    Apply,
    Compare,
    Constant,
    Distinct,
    Expression,
    all_of,
    any_of,
    negate,
    total,
)
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError
from woodstock.scsp.xcsp3.functional import (
    NotationError,
    compare,
    is_comparison,
    parse_functional,
    truth,
)
from woodstock.scsp.xcsp3.markup import Element
from woodstock.scsp.xcsp3.scope import Arrays, read_range
from woodstock.scsp.xcsp3.tuples import read_tuples

_PARAMETER = re.compile(r"%(\d+|\.\.\.)")
_COMPACT = re.compile(r"([+-]?\d{1,12})(?:x(\d{1,7}))?\Z")
_NODE_BYTES = 200
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
        read = _READERS.get(element.tag)
        if read is None:
            raise element.error(f"this constraint is not supported; supported are {', '.join(sorted(_READERS))}")
        if element.child("slide") is not None or "reifiedBy" in element.attributes:
            raise element.error("reified and sliding constraints are not supported")
        self._count += 1
        label = name if name is not None else f"c{self._count}"
        try:
            self.arrays.take(_NODE_BYTES, element)
            read(self, element, label, origin or element)
        except (NotationError, ModelError) as error:
            if isinstance(error, ModelError) and hasattr(error, "path"):
                raise
            raise place.error(str(error)) from None

    def add(self, condition: Condition | Table) -> None:
        """Add a constraint to the network."""
        self.network.add(condition)

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
                result += [Constant(number) for number in _integers(word, element)]
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
        if is_comparison(op):
            return compare(op, left, self.variable_or_constant(operand, part))
        if op not in ("in", "notin"):
            raise part.error(f"no comparison {op}; expected lt, le, ge, gt, ne, eq, in or notin")
        if operand.startswith("{") and operand.endswith("}"):
            members = [number for word in operand[1:-1].split(",") for number in _integers(word.strip(), part)]
            inside = any_of([Compare("==", left, Constant(number)) for number in members] or [False])
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


def _integers(word: str, element: Element) -> list[int]:
    """Return the integers of ``7``, ``1..3`` or ``1x4``."""
    if ".." in word:
        low, high = read_range(word, element, "the values")
        if high - low > 1_000_000:
            raise element.error(f"the range {word} is too long")
        return list(range(low, high + 1))
    match = _COMPACT.match(word)
    if match is None:
        raise element.error(f"{word[:40]!r} is not an integer")
    if match[2] is not None and int(match[2]) > 1_000_000:
        raise element.error(f"{word} repeats too often")
    return [int(match[1])] * (1 if match[2] is None else int(match[2]))


def _values(element: Element) -> list[int]:
    return [number for word in element.text.split() for number in _integers(word, element)]


# One reader for each tag


def _intension(reader: Constraints, element: Element, name: str, _origin: Element) -> None:
    part = element.child("function") or element
    text = part.text.strip()
    reader.arrays.take(len(text) * 16, element)
    expression = truth(reader.variable_or_constant(text, part))
    reader.add(Condition(name, expression))


def _extension(reader: Constraints, element: Element, name: str, origin: Element) -> None:
    scope = reader.arrays.scope(element.need("list"))
    supports, conflicts = element.child("supports"), element.child("conflicts")
    if (supports is None) == (conflicts is None):
        raise element.error("either <supports> or <conflicts> is expected")
    table = supports if supports is not None else conflicts
    assert table is not None
    if not scope:
        raise element.error("the list of variables is empty")
    template = origin.child(table.tag)
    rows = reader.rows(table, scope, table if template is None else template)
    unique = list(dict.fromkeys(variable.index for variable in scope))
    if len(unique) < len(scope):
        scope, rows = _without_repeats(scope, rows)
    reader.add(Table(name, scope, rows, is_allowed=supports is not None))


def _without_repeats(scope: Sequence[Variable], rows: Rows) -> tuple[list[Variable], Rows]:
    """Drop the second column of a variable, and the rows in which the two differ."""
    first: dict[int, int] = {}
    rows = rows.copy()
    for column, variable in enumerate(scope):
        if variable.index not in first:
            first[variable.index] = column
            continue
        known = first[variable.index]
        free = rows[:, known] == WILDCARD
        rows[free, known] = rows[free, column]
        rows = rows[(rows[:, known] == rows[:, column]) | (rows[:, column] == WILDCARD)]
    columns = list(first.values())
    return [scope[column] for column in columns], np.ascontiguousarray(rows[:, columns])


def _all_different(reader: Constraints, element: Element, name: str, _origin: Element) -> None:
    matrix = element.child("matrix")
    if matrix is not None:
        lines = [
            [reader.arrays.one(word.strip(), matrix) for word in row.split(",")]
            for row in re.findall(r"\(([^()]*)\)", matrix.text)
        ]
        if not lines:
            lines = _matrix(reader, matrix)
        if len({len(line) for line in lines}) != 1:
            raise matrix.error("the rows are not of the same length")
        for number, line in enumerate([*lines, *(list(column) for column in zip(*lines, strict=True))]):
            _post_different(reader, element, f"{name}.{number}", list(line), ())
        return
    lists = list(element.all_with("list"))
    if len(lists) > 1:
        groups = [reader.terms(part) for part in lists]
        if len({len(group) for group in groups}) != 1:
            raise element.error("the lists are not of the same length")
        pairs = [
            any_of([Compare("!=", a, b) for a, b in zip(left, right, strict=True)])
            for left, right in itertools.combinations(groups, 2)
        ]
        reader.add(Condition(name, all_of(pairs)))
        return
    terms = reader.terms(reader.listed(element))
    excepted = element.child("except")
    _post_different(reader, element, name, terms, _values(excepted) if excepted is not None else ())


def _matrix(reader: Constraints, matrix: Element) -> list[list[Variable]]:
    """Return the rows of a matrix that is one word, such as x[][] or x[0..2][]."""
    word = matrix.text.strip()
    name = word.partition("[")[0]
    size = reader.arrays.arrays.get(name, ([], []))[0]
    if len(size) != 2:
        raise matrix.error(f"{word[:40]!r} is not an array of two dimensions")
    rows: dict[str, list[Variable]] = {}
    for variable in reader.arrays.find(word, matrix):
        rows.setdefault(variable.name.split("[")[1], []).append(variable)
    return list(rows.values())


def _post_different(
    reader: Constraints, element: Element, name: str, terms: Sequence[Expression], excepted: Sequence[int]
) -> None:
    if not excepted:
        reader.add(Condition(name, Distinct(tuple(terms))))
        return
    reader.arrays.take(len(terms) ** 2 // 2 * _NODE_BYTES * (1 + len(excepted)), element)
    pairs = [
        any_of([Compare("!=", left, right), *(Compare("==", left, Constant(value)) for value in excepted)])
        for left, right in itertools.combinations(terms, 2)
    ]
    reader.add(Condition(name, all_of(pairs)))


def _all_equal(reader: Constraints, element: Element, name: str, _origin: Element) -> None:
    terms = reader.terms(reader.listed(element))
    reader.add(Condition(name, all_of([Compare("==", terms[0], term) for term in terms[1:]])))


def _ordered(reader: Constraints, element: Element, name: str, _origin: Element) -> None:
    terms = reader.terms(reader.listed(element))
    part = element.child("operator")
    op = element.attributes.get("case", "le") if part is None else part.text.strip()
    op = {"increasing": "le", "strictlyIncreasing": "lt", "decreasing": "ge", "strictlyDecreasing": "gt"}.get(op, op)
    if op not in ("lt", "le", "ge", "gt"):
        raise element.error(f"no order {op}; expected lt, le, ge or gt")
    lengths = element.child("lengths")
    steps = [0] * (len(terms) - 1) if lengths is None else _values(lengths)
    if len(steps) < len(terms) - 1:
        raise element.error(f"{len(steps)} lengths for {len(terms)} terms")
    pairs = zip(terms, steps, terms[1:], strict=False)
    reader.add(Condition(name, all_of([compare(op, a if not step else a + step, b) for a, step, b in pairs])))


def _sum(reader: Constraints, element: Element, name: str, _origin: Element) -> None:
    terms = reader.terms(element.need("list"))
    part = element.child("coeffs")
    if part is not None:
        factors = reader.terms(part)
        if len(factors) != len(terms):
            raise element.error(f"{len(factors)} coefficients for {len(terms)} terms")
        terms = [
            factor * term if isinstance(factor, Constant) else Apply("*", (factor, term))
            for factor, term in zip(factors, terms, strict=True)
        ]
    reader.add(Condition(name, reader.compared(element, total(terms))))


def _count(reader: Constraints, element: Element, name: str, _origin: Element) -> None:
    terms, values = reader.terms(element.need("list")), reader.terms(element.need("values"))
    reader.add(Condition(name, reader.compared(element, total(_hits(reader, element, terms, values)))))


def _hits(
    reader: Constraints, element: Element, terms: Sequence[Expression], values: Sequence[Expression]
) -> list[Expression]:
    """Return for each term the condition that it takes one of the values."""
    reader.arrays.take(len(terms) * len(values) * _NODE_BYTES, element)
    if len(values) == 1:
        return [Compare("==", term, values[0]) for term in terms]
    return [any_of([Compare("==", term, value) for value in values]) for term in terms]


def _n_values(reader: Constraints, element: Element, name: str, _origin: Element) -> None:
    terms = reader.arrays.scope(reader.listed(element) if element.child("list") is None else element.need("list"))
    excepted = element.child("except")
    skipped = set(_values(excepted)) if excepted is not None else set()
    values = sorted({value for term in terms for value in term.domain} - skipped)  # type: ignore[type-var]
    reader.arrays.take(len(terms) * len(values) * _NODE_BYTES, element)
    used = [any_of([Compare("==", term, Constant(value)) for term in terms]) for value in values]
    reader.add(Condition(name, reader.compared(element, total(used))))


def _cardinality(reader: Constraints, element: Element, name: str, _origin: Element) -> None:
    terms = reader.terms(element.need("list"))
    part = element.need("values")
    values = reader.terms(part)
    occurs = element.need("occurs")
    words: list[str] = []
    for word in occurs.text.split():
        if word[0].isalpha():
            words += [variable.name for variable in reader.arrays.find(word, occurs)]
        else:
            words += [word] if ".." in word else [str(number) for number in _integers(word, occurs)]
    if len(words) != len(values):
        raise element.error(f"{len(words)} numbers of occurrences for {len(values)} values")
    parts: list[Expression] = []
    for value, word in zip(values, words, strict=True):
        number = total(_hits(reader, element, terms, [value]))
        if ".." in word:
            low, high = read_range(word, occurs, "the occurrences")
            parts += [number >= low, number <= high]
        else:
            parts.append(Compare("==", number, reader.variable_or_constant(word, occurs)))
    if part.attributes.get("closed", "false") == "true":
        parts += _hits(reader, element, terms, values)
    # One constraint for each value: a conjunction over all would be far too wide to tabulate.
    for number_, condition in enumerate(parts):
        reader.add(Condition(f"{name}.{number_}", condition))


def _extremum(op: str) -> Callable[[Constraints, Element, str, Element], None]:
    def read(reader: Constraints, element: Element, name: str, _origin: Element) -> None:
        terms = reader.terms(element.need("list"))
        value = terms[0] if len(terms) == 1 else Apply(op, tuple(terms))
        reader.add(Condition(name, reader.compared(element, value)))

    return read


def _element(reader: Constraints, element: Element, name: str, _origin: Element) -> None:
    entries = element.need("list")
    start = read_range(entries.attributes.get("startIndex", "0").strip() or "0", entries, "startIndex")[0]
    terms = reader.terms(entries)
    value, at = element.child("value"), element.child("index")
    reader.arrays.take(len(terms) * 3 * _NODE_BYTES, element)

    def matches(term: Expression) -> Expression:
        if value is None:
            return reader.compared(element, term)
        return Compare("==", term, reader.variable_or_constant(value.text, value))

    if at is None:
        reader.add(Condition(name, any_of([matches(term) for term in terms])))
        return
    index = reader.variable_or_constant(at.text, at)
    options = [
        all_of([Compare("==", index, Constant(start + offset)), matches(term)])
        for offset, term in enumerate(terms)
        if not isinstance(index, Variable) or start + offset in index.positions
    ]
    expression = any_of(options or [False])
    result = None if value is None else reader.variable_or_constant(value.text, value)
    if isinstance(index, Variable) and isinstance(result, Variable):
        cells = [term for term in terms if isinstance(term, Variable)]
        distinct = {variable.index for variable in (*cells, index, result)}
        if len(cells) == len(terms) and len(distinct) == len(cells) + 2:
            reader.add(ElementOf(name, expression, cells, index, start, result))
            return
    reader.add(Condition(name, expression))


def _instantiation(reader: Constraints, element: Element, name: str, _origin: Element) -> None:
    scope, part = reader.arrays.scope(element.need("list")), element.need("values")
    values = _values(part)
    if len(values) != len(scope):
        raise element.error(f"{len(values)} values for {len(scope)} variables")
    pairs = zip(scope, values, strict=True)
    for number, (variable, value) in enumerate(pairs):
        rows = [[variable.positions[value]]] if value in variable.positions else []
        table = np.array(rows, dtype=np.int32).reshape(len(rows), 1)
        reader.add(Table(f"{name}.{number}", [variable], table))


_READERS: dict[str, Callable[[Constraints, Element, str, Element], None]] = {
    "intension": _intension,
    "extension": _extension,
    "allDifferent": _all_different,
    "allEqual": _all_equal,
    "ordered": _ordered,
    "sum": _sum,
    "count": _count,
    "nValues": _n_values,
    "cardinality": _cardinality,
    "minimum": _extremum("min"),
    "maximum": _extremum("max"),
    "element": _element,
    "instantiation": _instantiation,
}
