"""Certificates of resolutions: what is written is accepted, and what is not right any more is refused."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from tampering import RESOLUTION_CHANGES, WRONG, campaign, judgement, packed, problems, read, tampered
from test_maps_everywhere import ON_RING, RING

from satjudge.cli import run
from satjudge.errors import InputError
from satjudge.rules import load_rulebook
from satjudge.verify.certificate import certificates_in, read_certificates, write_bundle
from satjudge.verify.verifier import verification_of

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
import certify

CASES = ("6.F.14", "6.F.28", "6.C.1", "6.E.12", "6.F.17")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("certificates")
    found = {}
    for case in CASES:
        found[case] = folder / f"{case}.zip"
        assert run(["resolutions", f"datc:{case}", "--certificate", str(found[case])]) == 0
    return found


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


RECIPE = re.search(
    r"pip install (.*)  # all that verifying takes", (Path(__file__).parents[1] / "docs" / "certificates.md").read_text()
)


def test_a_verifier_takes_three_packages(tmp_path: Path) -> None:
    """Those that docs/certificates.md says are installed; without one of them, it is told which."""
    assert RECIPE
    root = Path(__file__).resolve().parents[1]
    for name in ("satjudge", "models", "datc_cases"):
        (tmp_path / name).symlink_to(root / name)

    def verified() -> tuple[int, str]:
        command = [sys.executable, "-S", "-m", "satjudge", "verify", str(DOCS / "6.F.14.zip")]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)})
        return done.returncode, done.stderr

    for name in RECIPE[1].split():
        code, told = verified()
        assert code == 2
        assert re.fullmatch(r"satjudge: this needs the package \w+, which is not installed \(pip install '?\w+'?\)\n", told)
        (tmp_path / name).symlink_to(Path(str(import_module(name).__file__)).parent)
    assert verified() == (0, "")


def test_as_json(certificates: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(certificates["6.F.14"]), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["certificates"]
    assert found["accepted"]
    assert found["claim"] == "the position has 2 consistent resolutions, and no other"
    assert [check["name"] for check in found["checks"]][-2:] == ["completeness", "verdicts"]


# ---- what a position says is shown, and can be so ----

TWO_AGAINST_TWO = "FRANCE\nA MAR - BUR\nA GAS S A MAR - BUR\nGERMANY\nA BUR - MOS\nA RUH S A BUR\n"


@pytest.fixture(scope="module")
def hold(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], dict[str, bytes]]:
    """A certificate under 4.E.1=hold: the illegal move of A BUR denies it the support to hold."""
    folder = tmp_path_factory.mktemp("hold")
    (folder / "sheet.txt").write_text(TWO_AGAINST_TWO, encoding="utf-8")
    made = folder / "hold.zip"
    assert run(["resolutions", str(folder / "sheet.txt"), "--set", "4.E.1=hold", "--certificate", str(made)]) == 0
    return read(made)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"rulebook": "datc-3"}, "A BUR can be supported in place, as the rulebook has 4.E.1 and 4.D.9"),
        ({"set": {"4.E.1": "ignored", "4.D.9": "refused"}}, "A BUR can be supported in place"),  # GERMANY gave an order
        ({"unsupportable": ["RUH"]}, "A RUH has an order that counts"),
        ({"unsupportable": ["PAR"]}, "no unit is in PAR that could be unsupportable"),
        ({"unsupportable": ["BUR", "BUR"]}, "a unit is told to be unsupportable twice"),
        ({"units": ("ITALY", "A BUR")}, "two units in BUR: A BUR of GERMANY and A BUR of ITALY"),
        ({"units": ("ITALY", "F BUR")}, "F BUR of ITALY: a fleet cannot be inland in Burgundy"),
        ({"units": ("FRANCE", "A GAS")}, "two units in GAS"),
        ({"units": ("ITALY", "A ENG")}, "A ENG of ITALY: an army cannot be at sea"),
        ({"units": ("ITALY", "F SPA")}, "F SPA of ITALY: F SPA must name a coast"),
        ({"orders": ("FRANCE", "A GAS S A MAR - BUR")}, "there are two orders for the unit in GAS"),
        ({"orders": ("FRANCE", "A PAR H")}, "“A PAR H” of FRANCE is no order to a unit of the position"),
        ({"orders": ("GERMANY", "Army Burgundy holds")}, "“Army Burgundy holds” of GERMANY is to be written “A BUR H”"),
        ({"permissions": ["A GAS H"]}, "“A GAS H” among the permissions permits no fleet to pass a canal"),
        ({"centers": {"BUR": "FRANCE"}}, "FRANCE owns BUR: Burgundy has no supply centre"),
    ],
    ids=str,
)
def test_a_position_that_cannot_be_is_refused(
    hold: tuple[dict[str, Any], dict[str, bytes]], change: dict[str, Any], problem: str
) -> None:
    data, files = deepcopy(hold)
    assert not problems(packed(data, files))
    position = data["claim"]["position"]
    match change:
        case {"rulebook": str(name)}:
            rules = load_rulebook(name)
            position["rulebook"] = {"name": name, "title": rules.title, "settings": rules.settings()}
        case {"set": settings}:
            position["rulebook"]["settings"] |= settings
        case {"units": (power, text)} | {"orders": (power, text)}:
            position[next(iter(change))].setdefault(power, []).append(text)
        case _:
            position |= change
    (found,) = problems(packed(data, files))
    assert found.startswith(f"position: {problem}")


def test_all_of_a_position_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet, made = tmp_path / "sheet.txt", tmp_path / "x.zip"
    orders = "TURKEY\nF MED - RED\nBRITAIN\nA EGY H\nSC F MED - RED\n"
    for permitted in (True, False):
        sheet.write_text(f"map: colonial\n{orders if permitted else orders.replace('SC F MED - RED', '')}", encoding="utf-8")
        assert run(["resolutions", str(sheet), "--rules", "datc-2", "--certificate", str(made)]) == 0
        capsys.readouterr()
        assert run(["verify", str(made)]) == 0
        text = capsys.readouterr().out
        assert "    map colonial, rulebook datc-2\n" in text
        assert ("    permitted: SC F MED - RED\n" in text) == permitted


def test_illegal_orders_that_are_left_out_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet, made = tmp_path / "sheet.txt", tmp_path / "x.zip"
    for order, named in (("A PAR - MOS", True), ("A PAR - BUR", False)):
        sheet.write_text(f"FRANCE\n{order}\nGERMANY\nA MUN - BUR\n", encoding="utf-8")
        assert run(["resolutions", str(sheet), "--certificate", str(made)]) == 0
        capsys.readouterr()
        assert run(["verify", str(made)]) == 0
        assert (f"illegal and left out: {order}” " in capsys.readouterr().out.replace("”,", "” ")) == named


def test_the_map_the_season_and_what_is_unsupportable_are_told(
    hold: tuple[dict[str, Any], dict[str, bytes]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, files = deepcopy(hold)
    data["claim"]["position"] |= {"season": "fall", "centers": {"PAR": "FRANCE"}}
    data["claim"]["position"]["rulebook"]["name"] = "1971"
    (tmp_path / "x.zip").write_bytes(packed(data, files))
    assert run(["verify", str(tmp_path / "x.zip"), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["certificates"]
    assert found["subject"] == [
        "map standard, rulebook datc-3 with 4.E.1=hold (called “1971”, which is not verified)",
        "season: fall",
        "centres: PAR of FRANCE",
        "FRANCE: A MAR, A GAS; ordered: A MAR - BUR, A GAS S A MAR - BUR",
        "GERMANY: A BUR, A RUH; ordered: A RUH S A BUR",
        "unsupportable, after an illegal order to move or in civil disorder: BUR",
        "resolution 1: A MAR - BUR, A GAS S A MAR - BUR succeeds",
        "in the end: A MAR - BUR: succeeds; A GAS S A MAR - BUR: given; A RUH S A BUR: invalid",
    ]


# ---- the certificates of docs ----

DOCS = Path(__file__).resolve().parents[1] / "docs" / "certificates"
MADE = {row["name"]: row for row in map(json.loads, (DOCS / "made.jsonl").read_text(encoding="utf-8").splitlines())}


def test_bundles_are_what_the_page_tells() -> None:
    assert (DOCS / "made.md").read_text(encoding="utf-8") == certify.table([*MADE.values()])
    assert [*MADE] == [recipe.name for recipe in certify.RECIPES if recipe.name in MADE]
    assert {name for name, row in MADE.items() if row["shipped"]} == {file.stem for file in DOCS.glob("*.zip")} - {"6.F.14"}
    for name, row in MADE.items():
        assert not row["refused"]
        if row["shipped"]:
            assert hashlib.sha256((DOCS / f"{name}.zip").read_bytes()).hexdigest() == row["sha256"]


def refused_in(bundle: Path, most: int | None = None) -> list[str]:
    """The certificates of a bundle that are refused."""
    packages = islice(certificates_in(bundle), most)
    return [str(package.path) for package in packages if any(check.problem for check in verification_of(package).checks())]


@pytest.mark.parametrize("name", MADE)
def test_the_first_of_a_bundle_are_accepted(name: str) -> None:
    if MADE[name]["shipped"]:
        assert not refused_in(DOCS / f"{name}.zip", 3)


@pytest.mark.slow
def test_all_certificates_of_docs_are_accepted() -> None:
    assert not [refused for file in DOCS.glob("*.zip") for refused in refused_in(file)]


def test_the_verified_checker_has_verified_them_all() -> None:
    log = map(json.loads, (DOCS / "verified.jsonl").read_text(encoding="utf-8").splitlines())
    verified = {(row["cnf"], row["lrat"]) for row in log if not row["problem"]}
    for file in DOCS.glob("*.zip"):
        for package in certificates_in(file):
            for step in package.certificate.steps:
                assert (step.formula.sha256[:16], step.proof.sha256[:16]) in verified, package.path


@pytest.mark.parametrize("content", [b"no zip", b"PK"])
def test_a_bundle_with_something_else_in_it_is_refused(content: bytes, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle.zip"
    write_bundle({"6.F.14.zip": (DOCS / "6.F.14.zip").read_bytes()}, bundle)
    assert run(["verify", str(bundle)]) == 0
    write_bundle({"6.F.14.zip": (DOCS / "6.F.14.zip").read_bytes(), "other.zip": content}, bundle)
    assert run(["verify", str(bundle)]) == 2


# ---- files that are no certificates ----


def test_a_bundle_that_is_cut_off_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The end of what is left of it is that of a certificate in it; so is that of a file with something before it."""
    whole = (DOCS / "lines.zip").read_bytes()
    (tmp_path / "x.zip").write_bytes(whole[:60_000])
    assert run(["verify", str(tmp_path / "x.zip")]) == 2
    assert "it is damaged: a part is cut off" in capsys.readouterr().err
    (tmp_path / "x.zip").write_bytes(b"something" + (DOCS / "6.F.14.zip").read_bytes())
    assert run(["verify", str(tmp_path / "x.zip")]) == 2


