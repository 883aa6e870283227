"""Certificates of resolutions: what is written is accepted, and what is not right any more is refused."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from copy import deepcopy
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile

import certify
import msgspec
import pytest
from helpers.ring_map import ON_RING, RING
from helpers.tampering import (
    RESOLUTION_CHANGES,
    accepted_mutants,
    campaign,
    forge,
    packed,
    problems,
    read,
)

from satjudge.apps.cli import run
from satjudge.base.errors import InputError
from satjudge.base.values import replace
from satjudge.notation.documents import Rules
from satjudge.notation.sheet_reader import read_sheets
from satjudge.proofs.verify.certificate import (
    Certificate,
    iter_certificates,
    read_certificates,
    write_bundle,
    write_certificate,
)
from satjudge.proofs.verify.lrat import check_proof_file
from satjudge.proofs.verify.positions import read_rulebook
from satjudge.proofs.verify.verifier import make_verification
from satjudge.world.rules import load_preset, load_rulebook

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
    with ZipFile(again) as made, ZipFile(DOCS / "6.F.14.zip") as kept:  # by other versions, and another zlib
        header, *others = made.namelist()
        assert [header, *others] == kept.namelist()
        assert [made.read(name) for name in others] == [kept.read(name) for name in others]


def test_verifying_needs_no_solver(certificates: dict[str, Path]) -> None:
    blocked = "import sys; sys.modules.update(dict.fromkeys(('ortools', 'pysat', 'pysolvers')))"
    program = f"{blocked}; from satjudge.apps.cli import run; sys.exit(run(sys.argv[1:]))"
    done = subprocess.run([sys.executable, "-c", program, "verify", certificates["6.F.28"]], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


RECIPE = re.search(
    r"pip install (.*)  # all that verifying takes",
    (Path(__file__).parents[2] / "docs" / "guides" / "certificates.md").read_text(encoding="utf-8"),
)


def test_a_verifier_takes_three_packages(tmp_path: Path) -> None:
    """Those that docs/guides/certificates.md says are installed; without one of them, it is told which."""
    assert RECIPE
    root = Path(__file__).resolve().parents[2]
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
        ({"rulebook": "datc-3"}, "A BUR can be supported in place under the rulebook's choices for 4.E.1 and 4.D.9"),
        ({"set": {"4.E.1": "ignored", "4.D.9": "refused"}}, "A BUR can be supported in place"),  # GERMANY gave an order
        ({"unsupportable": ["RUH"]}, "A RUH has an order that counts"),
        ({"unsupportable": ["PAR"]}, "there is no unit in PAR that could be unsupportable"),
        ({"unsupportable": ["BUR", "BUR"]}, "a unit appears twice in the list of unsupportable units"),
        ({"units": ("ITALY", "A BUR")}, "two units in BUR: A BUR of GERMANY and A BUR of ITALY"),
        ({"units": ("ITALY", "F BUR")}, "F BUR of ITALY: a fleet cannot be inland in Burgundy"),
        ({"units": ("FRANCE", "A GAS")}, "two units in GAS"),
        ({"units": ("ITALY", "A ENG")}, "A ENG of ITALY: an army cannot be at sea"),
        ({"units": ("ITALY", "F SPA")}, "F SPA of ITALY: F SPA must name a coast"),
        ({"orders": ("FRANCE", "A GAS S A MAR - BUR")}, "there are two orders for the unit in GAS"),
        ({"orders": ("FRANCE", "A PAR H")}, "“A PAR H” is not an order to a unit on the board"),
        ({"orders": ("GERMANY", "Army Burgundy holds")}, "“Army Burgundy holds” must be written “A BUR H”"),
        ({"permissions": ["A GAS H"]}, "“A GAS H” among the permissions permits no fleet to pass a canal"),
        ({"units": ("Britain", "F LON")}, "the power “Britain” must be written “ENGLAND”"),
        ({"units": ("FR\u0410NCE", "F LON")}, "“FR\u0410NCE” is neither a power of the map nor a name in capital"),
        ({"units": ("ITALY: no units\n", "F LON")}, "“ITALY: no units\n” is neither a power of the map"),
        ({"units": ("", "F LON")}, "“” is neither a power of the map"),
        ({"units": ("ITALY", "French F LON")}, "the unit “French F LON” must be written “F LON”"),
        ({"units": ("ITALY", "the Fleet in London")}, "the unit “the Fleet in London” must be written “F LON”"),
        ({"centers": {"MUN": "Germany"}}, "the power “Germany” must be written “GERMANY”"),
        ({"orders": ("GERMANY", "A BUR S A PIC")}, "“A BUR S A PIC”: there is no A PIC"),
        ({"orders": ("GERMANY", "A BUR S F GAS - MAR")}, "“A BUR S F GAS - MAR”: there is no F GAS"),
        ({"orders": ("GERMANY", "A BUR S A GAS - SPA")}, "“A BUR S A GAS - SPA” is impossible on this map"),
        ({"orders": ("GERMANY", "A BUR - ENG")}, "“A BUR - ENG” is impossible on this map"),
        ({"orders": ("FRANCE", "A BUR H")}, "“A BUR H” is not an order to a unit of FRANCE"),
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


def of(power: str, *orders: str) -> dict[str, Any]:
    """The units and orders of one power."""
    return {"units": {power: [" ".join(order.split()[:2]) for order in orders]}, "orders": {power: [*orders]}}


MEETING_IN_NTH = {
    "units": {"ENGLAND": ["A YOR"], "FRANCE": ["F NTH"], "GERMANY": ["F HEL", "F DEN"]},
    "orders": {
        "ENGLAND": ["A YOR - NTH - EDI"],
        "FRANCE": ["F NTH C A YOR - EDI"],
        "GERMANY": ["F HEL - NTH", "F DEN S F HEL - NTH"],
    },
}
IMPOSSIBLE = "is impossible on this map"


@pytest.mark.parametrize(
    ("stated", "problem"),
    [
        ({"map": "loeb9", "season": "fall", **of("ENGLAND", "F NWG - ARC")}, f"“F NWG - ARC” {IMPOSSIBLE}"),
        ({"map": "loeb9", "season": "fall", **of("ENGLAND", "F ARC - NWG")}, f"“F ARC - NWG” {IMPOSSIBLE}"),
        ({"map": "loeb9", **of("ITALY", "A NAP S A SIC", "A SIC H")}, f"“A NAP S A SIC” {IMPOSSIBLE}"),
        ({"map": "colonial", **of("RUSSIA", "A MOS - TSR - PEK")}, f"“A MOS - TSR - PEK” {IMPOSSIBLE}"),
        ({"map": "colonial", **of("BRITAIN", "A MOS - TSR - VLA")}, f"“A MOS - TSR - VLA” {IMPOSSIBLE}"),
        ({"map": "colonial", **of("RUSSIA", "F VLA - TSR - MOS")}, f"“F VLA - TSR - MOS” {IMPOSSIBLE}"),
        ({"map": "colonial", **of("TURKEY", "F MED S F RED", "F RED H")}, f"“F MED S F RED” {IMPOSSIBLE}"),
        (
            {"map": "colonial", **of("BRITAIN", "A EGY H", "F MED - RED"), "permissions": ["SC F MED - CON"]},
            "“SC F MED - CON” among the permissions: the canal does not lead there",
        ),
        (of("GERMANY", "A MUN - SYR"), f"“A MUN - SYR” {IMPOSSIBLE}"),
        (of("FRANCE", "F MAO C A PAR - SYR", "A PAR H"), f"“F MAO C A PAR - SYR” {IMPOSSIBLE}"),
        (of("FRANCE", "F ENG C F BRE - LON", "F BRE - MAO"), f"“F ENG C F BRE - LON” {IMPOSSIBLE}"),
        (of("FRANCE", "A MAR S F WES - SPA/EC", "F WES - SPA/SC"), f"“A MAR S F WES - SPA/EC” {IMPOSSIBLE}"),
        (
            {**of("FRANCE", "A GAS S F MAO - SPA", "F MAO - SPA/NC"), "set": {"4.B.4": "default-coast"}},
            "“A GAS S F MAO - SPA” is not written in full: it must name a coast, as the rulebook has 4.B.4",
        ),
        (
            {**MEETING_IN_NTH, "set": {"4.A.6": "allowed"}},
            "“A YOR - NTH - EDI” is not written in full: it must name VIA, as the rulebook has 4.A.6",
        ),
    ],
    ids=str,
)
def test_orders_that_mean_something_else_or_nothing_are_refused(
    hold: tuple[dict[str, Any], dict[str, bytes]], stated: dict[str, Any], problem: str
) -> None:
    data, files = deepcopy(hold)
    position = data["claim"]["position"] | {"unsupportable": []}
    position["rulebook"]["settings"] |= {"4.E.1": "ignored", **stated.get("set", {})}
    data["claim"]["position"] = position | {key: value for key, value in stated.items() if key != "set"}
    (found,) = problems(packed(data, files))
    assert found.startswith(f"position: {problem}")


@pytest.mark.parametrize("claimed", [True, False], ids=["verdicts", "no verdicts"])
def test_orders_that_an_oracle_finds_illegal_do_not_count(claimed: bool, tmp_path: Path) -> None:
    """DATC 2.4, 7.B.33: only one unit can use the railroad in a turn. So nothing comes of either order."""
    sheet, made = tmp_path / "sheet.txt", tmp_path / "x.zip"
    sheet.write_text("map: colonial\nRUSSIA\nA MOS - TSR - OMS\nA IRK H\n", encoding="utf-8")
    assert run(["resolutions", str(sheet), "--rules", "datc-2", "--certificate", str(made)]) == 0
    data, files = read(made)
    train = "A IRK - TSR - VLA"
    data["claim"]["position"]["orders"]["RUSSIA"] = orders = ["A MOS - TSR - OMS", train]
    data["claim"]["resolutions"] = [{"succeeds": dict.fromkeys(orders, True)}]
    data["claim"]["verdicts"] = dict.fromkeys(orders, "illegal") if claimed else None
    forge(data, files)
    assert problems(packed(data, files)) == ["verdicts: A MOS - TSR - OMS: this order is illegal according to an oracle"]


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


# ---- outside checkers ----


def test_formulas_are_written_for_outside_checkers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also those that a bundle holds as digests; a second certificate of the name has a folder of its own."""
    bundle, alone = DOCS / "guarantees.zip", DOCS / "6.F.14.zip"
    out = tmp_path / "out"
    assert run(["verify", str(alone), str(bundle), str(alone), "--write-formulas", str(out)]) == 0
    assert f"wrote 1 formula with proofs to {out / '6.F.14'}" in capsys.readouterr().err
    packages = [*iter_certificates(bundle)]
    formulas = sorted(out.glob("**/*.cnf"))
    assert len(formulas) == 2 + sum(len(package.certificate.steps) for package in packages)
    assert all(check_proof_file(formula, formula.with_suffix(".lrat")) for formula in formulas)
    assert (out / "6.F.14-again" / "1.cnf").read_bytes() == (out / "6.F.14" / "1.cnf").read_bytes()
    for package in packages:
        for number, step in enumerate(package.certificate.steps, 1):
            assert not package.has_file(step.formula)
            written = (out / "guarantees" / package.path.stem / f"{number}.cnf").read_bytes()
            assert hashlib.sha256(written).hexdigest() == step.formula.sha256
    assert "lrat-check 1.cnf 1.lrat" in (out / "README.txt").read_text()


