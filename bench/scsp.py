"""Games as constraint networks: the size of the translation next to the published one, and stages solved per second.

    python -m bench.scsp --out bench/results/scsp.txt
    python -m bench.scsp --games hex     # sizes of some games only

Sizes: the columns of table 2 of [Koriche, Lagrue, Piette, Tabary 2016] (variables, largest domain, constraints,
seconds on a 3.4 GHz Pentium) next to ours. Our derived atoms are variables of their own, so that tables stay small:
`main` counts the variables without them. Seconds are CPU seconds of the translation, from the ground rules to the
network, proofs of multi-valued fluents included, the least of three. `load` is the wall time before it: parse, check,
ground, compile. Published games whose rulesheet is not public are left out.
Stages: solutions (joint legal moves with their successors) per CPU second over states of random matches, and states.
"""

from __future__ import annotations

import time

from bench.common import CORPUS, Report, parser, random_states

import woodstock
from woodstock.game.state import packed
from woodstock.scsp.game import CircuitStage, StageSolver, TableStage, Template, translate

# Our rulesheet -> published name, variables, largest domain, constraints, seconds.
PUBLISHED: dict[str, tuple[str, int, int, int, float]] = {
    "kalaha5x2x3": ("Awale (ours: kalaha)", 19, 37, 73, 94),
    "backgammon__deckb": ("Backgammon", 76, 768, 86, 347),
    "std_bomberman__yannou": ("Bomberman", 145, 64, 42, 31),
    "checkers": ("Checkers", 86, 262144, 52, 43),
    "chess_200": ("Chess", 71, 4096, 50, 76),
    "chineseCheckers6": ("Chinese Checkers", 103, 192, 87, 54),
    "hex": ("Hex", 22, 6561, 27, 91),
    "reversi": ("Othello", 81, 65, 29, 51),
    "pacman2psmall__ggpcpp": ("Pacman", 93, 64, 22, 36),
    "ticTacToe": ("TicTacToe", 19, 18, 37, 0),
    # Our own rules; without published seconds.
    "cant-stop": ("Can't Stop", 16, 1296, 409, 0),
    "kaseklau": ("Kaseklau", 18, 7776, 106, 0),
    "orchard": ("Orchard", 9, 146410, 40, 0),
    "pickomino": ("Pickomino", 29, 1679616, 223, 0),
    "yahtzee": ("Yahtzee", 12, 30, 8862, 0),
}
STAGES = ("ticTacToe", "connectFour", "breakthrough", "reversi", "chess_200", "backgammon__deckb")


def load(name: str) -> woodstock.Game:
    """Return the game of a public rulesheet or, if there is none of this name, a bundled one."""
    path = CORPUS / f"{name}.kif"
    return woodstock.load(path if path.is_file() else name)


def best_of(rounds: int, name: str) -> tuple[Template, float, float]:
    """Translate several times; return the template, the least CPU seconds, and those of loading."""
    wall = time.perf_counter()
    game = load(name)
    load_s = time.perf_counter() - wall
    least, template = float("inf"), None
    for _ in range(rounds):
        clock = time.process_time()
        made = translate(game)
        spent = time.process_time() - clock
        if spent < least:
            least, template = spent, made
    assert template is not None
    return template, least, load_s


def sizes(names: list[str], report: Report) -> None:
    report(
        f"{'game':<22}{'main':>6}{'all':>8}{'maxDom':>8}{'constr.':>9}{'tuples':>9}{'CPU s':>7}{'load s':>8}"
        f"   {'published':<22}{'vars':>5}{'maxDom':>8}{'constr.':>9}{'s':>6}   ratio"
    )
    for name in names:
        template, seconds, load_s = best_of(3, name)
        s = template.sizes
        line = (
            f"{name:<22}{s.variables - s.auxiliary:>6}{s.variables:>8}{s.largest_domain:>8}{s.constraints:>9}"
            f"{s.tuples:>9}{seconds:>7.2f}{load_s:>8.2f}"
        )
        if name in PUBLISHED:
            title, variables, domain, constraints, published = PUBLISHED[name]
            ratio = f"1/{published / seconds:.0f}" if published else "-"
            line += f"   {title:<22}{variables:>5}{domain:>8}{constraints:>9}{published:>6.0f}   {ratio}"
        report(line)


def rate(solver: StageSolver, states: list[bytes], seconds: float) -> tuple[float, float]:
    """Return solutions and states per CPU second."""
    solutions = solved = 0
    clock = time.process_time()
    while time.process_time() - clock < seconds:
        for state in states:
            solutions += len(solver.solve(state))
            solved += 1
            if time.process_time() - clock >= seconds:
                break
    spent = time.process_time() - clock
    return solutions / spent, solved / spent


def stages(seconds: float, report: Report) -> None:
    report(
        f"{'game':<22}{'solutions/state':>16}{'table/s':>12}{'states/s':>11}{'circuit/s':>12}{'states/s':>11}   faster"
    )
    for name in STAGES:
        game = load(name)
        template = translate(game)
        states = [packed(state) for state in random_states(game, 300)]
        table = rate(TableStage(template), states, seconds)
        circuit = rate(CircuitStage(template), states, seconds)
        report(
            f"{name:<22}{circuit[0] / circuit[1]:>16.1f}{table[0]:>12,.0f}{table[1]:>11,.0f}"
            f"{circuit[0]:>12,.0f}{circuit[1]:>11,.0f}   x {circuit[0] / table[0]:.0f}"
        )


def main() -> None:
    options = parser(__doc__, out=True)
    options.add_argument("--games", nargs="*", help="sizes of these games only")
    options.add_argument("--seconds", type=float, default=3.0, help="CPU seconds for each solver and game")
    given = options.parse_args()
    report = Report(given.out)
    if given.games:
        sizes(given.games, report)
        return
    report("\nTranslation")
    sizes([*PUBLISHED, "othello-comp2007", "connectFour", "breakthrough"], report)
    report("\nSolutions of a stage per CPU second")
    stages(given.seconds, report)


if __name__ == "__main__":
    main()
