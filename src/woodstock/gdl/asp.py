"""Clauses as an answer set program for gringo, and gringo's names back as KIF.

Every symbol is numbered: constants become integers, functions `f<n>`, predicates `p<n>`, variables `V<n>`. So any GDL
symbol works, and gringo compares and hashes small values. Every fluent that `init` or `next` can give is a choice, and
so is every move that `legal` can give to a role: gringo then returns every ground rule that can ever fire.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from woodstock.gdl.ast import Atom, Constant, Function, Signature, Term, Variable, signature
from woodstock.gdl.normalise import Clause, Condition, Literal, condition_variables

# The predicates that the reader needs, with the letter that gringo shows for each.
OUTPUTS: dict[Signature, str] = {
    ("init", 1): "i",
    ("true", 1): "t",
    ("does", 2): "d",
    ("legal", 2): "l",
    ("next", 1): "n",
    ("terminal", 0): "e",
    ("goal", 2): "g",
    ("sees", 2): "s",
}


class Emitter:
    """The numbering of one program's symbols; `constants` and `functions` decode them."""

    def __init__(self) -> None:
        self.constants: dict[str, int] = {}
        self.functions: dict[Signature, int] = {}
        self.predicates: dict[Signature, str] = dict(OUTPUTS)

    def program(self, clauses: Sequence[Clause], roles: Iterable[str], *, with_names: bool = False) -> str:
        """Return the text for gringo; `with_names` also shows derived atoms and changes nothing else."""
        lines = [self.clause(c.head, c.body) for c in clauses]
        lines += [f"r({self.term(Constant(r))})." for r in roles]
        lines.append("b(F) :- i(F).\nb(F) :- n(F).\n{t(F)} :- b(F).\n{d(R,M)} :- l(R,M), r(R).")
        # The predicates are shown one by one; an undefined one is just empty.
        for (_, arity), name in OUTPUTS.items():
            lines.append(f"#show {name}/{arity}.")
        if with_names:
            derived = {key: name for key, name in self.predicates.items() if key not in OUTPUTS}
            lines += [f"#show {name}/{arity}." for (_, arity), name in derived.items()]
        lines += [f"#defined {name}/{arity}." for (_, arity), name in self.predicates.items()]
        return "\n".join(lines) + "\n"

    def counting_program(self, clauses: Sequence[Clause], roles: Iterable[str]) -> str:
        """Return a text whose ground rules show which clause they come from: the heads of clause k are `h<k>_`."""
        counted = []
        lines = []
        for number, clause in enumerate(clauses):
            names = tuple(dict.fromkeys(v for c in clause.body for v in condition_variables(c)))
            witness = Atom(f" witness{number}", tuple(Variable(v) for v in names))
            self.predicates[signature(witness)] = f"h{number}_"
            lines.append(self.clause(witness, clause.body))
            counted.append(Clause(clause.head, (Literal(witness),), clause.source))
        return "\n".join(lines) + "\n" + self.program(counted, roles)

    def clause(self, head: Atom, body: Sequence[Condition]) -> str:
        """Return one rule."""
        names: dict[str, str] = {}
        text = self.atom(head, names)
        if body:
            text += " :- " + ", ".join(self.condition(c, names) for c in body)
        return text + "."

    def condition(self, condition: Condition, names: dict[str, str]) -> str:
        if isinstance(condition, Literal):
            return ("" if condition.positive else "not ") + self.atom(condition.atom, names)
        return f"{self.term(condition.left, names)}!={self.term(condition.right, names)}"

    def atom(self, atom: Atom, names: dict[str, str]) -> str:
        key = signature(atom)
        name = self.predicates.get(key)
        if name is None:
            name = self.predicates[key] = f"p{len(self.predicates)}"
        return name + self.arguments(atom.args, names)

    def term(self, term: Term, names: dict[str, str] | None = None) -> str:
        match term:
            case Constant():
                return str(self.constants.setdefault(term.name, len(self.constants)))
            case Variable():
                assert names is not None
                return names.setdefault(term.name, f"V{len(names)}")
            case Function():
                number = self.functions.setdefault((term.name, len(term.args)), len(self.functions))
                return f"f{number}" + self.arguments(term.args, names)

    def arguments(self, args: tuple[Term, ...], names: dict[str, str] | None) -> str:
        return "(" + ",".join(self.term(a, names) for a in args) + ")" if args else ""

    def decode(self, terms: Sequence[str]) -> list[str]:
        """Return ground terms as gringo prints them, such as `f0(1,2)`, as KIF."""
        constants = list(self.constants)
        functions = ["(" + name + " " for name, _ in self.functions]

        def replace(match: re.Match[str]) -> str:
            token = match[0]
            return functions[int(token[1:-1])] if token[0] == "f" else constants[int(token)]

        # One pass over all terms is ten times as fast as one call for each. The commas go first, since a GDL symbol may
        # contain one.
        text = "\n".join(terms).replace(",", " ")
        return re.sub(r"f\d+\(|\d+", replace, text).split("\n") if terms else []
