"""Pages: they tell all that the commands tell, need nothing else, and take every text for text."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from helpers.taken_apart import Page
from hypothesis import given
from hypothesis import strategies as st

from satjudge import InputError, UnresolvedError, judge_phase
from satjudge.apps.cli import run
from satjudge.notation.bundled_cases import find_bundled_case, read_collection
from satjudge.notation.sheet_reader import load_sheets, read_sheets
from satjudge.notation.sheets import Sheet, SheetOrder
from satjudge.show.report import PositionReport, Section, format_page, make_position_page, make_run_page
from satjudge.show.report.html import make_node, make_table, make_verdict
from satjudge.world.geography import UnitKind
from satjudge.world.orders import Hold, Named
from satjudge.world.rules import load_rulebook

ROOT = Path(__file__).resolve().parents[2]
PARADOX = find_bundled_case("6.F.14")


def page_of(sheet: Sheet, *compared: str, rules: str = "datc-3") -> Page:
    return Page(make_position_page(sheet, load_rulebook(rules), [load_rulebook(name) for name in compared]))


# ---- a position ----


@pytest.mark.slow
def test_every_case_of_the_datc_has_a_page_with_each_order_and_verdict() -> None:
    for sheet in read_collection():
        found = page_of(sheet)
        outcome = judge_phase(sheet.board, sheet.orders_by_power())
        for power, orders in sheet.orders_by_power().items():
            for order, word in zip(orders, outcome.results[power], strict=True):
                assert f"{order} {word.replace(', ', ' , ')}" in found.words, sheet.identity


def test_a_paradox_has_a_switch_all_resolutions_its_core_and_the_rulebooks() -> None:
    found = page_of(PARADOX, "datc-3", "1982")
    radios = [attributes for tag, attributes in found.tags if tag == "input"]
    assert [attributes["value"] for attributes in radios] == ["0", "1", "2", "3"]
    assert ["checked" in attributes for attributes in radios] == [True, False, False, False]
    figures = [attributes for tag, attributes in found.tags if tag == "figure"]
    assert [attributes["data-view"] for attributes in figures if "hidden" not in attributes] == ["0"]
    assert [attributes["data-view"] for attributes in figures if "hidden" in attributes] == ["1", "2", "3"]
    for words in (
        "Judged by datc-3: DATC 3.2, the author's preferences.",
        "The ruling Resolution 1 of 2 Resolution 2 of 2 Afterwards",
        "Core 1: simple paradox",
        "F ENG C A BRE - LON is stopped by F WAL - ENG",
        "attack 2 (itself, F LON) exceeds hold 1 of F ENG (itself) [5.B.1]",
        "All rulebooks agree.",
        "F LON S F WAL - ENG given given cut",
    ):
        assert words in found.words, words


def test_retreats_and_adjustments_have_pages() -> None:
    retreats = page_of(find_bundled_case("6.H.11"), "datc-3", "1971")
    assert "A MAR R GAS succeeds" in retreats.words
    assert "1971: 4.A.5" in retreats.words
    assert retreats.count("figure") == 3
    disorder = page_of(find_bundled_case("6.J.3"), "datc-3", "1971")
    assert "(civil disorder)" in disorder.words


def test_a_rulebook_without_an_answer_still_has_a_page() -> None:
    rulebook = load_rulebook().with_settings(["4.A.2=none", "4.A.2.fallback=unresolved"])
    with pytest.raises(UnresolvedError):
        judge_phase(PARADOX.board, PARADOX.orders_by_power(), rulebook=rulebook)
    found = Page(make_position_page(PARADOX, rulebook))
    assert "has no answer to this core" in found.words
    assert "F WAL - ENG unresolved succeeds fails" in found.words
    assert "No ruling: The rulebook has no answer. Resolution 1 of 2:" in found.words
    assert "No ruling Resolution 1 of 2 Resolution 2 of 2" in found.words
    assert "Afterwards" not in found.words


def test_where_nothing_is_explained_there_is_nothing_to_select() -> None:
    found = page_of(find_bundled_case("6.F.18"), rules="2000")
    assert "A LON - BEL unresolved" in found.words
    assert "to read why" not in found.words
    assert (found.count("details"), found.count("input")) == (0, 0)


def parts_of(text: str, view: int) -> ElementTree.Element:
    """The list of orders as it is to be seen in one view."""
    (section,) = re.findall(r'<section id="orders".*?</section>', text, re.DOTALL)
    root = ElementTree.fromstring(section)
    for parent in root.iter():
        for part in list(parent):
            if str(view) not in part.get("data-view", str(view)).split():
                parent.remove(part)
    return root


def orders_in(text: str, view: int) -> dict[str, tuple[str, str]]:
    """By order: the verdict and the reasons that are to be seen in one view."""
    found = {}
    for order in parts_of(text, view).iterfind(".//*[@class='order']"):
        parts = [order.find(f".//*[@class='{name}']") for name in ("text", "outcome", "why")]
        given, word, why = ("" if part is None else "".join(part.itertext()) for part in parts)
        found[given] = (word, why)
    return found


def test_every_view_gives_the_reasons_of_its_own_verdicts() -> None:
    text = make_position_page(PARADOX, load_rulebook())
    ruling, one, other, afterwards = (orders_in(text, view) for view in range(4))
    assert ruling["F LON S F WAL - ENG"][0] == one["F LON S F WAL - ENG"][0] == "given"
    assert "the Szykman rule, which settles F ENG C A BRE - LON" in ruling["F LON S F WAL - ENG"][1]
    assert "F ENG is dislodged by F WAL - ENG of England" in one["F LON S F WAL - ENG"][1]
    assert other["F LON S F WAL - ENG"] == (
        "cut", "Resolution 2 of 2:cut by A BRE - LON of France, which comes by the convoy of F ENG [5.B.2]"
    )  # fmt: skip
    assert not any("Szykman" in why for view in (one, other) for _, why in view.values())
    assert afterwards == ruling


@pytest.mark.parametrize(("step", "least"), [(4, 7), pytest.param(1, 30, marks=pytest.mark.slow)])
def test_verdicts_in_the_list_are_those_of_the_picture_in_every_view(step: int, least: int) -> None:
    several = 0
    for sheet in read_collection()[::step]:
        report = PositionReport(sheet, load_rulebook())
        if len(report.views) > 1:
            text = report.format_page()
            for number, (_, scene) in enumerate(report.views):
                several += 1
                found = orders_in(text, number)
                assert {shown.text: str(shown.verdict) for shown in scene.orders}.items() <= {
                    order: word for order, (word, _) in found.items()
                }.items(), sheet.identity
    assert several > least


def test_the_position_that_a_phase_leaves_is_a_view() -> None:
    moved = page_of(find_bundled_case("6.A.8"))
    assert "The orders Afterwards" in moved.words
    sheet = read_sheets("case x: y\nFrance:\n  A PAR - BUR\n", source="x")[0]
    (told,) = re.findall(r'<desc id="view-1-desc">([^<]*)</desc>', make_position_page(sheet, load_rulebook()))
    assert told == "Afterwards. France: A Burgundy."


def test_views_show_the_same_piece_of_the_map() -> None:
    text = make_position_page(PARADOX, load_rulebook())
    drawings = re.findall(r'<svg class="panel[^>]* data-map=', text)
    assert len(drawings) == 4
    assert len(set(drawings)) == 1


def test_a_power_has_one_heading_though_some_of_its_units_are_removed_in_civil_disorder() -> None:
    text = """case x: y
