"""The storyteller: where the stories of moves, supports and convoys meet, as each may rest on any other."""

from __future__ import annotations

from satjudge.equations.situation import Decision, MoveDecision, SupportDecision
from satjudge.explain.context import Context
from satjudge.explain.convoys import convoy_available, convoy_failure
from satjudge.explain.moves import move_failure, move_success
from satjudge.explain.parts import Reason
from satjudge.explain.supports import support_failure, support_given


class Storyteller(Context):
    """A context that knows every story."""

    def cause(self, decision: Decision) -> Reason:
        """Why a decision is as its equation has it."""
        value = self.values[decision.index]
        if isinstance(decision, MoveDecision):
            return move_success(self, decision) if value else move_failure(self, decision)
        if isinstance(decision, SupportDecision):
            return support_given(self, decision) if value else support_failure(self, decision)
        return convoy_available(self, decision) if value else convoy_failure(self, decision)
