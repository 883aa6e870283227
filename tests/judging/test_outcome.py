"""A resolution as players see it, on positions beyond the DATC's: contested provinces, retreats, the next board."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Mapping

import pytest
from helpers.boards import split

from satjudge.base.errors import InputError, NotationError
from satjudge.explain.phases import explanations
from satjudge.judging.judge import judge, judge_phase, resolutions
from satjudge.judging.outcome import Outcome
from satjudge.judging.retreats import RetreatOutcome
from satjudge.notation.bundled_cases import find_bundled_case
from satjudge.notation.parse import parse_unit
from satjudge.world.board import Board, DislodgedUnit, Phase, Unit, by_power, starting_board
from satjudge.world.geography import load_map
from satjudge.world.rules import load_rulebook

MAP = load_map()


def played(units: Mapping[str, str], orders: Mapping[str, str], centers: Mapping[str, str] | None = None) -> Outcome:
    """Units and orders of each power, divided by commas."""
    pieces = [parse_unit(unit, power, MAP) for power, text in units.items() for unit in split(text)]
    board = Board(tuple(pieces), centers=dict(centers or {}))
    return judge(board, {power: split(text) for power, text in orders.items()})


def retreats(outcome: Outcome) -> dict[str, str]:
    """For each dislodged unit its retreats, divided by blanks."""
    return {str(entry.unit): " ".join(entry.retreats) for entry in outcome.dislodgements.values()}


def test_fleets_that_make_no_route_are_asked_whether_they_convoy() -> None:
    """North Sea alone leads from Edinburgh nowhere near Liverpool; under this setting it is asked all the same (4.A.3)."""
    orders = ["A EDI - LVP VIA", "A LVP - EDI", "F NTH C A EDI - LVP", "F ENG H", "F IRI H"]
    board = Board(tuple(parse_unit(order[:5], "ENGLAND", MAP) for order in orders))
    outcome = judge(board, {"ENGLAND": orders}, rulebook=load_rulebook("datc-3").with_settings(["4.A.3.fallback=disrupted"]))
    assert outcome.results == {"ENGLAND": ["fails", "fails", "available", "stands", "stands"]}


# ---- where a dislodged unit may go ----


def test_not_where_the_attacker_came_from() -> None:
    outcome = played(
        {"GERMANY": "A MUN, A RUH", "FRANCE": "A BUR"},
        {"GERMANY": "A MUN - BUR, A RUH S A MUN - BUR", "FRANCE": "A BUR H"},
    )
    assert outcome.results == {"GERMANY": ["succeeds", "given"], "FRANCE": ["dislodged"]}
    assert retreats(outcome) == {"A BUR": "BEL GAS MAR PAR PIC"}
    assert str(outcome.dislodgements["BUR"].attacker) == "A MUN"


def test_not_where_the_attacker_came_from_even_on_another_coast() -> None:
    """6.H.15: the attacker's province is barred, not only the coast it left from."""
    outcome = played(
        {"ITALY": "F SPA/NC, F WES", "FRANCE": "F MAO"},
        {"ITALY": "F SPA/NC - MAO, F WES S F SPA/NC - MAO"},
    )
    assert retreats(outcome) == {"F MAO": "BRE ENG GAS IRI NAF NAO POR"}


def test_to_the_origin_of_a_convoyed_attacker() -> None:
    """4.A.5, 6.H.11: an army that came by convoy did not pass the border that it left open."""
    units = {"FRANCE": "A PIC, A BUR, F ENG", "ENGLAND": "A BEL"}
    by_convoy = played(units, {"FRANCE": "A PIC - BEL VIA, A BUR S A PIC - BEL, F ENG C A PIC - BEL"})
    assert retreats(by_convoy) == {"A BEL": "HOL PIC RUH"}
    by_land = played(units, {"FRANCE": "A PIC - BEL, A BUR S A PIC - BEL"})
    assert retreats(by_land) == {"A BEL": "HOL RUH"}


def test_not_to_the_origin_of_a_convoyed_attacker_that_is_occupied_again() -> None:
    outcome = played(
        {"FRANCE": "A PIC, A BUR, F ENG, A PAR", "ENGLAND": "A BEL"},
        {"FRANCE": "A PIC - BEL VIA, A BUR S A PIC - BEL, F ENG C A PIC - BEL, A PAR - PIC"},
    )
    assert retreats(outcome) == {"A BEL": "HOL RUH"}


