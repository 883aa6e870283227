"""Makes reports: self-contained HTML pages about a position, or about a run that was written as JSON."""

from satjudge.show.report.engine_pages import engine_pages
from satjudge.show.report.game import GamePage
from satjudge.show.report.html import Section, page
from satjudge.show.report.position import PositionReport, position_page
from satjudge.show.report.runs import run_page, run_page_of

__all__ = ["GamePage", "PositionReport", "Section", "engine_pages", "page", "position_page", "run_page", "run_page_of"]
