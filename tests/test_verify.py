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
from satjudge.verify.bridge import DEFINED, REQUIRED, TRUE, bridge
from satjudge.verify.certificate import Package, Resolution
from satjudge.verify.conservative import check_definitions
from satjudge.verify.named_clauses import Group, NamedClauses, read_clauses
from satjudge.verify.resolution_checks import EXCLUDED, ResolutionsVerification, excluded
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
    assert [check["name"] for check in found["checks"]][-2:] == ["both encoders", "completeness"]


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


def test_a_move_that_the_formula_does_not_speak_of_is_told(certificates: dict[str, Path]) -> None:
    """All that is excluded would be excluded whatever becomes of that move."""
    data, files = read(certificates["6.C.1"])
    text = files["complete.cnf"].decode()
    lines = [line for line in text.splitlines() if not line.startswith("c variable 2 ")]
    files["complete.cnf"] = ("\n".join(lines) + "\n").encode()
    assert problems(packed(data, files)) == ["formula: it does not speak of the moves of the position"]


def test_definitions_that_rule_something_out_are_refused() -> None:
    check_definitions([(1,), (-4, 2), (-4, 3), (4, -2, -3)], {2, 3})
    with pytest.raises(InputError, match="variable 4 is not defined"):
        check_definitions([(-4, 2), (4, -3)], {2, 3})
    with pytest.raises(InputError, match="variable 2 is defined, though"):
        check_definitions([(2,)], {2, 3})
    with pytest.raises(InputError, match="defined by each other"):
        check_definitions([(-4, 5), (4, -5), (-5, -4), (5, 4)])


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


def test_the_constant_is_no_variable_to_be_defined(certificates: dict[str, Path]) -> None:
    """If truth were defined to be false, everything would follow, in both formulas."""
    data, files = read(certificates["6.F.14"])
    data["claim"]["resolutions"].pop()
    listed = [Resolution(one["succeeds"]) for one in data["claim"]["resolutions"]]
    first = read_clauses(files["complete.cnf"].decode().splitlines())
    forged = NamedClauses(
        first.size,
        first.names,
        (
            Group(DEFINED, [(-TRUE,) if clause == (TRUE,) else clause for clause in first.group(DEFINED)]),
            Group(REQUIRED, [*first.group(REQUIRED), (TRUE,)]),
            Group(EXCLUDED, excluded(first.names, listed)),
        ),
    )
    with ZipFile(certificates["6.F.14"]) as archive:
        verification = verification_of(Package(archive, certificates["6.F.14"]))
    assert isinstance(verification, ResolutionsVerification)
    for name, clauses in (("complete", forged), ("bridge", bridge(verification.position.second[0], forged))):
        files[f"{name}.cnf"] = "".join(f"{line}\n" for line in clauses.lines()).encode()
        true, false = (clauses.clauses.index((literal,)) + 1 for literal in (TRUE, -TRUE))
        files[f"{name}.lrat"] = f"{len(clauses.clauses) + 1} 0 {true} {false} 0\n".encode()
    assert problems(packed(data, files)) == ["formula: variable 1 is defined, though it has a meaning already"]


@pytest.mark.parametrize("case", ["variant.7.C.idle-permission", "variant.7.B.support"])
def test_maps_of_which_a_certificate_does_not_say_enough_are_refused(case: str, tmp_path: Path) -> None:
    """A position on a map with canals has permissions as well, one on a map with railroads trains."""
    cases = Path(__file__).resolve().parents[1] / "datc_cases" / "promoted" / "variants.txt"
    file = tmp_path / "x.zip"
    assert run(["resolutions", str(cases), "--case", case, "--certificate", str(file)]) == 2
    assert not file.exists()


def test_a_map_of_ones_own_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, sheet = tmp_path / "ring.toml", tmp_path / "sheet.txt"
    own.write_text(RING, encoding="utf-8")
    sheet.write_text(ON_RING, encoding="utf-8")
    assert run(["resolutions", str(sheet), "--map", str(own)]) == 0
    assert run(["resolutions", str(sheet), "--map", str(own), "--certificate", str(tmp_path / "x.zip")]) == 2
    assert "ring is none of them" in capsys.readouterr().err
