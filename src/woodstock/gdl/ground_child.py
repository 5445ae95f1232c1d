"""The child process that runs gringo. Its arguments are clingo's; the ground program goes to standard output.

A process of its own because gringo can be neither interrupted nor bounded from within, and because its memory then
never counts against ours.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from clingo.application import Application, clingo_main
from clingo.control import Control

# What clingo returns after it has done its work; the numbers say what solving found, which means nothing here.
_DONE = (0, 10, 20, 30)


class _Grounder(Application):
    program_name = "gringo"

    def main(self, control: Control, files: Sequence[str]) -> None:
        _buffer_output()
        for name in files:
            control.load(name)
        control.ground([("base", [])])
        # In this mode solving only ends the output.
        control.solve()


def _buffer_output() -> None:
    """Give C++'s standard output a buffer.

    clingo's wheel keeps it in step with C's, and then every number it prints is a system call: two million for chess,
    ten times the time of grounding. Only speed depends on this, so a library without the symbol is fine.
    """
    try:
        ctypes.CDLL("libstdc++.so.6")["_ZNSt8ios_base15sync_with_stdioEb"](False)
    except (OSError, AttributeError):
        return


def main(arguments: Sequence[str]) -> int:
    """Run clingo as a grounder."""
    code = clingo_main(_Grounder(), ["--mode=gringo", "--warn=none", *arguments])
    return 0 if code in _DONE else code
