"""A picture in words: the alternative text, with the whole position, for readers who do not see it."""

from __future__ import annotations

from collections.abc import Iterator

from satjudge.geography import Map
from satjudge.notation import prose, prose_unit
from satjudge.render.pictures.scene import Figure, Scene


def told(scene: Scene) -> str:
    """The whole scene, in sentences."""
    return " ".join(_sentences(scene))


def _sentences(scene: Scene) -> Iterator[str]:
    game_map = scene.board.map
    if scene.caption:
        yield f"{scene.caption}."
    for power in scene.powers:
        figures = [figure for figure in scene.figures if figure.unit.power == power and figure.fate != "illegal"]
        refused = [prose_unit(f.unit, game_map) for f in scene.figures if f.unit.power == power and f.fate == "illegal"]
        orders = [order for order in scene.orders if order.power == power]
        units = ", ".join(_figure(figure, game_map) for figure in figures) or "no units"
        given = "; ".join(f"{prose(shown.order, game_map)} ({shown.verdict})" for shown in orders)
        yield f"{game_map.name_of(power)}: {units}." + f" Orders: {given}." * bool(given)
        if refused:
            yield f"May not be built: {', '.join(refused)}."
    yield from _rest(scene)


def _rest(scene: Scene) -> Iterator[str]:
    game_map = scene.board.map
    if scene.contested:
        yield f"Contested: {_names(scene.contested, game_map)}."
    if core := [str(shown.order) for shown in scene.orders if shown.highlight == "core"]:
        yield f"Core: {'; '.join(core)}."
    differing = [str(shown.order) for shown in scene.orders if shown.highlight == "differs"]
    if differing := differing + [f"the fate of {figure.unit}" for figure in scene.figures if figure.highlight]:
        yield f"Different: {'; '.join(differing)}."
    if scene.unseen:
        yield f"Not drawn: {'; '.join(scene.unseen)}."
    for power in sorted(set(scene.board.centers.values())):
        owned = [province for province, owner in scene.board.centers.items() if owner == power]
        yield f"{game_map.name_of(power)} owns {_names(owned, game_map)}."


def _figure(figure: Figure, game_map: Map) -> str:
    told_unit = prose_unit(figure.unit, game_map)
    return f"{told_unit} ({figure.fate})" if figure.fate else told_unit


def _names(provinces: frozenset[str] | list[str], game_map: Map) -> str:
    return ", ".join(sorted(game_map.provinces[province].name for province in provinces))
