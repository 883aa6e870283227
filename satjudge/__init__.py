"""Adjudicates the board game Diplomacy by solving its rules as equations.

    >>> from satjudge import Position
    >>> Position.of({"AUSTRIA": ["A VIE - TYR"], "ITALY": ["A VEN - TYR"]}).judge().results
    {'AUSTRIA': ['fails'], 'ITALY': ['fails']}

A `Position` is a board with its orders; `judge(board, orders)` judges the two. A `Game` holds a game, from its
beginning to victory or a draw.

All names are there after `import satjudge`, the modules `satjudge.batch`, `bulk`, `check`, `crosscheck`, `explain`, `formats`
and `render` too, as in `satjudge.render.svg(outcome)`. Each is imported when it is first asked for.
"""

from satjudge.base import startup as _startup  # noqa: F401  # before what takes time: till the command runs, Ctrl-C ends it

# isort: split
from typing import TYPE_CHECKING

from satjudge.base.handed_in import hand_in as _hand_in
from satjudge.base.lazy import lazily as _lazily
from satjudge.base.version import __version__ as __version__

_hand_in(
    as_text="satjudge.show.notebooks:as_text",
    as_html="satjudge.show.notebooks:as_html",
    legal_order_texts="satjudge.judging.legal_orders:legal_order_texts",
    unit_orders="satjudge.judging.legal_orders:unit_orders",
    game_report="satjudge.show.game_reports:written",
    board_judge="satjudge.bulk.available:board_judge",
    explained="satjudge.explain.phases:explained",
    what_would_change="satjudge.explain.otherwise:what_would_change",
    read_position="satjudge.files.cases:read_position",
    read_positions="satjudge.files.cases:read_positions",
    chordless_arm="satjudge.judging.solve.cpsat_engine:chordless_arm",
)

if TYPE_CHECKING:
    from satjudge import bulk as bulk
    from satjudge import engines as crosscheck
    from satjudge import env as env
    from satjudge import explain as explain
    from satjudge import files as formats
    from satjudge.base.errors import InputError, SatjudgeError, UnresolvedError
    from satjudge.bulk import batch as batch
    from satjudge.files.maps import read_map as read_map
    from satjudge.game.game import Game as Game
    from satjudge.judging import check as check
    from satjudge.judging.judge import judge, judge_phase, resolutions
    from satjudge.judging.outcome import Outcome
    from satjudge.judging.position import Position
    from satjudge.judging.solve import Engine
    from satjudge.notation.parse import parse_order, parse_unit
    from satjudge.show import rendering as render
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
    __getattr__ = _lazily(
        __name__,
        **{name: f"{module}:{name}" for module, names in _OFFERED.items() for name in names},
        batch="satjudge.bulk.batch",
        bulk="satjudge.bulk",
        check="satjudge.judging.check",
        crosscheck="satjudge.engines",
        env="satjudge.env",
        explain="satjudge.explain",
        formats="satjudge.files",
        render="satjudge.show.rendering",
    )


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
    "parse_order",
    "parse_unit",
    "read_map",
    "render",
    "resolutions",
    "starting_board",
]
