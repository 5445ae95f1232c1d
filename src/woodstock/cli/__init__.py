"""The command line: reads arguments, calls the library, prints. Nothing else in the package prints or exits.

One file for each command. Results go to stdout, progress and errors to stderr.
Exit codes: 0 done, 1 problem in the input, 2 usage, 3 our own bug, 4 stopped by a limit, 130 interrupted.
"""

from woodstock.cli.run import main, run

__all__ = ["main", "run"]
