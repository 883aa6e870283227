"""Partial answers say that they are partial, and are never ruled on."""

from __future__ import annotations

from pathlib import Path

import pytest

from satjudge.apps.cli import run
from satjudge.base.errors import UnresolvedError
from satjudge.judging.judge import judge, resolutions
from satjudge.judging.solve import Engine, case_splitting
from satjudge.judging.solve.result import Component, CoreKind, Limits
from satjudge.notation.bundled_cases import find_bundled_case
from satjudge.notation.parse import parse_unit
from satjudge.world.board import Board
from satjudge.world.geography import load_map
from satjudge.world.rules import load_rulebook

RINGS = (
    ("FRANCE", ("A PAR - BUR", "A BUR - GAS", "A GAS - PAR")),
    ("GERMANY", ("A BER - PRU", "A PRU - SIL", "A SIL - BER")),
    ("AUSTRIA", ("A VIE - BOH", "A BOH - TYR", "A TYR - VIE")),
    ("TURKEY", ("A ANK - CON", "A CON - SMY", "A SMY - ANK")),
    ("RUSSIA", ("A MOS - UKR", "A UKR - SEV", "A SEV - MOS")),
    ("ITALY", ("A ROM - NAP", "A NAP - APU", "A APU - ROM")),
    ("ENGLAND", ("A LVP - EDI", "A EDI - YOR", "A YOR - LVP")),
    ("TURKEY", ("A SER - BUL", "A BUL - RUM", "A RUM - SER")),
    ("ENGLAND", ("A NWY - SWE", "A SWE - FIN", "A FIN - NWY")),
)


def _rings(count: int) -> tuple[Board, dict[str, list[str]]]:
    """So many rings of three armies that have nothing to do with each other."""
    units, orders = [], {}  # type: ignore[var-annotated]
    for power, ring in RINGS[:count]:
        units += [parse_unit(order.split(" - ")[0], power, load_map()) for order in ring]
        orders.setdefault(power, []).extend(ring)
    return Board(tuple(units)), orders


@pytest.mark.parametrize("engine", [Engine.STAGED, Engine.FULL])
def test_many_independent_cores_are_counted_not_listed(engine: Engine) -> None:
    board, orders = _rings(9)
    found = resolutions(board, orders, engine=engine)
    assert (found.count, found.complete, len(found.cores)) == (512, True, 9)
    assert {core.kind for core in found.cores} == {CoreKind.CIRCULAR_MOVEMENT}
    if engine is Engine.FULL:
        assert len(found.components) > 1
    first = next(iter(found))
    assert first in found
    assert tuple(not value for value in first) in found
    assert (not first[0], *first[1:]) not in found


def test_a_limit_is_told_and_the_ruling_made_on_the_whole_set(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = find_bundled_case("6.F.14")
    for engine, has_solver in ((Engine.STAGED, True), (Engine.FULL, True), (Engine.STAGED, False)):
        monkeypatch.setattr(case_splitting, "is_solver_installed", lambda has_solver=has_solver: has_solver)
        outcome = judge(sheet.board, sheet.orders_by_power(), engine=engine, limits=Limits(count=1))
        found = outcome.adjudication.resolutions
        assert (found.count, found.complete) == (1, False)
        assert outcome.results["FRANCE"] == ["fails", "disrupted, dislodged"]


def test_a_core_that_was_not_exhausted_is_not_ruled_on() -> None:
    with pytest.raises(UnresolvedError, match="not all were found"):
        Component((0,), ((True,),), complete=False).require_all()


def test_a_timeout_is_told() -> None:
    sheet = find_bundled_case("6.F.28")
    found = resolutions(sheet.board, sheet.orders_by_power(), engine=Engine.FULL, limits=Limits(seconds=1e-9))
    assert not found.complete
    assert found.count <= 2


def test_limit_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["resolutions", "datc:6.F.14", "--limit", "1"]) == 0
    assert "at least 1 (the search was stopped)" in capsys.readouterr().out


def test_resolutions_are_shown_where_the_rulebook_has_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["resolutions", "datc:6.F.14", "--set", "4.A.2=none"]) == 1
    shown = capsys.readouterr().out
    assert "#2" in shown
    assert "Unresolved: datc-3 with 4.A.2=none has no answer" in shown
    sheet = find_bundled_case("6.F.14")
    rulebook = load_rulebook().with_settings(["4.A.2=none"])
    assert resolutions(sheet.board, sheet.orders_by_power(), rulebook=rulebook).count == 2


def test_a_core_without_an_answer_is_named_all_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["resolutions", "datc:6.F.18", "--rules", "2000"]) == 1
    shown = capsys.readouterr().out
    assert "Core 1: betrayal paradox, 0 resolutions, no rule settles it" in shown
    assert "F BEL S F NTH  is stopped by  F NTH C A LON - BEL" in shown
    for engine in ("staged", "full"):
        assert run(["resolutions", "datc:6.F.22", "--rules", "1971", "--json", "--engine", engine]) == 1
        assert '"name": "second order paradox with two resolutions"' in capsys.readouterr().out


def test_cases_of_other_phases_are_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "two.txt"
    sheet.write_text(
        "case a: one\nphase: adjustment\nRussia owns SC Moscow\nRussia:\n  Build A Moscow\n"
        "case b: other\nFrance:\n  A Paris - Burgundy\n",
        encoding="utf-8",
    )
    assert run(["resolutions", str(sheet)]) == 0
    captured = capsys.readouterr()
    assert "b: other" in captured.out
    assert captured.err == "a: one: skipped, only movement phases have resolutions\n"


def test_a_census_is_not_saved_among_the_cases_of_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = ["--save", str(tmp_path), "--compare-every", "0", "--jobs", "1"]
    assert run(["census", "--boards", "6", "--seed", "1", *saved]) == 0
    assert run(["census", "--boards", "6", "--seed", "1", *saved]) == 0
    assert run(["census", "--boards", "6", "--seed", "2", *saved]) == 2
    assert "belongs to another census; name an empty directory" in capsys.readouterr().err
