from __future__ import annotations

import pytest

from woodstock.gdl.source import Source, clean, decode


@pytest.mark.parametrize("text", ["a\nb\nc", "a\r\nb\r\nc", "a\rb\rc", "\ufeffa\nb\r\nc"])
def test_clean_leaves_one_kind_of_line_end_and_no_mark(text: str) -> None:
    assert clean(text) == "a\nb\nc"


def test_a_mark_in_the_middle_is_a_gap() -> None:
    assert clean("(a)\ufeff(b)") == "(a) (b)"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"caf\xc3\xa9", "café"),
        (b"caf\xe9", "café"),
        ("\ufeffé".encode("utf-16"), "\ufeffé"),
        (b"\xff\xfea", "ÿþa"),
        (b"", ""),
    ],
)
def test_decode_reads_what_editors_save(data: bytes, text: str) -> None:
    assert clean(decode(data)) == clean(text)


def test_positions_are_one_based_and_stay_inside() -> None:
    source = Source("x", "ab\n\ncd")
    assert [source.position(i) for i in (0, 2, 3, 4, 5, 6, 99, -1)] == [
        (1, 1),
        (1, 3),
        (2, 1),
        (3, 1),
        (3, 2),
        (3, 3),
        (3, 3),
        (1, 1),
    ]


def test_lines_have_no_ends() -> None:
    source = Source("x", "ab\n\ncd")
    assert [source.line(i) for i in (0, 1, 2, 3, 4)] == ["", "ab", "", "cd", ""]
    assert len(source.starts) == 3
