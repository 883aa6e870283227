"""XML of strangers, as a tree with the line of each element.

It is read by expat itself, which then does nothing but what is told here: nothing outside the text is fetched, no entity is
taken in (a general entity that is declared is refused, so that none can blow up), and elements are counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from satjudge.errors import MapError

_MOST_ELEMENTS = 200_000
_DEEPEST = 200


@dataclass(slots=True)
class Element:
    """An element: its name without a prefix, its attributes, its parts and its text."""

    name: str
    attributes: dict[str, str]
    line: int
    parts: list[Element] = field(default_factory=list)
    text: str = ""

    def every(self, name: str) -> Iterator[Element]:
        """All elements of that name in it, at any depth, in order."""
        for part in self.parts:
            if part.name == name:
                yield part
            yield from part.every(name)

    def one(self, name: str) -> Element | None:
        """The first element of that name in it, if there is any."""
        return next(self.every(name), None)

    def get(self, attribute: str) -> str:
        """What an attribute says; nothing, if it is not there."""
        return self.attributes.get(attribute, "").strip()

    def must(self, attribute: str) -> str:
        """What an attribute says. Raises `MapError` with the line, if it is not there."""
        if value := self.get(attribute):
            return value
        raise MapError(f"<{self.name}> has no {attribute}", line=self.line)


def parsed(data: bytes, source: str) -> Element:
    """The outermost element of a text. Raises `MapError` with the line of what is wrong or hostile."""
    reader = _Reader(source)
    try:
        reader.parser.Parse(data, True)
    except expat.ExpatError as error:
        raise MapError(f"not XML: {expat.ErrorString(error.code)}", source=source, line=error.lineno) from None
    return reader.root.parts[0]


class _Reader:
    """Builds the tree."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.EntityDeclHandler = self._entity
        self.parser.SkippedEntityHandler = self._skipped
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self.root = Element("", {}, 0)
        self.open = [self.root]
        self.count = 0

    def _error(self, message: str) -> MapError:
        return MapError(message, source=self.source, line=self.parser.CurrentLineNumber)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > _MOST_ELEMENTS or len(self.open) > _DEEPEST:
            raise self._error(f"more than {_MOST_ELEMENTS:,} elements, or more than {_DEEPEST} in each other, are not read")
        element = Element(name.rpartition(":")[2], attributes, self.parser.CurrentLineNumber)
        self.open[-1].parts.append(element)
        self.open.append(element)

    def _end(self, name: str) -> None:
        self.open.pop()

    def _text(self, text: str) -> None:
        self.open[-1].text += text

    def _entity(self, name: str, parameter: bool, *_: object) -> None:
        """Parameter entities may be declared, for jDip's pictures do so; they are never taken in."""
        if not parameter:
            raise self._error(f"the entity {name} is declared, which no map needs: entities are not read")

    def _skipped(self, name: str, parameter: bool) -> None:
        if not parameter:
            raise self._error(f"the entity {name} is used, which only another file could declare: no other file is read")
