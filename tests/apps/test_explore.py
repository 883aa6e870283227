"""What the page to play with asks, and what it is told."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import fromstring

import msgspec
import pytest

from satjudge.apps.explore.questions import answer_question
from satjudge.apps.explore.wire import WirePosition, open_phases
from satjudge.judging.judge import resolutions
from satjudge.judging.solve.result import Resolutions
from satjudge.notation.bundled_cases import find_bundled_case
from satjudge.world.rules import load_rulebook

PARADOX = {"units": {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]}, "phase": "S1905M"}
SHEET = "ENGLAND:\nF LON S F WAL - ENG\nF WAL - ENG\nFRANCE:\nA BRE - LON\nF ENG C A BRE - LON\n"


def ask(name: str, **more: object) -> Any:  # noqa: ANN401
    """The answer, or the fault."""
    told = msgspec.json.decode(answer_question(msgspec.json.encode({"ask": name, **more})))
    return told.get("answer", told.get("fault"))


@pytest.fixture(scope="module")
def opening() -> dict[str, Any]:
    """The opening position."""
    found: dict[str, Any] = ask("start")["position"]
    return found


def test_orders_are_judged_and_errors_told_at_their_places(opening: dict[str, Any]) -> None:
    told = ask("judge", position=opening, sheet="France:\nA Par - Bur\nGERMANY:\nA MUN - BUX\nF KIE - DEN\n")
    assert [(one["power"], one["order"], one["line"], one["verdict"]) for one in told["orders"]] == [
        ("FRANCE", "A PAR - BUR", 2, "succeeds"),
        ("GERMANY", "F KIE - DEN", 5, "succeeds"),
    ]
    assert [(one["line"], one["column"]) for one in told["errors"]] == [(4, 9)]
    assert told["missing"]["GERMANY"] == ["A BER", "A MUN"]


def test_a_misspelt_power_costs_only_its_own_orders(opening: dict[str, Any]) -> None:
    told = ask("judge", position=opening, sheet="Frnace:\nA PAR - BUR\nGERMANY:\nA MUN H\n")
    assert [(one["line"], one["suggestion"]) for one in told["errors"]] == [(1, "did you mean France?")]
    assert [(one["power"], one["order"]) for one in told["orders"]] == [("GERMANY", "A MUN H")]


def test_an_order_whose_unit_is_driven_out_is_marked_as_bad() -> None:
    position = {"units": {"FRANCE": ["A PAR", "A MAR", "A GAS"], "GERMANY": ["A BUR", "A MUN", "A RUH"]}, "phase": "S1901M"}
    sheet = "FRANCE:\nA PAR - BUR\nA MAR S A PAR - BUR\nA GAS H\nGERMANY:\nA BUR H\nA MUN - SIL\nA RUH S A MUN H\n"
    told = ask("judge", position=position, sheet=sheet)
    assert [(one["verdict"], one["sign"]) for one in told["orders"]] == [
        ("succeeds", ""),
        ("given", ""),
        ("stands", ""),
        ("dislodged", "bad"),
        ("succeeds", ""),
        ("invalid", "void"),
    ]


def test_a_core_is_told_as_a_graph_with_its_resolutions() -> None:
    told = ask("judge", position=PARADOX, sheet=SHEET)
    assert told["resolutions"] == 2
    (core,) = told["cores"]
    assert core["provinces"] == ["LON", "WAL", "ENG"]
    assert len(core["resolutions"]) == 2
    said = dict(zip(core["decisions"], core["words"], strict=True))
    assert {*map(tuple, said.values())} <= {("succeeds", "fails"), ("given", "cut"), ("holds", "disrupted")}
    # The Szykman rule: the convoy is disrupted.
    assert [value for name, value in zip(core["decisions"], core["ruled"], strict=True) if " C " in name] == [False]
    assert sorted(core["edges"]) == [[0, 2], [1, 0], [2, 1]]
    told = {
        core["decisions"][one]: (core["decisions"][other], way)
        for (one, other), way in zip(core["edges"], core["ways"], strict=True)
    }
    assert told == {
        "F LON S F WAL - ENG": ("F ENG C A BRE - LON", "stopped"),
        "F WAL - ENG": ("F LON S F WAL - ENG", "needs"),
        "F ENG C A BRE - LON": ("F WAL - ENG", "stopped"),
    }


def test_resolutions_are_told_apart_in_words() -> None:
    told = ask("differences", position=PARADOX, sheet=SHEET)
    assert [one["says"] for one in told] == ["London's support is given", "English Channel's convoy holds"]
    assert ["FRANCE", "F ENG C A BRE - LON"] in told[0]["orders"]
    plain = ask("differences", position={**PARADOX, "units": {"FRANCE": ["A PAR"]}}, sheet="FRANCE:\nA PAR H\n")
    assert plain == [{"number": 1, "says": "", "orders": []}]
    assert ask("names", position=PARADOX, sheet=SHEET) == ["simple paradox"]


def test_every_resolution_can_be_drawn() -> None:
    drawn = [ask("draw", position=PARADOX, sheet=SHEET, shows=number) for number in (1, 2)]
    assert drawn[0] != drawn[1]
    assert ask("draw", position=PARADOX, sheet=SHEET, shows=3)["suggestion"] == "there are 2"


RINGS = ("HOL BEL RUH", "BOH GAL VIE", "ROM NAP APU", "EDI YOR LVP", "UKR WAR MOS", "SPA GAS MAR", "SYR ARM SMY", "SER GRE ALB")
"""Each may go round or stay."""


@pytest.mark.parametrize("marks", [0.5, 1.7, 2.9])
def test_marks_are_so_many_times_as_large_on_the_map(opening: dict[str, Any], marks: float) -> None:
    """The sheet is so many times smaller, units keep their size on it, and all stand where they stood."""
    usual, other = (
        fromstring(ask("draw", position=opening, **more)) for more in ({}, {"marks": marks, "pieces": "wood", "labels": "full"})
    )
    panels = [picture.find(".//*[@data-map]") for picture in (usual, other)]
    widths = [float(panel.get("viewBox", "").split()[2]) for panel in panels if panel is not None]
    assert widths[0] / widths[1] == pytest.approx(marks, rel=1e-3)
    places = [
        {
            unit.get("data-unit"): [float(part) for part in unit.get("transform", "").split("(")[1].split(")")[0].split(",")]
            for unit in picture.iterfind(".//*[@data-unit]")
        }
        for picture in (usual, other)
    ]
    for unit, at in places[0].items():
        assert places[1][unit] == pytest.approx([part / marks for part in at], abs=0.2)
    assert not other.findall(".//*[@class='letters']"), "wooden pieces have no letters"
    assert "Bohemia" in [(one.text or "") + "".join(child.tail or "" for child in one) for one in other.iter()]


def test_labels_can_be_left_out_and_marks_have_a_largest_size(opening: dict[str, Any]) -> None:
    assert 'class="label' not in ask("draw", position=opening, labels="none")
    assert "this is not a question" in ask("draw", position=opening, marks=9)["message"]


def test_a_resolution_is_found_by_its_number_and_not_counted_up_to(monkeypatch: pytest.MonkeyPatch) -> None:
    moves = [(one, other) for ring in map(str.split, RINGS) for one, other in zip(ring, [*ring[1:], ring[0]], strict=True)]
    position = WirePosition({"FRANCE": [f"A {one}" for one, _ in moves]})
    orders = [f"A {one} - {other}" for one, other in moves]
    about: dict[str, object] = {"position": position, "sheet": "\n".join(["FRANCE:", *orders])}
    found = resolutions(position.make_board(), {"FRANCE": orders})
    everyone = list(found)
    assert [found.pick(number) for number in range(found.count)] == everyone
    monkeypatch.delattr(Resolutions, "__iter__")
    for number in (1, 77, 256):
        seen = [one["verdict"] == "succeeds" for one in ask("see", resolution=number, **about)["orders"]]
        assert seen == [everyone[number - 1][decision.index] for decision in found.situation.decisions]
    for number in (257, 2**31 - 1, 10**30):
        told = {"message": f"there is no resolution {number}", "suggestion": "there are 256", "line": None, "column": None}
        assert ask("see", resolution=number, **about) == ask("draw", shows=number, **about) == told


@pytest.mark.parametrize(("order", "plain"), [("A BRE - GAS", "Bounced with A MAR, 1 against 1."), ("A PAR H", "")])
def test_a_bounce_is_explained_in_plain_words_first(order: str, plain: str) -> None:
    about = {
        "position": {"units": {"FRANCE": ["A BRE", "A PAR"], "ITALY": ["A MAR"]}},
        "sheet": "France:\nA BRE - GAS\nA PAR H\nItaly:\nA MAR - GAS",
    }
    assert ask("explain", power="FRANCE", order=order, **about)["plain"] == plain


def test_reasons_are_those_of_the_resolution_that_is_asked_about() -> None:
    def reasons(order: str, **more: object) -> list[str]:
        return [
            one["text"] for one in ask("explain", position=PARADOX, sheet=SHEET, power="FRANCE", order=order, **more)["reasons"]
        ]

    assert reasons("F ENG C A BRE - LON")[0].startswith("disrupted by the Szykman rule")
    assert reasons("F ENG C A BRE - LON", resolution=1) == [
        "dislodged by F WAL - ENG of England, whose attack 2 (itself, F LON) exceeds hold 1 of F ENG (itself)"
    ]
    assert reasons("F ENG C A BRE - LON", resolution=2) == ["no move to ENG succeeds"]
    assert reasons("A BRE - LON", resolution=2) == [
        "it goes by the convoy of F ENG, but attack 1 (itself) does not exceed hold 1 of F LON (itself)"
    ]
    fault = ask("explain", position=PARADOX, sheet=SHEET, power="FRANCE", order="A BRE - LON", resolution=3)
    assert (fault["message"], fault["suggestion"]) == ("there is no resolution 3", "there are 2")
    retreats = {"units": {}, "phase": "S1901R", "dislodged": {"FRANCE": {"A BUR": ["PAR"]}}}
    assert ask("see", position=retreats, resolution=1)["message"] == "only movement phases have resolutions"


@pytest.mark.parametrize("identity", ["6.C.3", "6.F.15", "6.F.16", "6.F.22", "2.4/7.B.17"])
def test_every_order_has_reasons_for_what_it_comes_to_in_every_resolution(identity: str) -> None:
    (case, *_) = open_phases([(find_bundled_case(identity), load_rulebook())])
    about = {"position": case.position, "sheet": case.sheet}
    for number in range(1, ask("judge", **about)["resolutions"] + 1):
        for one in ask("see", resolution=number, **about)["orders"]:
            told = ask("explain", resolution=number, power=one["power"], order=one["order"], **about)
            assert told["verdict"] == one["verdict"]
            assert told["reasons"]
            assert "rule" not in told["text"]


def test_a_canal_is_pressed_where_its_keeper_stands() -> None:
    position = {"units": {"BRITAIN": ["F EGY"], "FRANCE": ["F MED"]}, "map": "colonial", "phase": "S1870M"}
    (canal,) = [one for one in ask("choices", position=position) if one["what"] == "SC"]
    (passing,) = canal["choices"]
    assert (canal["province"], passing["presses"]) == ("EGY", ["MED", "RED"])
    order = {"position": position, "power": "BRITAIN", "what": "SC", "order": passing["order"]}
    once = ask("give", sheet="BRITAIN:\nF EGY H\n", **order)
    assert once == ask("give", sheet=once, **order) == f"BRITAIN:\nF EGY H\n{passing['order']}\n"


def test_orders_to_which_the_rulebook_has_no_answer_are_drawn() -> None:
    rules = {"name": "datc-3", "settings": ["4.A.2=none", "4.A.2.fallback=unresolved"]}
    assert ask("judge", position=PARADOX, sheet=SHEET, rules=rules)["unresolved"]
    assert ask("draw", position=PARADOX, sheet=SHEET, rules=rules).count('data-verdict="unresolved"') > 2


def test_orders_are_written_into_the_sheet(opening: dict[str, Any]) -> None:
    sheet = "# mine\nFRANCE: A PAR - BUR\n\nF BRE - MAO\n"

    def given(power: str, what: str, order: str = "") -> str:
        found: str = ask("give", position=opening, sheet=sheet, power=power, what=what, order=order)
        return found

    assert given("FRANCE", "A PAR", "A PAR - GAS") == "# mine\nFRANCE:\nA PAR - GAS\n\nF BRE - MAO\n"
    assert given("FRANCE", "F BRE") == "# mine\nFRANCE: A PAR - BUR\n\n"
    assert given("FRANCE", "A MAR", "A MAR - SPA") == sheet + "A MAR - SPA\n"
    assert given("ITALY", "A ROM", "A ROM H") == sheet + "\nITALY:\nA ROM H\n"
    sheet = "FRANCE:\nA PAR - BUR\n\nITALY:\nA VEN"  # somebody types its end
    assert given("FRANCE", "A MAR", "A MAR H") == "FRANCE:\nA PAR - BUR\nA MAR H\n\nITALY:\nA VEN"
    assert given("ITALY", "A ROM", "A ROM H") == f"{sheet[:-6]}\nA ROM H\nA VEN"


def test_the_game_goes_on_from_the_outcome_that_is_shown() -> None:
    """Of two orders for one unit the page judges the one that the rulebook has count."""
    position = {"units": {"FRANCE": ["A PAR"]}, "phase": "S1901M"}
    sheet = "FRANCE:\nA PAR - GAS\nA PAR - BUR\n"
    shown = ask("judge", position=position, sheet=sheet)["units"]
    assert shown == ask("next", position=position, sheet=sheet)["position"]["units"] == {"FRANCE": ["A GAS"]}


def test_a_game_goes_on(opening: dict[str, Any]) -> None:
    following = ask("next", position=opening, sheet="FRANCE:\nA PAR - BUR\n")["position"]
    assert (following["phase"], following["units"]["FRANCE"]) == ("F1901M", ["F BRE", "A MAR", "A BUR"])


def test_choices_of_very_many_are_asked_for_one_by_one(opening: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = {one["what"]: one for one in ask("choices", position=opening)}
    monkeypatch.setattr("satjudge.judging.legal_orders.MOST_PROPOSALS", 50)
    found = ask("choices", position=opening)
    assert [one["what"] for one in found] == [*whole]
    for one in found:
        assert one["more"]
        assert one["choices"] == whole[one["what"]]["choices"][:1]
        assert ask("choices", position=opening, of=one["what"]) == [whole[one["what"]]]


def test_choices_are_what_to_press(opening: dict[str, Any]) -> None:
    found = {one["what"]: one["choices"] for one in ask("choices", position=opening)}
    presses = {choice["order"]: choice["presses"] for choice in found["A PAR"]}
    assert presses["A PAR - BUR"] == ["BUR"]
    assert presses["A PAR S A MAR - BUR"] == ["MAR", "BUR"]
    assert presses["A PAR H"] == []


def test_where_units_would_stand_is_where_they_are_drawn() -> None:
    start = ask("start")
    across, down = start["provinces"]["BUD"]["at"]
    assert f'BUD" transform="translate({across:g},{down:g})"' in ask("draw", position=start["position"], shows="before")


@pytest.mark.parametrize(
    "question",
    [
        b"",
        b"[]",
        b'{"ask": "nothing"}',
        b'{"ask": "judge"}',
        b'{"ask": "judge", "position": {"units": {"X": ["A ZZZ"]}}}',
        b'{"ask": "judge", "position": {"units": {}, "map": "/etc/passwd"}}',
        b'{"ask": "judge", "position": {"units": {}, "phase": "X1901M"}}',
        b'{"ask": "judge", "position": {"units": {}}, "rules": {"name": "../../x.toml"}}',
        b'{"ask": "judge", "position": {"units": {"A": ["A PAR"], "B": ["A PAR"]}}}',
        b"\xff",
        b"[" * 100_000,
    ],
)
def test_what_is_no_question_is_told(question: bytes) -> None:
    assert msgspec.json.decode(answer_question(question))["fault"]["message"]


def test_it_judges_as_the_cases_have_it() -> None:
    sheet = find_bundled_case("6.F.14")
    told = ask("judge", position=PARADOX, sheet=SHEET)
    expected = {str(entry.order): entry.expected for entry in sheet.orders}
    assert {one["order"]: one["verdict"] for one in told["orders"]} == expected
