"""Lines that move: `prove` against brute force, and what it says of them."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from helpers.playing_out import POWERS, Placed, moving_line_breaks, random_moving_line

from satjudge import Board, Unit, load_rulebook
from satjudge.apps.cli import run
from satjudge.base.errors import InputError
from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.parse import parse_orders
from satjudge.notation.sheet_reader import read_sheets
from satjudge.notation.write import sheet_text
from satjudge.search.lines.alternatives import list_variants
from satjudge.search.lines.line import Line, read_line, read_stated_finding
from satjudge.search.lines.moving_lines import MovingFinding, examine_moving_line
from satjudge.search.task import LineTask
from satjudge.world.board import Season, Turn
from satjudge.world.geography import Map, ProvinceCode, UnitKind, map_from, province_of
from satjudge.world.orders import Move, MovementOrder

RULES = load_rulebook("datc-3")
SHIPPED = {sheet.identity: sheet for sheet in read_collection("lines") if Path(sheet.source_file).stem == "moving"}
CONDITIONS = "without: F Mediterranean, F BLA\n"


def line(text: str) -> Line:
    return read_line(read_sheets(text)[0], RULES)


def line_of(
    places: Sequence[Placed],
    protected: frozenset[ProvinceCode],
    outposts: frozenset[ProvinceCode],
    enemies: int,
    centers: frozenset[ProvinceCode] | None = None,
) -> Line:
    def orders(place: Placed) -> dict[ProvinceCode, MovementOrder]:
        return {unit.province: order for unit, order in place.orders.items()}

    main = places[0]
    behind = protected.difference(main.board.unit_at)
    first = Line(main.board, orders(main), RULES, behind, (), enemies, centers=centers, outposts=outposts)
    return replace(first, then=tuple(first.change_position(place.board, orders(place)) for place in places[1:]))


# Against brute force.


def compare(seed: int, enemies: int) -> MovingFinding:
    """The same verdict as every placement and every order, and as many positions where the line holds."""
    places, protected, outposts = random_moving_line(Random(f"moving {seed}"))
    found = examine_moving_line(line_of(places, protected, outposts, enemies), cheapest=seed % 2 == 0)
    lost, positions = moving_line_breaks(places, protected, outposts, enemies)
    assert found.holds == (lost is None)
    assert not found.holds or len(found.positions) == positions
    return found


@pytest.mark.parametrize("seed", range(1010, 1016))
def test_the_same_verdict_as_every_placement_and_order(seed: int) -> None:
    compare(seed, enemies=2)


@pytest.mark.slow
@pytest.mark.parametrize(("begin", "enemies"), [(0, 2), (50, 2), (100, 2), (1000, 3), (1050, 3), (1100, 3)])
def test_the_same_verdict_of_fifty_lines(begin: int, enemies: int) -> None:
    found = [compare(seed, enemies) for seed in range(begin, begin + 50)]
    assert sum(one.holds for one in found) >= 12
    assert sum(not one.holds for one in found) >= 12
    assert any(one.holds and one.line.outposts for one in found)
    assert max(len(one.positions) for one in found if one.holds) >= 2


def table(by_land: str, by_water: str = "", homes: Sequence[ProvinceCode] = ()) -> dict[str, object]:
    """A map of inland provinces, or of coasts that touch by land or by water: `P-R E-P`."""

    def near(code: ProvinceCode, touching: str) -> list[ProvinceCode]:
        pairs = [pair.split("-") for pair in touching.split()]
        return sorted({other for pair in pairs if code in pair for other in pair} - {code})

    provinces: dict[str, dict[str, object]] = {}
    for code in sorted({*by_land.replace("-", " ").split(), *by_water.replace("-", " ").split()}):
        kind = "coast" if by_water else "inland"
        provinces[code] = {"name": code, "kind": kind, "center": True, "army": near(code, by_land)}
        if by_water:
            provinces[code]["fleet"] = near(code, by_water)
        if code in homes:
            provinces[code]["home"] = POWERS[0]
    names = {power: {"name": power.title(), "adjective": power.title()} for power in POWERS}
    return {"name": "small", "title": "small", "powers": POWERS, "power": names, "province": provinces}


def placed(board: Board, text: str) -> Placed:
    """A position with orders for armies: `A PPP - RRR; A VVV H`."""
    orders = parse_orders(text, board.map)
    given: Mapping[Unit, MovementOrder] = {
        Unit(POWERS[0], UnitKind.ARMY, order.unit.province): order for order in orders if isinstance(order, MovementOrder)
    }
    return Placed(replace(board, units=tuple(given)), given)


def test_an_enemy_that_is_dislodged_may_retreat_to_where_the_line_left() -> None:
    """It cuts the support that kept the army in PPP, and is driven there by its fellows."""
    game_map = map_from(table("PPP-RRR VVV-RRR ONE-RRR TWO-RRR EEE-PPP EEE-TWO FAR-EEE FUR-EEE FAR-FUR"))
    bare = Board((), map=game_map)
    there = placed(bare, "A PPP - RRR; A VVV - RRR; A ONE S A PPP - RRR; A TWO S A VVV - RRR")
    back = placed(bare, "A RRR - PPP; A VVV H; A ONE H; A TWO H")
    other = placed(bare, "A PPP H; A RRR H; A ONE H; A TWO H")
    protected = frozenset({"PPP", "RRR", "VVV", "ONE", "TWO"})
    for enemies, holds in ((2, True), (3, False)):
        found = examine_moving_line(line_of([there, back, other], protected, frozenset(), enemies))
        lost, _ = moving_line_breaks([there, back, other], protected, frozenset(), enemies)
        assert found.holds == (lost is None) == holds
    assert found.becomes == "A EEE is dislodged and may retreat to PPP"


# What is outside.


def reachable(game_map: Map, start: ProvinceCode, shut: Collection[ProvinceCode]) -> set[ProvinceCode]:
    """Where one comes to on the map, not through some provinces."""
    found, edge = {start}, [start]
    for here in edge:
        new = {
            province_of(way)
            for place, ways in (*game_map.army.items(), *game_map.fleet.items())
            if province_of(place) == here
            for way in ways
        }
        edge += sorted(new - found - {*shut})
        found |= new - {*shut}
    return found


def compare_outside(seed: int, enemies: int) -> tuple[MovingFinding, int] | None:
    """The line against all who come from one province outside; and how many parts the map falls into without the line."""
    random = Random(f"outside {seed}")
    (place, *_), _, outposts = random_moving_line(random)
    game_map = place.board.map
    ways = {province_of(order.destination) for order in place.orders.values() if isinstance(order, Move)}
    rooms = ways.union(place.board.unit_at)
    free = sorted(game_map.provinces.keys() - rooms)
    if outposts or not free:
        return None
    outside = random.choice(free)
    open_ = reachable(game_map, outside, rooms)
    text = sheet_text(place.board, {POWERS[0]: [*place.orders.values()]}, notes={"outside": [outside]})
    (sheet,) = read_sheets(text, game_map=game_map)
    read = read_line(sheet, RULES, LineTask(enemies=enemies))
    protected = frozenset(game_map.provinces.keys() - open_)
    assert read.protected_provinces == protected
    found = examine_moving_line(read)
    lost, positions = moving_line_breaks([place], protected, frozenset(), enemies)
    assert found.holds == (lost is None)
    assert not found.holds or len(found.positions) == positions
    return found, len(free) - len(open_)


def test_what_is_outside_against_brute_force() -> None:
    found = [one for seed in range(12) if (one := compare_outside(seed, 2)) is not None]
    assert any(cut_off for _, cut_off in found)


@pytest.mark.slow
def test_what_is_outside_against_brute_force_of_many_lines() -> None:
    found = [one for seed in range(1000, 1150) if (one := compare_outside(seed, 2)) is not None]
    assert sum(one.holds for one, _ in found) >= 12
    assert sum(not one.holds for one, _ in found) >= 12
    assert sum(bool(cut_off) for _, cut_off in found) >= 12


PORTUGAL = "outside: POR\nFrance:\n  F MAO H\n  A {} - SPA\n"


def test_a_line_that_moves_keeps_all_but_what_is_outside() -> None:
    """With as few units as the only two that stand still (`line:fewest-33`), in other provinces."""
    moving = line(PORTUGAL.format("GAS"))
    assert moving.board.map.provinces.keys() - moving.protected_provinces == {"POR"}
    assert examine_moving_line(moving).holds
    still = line("outside: POR\nFrance:\n  F MAO H\n  A SPA H\n")
    assert still.protected_provinces == moving.protected_provinces
    assert (
        "POR" in line(PORTUGAL.format("GAS").replace("outside: POR\n", "")).protected_provinces
    )  # cut off from the largest part


@pytest.mark.parametrize(
    ("outside", "options", "message"),
    [
        ("SPA", (), "SPA cannot be outside: the line protects the provinces where its units stand or move"),
        ("POR, GAS", (), "GAS cannot be outside: the line protects the provinces where its units stand or move"),
        ("POR\nbehind: ROM", (), "behind: and outside: both set the protected provinces"),
        ("POR", ("--behind", "ROM", "--outside", "POR"), "--behind and --outside both set the protected provinces"),
        ("POR", ("--outside", "MAO"), "--outside: MAO cannot be outside"),
        ("POR\noutposts: GAS", ("--outside", "GAS"), "GAS cannot be listed as outside: outposts are not protected anyway"),
    ],
)
def test_what_cannot_be_outside(
    outside: str, options: Sequence[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (sheet := tmp_path / "line.txt").write_text(PORTUGAL.format("GAS").replace("outside: POR", f"outside: {outside}"))
    assert run(["prove", str(sheet), *options]) == 2
    assert message in capsys.readouterr().err


def test_options_go_before_what_the_sheet_says_of_what_is_outside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (sheet := tmp_path / "line.txt").write_text("finding: holds\n" + PORTUGAL.format("GAS"))
    said = []
    for options in ((), ("--outside", "MUN"), ("--behind", "ROM")):
        assert run(["prove", str(sheet), "--json", "--save", str(tmp_path / "saved"), *options]) == (1 if options else 0)
        said.append(json.loads(capsys.readouterr().out)["cases"][0])
    assert [case["reached"] for case in said] == [["SPA"]] * 3
    assert [len(case["behind"]) for case in said] == [72, 2, 2]  # SPA is among them
    assert run(["prove", str(tmp_path / "saved" / "line.txt")]) == 0


# Lines that are shipped.


@pytest.mark.parametrize("identity", sorted(SHIPPED.keys() - {"lipton-dynamic"}))
def test_a_shipped_line_is_what_its_sheet_says(identity: str) -> None:
    found = examine_moving_line(read_line(SHIPPED[identity], RULES))
    assert found.holds == (read_stated_finding(SHIPPED[identity]) == "holds")


def test_liptons_dynamic_line_comes_to_just_the_positions_that_he_says() -> None:
    """A unit that arrives stays; of the moves to SPA and NAF one succeeds, as one fleet in MAO cannot stop both."""
    found = examine_moving_line(read_line(SHIPPED["lipton-dynamic"], RULES))
    assert found.holds
    fleet, army = {"LYO", "SPA"}, {"TUN", "NAF"}
    places = [frozenset(one.line.board.unit_at) for one in found.positions]
    assert len(set(places)) == 13 == 1 + 3 * 2 * 2
    assert [place for place in places if place >= {"LYO", "TUN"}] == [frozenset({"POR", "WES", "LYO", "TUN", "SMY", "SYR"})]
    assert all(len(place & fleet) == len(place & army) == 1 for place in places)


def test_what_an_enemy_supports_is_a_position_too() -> None:
    """Foreign support ends a self-standoff: each of the two armies may come to CON."""
    found = examine_moving_line(read_line(SHIPPED["self-standoff"], RULES))
    assert {frozenset(one.line.board.unit_at) for one in found.positions} == {
        frozenset({"SMY", "ANK", "ARM"}),
        frozenset({"SMY", "CON", "ARM"}),
        frozenset({"CON", "ANK", "ARM"}),
    }
    alone = "behind: CON SYR\nenemies: 0\n" + CONDITIONS + "Turkey:\n  A SMY - CON\n  A ANK - CON\n  A ARM H\n"
    assert len(examine_moving_line(line(alone)).positions) == 1


def test_a_rotation_is_one_position_as_units_of_one_kind_are_alike() -> None:
    found = examine_moving_line(read_line(SHIPPED["rotation"], RULES))
    assert [one.name for one in found.positions] == ["1"]
    mixed = "behind: SYR\n" + CONDITIONS + "Turkey:\n  F SMY - CON\n  A CON - ANK\n  A ANK - SMY\n  A ARM H\n"
    assert len(examine_moving_line(line(mixed)).positions) > 1


def test_a_unit_that_is_lost_may_be_built_again() -> None:
    found = examine_moving_line(read_line(SHIPPED["rebuild"], RULES))
    assert [len(one.line.board.units) for one in found.positions] == [3, 3, 2, 3]


@pytest.mark.parametrize(("owned", "home"), [("CCC HHH", "CCC"), ("CCC HHH", "HHH"), ("CCC OOO", "CCC")])
def test_builds_against_every_placement_and_order(owned: str, home: str) -> None:
    """The army in OOO cannot retreat to CCC, but fleets that have dislodged it can go there."""
    game_map = map_from(table("CCC-HHH", "OOO-ONE OOO-TWO OOO-CCC", homes=(home,)))
    spring, bare = Turn(1901, Season.SPRING), Board((), map=game_map)
    fall = spring.next_turn
    places = [
        placed(replace(bare, turn=fall), "A OOO H; A CCC - HHH"),
        placed(replace(bare, turn=spring), "A OOO H; A HHH - CCC"),
        placed(replace(bare, turn=fall), "A CCC H"),
        placed(bare, "A CCC H; A HHH H"),
    ]
    protected, outposts, centers = frozenset({"CCC", "HHH"}), frozenset({"OOO"}), frozenset(owned.split())
    found = examine_moving_line(line_of(places, protected, outposts, 2, centers))
    breaks, positions = moving_line_breaks(places, protected, outposts, 2, centers & protected)
    assert found.holds == (breaks is None) == (owned == "CCC HHH" and home == "CCC")
    assert not found.holds or len(found.positions) == positions == 5  # the third in Spring, too


# Against whom.


def test_given_enemies_are_as_many_and_where_they_can_have_moved() -> None:
    text = "behind: none\nenemies: {}\nGermany:\n  A MUN H\n  A BER S A MUN\n"
    assert line(text.format("A SIL, A BUR, F BLA")).enemies == 3
    against = line(text.format("A SIL, A BUR, F BLA"))
    assert ("F", "AEG") in against.enemy_units
    assert ("F", "BAL") in against.enemy_units  # by sea
    lake = line("behind: CON\nenemies: A SIL, F BLA\nTurkey:\n  A BUL H\n  A CON H\n  A ANK H\n")
    assert ("F", "AEG") not in lake.enemy_units
    assert {limit.most for limit in lake.limits} == {1}
    assert line(text.format("2")).enemies == 2


def test_two_armies_hold_against_two_fleets_but_not_two_armies(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "line.txt"
    text = "behind: none\nenemies: {}\nGermany:\n  A MUN H\n  A TYR S A MUN\n"
    file.write_text(text.format("F NTH, F SKA"))
    assert run(["prove", str(file)]) == 0
    assert "they are given" in " ".join(capsys.readouterr().out.split())
    file.write_text(text.format("A SIL, A BUR"))
    assert run(["prove", str(file)]) == 1
    with pytest.raises(InputError, match="the enemy A MUN"):
        line(text.format("A MUN"))


# What it says.


def test_the_command_shows_the_position_the_orders_and_what_becomes_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prove", "line:lipton-dynamic"]) == 0
    assert (
        "6 units protect 11 provinces; they move to ARM, CON, NAF, SPA, which are protected as well; behind them: ANK."
        in " ".join(capsys.readouterr().out.split())
    )
    assert run(["prove", "line:rotation-open"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Breaks: in position 1, with 1 enemy, an enemy enters SYR" in said
    assert run(["prove", "line:retreat-contested", "--json", "--redundant"]) == 0
    (case,) = json.loads(capsys.readouterr().out)["cases"]
    assert case["attack"]["position"] == "1"
    assert case["attack"]["becomes"].startswith("A SEV is dislodged, and the line has no orders")
    assert case["outposts"] == ["SEV"]
    assert [one["season"] for one in case["positions"]] == [None, None]
    assert "--redundant is not available for a line that moves" in case["remarks"]
    assert run(["prove", "line:self-standoff"]) == 0
    assert "(after A SMY - CON)" in capsys.readouterr().out


def test_what_was_saved_is_read_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("rebuild", "retreat-contested"):
        assert run(["prove", f"line:{name}", "--save", str(tmp_path)]) == 0
        assert run(["prove", str(tmp_path / f"{name}.txt")]) == 0
    assert run(["check", str(tmp_path / "retreat-contested-attack.txt")]) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("outposts: BUR\nFrance:\n  A PAR - BUR\n  A BUR H", None),
        ("outposts: BUR\nFrance:\n  A PAR - BUR", "A PAR - BUR goes to a province that enemies may occupy"),
        ("then: A PAR - BUR\nFrance: A PAR H\n", None),
        ("then: A PAR H\nFrance: A PAR - BUR\n", "positions 1 and 2 have the same"),
        ("then: A PAR - XYZ\nFrance: A PAR H", "sheet:1:.*expected"),
        ("then: sprng: A PAR H\nFrance: A GAS H", "sheet:1:7: there is no season 'sprng'"),
        ("then: A PAR H\nFrance: A GAS H\nItaly: A PIE H", "need a line of one power"),
        ("France:\n  A PAR H\n  A GAS S A PAR - BUR", "A GAS S A PAR - BUR supports nothing here"),
        ("enemies: A XYZ\nFrance: A PAR - BUR", "sheet:1:.*expected"),
        ("enemies: F BUR\nFrance: A PAR H", "sheet:1:10: "),
    ],
)
def test_what_is_no_line_that_moves(text: str, message: str | None) -> None:
    if message is None and "then" not in text:
        assert line(text).is_moving
        return
    with pytest.raises(InputError, match=message or "positions 1 and 2 have the same"):
        examine_moving_line(line(text))


def test_a_rulebook_under_which_enemies_convoy_armies_of_the_line_is_refused() -> None:
    sheet = SHIPPED["rotation"]
    assert examine_moving_line(read_line(sheet, load_rulebook("2000"))).holds
    with pytest.raises(InputError, match="enemies may convoy"):
        examine_moving_line(read_line(sheet, load_rulebook("1982")))


def test_a_unit_of_either_kind_is_no_question_where_units_move() -> None:
    with pytest.raises(InputError, match="a line that moves cannot have alternative units"):
        list_variants(read_sheets("France:\n  U BRE - PIC\n")[0])
