"""Reads the files of a map package, which is a folder or a zip archive, and parses XML into a tree with line numbers."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from xml.parsers import expat

from satjudge.base.errors import MapError, NotFoundError
from satjudge.base.resources import LONGEST_TEXT, read_file

_MOST_FILES = 2000
_PLAIN = re.compile(r"(?:[^/\\:\0]+/)?[^/\\:\0]+")
"""The name of a file in the package or in one of its folders."""
_NAME = re.compile(r"\w{1,100}")
"""The name of a folder next to a package."""


@dataclass(frozen=True)
class Package:
    """A package: its name for messages, and a function that returns the content of a file in it."""

    source: str
    read: Callable[[str], bytes]
    beside: Callable[[str], Package | None] = lambda name: None
    """A function that opens the folder of a name next to this one; it returns None if there is none, and in an archive."""

    def read_member(self, name: str, line: int | None = None) -> bytes:
        """Return the content of a file that the package names at `line`; raise `MapError` if it is outside the package."""
        if not _PLAIN.fullmatch(name) or {".", ".."} & set(name.split("/")):
            raise MapError(f"{name!r:.100} is not a plain file name: only files in the package are read", line=line)
        return self.read(name)

    def format_file_name(self, name: str) -> str:
        """Return a file's name with that of the package, for messages: `package.zip/variants.xml`."""
        return f"{self.source}/{name}"


def open_package(path: Path, main_file: str) -> Package | None:
    """Open a folder or archive with `main_file`, or that file's own folder; else None; raise `MapError` for a bad archive."""
    if path.is_dir():
        return _folder(path) if (path / main_file).is_file() else None
    if path.name == main_file:
        return _folder(path.parent)
    return _open_archive(path, main_file) if zipfile.is_zipfile(path) else None


def _folder(folder: Path) -> Package:
    home = folder.resolve()

    def open_sibling(name: str) -> Package | None:
        other = home.parent / name
        return _folder(other) if _NAME.fullmatch(name) and other.is_dir() and other.resolve() == other else None

    def read(name: str) -> bytes:
        path = (folder / name).resolve()
        if home not in path.parents:  # a link
            raise MapError(f"{name} is outside the folder", source=str(folder))
        return read_file(path)

    return Package(str(folder), read, open_sibling)


def _open_archive(path: Path, main_file: str) -> Package | None:
    """Open a zip archive if it contains `main_file`, else return None; raise `MapError` for unsafe names or sizes."""
    source = str(path)
    try:
        with zipfile.ZipFile(path) as archive:
            files = {entry.filename: entry for entry in archive.infolist() if not entry.is_dir()}
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise MapError(f"the zip archive cannot be read: {error}", source=source) from None
    if len(files) > _MOST_FILES:
        raise MapError(f"the archive has {len(files):,} files, but can have at most {_MOST_FILES:,}", source=source)
    for name in files:
        if name.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", name) or ":" in name or "\0" in name:
            raise MapError(f"{name!r:.100} is outside the archive", source=source)
    mains = [name for name in files if PurePosixPath(name).name == main_file]
    if len(mains) > 1:
        raise MapError(
            f"it contains {len(mains)} files named {main_file}", source=source, suggestion="unpack it, and name a folder"
        )
    if not mains:
        return None
    folder = mains[0].removesuffix(main_file)

    def read(name: str) -> bytes:
        entry = files.get(folder + name)
        if entry is None:
            raise NotFoundError(f"there is no file {name} in {source}")
        if entry.file_size > LONGEST_TEXT:
            raise MapError(f"{name} is too long: more than {LONGEST_TEXT:,} bytes", source=source)
        try:
            with zipfile.ZipFile(path) as archive, archive.open(entry) as file:
                data = file.read(LONGEST_TEXT + 1)  # regardless of the size that the archive states
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError) as error:
            raise MapError(f"{name} cannot be unpacked: {error}", source=source) from None
        if len(data) > LONGEST_TEXT:
            raise MapError(f"{name} is too long: more than {LONGEST_TEXT:,} bytes", source=source)
        return data

    return Package(source, read)


# ---- XML from untrusted sources, as a tree with the line of each element ----
#
# It is parsed by expat. Nothing outside the text is fetched, declared general entities are refused, so none can expand without
# limit, and elements are counted.

