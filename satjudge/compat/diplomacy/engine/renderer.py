"""Defines the package's `Renderer`, which draws games with satjudge's pictures."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from satjudge.compat.diplomacy.utils.exceptions import DiplomacyException
from satjudge.compat.positions import choose_rulebook
from satjudge.compat.refusals import StrictAttributes
from satjudge.game.stored_game import Played
from satjudge.show import rendering

if TYPE_CHECKING:
    from satjudge.compat.diplomacy.engine.game import Game


class Renderer(StrictAttributes):
    """Draws a game's current position."""

    def __init__(self, game: Game, svg_path: str | None = None) -> None:
        self.game = game

    def render(
        self,
        incl_orders: bool | str | Collection[str] = True,
        incl_abbrev: bool = False,
        output_format: str = "svg",
        output_path: str | None = None,
    ) -> str:
        """Return an SVG of the position with the chosen powers' orders, and write it to `output_path`; `incl_abbrev` is unused.

        Provinces are labelled with names or codes, as space allows. Raises `DiplomacyException` unless the format is svg.
        """
        if output_format != "svg":
            raise DiplomacyException(f"the drop-in draws only svg, not {output_format!r:.20}")
        board, given = self.game.board, self.game.get_orders()
        if not isinstance(incl_orders, bool):
            names = [incl_orders] if isinstance(incl_orders, str) else incl_orders
            if strange := [name for name in names if name.upper() not in given]:
                raise DiplomacyException(f"there is no power {strange[0]!r:.40}")
            given = {name.upper(): given[name.upper()] for name in names}
        ordered = incl_orders and not self.game.is_game_done and any(given.values())
        subject = Played(board, given, choose_rulebook(self.game.rulebook)) if ordered else board
        svg = str(rendering.svg(subject, title=self.game.get_current_phase(), whole=True))
        if output_path:
            Path(output_path).write_text(svg, encoding="utf-8")
        return svg
