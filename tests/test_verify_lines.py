"""Certificates of lines: what is written is accepted, and what is not right any more is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playing_out import breaking_attack, random_line
from pysat.solvers import Cadical153
from tampering import LINE_CHANGES, WRONG, judgement, packed, problems, read, tampered, written_proof

from satjudge.cli import run
from satjudge.geography import UnitKind
from satjudge.rules import load_rulebook, preset_names
from satjudge.verify.sieges import Bound, Line, possible_enemies

SHIPPED = Path(__file__).parents[1] / "datc_cases" / "lines"
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
        patched.setattr("satjudge.certificates.lrat_proofs.written_proof", written_proof)
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
    assert told["provinces"] == "enemies touch 2; 1 they do not"


def test_the_province_that_is_looked_at_is_told(
    in_this_process: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SATJUDGE_PROGRESS", "1")
    assert run(["prove", "line:fewest-33", "--certificate", str(tmp_path / "x.zip")]) == 0
    assert re.search(r"PROGRESS: certificate 1 of 1: fewest-33: .*: MAO$", capsys.readouterr().err, re.MULTILINE)


def test_lines_that_break_or_move_have_no_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.zip"
    assert run(["prove", "line:beshera-1", "--certificate", str(file)]) == 0
    assert "no certificate is written, for it breaks" in capsys.readouterr().err
    assert run(["prove", "line:rotation", "--certificate", str(file)]) == 2
    assert "units of this line move" in capsys.readouterr().err
    assert not file.exists()


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
    everywhere = possible_enemies(board.map, protected)
    enemies = [enemy for enemy in everywhere if random.random() < 0.9] if random.random() < 0.4 else everywhere
    most, fleets = random.choice((1, 2, 3, 3, 3)), random.choice((None, None, 0, 1))
    bounds = [Bound(most, frozenset(enemies))]
    if fleets is not None:
        bounds.append(Bound(fleets, frozenset(enemy for enemy in enemies if enemy.kind is UnitKind.FLEET)))
    rulebook = load_rulebook(random.choice(preset_names()))
    line = Line(board, {unit.province: order for unit, order in orders.items()}, protected, enemies, bounds, rulebook)
    formulas = [formula for province in sorted(protected) if (formula := line.siege(province))]
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
        ("shut", lambda claim: claim["protected"].remove("POR"), "provinces: the provinces that no enemy touches are not"),
        ("shut", lambda claim: claim["unreachable"].append("SPA"), "provinces: the provinces that no enemy touches are not"),
        ("bound", lambda claim: claim["enemies"].remove("F TYS"), "enemies: nothing says why there can be no enemy F TYS"),
        ("shut", lambda claim: claim["restrictions"].clear(), "enemies: nothing says why there can be no enemy F NAF"),
        ("given", lambda claim: claim["enemies"].append("A SPA"), "line: no enemy can be A SPA"),
        ("bound", lambda claim: claim.update(most=1), "formulas: NAP: NAP.cnf: these are not the clauses that the claim"),
        ("bound", lambda claim: claim.update(most=3), "formulas: NAP: NAP.cnf: these are not the clauses that the claim"),
        ("bound", lambda claim: claim.update(fleets=0), "assumptions: it rests on other assumptions"),
        ("given", lambda claim: claim["limits"].pop(), "formulas: MAR: MAR.cnf: these are not the clauses that the claim"),
        (
            "bound",
            lambda claim: claim.update(orders=["A ROM H", "A NAP S A ROM"]),
            "formulas: NAP: NAP.cnf: these are not the clauses",
        ),
        ("bound", lambda claim: claim.update(orders=["A ROM S A NAP", "A NAP - ROM"]), "line: “A NAP - ROM”: a line that"),
        ("given", lambda claim: claim["limits"][0].update(most=-1), "line: there cannot be fewer enemies than none"),
        ("bound", lambda claim: claim.update(orders=["A ROM H", "A NAP S F ROM"]), "line: “A NAP S F ROM”: there is no F ROM"),
        ("bound", lambda claim: claim.update(orders=["A ROM H", "A NAP S ROM"]), "line: “A NAP S ROM”: there is no ROM"),
        (
            "bound",
            lambda claim: claim.update(orders=["A ROM holds", "A NAP H"]),
            "line: “A ROM holds” is to be written “A ROM H”",
        ),
        (
            "bound",
            lambda claim: claim.update(units=["A ROM", "French A NAP"]),
            "line: the unit “French A NAP” is to be written",
        ),
        ("bound", lambda claim: claim["protected"].append("NAP"), "line: a protected province is listed twice"),
        ("shut", lambda claim: claim.update(restrictions=[" "]), "enemies: a restriction of enemies says nothing"),
        ("bound", lambda claim: claim["orders"].pop(), "line: not every unit of the line has one order"),
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
    data, files = read(certificates[name])
    mutants = [tampered(data, files, seed, LINE_CHANGES) for seed in range(12)]
    accepted = [(change, content) for change, content in mutants if not problems(content)]
    assert not [change for change, content in accepted if judgement(content) == WRONG]
    assert len(accepted) < 8
