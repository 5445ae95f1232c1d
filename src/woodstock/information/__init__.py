"""What one role knows of a match: its own moves and percepts so far, and nothing else.

Comes in: the start of a match, known to all, and what the referee, or a server on the network, tells one role. Goes
out: an `InformationState`, which is all that a player, a person or a browser gets while it plays.
"""

from woodstock.information.information_state import HiddenStateError, InformationState, Turn, view_from

__all__ = ["HiddenStateError", "InformationState", "Turn", "view_from"]
