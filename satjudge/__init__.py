"""Adjudicates the board game Diplomacy by solving its rules as equations.

    >>> from satjudge import Position
    >>> Position.of({"AUSTRIA": ["A VIE - TYR"], "ITALY": ["A VEN - TYR"]}).judge().results
    {'AUSTRIA': ['fails'], 'ITALY': ['fails']}

These names are available after `import satjudge`:

    judge   `Position`, a board with its orders; `judge(board, orders)`, `judge_phase`, `resolutions`; `Outcome`, `Engine`
    play    `Game`, from its beginning to victory or a draw
    boards  `Board`, `starting_board`, `Unit`, `DislodgedUnit`, `Turn`, `Season`, `Phase`
    texts   `parse_order`, `parse_unit`
    maps    `Map`, `Power`, `load_map` for one that comes with satjudge, `read_map` for a file of your own
    rules   `Rulebook`, `load_rulebook`
    errors  `SatjudgeError`, and below it `InputError` and `UnresolvedError`

These modules are available as well; each lists its names in `__all__`:

    satjudge.batch       many positions, as batch lines or dictionaries
    satjudge.bulk        boards and games by the thousand, as arrays
    satjudge.check       the verdicts that an order sheet expects
    satjudge.crosscheck  other engines and saved games, compared with satjudge
    satjudge.env         environments for agents that learn
    satjudge.explain     why a verdict is what it is, and what would change it
    satjudge.formats     files from other programs
    satjudge.orders      the classes of orders
    satjudge.render      pictures

Each name is imported when it is first used.
"""

from satjudge.base import startup as _startup  # noqa: F401  # before what takes time: till the command runs, Ctrl-C ends it

# isort: split
from typing import TYPE_CHECKING

from satjudge.base.imports import make_lazy_getattr as _lazily
from satjudge.base.imports import register_hooks as _hand_in
from satjudge.base.version import __version__ as __version__

_hand_in(
    as_text="satjudge.show.notebooks:as_text",
    as_html="satjudge.show.notebooks:as_html",
    legal_order_texts="satjudge.judging.legal_orders:legal_order_texts",
    unit_orders="satjudge.judging.legal_orders:unit_orders",
    game_report="satjudge.show.game_reports:format_report",
    board_judge="satjudge.bulk.wasm.loading:load_board_judge",
    explained="satjudge.explain.phases:explain_phase",
    what_would_change="satjudge.explain.counterfactuals:what_would_change",
    compare="satjudge.explain.compare:compare",
    read_position="satjudge.files.cases:read_position",
    read_positions="satjudge.files.cases:read_positions",
)

if TYPE_CHECKING:
    from satjudge import batch as batch
    from satjudge import bulk as bulk
    from satjudge import check as check
    from satjudge import crosscheck as crosscheck
    from satjudge import env as env
    from satjudge import explain as explain
    from satjudge import formats as formats
    from satjudge import orders as orders
    from satjudge import render as render
    from satjudge.base.errors import InputError, SatjudgeError, UnresolvedError
    from satjudge.files.maps import read_map as read_map
    from satjudge.game.game import Game as Game
    from satjudge.judging.judge import judge, judge_phase, resolutions
    from satjudge.judging.outcome import Outcome
    from satjudge.judging.position import Position
    from satjudge.judging.solve import Engine
    from satjudge.notation.parse import parse_order, parse_unit
    from satjudge.world.board import Board, DislodgedUnit, Phase, Season, Turn, Unit, starting_board
    from satjudge.world.geography import Map, Power, load_map
    from satjudge.world.rules import Rulebook, load_rulebook
else:  # every run of pytest imports the package, for its plugin, and so does a shell that completes
    _OFFERED = {
        "satjudge.base.errors": ("InputError", "SatjudgeError", "UnresolvedError"),
        "satjudge.files.maps": ("read_map",),
        "satjudge.game.game": ("Game",),
        "satjudge.judging.judge": ("judge", "judge_phase", "resolutions"),
        "satjudge.judging.outcome": ("Outcome",),
        "satjudge.judging.position": ("Position",),
        "satjudge.judging.solve": ("Engine",),
        "satjudge.notation.parse": ("parse_order", "parse_unit"),
        "satjudge.world.board": ("Board", "DislodgedUnit", "Phase", "Season", "Turn", "Unit", "starting_board"),
        "satjudge.world.geography": ("Map", "Power", "load_map"),
        "satjudge.world.rules": ("Rulebook", "load_rulebook"),
    }
    __getattr__ = _lazily(__name__, _OFFERED)


def __dir__() -> list[str]:
    return __all__


__all__ = [
    "Board",
    "DislodgedUnit",
    "Engine",
    "Game",
    "InputError",
    "Map",
    "Outcome",
    "Phase",
    "Position",
    "Power",
    "Rulebook",
    "SatjudgeError",
    "Season",
    "Turn",
    "Unit",
    "UnresolvedError",
    "batch",
    "bulk",
    "check",
    "crosscheck",
    "env",
    "explain",
    "formats",
    "judge",
    "judge_phase",
    "load_map",
    "load_rulebook",
    "orders",
    "parse_order",
    "parse_unit",
    "read_map",
    "render",
    "resolutions",
    "starting_board",
]
