"""Feed mutated rulesheets to the parsers, the checks and the writers, and report what should not happen.

    python -m bench.fuzz_rules FOLDER [--count 10000000] [--seconds 3600] [--seed 0] [--keep DIR]

Takes forms from the rulesheets of a folder, in both syntaxes, mutates bytes, characters, tokens and brackets, splices
and repeats them, then parses and checks the result; some are also written and parsed again. These are failures: any
exception but `RulesError`, a program that changes when it is written and read again, and an input that takes longer
than a second. A failure is printed, and kept as a file with --keep. Prints a line of counts every 100,000 inputs. Exit
code 1 after any failure.
"""

from __future__ import annotations

import random
import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from bench.common import parser

from woodstock.errors import RulesError
from woodstock.gdl.check import check
from woodstock.gdl.parse import parse, read
from woodstock.gdl.source import decode
from woodstock.gdl.write import write

SLOW_SECONDS = 1.0
_TOKEN = re.compile(r"[(),.]|[^\s(),.;]+|;[^\n]*|\s+")
_SIGNS = "( ) (( )) ; % ' ? ?x ?X X <= :- ← | & , . ~ () (noop) _ _'X' '+' 'a\\'b' + - * 007 -3 100 101 \\+ \\= é ∧"
_WORDS = "not or and distinct true does next legal goal terminal init role base input sees random"
_GAPS = ("\t", "\n", "\r", "\r\n", "\ufeff", "\xa0")
_PIECES = (*_SIGNS.split(" "), *_WORDS.split(" "), *_GAPS)
_ODD = "()?;%'<=:-.,|&~\\\n\r\t _xX09\ufeff\xa0\u2028é←\x00\x07\x85"

Mutator = Callable[[random.Random, str, str], str]


def _slice(rng: random.Random, text: str) -> tuple[int, int]:
    i, j = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
    return i, j


def flip(rng: random.Random, text: str, _other: str) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(_ODD) + text[at + 1 :]


def insert(rng: random.Random, text: str, _other: str) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(_PIECES) + text[at:]


def drop_bracket(rng: random.Random, text: str, _other: str) -> str:
    places = [i for i, c in enumerate(text) if c in "()"]
    if not places:
        return text
    at = rng.choice(places)
    return text[:at] + text[at + 1 :]


def swap_tokens(rng: random.Random, text: str, _other: str) -> str:
    tokens = _TOKEN.findall(text)
    if len(tokens) < 2:
        return text
    i, j = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    tokens[i], tokens[j] = tokens[j], tokens[i]
    return "".join(tokens)


def replace_token(rng: random.Random, text: str, _other: str) -> str:
    tokens = _TOKEN.findall(text)
    if tokens:
        tokens[rng.randrange(len(tokens))] = rng.choice(_PIECES) if rng.random() < 0.5 else ""
    return "".join(tokens)


def splice(rng: random.Random, text: str, other: str) -> str:
    return text[: rng.randrange(len(text) + 1)] + other[rng.randrange(len(other) + 1) :]


def repeat(rng: random.Random, text: str, _other: str) -> str:
    i, j = _slice(rng, text)
    return text[:j] + text[i:j] * rng.choice((1, 1, 1, 2, 3)) + text[j:]


def cut(rng: random.Random, text: str, _other: str) -> str:
    i, j = _slice(rng, text)
    return text[:i] + text[j:]


def recase(rng: random.Random, text: str, _other: str) -> str:
    i, j = _slice(rng, text)
    return text[:i] + text[i:j].swapcase() + text[j:]


def bad_bytes(rng: random.Random, text: str, _other: str) -> str:
    data = bytearray(text.encode("utf-8", "replace"))
    if data:
        data[rng.randrange(len(data))] = rng.randrange(256)
    return decode(bytes(data))


def deepen(rng: random.Random, text: str, _other: str) -> str:
    at = rng.randrange(len(text) + 1)
    depth = rng.choice((3, 30, 99, 101, 150))
    return text[:at] + rng.choice(("(", "(f ", "(or ", "(not ", "f(", "not ", "~")) * depth + text[at:]


