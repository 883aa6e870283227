"""Two loops that every question about unknown orders is answered by: propose, judge, learn; and leave out what can be."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

P = TypeVar("P")
O = TypeVar("O")  # noqa: E741


def refine(propose: Callable[[], P | None], judge: Callable[[P], O | None], learn: Callable[[O], None]) -> P | None:
    """The first proposal to which the judge has no objection; None if there are no more proposals.

    What the judge objects is learned, so that what is proposed next meets it.
    """
    while (proposal := propose()) is not None:
        objection = judge(proposal)
        if objection is None:
            return proposal
        learn(objection)
    return None


def minimal(things: Iterable[P], still_holds: Callable[[list[P]], bool], *, in_one_pass: bool = True) -> list[P]:
    """What is left of things that were left out one by one, as long as `still_holds` of the rest.

    One pass is enough if what holds of some things holds of more; otherwise none can be left out only after a pass in which
    nothing was.
    """
    kept, before = list(things), -1
    while before != len(kept):
        before = len(kept)
        for thing in list(kept):
            rest = [other for other in kept if other is not thing]
            if still_holds(rest):
                kept = rest
        if in_one_pass:
            break
    return kept
