"""What rulebooks and cases quote stands in the texts that they name, in the chapter that they name, of the edition that they
name; and who is said to be silent is.

The texts are other people's and no part of the project. They are read in `../shared/seeds` beside the checkout, or where
SATJUDGE_SEEDS says.
"""

from __future__ import annotations

import html
import os
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from satjudge.base.errors import InputError
from satjudge.base.resources import data_directory
from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.parse import parse_order
from satjudge.notation.sheets import Sheet
from satjudge.world.geography import Map
from satjudge.world.orders import Order
from satjudge.world.rules import preset_names, rulebook_sources

SEEDS = Path(os.environ.get("SATJUDGE_SEEDS") or Path(__file__).parents[3] / "shared" / "seeds")
TEXTS = {"guide": "000", "1971": "001", "1982": "002", "DATC 2.4": "003", "DATC 3.2": "004"}
"""The texts by what notes call them, with the number that their files begin with."""
EDITIONS = {"2000": "2000", "2023": "2023", "2025ee": "2025EE"}
"""The rulebooks that are known only by what the DATC quotes of them, as the DATC calls them."""

QUOTATION = re.compile(r"“([^”]+)”")
_PLACE = r"(?:\d\.[A-J]\.\d+|chapter \d|\d+|[IVX]+)\b"
REFERENCE = re.compile(
    rf"(?P<text>DATC [23]\.\d|guide|Player's Technical Guide 1998), (?:Steps? )?(?:{_PLACE} and )?(?P<place>{_PLACE})"
)
OWN_PARAGRAPH = re.compile(r"\b(?P<place>[IVX]+(?:\.\d+)?)\b")
NO_WORDS = "no passage of this book is quoted"

VARIANTS = range(7, 13)
"""The chapters of the DATC 2.4 on maps with rules of their own."""
_VARIANT_CASE = re.compile(r"^(?P<place>7\.[A-D]\.\d+|(?:8|9|1[0-2])\.[A-O])[.,]?\s+TEST CASES?\b", re.MULTILINE)
_HEADED = re.compile(r"^(?P<power>[A-Z][a-z]+):\s*$")
_PRINTED_ORDER = re.compile(r"^\s*((?:SC )?[AF] [A-Z].*(?: -|TSR| Hold| Supports | Convoys ).*|Build [AF] .*)$")

needs_seeds = pytest.mark.skipif(not SEEDS.is_dir(), reason=f"the rules' texts are not at {SEEDS}")


class Quotation(NamedTuple):
    """Words in quotation marks, with the text and the place in it that they are said to be from, if any is named."""

    where: str
    note: str
    words: str
    text: str | None
    place: str | None


@cache
def raw_text(name: str) -> str:
    """A text as lines, without the tags of a page."""
    (path,) = SEEDS.glob(f"{TEXTS[name]}_*")
    text = path.read_text(encoding="utf-8", errors="replace")
    return html.unescape(re.sub(r"<[^>]*>", "", text)) if "<HTML" in text[:1000].upper() else text


def plain(text: str) -> str:
    """The words alone: without quotation marks and emphasis, with single spaces, in small letters."""
    return " ".join(re.sub(r"[“”„\"‘’'*_]", "", text).split()).casefold()


def _cut(text: str, beginning: str, end: str) -> str:
    """What stands between the last heading like that and the next other one; a table of contents comes before."""
    found = list(re.finditer(beginning, text, re.MULTILINE))
    assert found, f"there is no {beginning}"
    rest = text[found[-1].start() :]
    after = re.search(end, rest[found[-1].end() - found[-1].start() :], re.MULTILINE)
    return rest[: after.start() + found[-1].end() - found[-1].start()] if after else rest


@cache
def section(name: str, place: str) -> str:
    """One chapter, paragraph, step, issue or test case of a text."""
    text = raw_text(name)
    if name.startswith("DATC"):
        if place.startswith("chapter"):
            return _cut(text, rf"^{place.removeprefix('chapter ')}\. [A-Z]{{3}}", r"^\d\. [A-Z]{3}")
        return _cut(text, rf"^{re.escape(place)}\.?\s+[A-Z]{{2}}", r"^\d\.[A-J]\.\s*(\d+\.?\s+)?[A-Z]{2}|^\d\. [A-Z]{3}")
    if place.isdigit():
        return _cut(text, rf"^{place}\.  ", r"^\d+\.  [A-Z]|^-----")
    chapter, _, paragraph = place.partition(".")
    found = _cut(text, rf"^{chapter}\.\s+[A-Z]", r"^[IVX]+\.\s+[A-Z]|^Moves in a Sample Game")
    return _cut(found, rf"^{paragraph}\. ", r"^\d+\. ") if paragraph else found


