"""Keeps the answers that an engine gives while it is asked the kit, for the diagnosis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from satjudge.base.errors import OracleError, OracleLostError, OracleSkipError, UnresolvedError
from satjudge.engines.campaign import Campaign
from satjudge.engines.comparison import Depth
from satjudge.engines.conformance.kit import read_name
from satjudge.engines.positions import AskedPosition
from satjudge.oracles.oracle import Answer

MORE = "more"
"""The part of questions that are in no part of the kit."""


@dataclass(frozen=True, eq=False)
class EngineAnswer:
    """An engine's answer to a question."""

    part: str
    position: AskedPosition
    depth: Depth
    theirs: Answer | None
    """The answer; None if the engine gave none."""
    failure: str = ""
    """The kind of failure if there is no answer, as `raised ZeroDivisionError`."""
    told: str = ""
    """The failure in words."""

    @property
    def size(self) -> tuple[int, int, str]:
        """The size of the question, by which smaller ones are better evidence."""
        return len(self.position.board.units), len(self.position.line), self.position.name


@dataclass(frozen=True, repr=False)
class RecordingCampaign(Campaign):
    """A campaign that keeps the engine's first answer to each position, by the position's name."""

    said: dict[str, EngineAnswer] = field(default_factory=dict, compare=False)

    def _ask_oracle(self, position: AskedPosition) -> Answer:
        try:
            answer = super()._ask_oracle(position)
        except (OracleLostError, OracleSkipError):
            raise
        except OracleError as error:
            self.said.setdefault(position.name, EngineAnswer("", position, self.depth, None, error.kind, str(error)))
            raise
        self.said.setdefault(position.name, EngineAnswer("", position, self.depth, answer))
        return answer

    def list_answers(self, parts: Mapping[str, Sequence[bytes]]) -> list[EngineAnswer]:
        """List the answers to the questions of some parts, given as batch lines, as far as they were asked."""
        found = []
        for part, lines in parts.items():
            for line in lines:
                if one := self.said.get(read_name(line)):
                    found.append(replace(one, part=part))
        return found

    def ask_position(self, position: AskedPosition) -> EngineAnswer | None:
        """Ask the engine about another position; None if it skips the position, has no answer or is lost."""
        position = self.drop_illegal_orders(position)
        try:
            return EngineAnswer(MORE, position, self.depth, self.ask_oracle(position))
        except (OracleLostError, OracleSkipError, UnresolvedError):
            return None
        except OracleError as error:
            return EngineAnswer(MORE, position, self.depth, None, error.kind, str(error))


def make_recording_campaign(campaign: Campaign) -> RecordingCampaign:
    """Copy a campaign into one that keeps the engine's answers."""
    return RecordingCampaign(**{entry.name: getattr(campaign, entry.name) for entry in fields(campaign)})