MUTATORS: tuple[Mutator, ...] = (
    *(flip, insert, insert, drop_bracket, drop_bracket, swap_tokens, replace_token, replace_token, splice, repeat, cut),
    *(recase, bad_bytes),
)


class Fuzzer:
    """Draws, mutates and tries inputs; counts the outcomes."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.rng = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.failures: list[tuple[str, str]] = []
        self.forms: dict[str, list[str]] = {"kif": [], "infix": []}
        self.sheets: list[str] = []
        for path in sorted(folder.glob("*.kif")):
            try:
                program = read(path)
            except RulesError:
                continue
            if len(program.text) < 6000:
                self.sheets.append(program.text)
            for rule in self.rng.sample(program.rules, min(60, len(program.rules))):
                text = program.text[rule.span.start : rule.span.end]
                if len(text) <= 120:
                    self.forms["kif"].append(text)
                    alone = type(program)((rule,))
                    self.forms["infix"].append(write(alone, "infix"))

    def draw(self) -> tuple[str, str]:
        """Return an input and its syntax ("": to be guessed)."""
        rng = self.rng
        syntax = "infix" if rng.random() < 0.2 else "kif"
        forms = self.forms[syntax]
        if rng.random() < 0.0003:
            text, syntax = rng.choice(self.sheets), "kif"
        else:
            text = "\n".join(rng.choice(forms) for _ in range(rng.choice((1, 1, 1, 2, 2, 3))))
        other = rng.choice(forms)
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            text = rng.choice(MUTATORS)(rng, text, other)
        if rng.random() < 0.003:
            text = deepen(rng, text, other)
        return text, syntax if rng.random() < 0.9 else ""

    def attempt(self, text: str, syntax: str) -> None:
        """Run one input through everything."""
        started = time.process_time()  # a busy machine is no failure of ours
        try:
            program = parse(text, "fuzz", syntax or None)
            self.counts["parsed"] += 1
            check(program)
            if self.rng.random() < 0.1:
                for target in ("kif", "infix"):
                    written = write(program, target)
                    again = parse(written, "again", target)
                    if again.rules != program.rules or write(again, target) != written:
                        self.fail(text, f"changed on the way through {target}:\n{written}")
        except RulesError as error:
            self.counts["refused"] += 1
            if not error.diagnostics:
                self.fail(text, "refused without a diagnostic")
        except Exception:
            self.fail(text, traceback.format_exc())
        if time.process_time() - started > SLOW_SECONDS:
            self.fail(text, f"took {time.process_time() - started:.1f} s")
        self.counts["inputs"] += 1

    def fail(self, text: str, why: str) -> None:
        self.counts["failures"] += 1
        if len(self.failures) < 100:
            self.failures.append((text, why))
            print(f"FAILURE on {text!r}\n{why}", flush=True)


def main() -> int:
    options = parser(__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--count", type=int, default=10_000_000, help="inputs to try (default 10 million)")
    options.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--keep", type=Path, help="folder for the inputs that fail")
    given = options.parse_args()
    fuzzer = Fuzzer(given.folder, given.seed)
    started = time.perf_counter()
    while fuzzer.counts["inputs"] < given.count and time.perf_counter() - started < given.seconds:
        for _ in range(min(1000, given.count - fuzzer.counts["inputs"])):
            fuzzer.attempt(*fuzzer.draw())
        if fuzzer.counts["inputs"] % 100_000 == 0:
            _report(fuzzer, started)
    _report(fuzzer, started)
    if given.keep and fuzzer.failures:
        given.keep.mkdir(parents=True, exist_ok=True)
        for i, (text, why) in enumerate(fuzzer.failures):
            (given.keep / f"{i:03d}.txt").write_text(text + "\n----\n" + why, encoding="utf-8", errors="replace")
    return 1 if fuzzer.failures else 0


def _report(fuzzer: Fuzzer, started: float) -> None:
    seconds = time.perf_counter() - started
    counts = " ".join(f"{k} {v}" for k, v in sorted(fuzzer.counts.items()))
    print(f"{counts}  {fuzzer.counts['inputs'] / max(seconds, 1e-9):.0f} inputs/s  {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
