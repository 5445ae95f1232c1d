"""Which rules of a rulesheet a ground atom can come from: those whose head matches it, as `file:line`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from woodstock.gdl.ast import Function, Program, Term, Variable
from woodstock.gdl.kif import split_term


class Sources:
    """Finds rules by the atoms that they derive; `helpers` has the rules of predicates that grounding made."""

    def __init__(self, program: Program, helpers: Mapping[str, tuple[int, ...]]) -> None:
        self._program, self._helpers = program, helpers
        self._rules: dict[str, list[int]] = {}
        for number, rule in enumerate(program.rules):
            self._rules.setdefault(rule.head.name.lower(), []).append(number)

    def lines(self, atoms: Iterable[str]) -> list[str]:
        """Return the places of the rules for these atoms, in the order of the file."""
        numbers = {number for atom in atoms for number in self._rules_for(atom)}
        text, name = self._program.text, self._program.name
        return [f"{name}:{text.count(chr(10), 0, self._program.rules[n].span.start) + 1}" for n in sorted(numbers)]

    def _rules_for(self, atom: str) -> Iterable[int]:
        functor, *arguments = _parts(atom)
        if functor in self._helpers:
            return self._helpers[functor]
        return [
            number
            for number in self._rules.get(functor.lower(), ())
            if _match_all(self._program.rules[number].head.args, arguments)
        ]


@lru_cache(maxsize=4096)
def _parts(text: str) -> tuple[str, ...]:
    return tuple(split_term(text))


def _match_all(terms: tuple[Term, ...], texts: Iterable[str]) -> bool:
    given = list(texts)
    return len(terms) == len(given) and all(map(_match, terms, given))


def _match(term: Term, text: str) -> bool:
    """Return whether the term matches the text; two uses of one variable are not compared."""
    if isinstance(term, Variable):
        return True
    functor, *arguments = _parts(text)
    if functor.lower() != term.name.lower():
        return False
    return _match_all(term.args, arguments) if isinstance(term, Function) else not arguments
