"""One reader for each kind of constraint: it turns an element into tables and conditions of the network."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from woodstock.constraint.constraint import WILDCARD, Condition, ElementOf, Rows, Table
from woodstock.constraint.expression import Apply, Compare, Constant, Distinct, Expression, all_of, any_of, total
from woodstock.constraint.variable import Variable
from woodstock.scsp.xcsp3.functional import COMPARES, truth
from woodstock.scsp.xcsp3.markup import Element
from woodstock.scsp.xcsp3.scope import read_range

if TYPE_CHECKING:
    from woodstock.scsp.xcsp3.constraints import Constraints

NODE_BYTES = 200
_COMPACT = re.compile(r"([+-]?\d{1,12})(?:x(\d{1,7}))?\Z")


def read_integers(word: str, element: Element) -> list[int]:
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
    return [number for word in element.text.split() for number in read_integers(word, element)]


def _intension(reader: Constraints, element: Element, name: str, _origin: Element) -> None:
    part = element.child("function") or element
    text = part.text.strip()
    reader.arrays.take(len(text) * 16, element)
    expression = truth(reader.variable_or_constant(text, part))
    reader.network.add(Condition(name, expression))


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
    reader.network.add(Table(name, scope, rows, is_allowed=supports is not None))


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
        reader.network.add(Condition(name, all_of(pairs)))
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
        reader.network.add(Condition(name, Distinct(tuple(terms))))
        return
    reader.arrays.take(len(terms) ** 2 // 2 * NODE_BYTES * (1 + len(excepted)), element)
    pairs = [
        any_of([Compare("!=", left, right), *(Compare("==", left, Constant(value)) for value in excepted)])
        for left, right in itertools.combinations(terms, 2)
    ]
    reader.network.add(Condition(name, all_of(pairs)))


def _all_equal(reader: Constraints, element: Element, name: str, _origin: Element) -> None:
    terms = reader.terms(reader.listed(element))
    reader.network.add(Condition(name, all_of([Compare("==", terms[0], term) for term in terms[1:]])))


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
    reader.network.add(
        Condition(name, all_of([Compare(COMPARES[op], a if not step else a + step, b) for a, step, b in pairs]))
    )


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
    reader.network.add(Condition(name, reader.compared(element, total(terms))))


def _count(reader: Constraints, element: Element, name: str, _origin: Element) -> None:
    terms, values = reader.terms(element.need("list")), reader.terms(element.need("values"))
    reader.network.add(Condition(name, reader.compared(element, total(_hits(reader, element, terms, values)))))


def _hits(
    reader: Constraints, element: Element, terms: Sequence[Expression], values: Sequence[Expression]
) -> list[Expression]:
    """Return for each term the condition that it takes one of the values."""
    reader.arrays.take(len(terms) * len(values) * NODE_BYTES, element)
    if len(values) == 1:
        return [Compare("==", term, values[0]) for term in terms]
    return [term.is_in(values) for term in terms]


def _n_values(reader: Constraints, element: Element, name: str, _origin: Element) -> None:
    terms = reader.arrays.scope(reader.listed(element) if element.child("list") is None else element.need("list"))
    excepted = element.child("except")
    skipped = set(_values(excepted)) if excepted is not None else set()
    values = sorted({value for term in terms for value in term.domain} - skipped)  # type: ignore[type-var]
    reader.arrays.take(len(terms) * len(values) * NODE_BYTES, element)
    used = [any_of([Compare("==", term, Constant(value)) for term in terms]) for value in values]
    reader.network.add(Condition(name, reader.compared(element, total(used))))


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
            words += [word] if ".." in word else [str(number) for number in read_integers(word, occurs)]
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
        reader.network.add(Condition(f"{name}.{number_}", condition))


def _extremum(op: str) -> Callable[[Constraints, Element, str, Element], None]:
    def read(reader: Constraints, element: Element, name: str, _origin: Element) -> None:
        terms = reader.terms(element.need("list"))
        value = terms[0] if len(terms) == 1 else Apply(op, tuple(terms))
        reader.network.add(Condition(name, reader.compared(element, value)))

    return read


def _element(reader: Constraints, element: Element, name: str, _origin: Element) -> None:
    entries = element.need("list")
    start = read_range(entries.attributes.get("startIndex", "0").strip() or "0", entries, "startIndex")[0]
    terms = reader.terms(entries)
    value, at = element.child("value"), element.child("index")
    reader.arrays.take(len(terms) * 3 * NODE_BYTES, element)

    def matches(term: Expression) -> Expression:
        if value is None:
            return reader.compared(element, term)
        return Compare("==", term, reader.variable_or_constant(value.text, value))

    if at is None:
        reader.network.add(Condition(name, any_of([matches(term) for term in terms])))
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
            reader.network.add(ElementOf(name, expression, cells, index, start, result))
            return
    reader.network.add(Condition(name, expression))


def _instantiation(reader: Constraints, element: Element, name: str, _origin: Element) -> None:
    scope, part = reader.arrays.scope(element.need("list")), element.need("values")
    values = _values(part)
    if len(values) != len(scope):
        raise element.error(f"{len(values)} values for {len(scope)} variables")
    pairs = zip(scope, values, strict=True)
    for number, (variable, value) in enumerate(pairs):
        rows = [[variable.positions[value]]] if value in variable.positions else []
        table = np.array(rows, dtype=np.int32).reshape(len(rows), 1)
        reader.network.add(Table(f"{name}.{number}", [variable], table))


READERS: dict[str, Callable[[Constraints, Element, str, Element], None]] = {
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
