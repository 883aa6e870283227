"""Defines the format of certificates: a zip file with a claim as data, and with proofs of its formulas.

`certificate.json` is a `Certificate`. Each of its steps names a file with clauses (`NamedClauses`, in DIMACS) and an LRAT proof
that they cannot all hold.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeAlias

import msgspec

from satjudge.base.errors import InputError, reason_of
from satjudge.base.resources import decode_json
from satjudge.notation.documents import Rules
from satjudge.world.board import Season

FORMAT = "satjudge certificate 1"
MOST_BYTES = 4_000_000_000
"""The largest total size of a certificate's files when unpacked."""
_HEADER = "certificate.json"
_PART = 1_000_000
"""The number of bytes read from a file at a time."""
_MOST_HEADER_BYTES = 50_000_000
_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError, OSError, RuntimeError, ValueError)
"""The errors of damaged or incomplete files."""
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The allowed compressions; for others `zipfile` passes on any error of their modules."""
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+=-]{0,200}")
"""The allowed names of certificates in a bundle: they are shown, so they must not look like a path or a claim."""
_END = struct.Struct("<4s4H2IH")
"""The end of a zip file: signature, numbers of disks and files, size and place of the list of files, length of a comment."""


class FileOf(msgspec.Struct, frozen=True):
    """A file in the certificate: its name, its size, and its digest."""

    name: str
    bytes: int
    sha256: str


class Step(msgspec.Struct, frozen=True):
    """A step: a label, the clauses that cannot all hold if the claim is true, and the proof that they cannot.

    The label `proves` is not verified, but the clauses are compared with the claim. If the claim determines the clauses, the
    certificate holds only their size and digest.
    """

    proves: str
    formula: FileOf
    proof: FileOf


class ClaimedPosition(msgspec.Struct, frozen=True, kw_only=True):
    """A board with the orders that count; units without orders hold.

    A unit in `unsupportable` cannot be supported in place. `season` is stated if the map closes provinces, `permissions` if it
    has canals, and `centers`, by owner, if it has railroads (DATC 2.4, 7.B, 7.C and 8).
    """

    map: str
    season: Season | None = None
    units: dict[str, list[str]]
    orders: dict[str, list[str]]
    permissions: list[str] = []
    centers: dict[str, str] = {}
    unsupportable: list[str]
    rulebook: Rules


class Resolution(msgspec.Struct, frozen=True):
    """One consistent resolution: by order, whether the order succeeds."""

    succeeds: dict[str, bool]


class ResolutionsClaim(msgspec.Struct, frozen=True, kw_only=True, tag="resolutions"):
    """The claim that a position has these consistent resolutions, and no other.

    `verdicts` gives the final verdict on each order in the words of the DATC, after a backup rule if needed. Verdicts do not
    state whether a dislodged unit can retreat. They are None if nothing could judge the orders.
    """

    position: ClaimedPosition
    resolutions: list[Resolution]
    verdicts: dict[str, str] | None = None


class AtMost(msgspec.Struct, frozen=True):
    """A limit on how many of some enemy units can exist at a time."""

    most: int
    units: list[str]


class LineClaim(msgspec.Struct, frozen=True, kw_only=True, tag="line"):
    """The claim that no enemies bring a unit into a protected province, while the units of a line repeat their orders.

    `enemies` are the possible enemy units, with kind and location. At most `most` exist at a time, of which at most `fleets`
    are fleets (None: any number), and `limits` restrict some of them further. `restrictions` are the order sheet's notes that
    rule out units which could otherwise stand outside the protected provinces. No enemy can reach an `unreachable` province,
    whatever the line orders.
    """

    map: str
    units: list[str]
    orders: list[str]
    rulebook: Rules
    protected: list[str]
    unreachable: list[str]
    enemies: list[str]
    restrictions: list[str]
    most: int
    fleets: int | None
    limits: list[AtMost]


class SearchClaim(msgspec.Struct, frozen=True, kw_only=True, tag="search"):
    """The claim that no board with legal orders meets a goal, among boards of limited size in a region.

    The boards have at most `most` units, of which at most `fleets` are fleets (None: any number). All units stand and move
    within the region.
    """

    goal: str
    map: str
    region: list[str]
    most: int
    fleets: int | None
    rulebooks: list[Rules]
    """The rulebook, or those that the goal compares; then all orders are legal under each."""


class GuaranteeClaim(msgspec.Struct, frozen=True, kw_only=True, tag="guarantee"):
    """The claim that the orders of some powers fulfil their wish, whatever legal orders the other powers give.

    The wish is about the position after the moves and backup rules, before retreats.
    """

    goal: str
    map: str
    units: dict[str, list[str]]
    powers: list[str]
    orders: list[str]
    rulebook: Rules


class ListedLine(msgspec.Struct, frozen=True):
    """A line that meets a goal: its units, their orders, and its protected provinces."""

    units: list[str]
    orders: list[str]
    protected: list[str]


class FewestClaim(msgspec.Struct, frozen=True, kw_only=True, tag="lines"):
    """The claim that no line of at most `most` units that stay in place meets a goal, except those in `lines`.

    Lines differ if their units stand in different provinces. All units and protected provinces are in the region. With `feeds`,
    a line has no more units than protected supply centres. Without `pockets`, it cuts off no enemies from the others. There can
    be any number of enemies, except units in `missing`. Powers in `out` build no units; unless `out` is None, enemies stand
    only where they can arrive from a place where they can be built. Any `lines` with more units than `most` show that this many
    are enough.
    """

    goal: str
    map: str
    region: list[str]
    feeds: bool
    pockets: bool
    missing: list[str]
    out: list[str] | None
    most: int
    lines: list[ListedLine]


Claim: TypeAlias = ResolutionsClaim | LineClaim | FewestClaim | SearchClaim | GuaranteeClaim


class Certificate(msgspec.Struct, frozen=True, kw_only=True):
    """A certificate: a claim with everything needed to verify it."""

    format: str
    claim: Claim
    title: str
    """The name of the position or the line, which is not verified."""
    steps: list[Step]
    assumptions: list[str]
    versions: dict[str, str]


class CertificateFile:
    """A certificate's zip file, open for reading.

    Raises `InputError` if the file is not a certificate.
    """

    def __init__(self, archive: zipfile.ZipFile, path: Path) -> None:
        self.archive = archive
        self.path = path
        total = sum(entry.file_size for entry in archive.infolist())
        if total > MOST_BYTES:
            raise InputError(f"the file would unpack to {total:,} bytes; the limit is {MOST_BYTES:,}", source=str(path))
        if any(entry.compress_type not in _COMPRESSIONS for entry in archive.infolist()):
            raise InputError("the file is not compressed with “deflate”", source=str(path))
        _check_names_distinct(archive, path)
        self.certificate = self._read_header()

    def _read_header(self) -> Certificate:
        if _HEADER not in self.archive.namelist():
            raise InputError(f"not a certificate: it contains no {_HEADER}", source=str(self.path))
        content = self._read_content(_HEADER, _MOST_HEADER_BYTES)
        try:
            found: Certificate = decode_json(content, Certificate)
            if unknown := next(_iter_unknown_places(msgspec.json.decode(content), msgspec.to_builtins(found)), None):
                raise msgspec.ValidationError(f"a certificate has no such key - at `$.{unknown}`")
        except msgspec.DecodeError as error:
            problem, _, at = str(error).replace("`", "").partition(" - at ")  # … - at $.claim.map, … - at key in $.claim.units
            place = at.rpartition("$")[2].lstrip(".")
            raise InputError(": ".join(filter(None, (_HEADER, place, problem))), source=str(self.path)) from None
        if found.format != FORMAT:
            raise InputError(f"the format is “{found.format[:60]}”; this satjudge reads “{FORMAT}”", source=str(self.path))
        stated_names = {_HEADER, *(file.name for step in found.steps for file in (step.formula, step.proof))}
        if unknown := next((name for name in self.archive.namelist() if name not in stated_names), None):
            raise InputError(f"{_HEADER} does not mention the file {unknown[:100]}", source=str(self.path))
        return found

    def _read_content(self, name: str, max_bytes: int) -> bytes:
        try:
            with self.archive.open(name) as file:
                content = file.read(min(max(max_bytes, 0), MOST_BYTES) + 1)
        except _UNREADABLE as error:
            raise InputError(f"{name} cannot be read: {error}", source=str(self.path)) from None
        if len(content) > max_bytes:
            raise InputError(f"{name} has more than {max_bytes:,} bytes", source=str(self.path))
        return content

    def has_file(self, file: FileOf) -> bool:
        """Return whether the zip file contains a file of this name; clauses that follow from the claim need not be stored."""
        return file.name in self.archive.namelist()

    def check_file(self, file: FileOf) -> None:
        """Raise `InputError` unless the file in the zip file has the size and the digest that the certificate states."""
        digest, size = hashlib.sha256(), 0
        try:
            with self.archive.open(file.name) as content:
                while size <= file.bytes and (part := content.read(_PART)):
                    digest.update(part)
                    size += len(part)
        except _UNREADABLE as error:
            raise InputError(f"{file.name} cannot be read: {error}", source=str(self.path)) from None
        if (size, digest.hexdigest()) != (file.bytes, file.sha256):
            raise InputError(f"{file.name} is not the file that the certificate describes: its size or its digest differs")

    @contextmanager
    def open_file(self, file: FileOf) -> Iterator[IO[str]]:
        """Open a file of the certificate as text, to be read line by line; call `check_file` first."""
        with self.archive.open(file.name) as content:
            yield io.TextIOWrapper(content, encoding="utf-8", errors="replace", newline="\n")

    def read_text(self, file: FileOf) -> str:
        """Check the size and digest of a file of the certificate, and return its content as text; raises `InputError`."""
        self.check_file(file)
        with self.open_file(file) as content:
            return content.read()


def iter_certificates(path: Path) -> Iterator[CertificateFile]:
    """Yield the certificate in a file, or each certificate in a bundle (a zip file of certificates).

    Raises `InputError` at the first one that cannot be read.
    """
    for found in read_certificates(path):
        if isinstance(found, InputError):
            raise found
        yield found


def read_certificates(path: Path) -> Iterator[CertificateFile | InputError]:
    """Yield each certificate in a file or bundle, or the `InputError` that says why it cannot be read."""
    try:
        if not path.exists():
            raise InputError("there is no such file", source=str(path))
        if not path.is_file():  # a pipe's data may arrive at any time
            raise InputError("a certificate must be a regular file", source=str(path))
        with _open_zip(lambda: path.open("rb"), path) as archive:
            entries = archive.infolist()
            if not entries or any(entry.compress_type or not entry.filename.endswith(".zip") for entry in entries):
                yield CertificateFile(archive, path)
                return
            _check_names_distinct(archive, path)
            for entry in entries:
                if _PLAIN.fullmatch(entry.filename):
                    yield from _iter_bundled(archive, entry, path / entry.filename)
                else:
                    yield InputError(
                        f"the archive contains a file with an invalid name: {entry.filename[:60]!r}", source=str(path)
                    )
    except InputError as error:
        yield error


def _iter_bundled(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path) -> Iterator[CertificateFile | InputError]:
    """Yield one certificate, open for reading until the generator continues, or the error if it cannot be read."""
    try:
        with _open_zip(lambda: archive.open(entry), path) as inner:
            yield CertificateFile(inner, path)
    except InputError as error:
        yield error


def _check_names_distinct(archive: zipfile.ZipFile, path: Path) -> None:
    """Raise `InputError` if two files in a zip archive have the same name."""
    names = archive.namelist()
    if len(set(names)) != len(names):
        raise InputError("the archive contains two files of the same name", source=str(path))


def write_bundle(certificates: Mapping[str, bytes], file: Path) -> None:
    """Write certificates, given as bytes by file name, to an uncompressed zip file."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, content in certificates.items():
            archive.writestr(zipfile.ZipInfo(name), content)


