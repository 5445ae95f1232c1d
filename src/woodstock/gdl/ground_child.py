"""The child process that runs gringo: it limits its own memory, then becomes `clingo --mode=gringo`.

A process of its own because gringo can be neither interrupted nor bounded from within, and because its memory then
never counts against ours. Usage: `python ground_child.py MEMORY_MB [clingo options] FILE`.
"""

from __future__ import annotations

import resource
import runpy
import sys


def main() -> None:
    """Set the limit and run clingo with the arguments that are left."""
    limit = int(sys.argv[1]) << 20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    sys.argv = ["clingo", *sys.argv[2:]]
    runpy.run_module("clingo", run_name="__main__")


if __name__ == "__main__":
    main()