def test_the_other_files_are_verified_all_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bundle, fifo = str(DOCS / "6.F.14.zip"), tmp_path / "bundle.zip", tmp_path / "pipe"
    write_bundle({"a.zip": b"no zip", "b.zip": Path(good).read_bytes()}, bundle)
    os.mkfifo(fifo)
    assert run(["verify", str(tmp_path / "none.zip"), good, str(bundle), str(fifo), "--json"]) == 2
    written = capsys.readouterr()
    found = json.loads(written.out)["certificates"]
    assert [one["accepted"] for one in found] == [False, True, False, True, False]
    assert [one["checks"][0]["problem"] for one in found] == [
        "there is no such file", "", "not a certificate: File is not a zip file", "", "a certificate is a regular file"
    ]  # fmt: skip
    assert f"satjudge: {bundle}/a.zip: not a certificate" in written.err
    assert run(["verify", good, good]) == 0
    assert capsys.readouterr().out.endswith("  accepted\n2 certificates, all accepted\n")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda data: data["claim"]["position"].update(season="fall 1902"), "certificate.json: claim.position.season: Invalid"),
        (
            lambda data: data["claim"]["position"].update(note=1),
            "certificate.json: claim.position.note: a certificate has no such",
        ),
        (lambda data: data["steps"][0].update(note=1), "certificate.json: steps[0].note: a certificate has no such key"),
        (lambda data: data["claim"].pop("position"), "certificate.json: claim: Object missing required field position"),
    ],
)
def test_what_is_wrong_in_the_claim_is_told(
    certificates: dict[str, Path], change: Callable[[Any], object], problem: str, tmp_path: Path
) -> None:
    data, files = read(certificates["6.F.14"])
    change(data)
    with ZipFile(tmp_path / "x.zip", "w") as archive:
        for name, content in {**files, "certificate.json": json.dumps(data).encode()}.items():
            archive.writestr(name, content)
    (found,) = read_certificates(tmp_path / "x.zip")
    assert isinstance(found, InputError)
    assert found.message.startswith(problem)


