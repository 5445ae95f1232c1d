"""Run one command line and turn every outcome into an exit code and a message that says what to do next."""

from __future__ import annotations

import itertools
import os
import shlex
import sys
import traceback
from collections.abc import Sequence
from typing import Any

import woodstock
from woodstock.errors import RulesError, UnknownGameError, WoodstockError

DONE, BAD_INPUT, USAGE, OUR_BUG, INTERRUPTED = 0, 1, 2, 3, 130
LONGEST_LINE = 200


def main() -> None:
    """Run the command line of this process and end it."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    is_debugged = "--debug" in arguments or os.environ.get("WOODSTOCK_DEBUG", "0") not in ("", "0")
    # --debug is an option of the whole program, but people put it last.
    words = [word for word in arguments if word != "--debug"] or ["--help"]
    try:
        # Imported late, inside the try: an interrupt may come while the commands are loaded.
        from woodstock.cli.app import app

        code = app(words, prog_name="woodstock", standalone_mode=False)
        if code == INTERRUPTED:
            _interrupted(words)
        return code if isinstance(code, int) else DONE
    except KeyboardInterrupt:
        _interrupted(words)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader, for example `head`, has closed the pipe; what Python would flush at exit has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except WoodstockError as error:
        if is_debugged:
            traceback.print_exc()
        return _known(error)
    except Exception as error:
        # Usage errors come from the argument parser: click, or the copy of it in recent versions of typer.
        if hasattr(error, "format_message"):
            return _usage(error)
        return _unknown(error, words, is_debugged)


def _known(error: WoodstockError) -> int:
    if isinstance(error, RulesError):
        _say(str(error))
        return BAD_INPUT
    text = str(error)
    _say(f"error: {text[:1].lower() + text[1:] if text[1:2].islower() and not text.startswith('No game') else text}")
    return USAGE if isinstance(error, UnknownGameError) else BAD_INPUT


def _usage(error: Any) -> int:
    message = error.message if getattr(error, "possibilities", None) else error.format_message()
    for known in (getattr(error, "possibilities", None) or [])[:1]:
        message = f"{message}. Did you mean {known}?"
    _say(f"error: {message[:1].lower() + message[1:]}")
    context = getattr(error, "ctx", None)
    if context is not None:
        _say(f"{context.get_usage()}\nRun '{context.command_path} --help' for more.")
    return USAGE


def _unknown(error: Exception, words: Sequence[str], is_debugged: bool) -> int:
    if is_debugged:
        traceback.print_exc()
    seed = next((b for a, b in itertools.pairwise(words) if a == "--seed"), "default")
    _say(
        f"error: this is a bug in woodstock: {type(error).__name__}: {_first_line(str(error))}\n"
        "Please report it with the rules and these lines:\n"
        f"  version  {woodstock.__version__}, python {sys.version.split()[0]}, {sys.platform}\n"
        f"  command  {_command(words)}\n"
        f"  seed     {seed}" + ("" if is_debugged else "\nThe same command with --debug shows where it happened.")
    )
    return OUR_BUG


def _interrupted(words: Sequence[str]) -> None:
    _say(f"\ninterrupted; to start again: {_command(words)}")


def _first_line(text: str) -> str:
    line = text.partition("\n")[0]
    return line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + " ..."


def _command(words: Sequence[str]) -> str:
    return shlex.join(["woodstock", *words])


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")
