"""Orders to text and back: the two notations are inverses, and what people write besides them is understood."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest
from helpers.crowded_waters import waters
from hypothesis import given
from hypothesis import strategies as st

from satjudge.base.errors import InputError, NotationError
from satjudge.notation import parse
from satjudge.notation.parse import parse_location, parse_order, parse_power, parse_unit
from satjudge.notation.write import format_location, format_prose, format_unit
from satjudge.world import orders as order_module
from satjudge.world.board import Phase, Unit
from satjudge.world.geography import Location, UnitKind, load_map
from satjudge.world.orders import (
    Build,
    Convoy,
    Decline,
    Disband,
    Hold,
    Move,
    Named,
    Order,
    Permission,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    Unreadable,
)

MAP = load_map()
LOCATIONS: list[Location] = sorted(
    {*MAP.provinces, *(location for province in MAP.provinces.values() for location in province.locations), "BRE/EC"}
)


def a(location: Location) -> Named:
    return Named(UnitKind.ARMY, location)


def f(location: Location) -> Named:
    return Named(UnitKind.FLEET, location)


def read(text: str, phase: Phase = Phase.MOVEMENT) -> Order:
    return parse_order(text, MAP, phase)


def fails(text: str, phase: Phase = Phase.MOVEMENT) -> NotationError:
    with pytest.raises(NotationError) as caught:
        read(text, phase)
    return caught.value


# ---- inverses ----

locations = st.sampled_from(LOCATIONS)
units = st.builds(
    Named, st.sampled_from([UnitKind.ARMY, UnitKind.FLEET, None]), locations, st.sampled_from([None, *MAP.powers])
)
crossings = st.sampled_from(["LON NTH NWY", "SPA WES TYS TUS", "BRE ENG NTH SKA SWE", "SMY AEG BUL/EC"]).map(str.split)

MOVEMENT = st.one_of(
    st.builds(Hold, units),
    st.builds(Move, units, locations, st.booleans()),
    st.builds(lambda path, via: Move(a(path[0]), path[-1], via, tuple(path[1:-1])), crossings, st.booleans()),
    st.builds(SupportHold, units, units),
    st.builds(SupportMove, units, units, locations),
    st.builds(Convoy, units, units, locations),
    st.builds(lambda unit, path: Convoy(unit, a(path[0]), path[-1], tuple(path[1:-1])), units, crossings),
)
RETREAT = st.one_of(st.builds(Retreat, units, locations), st.builds(Disband, units))
ADJUSTMENT = st.one_of(st.builds(Build, units), st.builds(Remove, units), st.just(Decline()))
ORDERS = st.one_of(
    st.tuples(MOVEMENT, st.just(Phase.MOVEMENT)),
    st.tuples(RETREAT, st.just(Phase.RETREAT)),
    st.tuples(ADJUSTMENT, st.just(Phase.ADJUSTMENT)),
)


@given(ORDERS)
def test_the_compact_notation_is_read_as_it_is_written(written: tuple[Order, Phase]) -> None:
    order, phase = written
    assert read(str(order), phase) == order


@given(ORDERS)
def test_the_prose_notation_is_read_as_it_is_written(written: tuple[Order, Phase]) -> None:
    order, phase = written
    assert read(format_prose(order, MAP), phase) == order


@given(ORDERS, st.sampled_from([str.upper, str.lower, str.swapcase, str.title]))
def test_capitals_do_not_matter(written: tuple[Order, Phase], change: Callable[[str], str]) -> None:
    order, phase = written
    assert read(change(str(order)), phase) == order
    assert read(change(format_prose(order, MAP)), phase) == order


@given(ORDERS, st.sampled_from(["→", "->", "-", " → ", "  --> ", " – ", "—", " to ", "=>", "−"]))
def test_any_arrow_will_do(written: tuple[Order, Phase], arrow: str) -> None:
    order, phase = written
    assert read(str(order).replace(" - ", arrow), phase) == order
    assert read(format_prose(order, MAP).replace(" - ", arrow), phase) == order


@given(ORDERS)
def test_the_repr_can_be_evaluated_again(written: tuple[Order, Phase]) -> None:
    order, _ = written
    names = {**vars(order_module), "UnitKind": UnitKind}
    assert eval(repr(order), names) == order


@pytest.mark.parametrize("location", LOCATIONS)
def test_every_location_by_code_and_by_name(location: Location) -> None:
    assert parse_location(location, MAP) == location
    assert parse_location(format_location(location, MAP), MAP) == location


@pytest.mark.parametrize("code", MAP.provinces)
def test_every_alias_in_an_order(code: str) -> None:
    """An alias must not eat into the words behind it, nor be cut short by a shorter one."""
    province = MAP.provinces[code]
    for spelling in (province.code, province.name, *province.aliases):
        for text, order in {
            f"A {spelling} - Burgundy": Move(a(code), "BUR"),
            f"A Burgundy - {spelling}": Move(a("BUR"), code),
            f"F {spelling} S A Clyde - {spelling}": SupportMove(f(code), a("CLY"), code),
            f"F {spelling} C A {spelling} - Edinburgh": Convoy(f(code), a(code), "EDI"),
            f"F {spelling} H": Hold(f(code)),
            f"French F {spelling} Supports English A {spelling}": SupportHold(
                Named(UnitKind.FLEET, code, "FRANCE"), Named(UnitKind.ARMY, code, "ENGLAND")
            ),
        }.items():
            assert read(text) == order, text


def test_every_order_type_is_drawn() -> None:
    """The strategies above leave no order type out; what cannot be read is none."""
    drawn = {Hold, Move, SupportHold, SupportMove, Convoy, Retreat, Disband, Build, Remove, Decline}
    by_hand = {Permission}  # below: the standard map has no canal
    assert drawn | by_hand == {
        entry
        for entry in vars(order_module).values()
        if isinstance(entry, type) and entry.__module__ == "satjudge.world.orders" and entry not in (Named, Unreadable)
    }
    assert list(Move.__struct_fields__) == ["unit", "destination", "via_convoy", "route", "railroad"]


@pytest.mark.parametrize(
    ("text", "order", "in_prose"),
    [
        ("A MOS - TSR - VLA", Move(Named(UnitKind.ARMY, "MOS"), "VLA", railroad="TSR"), "A Moscow - TSR - Vladivostok"),
        (
            "a moscow -> tsr -> vladivostok",
            Move(Named(UnitKind.ARMY, "MOS"), "VLA", railroad="TSR"),
            "A Moscow - TSR - Vladivostok",
        ),
        ("SC F MED - RED", Permission("SC", Named(UnitKind.FLEET, "MED"), "RED"), "SC F Mediterranean Sea - Red Sea"),
    ],
)
def test_orders_of_the_colonial_map(text: str, order: Order, in_prose: str) -> None:
    colonial = load_map("colonial")
    assert parse_order(text, colonial) == parse_order(str(order), colonial) == parse_order(in_prose, colonial) == order
    assert format_prose(order, colonial) == in_prose


def test_a_retreat_by_railroad_is_read() -> None:
    """As DATC 2.4, 7.B.32 writes it, without dashes."""
    read = parse_order("A Moscow TSR Vladivostok", load_map("colonial"), Phase.RETREAT)
    assert read == Retreat(Named(UnitKind.ARMY, "MOS"), "VLA", railroad="TSR")
    assert parse_order(str(read), load_map("colonial"), Phase.RETREAT) == read


@pytest.mark.parametrize(
    ("order", "in_compact", "in_prose"),
    [
        (Hold(a("PAR")), "A PAR H", "A Paris Holds"),
        (Move(a("PAR"), "BUR"), "A PAR - BUR", "A Paris - Burgundy"),
        (Move(a("LON"), "BEL", via_convoy=True), "A LON - BEL VIA", "A London - Belgium via convoy"),
        (Move(a("LON"), "NWY", route=("NTH",)), "A LON - NTH - NWY", "A London - North Sea - Norway"),
        (Move(f("MAO"), "SPA/NC"), "F MAO - SPA/NC", "F Mid-Atlantic Ocean - Spain(nc)"),
        (SupportHold(f("BRE"), a("PAR")), "F BRE S A PAR", "F Brest Supports A Paris"),
        (
            SupportMove(f("LON"), f("WAL"), "ENG"),
            "F LON S F WAL - ENG",
            "F London Supports F Wales - English Channel",
        ),
        (
            SupportMove(f("POR"), Named(UnitKind.FLEET, "MAO", "ENGLAND"), "SPA/NC"),
            "F POR S ENGLAND F MAO - SPA/NC",
            "F Portugal Supports English F Mid-Atlantic Ocean - Spain(nc)",
        ),
        (Convoy(f("ENG"), a("LON"), "BRE"), "F ENG C A LON - BRE", "F English Channel Convoys A London - Brest"),
        (Retreat(a("PAR"), "BUR"), "A PAR R BUR", "A Paris - Burgundy"),
        (Disband(a("PAR")), "A PAR D", "Disband A Paris"),
        (Build(f("STP/NC")), "F STP/NC B", "Build F St Petersburg(nc)"),
        (Remove(a("PAR")), "A PAR D", "Disband A Paris"),
        (Decline(), "WAIVE", "Decline"),
    ],
)
def test_how_orders_are_written(order: Order, in_compact: str, in_prose: str) -> None:
    assert str(order) == in_compact
    assert format_prose(order, MAP) == in_prose


def test_how_units_are_written() -> None:
    assert format_unit(Unit("ENGLAND", UnitKind.FLEET, "STP/SC"), MAP) == "F St Petersburg(sc)"
    assert format_unit(Named(None, "PAR", "FRANCE"), MAP) == "French Paris"
    assert format_unit(Named(UnitKind.ARMY, "PAR", "BURGUNDY"), MAP) == "BURGUNDY A Paris"
    assert format_location("XYZ/NC", MAP) == "XYZ(nc)"


# ---- locations, units, powers ----


def test_units() -> None:
    assert parse_unit("F Spain(sc)", "ITALY", MAP) == Unit("ITALY", UnitKind.FLEET, "SPA/SC")
    assert parse_unit("army par", "FRANCE", MAP) == Unit("FRANCE", UnitKind.ARMY, "PAR")


@pytest.mark.parametrize("text", ["France", "FRANCE", "french", " France "])
def test_powers(text: str) -> None:
    assert parse_power(text, MAP) == "FRANCE"
    assert parse_power("Austria-Hungary", MAP) == "AUSTRIA"


# ---- what cannot be read ----


@pytest.mark.parametrize(
    ("text", "column", "message", "suggestion"),
    [
        ("A Pariss - Burgundy", 3, "expected a province, found 'Pariss - Burgundy'", "did you mean Paris (PAR)?"),
        ("A PAR - Burgandy", 9, "expected a province, found 'Burgandy'", "did you mean Burgundy (BUR)?"),
        ("F LON S F Wales - Englsh Channel", 19, "found 'Englsh Channel'", "did you mean English Channel (ENG)?"),
        ("F LON - English Chanel", 9, "found 'English Chanel'", "did you mean English Channel (ENG)?"),
        ("F BRE - Mid-Atlantc", 13, "found 'Atlantc'", "did you mean Mid-Atlantic Ocean (MAO)?"),
        ("A PAR - Constantinopel via convoy", 9, "expected a province", "did you mean Constantinople (CON)?"),
        ("A XYZ H", 3, "expected a province, found 'XYZ H'", None),
        ("A LIV - EDI", 3, "found 'LIV - EDI'", "did you mean Livonia (LVN) or Liverpool (LVP)?"),
        ("F Gulf of - MAR", 3, "found 'Gulf of - MAR'", "did you mean Gulf of Bothnia (BOT) or Gulf of Lyon (LYO)?"),
        ("A PAR - BUR BUR", 13, "expected the end of the order, found 'BUR'", None),
        ("A PAR - BUR now", 13, "expected the end of the order, found 'now'", "if the order counts, write it by itself"),
        ("A PAR - BUR, thanks", 14, "expected the end of the order, found 'thanks'", "if the order counts, write it by itself"),
        ("A PAR - BUR (good luck mate)", 14, "found 'good luck mate)'", "if the order counts, write it by itself"),
        ("A PAR - BUR, never mind", 14, "found 'never mind'", "if the order counts, write it by itself"),
        ("or BUR", 1, "expected a province, found 'or BUR'", None),
        ("All units hold", 1, "expected a province", "write it for each unit: A PAR H"),
        (
            "A YOR - NTH - BEL - NWY",
            13,
            "found '- BEL - NWY'",
            "no army can be convoyed over BEL, which is not a sea: write A YOR - NWY",
        ),
        ("A LVP - NWY via NWG", 17, "found 'NWG'", "write a route's seas in between: A LON - NTH - NWY"),
        ("A PAR H H", 9, "expected the end of the order, found 'H'", None),
        ("WAIVE PAR", 1, "expected a province", None),
        ("", 1, "empty order", None),
        ("   ", 4, "empty order", None),
        ("A PAR", 6, "expected what A PAR is to do, the text ends", "for example A PAR H or A PAR - BRE"),
        ("A PAR or BUR", 7, "expected what A PAR is to do, found 'or BUR'", "for example A PAR H or A PAR - BRE"),
        ("A", 2, "expected a province, the text ends in 'A'", None),
        ("A PAR -", 8, "expected a province, the text ends in 'A PAR -'", None),
        ("A PAR S", 8, "expected a province, the text ends in 'A PAR S'", None),
        ("F ENG C A LON", 14, "expected the destination of the convoyed army", "for example F ENG C A LON - BEL"),
        ("- BUR", 1, "expected a province", None),
        ("Build A", 8, "expected a province, the text ends", None),
    ],
)
def test_unreadable_orders(text: str, column: int, message: str, suggestion: str | None) -> None:
    error = fails(text)
    assert (error.kind, error.column, error.suggestion) == ("notation", column, suggestion)
    assert message in error.message
    assert str(error).startswith(f"column {column}: ")
    assert str(error).endswith(f"({suggestion})") if suggestion else error.message in str(error)


def test_an_order_after_another_one_is_too_much() -> None:
    assert "expected the end of the order" in fails("A PAR - BUR, A MAR - SPA").message


@pytest.mark.parametrize(
    "reader",
    [
        lambda text: parse_order(text, MAP),
        lambda text: parse_location(text, MAP),
        lambda text: parse_unit(text, "FRANCE", MAP),
        lambda text: parse_power(text, MAP),
    ],
    ids=["order", "location", "unit", "power"],
)
@pytest.mark.parametrize("piece", ["a", "A PAR - ", " ", "\N{PILE OF POO}"], ids=["word", "order", "blank", "emoji"])
def test_ten_megabytes_are_refused_at_once(reader: Callable[[str], object], piece: str) -> None:
    text = piece * (10_000_000 // len(piece))
    start = time.process_time()
    with pytest.raises(InputError) as caught:
        reader(text)
    assert time.process_time() - start < 0.5
    assert len(str(caught.value)) < 250


def test_the_longest_order_that_is_read() -> None:
    text = "A PAR - BUR" + " " * 289
    assert read(text) == Move(a("PAR"), "BUR")
    assert "a text of 301 characters is not an order: 'A PAR - BUR" in fails(f"{text} ").message


def test_a_unit_needs_its_kind() -> None:
    with pytest.raises(NotationError) as caught:
        parse_unit("Brest", "FRANCE", MAP)
    assert str(caught.value) == "column 1: is 'Brest' an army or a fleet? Write A BRE or F BRE"


@pytest.mark.parametrize(("text", "column"), [("Spain(sc) holds", 11), ("Burgundy Paris", 10)])
def test_more_than_a_location(text: str, column: int) -> None:
    with pytest.raises(NotationError, match="expected the end of the location") as caught:
        parse_location(text, MAP)
    assert caught.value.column == column
    with pytest.raises(NotationError, match="expected the end of the unit") as caught:
        parse_unit(f"F {text}", "FRANCE", MAP)
    assert caught.value.column == column + 2


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("Germony", "did you mean Germany?"),
        ("Xanadu", "Austria, England, France, Germany, Italy, Russia, Turkey"),
        ("", "Austria, England, France, Germany, Italy, Russia, Turkey"),
    ],
)
def test_unknown_powers(text: str, suggestion: str) -> None:
    with pytest.raises(NotationError, match=f"there is no power '{text}'") as caught:
        parse_power(text, MAP)
    assert (caught.value.column, caught.value.suggestion) == (1, suggestion)


WORDS = [
    "A", "F", "PAR", "BUR", "ENG", "English", "-", "S", "C", "H", "VIA", "R", "D", "B", "WAIVE", "(", ")", "/", "nc",
]  # fmt: skip


@given(st.text(max_size=60) | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Whatever is typed, the answer is an order that is read again as itself, or a NotationError with its column."""
    order: Order | None = None
    column: int | None = 1
    try:
        order = read(text)
    except NotationError as error:
        column = error.column
    assert column is not None
    assert 1 <= column <= len(text) + 1
    if order:
        assert read(str(order)) == order


