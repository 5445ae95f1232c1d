"""Random networks counted by ACE and by Choco as well, which read them as XCSP3."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from woodstock._native import Solver

RELATIONS = {"==": "eq", "!=": "ne", "<=": "le", ">=": "ge", "<": "lt", ">": "gt"}
ANY = 99


class Twin:
    """A solver, and the same network as XCSP3."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.solver = Solver()
        self.domains = [
            sorted(self.dice.sample(range(-4, 8), self.dice.randint(2, 5))) for _ in range(self.dice.randint(6, 8))
        ]
        for values in self.domains:
            self.solver.add_variable(values)
        self.xml: list[str] = []

    def pick(self, count: int) -> list[int]:
        return self.dice.sample(range(len(self.domains)), count)

    def truth(self) -> int:
        self.domains.append([0, 1])
        return self.solver.add_variable([0, 1])

    def add_table(self) -> None:
        scope = self.pick(self.dice.randint(2, 4))
        is_allowed, has_wildcards = self.dice.random() < 0.7, self.dice.random() < 0.4
        rows: set[tuple[int, ...]] = set()
        for _ in range(self.dice.randint(10, 120) if is_allowed else self.dice.randint(2, 20)):
            values = [self.dice.choice(self.domains[x]) for x in scope]
            if has_wildcards and self.dice.random() < 0.4:
                values[self.dice.randrange(len(values))] = ANY
            rows.add(tuple(values))
        algorithm = self.dice.choice(["compact-table", "str2"])
        self.solver.add_table(scope, np.array(sorted(rows), dtype=np.int32), is_allowed, ANY, algorithm)
        text = "".join("(" + ",".join("*" if v == ANY else str(v) for v in row) + ")" for row in sorted(rows))
        kind = "supports" if is_allowed else "conflicts"
        names = " ".join(f"x{x}" for x in scope)
        self.xml.append(f"<extension><list> {names} </list><{kind}> {text} </{kind}></extension>")

    def add_linear(self) -> None:
        scope = self.pick(self.dice.randint(2, 4))
        coefficients = [self.dice.choice([-3, -2, -1, 1, 2, 3]) for _ in scope]
        relation, constant = self.dice.choice(list(RELATIONS)), self.dice.randint(-6, 9)
        strength = self.dice.choice(["auto", "bounds"])
        if self.dice.random() < 0.5:
            self.solver.add_linear(scope, coefficients, relation, constant, strength=strength)
            names, numbers = " ".join(f"x{x}" for x in scope), " ".join(map(str, coefficients))
            condition = f"<condition> ({RELATIONS[relation]},{constant}) </condition>"
            self.xml.append(f"<sum><list> {names} </list><coeffs> {numbers} </coeffs>{condition}</sum>")
            return
        truth = self.truth()
        self.solver.add_linear(scope, coefficients, relation, constant, truth, strength)
        terms = ",".join(f"mul({a},x{x})" for a, x in zip(coefficients, scope, strict=True))
        self.xml.append(f"<intension> iff(x{truth},{RELATIONS[relation]}(add({terms}),{constant})) </intension>")

    def add_compare(self) -> None:
        x, y = self.pick(2)
        relation, offset = self.dice.choice(list(RELATIONS)), self.dice.randint(-2, 2)
        sides = f"{RELATIONS[relation]}(x{x},add(x{y},{offset}))"
        if self.dice.random() < 0.5:
            self.solver.add_compare(x, relation, y, offset)
            self.xml.append(f"<intension> {sides} </intension>")
            return
        truth = self.truth()
        self.solver.add_compare(x, relation, y, offset, truth)
        self.xml.append(f"<intension> iff(x{truth},{sides}) </intension>")

    def add_function(self) -> None:
        x, y, z = self.pick(3)
        name, operator = self.dice.choice([("product", "mul"), ("minimum", "min"), ("maximum", "max")])
        getattr(self.solver, f"add_{name}")(x, y, z, self.dice.choice(["auto", "bounds"]))
        self.xml.append(f"<intension> eq(x{z},{operator}(x{x},x{y})) </intension>")

    def add_absolute(self) -> None:
        x, z = self.pick(2)
        if self.domains[z][0] < 0:
            return  # ACE wants a result without negative values
        self.solver.add_absolute(x, z)
        self.xml.append(f"<intension> eq(x{z},abs(x{x})) </intension>")

    def add_all_different(self) -> None:
        scope = self.pick(self.dice.randint(3, 5))
        self.solver.add_all_different(scope)
        self.xml.append(f"<allDifferent> {' '.join(f'x{x}' for x in scope)} </allDifferent>")

    def add_element(self) -> None:
        index, result, *array = self.pick(5)
        self.solver.add_element(index, array, result)
        names = " ".join(f"x{x}" for x in array)
        parts = f"<list> {names} </list><index> x{index} </index><value> x{result} </value>"
        self.xml.append(f"<element>{parts}</element>")

    def add_gate(self) -> None:
        scope = self.pick(3)
        literals = [(x, self.dice.choice(self.domains[x])) for x in scope]
        truth, is_all = self.truth(), self.dice.random() < 0.5
        (self.solver.add_all_of if is_all else self.solver.add_any_of)(truth, literals[:2], literals[2:])
        terms = [f"eq(x{x},{v})" for x, v in literals[:2]] + [f"ne(x{x},{v})" for x, v in literals[2:]]
        self.xml.append(f"<intension> iff(x{truth},{'and' if is_all else 'or'}({','.join(terms)})) </intension>")

    def text(self) -> str:
        variables = "".join(f'<var id="x{i}"> {" ".join(map(str, d))} </var>' for i, d in enumerate(self.domains))
        constraints = "\n".join(self.xml)
        # So that no solver leaves out a variable that stands in no constraint.
        free = "".join(f"<intension> ge(x{i},{d[0]}) </intension>" for i, d in enumerate(self.domains))
        return (
            f'<instance format="XCSP3" type="CSP"><variables>{variables}</variables>'
            f"<constraints>{constraints}{free}</constraints></instance>"
        )