def test_an_attacker_from_overseas_bars_nothing() -> None:
    outcome = played(
        {"FRANCE": "A LON, A BUR, F ENG", "ENGLAND": "A BEL"},
        {"FRANCE": "A LON - BEL, A BUR S A LON - BEL, F ENG C A LON - BEL"},
    )
    assert retreats(outcome) == {"A BEL": "HOL PIC RUH"}


def test_not_to_a_contested_province() -> None:
    """6.H.6: two armies that bounced in Marseilles leave it empty, and closed."""
    outcome = played(
        {"GERMANY": "A MUN, A RUH", "FRANCE": "A BUR, A GAS", "ITALY": "A PIE"},
        {"GERMANY": "A MUN - BUR, A RUH S A MUN - BUR", "FRANCE": "A GAS - MAR", "ITALY": "A PIE - MAR"},
    )
    assert outcome.contested == {"MAR"}
    assert retreats(outcome) == {"A BUR": "BEL PAR PIC"}


def test_to_a_province_that_its_unit_leaves() -> None:
    outcome = played(
        {"GERMANY": "A MUN, A RUH", "FRANCE": "A BUR, A PAR"},
        {"GERMANY": "A MUN - BUR, A RUH S A MUN - BUR", "FRANCE": "A PAR - BRE"},
    )
    assert retreats(outcome) == {"A BUR": "BEL GAS MAR PAR PIC"}


def test_not_to_a_province_where_a_unit_arrives_or_stays() -> None:
    outcome = played(
        {"GERMANY": "A MUN, A RUH, A HOL", "FRANCE": "A BUR, A PAR, A MAR"},
        {"GERMANY": "A MUN - BUR, A RUH S A MUN - BUR, A HOL - BEL", "FRANCE": "A PAR - PIC"},
    )
    assert retreats(outcome) == {"A BUR": "GAS PAR"}


def test_not_where_a_dislodged_unit_stood() -> None:
    """Both are driven out, and neither can go to the other's province, where the attacker now is."""
    outcome = played(
        {"GERMANY": "A MUN, A RUH, A BRE, A PIC", "FRANCE": "A BUR, A PAR"},
        {"GERMANY": "A MUN - BUR, A RUH S A MUN - BUR, A BRE - PAR, A PIC S A BRE - PAR"},
    )
    assert retreats(outcome) == {"A BUR": "BEL GAS MAR", "A PAR": "GAS"}


def test_a_fleet_is_offered_each_coast() -> None:
    outcome = played({"TURKEY": "F CON", "RUSSIA": "A SMY, A ANK"}, {"RUSSIA": "A SMY - CON, A ANK S A SMY - CON"})
    assert retreats(outcome) == {"F CON": "AEG BLA BUL/EC BUL/SC"}
    assert list(outcome.next_board.dislodged[0].retreats) == ["AEG", "BLA", "BUL/EC", "BUL/SC"]


def test_a_fleet_retreats_from_the_coast_that_it_is_on() -> None:
    units = {"FRANCE": "A GAS, A MAR"}
    orders = {"FRANCE": "A GAS - SPA, A MAR S A GAS - SPA"}
    assert retreats(played({**units, "ITALY": "F SPA/SC"}, orders)) == {"F SPA/SC": "LYO MAO POR WES"}
    assert retreats(played({**units, "ITALY": "F SPA/NC"}, orders)) == {"F SPA/NC": "MAO POR"}


# ---- contested provinces (6.F.7, 6.H.6, 6.H.9) ----


def test_a_province_is_not_contested_by_a_move_without_a_path() -> None:
    """A convoy that is disrupted prevents nothing (5.B.6)."""
    outcome = played(
        {"FRANCE": "A BRE, F ENG", "ENGLAND": "F LON, F NTH, A BEL", "GERMANY": "A HOL, A RUH"},
        {
            "FRANCE": "A BRE - WAL, F ENG C A BRE - WAL",
            "ENGLAND": "F LON - ENG, F NTH S F LON - ENG, A BEL H",
        },
    )
    assert outcome.results["FRANCE"] == ["fails", "disrupted, dislodged"]
    assert outcome.contested == frozenset()