UNITS = st.builds(lambda kind, place: f"{kind} {place}", st.sampled_from("AF"), st.sampled_from(LOCATIONS))
PLAIN = st.builds(
    lambda unit, other, target, form: form.format(unit=unit, other=other, target=target),
    UNITS,
    UNITS,
    st.sampled_from(LOCATIONS),
    st.sampled_from(
        ["{unit} H", "{unit} - {target}", "{unit} - {target} VIA", "{unit} S {other}", "{unit} S {other} - {target}",
         "{unit} C {other} - {target}", "{unit} D", "{unit} R {target}", "A BRE - ENG - LON"]
    ),
)  # fmt: skip


@given(text=PLAIN, phase=st.sampled_from(Phase))
def test_what_programs_write_is_read_as_what_people_write(text: str, phase: Phase) -> None:
    """There is a short cut for the plainest form of the compact notation; it must not lead elsewhere."""
    short_cut, at_length = parse._parse_compact_order(text, MAP, phase), None
    with suppress(NotationError):  # a unit retreats to one place
        at_length = parse._read_order(parse._Reader(text, MAP), phase)
    assert short_cut in (None, at_length)
    if phase is Phase.MOVEMENT and isinstance(at_length, Hold | Move | SupportHold | SupportMove | Convoy):
        known = "BRE/EC" not in text and text.count(" - ") < 2
        assert (short_cut is not None) is known


def test_codes_of_any_length_are_read_the_quick_way() -> None:
    game_map = waters(Random(1), 3)
    for text in ("A C0 - C1 VIA", "F S01 C A C0 - C1", "F S01 S F S02 - S00", "A C2 H"):
        order = parse._parse_compact_order(text, game_map, Phase.MOVEMENT)
        assert order is not None
        assert order == parse.parse_order(text.lower(), game_map)
    assert parse._parse_compact_order("A C0 - C99", game_map, Phase.MOVEMENT) is None
