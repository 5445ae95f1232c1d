"""Read problems from files: TOML and JSON of one form (docs/qcsp.md), QDIMACS; by the suffix, or by the content."""

from __future__ import annotations

import json
import keyword
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from woodstock.constraint.plain import shown
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError
from woodstock.qcsp import qdimacs
from woodstock.qcsp.lines import Lines, place
from woodstock.qcsp.problem import Problem
from woodstock.qcsp.text import Names, parse

QDIMACS_SUFFIXES = (".qdimacs", ".qcnf", ".cnf", ".qbf")
# The keys of an entry, by its kind.
_QUANTIFIED = {"domain", "count", "such_that", "labels"}
_KEYS = {"exists": _QUANTIFIED, "forall": _QUANTIFIED, "define": {"as"}, "restrict": {"such_that"}}
_TOP = {"name", "prefix", "constraints", "lists", "tables"}


def read(path: Path) -> Problem:
    """Read a problem; any mistake in the file raises `ModelError`."""
    if path.suffix in QDIMACS_SUFFIXES:
        return qdimacs.read(path).problem(path.stem)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ModelError(f"{path}: not UTF-8 text: {error.reason} at byte {error.start}") from None
    if path.suffix not in (".toml", ".json") and re.match(r"(\s|c.*\n)*p\s+cnf\b", text):
        return qdimacs.parse(text.splitlines(), str(path)).problem(path.stem)
    is_json = path.suffix == ".json" or (path.suffix != ".toml" and text.lstrip().startswith("{"))
    try:
        data = json.loads(text, object_pairs_hook=_without_repeats) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # of both readers; also numbers of thousands of digits
        kind = "JSON" if is_json else "TOML"
        raise ModelError(f"{path}: not {kind}: {error}") from None
    return build(data, str(path), default_name=path.stem, text=text)


def build(data: Any, where: str = "problem", default_name: str = "problem", text: str = "") -> Problem:
    """Build a problem from the contents of a file; `text` is the file itself, for the lines in messages."""
    if not isinstance(data, Mapping):
        raise ModelError(f"{where}: expected a table with 'prefix' and 'constraints'")
    _only(data, _TOP, where)
    name = data.get("name", default_name)
    if not isinstance(name, str) or not name.isprintable():
        raise ModelError(f"{where}: the name {shown(repr(name))} is not a text of printable characters")
    problem = Problem(name)
    problem.source = where
    lists = {name: _numbers(values, f"{where}: list {name}") for name, values in _table(data, "lists", where).items()}
    tables = _table(data, "tables", where)
    for name, rows in tables.items():
        if not isinstance(rows, list):
            raise ModelError(f"{where}: table {name}: {shown(repr(rows))} is not a list of rows")
    names = Names(problem, lists, tables)
    prefix = data.get("prefix")
    if not isinstance(prefix, list) or not prefix:
        raise ModelError(f"{where}: 'prefix' must be a list of variables, outermost first")
    lines = Lines(text, "prefix")
    for number, entry in enumerate(prefix, start=1):
        line = lines.next(_forms(entry))
        here = f"{place(where, line)}: prefix entry {number}"
        with _named(here, where):
            _add(problem, entry, names, here, line)
    lines = Lines(text, "constraints")
    for number, condition in enumerate(_texts(data.get("constraints", []), f"{where}: constraints"), start=1):
        line = lines.next([condition])
        problem.lines[f"constraint {number}"] = line
        with _named(place(where, line), where):
            problem.require(parse(condition, names, f"{place(where, line)}: constraint {number}"))
    return problem


def _forms(entry: Any) -> list[str]:
    """Return how the name that an entry begins with may be written in the file."""
    if not isinstance(entry, Mapping):
        return [repr(entry)]
    given = next((entry[kind] for kind in _KEYS if kind in entry), None)
    name = given[0] if isinstance(given, list) and given else given
    return [f'"{name}"', f"'{name}'"] if isinstance(name, str) else [str(name)]


@contextmanager
def _named(place: str, where: str) -> Iterator[None]:
    """Let errors of the model begin with their place in the file."""
    try:
        yield
    except ModelError as error:
        if str(error).startswith(where):
            raise
        raise ModelError(f"{place}: {error}") from None


