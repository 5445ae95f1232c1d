"""The sidecar of an instance: a JSON file with everything that XCSP3 cannot express. `docs/xcsp3.md` has its schema.

Names, values of any kind, kinds and stages of variables, probabilities, chance and soft constraints, thresholds,
expressions as modelled, and the game that the network came from. Numbers are written so that they come back the
same: fractions as text, floats as JSON numbers.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from woodstock.constraint.constraint import Condition, Constraint, Rows, Table
from woodstock.constraint.expression import Apply, Compare, Constant, Distinct, Expression, Logic, Sum, Value
from woodstock.constraint.selection import Element, IfThenElse, Member, in_table
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError
from woodstock.scsp.network import Network
from woodstock.scsp.soft import Soft
from woodstock.scsp.xcsp3.error import Budget, InstanceError, OverBudget

FORMAT = "woodstock-scsp"
VERSION = 1
SUFFIX = ".scsp.json"
_COMPARES = ("==", "!=", "<", "<=", ">", ">=")
_LOGIC = ("&", "|", "~")
_APPLIES = ("*", "//", "%", "abs", "min", "max")
_JSON_FACTOR = 12  # bytes of Python objects for a byte of JSON, about


def sidecar_path(path: Path) -> Path:
    """Return the path of the sidecar of an instance.

    >>> str(sidecar_path(Path("nim.xml")))
    'nim.scsp.json'
    """
    return path.with_suffix(SUFFIX)


# Writing


def encode_value(value: Value, where: str = "a value") -> Any:
    """Return a value as JSON."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Fraction):
        return {"fraction": str(value)}
    if isinstance(value, tuple):
        return {"tuple": [encode_value(part, where) for part in value]}
    if isinstance(value, frozenset):
        return {"set": sorted((encode_value(part, where) for part in value), key=repr)}
    raise ModelError(
        f"{where}: {value!r} of type {type(value).__name__} cannot be written; "
        "use numbers, text, booleans, None, tuples and frozensets of these"
    )


def encode_number(number: Any) -> Any:
    """Return a probability or utility as JSON: fractions as text."""
    return str(number) if isinstance(number, Fraction | int) else number


def encode_expression(expression: Expression, ids: Mapping[int, str], where: str) -> Any:
    """Return an expression as JSON."""
    if isinstance(expression, Constant):
        return {"value": encode_value(expression.value, where)}
    if isinstance(expression, Variable):
        return {"variable": ids[expression.index]}
    if isinstance(expression, Sum):
        terms = [[encode_value(f, where), encode_expression(t, ids, where)] for f, t in expression.terms]
        return {"sum": terms, "constant": encode_value(expression.constant, where)}
    if isinstance(expression, Compare):
        return _operation(expression.op, (expression.left, expression.right), ids, where)
    if isinstance(expression, Apply | Logic):
        return _operation(expression.op, expression.arguments, ids, where)
    if isinstance(expression, Distinct):
        return _operation("distinct", expression.arguments, ids, where)
    if isinstance(expression, IfThenElse):
        return _operation("if", expression.parts, ids, where)
    if isinstance(expression, Element):
        return _operation("element", (expression.index, *expression.entries), ids, where)
    if isinstance(expression, Member):
        terms = [encode_expression(part, ids, where) for part in expression.terms]
        key = "allowed" if expression.is_allowed else "forbidden"
        return {"of": terms, key: [list(row) for row in sorted(expression.rows)]}
    raise ModelError(f"{where}: {expression!r} cannot be written")


def _operation(op: str, parts: Iterable[Expression], ids: Mapping[int, str], where: str) -> Any:
    return {"op": op, "of": [encode_expression(part, ids, where) for part in parts]}


