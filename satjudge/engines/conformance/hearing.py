"""Keeps what an engine says while it is asked the kit, for the diagnosis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from satjudge.base.errors import OracleError, OracleLostError, OracleSkipError
from satjudge.engines.campaign import Campaign
from satjudge.engines.comparison import Depth
from satjudge.engines.conformance.questions import name_of
from satjudge.engines.positions import Position
from satjudge.oracles.oracle import Answer

MORE = "more"
"""What questions are called that are in no part of the kit."""


@dataclass(frozen=True, eq=False)
class Heard:
    """What an engine said to a question."""

    part: str
    position: Position
    depth: Depth
    theirs: Answer | None
    """None if it gave no answer."""
    failure: str = ""
    """The kind of failure then, as `raised ZeroDivisionError`."""
    told: str = ""
    """What it came to, in words."""

    @property
    def size(self) -> tuple[int, int, str]:
        """Smaller questions are better evidence."""
        return len(self.position.board.units), len(self.position.line), self.position.name


@dataclass(frozen=True, repr=False)
class Listening(Campaign):
    """A campaign that keeps what the engine first said to each position, by its name."""

    said: dict[str, Heard] = field(default_factory=dict, compare=False)

    def _asked(self, position: Position) -> Answer:
        try:
            answer = super()._asked(position)
        except (OracleLostError, OracleSkipError):
            raise
        except OracleError as error:
            self.said.setdefault(position.name, Heard("", position, self.depth, None, error.kind, str(error)))
            raise
        self.said.setdefault(position.name, Heard("", position, self.depth, answer))
        return answer

    def heard(self, parts: Mapping[str, Sequence[bytes]]) -> list[Heard]:
        """What it said to the questions of these parts, given as batch lines, as far as it was asked them."""
        found = []
        for part, lines in parts.items():
            for line in lines:
                if one := self.said.get(name_of(line)):
                    found.append(replace(one, part=part))
        return found

    def hear(self, position: Position) -> Heard | None:
        """What it says to another position; None if it skips it, or is lost."""
        try:
            return Heard(MORE, position, self.depth, self.answer(position))
        except (OracleLostError, OracleSkipError):
            return None
        except OracleError as error:
            return Heard(MORE, position, self.depth, None, error.kind, str(error))


def listening(campaign: Campaign) -> Listening:
    """The same campaign, which listens."""
    return Listening(**{entry.name: getattr(campaign, entry.name) for entry in fields(campaign)})
