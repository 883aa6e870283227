"""Changes certificates at random, as somebody would who knows the format: all digests are right again.

`python tests/helpers/tampering.py` changes certificates of docs/certificates 10,000 times, and writes what `satjudge verify`
says of that to docs/certificates/tampering.md. Whoever forges a certificate may also have a solver: of most claims that are
changed there is a second mutant whose formulas are those of the new claim, with proofs wherever there are any.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from functools import cache
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

import msgspec
import pysolvers
from pysat.solvers import Cadical153, Cadical195

from satjudge.base.errors import InputError, SatjudgeError, UnresolvedError
from satjudge.judging.judge import judge
from satjudge.judging.legality import judge_orders_alone, make_docket
from satjudge.proofs.certificates.lrat_proofs import SatisfiableError, trim_proof
from satjudge.proofs.verify.certificate import (
    Certificate,
    CertificateFile,
    Clause,
    FewestClaim,
    GuaranteeClaim,
    LineClaim,
    Resolution,
    ResolutionsClaim,
    SearchClaim,
    describe_file,
    iter_certificates,
    write_certificate,
)
from satjudge.proofs.verify.fewest_lines import read_line_space, read_listed_lines
from satjudge.proofs.verify.lines import OWN, list_assumptions, read_line
from satjudge.proofs.verify.positions import ParsedPosition
from satjudge.proofs.verify.resolutions import hide_retreats
from satjudge.proofs.verify.searches import RESOLUTION_GOALS
from satjudge.proofs.verify.verifier import ClaimWithFormulas, make_formulas, make_verification
from satjudge.search.lines.line import EnemyUnit, Limit
from satjudge.search.lines.line import Line as FirstLine
from satjudge.search.lines.line_search import find_smallest_lines
from satjudge.search.lines.prove import examine_line, list_threats
from satjudge.search.task import LinesTask
from satjudge.world.geography import UnitKind, load_map, shipped_maps
from satjudge.world.orders import Hold, Move, Order, Permission, SupportHold
from satjudge.world.rules import load_rulebook, preset_names

Files = dict[str, bytes]
Data = dict[str, Any]
REWRITTEN = ("search", "guarantee", "lines")
"""Claims whose formulas a certificate does not hold: mutants have the digests of those that their claims come to."""
DOCS = Path(__file__).resolve().parents[2] / "docs" / "certificates"


def read(source: Path | CertificateFile) -> tuple[Data, Files]:
    """A certificate as plain data, and its files."""
    with nullcontext(source.archive) if isinstance(source, CertificateFile) else ZipFile(source) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    return json.loads(files.pop("certificate.json")), files


def packed(data: Data, files: Files) -> bytes:
    """The certificate as a file, with the digests that its files have now, or that the clauses of its claim have."""
    if data["claim"]["type"] in REWRITTEN:
        write_formulas_anew(data)
    for step in data["steps"]:
        for part in ("formula", "proof"):
            name = step[part]["name"]
            if name in files:
                step[part] = msgspec.to_builtins(describe_file(name, files[name]))
    written = BytesIO()
    write_certificate(msgspec.convert(data, Certificate), files, written)
    return written.getvalue()


def write_formulas_anew(data: Data) -> None:
    """Have the formulas that are not held be those of the claim, if it has any."""
    with suppress(SatjudgeError):
        formulas = make_formulas(msgspec.convert(data["claim"], ClaimWithFormulas))
        for step, clauses in zip(data["steps"], formulas, strict=False):
            step["formula"] = msgspec.to_builtins(describe_file(step["formula"]["name"], clauses.text.encode()))


def problems(content: bytes | Path) -> list[str]:
    """What the verification of a certificate finds wrong: the check, and why it fails."""
    path = content if isinstance(content, Path) else Path("tampered.zip")
    try:
        with ZipFile(content if isinstance(content, Path) else BytesIO(content)) as archive:
            checks = make_verification(CertificateFile(archive, path)).run_checks()
            return [f"{check.name}: {check.problem}" for check in checks if check.problem]
    except (InputError, BadZipFile, NotImplementedError) as error:
        return [f"file: {error}"]


def written_proof(clauses: Sequence[Clause]) -> list[bytes]:
    """In the place of that of `satjudge.proofs.certificates.lrat_proofs`. Raises `SatisfiableError`, too."""
    if (proof := solver_proof(clauses)) is None:
        raise SatisfiableError("the clauses can all hold")
    return proof


Change = Callable[[random.Random, Data, Files], Callable[[bytes], bytes] | None]
"""Changes a certificate; or tells how to change the file that it is."""


def tampered(data: Data, files: Files, seed: int, changes: Sequence[Change]) -> tuple[str, bytes]:
    """What was done, and the certificate after it."""
    draw = random.Random(seed)
    data, files = json.loads(json.dumps(data)), dict(files)
    change = draw.choice(changes)
    of_file = change(draw, data, files)
    name = change.__name__.replace("_", " ")
    if change in CLAIM_CHANGES and data["claim"]["type"] not in REWRITTEN and draw.random() < 0.6:
        with suppress(SatjudgeError, msgspec.ValidationError):
            forge(data, files)
            name += ", forged"
    content = packed(data, files)
    return name, of_file(content) if of_file else content


def accepted_mutants(certificate: Path, changes: Sequence[Change], seeds: Iterable[int]) -> int:
    """Count the changed certificates that are accepted, of which none may be wrong."""
    mutants = [tampered(*read(certificate), seed, changes) for seed in seeds]
    accepted = [(change, content) for change, content in mutants if not problems(content)]
    assert not [change for change, content in accepted if judgement(content) == WRONG]
    return len(accepted)


def forge(data: Data, files: Files) -> None:
    """Write the formulas that the claim comes to, and proofs of those that have one. Raises `SatjudgeError` for no claim."""
    claim = msgspec.convert(data, Certificate).claim
    if isinstance(claim, ResolutionsClaim):
        position = ParsedPosition(claim.position)
        for one in data["claim"]["resolutions"]:
            one["succeeds"] = {order: one["succeeds"].get(order, False) for order in position.literals}
        listed = [Resolution(one["succeeds"]) for one in data["claim"]["resolutions"]]
        formulas = {"complete": position.encode_further_resolution(listed)}
    elif isinstance(claim, LineClaim):
        formulas = {**read_line(claim).sieges}
        data["claim"]["unreachable"] = sorted(set(claim.protected) - formulas.keys())
        data["assumptions"] = [*list_assumptions(claim, read_line(claim))]
    else:
        return
    proved = {step["formula"]["name"]: step for step in data["steps"]}
    data["steps"] = []
    for name, clauses in formulas.items():
        files[f"{name}.cnf"] = "".join(f"{line}\n" for line in clauses.iter_lines()).encode()
        if proof := solver_proof(clauses.clauses):
            lines = trim_proof(len(clauses.clauses), proof)
            files[f"{name}.lrat"] = "".join(f"{line}\n" for line in lines).encode()
        step = proved.get(f"{name}.cnf") or {
            "proves": name,
            "formula": {"name": f"{name}.cnf"},
            "proof": {"name": f"{name}.lrat"},
        }
        if f"{name}.lrat" in files:
            data["steps"].append(step)


def solver_proof(clauses: Sequence[Sequence[int]]) -> list[bytes] | None:
    """What the program of `proofs.certificates` writes, without the time that a process takes; None if they can hold."""
    with TemporaryFile() as file, Cadical195() as solver:
        solver.configure({"lrat": 1, "binary": 0})
        solver.prfile, solver.prfp = file, pysolvers.cadical195_tracepr(solver.cadical, file)
        for clause in clauses:
            solver.add_clause(clause)
        if solver.solve():
            return None
        pysolvers.flushpr(solver.prfp)
        file.seek(0)
        return file.read().splitlines()


def omit_resolution(draw: random.Random, data: Data, files: Files) -> None:
    """An answer less."""
    if data["claim"]["resolutions"]:
        data["claim"]["resolutions"].pop(draw.randrange(len(data["claim"]["resolutions"])))


def flip_order(draw: random.Random, data: Data, files: Files) -> None:
    """An order of an answer that ends otherwise."""
    if data["claim"]["resolutions"]:
        succeeds = draw.choice(data["claim"]["resolutions"])["succeeds"]
        if succeeds:
            order = draw.choice(sorted(succeeds))
            succeeds[order] = not succeeds[order]


def repeat_resolution(draw: random.Random, data: Data, files: Files) -> None:
    """An answer twice."""
    if data["claim"]["resolutions"]:
        data["claim"]["resolutions"].append(draw.choice(data["claim"]["resolutions"]))


def change_setting(draw: random.Random, data: Data, files: Files) -> None:
    """Another value of an option."""
    settings = data["claim"]["position"]["rulebook"]["settings"]
    issue = draw.choice(sorted(settings))
    settings[issue] = draw.choice(["unordered", "all", "explicit", "never", "last-fleet", "1971", "hold", "ignored"])


def change_order(draw: random.Random, data: Data, files: Files) -> None:
    """Another order, or one less, in the position."""
    orders = {power: given for power, given in data["claim"]["position"]["orders"].items() if given}
    if not orders:
        return
    power = draw.choice(sorted(orders))
    number = draw.randrange(len(orders[power]))
    if draw.random() < 0.5:
        orders[power].pop(number)
    else:
        order, _, _ = orders[power][number].rpartition(" ")
        orders[power][number] = f"{order} {draw.choice(['NTH', 'LON', 'ENG', 'BEL', 'TUN'])}"


def change_owner(draw: random.Random, data: Data, files: Files) -> None:
    """A unit with its order of another power."""
    position = data["claim"]["position"]
    power, other = draw.choice(sorted(position["units"])), draw.choice(["TURKEY", "ENGLAND", "FRANCE"])
    unit = draw.choice(position["units"][power])
    position["units"][power].remove(unit)
    position["units"].setdefault(other, []).append(unit)
    for order in [order for order in position["orders"].get(power, []) if order.startswith(unit)]:
        position["orders"][power].remove(order)
        position["orders"].setdefault(other, []).append(order)


def change_line(draw: random.Random, data: Data, files: Files) -> None:
    """A line of a file changed, dropped, doubled or swapped with another."""
    name = draw.choice(sorted(files))
    lines = files[name].decode().splitlines()
    if not lines:
        return
    at, kind = draw.randrange(len(lines)), draw.randrange(5)
    if kind == 0:
        words = lines[at].split(" ")
        word = draw.randrange(len(words))
        words[word] = draw.choice(["1", "-1", "2", "-2", "3", "0", "7", words[word].lstrip("-"), "-" + words[word]])
        lines[at] = " ".join(words)
    elif kind == 1:
        lines.pop(at)
    elif kind == 2:
        lines.insert(at, lines[at])
    elif kind == 3:
        other = draw.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    else:
        del lines[at:]
    files[name] = "".join(f"{line}\n" for line in lines).encode()


def swap_files(draw: random.Random, data: Data, files: Files) -> None:
    """The content of one file in another."""
    one, other = draw.sample(sorted(files), 2)
    files[one], files[other] = files[other], files[one]


def drop_step(draw: random.Random, data: Data, files: Files) -> None:
    """A step less, or in the other order."""
    if draw.random() < 0.5:
        data["steps"].reverse()
    else:
        data["steps"].pop(draw.randrange(len(data["steps"])))


def change_verdict(draw: random.Random, data: Data, files: Files) -> None:
    """An order that comes to something else in the end, or of which nothing is said."""
    verdicts = data["claim"]["verdicts"]
    if verdicts:
        order = draw.choice(sorted(verdicts))
        verdicts[order] = draw.choice(["succeeds", "fails", "cut", "given", "invalid", verdicts[order] + ", dislodged"])
        if draw.random() < 0.3:
            del verdicts[order]


def change_formula(draw: random.Random, data: Data, files: Files) -> None:
    """Another clause in the place of one."""
    name = draw.choice([name for name in sorted(files) if name.endswith(".cnf")])
    lines = files[name].decode().splitlines()
    clauses = [at for at, line in enumerate(lines) if line[0] in "-0123456789"]
    lines[draw.choice(clauses)] = " ".join([*draw.sample(["1", "-1", "2", "-2"], 2), "0"])
    files[name] = "".join(f"{line}\n" for line in lines).encode()


# ---- of every kind ----


def truncate(draw: random.Random, data: Data, files: Files) -> Callable[[bytes], bytes]:
    """A file that is cut off."""
    return lambda content: content[: draw.randrange(len(content))]


def damage(draw: random.Random, data: Data, files: Files) -> Callable[[bytes], bytes]:
    """A byte of the file that is another one."""

    def damaged(content: bytes) -> bytes:
        at = draw.randrange(len(content))
        return content[:at] + bytes([draw.randrange(256)]) + content[at + 1 :]

    return damaged


def bomb(draw: random.Random, data: Data, files: Files) -> Callable[[bytes], bytes] | None:
    """A file that unpacks to much, or says that it does."""
    kind = draw.randrange(3)
    if kind == 0:
        data["steps"][0]["proof"]["bytes"] = 10**12
        files[data["steps"][0]["proof"]["name"] + "x"] = files.pop(data["steps"][0]["proof"]["name"])
    elif kind == 1:
        files[data["steps"][0]["formula"]["name"]] += b"c\n" * 1_000_000
    else:
        return lambda _: _zipped("certificate.json", b" " * 51_000_000)
    return None


def _zipped(name: str, content: bytes) -> bytes:
    written = BytesIO()
    with ZipFile(written, "w", ZIP_DEFLATED) as archive:
        archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)
    return written.getvalue()


@cache
def others(kind: str) -> list[tuple[Data, Files]]:
    """Certificates of that kind of claim to take parts of."""
    bundle = DOCS / ("lines.zip" if kind == "line" else "cores.zip")
    return [read(package) for package in iter_certificates(bundle)][:20]


def foreign_proof(draw: random.Random, data: Data, files: Files) -> None:
    """A proof of something else."""
    _, theirs = draw.choice(others(data["claim"]["type"]))
    proofs = [name for name in sorted(theirs) if name.endswith(".lrat")]
    files[draw.choice(data["steps"])["proof"]["name"]] = theirs[draw.choice(proofs)]


def foreign_formula(draw: random.Random, data: Data, files: Files) -> None:
    """A formula of something else, with its proof."""
    theirs, content = draw.choice(others(data["claim"]["type"]))
    mine, other = draw.choice(data["steps"]), draw.choice(theirs["steps"])
    for part in ("formula", "proof"):
        files[mine[part]["name"]] = content[other[part]["name"]]


def foreign_claim(draw: random.Random, data: Data, files: Files) -> None:
    """The claim of another certificate."""
    theirs, _ = draw.choice(others(data["claim"]["type"]))
    data["claim"] = json.loads(json.dumps(theirs["claim"]))


def other_rulebook(draw: random.Random, data: Data, files: Files) -> None:
    """Another rulebook as a whole."""
    rulebook = load_rulebook(draw.choice(preset_names()))
    place = data["claim"].get("position", data["claim"])
    place["rulebook"] = {"name": rulebook.name, "title": rulebook.title, "settings": rulebook.settings()}


def change_unsupportable(draw: random.Random, data: Data, files: Files) -> None:
    """A unit more, or less, that takes no support in place though it has no order."""
    position = data["claim"]["position"]
    units = [unit.split()[1].partition("/")[0] for those in position["units"].values() for unit in those]
    ordered = {order.split()[1].partition("/")[0] for given in position["orders"].values() for order in given}
    listed = position["unsupportable"]
    if listed and draw.random() < 0.3:
        listed.pop(draw.randrange(len(listed)))
    else:
        listed.append(draw.choice([*units, *(set(units) - ordered or ["BUR"])]))
        listed.sort()


def change_units(draw: random.Random, data: Data, files: Files) -> None:
    """A unit more, or in the place of another."""
    units = data["claim"]["position"]["units"]
    those = units.setdefault(draw.choice([*sorted(units), "ITALY"]), [])
    if those and draw.random() < 0.5:
        those.pop(draw.randrange(len(those)))
    if draw.random() < 0.7:
        those.append(draw.choice(["A BUR", "F ENG", "A MOS", "F MOS", "F STP", "A TYS", "F SPA/NC", "F STP/SC", *those]))


def change_season(draw: random.Random, data: Data, files: Files) -> None:
    """Another season, or none."""
    position = data["claim"]["position"]
    position["season"] = draw.choice([season for season in (None, "spring", "fall") if season != position.get("season")])


def change_permissions(draw: random.Random, data: Data, files: Files) -> None:
    """A fleet less that may pass a canal, or one more."""
    listed = data["claim"]["position"]["permissions"]
    if listed and draw.random() < 0.5:
        listed.pop(draw.randrange(len(listed)))
    else:
        listed.append(draw.choice(["SC F MED - RED", "SC F RED - MED", "SC F MED - ARS", "A PAR H", *listed]))


def change_map(draw: random.Random, data: Data, files: Files) -> None:
    """Another map."""
    position = data["claim"]["position"]
    position["map"] = draw.choice([name for name in shipped_maps() if name != position["map"]])


def change_centers(draw: random.Random, data: Data, files: Files) -> None:
    """A centre of somebody else, or of nobody."""
    centers = data["claim"]["position"].setdefault("centers", {})
    if centers and draw.random() < 0.3:
        del centers[draw.choice(sorted(centers))]
    else:
        centers[draw.choice([*sorted(centers), "PAR", "MOS", "BUR", "OMS"])] = draw.choice(["TURKEY", "RUSSIA", "FRANCE"])


COMMON: list[Change] = [
    truncate, damage, bomb, foreign_proof, foreign_formula, foreign_claim, other_rulebook, change_line, change_line,
    change_line, swap_files, drop_step, change_formula,
]  # fmt: skip
RESOLUTION_CHANGES: list[Change] = [
    *COMMON, omit_resolution, omit_resolution, flip_order, repeat_resolution, change_setting, change_order, change_order,
    change_owner, change_verdict, change_verdict, change_unsupportable, change_unsupportable, change_units, change_units,
    change_season, change_permissions, change_map, change_centers,
]  # fmt: skip


# ---- lines ----


def protect_less(draw: random.Random, data: Data, files: Files) -> None:
    """A protected province less."""
    claim = data["claim"]
    gone = draw.choice(claim["protected"])
    for places in (claim["protected"], claim["unreachable"]):
        if gone in places:
            places.remove(gone)


def protect_more(draw: random.Random, data: Data, files: Files) -> None:
    """A protected province more, perhaps one that no enemy is said to reach."""
    more = draw.choice(["BUR", "GAS", "TYS", "APU", "POR", "WAL"])
    for places in (data["claim"]["protected"], data["claim"]["unreachable"])[: draw.choice((1, 2))]:
        if more not in places:
            places.append(more)
            places.sort()


def lose_enemies(draw: random.Random, data: Data, files: Files) -> None:
    """Enemies that cannot be any more, which nothing tells."""
    enemies = data["claim"]["enemies"]
    for enemy in draw.sample(enemies, min(len(enemies), draw.choice((1, 1, 20)))):
        enemies.remove(enemy)


def gain_enemy(draw: random.Random, data: Data, files: Files) -> None:
    """Another enemy."""
    data["claim"]["enemies"].append(draw.choice(["A BUR", "F TYS", "F MAO", "A LON", "A ROM", "F SPA/NC", "F BUR"]))


def change_bound(draw: random.Random, data: Data, files: Files) -> None:
    """More enemies, or fewer, of all or of some."""
    claim = data["claim"]
    if claim["limits"] and draw.random() < 0.4:
        limit = draw.choice(claim["limits"])
        limit["most"] += draw.choice((-1, 1))
    elif draw.random() < 0.3:
        claim["fleets"] = draw.choice((None, 0, 1))
    else:
        claim["most"] += draw.choice((-1, 1, 20))


def change_restrictions(draw: random.Random, data: Data, files: Files) -> None:
    """Words that are not told any more, or others."""
    data["claim"]["restrictions"] = draw.choice([[], [""], ["without: F VEN"]])


def change_line_order(draw: random.Random, data: Data, files: Files) -> None:
    """A unit of the line that does something else, or stands elsewhere."""
    orders = data["claim"]["orders"]
    number = draw.randrange(len(orders))
    unit = " ".join(orders[number].split()[:2])
    orders[number] = draw.choice([f"{unit} H", f"{unit} S A PAR", f"{unit} - BUR", f"{unit} S A LON", f"{unit} S A ROM"])
    if draw.random() < 0.3:
        data["claim"]["units"][number] = draw.choice(["A NAP", "F MAR", "A WAL"])


def swap_steps(draw: random.Random, data: Data, files: Files) -> None:
    """The steps of one province for another."""
    one, other = (draw.randrange(len(data["steps"])) for _ in range(2))
    data["steps"][one], data["steps"][other] = data["steps"][other], data["steps"][one]


def change_rules(draw: random.Random, data: Data, files: Files) -> None:
    """Another value of an option."""
    claim = data["claim"]
    settings = claim["rulebooks" if "rulebooks" in claim else "rulebook"]
    settings = (settings[0] if isinstance(settings, list) else settings)["settings"]
    settings[draw.choice(sorted(settings))] = draw.choice(["unordered", "all", "explicit", "never", "1971", "hold", "ignored"])


LINE_CHANGES: list[Change] = [
    *COMMON, protect_less, protect_more, lose_enemies, gain_enemy, change_bound, change_bound, change_restrictions,
    change_line_order, change_line_order, swap_steps, change_rules,
]  # fmt: skip
# ---- searches ----


def change_region(draw: random.Random, data: Data, files: Files) -> None:
    """A province more, or less."""
    region = data["claim"]["region"]
    if draw.random() < 0.6:
        region[:] = sorted({*region, draw.choice(["IRI", "PIC", "NTH", "MAO", "BEL"])})
    else:
        region.pop(draw.randrange(len(region)))


def change_most(draw: random.Random, data: Data, files: Files) -> None:
    """More units, or fewer."""
    data["claim"]["most"] += draw.choice((1, 1, 2, -1))


def change_goal(draw: random.Random, data: Data, files: Files) -> None:
    """Another goal; of a core, another shape: with as many units as these take, other goals are beyond any formula."""
    shapes = ["1C1M1S-2r-21451013", "1C1M1S-0r-81281ad4", "2C2M2S-2r-953f799b", "2C2M2S-0r-35c014aa", "7M-2r-50f8c073"]
    of_core = data["claim"]["goal"].startswith("core:")
    data["claim"]["goal"] = draw.choice([f"core:{shape}" for shape in shapes] if of_core else sorted(RESOLUTION_GOALS))


SEARCH_CHANGES: list[Change] = [
    change_region, change_region, change_most, change_goal, change_line, change_line, drop_step, swap_steps, change_rules,
]  # fmt: skip


def change_lines(draw: random.Random, data: Data, files: Files) -> None:
    """A line less, or one with another order, another unit or another province that it protects."""
    lines = data["claim"]["lines"]
    if not lines:
        return
    line, kind = draw.choice(lines), draw.randrange(4)
    if kind == 0:
        lines.remove(line)
    elif kind == 1:
        number = draw.randrange(len(line["orders"]))
        line["orders"][number] = f"{line['units'][number]} {draw.choice(['H', 'S F MAO', 'S A SPA', 'S F AEG'])}"
    elif kind == 2:
        line["units"].append("F WES")
        line["orders"].append("F WES H")
        line["protected"] = sorted({*line["protected"], "WES"})
    else:
        line["protected"] = sorted({*line["protected"]} ^ {draw.choice(["POR", "LON", "SPA", "TUN"])})


def change_wanted(draw: random.Random, data: Data, files: Files) -> None:
    """Another goal, or other conditions."""
    claim = data["claim"]
    goals = [
        "centers=33",
        "centers=32",
        "centers>=33",
        "centers<=33",
        "outside:POR",
        "outside:TRI",
        "protect:POR",
        "not-all:POR",
    ]
    kind = draw.randrange(5)
    if kind < 2:
        parts = draw.sample(goals, 2)
        claim["goal"] = draw.choice([parts[0], " and ".join(parts)])
    elif kind == 2:
        claim["feeds"] = not claim["feeds"]
    elif kind == 3:
        claim["pockets"] = not claim["pockets"]
    else:
        claim["missing"] = draw.choice([[], ["F POR"], ["A POR", "F POR"], ["F MAO", "F ENG"]])


FEWEST_CHANGES: list[Change] = [
    change_region, change_most, change_most, change_lines, change_lines, change_lines, change_wanted, change_wanted,
    change_line, drop_step,
]  # fmt: skip


def change_wish(draw: random.Random, data: Data, files: Files) -> None:
    """Another wish."""
    wishes = ["occupied:ENG=ENGLAND", "not occupied:LON", "dislodged:ENG", "not dislodged:LON", "occupied:LON or dislodged:LON"]
    data["claim"]["goal"] = draw.choice(wishes)


def change_own_order(draw: random.Random, data: Data, files: Files) -> None:
    """Another order of an own unit."""
    orders = data["claim"]["orders"]
    number = draw.randrange(len(orders))
    unit = " ".join(orders[number].split()[:2])
    orders[number] = f"{unit} {draw.choice(['H', '- ENG', '- NTH', '- WAL', 'S F WAL - ENG', 'S F LON'])}"


def change_unit(draw: random.Random, data: Data, files: Files) -> None:
    """A unit less, more, or elsewhere."""
    units = data["claim"]["units"]
    those = units[draw.choice(sorted(units))]
    if draw.random() < 0.5:
        those.append(draw.choice(["F IRI", "A PIC", "F NTH", "F MAO"]))
    else:
        those.pop(draw.randrange(len(those)))


GUARANTEE_CHANGES: list[Change] = [
    change_wish, change_own_order, change_own_order, change_unit, change_unit, change_line, drop_step, swap_steps, change_rules,
]  # fmt: skip

CLAIM_CHANGES: list[Change] = [
    omit_resolution, flip_order, change_setting, change_order, change_owner, change_verdict, foreign_claim, other_rulebook,
    change_unsupportable, change_units, change_season, change_permissions, change_map, change_centers,
    protect_less, protect_more, lose_enemies, gain_enemy, change_bound, change_restrictions, change_line_order, change_rules,
]  # fmt: skip
"""After which somebody might write formulas and proofs anew; of searches that is always done."""
CHANGES = {
    "resolutions": RESOLUTION_CHANGES,
    "line": LINE_CHANGES,
    "lines": FEWEST_CHANGES,
    "search": SEARCH_CHANGES,
    "guarantee": GUARANTEE_CHANGES,
}


# ---- what is right is decided by satjudge itself ----

RIGHT, WRONG, ASSUMED = "right", "wrong", "wrong in what is assumed"


def has_none(claim: SearchClaim | GuaranteeClaim) -> bool:
    """Whether no board has what is claimed of none, as a solver says: no formula of the claim has a solution."""
    return not any(_can_hold(clauses.clauses) for clauses in make_formulas(claim))


def judgement(content: bytes) -> str:
    """Whether what a certificate claims is so, or else whether only an order among those that should count is illegal."""
    with ZipFile(BytesIO(content)) as archive:
        claim = CertificateFile(archive, Path("tampered.zip")).certificate.claim
    if isinstance(claim, LineClaim):
        return RIGHT if _line_holds(claim) else WRONG
    if isinstance(claim, SearchClaim | GuaranteeClaim):  # there is nothing to be decided but whether the clauses can hold
        return RIGHT if has_none(claim) else WRONG
    if isinstance(claim, FewestClaim):
        return RIGHT if _fewest_are(claim) else WRONG
    position = ParsedPosition(claim.position)
    orders: dict[str, list[Order]] = {power: [*given] for power, given in position.orders.items()}
    keepers = {canal.name: canal.keeper for canal in position.board.map.canals}
    for permission in position.permissions:
        orders.setdefault(position.board.unit_at[keepers[permission.canal]].power, []).append(permission)
    docket = make_docket(position.board, orders, position.rulebook)
    if any(entry.reason for given in docket.entries.values() for entry in given):
        return ASSUMED
    orders = with_illegal_orders(position, orders)
    if make_docket(position.board, orders, position.rulebook).unsupportable != frozenset(claim.position.unsupportable):
        return WRONG
    return RIGHT if _resolutions_are(claim, position, orders) else WRONG


def with_illegal_orders(position: ParsedPosition, orders: Mapping[str, Sequence[Order]]) -> dict[str, list[Order]]:
    """The orders, and illegal ones that make those units unsupportable that are told to be, and no others, if any do."""
    board, rules = position.board, position.rulebook
    found: dict[str, list[Order]] = {power: [*given] for power, given in orders.items()}
    ordered = {province for province in board.unit_at if province in position.by_province}
    for unit in board.units:
        listed = unit.province in position.position.unsupportable
        if listed and unit.province not in ordered:
            moves = [Move(unit.named, province) for province in board.map.provinces]
            moved = (move for move in moves if judge_orders_alone(board, unit.power, [move], rules)[0].counts_as_move)
            found.setdefault(unit.power, []).extend(islice(moved, 1))
        elif not listed and not found.get(unit.power):  # which is no move, but keeps the power out of civil disorder
            found[unit.power] = [SupportHold(unit.named, unit.named)]
    return found


def _can_hold(clauses: Sequence[Clause]) -> bool:
    with Cadical153(bootstrap_with=clauses) as solver:
        return solver.solve() is True


def _unit(order: object) -> str:
    """The unit of an order, as the order is written: `F MAR`."""
    return " ".join(str(order).split()[:2])


def _resolutions_are(claim: ResolutionsClaim, position: ParsedPosition, orders: Mapping[str, Sequence[Order]]) -> bool:
    verdicts: dict[str, str] = {}
    try:
        outcome = judge(position.board, orders, rulebook=position.rulebook)
        found = outcome.adjudication.resolutions
        entries = [one for one in chain.from_iterable(outcome.judged.values()) if not isinstance(one.order, Permission)]
        verdicts = {str(one.order): hide_retreats(str(one.verdict)) for one in entries if not one.reason}
    except UnresolvedError as error:
        found = error.resolutions
    decisions = found.situation.order_decisions
    judged = [
        {_unit(decision.order): values[decision.index] for decision in decisions} for values in found.list_first(found.count)
    ]
    # Named by unit, as a ruling may drop the coast of an order. Of trains satjudge decides stages: the verdict tells of them.
    moved = {_unit(decision.order) for decision in decisions}
    claimed = [{_unit(order): value for order, value in one.succeeds.items()} for one in claim.resolutions]
    listed = [{unit: value for unit, value in one.items() if unit in moved} for one in claimed]
    same = len(judged) == len(listed) and all(one in judged for one in listed)
    return same and (claim.verdicts is None or claim.verdicts == verdicts)


def _line_holds(claim: LineClaim) -> bool:
    """Whether satjudge itself proves what a certificate claims, and everything is told that restricts the enemies."""
    line = read_line(claim)
    unit_at = line.board.unit_at
    if any(entry.reason for entry in make_docket(line.board, {OWN: [*line.orders.values()]}, line.rulebook).entries[OWN]):
        return False
    if not all(isinstance(order, Hold | SupportHold) for order in line.orders.values()) or not line.protected >= unit_at.keys():
        return False
    free = FirstLine(line.board, dict(line.orders), line.rulebook, line.protected - unit_at.keys(), enemies=claim.most)
    possible = _units(claim.enemies)
    if not (any(claim.restrictions) or (possible == set(free.enemy_units) and not claim.limits)):
        return False
    limits = tuple(Limit(_units(limit.units), limit.most) for limit in claim.limits)
    first = FirstLine(
        free.board,
        free.orders,
        free.rulebook,
        free.behind,
        enemies=claim.most,
        fleets=claim.fleets,
        possible=possible,
        limits=limits,
    )
    return examine_line(first).holds and not any(list_threats(first, province) for province in claim.unreachable)


def _fewest_are(claim: FewestClaim) -> bool:
    """Whether satjudge itself finds no lines with so few units but those that are listed, and proves that these hold."""
    game_map = load_map(claim.map)
    asked = LinesTask(
        goal=claim.goal,
        region=" ".join(claim.region),
        without=(*claim.missing,),
        feeds=claim.feeds,
        no_pockets=not claim.pockets,
        out=None if claim.out is None else ",".join(claim.out),
    )
    found = find_smallest_lines(asked.parse_conditions(game_map), load_rulebook(), count=10_000)
    asked_for = read_line_space(claim)
    listed = read_listed_lines(claim, asked_for)
    for line in listed:
        behind = line.protected - line.board.unit_at.keys()
        enemies = _units([str(unit) for unit in asked_for.enemies if unit.province not in line.protected])
        first = FirstLine(line.board, dict(line.orders), line.rulebook, behind, enemies=len(enemies), possible=enemies)
        if (
            not examine_line(first).holds
            or not asked_for.goal.is_met_by(line.protected, game_map)
            or not line.protected <= asked_for.region
        ):
            return False
    if found.units is None or claim.most < found.units:
        return True
    those = {frozenset(line.board.unit_at) for line in listed if len(line.orders) <= claim.most}
    return claim.most == found.units and {frozenset(line.board.unit_at) for line in found.lines} <= those


def _units(texts: list[str]) -> frozenset[EnemyUnit]:
    return frozenset((UnitKind(kind), place) for kind, place in map(str.split, texts))


def _slow() -> set[str]:
    """The bundles whose certificates take over a second each to verify."""
    rows = map(json.loads, (DOCS / "made.jsonl").read_text(encoding="utf-8").splitlines())
    return {row["name"] for row in rows if row["seconds"]["verifying"] > row["certificates"]}


def _drawn(bundle: Path) -> Iterator[CertificateFile]:
    """Every twelfth certificate of a bundle, and those of positions with units that cannot be supported."""
    for number, package in enumerate(iter_certificates(bundle)):
        claim = package.certificate.claim
        if number % 12 == 0 or (isinstance(claim, ResolutionsClaim) and claim.position.unsupportable):
            yield package


def campaign(seeds: Iterable[int]) -> tuple[Counter[tuple[str, str]], list[str]]:
    """By what was changed what came of it how often; and the mutants that are accepted and wrong."""
    drawn = [read(one) for bundle in sorted(DOCS.glob("*.zip")) if bundle.stem not in _slow() for one in _drawn(bundle)]
    found: Counter[tuple[str, str]] = Counter()
    wrong = []
    for seed in seeds:
        data, files = drawn[seed % len(drawn)]
        change, content = tampered(data, files, seed, CHANGES[data["claim"]["type"]])
        refused = problems(content)
        came_of_it = refused[0].partition(":")[0] if refused else judgement(content)
        found[change, came_of_it] += 1
        if came_of_it == WRONG:
            wrong.append(f"{seed}: {data['title']}: {change}")
    return found, wrong


_INTRODUCTION = """`python tests/helpers/tampering.py` wrote this page. It changed certificates of this folder at random and
verified them, except those that take over a second each to verify. *Forged* mutants contain the formulas
and proofs of the changed claim, wherever proofs exist.

