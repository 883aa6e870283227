"""Changes certificates of resolutions at random, as somebody would who knows the format: all digests are right again."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import msgspec

from satjudge.verify.certificate import Certificate, file_of, write

Files = dict[str, bytes]
Data = dict[str, Any]


def read(path: Path) -> tuple[Data, Files]:
    """A certificate as plain data, and its files."""
    with ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    return json.loads(files.pop("certificate.json")), files


def packed(data: Data, files: Files) -> bytes:
    """The certificate as a file, with the digests that its files have now."""
    for step in data["steps"]:
        for part in ("formula", "proof"):
            name = step[part]["name"]
            if name in files:
                step[part] = msgspec.to_builtins(file_of(name, files[name]))
    written = BytesIO()
    write(msgspec.convert(data, Certificate), files, written)
    return written.getvalue()


def tampered(data: Data, files: Files, seed: int) -> tuple[str, bytes]:
    """What was done, and the certificate after it."""
    draw = random.Random(seed)
    data, files = json.loads(json.dumps(data)), dict(files)
    change = draw.choice(CHANGES)
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


def forget_move(draw: random.Random, data: Data, files: Files) -> None:
    """A move that the first formula does not speak of."""
    lines = files["complete.cnf"].decode().splitlines()
    named = [number for number, line in enumerate(lines) if line.startswith("c variable") and "MOVE" in line]
    if named:
        lines.pop(draw.choice(named))
        files["complete.cnf"] = "".join(f"{line}\n" for line in lines).encode()


CHANGES: list[Callable[[random.Random, Data, Files], None]] = [
    omit_resolution, flip_order, repeat_resolution, change_setting, change_order, change_owner, change_line, change_line,
    change_line, swap_files, drop_step, forget_move,
]  # fmt: skip
