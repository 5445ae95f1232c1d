"""Try the wheels in dist as a user would: an empty virtual environment, a match, the examples of the README.

python scripts/wheel_test.py                 # each wheel that an interpreter of this machine can use
python scripts/wheel_test.py --find-stable   # print a Python of 3.12 or later, or nothing
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "unit" / "docs"))
from pages import blocks, commands  # noqa: E402

README = ROOT / "README.md"
BUDGETS = {"--seconds": "0.2"}
CLOCKS = ["--play-clock", "0.1", "--start-clock", "1"]
EXTRA = {"watch": ["--delay", "0", *CLOCKS], "match": CLOCKS}


def find_stable() -> str | None:
    """Return a Python of 3.12 or later."""
    names = [f"python3.{minor}" for minor in range(12, 20)]
    versions = Path.home() / ".pyenv" / "versions"
    found = [shutil.which(name) for name in names] + sorted(map(str, versions.glob("3.*/bin/python3")))
    for python in filter(None, found):
        check = "import sys, venv, ensurepip; sys.exit(not (3, 12) <= sys.version_info[:2] <= (3, 14))"
        if subprocess.run([python, "-c", check], capture_output=True, check=False).returncode == 0:
            return python
    return None


def try_wheel(wheel: Path, python: str) -> None:
    """Install the wheel alone and run a match and the examples with it."""
    with zipfile.ZipFile(wheel) as files:
        missing = {f"woodstock/web/static/{name}" for name in ("site.css", "site.js", "match.js")} - {*files.namelist()}
    if missing:
        sys.exit(f"the wheel has no built pages: {', '.join(sorted(missing))}")
    with tempfile.TemporaryDirectory(prefix="woodstock-wheel-") as folder:
        subprocess.run([python, "-m", "venv", f"{folder}/venv"], check=True)
        installed = f"{folder}/venv/bin"
        subprocess.run([f"{installed}/python", "-m", "pip", "install", "--quiet", str(wheel)], check=True)
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        environment["PATH"] = f"{installed}:{environment['PATH']}"
        match = ["woodstock", "match", "connect-four", "mac-ucb-sym", "uct", *CLOCKS]
        subprocess.run(match, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
        run = [f"{installed}/python", __file__, "--examples"]
        subprocess.run(run, cwd=folder, env=environment, check=True)


def run_examples() -> None:
    """Run the examples of the README with the woodstock that is installed."""
    import woodstock
    from woodstock.games import find

    if Path(woodstock.__file__).is_relative_to(ROOT / "src"):
        sys.exit("this is the woodstock of the source tree, not that of the wheel")
    text = "\n".join(block.text for block in blocks(README) if block.language == "python")
    parsed = doctest.DocTestParser().get_doctest(text, {}, "README.md", None, 0)
    if doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(parsed).failed:
        sys.exit("an example of the README failed")
    Path("my-game.kif").write_text(find("tic-tac-toe").read(), encoding="utf-8")
    for line in commands(README):
        words = shlex.split(line)
        # The pages need the packages of woodstock[web], and go on until they are stopped.
        if words[0] != "woodstock" or words[1] == "web":
            continue
        words = [BUDGETS.get(before, word) for before, word in zip(["", *words], words, strict=False)]
        words += EXTRA.get(words[1], [])
        subprocess.run(words, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        print(f"  {line}")


def main() -> None:
    if sys.argv[1:] == ["--find-stable"]:
        print(find_stable() or "")
    elif sys.argv[1:] == ["--examples"]:
        run_examples()
    else:
        wheels = sorted((ROOT / "dist").glob("*.whl"))
        if not wheels:
            sys.exit("no wheel in dist: run `make wheel` first")
        own = f"cp{sys.version_info[0]}{sys.version_info[1]}"
        for wheel in wheels:
            python = sys.executable if f"-{own}-{own}-" in wheel.name else find_stable()
            if python is None or not re.search(rf"-abi3-|-{own}-", wheel.name):
                print(f"{wheel.name}: no interpreter here can use it")
                continue
            print(wheel.name, flush=True)
            try_wheel(wheel, python)


if __name__ == "__main__":
    main()
