"""Makes reports: self-contained HTML pages about a position, or about a run that was written as JSON."""

from satjudge.show.report.engine_pages import make_engine_pages
from satjudge.show.report.game import GamePage
from satjudge.show.report.html import Section, format_page
from satjudge.show.report.position import PositionReport, make_position_page
from satjudge.show.report.runs import format_run_page, make_run_page

__all__ = [
    "GamePage",
    "PositionReport",
    "Section",
    "format_page",
    "format_run_page",
    "make_engine_pages",
    "make_position_page",
    "make_run_page",
]
