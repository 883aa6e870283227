"""Fifty mails in five manners, by somebody who had not seen the reader (`mails_fifty.toml`): each is read right or told.

`orders` is what a careful game master makes of a mail, with `later` for orders that are for another phase and `ask` for what
must be asked. `unread` are the orders that the reader does not read yet, of which it refuses a line by itself.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from satjudge.files.mail import letter_in
from satjudge.game.game import Game
from satjudge.notation.parse import parse_unit
from satjudge.world.board import Board, DislodgedUnit, Phase, Season, Turn, Unit
from satjudge.world.geography import load_map, province_of

MAP = load_map()
MAILS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("mails_fifty.toml").read_text(encoding="utf-8"))["mail"]


def units(power: str, listed: str) -> list[Unit]:
    return [parse_unit(text.strip(), power, MAP) for text in listed.split(",")]


def game_of(mail: dict[str, Any]) -> Game:
    """A game in the phase of a mail, with the units that matter."""
    phase = next(phase for phase in Phase if phase[0].upper() == mail["phase"][-1])
    standing = {unit.province: unit for power, listed in mail["other"].items() for unit in units(power, listed)}
    standing.update({unit.province: unit for unit in units(mail["power"], mail["units"])})
    dislodged = []
    for text, origin in mail.get("dislodged", {}).items():
        unit = parse_unit(text, mail["power"], MAP)
        free = (there for there in MAP.exits(unit.kind, unit.location) if province_of(there) not in {*standing, origin})
        dislodged.append(DislodgedUnit(unit, tuple(sorted(free)), origin))
    centers = dict.fromkeys(mail.get("centers", ()), mail["power"])
    turn = Turn(int(mail["phase"][1:5]), Season.SPRING if mail["phase"][0] == "S" else Season.FALL)
    return Game.new(board=Board(tuple(standing.values()), tuple(dislodged), centers, phase, MAP, turn))


def plainly(order: str, game: Game) -> str:
    """An order without what may be left out: the convoy, its seas, the coast at the end; with the kind of its unit."""
    kinds = {unit.province: unit.kind for unit in (*game.board.units, *(lost.unit for lost in game.board.dislodged))}
    order = re.sub(r" VIA$|(?<=[A-Z]{3})/[NSEW]C$", "", order)
    order = re.sub(r"^([AF] \S+) - .* - (\S+)$", r"\1 - \2", order)
    order = re.sub(r" ([SC]) [A-Z]{4,} ", r" \1 ", order)
    return order if order[1] == " " or order == "WAIVE" else f"{kinds[province_of(order.split()[0])]} {order}"


def read(mail: dict[str, Any], *, as_meant: bool = False) -> tuple[Game, list[str]]:
    """The game with the orders of a mail, and what was told: of one in which nothing can be read all errors."""
    game, letter = game_of(mail), letter_in(mail["text"].encode(), "m")
    return game, game.read_message(mail["power"], letter.text, source="m", as_meant=as_meant, add=False).remarks


def taken(game: Game, power: str) -> set[str]:
    """The legal orders of a power."""
    illegal = game.illegal_orders.get(power, {})
    return {plainly(order, game) for order in game.orders.get(power, ()) if order not in illegal}


def refused_lines(told: list[str]) -> list[int]:
    """The lines of which something was refused."""
    found = (re.match(r"refused: m:(\d+)", line) for line in told)
    return sorted({int(line[1]) for line in found if line})


@pytest.mark.parametrize("mail", MAILS, ids=[mail["name"] for mail in MAILS])
def test_each_mail_is_read_right_or_told(mail: dict[str, Any]) -> None:
    game, told = read(mail)
    meant = {plainly(order, game) for order in mail["orders"]}
    unread = {plainly(order, game) for order in mail.get("unread", ())}
    assert unread <= meant
    assert taken(game, mail["power"]) == meant - unread
    assert refused_lines(told) == mail.get("refused", [])
    assert bool(unread) <= bool(mail.get("refused"))
    assert game.early_orders == {phase: {mail["power"]: orders} for phase, orders in mail.get("early", {}).items()}


def test_most_are_read_right_and_few_hold_nothing_that_is_read() -> None:
    """`--as-meant` reads some more, and tells so."""
    right = [mail for mail in MAILS if not mail.get("unread")]
    nothing = [mail["name"] for mail in MAILS if len(mail.get("unread", ())) == len(mail["orders"])]
    assert (len(MAILS), len(right), len(nothing)) == (50, 30, 3)
    more = [mail for mail in MAILS if mail.get("meant")]
    assert len(more) == 1
    for mail in more:
        game, told = read(mail, as_meant=True)
        assert taken(game, mail["power"]) == {plainly(order, game) for order in mail["orders"]}
        assert any("is read as" in line for line in told)