def test_a_unit_dislodged_head_to_head_contests_nothing_behind_its_attacker() -> None:
    """PREVENT is 0 for the loser of a head-to-head battle (4.A.7 b, 5.B.6), so Vienna may follow into Tyrolia."""
    outcome = played(
        {"ITALY": "A TYR, A BOH", "GERMANY": "A MUN", "AUSTRIA": "A VIE"},
        {"ITALY": "A TYR - MUN, A BOH S A TYR - MUN", "GERMANY": "A MUN - TYR", "AUSTRIA": "A VIE - TYR"},
    )
    assert outcome.results == {
        "ITALY": ["succeeds", "given"],
        "GERMANY": ["fails, dislodged"],
        "AUSTRIA": ["succeeds"],
    }
    assert outcome.contested == frozenset()


def test_a_unit_dislodged_by_a_third_contests_where_it_meant_to_go() -> None:
    """It lost no head-to-head battle, so its attack still counts (4.A.7 b), and Tyrolia is closed to it as well."""
    outcome = played(
        {"FRANCE": "A BUR, A RUH", "GERMANY": "A MUN", "AUSTRIA": "A VIE"},
        {"FRANCE": "A BUR - MUN, A RUH S A BUR - MUN", "GERMANY": "A MUN - TYR", "AUSTRIA": "A VIE - TYR"},
    )
    assert outcome.results == {
        "FRANCE": ["succeeds", "given"],
        "GERMANY": ["fails, dislodged"],
        "AUSTRIA": ["fails"],
    }
    assert outcome.contested == {"TYR"}
    assert retreats(outcome) == {"A MUN": "BER BOH KIE SIL"}


def test_a_beleaguered_garrison_stands_in_a_contested_province() -> None:
    outcome = played(
        {"FRANCE": "A PAR, A MAR", "GERMANY": "A MUN, A RUH", "ITALY": "A BUR"},
        {"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR", "GERMANY": "A MUN - BUR, A RUH S A MUN - BUR"},
    )
    assert outcome.contested == {"BUR"}
    assert outcome.dislodgements == {}
    assert outcome.results == {"FRANCE": ["fails", "given"], "GERMANY": ["fails", "given"]}


# ---- verdicts (4.E.2) ----