def test_formulas_of_another_claim_are_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "other.zip"
    for package in islice(iter_certificates(DOCS / "guarantees.zip"), 1):
        first, *others = package.certificate.steps
        forged = replace(first, formula=replace(first.formula, sha256="0" * 64))
        proofs = {step.proof.name: package.archive.read(step.proof.name) for step in package.certificate.steps}
        write_certificate(replace(package.certificate, steps=[forged, *others]), proofs, file)
    assert run(["verify", str(file), "--write-formulas", str(tmp_path / "out")]) == 1
    assert "these are not the clauses of the claim" in capsys.readouterr().err
    assert not [*(tmp_path / "out").glob("**/*.cnf")]


def test_a_proof_may_be_given_more_memory(capsys: pytest.CaptureFixture[str]) -> None:
    bundle = str(DOCS / "lines-around-powers.zip")
    assert run(["verify", bundle, "--memory", "2"]) == 1
    assert "kept at this point take more memory than 2 MB (allow more with satjudge verify --memory MB" in " ".join(
        capsys.readouterr().out.split()
    )


# ---- the certificates of docs ----

DOCS = Path(__file__).resolve().parents[2] / "docs" / "certificates"
RECIPES = {recipe.name: recipe for recipe in certify.RECIPES}
MADE = {row["name"]: row for row in map(json.loads, (DOCS / "made.jsonl").read_text(encoding="utf-8").splitlines())}


