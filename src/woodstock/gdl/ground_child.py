"""The child process that runs gringo: it limits its own memory, then becomes `clingo --mode=gringo`.

A process of its own because gringo can be neither interrupted nor bounded from within, and because its memory then
never counts against ours. Usage: `python ground_child.py MEMORY_MB [clingo options] FILE`.
"""

from __future__ import annotations

import ctypes
import resource
import sys
from collections.abc import Sequence

from clingo.application import Application, clingo_main
from clingo.control import Control


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
    """Set the limit and run clingo with the arguments that are left."""
    limit = int(sys.argv[1]) << 20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    return clingo_main(_Grounder(), sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