@pytest.mark.parametrize(
    ("units", "orders", "results"),
    [
        # a destroyed unit has no retreat
        (
            {"FRANCE": "A TUN, F TYS, F ION", "TURKEY": "F NAF, F WES"},
            {"TURKEY": "F WES - TUN, F NAF S F WES - TUN", "FRANCE": "A TUN H"},
            {"TURKEY": ["succeeds", "given"], "FRANCE": ["destroyed"]},
        ),
        # the fate of a unit whose orders are all illegal stands behind each of them (6.A.5)
        (
            {"FRANCE": "A BUR", "GERMANY": "A MUN, A RUH"},
            {"FRANCE": "A BUR - TYR, A BUR - LON", "GERMANY": "A MUN - BUR, A RUH S A MUN - BUR"},
            {"FRANCE": ["illegal, dislodged", "illegal, dislodged"], "GERMANY": ["succeeds", "given"]},
        ),
        # … but only behind the legal one, if there is one (4.D.3)
        (
            {"FRANCE": "A BUR", "GERMANY": "A MUN, A RUH"},
            {"FRANCE": "A BUR - TYR, A BUR H, A BUR - PAR", "GERMANY": "A MUN - BUR, A RUH S A MUN - BUR"},
            {"FRANCE": ["illegal", "dislodged", "illegal"], "GERMANY": ["succeeds", "given"]},
        ),
        # or behind each line that says the same (4.D.3)
        (
            {"FRANCE": "A BUR", "GERMANY": "A MUN, A RUH"},
            {"FRANCE": "A BUR H, BUR stands", "GERMANY": "A MUN - BUR, A RUH S A MUN - BUR"},
            {"FRANCE": ["dislodged", "dislodged"], "GERMANY": ["succeeds", "given"]},
        ),
        # an order for somebody else's unit has nothing to do with what becomes of it (6.A.6)
        (
            {"FRANCE": "A BUR", "GERMANY": "A MUN, A RUH"},
            {"ITALY": "A BUR H, A VEN H", "GERMANY": "A MUN - BUR, A RUH S A MUN - BUR"},
            {"ITALY": ["illegal", "illegal"], "GERMANY": ["succeeds", "given"]},
        ),
        # a support that matches nothing is invalid, and what does not match is dislodged all the same
        (
            {"FRANCE": "A BUR, A PAR", "GERMANY": "A MUN, A RUH"},
            {"FRANCE": "A BUR S A PAR - GAS, A PAR - BRE", "GERMANY": "A MUN - BUR, A RUH S A MUN - BUR"},
            {"FRANCE": ["invalid, dislodged", "succeeds"], "GERMANY": ["succeeds", "given"]},
        ),
        # a hold support of a unit that is ordered to move is invalid, even though the move fails (6.D.7)
        (
            {"FRANCE": "A BUR, A PAR", "GERMANY": "A MUN"},
            {"FRANCE": "A BUR S A PAR, A PAR - BRE", "GERMANY": "A MUN S A BUR"},
            {"FRANCE": ["invalid", "succeeds"], "GERMANY": ["given"]},
        ),
        # a convoy that no army asks for is invalid; an army for which no chain is ordered has an invalid order
        (
            {"FRANCE": "F ENG, F NTH, A LON, A PIC"},
            {"FRANCE": "F ENG C A PIC - LON, A LON - NWY, A PIC H"},
            {"FRANCE": ["invalid", "invalid", "stands"]},
        ),
        # an army whose chain is ordered and disrupted fails; the other fleet of the chain is available
        (
            {"FRANCE": "F ENG, F MAO, A LON", "ENGLAND": "F WAL, F IRI"},
            {
                "FRANCE": "A LON - POR, F ENG C A LON - POR, F MAO C A LON - POR",
                "ENGLAND": "F WAL - ENG, F IRI S F WAL - ENG",
            },
            {"FRANCE": ["fails", "disrupted, dislodged", "available"], "ENGLAND": ["succeeds", "given"]},
        ),
        # a power that gave no orders has none to judge
        ({"FRANCE": "A PAR"}, {"FRANCE": ""}, {"FRANCE": []}),
        ({"FRANCE": "A PAR"}, {}, {}),
    ],
)  # fmt: skip
def test_verdicts(units: Mapping[str, str], orders: Mapping[str, str], results: Mapping[str, list[str]]) -> None:
    assert played(units, orders).results == results


# ---- the board afterwards ----


def test_the_next_board() -> None:
    outcome = played(
        {"FRANCE": "F GAS, A BUR", "GERMANY": "A MUN, A RUH", "ITALY": "A ROM"},
        {"FRANCE": "F GAS - SPA", "GERMANY": "A MUN - BUR, A RUH S A MUN - BUR"},
        centers={"PAR": "FRANCE"},
    )
    assert by_power(outcome.units) == {"FRANCE": ["F SPA/NC"], "GERMANY": ["A BUR", "A RUH"], "ITALY": ["A ROM"]}
    after = outcome.next_board
    assert after.phase is Phase.RETREAT
    assert after.units == outcome.units
    assert after.centers == {"PAR": "FRANCE"}
    (lost,) = after.dislodged
    assert (str(lost.unit), lost.unit.power, lost.attacker_origin) == ("A BUR", "FRANCE", "MUN")
    assert lost.retreats == ("BEL", "GAS", "MAR", "PAR", "PIC")
    assert after.problems() == []


# ---- how orders are handed in ----


@pytest.mark.parametrize("name", ["FRANCE", "France", "french", " France "])
def test_a_power_may_be_spelled_in_any_way(name: str) -> None:
    outcome = judge(starting_board(), {name: ["A PAR - BUR"]})
    assert outcome.results == {"FRANCE": ["succeeds"]}
    assert judge_phase(outcome.next_board, {name: ["A BUR H"]}).results == {"FRANCE": ["stands"]}
    assert len(resolutions(starting_board(), {name: ["A PAR - BUR"]})) == 1