def test_bundles_are_what_the_page_tells() -> None:
    assert (DOCS / "made.md").read_text(encoding="utf-8") == certify.table([*MADE.values()])
    assert [*MADE] == [recipe.name for recipe in certify.RECIPES if recipe.name in MADE]
    assert {name for name, row in MADE.items() if row["shipped"]} == {file.stem for file in DOCS.glob("*.zip")} - {"6.F.14"}
    for name, row in MADE.items():
        assert not row["refused"]
        assert row["commands"] == [*RECIPES[name].commands]
        if row["shipped"]:
            assert hashlib.sha256((DOCS / f"{name}.zip").read_bytes()).hexdigest() == row["sha256"]


CLAIMS = re.search(
    r"^\| claim \| where \| certificates \|\n\|---.*\n((?:\|.*\n)+)",
    (DOCS.parent / "reference" / "certificates.md").read_text(encoding="utf-8"),
    re.M,
)


def test_every_claim_names_its_recipes_or_says_that_it_is_not_certified() -> None:
    """Every recipe is named in the table of docs/reference/certificates.md, and no other; every document of a row is there."""
    assert CLAIMS
    named: set[str] = set()
    for row in CLAIMS[1].splitlines():
        _, claim, where, certificates, _ = re.split(r"\s*\|\s*", row)
        assert re.match(r"recipes? `|not certified[:;, ]", certificates), claim
        assert all((DOCS.parent / "reference" / path).is_file() for path in re.findall(r"\]\(([^)#]+)", where)), claim
        if certificates.startswith("recipe"):
            named |= {*re.findall(r"`([^`]+)`", certificates)}
    assert named == {*RECIPES}


