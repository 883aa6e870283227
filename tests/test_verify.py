"""Certificates of resolutions: what is written is accepted, and what is not right any more is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from tampering import packed, read, tampered
from test_maps_everywhere import ON_RING, RING

from satjudge.cli import run
from satjudge.errors import InputError
from satjudge.judge import judge
from satjudge.verify.certificate import Package
from satjudge.verify.named_clauses import read_clauses
from satjudge.verify.resolution_checks import ResolutionsVerification
from satjudge.verify.verifier import verification_of

CASES = ("6.F.14", "6.F.28", "6.C.1", "6.E.12", "6.F.17")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("certificates")
    found = {}
    for case in CASES:
        found[case] = folder / f"{case}.zip"
        assert run(["resolutions", f"datc:{case}", "--certificate", str(found[case])]) == 0
    return found


def problems(content: bytes | Path) -> list[str]:
    """What the verification of a certificate finds wrong."""
    path = content if isinstance(content, Path) else Path("tampered.zip")
    with ZipFile(content if isinstance(content, Path) else BytesIO(content)) as archive:
        return [f"{check.name}: {check.problem}" for check in verification_of(Package(archive, path)).checks() if check.problem]


@pytest.mark.parametrize("case", CASES)
def test_what_is_written_is_accepted(certificates: dict[str, Path], case: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(certificates[case])]) == 0
    assert capsys.readouterr().out.rstrip().endswith("accepted")


def test_the_same_case_gives_the_same_bytes(certificates: dict[str, Path], tmp_path: Path) -> None:
    again = tmp_path / "again.zip"
    run(["resolutions", "datc:6.F.14", "--certificate", str(again)])
    assert again.read_bytes() == certificates["6.F.14"].read_bytes()


def test_verifying_needs_no_solver(certificates: dict[str, Path]) -> None:
    blocked = "import sys; sys.modules.update(dict.fromkeys(('ortools', 'pysat', 'pysolvers')))"
    program = f"{blocked}; from satjudge.cli import run; sys.exit(run(sys.argv[1:]))"
    done = subprocess.run([sys.executable, "-c", program, "verify", certificates["6.F.28"]], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_as_json(certificates: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(certificates["6.F.14"]), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["certificates"]
    assert found["accepted"]
    assert found["claim"] == "the position has 2 consistent resolutions, and no other"
    assert [check["name"] for check in found["checks"]][-2:] == ["completeness", "verdicts"]


# ---- tampering ----


def still_right(content: bytes) -> bool:
    """Whether the resolutions that are listed are those that satisfy the equations of the position."""
    with ZipFile(BytesIO(content)) as archive:
        verification = verification_of(Package(archive, Path("tampered.zip")))
    assert isinstance(verification, ResolutionsVerification)
    position = verification.position
    found = judge(position.board, position.orders, rulebook=position.rulebook).adjudication.resolutions
    judged = [
        {str(decision.order): values[decision.index] for decision in found.situation.order_decisions}
        for values in found.first(found.count)
    ]
    listed = [one.succeeds for one in verification.stated.resolutions]
    return len(judged) == len(listed) and all(one in judged for one in listed)


def wrongly_accepted(path: Path, seeds: range) -> tuple[list[tuple[int, str]], int]:
    """The mutants of a certificate that are accepted and not right, and how many are accepted."""
    data, files = read(path)
    wrong, accepted = [], 0
    for seed in seeds:
        change, content = tampered(data, files, seed)
        try:
            refused = bool(problems(content))
        except InputError:
            refused = True
        accepted += not refused
        if not refused and not still_right(content):
            wrong.append((seed, change))
    return wrong, accepted


@pytest.mark.parametrize("case", CASES)
def test_no_mutant_is_accepted_that_is_wrong(certificates: dict[str, Path], case: str) -> None:
    wrong, accepted = wrongly_accepted(certificates[case], range(60))
    assert not wrong
    assert accepted < 30


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_no_mutant_of_thousands_is_accepted_that_is_wrong(certificates: dict[str, Path], case: str) -> None:
    assert not wrongly_accepted(certificates[case], range(60, 2060))[0]


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["c variable 1 A", "p cnf 1 1", "1"], "line 3: a clause ends with 0"),
        (["p cnf 1 1", "2 0"], "line 2: a variable beyond 1"),
        (["p cnf 1 2", "1 0"], "1 clauses, but the header says 2"),
        (["c clauses 2 to 2: x", "p cnf 1 2", "1 0", "1 0"], "“x” begins with clause 2"),
        (["c clauses 1 to 1: x", "p cnf 1 2", "1 0", "1 0"], "the groups have 1 clauses, but there are 2"),
        (["hello"], "line 1: neither"),
    ],
)
def test_clauses_that_cannot_be_read(lines: list[str], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_clauses(lines)


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip at all", b"PK\x03\x04" + bytes(200)])
def test_what_is_no_certificate_is_refused(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.zip"
    file.write_bytes(content)
    assert run(["verify", str(file)]) == 2
    assert "not a certificate" in capsys.readouterr().err


def test_a_truncated_file_is_refused(certificates: dict[str, Path], tmp_path: Path) -> None:
    file = tmp_path / "x.zip"
    file.write_bytes(certificates["6.F.14"].read_bytes()[:-100])
    assert run(["verify", str(file)]) == 2


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satjudge.verify.certificate.MOST_BYTES", 1_000_000)
    file = tmp_path / "bomb.zip"
    with ZipFile(file, "w", 8) as archive:
        archive.writestr("certificate.json", b" " * 2_000_000)
    assert run(["verify", str(file)]) == 2


@pytest.mark.parametrize(
    ("case", "rules", "judged_by"),
    [
        ("datc:2.4/7.C.1", "datc-2", "the one resolution and by an oracle"),
        ("datc:6.A.11", "1982", "the one resolution"),
        ("datc:2.4/7.C.8", "datc-2", "an oracle"),
    ],
)
def test_verdicts_are_judged(case: str, rules: str, judged_by: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    certificate = tmp_path / "x.zip"
    assert run(["resolutions", case, "--rules", rules, "--certificate", str(certificate)]) == 0
    assert run(["verify", str(certificate)]) == 0
    assert f"judged by {judged_by}\n" in capsys.readouterr().out
    data, files = read(certificate)
    verdicts = data["claim"]["verdicts"]
    for order, verdict in verdicts.items():
        verdicts[order] = "disrupted" if verdict == "fails" else "fails"
        (problem,) = problems(packed(data, files))
        assert problem.startswith(f"verdicts: {order}: “{verdicts[order]}”, but ")
        verdicts[order] = verdict
    del verdicts[order]
    assert problems(packed(data, files)) == ["verdicts: there is not one for each order of the position"]


def test_verdicts_that_nothing_can_judge_are_refused(certificates: dict[str, Path], tmp_path: Path) -> None:
    """Under rules of one's own no oracle knows what becomes of a paradox."""
    certificate = tmp_path / "x.zip"
    run(["resolutions", "datc:6.F.14", "--set", "4.A.2=all-hold", "--certificate", str(certificate)])
    data, files = read(certificate)
    assert data["claim"]["verdicts"] is None
    assert not problems(certificate)
    data["claim"]["verdicts"] = read(certificates["6.F.14"])[0]["claim"]["verdicts"]
    assert problems(packed(data, files)) == ["verdicts: nothing can judge the verdicts that are claimed"]


def test_a_map_of_ones_own_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, sheet = tmp_path / "ring.toml", tmp_path / "sheet.txt"
    own.write_text(RING, encoding="utf-8")
    sheet.write_text(ON_RING, encoding="utf-8")
    assert run(["resolutions", str(sheet), "--map", str(own)]) == 0
    assert run(["resolutions", str(sheet), "--map", str(own), "--certificate", str(tmp_path / "x.zip")]) == 2
    assert "ring is none of them" in capsys.readouterr().err