def quotations(where: str, note: str, own: str | None = None) -> Iterator[Quotation]:
    """The quotations of a note, each with the reference before it that is nearest. `own` is the book that a number of a
    chapter alone refers to.
    """
    blank = QUOTATION.sub(lambda found: " " * len(found[0]), note)
    references = [(found.start(), found["text"], found["place"]) for found in REFERENCE.finditer(blank)]
    if own is not None:
        outside = REFERENCE.sub(lambda found: " " * len(found[0]), blank)
        references += [(found.start(), own, found["place"]) for found in OWN_PARAGRAPH.finditer(outside)]
    for found in QUOTATION.finditer(note):
        before = max((one for one in references if one[0] < found.start()), default=None)
        text, place = (before[1], before[2]) if before else (None, None)
        yield Quotation(where, note, found[1], text if text in (None, *TEXTS) else "guide", place)


def of_rulebooks() -> list[Quotation]:
    return [
        quotation
        for name in preset_names()
        for issue, note in rulebook_sources(name).items()
        for quotation in quotations(f"{name} {issue}", note, name if name in TEXTS else None)
    ]


def of_cases_and_documents() -> list[Quotation]:
    """What cases and the pages on rules quote. (Other pages put what is on the screen into such marks.)"""
    cases = sorted((data_directory() / "datc_cases").rglob("*.txt"))
    paths = [*cases, Path(__file__).parents[2] / "docs" / "reference" / "rulebooks.md"]
    return [
        quotation
        for path in paths
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for quotation in quotations(f"{path.name}:{number}", line)
    ]


def stands_in(quotation: Quotation) -> bool:
    """Whether the words are there, one part after the other where some are left out."""
    parts = [re.escape(plain(part)) for part in quotation.words.split("…")]
    places = [(quotation.text, quotation.place)] if quotation.text and quotation.place else [(text, None) for text in TEXTS]
    wanted = re.compile(".*".join(parts))
    return any(wanted.search(plain(section(text, place) if place else raw_text(text))) for text, place in places if text)


def introduced(edition: str) -> re.Pattern[str]:
    """How the DATC introduces words of an edition: with its year, alone or among others, and then a quotation mark."""
    years = rf"(?:\d{{4}}(?:EE)?/)*{edition}(?:/\d{{4}}(?:EE)?)*"
    return re.compile(rf"\b{years}\b(?! paradox)[^\"“\n]{{0,160}}[:,\n]\s*\"(\S+\s+){{4}}")


@needs_seeds
def test_every_quotation_of_a_rulebook_is_in_the_text_and_place_that_it_names() -> None:
    found = of_rulebooks()
    assert len(found) > 250
    assert [quotation for quotation in found if quotation.place is None] == []
    assert [(quotation.where, quotation.words) for quotation in found if not stands_in(quotation)] == []


@needs_seeds
def test_every_quotation_of_a_case_or_document_is_in_the_text_that_it_names() -> None:
    found = of_cases_and_documents()
    assert len(found) > 20
    assert [(quotation.where, quotation.words) for quotation in found if not stands_in(quotation)] == []


@needs_seeds
def test_what_is_quoted_of_an_edition_is_its_own() -> None:
    """`quoted in` means that the DATC gives the words as those of this edition: the year that it last named says so."""
    checked = 0
    for quotation in of_rulebooks():
        edition = EDITIONS.get(quotation.where.split()[0])
        if edition is None or not quotation.note.startswith("quoted in") or quotation.text is None or quotation.place is None:
            continue
        if quotation.note.index(f"“{quotation.words}") > quotation.note.index("”"):
            continue  # what comes later in a note is the DATC's own judgement
        text = plain(section(quotation.text, quotation.place))
        before = text[: text.index(plain(quotation.words))]
        named = re.findall(r"((?:(?:19|20)\d\d(?:ee)?/?)+)( and later)? (?:rule|ruling)", before)
        years, later = named[-1] if named else ("all", "")
        assert edition.casefold() in years.split("/") or later or "all the rulebooks" in before, quotation
        checked += 1
    assert checked >= 30


@needs_seeds
def test_who_is_said_to_be_silent_is() -> None:
    """A text that is known in full does not stand in the DATC with its word on the issue; one that is not, not in quotation."""
    spoken = []
    for name in preset_names():
        for issue, note in rulebook_sources(name).items():
            number = re.match(r"\d+\.[A-F](?:\.\d+)?", issue)
            assert number is not None
            discussed = [section(text, number[0]) for text in ("DATC 3.2", "DATC 2.4") if issue.startswith("4")]
            if name == "guide-1998" and "the guide is silent" in note:
                spoken += [(name, issue) for text in discussed if "DPTG" in text]
            if name in EDITIONS and NO_WORDS in note:
                spoken += [(name, issue) for text in discussed if introduced(EDITIONS[name]).search(text)]
                spoken += [(name, issue) for text in discussed if name == "2000" and "all rulebooks" in text]
    assert spoken == []


@pytest.mark.parametrize("name", preset_names())
def test_only_what_is_not_at_hand_is_called_unknown(name: str) -> None:
    """Whoever can be read is silent or is not; only the editions that the DATC quotes may have words that nobody quotes."""
    vague = [issue for issue, note in rulebook_sources(name).items() if "or not quoted" in note]
    assert vague == []
    if name not in EDITIONS:
        assert [issue for issue, note in rulebook_sources(name).items() if NO_WORDS in note] == []


