"""Every command line of README and docs runs, page by page in the order in which a reader would type them."""

from __future__ import annotations

import io
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from tests.unit.docs.pages import PAGES, ROOT, blocks, commands, name_of

from woodstock.cli import run
from woodstock.games import find
from woodstock.scsp import Network
from woodstock.scsp.xcsp3 import write

PAGES_WITH_COMMANDS = [page for page in PAGES if commands(page)]
# Budgets that a reader has time for and a test has not.
SHORTER = {
    "--seconds": 0.2,
    "--simulations": 2000,
    "--play-clock": 0.05,
    "--start-clock": 1,
    "--delay": 0,
    "--minutes": 0.02,
}
QUICK = {
    "watch": ["--delay", "0", "--play-clock", "0.1", "--max-turns", "10"],
    "match": ["--play-clock", "0.1", "--start-clock", "1"],
    "play": ["--seconds", "0.2"],
    "simulate": ["--seconds", "0.2"],
}
# What a reader does in a shell and a test does not.
NOT_RUN = ("source", "git", "pip", "python", "python3", "apt")


@pytest.mark.parametrize("page", PAGES_WITH_COMMANDS, ids=name_of)
def test_commands(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO())  # nobody is there: `play` shows the board and leaves
    _prepare(page, tmp_path)
    port = _free_port()
    servers: list[subprocess.Popen[bytes]] = []
    try:
        for line in commands(page):
            _run(line.replace("9147", str(port)), servers, port)
    finally:
        for server in servers:
            server.terminate()
            server.wait()


def _run(line: str, servers: list[subprocess.Popen[bytes]], port: int) -> None:
    words = shlex.split(line)
    if words[0] in NOT_RUN:
        return
    if words[0] == "make":
        target = next((word for word in words[1:] if "=" not in word), "help")
        assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.M), f"no target: {line}"
    elif words[0] == "cc":
        assert shutil.which("cc"), "the examples need a C compiler"
        paths = [str(ROOT / word) if (ROOT / word).exists() else word for word in words]
        subprocess.run(paths, check=True)
    elif words[:2] == ["woodstock", "serve"]:
        if "--port" not in words:
            words += ["--port", str(port)]
        if servers:
            servers.pop().terminate()
        servers.append(subprocess.Popen([sys.executable, "-c", "from woodstock.cli import main; main()", *words[1:]]))
        _wait_for(port)
    elif words[:2] == ["woodstock", "web"]:
        _open_pages(words[1:])
    else:
        assert words[0] == "woodstock", f"not a command that the tests know: {line}"
        if words[1] == "tournament" and (ROOT / words[3]).is_file():
            words[3] = _quick_copy(ROOT / words[3])
        assert run(_shortened(words[1:])) == 0, line


def _open_pages(words: list[str]) -> None:
    """Start the pages as the line says, but for nobody's data folder, and get the page that it would open."""
    pytest.importorskip("starlette", reason="the pages need woodstock[web]")
    more = ["--port", "0", "--no-browser", *([] if "--memory" in words else ["--memory"])]
    command = [sys.executable, "-c", "from woodstock.cli import main; main()", *words, *more]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        found = re.search(r"http://\S+", server.stderr.readline())
        assert found is not None
        assert b"woodstock" in urllib.request.urlopen(found[0], timeout=60).read()
        server.terminate()


def _shortened(words: list[str]) -> list[str]:
    words = words + QUICK.get(words[0], [])
    pairs = zip(["", *words], words, strict=False)
    return [str(SHORTER[option]) if option in SHORTER and _is_number(word) else word for option, word in pairs]


def _is_number(word: str) -> bool:
    return re.fullmatch(r"[\d._]+", word) is not None


def _prepare(page: Path, folder: Path) -> None:
    """Write the files that the pages speak of: a game, a network, and blocks of TOML that begin with their name."""
    (folder / "my-game.kif").write_text(find("tic-tac-toe").read(), encoding="utf-8")
    network = Network("my-network")
    network.require(network.decision("x", [0, 1, 2]) < network.decision("y", [0, 1, 2]))
    write(network, folder / "my-network.xml")
    if (ROOT / "examples").is_dir():
        shutil.copytree(ROOT / "examples", folder / "examples")
    for block in blocks(page):
        named = re.match(r"# (\S+\.toml)\n", block.text)
        if block.language == "toml" and named:
            (folder / named[1]).write_text(_quick_plan(block.text), encoding="utf-8")


def _quick_copy(plan: Path) -> str:
    """Write a copy of a plan that takes little time into the folder of the reader, and return its name."""
    Path(plan.name).write_text(_quick_plan(plan.read_text(encoding="utf-8")), encoding="utf-8")
    return plan.name


def _quick_plan(text: str) -> str:
    text = re.sub(r"^matches = \d+", "matches = 2", text, flags=re.M)
    return re.sub(r"^(play_clock_s|start_clock_s) = [\d.]+", r"\1 = 0.05", text, flags=re.M)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int) -> None:
    for _ in range(200):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", data=b"(info)", timeout=1).read()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server did not start")
