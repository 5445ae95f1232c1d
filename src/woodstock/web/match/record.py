"""From a line of the tree to a `MatchRecord`."""

from __future__ import annotations

from woodstock.match.record import MatchRecord, Ply
from woodstock.web.match.hosted import HostedMatch
from woodstock.web.match.seats import PERSON
from woodstock.web.match.tree import ROOT


def record_of(match: HostedMatch, node: int | None = None) -> MatchRecord:
    """Return the record of the line that leads to a node, by default to the current one."""
    head, tree, game = match.head, match.tree, match.loaded.game
    number = match.current if node is None else node
    none = ("",) * len(game.roles)
    plies = []
    for at in tree.path(number)[1:]:
        turn = tree.nodes[at]
        plies.append(
            Ply(
                moves=turn.moves,
                errors=turn.errors or none,
                state=tuple(sorted(tree.state(at).fluents)),
                at_ms=0,
                seconds=turn.seconds,
                thoughts=turn.thoughts,
            )
        )
    state = tree.state(number)
    root = tree.state(ROOT)
    return MatchRecord(
        match_id=head.id,
        game=game.name,
        rules=game.text,
        rules_hash=game.rules_hash,
        roles=game.roles,
        players={seat.role: seat.name for seat in head.seats},
        humans=tuple(seat.role for seat in head.seats if seat.kind == PERSON),
        start_clock_s=head.start_clock_s,
        play_clock_s=head.play_clock_s,
        seed=0,
        initial=tuple(sorted(root.fluents)),
        started_ms=0,
        random_token="",
        is_from_start=root == game.initial,
        plies=tuple(plies),
        reason="terminal" if state.is_terminal else "",
        goals=state.scores if state.is_terminal else {},
    )