@contextmanager
def _open_zip(open_content: Callable[[], IO[bytes]], path: Path) -> Iterator[zipfile.ZipFile]:
    """Open the zip file that `open_content` opens, after checking that it is not cut off and has nothing before or after it.

    Raises `InputError` otherwise. Without this check, a truncated bundle could pass for the last certificate in it.
    """
    with ExitStack() as stack:
        try:
            content = stack.enter_context(open_content())
            ends = content.seek(0, os.SEEK_END) - _END.size
            content.seek(max(ends, 0))
            signature, *_, size, start, comment = _END.unpack(content.read(_END.size).ljust(_END.size))
            archive = stack.enter_context(zipfile.ZipFile(content))
        except _UNREADABLE as error:
            hint = "files that --drat writes are for DRAT checkers" if path.suffix in (".cnf", ".drat") else None
            raise InputError(f"not a certificate: {reason_of(error)}", source=str(path), suggestion=hint) from None
        if (signature, start + size, comment) != (b"PK\5\6", ends, 0):
            raise InputError("the file is damaged: a part is missing, or other data comes before or after it", source=str(path))
        yield archive


def _iter_unknown_places(data: object, parsed_value: object, path: str = "") -> Iterator[str]:
    """Yield the path, such as `steps[0].name`, of each key in the JSON data that is missing in `parsed_value`, read from it."""
    if isinstance(data, dict) and isinstance(parsed_value, dict):
        for key, value in data.items():
            where = f"{path}.{key}" if path else str(key)
            yield from _iter_unknown_places(value, parsed_value[key], where) if key in parsed_value else [where]
    elif isinstance(data, list) and isinstance(parsed_value, list):
        for number, (one, read) in enumerate(zip(data, parsed_value, strict=True)):
            yield from _iter_unknown_places(one, read, f"{path}[{number}]")