_LONGEST = 3_000_000
_MOST_ELEMENTS = 50_000
_DEEPEST = 50
_MOST_ATTRIBUTES = 200_000
_MOST_DECLARED = 1_000
"""The maximum numbers of bytes, elements, nested elements, attributes, and declared attributes (each element may have all of
these). jDip's files have 200,000 bytes and a thousand elements, up to five deep.
"""


@dataclass(slots=True)
class Element:
    """An element: its name without a prefix, its attributes, its line, its child elements and its text."""

    name: str
    attributes: dict[str, str]
    line: int
    parts: list[Element] = field(default_factory=list)
    text: str = ""

    def iter_elements(self, name: str) -> Iterator[Element]:
        """Yield all elements with this name inside the element, at any depth, in document order."""
        ahead = self.parts[::-1]
        while ahead:
            part = ahead.pop()
            if part.name == name:
                yield part
            ahead += reversed(part.parts)

    def list_children(self, name: str) -> list[Element]:
        """List the child elements with this name."""
        return [part for part in self.parts if part.name == name]

    def find_first(self, name: str) -> Element | None:
        """Return the first element with this name inside the element, at any depth, or None."""
        return next(self.iter_elements(name), None)

    def get(self, attribute: str) -> str:
        """Return the value of an attribute without surrounding blanks, or "" if it is missing."""
        return self.attributes.get(attribute, "").strip()

    def require_attribute(self, attribute: str) -> str:
        """Return the value of an attribute as `get` does; raise `MapError` with the line if it is missing or empty."""
        if value := self.get(attribute):
            return value
        raise MapError(f"<{self.name}> has no {attribute}", line=self.line)


def parse_xml(data: bytes, source: str) -> Element:
    """Parse XML and return its root element; raise `MapError` with the line for an error or a dangerous declaration."""
    if len(data) > _LONGEST:
        raise MapError(f"the file has more than {_LONGEST:,} bytes of XML", source=source)
    reader = _Reader(source)
    try:
        reader.parser.Parse(data, True)
    except expat.ExpatError as error:
        raise MapError(f"not XML: {expat.ErrorString(error.code)}", source=source, line=error.lineno) from None
    except (ValueError, LookupError):  # Python or expat does not know the encoding
        raise MapError("the encoding of the file cannot be read", source=source, suggestion="save it in UTF-8") from None
    return reader.root.parts[0]


class _Reader:
    """Builds the tree of elements."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.EntityDeclHandler = self._refuse_entity
        self.parser.AttlistDeclHandler = self._count_declaration
        self.parser.SkippedEntityHandler = self._refuse_entity_use
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self.root = Element("", {}, 0)
        self.open = [self.root]
        self.texts: list[list[str]] = [[]]
        """The pieces of the text of each open element. They are joined once, since each `+=` would copy the text."""
        self.count = self.attributes = self.declared = 0

    def _error(self, message: str) -> MapError:
        return MapError(message, source=self.source, line=self.parser.CurrentLineNumber)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > _MOST_ELEMENTS or len(self.open) > _DEEPEST:
            raise self._error(f"the file has more than {_MOST_ELEMENTS:,} elements, or more than {_DEEPEST} nested ones")
        self.attributes += len(attributes)
        if self.attributes > _MOST_ATTRIBUTES:
            raise self._error(f"the file has more than {_MOST_ATTRIBUTES:,} attributes")
        element = Element(name.rpartition(":")[2], attributes, self.parser.CurrentLineNumber)
        self.open[-1].parts.append(element)
        self.open.append(element)
        self.texts.append([])

    def _end(self, name: str) -> None:
        self.open.pop().text = "".join(self.texts.pop())

    def _text(self, text: str) -> None:
        self.texts[-1].append(text)

    def _count_declaration(self, *_: object) -> None:
        self.declared += 1
        if self.declared > _MOST_DECLARED:
            raise self._error(f"the file declares more than {_MOST_DECLARED:,} attributes")

    def _refuse_entity(self, name: str, parameter: bool, *_: object) -> None:
        """Raise `MapError` for the declaration of an entity, except a parameter entity: jDip's pictures declare such ones."""
        if not parameter:
            raise self._error(f"the file declares the entity {name}, but satjudge does not read entities")

    def _refuse_entity_use(self, name: str, parameter: bool) -> None:
        if not parameter:
            raise self._error(f"the file uses the entity {name} from another file, but satjudge reads no other files")
