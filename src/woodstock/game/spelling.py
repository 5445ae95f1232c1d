"""How a user may write a move or a fluent: any case, any spacing, KIF or infix.

Comes in: `(Drop  3)` or `drop(3)`. Goes out: the key `(drop 3)` that all spellings of one term share.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence

from woodstock.errors import RulesError
from woodstock.gdl.ast import Constant, Function, Program, Term

_GAPS = re.compile(r"\s*([(),])\s*")


def term_key(text: str) -> str | None:
    """Return the lower-case KIF text of the term written here, or None if it is not one ground term."""
    # Imported late: only what people type comes here, not the canonical texts that programs pass.
    from woodstock.gdl.parse import parse_term

    # In lower case nothing is a variable, and `Mark (1, 2)` means `mark(1,2)`.
    text = text.strip().lower()
    if not text.startswith("("):
        text = _GAPS.sub(r"\1", text)
    try:
        return str(parse_term(text))
    except RulesError:
        return None


def find(text: str, options: Sequence[str]) -> str | None:
    """Return the option that `text` is a spelling of, or None."""
    if text in options:
        return text
    by_key = {option.lower(): option for option in options}
    if (plain := by_key.get(text.strip().lower())) is not None:
        return plain
    key = term_key(text)
    return None if key is None else by_key.get(key)


def did_you_mean(text: str, options: Iterable[str]) -> str:
    """Return ` Did you mean ...?` for the nearest option, or nothing if none is near."""
    by_key = {option.lower(): option for option in options}
    near = difflib.get_close_matches(text.lower(), by_key, n=1, cutoff=0.5)
    return f" Did you mean {by_key[near[0]]}?" if near else ""


def symbols(program: Program) -> dict[str, str]:
    """Return every symbol that stands in a term of the rules, as spelt there, by its lower-case form."""
    return {node.name.lower(): node.name for node in program.nodes() if isinstance(node, Constant | Function)}


def respell(term: Term, spelling: Mapping[str, str]) -> Term:
    """Return a ground term in the spelling of the rules; symbols that they lack stay as they are."""
    name = spelling.get(term.name.lower(), term.name)
    if isinstance(term, Function):
        return Function(name, tuple(respell(arg, spelling) for arg in term.args))
    return Constant(name)
