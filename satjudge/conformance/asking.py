"""Asks an engine the questions of a kit, part by part, and tells where it answers otherwise than satjudge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from satjudge.crosscheck.campaign import VARYING, Campaign, told
from satjudge.crosscheck.comparison import Compared, Depth
from satjudge.crosscheck.positions import Position, position_from
from satjudge.crosscheck.registry import ORACLES, phases_of
from satjudge.documents import made_by
from satjudge.documents.campaigns import INTERNAL
from satjudge.documents.conformance import Conformance, Contradiction, Otherwise, PartAsked
from satjudge.errors import OracleLostError, OracleSkipError, RequestError, UnresolvedError

SHALLOW: Mapping[str, Depth] = {"map": Depth.POSITIONS}
"""What is compared of the parts in which engines may call the same thing differently: borders show in where units are."""


ASKED_OTHERWISE = ("datc", "clauses")
EVERY_SO_MANY_OTHERWISE = 5
"""Of the questions of these parts; each of them is asked otherwise as well (`satjudge.crosscheck.invariances`)."""


def conformance(
    campaign: Campaign, parts: Mapping[str, Sequence[bytes]], on_progress: Callable[[int], None] = lambda number: None
) -> Conformance:
    """Ask the engine of a campaign all questions of these parts, given as batch lines, and compare its answers."""
    found = Conformance(
        **made_by(campaign.rulebook), against=campaign.contact.against, dialect=campaign.contact.dialect, depth=campaign.depth,
        parts=[],
    )  # fmt: skip
    for name, lines in parts.items():
        part = PartAsked(name)
        found.parts.append(part)
        depth = SHALLOW.get(name, campaign.depth)
        try:
            _ask(replace(campaign, depth=depth if campaign.depth.reaches(depth) else campaign.depth), part, lines, on_progress)
            if name in ASKED_OTHERWISE and not found.contradicting:
                found.contradicting = _contradicting(campaign, lines)
        except OracleLostError as error:
            found.lost = f"The engine was lost in the part {name}: {error.message}"
            break
    return found


def _contradicting(campaign: Campaign, lines: Sequence[bytes]) -> list[Contradiction]:
    """The first question, of some, on which the engine contradicts itself when it is asked otherwise; none if it does not."""
    for line in lines[::EVERY_SO_MANY_OTHERWISE]:
        if (position := _position(campaign.contact.against, line)) and (varying := campaign.varying(position)):
            return [Contradiction(position.name, varying.kind.removeprefix(VARYING), varying.theirs)]
    return []


def _ask(campaign: Campaign, part: PartAsked, lines: Sequence[bytes], on_progress: Callable[[int], None]) -> None:
    """Ask the questions of one part, and count."""
    for line in lines:
        if position := _position(campaign.contact.against, line):
            _ask_one(campaign, part, position)
        else:
            part.not_asked += 1
        on_progress(1)


def _position(against: str, line: bytes) -> Position | None:
    """The position of a question; None if the engine is not asked about its phase, its map, or orders of another phase."""
    try:
        position = position_from(line)
    except RequestError:  # orders of another phase, or permissions to pass a canal
        return None
    oracle = ORACLES.get(against)
    known = position.board.phase in phases_of(against) and (oracle is None or oracle.maps.include(position.board.map))
    return position if known else None


def _ask_one(campaign: Campaign, part: PartAsked, position: Position) -> None:
    part.asked += 1
    try:
        compared = campaign.compare(position)
        explained = bool(compared.differences) and campaign.explained(compared) is not None
    except OracleLostError:
        part.asked -= 1
        raise
    except UnresolvedError:
        part.unresolved += 1
        return
    except OracleSkipError:
        part.skipped += 1
        return
    except Exception as error:  # of satjudge's own; what an oracle raises is a difference
        compared, explained = campaign.differing(position, INTERNAL, told(error), ""), False
    if explained:
        part.explained += 1
    elif compared.differences:
        part.findings.append(_otherwise(compared))
    else:
        part.agreed += 1


def _otherwise(compared: Compared) -> Otherwise:
    return Otherwise(compared.position.name, list(compared.differences))
