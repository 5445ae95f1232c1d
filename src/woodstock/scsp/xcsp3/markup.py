"""XML as a light tree with line numbers.

In: the bytes of a file. Out: `Element`s, each with its line, attributes, text and children. The parser is expat
without document types: no entity is declared, so none can grow or reach outside. Depth, elements and text are bounded
by the caller's budget. Cost: linear in the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.parsers import expat

from woodstock.scsp.xcsp3.error import Budget, InstanceError, OverBudget

DEPTH_LIMIT = 64
_ELEMENT_BYTES = 600
_READ_BYTES = 1 << 20


class Element:
    """One element: its tag, attributes, the text directly inside, and its children."""

    __slots__ = ("attributes", "children", "column", "line", "path", "tag", "text", "text_line")

    def __init__(self, path: str, tag: str, attributes: dict[str, str], line: int, column: int) -> None:
        self.path, self.tag, self.attributes, self.line, self.column = path, tag, attributes, line, column
        self.text, self.text_line = "", line
        self.children: list[Element] = []

    def error(self, message: str, line: int | None = None) -> InstanceError:
        """Return an error that points at this element, or at a line of its text."""
        if line is None:
            return InstanceError(self.path, self.line, self.column, f"<{self.tag}>: {message}")
        return InstanceError(self.path, line, 0, f"<{self.tag}>: {message}")

    def line_at(self, offset: int) -> int:
        """Return the line of a place in the text."""
        return self.text_line + self.text.count("\n", 0, offset)

    def child(self, tag: str) -> Element | None:
        """Return the only child of that name, none if there is none."""
        found = [child for child in self.children if child.tag == tag]
        if len(found) > 1:
            raise found[1].error(f"a second <{tag}> inside <{self.tag}>; one is expected")
        return found[0] if found else None

    def need(self, tag: str) -> Element:
        """Return the only child of that name."""
        found = self.child(tag)
        if found is None:
            raise self.error(f"a <{tag}> inside is missing")
        return found

    def attribute(self, name: str) -> str:
        """Return a required attribute."""
        value = self.attributes.get(name, "").strip()
        if not value:
            raise self.error(f"the attribute {name} is missing")
        return value

    def all_with(self, tag: str) -> Iterator[Element]:
        """Yield the children of that name."""
        return (child for child in self.children if child.tag == tag)


class _Builder:
    def __init__(self, path: str, parser: expat.XMLParserType, budget: Budget) -> None:
        self.path, self.parser, self.budget = path, parser, budget
        self.root: Element | None = None
        self.open: list[Element] = []
        self.chunks: list[list[str]] = []

    def fail(self, message: str) -> InstanceError:
        return InstanceError(self.path, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1, message)

    def take(self, size: int) -> None:
        try:
            self.budget.take(size)
        except OverBudget as error:
            raise self.fail(str(error)) from None

    def doctype(self, *_details: object) -> None:
        raise self.fail("a document type declaration; XCSP3 has none, and entities are not read")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self.open) >= DEPTH_LIMIT:
            raise self.fail(f"<{tag}> is nested deeper than {DEPTH_LIMIT} levels")
        self.take(_ELEMENT_BYTES + 2 * sum(map(len, attributes.values())))
        element = Element(
            self.path, tag, attributes, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        )
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)
        self.chunks.append([])

    def text(self, data: str) -> None:
        chunks = self.chunks[-1]
        if not chunks:
            self.open[-1].text_line = self.parser.CurrentLineNumber
        self.take(len(data) + 64)
        chunks.append(data)

    def end(self, _tag: str) -> None:
        self.open.pop().text = "".join(self.chunks.pop())


def parse_markup(path: Path, budget: Budget) -> Element:
    """Read a file of XML."""
    parser = expat.ParserCreate()
    # Unbuffered: with a buffer, only the last line of a text is known.
    parser.buffer_text = False
    builder = _Builder(str(path), parser, budget)
    parser.StartDoctypeDeclHandler = builder.doctype
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.text
    try:
        with path.open("rb") as stream:
            while data := stream.read(_READ_BYTES):
                parser.Parse(data, False)
            parser.Parse(b"", True)
    except OSError as error:
        raise InstanceError(str(path), 0, 0, f"cannot be read: {error.strerror or error}") from None
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise _not_well_formed(builder, error) from None
    assert builder.root is not None
    return builder.root


def _not_well_formed(builder: _Builder, error: Exception) -> InstanceError:
    code = getattr(error, "code", 0)
    reason = expat.ErrorString(code) if code else str(error)
    text = f"not well-formed XML: {reason}"
    if builder.open and code in _CUT_SHORT:
        last = builder.open[-1]
        text += f"; the file ends inside <{last.tag}> of line {last.line}: is it complete?"
    elif builder.root is None:
        text += '; an XCSP3 file starts with <instance format="XCSP3" type="CSP">'
    return builder.fail(text)


_CUT_SHORT = {
    expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS],
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN],
    expat.errors.codes[expat.errors.XML_ERROR_PARTIAL_CHAR],
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION],
}