def _add(problem: Problem, entry: Any, names: Names, where: str, line: int | None) -> None:
    if not isinstance(entry, Mapping):
        raise ModelError(f"{where}: {shown(entry)} is not a table such as {{exists = 'x', domain = '0..2'}}")
    kinds = [kind for kind in _KEYS if kind in entry]
    if len(kinds) != 1:
        raise ModelError(f"{where}: expected one of {', '.join(_KEYS)}")
    kind = kinds[0]
    _only(entry, {kind} | _KEYS[kind], f"{where}: {kind}")
    given = entry[kind] if isinstance(entry[kind], list) else [entry[kind]]
    for name in given:
        _check_name(name, names, where)
    if not given:
        raise ModelError(f"{where}: {kind} needs a name")
    if kind in ("define", "restrict") and len(given) != 1:
        raise ModelError(f"{where}: {kind} takes one name, got {shown(given)}")
    if kind == "define":
        if not isinstance(entry.get("as"), str):
            raise ModelError(f"{where}: a definition needs 'as', the term that it stands for")
        problem.lines[f"definition of {given[0]}"] = line
        problem.define(given[0], parse(entry["as"], names, where))
        return
    if kind == "restrict":
        _restrict(problem, entry, names, where, line, given[0])
        return
    if "domain" not in entry:
        raise ModelError(f"{where}: {', '.join(map(str, given))} needs a domain, such as '1..40' or [0, 1, 3]")
    domain = _domain(entry["domain"], where)
    count = entry.get("count")
    for name in given:
        if count is None:
            (problem.forall if kind == "forall" else problem.exists)(name, domain)
        elif type(count) is not int:
            raise ModelError(f"{where}: count {shown(repr(count))} is not a number")
        else:
            (problem.forall_array if kind == "forall" else problem.exists_array)(name, count, domain)
    if "labels" in entry:
        added = len(given) * (count or 1)
        _label(problem, entry["labels"], problem.blocks[-1].variables[-added:], where)
    if "such_that" in entry:
        _restrict(problem, entry, names, where, line)


def _check_name(name: object, names: Names, where: str) -> None:
    """Refuse a name that no condition could use."""
    base = re.fullmatch(r"(\w+)(\[\d+\])*", name) if isinstance(name, str) else None
    if base is None or not base[1].isidentifier() or keyword.iskeyword(base[1]):
        raise ModelError(f"{where}: {shown(repr(name))} is not a name; names are such as x, left or w[0]")
    if base[1] in names.lists:
        raise ModelError(f"{where}: {name} is also the name of a list; conditions could not tell them apart")


def _label(problem: Problem, labels: Any, variables: list[Variable], where: str) -> None:
    """Give the values of the new variables their labels, in ascending order of the values."""
    texts = _texts(labels, f"{where}: labels")
    count = len(variables[0].codes)
    if len(texts) != count or len({text.lower() for text in texts}) != count:
        raise ModelError(f"{where}: {len({text.lower() for text in texts})} different labels for {count} values")
    for variable in variables:
        problem.labels[variable.name] = dict(zip(variable.codes, texts, strict=True))


def _restrict(
    problem: Problem, entry: Mapping[str, Any], names: Names, where: str, line: int | None, of: str | None = None
) -> None:
    """Restrict the last block, or that of the variable `of`."""
    texts = _texts(entry.get("such_that"), f"{where}: such_that")
    own = None
    if of is not None:
        is_array = any(variable.name == f"{of}[0]" for variable in problem.variables)
        own = problem.variable(f"{of}[0]" if is_array else of)
    problem.such_that(*(parse(text, names, where) for text in texts), of=own)
    block = problem.blocks[-1] if own is None else problem.block_of(own)
    problem.lines[f"restriction of {block.names}"] = line


def _domain(given: Any, where: str) -> Any:
    if isinstance(given, list):
        return _numbers(given, f"{where}: domain")
    if isinstance(given, str) and ".." in given:
        ends = re.fullmatch(r"\s*([+-]?[0-9]{1,18})\s*\.\.\s*([+-]?[0-9]{1,18})\s*", given)
        if ends is not None:
            return range(int(ends[1]), int(ends[2]) + 1)
    raise ModelError(f"{where}: the domain {shown(given)} is neither a range such as '1..40' nor a list of numbers")


def _numbers(values: Any, where: str) -> list[int]:
    if not isinstance(values, list) or not all(type(value) is int for value in values):
        raise ModelError(f"{where}: {shown(values)} is not a list of integers")
    return values


def _texts(values: Any, where: str) -> list[str]:
    found = [values] if isinstance(values, str) else values
    if not isinstance(found, list) or not all(isinstance(value, str) for value in found):
        raise ModelError(f"{where}: expected a text or a list of texts")
    return found


def _table(data: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    found = data.get(key, {})
    if not isinstance(found, Mapping):
        raise ModelError(f"{where}: '{key}' must be a table of names")
    return found


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; a key that is there twice is a mistake, as in TOML."""
    data = dict(pairs)
    if len(data) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} is there twice")
    return data


def _only(data: Mapping[str, Any], known: set[str], where: str) -> None:
    for key in data:
        if key not in known:
            raise ModelError(f"{where}: unknown key {key!r}; there are {', '.join(sorted(known))}")