def encode_sidecar(
    network: Network,
    ids: Mapping[int, str],
    hard: list[dict[str, Any]],
    *,
    instance: str,
    game: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """Return the sidecar of a network; `hard` are the entries of its hard constraints."""
    variables = []
    probabilities = []
    for v in network.declared:
        values = [encode_value(value, f"variable {v.name}") for value in v.domain]
        kind = "chance" if v.is_chance else "decision"
        variables.append({"id": ids[v.index], "name": v.name, "kind": kind, "stage": v.stage, "values": values})
        if v.is_chance:
            table = network.probabilities[v.index]
            conditions = math.prod(len(g.domain) for g in table.given)
            if len(table.rows) < conditions:
                raise ModelError(
                    f"variable {v.name}: its probabilities have {conditions:,} conditions, too many to list; "
                    "export a state instead of the template"
                )
            rows = [{"when": list(when), "p": [encode_number(p) for p in row]} for when, row in table.rows.items()]
            probabilities.append({"variable": ids[v.index], "given": [ids[g.index] for g in table.given], "rows": rows})
    result: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "instance": instance,
        "name": network.name,
        "players": list(network.players),
        "threshold": [encode_number(t) for t in network.threshold],
        "variables": variables,
        "hard": hard,
        "probabilities": probabilities,
        "chance": [_encode_constraint(c, ids) for c in network.chance_constraints],
        "soft": [_encode_soft(s, ids) for s in network.soft],
    }
    if game is not None:
        result["game"] = dict(game)
    return result


def _encode_constraint(constraint: Constraint, ids: Mapping[int, str]) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": constraint.name}
    if isinstance(constraint, Table):
        key = "allowed" if constraint.is_allowed else "forbidden"
        return entry | {"scope": [ids[v.index] for v in constraint.scope], key: constraint.rows.tolist()}
    if isinstance(constraint, Condition):
        where = f"constraint {constraint.name}"
        return entry | {"expression": encode_expression(constraint.expression, ids, where)}
    raise ModelError(f"constraint {constraint.name}: a {type(constraint).__name__} cannot be written")


def _encode_soft(soft: Soft, ids: Mapping[int, str]) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "name": soft.name,
        "scope": [ids[v.index] for v in soft.scope],
        "otherwise": [encode_number(u) for u in soft.otherwise],
        "utilities": [[encode_number(u) for u in utility] for utility in soft.utilities],
    }
    if soft.test is not None:
        return entry | {"test": _encode_constraint(soft.test, ids)}
    return entry | {"rows": [] if soft.rows is None else soft.rows.tolist()}