def test_a_file_of_which_nothing_is_said_is_refused(certificates: dict[str, Path]) -> None:
    data, files = read(certificates["6.F.14"])
    (problem,) = problems(packed(data, files | {"readme.txt": b"hello"}))
    assert problem.endswith("certificate.json says nothing of the file readme.txt that is in it")


def test_the_order_is_told_that_cannot_end_so(certificates: dict[str, Path]) -> None:
    data, files = read(certificates["6.C.1"])
    data["claim"]["resolutions"][0]["succeeds"]["A SMY - ANK"] = False
    (problem,) = problems(packed(data, files))
    assert problem.startswith("resolutions: resolution 1 is not consistent: the equation of ")


# ---- tampering ----


@pytest.mark.parametrize("case", CASES)
def test_no_mutant_is_accepted_that_is_wrong(certificates: dict[str, Path], case: str) -> None:
    data, files = read(certificates[case])
    mutants = [tampered(data, files, seed, RESOLUTION_CHANGES) for seed in range(20)]
    accepted = [(change, content) for change, content in mutants if not problems(content)]
    assert not [change for change, content in accepted if judgement(content) == WRONG]
    assert len(accepted) < 10


@pytest.mark.campaign
def test_no_mutant_of_ten_thousand_is_accepted_that_is_wrong() -> None:
    """`python tests/tampering.py` writes the table of docs/certificates/tampering.md."""
    found, wrong = campaign(10_000)
    assert not wrong
    assert found.total() == 10_000


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


def test_a_line_on_a_map_of_ones_own_is_refused_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, sheet = tmp_path / "ring.toml", tmp_path / "sheet.txt"
    own.write_text(RING, encoding="utf-8")
    sheet.write_text(ON_RING, encoding="utf-8")
    for command in (["prove", str(sheet)], ["guarantee", "hold", str(sheet), "--power", "France"]):
        assert run([*command, "--map", str(own), "--certificate", str(tmp_path / "x.zip")]) == 2
        written = capsys.readouterr()
        assert (written.out, "ring is none of them" in written.err) == ("", True)


def test_a_map_of_ones_own_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, sheet = tmp_path / "ring.toml", tmp_path / "sheet.txt"
    own.write_text(RING, encoding="utf-8")
    sheet.write_text(ON_RING, encoding="utf-8")
    assert run(["resolutions", str(sheet), "--map", str(own)]) == 0
    assert run(["resolutions", str(sheet), "--map", str(own), "--certificate", str(tmp_path / "x.zip")]) == 2
    assert "ring is none of them" in capsys.readouterr().err
