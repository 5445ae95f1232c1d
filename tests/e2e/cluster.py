"""A Dask cluster on loopback for tests: a scheduler and workers as processes of their own, ended with the test."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def _process(*words: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


@contextmanager
def scheduler() -> Iterator[subprocess.Popen[str]]:
    """Run a scheduler."""
    with _process("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard") as process:
        yield process


@contextmanager
def worker(address: str) -> Iterator[subprocess.Popen[str]]:
    """Run a worker of one thread."""
    with _process("distributed.cli.dask_worker", "--nthreads", "1", "--no-dashboard", "--no-nanny", address) as process:
        assert process.stdout is not None
        # Whatever it says must not fill the pipe.
        threading.Thread(target=process.stdout.read, daemon=True).start()
        yield process


def address_of(process: subprocess.Popen[str]) -> str:
    """Return where a scheduler listens."""
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"tcp://127\.0\.0\.1:\d+", line):
            threading.Thread(target=process.stdout.read, daemon=True).start()
            return found[0]
    raise AssertionError("the scheduler did not start")
