"""The signature of each player's tree after a fixed number of simulations. It depends on the code alone.

python -m bench.signatures --games tic-tac-toe,nim --players mac-ucb,uct
"""

from __future__ import annotations

from bench.common import parser

import woodstock

GAMES = "tic-tac-toe,connect-four,breakthrough,nim"
PLAYERS = "mac-ucb-sym,mac-ucb,uct,uct-sym,grave,grave-sym,fc-ucb,random"


def main() -> None:
    """Read the arguments and search."""
    options = parser(__doc__)
    options.add_argument("--games", default=GAMES)
    options.add_argument("--players", default=PLAYERS)
    options.add_argument("--simulations", type=int, default=20_000)
    asked = options.parse_args()
    print(f"{asked.simulations} simulations, one thread, seed 0: move and signature of the tree")
    for name in asked.games.split(","):
        state = woodstock.load(name).initial
        for player in asked.players.split(","):
            decision = woodstock.search(state, player, simulations=asked.simulations)
            print(f"  {name:16} {player:14} {decision.signature or '-':18} {decision.move}", flush=True)


if __name__ == "__main__":
    main()
