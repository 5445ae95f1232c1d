"""House rules that a program can check: functions of at most 60 lines, files of at most 400."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

MAX_FUNCTION = 60
MAX_FILE = 400

# Files that may be longer, with the reason. A new entry needs a good one.
LONG_FILES: dict[str, str] = {}

_NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\'', re.S)
_SCOPE = re.compile(r"\b(namespace|class|struct|enum|union|extern)\b[^()=]*$")
_NAME = re.compile(r"([\w:~]+|operator\S+)\s*\(")


def sources(root: Path) -> Iterator[Path]:
    """Yield our sources in Python and C++; generated stubs are not ours."""
    for folder in ("src", "bench", "native", "include"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".py", ".cpp", ".hpp", ".h") and "tests" not in path.relative_to(root).parts:
                yield path


def python_functions(text: str) -> Iterator[tuple[str, int]]:
    """Yield the name and the lines of each function, without its decorators."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def cpp_functions(text: str) -> Iterator[tuple[str, int]]:
    """Yield the name and the lines of each function that is not inside another, found by counting braces."""
    # Comments and literals become spaces, so that their brackets do not count and lines keep their numbers.
    text = _NOISE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    text = re.sub(r"^\s*#.*(?:\\\n.*)*$", "", text, flags=re.M)
    blocks: list[tuple[bool, int, str]] = []  # whether it is a scope, its first line, its name
    closed = (1, "")  # the first line and the name of the block that was closed last
    header_start = 0
    line = 1
    for found in re.finditer(r"[{};\n]", text):
        sign = found[0]
        if sign == "\n":
            line += 1
            continue
        header = text[header_start : found.start()]
        if sign == "{":
            is_inside = any(not is_scope for is_scope, _, _ in blocks)
            is_scope = not is_inside and _SCOPE.search(header) is not None
            name = _NAME.search(header)
            if not is_inside and (not header.strip() or header.lstrip()[0] == ","):
                first, name_of = closed  # the body of a constructor, after `member_{value}`
            else:
                first, name_of = line - header.lstrip().count("\n"), "" if name is None else name[1]
            blocks.append((is_scope, first, "" if is_inside else name_of))
        elif sign == "}" and blocks:
            is_scope, first, name_of = blocks.pop()
            closed = (first, name_of)
            if name_of and not is_scope:
                yield name_of, line - first + 1
        header_start = found.end()


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the name and the lines of each function of a file."""
    text = path.read_text(encoding="utf-8")
    return python_functions(text) if path.suffix == ".py" else cpp_functions(text)


def test_no_file_is_too_long(root: Path) -> None:
    lengths = {path.relative_to(root).as_posix(): len(path.read_text("utf-8").splitlines()) for path in sources(root)}
    assert len(lengths) > 300
    long = {name: lines for name, lines in lengths.items() if lines > MAX_FILE and name not in LONG_FILES}
    assert not long, f"split these files: {long}"
    stale = [name for name in LONG_FILES if lengths.get(name, 0) <= MAX_FILE]
    assert not stale, f"no exception is needed any more for {stale}"


def test_no_function_is_too_long(root: Path) -> None:
    found = [(path.relative_to(root).as_posix(), *one) for path in sources(root) for one in functions(path)]
    assert len(found) > 3000
    long = [f"{name} in {file}: {lines} lines" for file, name, lines in found if lines > MAX_FUNCTION]
    assert not long, f"split these functions: {long}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int f(int x) {\n  return x;\n}\n", [("f", 3)]),
        ("namespace a {\nstruct S {\n  int g() const {\n    return 1;\n  }\n  int x{2};\n};\n}\n", [("g", 3)]),
        ('void h() {\n  if (x) {\n    puts("}");  // }\n  }\n  auto l = [](int y) { return y; };\n}\n', [("h", 6)]),
        ("A::A(int x)\n    : x_(x), y_{0} {\n  run();\n}\n", [("A::A", 2), ("A::A", 4)]),
        ("template <class T>\nvoid t(T x) {\n}\n", [("t", 3)]),
    ],
)
def test_functions_of_cpp_are_found(text: str, expected: list[tuple[str, int]]) -> None:
    assert list(cpp_functions(text)) == expected
