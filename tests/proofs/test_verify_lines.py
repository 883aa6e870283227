"""Certificates of lines: what is written is accepted, and what is not right any more is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from helpers.playing_out import breaking_attack, random_line
from helpers.tampering import LINE_CHANGES, accepted_mutants, packed, problems, read, written_proof
from pysat.solvers import Cadical153

from satjudge.apps.cli import run
from satjudge.notation.sheet_reader import read_sheets
from satjudge.proofs.certificates.claims import certify_line
from satjudge.proofs.certificates.lrat_proofs import SatisfiableError
from satjudge.proofs.verify.lines import Bound, Line, list_possible_enemies
from satjudge.search.lines.line import read_line
from satjudge.world.geography import UnitKind
from satjudge.world.rules import load_rulebook, preset_names

SHIPPED = Path(__file__).parents[2] / "datc_cases" / "lines"
SHEETS = {
    "bound": "behind: none\nenemies: 2\nItaly:\n A ROM S A NAP\n A NAP S A ROM",
    "given": "behind: none\nenemies: A MUN, F NAP\nFrance:\n A SPA S A MAR\n A MAR S A SPA",
    "shut": "behind: POR\nenemies: 1\nwithout: F NAF\nFrance:\n A SPA H\n F MAO H",
}
"""Lines that hold, as few enemies can come."""


@pytest.fixture(scope="module")
def in_this_process() -> Iterator[None]:
    """Proofs are written without the time that processes take."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("satjudge.proofs.certificates.lrat_proofs.request_proof", written_proof)
        yield


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory, in_this_process: None) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("lines")
    found = {}
    for name, text in SHEETS.items():
        sheet, found[name] = folder / f"{name}.txt", folder / f"{name}.zip"
        sheet.write_text(f"case {name}: a line\n{text}\n", encoding="utf-8")
        assert run(["prove", str(sheet), "--certificate", str(found[name])]) == 0
    return found


@pytest.mark.parametrize("name", SHEETS)
def test_what_is_written_is_accepted(certificates: dict[str, Path], name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(certificates[name])]) == 0
    assert capsys.readouterr().out.rstrip().endswith("accepted")