def test_orders_of_a_power_that_is_not_there() -> None:
    for name in ("FRANC", "Frnace"):
        with pytest.raises(NotationError) as caught:
            judge(starting_board(), {name: ["A PAR - BUR"]})
        assert str(caught.value) == f"there is no power {name!r} (did you mean France?)"
    with pytest.raises(InputError, match=r"no power 'Rome' \(Austria, England, France"):
        judge(starting_board(), {"Rome": []})


def test_a_power_of_the_board_need_not_be_on_the_map() -> None:
    units = parse_unit("A ROM", "Rome", MAP), parse_unit("A TUN", "Carthage", MAP)
    assert judge(Board(units), {"Rome": ["A ROM - NAP"]}).results == {"Rome": ["succeeds"]}
    waiting = Board((), (DislodgedUnit(units[1], ("NAF",)),), phase=Phase.RETREAT)
    assert judge_phase(waiting, {"Carthage": ["A TUN R NAF"]}).results == {"Carthage": ["succeeds"]}
    owned = Board((), centers={"TUN": "Carthage"}, phase=Phase.ADJUSTMENT)
    assert judge_phase(owned, {"Carthage": ["A TUN B"]}).results == {"Carthage": ["illegal"]}  # no home


@pytest.mark.parametrize(
    ("orders", "told"),
    [
        (None, r'not as None \(write {"FRANCE"'),
        (["A PAR - BUR"], r"not as \['A PAR - BUR'\]"),
        ("A PAR - BUR", "not as 'A PAR - BUR'"),
        ({"FRANCE": None}, r"the orders of FRANCE must be a list \(write \[\]"),
        ({"France": "A PAR - BUR"}, r"the orders of FRANCE must be a list \(write \['A PAR - BUR'\]\)"),
        ({"FRANCE": [None]}, "None is not an order"),
        ({"FRANCE": ["A PAR H"], "France": ["A MAR H"]}, "FRANCE has orders under two names, one of them 'France'"),
    ],
)
def test_what_are_no_orders_by_power(orders: object, told: str) -> None:
    for judging in (judge, judge_phase, resolutions):
        with pytest.raises(NotationError, match=told):
            judging(starting_board(), orders)  # type: ignore[arg-type]


def test_units_move_to_the_coast_they_are_ordered_to() -> None:
    outcome = played({"FRANCE": "F MAO", "ITALY": "A GRE"}, {"FRANCE": "F MAO - SPA/SC", "ITALY": "A GRE - BUL"})
    assert by_power(outcome.units) == {"FRANCE": ["F SPA/SC"], "ITALY": ["A BUL"]}
    assert outcome.next_board.phase is Phase.MOVEMENT


def test_there_is_no_retreat_phase_where_every_dislodged_unit_is_destroyed() -> None:
    outcome = played(
        {"FRANCE": "A TUN, F TYS, F ION", "TURKEY": "F NAF, F WES"},
        {"TURKEY": "F WES - TUN, F NAF S F WES - TUN"},
    )
    assert retreats(outcome) == {"A TUN": ""}
    assert outcome.dislodgements["TUN"].fate == "destroyed"
    assert outcome.next_board.phase is Phase.MOVEMENT
    assert by_power(outcome.units) == {"FRANCE": ["F TYS", "F ION"], "TURKEY": ["F NAF", "F TUN"]}


def test_a_quiet_spring() -> None:
    board = starting_board()
    outcome = judge(board, {"FRANCE": ["A PAR - BUR"], "RUSSIA": ["F STP/SC - BOT"]})
    moved = {"A PAR": Unit("FRANCE", board.unit_at["PAR"].kind, "BUR"), "F STP/SC": "F BOT"}
    assert [str(unit) for unit in outcome.units] == [str(moved.get(str(unit), unit)) for unit in board.units]
    assert outcome.next_board.centers == board.centers
    assert list(outcome.successful_moves) == ["PAR", "STP"]


# ---- what rulebooks say of badly named units, and of powers that give no orders ----