def describe_file(name: str, content: bytes) -> FileOf:
    """Return the name, size and digest of a file, as certificates state them."""
    return FileOf(name, len(content), hashlib.sha256(content).hexdigest())


def write_certificate(certificate: Certificate, files: Mapping[str, bytes], file: IO[bytes] | Path) -> None:
    """Write a certificate and its files to a zip file, whose bytes depend only on their content."""
    header = msgspec.json.format(msgspec.json.encode(certificate), indent=1)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, content in ((_HEADER, header), *files.items()):
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


# ---- assumptions that certificates do not prove; tests check each one on many random boards ----

LEGALITY = "legality"
SIEGE = "siege"
ENEMIES = "enemies"
CONDITION = "condition"
SETTINGS = "settings"
RULINGS = "rulings"
CORES = "cores"

ASSUMPTIONS: Mapping[str, str] = {
    LEGALITY: "The position states exactly the orders and permissions that count, and exactly the units that cannot be "
    "supported after an illegal order to move or in civil disorder: which orders are legal is not proved (DATC 4.D.9, 4.E; "
    "docs/reference/certificates.md)",
    SIEGE: "If foreign enemies with any legal orders can bring a unit into a province of a line whose units hold or "
    "support each other to hold, then the same or fewer units can do so with only these orders: moves by land or water into "
    "that province and into provinces whose units support its unit, and supports for moves into it by units in provinces "
    "that come later in the alphabet than the origin of the move (docs/background/lines.md)",
    ENEMIES: "There are no enemy units except those that the claim allows. What the order sheet says about enemies is "
    "quoted, not verified (docs/background/lines.md)",
    CONDITION: "Foreign enemies, however many, can bring a unit into a province of a line whose units hold or support each "
    "other to hold exactly if an enemy could move there and the province has no unit, or if there are more enemies than one "
    "plus its supports. Enemies count if they could move there by land or water; of the others, as many count as could move "
    "into the provinces of different supporters (docs/background/lines.md, “The condition”)",
    SETTINGS: "Whichever convoy orders of a board with legal orders are taken to be available, and the others to be "
    "disrupted, all other equations have a solution (docs/background/search.md, “What is true of every board”)",
    RULINGS: "The final results of orders satisfy all equations, and no ring of moves fails because each waits for the "
    "next. If a paradox is ruled on, the orders have no consistent resolution, or two that differ in a convoy that some "
    "move is ordered to take. Then all equations are satisfied except those of convoys that fail and, under All Hold and "
    "the guide of 1998, of moves that fail (docs/background/search.md, “Why each question is necessary”)",
    CORES: "A core has the shape with a certain name if it is the ring of links, or of moves, with this name in "
    "docs/papers/cores.md. It has these numbers of orders of each kind, given to different units. Where one order depends "
    "on another, there are values of the core's orders for which changing only the other order changes the equation of the "
    "first, while everything outside the core stays the same",
}
"""The assumptions as sentences, by their names in certificates."""