def test_the_claim_tells_every_condition(certificates: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(certificates["shut"]), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["certificates"]
    assert found["claim"] == (
        "no enemy from outside ever enters MAO, POR, SPA while 2 units of the line repeat their orders "
        "(at most 1 enemy; of enemies the order sheet says, which is not verified: “without: F NAF”)"
    )
    told = {check["name"]: check["found"] for check in found["checks"]}
    assert told["enemies"].endswith("is an assumption: F NAF")
    assert told["provinces"] == "enemies can move to 2, and not to 1"


def test_the_province_that_is_looked_at_is_told(
    in_this_process: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SATJUDGE_PROGRESS", "1")
    assert run(["prove", "line:fewest-33", "--certificate", str(tmp_path / "x.zip")]) == 0
    assert re.search(r"PROGRESS: certificate 1 of 1: fewest-33: .*: MAO$", capsys.readouterr().err, re.MULTILINE)


def test_lines_that_move_have_no_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for line in ("rotation", "rotation-open"):
        assert run(["prove", f"line:{line}", "--cheapest", "--certificate", str(tmp_path / "x.zip")]) == 2
        assert "units of this line move" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


# ---- lines that break ----


def test_a_line_that_breaks_has_none_of_any_attack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prove", "line:beshera-1", "--certificate", str(tmp_path / "x.zip")]) == 0
    assert "because the line breaks; --cheapest certifies the fewest enemies" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def in_a_folder(folder: Path, sheets: str, option: str = "--cheapest") -> dict[str, dict[str, Any]]:
    """The claims of the certificates that are written of several lines, by their files, all of which are accepted."""
    (folder / "sheets.txt").write_text(sheets, encoding="utf-8")
    run(["prove", str(folder / "sheets.txt"), option, "--certificate", str(folder / "made")])
    files = sorted((folder / "made").iterdir())
    assert run(["verify", *map(str, files)]) == 0
    return {file.name: read(file)[0]["claim"] for file in files}


BREAKING = """\
case three: the two support each other
behind: none
France:
 A PAR S A BUR
 A BUR S A PAR

case restricted: the same, but no army can be in Picardy, nor anything in Gascony
behind: none
without: A PIC, GAS
enemies: 5
France:
 A PAR S A BUR
 A BUR S A PAR

case one: nobody stands in Paris
behind: PAR
France:
 A BUR H

case holds: there is no room for two enemies
behind: none
enemies: 1
France:
 A PAR H
"""


def test_with_how_few_enemies_a_line_breaks(in_this_process: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """That fewer do not is the claim of a line; the attack is a position with that line, and enters what it protects."""
    found = in_a_folder(tmp_path, BREAKING)
    assert (
        "one: nobody stands in Paris: no certificate of a least number is written because no attack has"
        in capsys.readouterr().err
    )
    names = ("holds", "one-position", "restricted", "restricted-position", "three", "three-position")
    assert {*found} == {f"{name}.zip" for name in names}
    assert found["restricted.zip"]["restrictions"] == ["without: A PIC, GAS"]
    for name in ("three", "restricted"):
        check_that_the_attack_is_on_the_line(found[f"{name}.zip"], found[f"{name}-position.zip"])
    assert enemies_in(found["one-position.zip"]["position"], "FRANCE") == 1


def check_that_the_attack_is_on_the_line(line: dict[str, Any], attack: dict[str, Any]) -> None:
    """The line with its orders, and one enemy more than is refuted, of those that there can be, one of which enters."""
    position, (resolution,) = attack["position"], attack["resolutions"]
    (power,) = (power for power, units in position["units"].items() if sorted(units) == sorted(line["units"]))
    assert sorted(position["orders"][power]) == sorted(line["orders"])
    others = [unit for owner, units in position["units"].items() if owner != power for unit in units]
    assert len(others) == line["most"] + 1
    assert {*others} <= {*line["enemies"]}
    moved = [order for order, succeeds in resolution["succeeds"].items() if succeeds and " S " not in order]
    assert {order.partition(" - ")[2][:3] for order in moved} & {*line["protected"]}


def enemies_in(position: dict[str, Any], power: str) -> int:
    """How many units are of other powers."""
    return sum(len(units) for owner, units in position["units"].items() if owner != power)


def test_as_many_enemies_as_the_cheapest_attack_has_cannot_be_refuted(in_this_process: None) -> None:
    sheet = read_sheets(BREAKING)[0]
    line = read_line(sheet, load_rulebook())
    certify_line(replace(line, enemies=2), sheet)
    with pytest.raises(SatisfiableError):
        certify_line(replace(line, enemies=3), sheet)


SPARE = """\
case four: without A POR it holds as well
behind: POR
enemies: 1
France:
 A SPA H
 F MAO H
 A MAR S A SPA
 A POR S A SPA

case alone: without it nobody is there
behind: none
enemies: 1
France:
 A PAR H
"""


def test_without_which_units_a_line_holds(in_this_process: None, tmp_path: Path) -> None:
    """Where it holds without a unit that is a claim of its own; where it does not, the attack is on the other units."""
    found = in_a_folder(tmp_path, SPARE, "--redundant")
    names = ("alone", "alone-without-PAR", *("four" + without for without in ("", *(f"-without-{p}" for p in FOUR))))
    assert {*found} == {f"{name}.zip" for name in names}
    for province, unit in FOUR.items():
        claim = found[f"four-without-{province}.zip"]
        others = [*FOUR.values()]
        others.remove(unit)
        if province == "POR":
            assert (claim["type"], sorted(claim["units"])) == ("line", sorted(others))
            assert claim["protected"] == found["four.zip"]["protected"]
        else:
            rest = {**found["four.zip"], "units": others, "orders": in_place(others), "most": 0}
            check_that_the_attack_is_on_the_line(rest, claim)
    assert found["alone-without-PAR.zip"]["position"]["units"].keys() == {"AUSTRIA"}


FOUR = {"SPA": "A SPA", "MAO": "F MAO", "MAR": "A MAR", "POR": "A POR"}


def in_place(units: Sequence[str]) -> list[str]:
    """Two of these support A SPA, if it is there; all others hold."""
    return [f"{unit} S A SPA" if unit in ("A MAR", "A POR") and "A SPA" in units else f"{unit} H" for unit in units]


@pytest.mark.slow
def test_the_shipped_lines_that_break(in_this_process: None, tmp_path: Path) -> None:
    sheets = "\n".join((SHIPPED / name).read_text(encoding="utf-8") for name in ("eastern.txt", "southern.txt"))
    broken = [case for case in re.split(r"(?m)^(?=case )", sheets) if "finding: breaks" in case]
    found = in_a_folder(tmp_path, "".join(broken))
    assert {name: claim["most"] for name, claim in found.items() if claim["type"] == "line"} == {
        "beshera-1.zip": 2,
        "sharp-eastern.zip": 2,
    }
    assert len(found) == 5


@pytest.mark.slow
@pytest.mark.parametrize(("lines", "number"), [("southern", 20), ("eastern", 9), ("fewest", 41), ("moving", 0)])
def test_all_lines_that_are_shipped(in_this_process: None, tmp_path: Path, lines: str, number: int) -> None:
    assert run(["prove", str(SHIPPED / f"{lines}.txt"), "--certificate", str(tmp_path)]) == 0
    found = sorted(map(str, tmp_path.glob("*.zip")))
    assert len(found) == number
    assert not found or run(["verify", *found]) == 0


# ---- the formula, and what it rests on ----


def check_a_random_line(seed: object) -> bool:
    """Whether enemies break it. Of all placements and orders some enter it just where those of the formula do."""
    random = Random(f"siege {seed}")
    board, orders, behind = random_line(random)
    protected = behind.union(board.unit_at)
    everywhere = list_possible_enemies(board.map, protected)
    enemies = [enemy for enemy in everywhere if random.random() < 0.9] if random.random() < 0.4 else everywhere
    most, fleets = random.choice((1, 2, 3, 3, 3)), random.choice((None, None, 0, 1))
    bounds = [Bound(most, frozenset(enemies))]
    if fleets is not None:
        bounds.append(Bound(fleets, frozenset(enemy for enemy in enemies if enemy.kind is UnitKind.FLEET)))
    rulebook = load_rulebook(random.choice(preset_names()))
    line = Line(board, {unit.province: order for unit, order in orders.items()}, protected, enemies, bounds, rulebook)
    formulas = [formula for province in sorted(protected) if (formula := line.make_siege(province))]
    entered = False
    for formula in formulas:
        with Cadical153(bootstrap_with=formula.clauses) as solver:
            entered = entered or solver.solve() is True
    possible = {(enemy.kind, enemy.location) for enemy in enemies if enemy.kind}
    attack = breaking_attack(board, orders, protected, most, rulebook, fleets=fleets, possible=possible)
    assert entered == (attack is not None)
    return entered


def test_the_orders_of_a_siege_suffice() -> None:
    """Among these are some that only a formula with cuts, with supports, or with one order for each province answers."""
    assert [*map(check_a_random_line, (1, 2, 3, 68, 115))] == [False, True, True, False, True]


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(20))
def test_the_orders_of_a_siege_suffice_on_thousands_of_boards(part: int) -> None:
    assert sum(map(check_a_random_line, range(500 * part, 500 * (part + 1)))) > 100


# ---- tampering ----


def refusal(path: Path, change: Callable[[dict[str, Any]], object]) -> list[str]:
    """What is wrong with a certificate after a change of its claim."""
    data, files = read(path)
    change(data["claim"])
    return problems(packed(data, files))


@pytest.mark.parametrize(
    ("name", "change", "problem"),
    [
        ("bound", lambda claim: claim["protected"].remove("NAP"), "line: the line does not protect NAP"),
        (
            "shut",
            lambda claim: claim["protected"].remove("POR"),
            "provinces: the provinces listed as unreachable must be exactly",
        ),
        (
            "shut",
            lambda claim: claim["unreachable"].append("SPA"),
            "provinces: the provinces listed as unreachable must be exactly",
        ),
        ("bound", lambda claim: claim["enemies"].remove("F TYS"), "enemies: the claim does not say why there can be no"),
        ("shut", lambda claim: claim["restrictions"].clear(), "enemies: the claim does not say why there can be no"),
        ("given", lambda claim: claim["enemies"].append("A SPA"), "line: no enemy unit can be A SPA on this map"),
        ("bound", lambda claim: claim.update(most=1), "formulas: NAP: NAP.cnf: these are not the clauses of the claim"),
        ("bound", lambda claim: claim.update(most=3), "formulas: NAP: NAP.cnf: these are not the clauses of the claim"),
        ("bound", lambda claim: claim.update(fleets=0), "assumptions: the certificate's assumptions must be exactly"),
        ("given", lambda claim: claim["limits"].pop(), "formulas: MAR: MAR.cnf: these are not the clauses of the claim"),
        ("bound", lambda claim: claim.update(orders=["A ROM H", "A NAP S A ROM"]), "formulas: NAP: NAP.cnf: these are not"),
        ("bound", lambda claim: claim.update(orders=["A ROM S A NAP", "A NAP - ROM"]), "line: “A NAP - ROM”: units of a line"),
        ("given", lambda claim: claim["limits"][0].update(most=-1), "line: the number of enemies cannot be negative"),
        ("bound", lambda claim: claim.update(orders=["A ROM H", "A NAP S F ROM"]), "line: “A NAP S F ROM”: there is no F ROM"),
        ("bound", lambda claim: claim.update(orders=["A ROM H", "A NAP S ROM"]), "line: “A NAP S ROM”: there is no ROM"),
        (
            "bound",
            lambda claim: claim.update(orders=["A ROM holds", "A NAP H"]),
            "line: “A ROM holds” must be written “A ROM H”",
        ),
        (
            "bound",
            lambda claim: claim.update(units=["A ROM", "French A NAP"]),
            "line: the unit “French A NAP” must be written",
        ),
        ("bound", lambda claim: claim["protected"].append("NAP"), "line: a protected province is listed twice"),
        ("shut", lambda claim: claim.update(restrictions=[" "]), "enemies: a restriction on enemies is empty"),
        ("bound", lambda claim: claim["orders"].pop(), "line: each unit of the line must have exactly one order"),
        ("given", lambda claim: claim.update(orders=["A SPA H", "A MAR S A PAR"]), "line: “A MAR S A PAR”: there is no A PAR"),
    ],
)
def test_a_claim_that_was_changed_is_refused(
    certificates: dict[str, Path], name: str, change: Callable[[dict[str, Any]], object], problem: str
) -> None:
    (found,) = refusal(certificates[name], change)
    assert found.startswith(problem)


def test_proofs_of_other_provinces_are_refused(certificates: dict[str, Path]) -> None:
    data, files = read(certificates["bound"])
    steps = data["steps"]
    steps[0], steps[1] = steps[1], steps[0]
    (found,) = problems(packed(data, files))
    assert found.startswith("formulas: NAP: ")
    data, files = read(certificates["bound"])
    files["NAP.lrat"], files["ROM.lrat"] = files["ROM.lrat"], files["NAP.lrat"]
    (found,) = problems(packed(data, files))
    assert found.startswith("no attack: NAP: ")


@pytest.mark.parametrize("name", SHEETS)
def test_no_mutant_is_accepted_that_is_wrong(certificates: dict[str, Path], name: str) -> None:
    assert accepted_mutants(certificates[name], LINE_CHANGES, range(12)) < 8