def test_what_is_said_to_be_guaranteed_with_a_certificate_is_a_recipe() -> None:
    """The commands stand on the pages as they stand in the recipe, with the sheets that they read."""
    pages = "".join((DOCS.parent / "guides" / page).read_text(encoding="utf-8") for page in ("prove.md", "guarantee.md"))
    for command in RECIPES["guarantees"].commands:
        assert f"satjudge {command}" in pages
        assert all(read_sheets((DOCS.parents[1] / word).read_text()) for word in command.split() if word.endswith(".txt"))


def refused_in(bundle: Path, most: int | None = None) -> list[str]:
    """The certificates of a bundle that are refused."""
    packages = islice(iter_certificates(bundle), most)
    return [
        str(package.path) for package in packages if any(check.problem for check in make_verification(package).run_checks())
    ]


BUNDLES = [name for name, row in MADE.items() if row["shipped"]]
LARGE = {"differs-legal-with-1"}
"""Bundles whose certificates take seconds each; all of all bundles are verified among the long tests."""


@pytest.mark.parametrize("name", [name for name in BUNDLES if name not in LARGE])
def test_the_first_of_a_bundle_are_accepted(name: str) -> None:
    assert not refused_in(DOCS / f"{name}.zip", 3)


@pytest.mark.slow
def test_all_certificates_of_docs_are_accepted() -> None:
    assert not [refused for file in DOCS.glob("*.zip") for refused in refused_in(file)]


def test_the_verified_checker_has_verified_them_all() -> None:
    log = map(json.loads, (DOCS / "verified.jsonl").read_text(encoding="utf-8").splitlines())
    verified = {(row["cnf"], row["lrat"]) for row in log if not row["problem"]}
    for file in DOCS.glob("*.zip"):
        for package in iter_certificates(file):
            for step in package.certificate.steps:
                assert (step.formula.sha256[:16], step.proof.sha256[:16]) in verified, package.path


