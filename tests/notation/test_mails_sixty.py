"""Sixty mails to a game master by somebody who had not seen the reader (`mails_sixty.toml`), with what was stated beforehand.

`stated` is that statement, word for word, and `orders` are the orders in it. `unread` are those of them that the reader does
not take, of which a line is refused, or told to be illegal. What is not stated is never taken.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from satjudge.base.errors import InputError
from satjudge.files.mail import letter_in
from satjudge.game.game import Game
from satjudge.notation.parse import parse_unit
from satjudge.world.board import Board, DislodgedUnit, Phase, Season, Turn, Unit
from satjudge.world.geography import load_map, province_of

MAP = load_map()
TABLES = tomllib.loads(Path(__file__).with_name("mails_sixty.toml").read_text(encoding="utf-8"))
MAILS: list[dict[str, Any]] = TABLES["mail"]


def board_of(position: dict[str, Any]) -> Board:
    """The position that a mail is for."""
    units = [parse_unit(text, power, MAP) for power, listed in position["units"].items() for text in listed.split(", ")]
    lost = [
        DislodgedUnit(parse_unit(text, power, MAP), tuple(ways.split(", ")), "")
        for power, listed in position.get("dislodged", {}).items()
        for text, ways in listed.items()
    ]
    centers = {centre: power for power, listed in position["centers"].items() for centre in listed.split(", ")}
    name = position["phase"]
    phase = next(phase for phase in Phase if phase[0].upper() == name[-1])
    turn = Turn(int(name[1:5]), Season.SPRING if name[0] == "S" else Season.FALL)
    return Board(tuple(units), tuple(lost), centers, phase, MAP, turn)


def read(mail: dict[str, Any]) -> tuple[Game, list[str]]:
    """The game with the orders of a mail, and what was told; of one in which nothing can be read all errors."""
    game = Game.new(board=board_of(TABLES["position"][mail["position"]]))
    power: str | None = mail.get("power")
    if power and "before" in mail:
        game.order(power, *mail["before"])
    text = letter_in(mail["text"].encode(), "m").text
    if power:
        return game, game.read_message(power, text, source="m", add=False).remarks
    try:
        return game, game.read_sheet(text, source="m").remarks
    except InputError as error:
        return game, [f"refused: {one}" for one in getattr(error, "errors", [error])]


def taken(game: Game, power: str) -> set[str]:
    """The legal orders of a power, with the kinds of their units, without coasts at the end."""
    kinds = {unit.province: unit.kind for unit in all_units(game)}
    legal = [order for order in game.orders.get(power, ()) if order not in game.illegal_orders.get(power, {})]
    named = (
        order if order[1] == " " or order == "WAIVE" else f"{kinds[province_of(order.split()[0])]} {order}" for order in legal
    )
    return {order.removesuffix("/SC") for order in named}


def all_units(game: Game) -> list[Unit]:
    return [*game.board.units, *(lost.unit for lost in game.board.dislodged)]


@pytest.mark.parametrize("mail", MAILS, ids=[mail["name"] for mail in MAILS])
def test_what_is_taken_of_a_mail_was_stated_beforehand(mail: dict[str, Any]) -> None:
    game, told = read(mail)
    stated: dict[str, list[str]] = mail["orders"]
    unread = set(mail.get("unread", ()))
    assert unread <= {order for orders in stated.values() for order in orders}
    for power in MAP.powers:
        assert taken(game, power) == {order.removesuffix("/SC") for order in stated.get(power, ())} - unread
    assert game.early_orders == mail.get("early", {})
    if unread:
        assert any(line.startswith("refused: ") for line in told) or any(game.illegal_orders.values())


def test_most_are_read_whole() -> None:
    assert (len(MAILS), sum(not mail.get("unread") for mail in MAILS)) == (60, 53)