KINDS = ["table", "table", "linear", "compare", "function", "absolute", "all_different", "element", "gate"]


MOST_SOLUTIONS = 30_000  # Choco prints them all


def random_twin(seed: int) -> tuple[Twin, int]:
    """A network with some solutions, but not too many, and how many."""
    for attempt in range(100):
        twin = Twin(1000 * seed + attempt)
        for _ in range(twin.dice.randint(2, 5)):
            getattr(twin, f"add_{twin.dice.choice(KINDS)}")()
        outcome = twin.solver.count(limit=MOST_SOLUTIONS)
        if outcome.is_complete and outcome.count > 0:
            return twin, outcome.count
    raise AssertionError(f"no attempt with seed {seed} has solutions")


def jar(name: str) -> str:
    spec = find_spec("pycsp3")
    if spec is None or spec.origin is None:
        pytest.skip("pycsp3 is not installed: pip install pycsp3")
    if shutil.which("java") is None:
        pytest.skip("there is no Java: apt install default-jre-headless")
    return str(next((Path(spec.origin).parent / "solvers" / name).glob("*.jar")))


def count_by_ace(path: Path) -> int | None:
    """None if ACE says that it cannot read the instance."""
    command = ["java", "-jar", jar("ace"), str(path), "-s=all", "-npc", "-riv=false", "-omv=false"]
    text = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True).stdout
    found = re.search(r"FOUND SOLUTIONS\s+([0-9,.]+)", text)
    if found is None:
        assert "ERROR" in text, text
        return None
    return int(re.sub(r"[,.]", "", found[1]))


def count_by_choco(path: Path) -> int | None:
    """None if Choco says that it cannot read the instance."""
    command = ["java", "-cp", jar("choco"), "org.chocosolver.parser.xcsp.ChocoXCSP", str(path), "-a", "-lvl", "COMPET"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0 and "Exception" in done.stderr:
        return None
    found = re.search(r"d FOUND SOLUTIONS (\d+)", done.stdout)
    assert found is not None, done
    return int(found[1])


def compare_with_both(seed: int, folder: Path) -> None:
    jar("ace")
    twin, count = random_twin(seed)
    path = folder / f"random-{seed}.xml"
    path.write_text(twin.text())
    counts = {count_by_ace(path), count_by_choco(path)} - {None}
    if not counts:
        pytest.skip("neither solver reads this instance")
    assert counts == {count}, (seed, twin.text())


@pytest.mark.parametrize("seed", range(3))
def test_same_counts(seed: int, tmp_path: Path) -> None:
    compare_with_both(seed, tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(3, 63))
def test_same_counts_on_many(seed: int, tmp_path: Path) -> None:
    compare_with_both(seed, tmp_path)