@needs_seeds
def test_a_false_quotation_is_noticed() -> None:
    """Another wording, another place, another text."""
    true = Quotation("", "", "the order must specify which coast, or the fleet does not move", "1982", "VII.3")
    assert stands_in(true)
    assert not stands_in(true._replace(words="the order must specify the coast"))
    assert not stands_in(true._replace(place="XIII.2"))
    assert not stands_in(true._replace(text="guide", place="VII"))
    early, late = quotations("", "XII.4: “a” and DATC 3.2, 4.A.1 b: “b”", "1971")
    assert (early.text, early.place, late.text, late.place) == ("1971", "XII.4", "DATC 3.2", "4.A.1")
    assert introduced("2000").search('The 2000/2023 rulebooks read: "In some rare cases, orders are')
    assert not introduced("2025EE").search('The 2000/2023 rulebooks read: "In some rare cases, orders are')


def in_variants(sheet: Sheet) -> bool:
    return int(sheet.identity.removeprefix("2.4/").split(".")[0]) in VARIANTS


def place_of(sheet: Sheet) -> str:
    """The case of the DATC 2.4 that a sheet says it is from."""
    (source,) = sheet.notes["source"]
    return source.removeprefix("DATC 2.4, ")


@cache
def variant_texts() -> dict[str, str]:
    """The cases of chapters 7 to 12 of the DATC 2.4 by their number, and the introductions of the chapters."""
    text = raw_text("DATC 2.4")
    text = text[re.search(r"^7\. COLONIAL VARIANT", text, re.MULTILINE).start() :]  # type: ignore[union-attr]
    headings = [*_VARIANT_CASE.finditer(text), *re.finditer(r"^(?P<place>\d+)\. [A-Z\d]{3}", text, re.MULTILINE)]
    begins = sorted((found.start(), found["place"]) for found in headings)
    ends = [start for start, _ in begins[1:]] + [len(text)]
    assert len({place for _, place in begins}) == len(begins)
    return {place: text[start:end] for (start, place), end in zip(begins, ends, strict=True)}


def printed_orders(text: str) -> list[tuple[str, str]]:
    """The orders of a case as they are printed, each with the power that it stands under."""
    power, found = "", []
    for line in text.splitlines():
        if heading := _HEADED.match(line.strip()):
            power = heading["power"]
        elif order := _PRINTED_ORDER.match(line.rstrip()):
            found.append((power.upper(), " ".join(order[1].split())))
    return found


def ordered(text: str, game_map: Map, sheets: list[Sheet]) -> Order | str:
    """An order as it is read in a phase of the case; the text where it cannot be read."""
    try:
        return parse_order(text, game_map, sheets[0].phase)
    except InputError:
        return text


def variant_sheets() -> dict[str, list[Sheet]]:
    """The sheets of chapters 7 to 12 by the case that they are from."""
    sheets: dict[str, list[Sheet]] = {}
    for sheet in filter(in_variants, read_collection("datc-2.4")):
        sheets.setdefault(place_of(sheet), []).append(sheet)
    return sheets


@needs_seeds
def test_every_case_on_variants_is_there() -> None:
    """All 85 cases of the text; just 10.G prints two positions."""
    printed = {place for place in variant_texts() if "." in place}
    assert len(printed) == 85
    assert set(variant_sheets()) == printed
    assert {place: len(sheets) for place, sheets in variant_sheets().items() if len(sheets) > 1} == {"10.G": 2}
    for place, sheets in variant_sheets().items():
        assert all(sheet.identity in (f"2.4/{place}", *(f"2.4/{place}.{n}" for n in (1, 2))) for sheet in sheets)


@needs_seeds
def test_every_order_printed_in_a_case_on_variants_is_in_it() -> None:
    """Each printed line is an order of the case, for the same power, or is quoted in a note that says what is read instead;
    and the movement orders of the case are those that are printed, in number too.
    """
    compared = 0
    for place, sheets in variant_sheets().items():
        printed = printed_orders(variant_texts()[place])
        compared += len(printed)
        notes = [note for sheet in sheets for note in sheet.notes.get("note", ())]
        quoted = [(power, text) for power, text in printed if any(f"“{text}”" in note for note in notes)]
        game_map = sheets[0].map
        wanted = Counter((power, ordered(text, game_map, sheets)) for power, text in printed if (power, text) not in quoted)
        orders = Counter[tuple[str, Order | str]]((line.power, line.order) for sheet in sheets for line in sheet.orders)
        assert wanted <= orders, (place, wanted - orders)
        if printed and sheets[0].phase == "movement":
            retreats = sum(len(sheet.retreats) for sheet in sheets)
            assert orders.total() <= len(printed) <= orders.total() + retreats, (place, orders - wanted)
    assert compared > 300


@needs_seeds
def test_what_a_case_on_variants_quotes_stands_in_it_or_in_its_chapter() -> None:
    checked = 0
    for place, sheets in variant_sheets().items():
        texts = plain(variant_texts()[place]), plain(variant_texts()[place.split(".")[0]])
        for note in (note for sheet in sheets for note in sheet.notes.get("note", ())):
            for words in QUOTATION.findall(note):
                assert any(plain(words) in text for text in texts), (place, words)
                checked += 1
    assert checked > 10
