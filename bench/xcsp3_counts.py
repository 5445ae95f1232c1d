"""Count the solutions of exported instances by ACE, by Choco and by our own solver: all must agree.

    python -m bench.xcsp3_counts [--games 26] [--states 5] [--only PART] [--out bench/results/xcsp3.txt] [--keep FOLDER]

States of random matches of bundled games and of public rulesheets (`../shared/games`) are exported as XCSP3. Each
instance is read back plainly and counted by us; ACE and Choco (of pycsp3; needs Java) count the same file. The number
of solutions must also be that of the joint legal moves that the engine has in the state. Exit code 1 if any differ.
"""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from bench.common import CORPUS, Report, parser, random_states
from bench.constraint import jar

import woodstock
from woodstock.errors import WoodstockError
from woodstock.scsp import xcsp3
from woodstock.scsp.game import translate
from woodstock.scsp.xcsp3.game import export_stage

BUNDLED = ("tic-tac-toe", "connect-four", "nim", "breakthrough")
# Small rulesheets of many kinds: one to four players, simultaneous moves, chance, recursion.
SHEETS = (
    "blindtictactoe__ggpcpp", "guessSix__deckb", "mastermind__deckb", "meier__scully", "montyhall__scully",
    "rock-paper-scissors__hharryyf", "2pttc", "blocker__sancho", "buttons", "chomp", "coins", "connectFour",
    "duplicateStateSmall", "dotsAndBoxes", "eightPuzzle", "Hanoi__deckb", "hex", "incredible", "lightsOut__pkuzhf",
    "numbertictactoe", "peg", "pentago", "point_grab", "Queens__deckb", "quarto", "roshambo2", "rubiksCube",
    "sheepAndWolf", "ticTacToe", "ticTacHeaven", "tictactoex9", "troublemaker01", "wargame01", "wallmaze",
)  # fmt: skip
MOST_CONSTRAINTS = 4000
MOST_SOLUTIONS = 20_000
LIMIT_S = 120
JAVA = ("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")  # most instances take less time than the start of Java
_FOUND = re.compile(r"d FOUND SOLUTIONS\s+([\d,]+)")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Solvers:
    """ACE and Choco from pycsp3; `missing` says what is not installed."""

    def __init__(self) -> None:
        self.missing = ""
        if shutil.which("java") is None:
            self.missing = "java is not installed (Debian: apt-get install default-jre-headless)"
        elif find_spec("pycsp3") is None:
            self.missing = "pycsp3 is not installed (pip install 'woodstock[oracle]')"
        else:
            self.ace, self.choco = jar("ace"), jar("choco")

    def count_by_ace(self, path: Path) -> int | None:
        """Return the number of solutions, None if ACE did not finish."""
        words = [*JAVA, "-jar", self.ace, str(path), "-s=all", "-v=-1"]
        return self._count(words, "COMPLETE EXPLORATION")

    def count_by_choco(self, path: Path) -> int | None:
        """Return the number of solutions, None if Choco did not finish."""
        main = "org.chocosolver.parser.xcsp.ChocoXCSP"
        words = [*JAVA, "-cp", self.choco, main, "-a", str(path)]
        return self._count(words, "s SATISFIABLE")

    def _count(self, words: list[str], complete: str) -> int | None:
        try:
            run = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT_S, check=False)
        except subprocess.TimeoutExpired:
            return None
        output = _COLOUR.sub("", run.stdout)
        if "s UNSATISFIABLE" in output:
            return 0
        found = _FOUND.findall(output)
        if not found:
            return None
        # ACE sets thousands apart.
        return int(found[-1].replace(",", "")) if complete in output else None


@dataclass(frozen=True)
class Row:
    """One instance and its counts."""

    game: str
    turn: int
    variables: int
    constraints: int
    legal: int
    ours: int
    ace: int | None
    choco: int | None

    @property
    def is_equal(self) -> bool:
        """Whether all counts agree."""
        return self.ours == self.legal == self.ace == self.choco


def sources() -> Iterator[tuple[str, str | Path]]:
    """Yield names and what to load."""
    yield from ((name, name) for name in BUNDLED)
    yield from ((name, path) for name in SHEETS if (path := CORPUS / f"{name}.kif").is_file())


def measure(solvers: Solvers, name: str, source: str | Path, states: int, folder: Path, seed: int) -> Iterator[Row]:
    """Yield the counts of the states of one game."""
    game = woodstock.load(source)
    template = translate(game)
    if template.sizes.constraints > MOST_CONSTRAINTS:
        return
    for number, state in enumerate(random_states(game, states, seed=seed)):
        legal = math.prod(len(state.legal(role)) for role in game.roles)
        if legal > MOST_SOLUTIONS:
            continue
        path = folder / f"{name}-{number}.xml"
        # Every other instance as translated, so that the solvers have the propagation to do.
        written = export_stage(template, path, state, is_preprocessed=number % 2 == 0)
        plain = xcsp3.read(path, with_sidecar=False).network
        ours = xcsp3.count(plain).count
        sizes = (len(written.network.declared), len(written.network.hard))
        yield Row(name, state.turn or 0, *sizes, legal, ours, solvers.count_by_ace(path), solvers.count_by_choco(path))


def main() -> int:
    """Run the comparison."""
    options = parser(__doc__, out=True)
    options.add_argument("--games", type=int, default=26, help="stop after this many games")
    options.add_argument("--states", type=int, default=5, help="instances for each game")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--only", default="", help="only games whose name has this in it")
    options.add_argument("--keep", type=Path, help="keep the instances in this folder")
    given = options.parse_args()
    solvers = Solvers()
    if solvers.missing:
        sys.exit(f"error: {solvers.missing}")
    started = time.perf_counter()
    say = Report(given.out)
    say(f"{'game':44} {'turn':>4} {'vars':>6} {'cons':>6} {'legal':>7} {'ours':>7} {'ACE':>7} {'Choco':>7}")
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name, source in sources():
            if given.only.lower() not in name.lower() or len({row.game for row in rows}) >= given.games:
                continue
            try:
                for row in measure(solvers, name, source, given.states, folder, given.seed):
                    rows.append(row)
                    cells = [row.legal, row.ours, row.ace, row.choco]
                    line = f"{row.game:44} {row.turn:4} {row.variables:6} {row.constraints:6}"
                    line += "".join(f" {'-' if cell is None else cell:>7}" for cell in cells)
                    say(line + ("" if row.is_equal else "  DIFFERENT"))
            except WoodstockError as error:
                print(f"{name}: skipped: {error}", file=sys.stderr, flush=True)
    different = sum(not row.is_equal for row in rows)
    games = len({row.game for row in rows})
    say(
        f"{len(rows)} instances of {games} games, {len(rows) - different} with equal counts, {different} different; "
        f"{time.perf_counter() - started:.0f} s"
    )
    return 1 if different or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