def write_sidecar(path: Path, content: Mapping[str, Any]) -> None:
    """Write a sidecar: one line for each entry of its lists, so that it can be read and compared."""
    parts = []
    for key, value in content.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lines = ",\n  ".join(json.dumps(entry, ensure_ascii=False) for entry in value)
            parts.append(f" {json.dumps(key)}: [\n  {lines}\n ]")
        else:
            parts.append(f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


# Reading


class SidecarReader:
    """Reads a sidecar, checks every entry, and names the place of a mistake; `variables` are those known by now."""

    def __init__(self, path: Path, budget: Budget) -> None:
        self.path = str(path)
        self.variables: dict[str, Variable] = {}
        try:
            budget.take(path.stat().st_size * _JSON_FACTOR)
            content = json.loads(path.read_text(encoding="utf-8"), parse_constant=self._no_number)
        except OverBudget as error:
            raise self.error("", str(error)) from None
        except json.JSONDecodeError as error:
            raise InstanceError(self.path, error.lineno, error.colno, f"not JSON: {error.msg}") from None
        except (OSError, UnicodeDecodeError, RecursionError, ValueError) as error:
            raise self.error("", f"cannot be read: {error}") from None
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise self.error("", f'not the sidecar of an instance: "format" must be "{FORMAT}"')
        if content.get("version") != VERSION:
            raise self.error("version", f"{content.get('version')!r}; this woodstock reads version {VERSION}")
        self.content = content

    def _no_number(self, word: str) -> Any:
        raise self.error("", f"{word} is not a number")

    def error(self, place: str, message: str) -> InstanceError:
        """Return an error at a place such as variables[3].values."""
        return InstanceError(self.path, 0, 0, f"{place}: {message}" if place else message)

    def get(self, holder: Any, key: str, kind: type | tuple[type, ...], place: str) -> Any:
        """Return an entry of an object; it must be there and of that kind."""
        inner = f"{place}.{key}" if place else key
        if not isinstance(holder, dict) or key not in holder:
            raise self.error(inner, "is missing")
        value = holder[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
            expected = kind.__name__ if isinstance(kind, type) else " or ".join(k.__name__ for k in kind)
            raise self.error(inner, f"is {json.dumps(value)[:40]}, not of type {expected}")
        return value

    def entries(self, key: str) -> Iterator[tuple[Any, str]]:
        """Yield the entries of one of the lists, each with its place."""
        for number, entry in enumerate(self.get(self.content, key, list, "")):
            yield entry, f"{key}[{number}]"

    def value(self, entry: Any, place: str) -> Value:
        """Return a value as the modeller had it."""
        if entry is None or isinstance(entry, str | bool | int | float):
            return entry
        if isinstance(entry, dict) and len(entry) == 1:
            key, inner = next(iter(entry.items()))
            if key == "fraction":
                fraction: Value = self.number(inner, place)
                return fraction
            if key in ("tuple", "set") and isinstance(inner, list):
                parts = [self.value(part, place) for part in inner]
                return tuple(parts) if key == "tuple" else frozenset(parts)
        raise self.error(place, f"{json.dumps(entry)[:60]} is not a value")

    def number(self, entry: Any, place: str) -> Any:
        """Return a fraction from text, a float as it is."""
        if isinstance(entry, float):
            return entry
        try:
            if isinstance(entry, str | int) and len(str(entry)) <= 2000:
                return Fraction(entry)
        except (ValueError, ZeroDivisionError):
            pass
        raise self.error(place, f"{json.dumps(entry)[:60]} is not a number")

    def expression(self, entry: Any, place: str, depth: int = 0) -> Expression:
        """Return an expression."""
        if depth > 400:
            raise self.error(place, "the expression is nested too deep")
        if isinstance(entry, dict):
            if "value" in entry:
                return Constant(self.value(entry["value"], place))
            if "variable" in entry:
                return self.variable(entry["variable"], place)
            if isinstance(entry.get("sum"), list):
                terms = []
                for term in entry["sum"]:
                    if not isinstance(term, list) or len(term) != 2:
                        raise self.error(place, "a term of a sum is [factor, expression]")
                    inner = self.expression(term[1], place, depth + 1)
                    terms.append((self.value(term[0], place), inner))
                return Sum(tuple(terms), self.value(entry.get("constant", 0), place))
            if isinstance(entry.get("of"), list):
                parts = tuple(self.expression(part, place, depth + 1) for part in entry["of"])
                found = self._operation(entry, parts, place)
                if found is not None:
                    return found
        raise self.error(place, f"{json.dumps(entry)[:60]} is not an expression")

    def _operation(self, entry: Any, parts: tuple[Expression, ...], place: str) -> Expression | None:
        op = entry.get("op")
        if op in _COMPARES and len(parts) == 2:
            return Compare(op, *parts)
        if op in _LOGIC and (op != "~" or len(parts) == 1):
            return Logic(op, parts)
        if op == "distinct":
            return Distinct(parts)
        if op in _APPLIES and len(parts) == {"abs": 1, "*": 2, "//": 2, "%": 2}.get(op, len(parts)) >= 1:
            return Apply(op, parts)
        if op == "if" and len(parts) == 3 and parts[0].is_condition:
            return IfThenElse(*parts)
        if op == "element" and len(parts) >= 2:
            return Element(parts[1:], parts[0])
        for key in ("allowed", "forbidden"):
            if isinstance(entry.get(key), list):
                try:
                    return in_table(parts, entry[key], is_allowed=key == "allowed")
                except ModelError as error:
                    raise self.error(place, str(error)) from None
        return None

    def variable(self, name: Any, place: str) -> Variable:
        """Return the variable of an id."""
        if not isinstance(name, str) or name not in self.variables:
            raise self.error(place, f"no variable {json.dumps(name)[:60]}")
        return self.variables[name]

    def scope(self, holder: Any, key: str, place: str) -> list[Variable]:
        """Return the variables of a list of ids."""
        return [self.variable(name, f"{place}.{key}") for name in self.get(holder, key, list, place)]

    def rows(self, holder: Any, key: str, scope: list[Variable], place: str, *, with_wildcards: bool = True) -> Rows:
        """Return rows of positions, checked against the domains."""
        low = -1 if with_wildcards else 0
        entries = self.get(holder, key, list, place)
        for number, row in enumerate(entries):
            spot = f"{place}.{key}[{number}]"
            if not isinstance(row, list) or len(row) != len(scope):
                raise self.error(spot, f"a row of {len(scope)} positions is expected")
            for position, variable in zip(row, scope, strict=True):
                if type(position) is not int or not low <= position < len(variable.domain):
                    raise self.error(
                        spot,
                        f"{json.dumps(position)[:40]} is not a position in the domain of {variable.name}, "
                        f"which has {len(variable.domain)} values",
                    )
        return np.array(entries, dtype=np.int32).reshape(len(entries), len(scope))