@pytest.mark.parametrize(
    ("unit", "order", "setting"),
    [
        ("F SPA/NC", "F SPA/SC - WES", "4.B.5=illegal"),
        ("F SPA/NC", "SPA - GAS", "4.C.1=illegal"),
        ("F SPA/NC", "A SPA - GAS", "4.C.2=illegal"),
    ],
)
@pytest.mark.parametrize("others", ["4.E.1=ignored", "4.E.1=hold"])
def test_an_order_that_names_its_unit_badly_tells_that_the_unit_is_dislodged(
    unit: str, order: str, setting: str, others: str
) -> None:
    """4.E.2; and the unit takes support: “The order is invalid (the unit can receive hold support)” (DATC 2.4, 4.C.1 a)."""
    units = {"FRANCE": unit, "ITALY": "A MAR, A GAS", "ENGLAND": "A POR"}
    pieces = tuple(parse_unit(text, power, MAP) for power, texts in units.items() for text in split(texts))
    rules = load_rulebook().with_settings([setting, others])
    orders = {"FRANCE": [order], "ITALY": ["A MAR - SPA", "A GAS S A MAR - SPA"]}
    assert judge(Board(pieces), orders, rulebook=rules).results["FRANCE"] == ["illegal, dislodged"]
    defended = judge(Board(pieces), {**orders, "ENGLAND": [f"A POR S {unit}"]}, rulebook=rules)
    assert (defended.results["FRANCE"], defended.results["ENGLAND"]) == (["illegal"], ["given"])


@pytest.mark.parametrize("rulebook", ["1971", "1982"])
def test_dislodged_units_of_a_power_without_orders_are_disbanded(rulebook: str) -> None:
    """XIV.3: “If they are dislodged, they are disbanded.” A power that ordered anything may retreat all its units."""
    units = {"ITALY": "A VEN, A ROM", "AUSTRIA": "A TYR, A TRI"}
    board = Board(tuple(parse_unit(text, power, MAP) for power, texts in units.items() for text in split(texts)))
    attack = ["A TYR - VEN", "A TRI S A TYR - VEN"]
    for given, fate in (({}, "destroyed"), ({"ITALY": []}, "destroyed"), ({"ITALY": ["A ROM H"]}, "dislodged")):
        outcome = judge(board, {"AUSTRIA": attack, **given}, rulebook=rulebook)
        assert outcome.dislodgements["VEN"].fate == fate
    lost = judge(board, {"AUSTRIA": attack}, rulebook=rulebook)
    retreated = judge_phase(lost.retreat_board, {"ITALY": ["A VEN - APU"]}, rulebook=rulebook)
    assert isinstance(retreated, RetreatOutcome)
    assert retreated.reasons == {"ITALY": ["A VEN is disbanded: Italy gave no orders (4.D.9.retreats)"]}
    (told,) = (one for one in explanations(lost) if one.order == "A VEN H (no order)")
    assert "it may not retreat: Italy gave no orders [4.D.9.retreats=refused]" in str(told)


def trains() -> Outcome:
    board = Board(
        tuple(parse_unit(f"A {place}", "RUSSIA", load_map("colonial")) for place in ("IRK", "KRA")), map=load_map("colonial")
    )
    return judge(board, {"RUSSIA": ["A IRK - TSR - OMS", "A KRA - OMS"]})


def of_datc(identity: str) -> Outcome:
    sheet = find_bundled_case(identity)
    return judge(sheet.board, sheet.orders_by_power())


@pytest.mark.parametrize("outcome", [of_datc("6.D.3"), of_datc("6.F.14"), trains()], ids=["support", "paradox", "train"])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda outcome: pickle.loads(pickle.dumps(outcome))])
def test_an_outcome_can_be_copied_and_sent(outcome: Outcome, copied: Callable[[Outcome], Outcome]) -> None:
    """Places and decisions lead to each other and back."""
    again = copied(outcome)
    assert again.docket == outcome.docket
    assert again.results == outcome.results
    situation, same = again.adjudication.situation, outcome.adjudication.situation
    assert [str(decision) for decision in situation.decisions] == [str(decision) for decision in same.decisions]
    assert all(move.origin is situation.places[move.origin.province] for move in situation.moves)
    assert all(move in move.destination.moves_in and move in move.origin.moves_out for move in situation.moves)
    assert all(stage.passing.stage is stage for train in situation.trains for stage in train.stages)
