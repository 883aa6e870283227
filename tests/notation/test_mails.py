"""Mails to a game master by people who had not seen the reader, each read right or refused: fifty in five manners, then sixty.

In `mails_fifty.toml`, `orders` is what a careful game master makes of a mail, with `later` for orders of another phase and
`ask` for what must be asked. In `mails_sixty.toml` it is what a stranger stated beforehand, word for word in `stated`.
`unread` are the orders that the reader does not read yet, of which it refuses a line by itself or says that they are illegal.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from satjudge.base.errors import InputError
from satjudge.files.mail import read_letter
from satjudge.game.game import Game
from satjudge.notation.parse import parse_unit
from satjudge.world.board import Board, DislodgedUnit, Phase, Season, Turn, Unit
from satjudge.world.geography import load_map, province_of

MAP = load_map()
FIFTY, SIXTY = (
    tomllib.loads(Path(__file__).with_name(f"mails_{name}.toml").read_text(encoding="utf-8")) for name in ("fifty", "sixty")
)


def units(power: str, listed: str) -> list[Unit]:
    return [parse_unit(text.strip(), power, MAP) for text in listed.split(",")]


def game_of(mail: dict[str, Any]) -> Game:
    """The game that a mail is for, in its phase and with the units that matter."""
    position: dict[str, Any] = SIXTY["position"][mail["position"]] if "position" in mail else mail
    name = position["phase"]
    phase = next(phase for phase in Phase if phase[0].upper() == name[-1])
    turn = Turn(int(name[1:5]), Season.SPRING if name[0] == "S" else Season.FALL)
    listed = position["units"] if "position" in mail else {**mail["other"], mail["power"]: mail["units"]}
    standing = {unit.province: unit for power, of in listed.items() for unit in units(power, of)}
    dislodged, centers = list[DislodgedUnit](), position.get("centers", ())
    if "position" in mail:
        for power, lost in position.get("dislodged", {}).items():
            dislodged += (DislodgedUnit(parse_unit(text, power, MAP), tuple(ways.split(", "))) for text, ways in lost.items())
        owners = {centre: power for power, of in centers.items() for centre in of.split(", ")}
    else:
        for text, origin in mail.get("dislodged", {}).items():
            unit = parse_unit(text, mail["power"], MAP)
            free = (there for there in MAP.exits(unit.kind, unit.location) if province_of(there) not in {*standing, origin})
            dislodged.append(DislodgedUnit(unit, tuple(sorted(free)), origin))
        owners = dict.fromkeys(centers, mail["power"])
    return Game.new(board=Board(tuple(standing.values()), tuple(dislodged), owners, phase, MAP, turn))


def plainly(order: str, game: Game) -> str:
    """An order without what may be left out: the convoy, its seas, the coast at the end; with the kind of its unit."""
    kinds = {unit.province: unit.kind for unit in (*game.board.units, *(lost.unit for lost in game.board.dislodged))}
    order = re.sub(r" VIA$|(?<=[A-Z]{3})/[NSEW]C$", "", order)
    order = re.sub(r"^([AF] \S+) - .* - (\S+)$", r"\1 - \2", order)
    order = re.sub(r" ([SC]) [A-Z]{4,} ", r" \1 ", order)
    return order if order[1] == " " or order == "WAIVE" else f"{kinds[province_of(order.split()[0])]} {order}"


def read(mail: dict[str, Any], *, as_meant: bool = False) -> tuple[Game, list[str]]:
    """The game with the orders of a mail, and the remarks: of a sheet in which nothing can be read all errors."""
    game, text = game_of(mail), read_letter(mail["text"].encode(), "m").text
    if power := mail.get("power"):
        if "before" in mail:
            game.order(power, *mail["before"])
        return game, game.read_message(power, text, source="m", as_meant=as_meant, add=False).remarks
    try:
        return game, game.read_sheet(text, source="m").remarks
    except InputError as error:
        return game, [f"refused: {one}" for one in getattr(error, "errors", [error])]


def taken(game: Game, power: str) -> set[str]:
    """The legal orders of a power."""
    illegal = game.illegal_orders.get(power, {})
    return {plainly(order, game) for order in game.orders.get(power, ()) if order not in illegal}


def refused_lines(told: list[str]) -> list[int]:
    """The lines of which something was refused."""
    found = (re.match(r"refused: m:(\d+)", line) for line in told)
    return sorted({int(line[1]) for line in found if line})


@pytest.mark.parametrize("mail", [*FIFTY["mail"], *SIXTY["mail"]], ids=lambda mail: mail["name"])
def test_a_mail_is_read_as_was_stated_beforehand_or_refused(mail: dict[str, Any]) -> None:
    game, told = read(mail)
    stated: dict[str, list[str]] = mail["orders"] if "position" in mail else {mail["power"]: mail["orders"]}
    meant = {power: {plainly(order, game) for order in orders} for power, orders in stated.items()}
    unread = {plainly(order, game) for order in mail.get("unread", ())}
    assert unread <= set().union(*meant.values())
    for power in MAP.powers:
        assert taken(game, power) == meant.get(power, set()) - unread
    early = mail.get("early", {})
    assert game.early_orders == (early if "position" in mail else {phase: {mail["power"]: of} for phase, of in early.items()})
    if "position" not in mail:
        assert refused_lines(told) == mail.get("refused", [])
        assert bool(unread) <= bool(mail.get("refused"))
    if unread:
        assert refused_lines(told) or any(game.illegal_orders.values())


def test_most_are_read_right_and_few_hold_nothing_that_is_read() -> None:
    """`--as-meant` reads some more, and remarks on it."""
    right, whole = ([mail for mail in some["mail"] if not mail.get("unread")] for some in (FIFTY, SIXTY))
    nothing = [mail["name"] for mail in FIFTY["mail"] if len(mail.get("unread", ())) == len(mail["orders"])]
    assert (len(FIFTY["mail"]), len(right), len(nothing)) == (50, 27, 5)
    assert (len(SIXTY["mail"]), len(whole)) == (60, 53)
    (mail,) = [mail for mail in FIFTY["mail"] if mail.get("meant")]
    game, told = read(mail, as_meant=True)
    assert taken(game, mail["power"]) == {plainly(order, game) for order in mail["orders"]}
    assert any("is read as" in line for line in told)