phase: adjustment
Germany owns SC MUN, A MUN, A BEL, F DEN
France owns SC PAR, A PAR, A GAS
Germany:
  A BEL D
France:
  A GAS D
"""
    found = Page(make_position_page(read_sheets(text, source="x")[0], load_rulebook()))
    assert found.words.index("F DEN D (civil disorder)") < found.words.index("A GAS D")
    assert sum(attributes.get("class") == "power" for _, attributes in found.tags) == 2


def test_marks_are_against_the_first_rulebook_with_an_answer() -> None:
    found = page_of(find_bundled_case("6.F.24"), "1971", "datc-3", "1982", rules="1971")
    assert "Marked: what differs from datc-3." in found.words
    assert sum(attributes.get("class") == "differs" for _, attributes in found.tags) == 1


@pytest.mark.parametrize(("identity", "province"), [("6.I.1", "MUN"), ("6.I.3", "BER"), ("6.I.7", "MOS")])
def test_what_may_not_be_built_can_be_selected(identity: str, province: str) -> None:
    found = page_of(find_bundled_case(identity))
    assert province in [attributes.get("data-province") for tag, attributes in found.tags if tag == "details"]
    groups = [(attributes.get("class") or "").split() for tag, attributes in found.tags if tag == "g"]
    assert any({"unit", "illegal"} <= {*names} and names[-1] == province for names in groups)


def test_an_order_is_tied_to_the_picture_by_its_province() -> None:
    found = page_of(PARADOX)
    provinces = [attributes.get("data-province") for tag, attributes in found.tags if tag == "details"]
    assert provinces == ["LON", "WAL", "BRE", "ENG"]
    groups = [(attributes.get("class") or "").split() for tag, attributes in found.tags if tag == "g"]
    assert set(provinces) <= {names[-1] for names in groups if names and names[0] == "order"}


# ---- nothing from elsewhere ----


def test_a_page_asks_for_nothing_and_says_so() -> None:
    text = make_position_page(PARADOX, load_rulebook())
    found = Page(text)
    for _, attributes in found.tags:
        for name in ("src", "href", "action", "data", "srcset", "xlink:href"):
            value = attributes.get(name)
            assert value is None or value.startswith(("#", "data:")), value
    assert not re.search(r"url\((?!#)", text)
    assert "@import" not in text
    policy = next(attributes["content"] for _, attributes in found.tags if attributes.get("http-equiv"))
    assert policy is not None
    assert policy.startswith("default-src 'none';")


def test_ids_are_unique_and_what_refers_to_them_finds_them() -> None:
    found = page_of(PARADOX, "datc-3", "1971")
    ids = [attributes["id"] for _, attributes in found.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in found.tags:
        labels = (attributes.get("aria-labelledby") or "").split()
        reference = attributes.get("href") or ""
        assert set(labels) <= set(ids)
        assert not reference.startswith("#") or reference[1:] in ids


# ---- text is text ----

NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
HOSTILE = '<script>alert("1")</script><img src=x onerror=alert(1)>&amp;\x00'


def hostile_sheet(text: str) -> Sheet:
    sheet = Sheet("x", identity=text, title=text)
    sheet.notes = {"note": [text]}
    order = Hold(Named(UnitKind.ARMY, "PAR"))
    sheet.orders = [SheetOrder(text, order, None, None, 1)]
    return sheet


def test_a_hostile_sheet_runs_no_script() -> None:
    found = page_of(hostile_sheet(HOSTILE), "datc-3", "1971")
    assert (found.count("script"), found.count("img")) == (1, 0)
    assert found.words.count('<script>alert("1")</script>') > 4
    assert "&amp;" in found.words


@given(st.text(min_size=1))
def test_any_text_comes_out_as_it_went_in(text: str) -> None:
    found = Page(
        format_page(
            text, [Section(text, [make_node("p", text, title=text), make_table([text], [[text]], text), make_verdict(text)])]
        )
    )
    printable = NOT_XML.sub("\ufffd", text).replace("\r", "\n")
    assert found.words.count(" ".join(printable.split())) >= 4
    assert found.count("script") == 1


# ---- runs ----


@pytest.fixture(scope="module")
def census() -> bytes:
    return (ROOT / "docs" / "papers" / "census" / "census.json").read_bytes()


def test_a_census_has_a_page(census: bytes) -> None:
    data = json.loads(census)
    few = dict(sorted(data["shapes"].items(), key=lambda item: -item[1]["cores"])[:3])
    found = Page(make_run_page(json.dumps(data | {"shapes": few}).encode()))
    assert f"A census of {data['boards']:,} boards" in found.words
    kinds: dict[str, list[str]] = {}  # the rows of each, the most frequent first
    for name, counted in sorted(data["names"].items(), key=lambda item: -item[1]["cores"]):
        kinds.setdefault(counted["kind"], []).append(f"{name} {counted['cores']:,} {counted['boards']:,}")
    assert len(kinds) == 3
    for kind, rows in kinds.items():
        assert " ".join((kind, *rows)) in found.words
    for claim in data["claims"].values():
        assert claim["claim"] in found.words
    assert found.count("figure") == 3


@pytest.mark.parametrize("most", [12, pytest.param(None, marks=pytest.mark.slow)])
def test_a_census_has_a_table_of_contents_and_what_is_long_is_folded(census: bytes, most: int | None) -> None:
    data = json.loads(census)
    data["shapes"] = dict([*data["shapes"].items()][:most])
    found = Page(make_run_page(json.dumps(data).encode()))
    ids = {attributes["id"] for _, attributes in found.tags if "id" in attributes}
    links = [attributes["href"] or "" for tag, attributes in found.tags if tag == "a"]
    assert [link[1:] for link in links[:5]] == ["resolutions", "cores", "claims", "rulebooks", "shapes"]
    assert len(links) == 5 + len({tuple(shape["names"]) for shape in data["shapes"].values()})
    assert {link[1:] for link in links} <= ids
    folded = [attributes for tag, attributes in found.tags if tag == "details" and attributes.get("class") == "fold"]
    assert len(folded) == len(data["shapes"])
    assert not any("open" in attributes for attributes in folded)


def test_the_picture_and_the_orders_are_together() -> None:
    found = page_of(PARADOX)
    (board,) = (number for number, (_, attributes) in enumerate(found.tags) if attributes.get("class") == "board")
    sections = [attributes.get("id") for tag, attributes in found.tags[board:] if tag == "section"]
    assert sections[:2] == ["position", "orders"]
    assert "figure" not in [tag for tag, _ in found.tags[:board]]


CASE = """case x: <b>bold</b>
England:
  F LON S F WAL - ENG
  F WAL - ENG
