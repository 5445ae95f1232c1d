"""Child processes: their limits hold, their failures have names, and they end with their parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from woodstock.child import Child, ChildGone, ChildOverrun, ChildTooLate, Limits, run_child
from woodstock.errors import WoodstockError

SCRIPTS = {
    "spin": "while True: pass",
    "eat": "data = []\n    while True: data.append(bytearray(1 << 20))",
    "fail": "raise ValueError('no idea')",
    "leave": "return 7",
    "work": "open(arguments[0], 'w').write(' '.join(arguments))",
    "shadow": "import ast, sys\n    assert hasattr(ast, 'walk') and '' not in sys.path",
    "nice": "import os\n    assert os.nice(0) == 3",
    "threads": "import os\n    assert [os.environ[name] for name in arguments[::2]] == arguments[1::2]",
    "echo": """
    from woodstock.child_process import Parent
    import sys, time
    parent = Parent()
    print("rubbish that must not be taken for a message")
    for message in parent:
        if message["do"] == "sleep":
            time.sleep(30)
        if message["do"] == "leave":
            sys.exit(3)
        parent.send(message)
    """,
}


@pytest.fixture(autouse=True)
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module for each script, where a child finds it."""
    for name, body in SCRIPTS.items():
        (tmp_path / f"{name}_script.py").write_text(f"def main(arguments):\n    {body.strip()}\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


def test_it_does_its_work(tmp_path: Path) -> None:
    run_child("work_script", tmp_path / "done", 2.5, limits=Limits(60))
    assert (tmp_path / "done").read_text() == f"{tmp_path / 'done'} 2.5"


def test_no_folder_of_ours_shadows_the_standard_library() -> None:
    run_child("shadow_script", limits=Limits(60))


def test_time_and_memory_are_bounded() -> None:
    seen: list[float] = []
    with pytest.raises(ChildOverrun) as late:
        run_child("spin_script", limits=Limits(0.6), watch=seen.append)
    assert late.value.unit == "s" and late.value.limit == 0.6 and late.value.used >= 0.6
    assert seen == sorted(seen) and seen and seen[0] < 0.6
    with pytest.raises(ChildOverrun) as large:
        run_child("eat_script", limits=Limits(60, memory_mb=200))
    assert (large.value.unit, large.value.limit) == ("MiB", 200)


def test_a_failure_has_its_last_words() -> None:
    with pytest.raises(WoodstockError, match=r"exit code 1: (.|\n)*no idea"):
        run_child("fail_script", limits=Limits(60))
    with pytest.raises(WoodstockError, match="exit code 7"):
        run_child("leave_script", limits=Limits(60))


def test_it_may_be_nicer_than_we_are() -> None:
    if os.nice(0) == 0:
        run_child("nice_script", limits=Limits(60, niceness=3))


def test_numerical_libraries_start_no_threads_unless_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    # On a machine with many cores these threads alone would break a limit on memory.
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    run_child("threads_script", "OPENBLAS_NUM_THREADS", 1, "OMP_NUM_THREADS", 3, limits=Limits(60))


def test_messages_go_both_ways() -> None:
    with Child("echo_script") as child:
        large = {"do": "echo", "rules": "x" * 500_000}
        child.send(large, time.monotonic() + 30)
        assert child.receive(time.monotonic() + 30) == large
        child.send({"do": "sleep"})
        with pytest.raises(ChildTooLate):
            child.receive(time.monotonic() + 0.1)
        # It reads no more: what does not fit in the pipe is not sent.
        with pytest.raises(ChildTooLate):
            child.send(large, time.monotonic() + 0.1)
        assert child.end() == -signal.SIGKILL
        with pytest.raises(ChildGone, match="exit code -9"):
            child.receive()


def test_a_child_that_leaves_is_noticed() -> None:
    with Child("echo_script") as child:
        child.send({"do": "one"})
        child.send({"do": "leave"})
        assert list(child) == [{"do": "one"}]
        assert child.end() == 3
        with pytest.raises(ChildGone, match="exit code 3"):
            child.send({"do": "more"})


def test_it_ends_with_its_parent() -> None:
    code = (
        "from woodstock.child import Child; import time\n"
        "child = Child('echo_script'); child.send({'do': 'one'}); child.receive(); child.send({'do': 'sleep'})\n"
        "print(child.process.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        os.kill(pid, 0)
        parent.kill()
    ends_at = time.monotonic() + 10
    while time.monotonic() < ends_at and _is_alive(pid):
        time.sleep(0.01)
    assert not _is_alive(pid)


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