@pytest.mark.parametrize("name", MADE)
def test_the_verified_checker_has_verified_what_is_not_shipped(name: str) -> None:
    names = (json.loads(line)["name"].split("/") for line in (DOCS / "verified.jsonl").read_text(encoding="utf-8").splitlines())
    assert len({certificate for bundle, certificate, _ in names if bundle == name}) == MADE[name]["certificates"]


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
    assert "the file is damaged: a part is missing" in capsys.readouterr().err
    (tmp_path / "x.zip").write_bytes(b"something" + (DOCS / "6.F.14.zip").read_bytes())
    assert run(["verify", str(tmp_path / "x.zip")]) == 2


@pytest.mark.parametrize(
    "name",
    [
        "/tmp/other.zip",
        "../other.zip",
        "a.zip: the position has 7 consistent resolutions, and no other\n  accepted\nb.zip",
        ".zip",
    ],
)
def test_a_bundle_tells_no_other_names(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bundle = (DOCS / "6.F.14.zip").read_bytes(), tmp_path / "bundle.zip"
    write_bundle({name: good, "b.zip": good}, bundle)
    assert run(["verify", str(bundle), "--json"]) == 2
    found = json.loads(capsys.readouterr().out)["certificates"]
    assert [(one["file"], one["accepted"]) for one in found] == [(str(bundle), False), (f"{bundle}/b.zip", True)]
    assert found[0]["checks"][0]["problem"].startswith("the archive contains a file with an invalid name: ")


def test_a_bundle_with_one_name_twice_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = (DOCS / "6.F.14.zip").read_bytes()
    with warnings.catch_warnings(), ZipFile(tmp_path / "x.zip", "w") as archive:
        warnings.simplefilter("ignore")
        archive.writestr("a.zip", good)
        archive.writestr("a.zip", good)
    assert run(["verify", str(tmp_path / "x.zip")]) == 2
    assert "the archive contains two files of the same name" in capsys.readouterr().err


def test_a_certificate_of_no_map_leaves_the_others_to_be_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.zip"
    certificates = map(read, iter_certificates(DOCS / "searches-in-regions.zip"))
    data, files = next(one for one in certificates if one[0]["claim"]["type"] == "search")
    data["claim"]["map"] = "nowhere"
    bad.write_bytes(packed(data, files))
    assert run(["verify", str(bad), str(DOCS / "6.F.14.zip"), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["certificates"]
    assert [one["accepted"] for one in found] == [False, True]
    assert found[0]["checks"][0]["problem"].startswith("there is no map named 'nowhere'")


def test_a_large_file_is_not_read_at_once(certificates: dict[str, Path], tmp_path: Path) -> None:
    data, files = read(certificates["6.F.14"])
    for name, found in (("complete.lrat", "completeness: line 1: not a line of numbers: "), ("complete.cnf", "formula: ")):
        large = {**files, name: b"\n" * 40_000_000}
        (tmp_path / "x.zip").write_bytes(packed(deepcopy(data), large))
        tracemalloc.start()
        (problem,) = problems(tmp_path / "x.zip")
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert problem.startswith(found)
        assert most < 20_000_000


@pytest.mark.parametrize("size", [-2, 10**15, 10**30])
def test_a_size_that_no_file_has_is_refused(certificates: dict[str, Path], size: int, tmp_path: Path) -> None:
    data, files = read(certificates["6.F.14"])
    header = json.dumps(data).replace(f'"bytes": {data["steps"][0]["proof"]["bytes"]}', f'"bytes": {size}')
    write_zip(tmp_path / "x.zip", {**files, "certificate.json": header.encode()})
    (problem,) = problems(tmp_path / "x.zip")
    assert problem.startswith("completeness: ")


def test_a_text_that_is_not_utf_8_is_refused(certificates: dict[str, Path], tmp_path: Path) -> None:
    data, files = read(certificates["6.F.14"])
    header = json.dumps({**data, "title": "TITLE"}).encode().replace(b"TITLE", b"\xff")
    write_zip(tmp_path / "x.zip", {**files, "certificate.json": header})
    (found,) = read_certificates(tmp_path / "x.zip")
    assert isinstance(found, InputError)
    assert found.message.startswith("certificate.json: JSON is malformed: not UTF-8")


def test_other_compressions_are_refused(certificates: dict[str, Path], tmp_path: Path) -> None:
    """What is wrong in them is told by errors of many kinds."""
    data, files = read(certificates["6.F.14"])
    write_zip(tmp_path / "x.zip", {**files, "certificate.json": json.dumps(data).encode()}, ZIP_LZMA)
    (found,) = read_certificates(tmp_path / "x.zip")
    assert isinstance(found, InputError)
    assert found.message == "the file is not compressed with “deflate”"


def write_zip(path: Path, files: dict[str, bytes], compression: int = ZIP_DEFLATED) -> None:
    with ZipFile(path, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)


def test_a_title_says_nothing_else(certificates: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It ends where its quotation mark does, and has no lines of its own."""
    data, files = read(certificates["6.F.14"])
    data["title"] = "x”, which is verified\n\n  accepted\n" + "y" * 1000
    (tmp_path / "x.zip").write_bytes(packed(data, files))
    assert run(["verify", str(tmp_path / "x.zip")]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert f"called “x', which is verified accepted {'y' * 169}…”, which is not verified" in told


def test_the_other_files_are_verified_all_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bundle, fifo = str(DOCS / "6.F.14.zip"), tmp_path / "bundle.zip", tmp_path / "pipe"
    write_bundle({"a.zip": b"no zip", "b.zip": Path(good).read_bytes()}, bundle)
    os.mkfifo(fifo)
    assert run(["verify", str(tmp_path / "none.zip"), good, str(bundle), str(fifo), "--json"]) == 2
    written = capsys.readouterr()
    found = json.loads(written.out)["certificates"]
    assert [one["accepted"] for one in found] == [False, True, False, True, False]
    assert [one["checks"][0]["problem"] for one in found] == [
        "there is no such file", "", "not a certificate: File is not a zip file", "", "a certificate must be a regular file"
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
    assert problem.endswith("certificate.json does not mention the file readme.txt")


def test_the_order_is_told_that_cannot_end_so(certificates: dict[str, Path]) -> None:
    data, files = read(certificates["6.C.1"])
    data["claim"]["resolutions"][0]["succeeds"]["A SMY - ANK"] = False
    (problem,) = problems(packed(data, files))
    assert problem.startswith("resolutions: resolution 1 is not consistent: the equation of ")


# ---- settings that a certificate does not mention ----

OPTIONS = load_rulebook("datc-3").settings()
"""Each option of the rulebook whose choices are those that held before there was such an option."""


def stated_rules(claim: dict[str, Any]) -> Iterator[dict[str, str]]:
    """The settings of each rulebook of a claim."""
    for rules in claim.get("rulebooks") or [claim.get("position", claim)["rulebook"]]:
        yield rules["settings"]


@pytest.mark.parametrize("bundle", ["6.F.14", "lines", "guarantees", "searches-in-regions"])
def test_a_certificate_from_before_there_was_an_option_is_accepted(bundle: str, tmp_path: Path) -> None:
    """Its formulas, proofs and digests are those of then."""
    certificate = tmp_path / "x.zip"
    for package in islice(iter_certificates(DOCS / f"{bundle}.zip"), 2):
        data, files = read(package)
        for settings in stated_rules(data["claim"]):
            assert settings.pop("4.E.1.via") == OPTIONS["4.E.1.via"]
            assert settings.pop("4.B.3") == OPTIONS["4.B.3"]
        write_certificate(msgspec.convert(data, Certificate), files, certificate)
        assert not problems(certificate)


@pytest.mark.parametrize("issue", OPTIONS)
def test_each_option_may_be_missing_where_its_default_is_meant(certificates: dict[str, Path], issue: str) -> None:
    data, files = read(certificates["6.C.1"])
    (settings,) = stated_rules(data["claim"])
    assert settings.pop(issue) == OPTIONS[issue]
    assert not problems(packed(data, files))


@pytest.mark.parametrize(
    ("rules", "issue"), [("1971", "4.A.2"), ("1982", "4.A.2"), ("datc-3 with 4.A.2=all-hold", "4.A.2"), ("guide-1998", "4.A.5")]
)
def test_an_option_that_is_missing_where_another_choice_is_meant_is_told_as_its_default(rules: str, issue: str) -> None:
    stated = load_preset(rules)
    settings = {one: value for one, value in stated.settings().items() if one != issue}
    read_again = read_rulebook(Rules(stated.name, stated.title, settings))
    assert read_again.settings() == settings | {issue: OPTIONS[issue]}


def test_a_proof_under_another_choice_than_the_default_is_refused_without_it(tmp_path: Path) -> None:
    certificate = tmp_path / "x.zip"
    assert run(["resolutions", "datc:6.F.14", "--rules", "1982", "--certificate", str(certificate)]) == 0
    data, files = read(certificate)
    assert not problems(packed(data, files))
    (settings,) = stated_rules(data["claim"])
    assert settings.pop("4.A.2") == "1982"
    assert problems(packed(data, files))


@pytest.mark.parametrize("setting", [{"5.B.2": "never"}, {"4.A.2": "brannan"}, {"4.A.2": "Szykman"}, {"4.A.2": ""}, {"": ""}])
def test_an_option_or_a_choice_that_is_not_known_is_refused(certificates: dict[str, Path], setting: dict[str, str]) -> None:
    data, files = read(certificates["6.C.1"])
    (settings,) = stated_rules(data["claim"])
    settings |= setting
    (found,) = problems(packed(data, files))
    assert found.startswith("position: ")


# ---- tampering ----


@pytest.mark.parametrize("case", CASES)
def test_no_mutant_is_accepted_that_is_wrong(certificates: dict[str, Path], case: str) -> None:
    assert accepted_mutants(certificates[case], RESOLUTION_CHANGES, range(20)) < 10


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(10))
def test_no_mutant_of_ten_thousand_is_accepted_that_is_wrong(part: int) -> None:
    """`python tests/helpers/tampering.py` writes the table of docs/certificates/tampering.md."""
    found, wrong = campaign(range(1000 * part, 1000 * (part + 1)))
    assert not wrong
    assert found.total() == 1000


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
    assert problems(packed(data, files)) == ["verdicts: the claim must have exactly one verdict for each order of the position"]


def test_verdicts_that_nothing_can_judge_are_refused(certificates: dict[str, Path], tmp_path: Path) -> None:
    """Under rules of one's own no oracle knows what becomes of a paradox."""
    certificate = tmp_path / "x.zip"
    run(["resolutions", "datc:6.F.14", "--set", "4.A.2=all-hold", "--certificate", str(certificate)])
    data, files = read(certificate)
    assert data["claim"]["verdicts"] is None
    assert not problems(certificate)
    data["claim"]["verdicts"] = read(certificates["6.F.14"])[0]["claim"]["verdicts"]
    assert problems(packed(data, files)) == ["verdicts: the claimed verdicts cannot be checked"]


def test_a_line_on_a_map_of_ones_own_is_refused_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, sheet = tmp_path / "ring.toml", tmp_path / "sheet.txt"
    own.write_text(RING, encoding="utf-8")
    sheet.write_text(ON_RING, encoding="utf-8")
    for command in (["prove", str(sheet)], ["guarantee", "hold", str(sheet), "--power", "France"]):
        assert run([*command, "--map", str(own), "--certificate", str(tmp_path / "x.zip")]) == 2
        written = capsys.readouterr()
        assert (written.out, "ring is not one of them" in written.err) == ("", True)


def test_a_map_of_ones_own_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, sheet = tmp_path / "ring.toml", tmp_path / "sheet.txt"
    own.write_text(RING, encoding="utf-8")
    sheet.write_text(ON_RING, encoding="utf-8")
    assert run(["resolutions", str(sheet), "--map", str(own)]) == 0
    assert run(["resolutions", str(sheet), "--map", str(own), "--certificate", str(tmp_path / "x.zip")]) == 2
    assert "ring is not one of them" in capsys.readouterr().err