France:
  A BRE - LON
  F ENG C A BRE - LON
"""


def finding(**more: object) -> dict[str, object]:
    difference = {"subject": "F WAL - ENG", "power": "ENGLAND", "ours": "succeeds", "theirs": "fails <i>"}
    told = {"differences": [difference], "reasons": ["so"], "case": CASE}
    return {"shape": "4u-1", "units": 4, "boards": 12, "from": "b", **told, **more}


def crosscheck(**more: object) -> bytes:
    rulebook = {"name": "datc-3", "title": "x", "settings": load_rulebook().settings()}
    run = {"satjudge": "0.1.0", "rulebook": rulebook, "against": "./engine <x>", "boards": 1000, "agreed": 980, "unresolved": 0}
    return json.dumps(run | {"differing": 12, "explained": [], "findings": [finding()]} | more).encode()


def test_a_campaign_has_a_page_with_pictures() -> None:
    known = finding(explanation="land-route", because="It goes by land.")
    found = Page(make_run_page(crosscheck(explained=[known])))
    assert "satjudge against ./engine <x>" in found.words
    assert "980 of 1,000 boards agree; 12 differ in ways that are not known." in found.words
    assert "differ, known 8" in found.words
    assert "F WAL - ENG (ENGLAND) succeeds fails <i>" in found.words
    assert "It goes by land." in found.words
    assert found.count("figure") == 2
    assert found.count("b") == found.count("i") == 0


def test_a_run_is_judged_by_its_own_rulebook() -> None:
    settings = load_rulebook().settings() | {"4.A.2": "all-hold"}
    text = make_run_page(crosscheck(rulebook={"name": "mine", "title": "x", "settings": settings}))
    assert "(fails)" in text
    with pytest.raises(InputError, match=r"4\.A\.99"):
        make_run_page(crosscheck(rulebook={"name": "mine", "title": "x", "settings": {"4.A.99": "x"}}))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "x.json: not JSON"),
        (b"\xff\xfe", "x.json: not JSON"),
        (b"[1]", "x.json: a page cannot be made from this file .*census --json"),
        (b'{"claims": {}}', "x.json: not what satjudge census --json writes: .*missing required field"),
        (crosscheck(findings=[finding(boards="many")]), r"crosscheck --json writes: .*findings\[0\]\.boards"),
        (crosscheck(findings=[finding(case="France:\n  A PARR - BUR")]), "a case of the run:2"),
        (b"[" * 100_000, "x.json: not JSON"),
    ],
)
def test_what_is_no_run_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_run_page(data, "x.json")


# ---- the command ----


@pytest.fixture
def reported(tmp_path: Path) -> Callable[..., Page]:
    def call(file: str, *arguments: str) -> Page:
        path = tmp_path / "page.html"
        assert run(["report", file, "-o", str(path), *arguments]) == 0
        return Page(path.read_text(encoding="utf-8"))

    return call


def test_the_command_writes_a_page(reported: Callable[..., Page], tmp_path: Path) -> None:
    found = reported("datc:6.F.9", "--compare", "1971", "--rules", "1982")
    assert "Judged by 1982" in found.words
    assert "Power Order 1982 1971" in found.words
    path = tmp_path / "run.json"
    path.write_bytes(crosscheck())
    assert "satjudge against" in reported(str(path)).words


@pytest.mark.parametrize("data", [crosscheck(), b"\n " + crosscheck()])
def test_a_run_is_read_from_standard_input(reported: Callable[..., Page], monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert "satjudge against" in reported("-").words
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"France:\n  A PAR - BUR\n")))
    assert "A PAR - BUR succeeds" in reported("-").words


@pytest.mark.parametrize("option", ["--case=x", "--compare=all", "--rules=1971", "--set=4.A.2=all-hold", "--engine=full"])
def test_options_for_positions_are_refused_for_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(crosscheck())
    assert run(["report", str(path), "-o", str(tmp_path / "x.html"), option]) == 2
    assert f"{option.partition('=')[0]} applies to a position" in capsys.readouterr().err
    assert not (tmp_path / "x.html").exists()


@pytest.mark.parametrize("name", ["x.pdf", "x.txt", "x"])
def test_only_pages_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert run(["report", "datc:6.F.14", "-o", str(tmp_path / name)]) == 2
    assert "report writes .html or .htm, not" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_file_is_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sheet.html"
    path.write_text("France:\n  A PAR - BUR\n", encoding="utf-8")
    assert run(["report", str(path), "-o", str(path)]) == 2
    assert "is FILE itself" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8").startswith("France:")


def test_a_rulebook_without_an_answer_is_told_and_exits_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page.html"
    assert run(["report", "datc:6.F.18", "--rules", "2000", "-o", str(path)]) == 1
    assert "Unresolved: 2000 has no answer to this core with 0 resolutions" in capsys.readouterr().err
    assert "A LON - BEL unresolved" in Page(path.read_text(encoding="utf-8")).words
    assert run(["report", "datc:6.F.18", "--compare", "2000", "-o", str(path)]) == 0


def test_of_several_rulebooks_to_compare_the_first_one_judges(reported: Callable[..., Page], tmp_path: Path) -> None:
    found = reported("difference:14", "--compare", "1982,2023")
    assert "Judged by 1982" in found.words
    assert "Power Order 1982 2023" in found.words
    assert "Judged by 1982" in reported("difference:14", "--compare", "1982,datc-3").words
    assert "Judged by 2023" in reported("difference:14", "--compare", "1971,1982", "--rules", "2023").words
    path = tmp_path / "own.txt"
    path.write_text("case own: x\nrules: 2000\nFrance:\n  A Paris - Burgundy\n", encoding="utf-8")
    assert "Judged by 2000" in reported(str(path), "--compare", "1971,1982").words


def test_no_rulebook_is_compared_with_itself(reported: Callable[..., Page]) -> None:
    found = reported("datc:6.F.14", "--set", "4.A.2=all-hold", "--compare", "datc-3,1971")
    assert found.words.count("datc-3 with 4.A.2=all-hold") == found.words.count("1971 with 4.A.2=all-hold") + 1


def test_a_case_without_a_name_is_called_as_everywhere(reported: Callable[..., Page], tmp_path: Path) -> None:
    path = tmp_path / "sheet.txt"
    path.write_text("France:\n  A PAR - BUR\n", encoding="utf-8")
    (heading,) = [words for words in (reported(str(path)).words.partition(" Judged by")[0],) if words]
    assert heading.endswith(load_sheets(path)[0].heading)


def test_bad_usage_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", "datc:6.F.14", "-o", str(tmp_path / "no" / "x.html")]) == 2
    assert run(["report", str(tmp_path / "none.txt"), "-o", str(tmp_path / "x.html")]) == 2
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    assert run(["report", str(broken), "-o", str(tmp_path / "x.html")]) == 2
    assert "broken.json: not JSON" in capsys.readouterr().err
