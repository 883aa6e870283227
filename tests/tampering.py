"""Changes certificates at random, as somebody would who knows the format: all digests are right again."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import msgspec

from satjudge.errors import SatjudgeError
from satjudge.verify.certificate import Certificate, SearchClaim, file_of, write
from satjudge.verify.search_checks import bounds_of
from satjudge.verify.searches import GOALS, cases_of, formula

Files = dict[str, bytes]
Data = dict[str, Any]


def read(path: Path) -> tuple[Data, Files]:
    """A certificate as plain data, and its files."""
    with ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    return json.loads(files.pop("certificate.json")), files


def packed(data: Data, files: Files) -> bytes:
    """The certificate as a file, with the digests that its files have now, or that the clauses of its claim have."""
    if data["claim"]["type"] == "search":
        write_formulas_anew(data)
    for step in data["steps"]:
        for part in ("formula", "proof"):
            name = step[part]["name"]
            if name in files:
                step[part] = msgspec.to_builtins(file_of(name, files[name]))
    written = BytesIO()
    write(msgspec.convert(data, Certificate), files, written)
    return written.getvalue()


def write_formulas_anew(data: Data) -> None:
    """Have the formulas that are not held be those of the claim, if it has any."""
    try:
        claim = msgspec.convert(data["claim"], SearchClaim)
        for step, case in zip(data["steps"], cases_of(claim.goal), strict=False):
            step["formula"] = msgspec.to_builtins(
                file_of(step["formula"]["name"], formula(bounds_of(claim), case).text.encode())
            )
    except SatjudgeError:
        pass


Change = Callable[[random.Random, Data, Files], None]


def tampered(data: Data, files: Files, seed: int, changes: Sequence[Change] = ()) -> tuple[str, bytes]:
    """What was done, and the certificate after it."""
    draw = random.Random(seed)
    data, files = json.loads(json.dumps(data)), dict(files)
    change = draw.choice(changes or CHANGES)
    change(draw, data, files)
    return change.__name__, packed(data, files)


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
    orders = data["claim"]["position"]["orders"]
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


CHANGES: list[Change] = [
    omit_resolution, flip_order, repeat_resolution, change_setting, change_order, change_owner, change_line, change_line,
    change_line, swap_files, drop_step, change_verdict, change_verdict, change_formula,
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
    settings = data["claim"]["rulebook"]["settings"]
    settings[draw.choice(sorted(settings))] = draw.choice(["unordered", "all", "explicit", "never", "1971", "hold", "ignored"])


LINE_CHANGES: list[Change] = [
    protect_less, protect_more, lose_enemies, gain_enemy, change_bound, change_bound, change_restrictions, change_line_order,
    change_line, change_line, swap_files, drop_step, swap_steps, change_rules,
]  # fmt: skip


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
    """Another goal."""
    data["claim"]["goal"] = draw.choice(sorted(GOALS))


SEARCH_CHANGES: list[Change] = [
    change_region, change_region, change_most, change_goal, change_line, change_line, drop_step, swap_steps, change_rules,
]  # fmt: skip