A mutant can be accepted rightly. For example, a proof repeats a step, a setting does not matter, or the new claim
is true. satjudge judges that itself. *Assumed* mutants count illegal orders, which a certificate of resolutions
does not exclude: legality is one of its assumptions."""


def table(found: Counter[tuple[str, str]]) -> Iterable[str]:
    """The page of a campaign."""
    checks = sorted({came for _, came in found} - {RIGHT, WRONG, ASSUMED})
    yield "# Tampered certificates"
    yield ""
    yield from _INTRODUCTION.splitlines()
    yield ""
    header = [
        "change",
        "mutants",
        *(f"refused: {check}" for check in checks),
        "accepted: right",
        "accepted: assumed",
        "accepted: wrong",
    ]
    yield f"| {' | '.join(header)} |"
    yield f"|{'---|' * len(header)}"
    for change in [*sorted({change for change, _ in found}), "all"]:
        counts = Counter({came: n for (one, came), n in found.items() if one == change})
        if change == "all":
            for (_, came), n in found.items():
                counts[came] += n
        row = [
            change,
            counts.total(),
            *(counts[check] or "" for check in checks),
            counts[RIGHT],
            counts[ASSUMED],
            counts[WRONG],
        ]
        yield f"| {' | '.join(map(str, row))} |"


if __name__ == "__main__":
    came, wrongly = campaign(range(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
    (DOCS / "tampering.md").write_text("".join(f"{line}\n" for line in table(came)), encoding="utf-8")
    sys.exit("\n".join(wrongly) or None)
