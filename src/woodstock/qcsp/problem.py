"""A quantified constraint problem: variables in prefix order, constraints, restrictions of blocks.

The prefix is a game: the owner of the next variable sets it, and the existential player wins a play if every
constraint holds at its end. Blocks may be restricted (QCSP+): a player who sets a block must satisfy its restrictions,
and loses if that is impossible. So with R the restriction of a block and F the rest, ``exists x such that R: F`` is
``R and F`` for some x, ``forall y such that R: F`` is ``R implies F`` for all y [Benedetti, Lallouet & Vautard 2007].
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from woodstock.constraint.expression import Expression, condition, wrap
from woodstock.constraint.plain import plain, shown
from woodstock.constraint.selection import in_table
from woodstock.constraint.values import check_terms, possible_values
from woodstock.constraint.variable import INT_LIMIT, Variable
from woodstock.errors import ModelError

ARRAY_LIMIT = 100_000


@dataclass
class Block:
    """Adjacent variables of one quantifier, and the restrictions on their values."""

    is_universal: bool
    variables: list[Variable] = field(default_factory=list)
    restrictions: list[Expression] = field(default_factory=list)

    @property
    def names(self) -> str:
        """The names of the variables, as messages have them."""
        return shown(", ".join(variable.name for variable in self.variables))


class Problem:
    """Variables are added from the outside in; a change of quantifier begins a new block."""

    def __init__(self, name: str = "problem") -> None:
        self.name = name
        self.blocks: list[Block] = []
        self.variables: list[Variable] = []
        self.constraints: list[Expression] = []
        self.definitions: dict[int, Expression] = {}  # by the number of the variable that is defined
        self.labels: dict[str, dict[int, str]] = {}  # names of values, by variable and value; for people only
        self.source = ""  # the file that it was read from
        self.lines: dict[str, int | None] = {}  # of that file, by what is there: "constraint 2", "definition of left"
        self._by_name: dict[str, Variable] = {}
        self._wants_new_block = False

    def __repr__(self) -> str:
        return f"<Problem {self.name}: {len(self.variables)} variables, {len(self.constraints)} constraints>"

    # Variables.

    def exists(self, name: str, domain: Iterable[int]) -> Variable:
        """Add an existential variable."""
        return self._add(name, domain, is_universal=False)

    def forall(self, name: str, domain: Iterable[int]) -> Variable:
        """Add a universal variable."""
        return self._add(name, domain, is_universal=True)

    def exists_array(self, name: str, count: int, domain: Iterable[int]) -> list[Variable]:
        """Add existential variables name[0], name[1], ..."""
        return self._add_array(name, count, domain, is_universal=False)

    def forall_array(self, name: str, count: int, domain: Iterable[int]) -> list[Variable]:
        """Add universal variables name[0], name[1], ..."""
        return self._add_array(name, count, domain, is_universal=True)

    def define(self, name: str, term: object) -> Variable:
        """Add a variable that equals a term over variables before it; nobody sets it."""
        expression = self._checked(term, f"definition of {name}")
        values = possible_values(expression, f"definition of {name}").tolist()
        variable = self._add_variable(name, values, stage=len(self.blocks))
        self.definitions[variable.index] = expression
        return variable

    def begin_block(self) -> None:
        """Start a new block with the next variable, even if its quantifier is the same."""
        self._wants_new_block = True

    # Constraints.

    def require(self, *conditions: object) -> None:
        """Add constraints: the existential player needs all of them at the end."""
        for given in conditions:
            self.constraints.append(self._checked_condition(given, f"constraint {len(self.constraints) + 1}"))

    def such_that(self, *conditions: object, of: Variable | None = None) -> None:
        """Restrict the last block, or that of the variable `of`: its player must satisfy these conditions.

        They are about variables of the block and before it, and about what these define.
        """
        if not self.blocks:
            raise ModelError("such_that: there is no variable yet whose values it could restrict")
        block = self.blocks[-1] if of is None else self.block_of(of)
        for given in conditions:
            what = f"restriction of {block.names}"
            condition = self._checked_condition(given, what)
            for variable in condition.variables():
                if variable.stage > block.variables[0].stage:
                    raise ModelError(f"{what}: {variable.name} comes after the block")
            block.restrictions.append(condition)

    def begin_with(self, values: Mapping[str, int | str]) -> None:
        """Set the first variables of the prefix, so that the play begins from there.

        The values are numbers, or labels if the model has them.
        """
        if not isinstance(values, Mapping):
            raise ModelError(f"begin_with needs a dictionary of names and values, got {shown(values)}")
        first = [variable.name for variable, _ in self.prefix[: len(values)]]
        for name in values:
            self.variable(name)
            if name not in first:
                raise ModelError(f"{self.name}: a play begins with {', '.join(first)}; {name} comes later")
        chosen: list[tuple[Variable, int]] = []
        for name, given in values.items():
            variable = self.variable(name)
            labels = {label.lower(): value for value, label in self.labels.get(name, {}).items()}
            value = labels.get(str(given).lower(), _integer(given))
            if type(value) is not int or value not in variable.positions:
                raise ModelError(f"variable {name}: {shown(given)} is not in its domain")
            chosen.append((variable, value))
        for variable, value in chosen:
            variable.restrict_to(value)

    def allow(self, variables: Sequence[object], rows: Iterable[Sequence[int]]) -> None:
        """Require that the values of the terms are a row of the table."""
        self.require(in_table(variables, rows))

    def forbid(self, variables: Sequence[object], rows: Iterable[Sequence[int]]) -> None:
        """Require that the values of the terms are not a row of the table."""
        self.require(in_table(variables, rows, is_allowed=False))

    # Reading.

    def block_of(self, variable: Variable) -> Block:
        """Return the block of a quantified variable."""
        for block in self.blocks:
            if any(own is variable for own in block.variables):
                return block
        raise ModelError(f"{variable!r} is not a quantified variable of {self.name}")

    def named(self, what: str) -> str:
        """Return `what` with its file and line, if it was read from a file."""
        line = self.lines.get(what)
        place = f"{self.source}:{line}" if line else self.source
        return f"{place}: {what}" if place else what

    def variable(self, name: str) -> Variable:
        """Return the variable of that name."""
        try:
            return self._by_name[name]
        except KeyError:
            import difflib

            near = difflib.get_close_matches(name, self._by_name, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise ModelError(f"no variable {name} in {self.name}{hint}") from None

    def label(self, name: str, value: int) -> str:
        """Return the label of a value, or the number as text."""
        return self.labels.get(name, {}).get(value, str(value))

    @property
    def prefix(self) -> list[tuple[Variable, bool]]:
        """The quantified variables in order, each with a flag: whether it is universal."""
        return [(variable, block.is_universal) for block in self.blocks for variable in block.variables]

    @property
    def outer(self) -> list[Variable]:
        """The variables of the outermost existential block; none if a universal variable comes first."""
        found = []
        for variable, is_universal in self.prefix:
            if is_universal:
                break
            found.append(variable)
        return found

    @property
    def is_restricted(self) -> bool:
        """Whether some block has a restriction (QCSP+)."""
        return any(block.restrictions for block in self.blocks)

    def _add_array(self, name: str, count: int, domain: Iterable[int], *, is_universal: bool) -> list[Variable]:
        _check_name(name)
        number = plain(count)
        if type(number) is not int or number < 1:
            raise ModelError(f"array {name}: {count!r} variables; give a whole number, at least 1")
        if number > ARRAY_LIMIT:
            raise ModelError(f"array {name}: {number:,} variables are more than {ARRAY_LIMIT:,}")
        values = list(domain) if isinstance(domain, Iterator) else domain  # an iterator can be read only once
        return [self._add(f"{name}[{i}]", values, is_universal=is_universal) for i in range(number)]

    def _add(self, name: str, domain: Iterable[int], *, is_universal: bool) -> Variable:
        is_new = not self.blocks or self.blocks[-1].is_universal != is_universal or self._wants_new_block
        variable = self._add_variable(name, domain, stage=len(self.blocks) + is_new)
        if is_new:
            self.blocks.append(Block(is_universal))
            self._wants_new_block = False
        self.blocks[-1].variables.append(variable)
        return variable

    def _add_variable(self, name: str, domain: Iterable[int], stage: int) -> Variable:
        _check_name(name)
        if name in self._by_name:
            raise ModelError(f"variable {name}: the name is taken")
        # numpy's arrays without a dimension look iterable, and are not.
        is_many = isinstance(domain, Iterable) and getattr(domain, "ndim", 1) > 0
        numbers = (_integer(value) for value in domain) if is_many else domain
        is_text = isinstance(domain, str)
        variable = Variable(
            name, domain if is_text else numbers, index=len(self.variables), is_chance=False, stage=stage
        )
        for value in variable.domain:
            if type(value) is not int:
                raise ModelError(f"variable {name}: the value {value!r} is not an integer")
            if abs(value) >= INT_LIMIT:
                raise ModelError(f"variable {name}: the value {value} does not fit 32 bits")
        # Ascending: the order in which a search without a guide tries them.
        variable.domain = tuple(sorted(variable.domain))  # type: ignore[type-var]
        variable.positions = {value: position for position, value in enumerate(variable.domain)}
        self.variables.append(variable)
        self._by_name[name] = variable
        return variable

    def _checked(self, given: object, what: str) -> Expression:
        expression = wrap(given)
        for variable in expression.variables():
            known = self.variables[variable.index] if variable.index < len(self.variables) else None
            if known is not variable:
                raise ModelError(f"{what}: variable {variable.name} belongs to another problem than {self.name}")
        check_terms(expression, what)
        return expression

    def _checked_condition(self, given: object, what: str) -> Expression:
        try:
            return condition(self._checked(given, what))
        except ModelError as error:
            text = str(error)
            raise ModelError(text if text.startswith(what) else f"{what}: {text}") from None


def _integer(value: object) -> object:
    """Return truth values and numbers of numpy as integers."""
    number = plain(value)
    return int(number) if isinstance(number, bool) else number


def _check_name(name: object) -> None:
    if not isinstance(name, str) or not name or not name.isprintable():
        raise ModelError(f"a variable needs a name of printable characters, got {name!r}")
