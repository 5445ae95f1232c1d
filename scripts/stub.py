"""Write the type stub of the native module: stub.py FOLDER_OF_THE_LIBRARY STUB.

nanobind's stubgen knows what each binding takes and returns. Python containers come without the types of their items,
and results that the bindings build by hand come as `object`; here they become `Any`, so that `mypy --strict` accepts
them. To give a binding a more precise type, use `nanobind::sig` next to its definition.
"""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

from nanobind.stubgen import StubGen

FILL_IN = (
    (r"\bdict(?=[,:)]| \||$)", "dict[str, Any]"),
    (r"\blist(?=[,:)]| \||$)", "list[Any]"),
    (r"\btuple(?=[,:)]| \||$)", "tuple[Any, ...]"),
    (r"-> object:", "-> Any:"),
    (r"\*args\)", "*args: object)"),
)


def stub_of(module_name: str) -> str:
    """Return the text of the stub."""
    module = importlib.import_module(module_name)
    generator = StubGen(module)
    generator.put(module)
    lines = str(generator.get()).splitlines()
    for number, line in enumerate(lines):
        if line.lstrip().startswith("def "):
            for pattern, replacement in FILL_IN:
                line = re.sub(pattern, replacement, line)
            lines[number] = line
    # After the docstring of the module; an import that nothing uses is no error in a stub.
    lines.insert(2, "from typing import Any")
    return "\n".join(lines) + "\n"


def main(folder: str, target: Path) -> None:
    sys.path.insert(0, folder)
    text = stub_of("_native")
    if not target.exists() or target.read_text() != text:
        target.write_text(text)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