# ---- clauses with meanings: a DIMACS file whose comments name all variables and groups of clauses ----

Clause: TypeAlias = tuple[int, ...]
"""Literals, at least one of which holds. A literal is a variable's number or its negative."""


@dataclass(frozen=True, slots=True)
class ClauseGroup:
    """Clauses that share a meaning."""

    meaning: str
    clauses: Sequence[Clause]


@dataclass(frozen=True, slots=True)
class NamedClauses:
    """Groups of clauses over variables from 1 to `size`.

    A clause that begins with an unnamed variable is part of that variable's definition.
    """

    size: int
    names: Mapping[int, str]
    groups: Sequence[ClauseGroup]

    @property
    def clauses(self) -> list[Clause]:
        """The clauses of all groups in order, as proofs number them, from 1."""
        return [clause for group in self.groups for clause in group.clauses]

    def iter_lines(self) -> Iterator[str]:
        """Yield the lines of the DIMACS file, with comments that name variables and groups."""
        for variable, name in sorted(self.names.items()):
            yield f"c variable {variable} {name}"
        first = 1
        for group in self.groups:
            yield f"c clauses {first} to {first + len(group.clauses) - 1}: {group.meaning}"
            first += len(group.clauses)
        yield f"p cnf {self.size} {first - 1}"
        for clause in self.clauses:
            yield " ".join(map(str, (*clause, 0)))

    @property
    def text(self) -> str:
        """The whole DIMACS file, ending with a newline."""
        return "".join(f"{line}\n" for line in self.iter_lines())
