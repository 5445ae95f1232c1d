"""The child process that runs gringo: it limits its own memory, then becomes `clingo --mode=gringo`.

A process of its own because gringo can be neither interrupted nor bounded from within, and because its memory then
never counts against ours. It ends by itself when its parent is gone, even killed, and when it has used the time that
its parent would wait. Usage: `python ground_child.py PARENT_ID SECONDS MEMORY_MB [clingo options] FILE`.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence

from clingo.application import Application, clingo_main
from clingo.control import Control

from woodstock.bounded_child import bound


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

    clingo's wheel leaves it in step with C's, and then every number it prints is a system call: two million for
    chess, ten times the time of grounding. Only speed depends on this, so a library without the symbol is fine.
    """
    try:
        ctypes.CDLL("libstdc++.so.6")["_ZNSt8ios_base15sync_with_stdioEb"](False)
    except (OSError, AttributeError):
        return


def main() -> int:
    """Set the limits and run clingo with the arguments that are left."""
    parent, seconds, memory_mb = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    bound(parent, seconds, memory_mb)
    return clingo_main(_Grounder(), sys.argv[4:])


if __name__ == "__main__":
    sys.exit(main())
