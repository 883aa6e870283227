"""Measures the speed of campaigns: a census over arrays and board by board, crosschecks, and the other engine's share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

from diplomacy_package import installed as with_diplomacy
from measuring import Effort, Figure, no_collection, number, seconds, spread

from satjudge.bulk import census
from satjudge.bulk.bulk_census import Counter
from satjudge.engines.campaign import Campaign, make_campaign, tally_boards
from satjudge.engines.positions import AskedPosition, Fuzz
from satjudge.judging.solve import Engine

SECTION = "campaigns"
WARM, MANY, FEW = 400, 40, 3
"""For each board of the effort: boards over arrays to learn from, boards over arrays, boards one by one."""
LARGE = 1_000_000


def campaigns(effort: Effort) -> Iterator[Figure]:
    """Censuses, one by one and over arrays, and crosschecks."""
    for every in (0, 10):
        yield from _census(census.Plan(seed=effort.seed, compare_every=every), effort)
    for against in ("datc-2", "kruijswijk-partial", *(["diplomacy"] if with_diplomacy() else [])):
        campaign = make_campaign(against, Fuzz(effort.seed, LARGE), engine=Engine.STAGED, rules="datc-3")
        boards = FEW * effort.boards
        tally_boards(campaign, range(boards))
        with no_collection():
            taken = [seconds(lambda: tally_boards(campaign, range(boards, 2 * boards))) / boards for _ in range(effort.rounds)]  # noqa: B023
        yield (figure := Figure(SECTION, f"crosscheck against {against}: one by one", "µs", spread(taken).times(1e6)))
        if against != "datc-2":
            yield _share(campaign, figure.values.median / 1e6, effort)


def _census(plan: census.Plan, effort: Effort) -> Iterator[Figure]:
    """Microseconds of the processor for a board in each way, and the ratio, round by round."""
    warm, many, few = (factor * effort.boards for factor in (WARM, MANY, FEW))
    counter = Counter(plan)
    counter.tally(range(warm))
    plain, arrays = list[float](), list[float]()
    for turn in range(effort.rounds):
        begin = warm + turn * many
        with no_collection():
            plain.append(seconds(lambda: [census.tally_board(plan, board) for board in range(begin, begin + few)]) / few)  # noqa: B023
            arrays.append(seconds(lambda: counter.tally(range(begin, begin + many))) / many)  # noqa: B023  # at once
    name = "census" + (f", all rulebooks on every {plan.compare_every}th board" if plan.compare_every else "")
    yield Figure(SECTION, f"{name}: one by one", "µs", spread(plain).times(1e6))
    yield Figure(SECTION, f"{name}: over arrays", "µs", spread(arrays).times(1e6))
    ratios = spread(one / other for one, other in zip(plain, arrays, strict=True))
    yield Figure(SECTION, f"{name}: times as fast", "×", ratios, note="both through the kernel")


def _share(campaign: Campaign, ours: float, effort: Effort) -> Figure:
    """The share of the other engine in the processor time of a board; `ours` are the seconds in this process."""
    positions = [campaign.source.get_position(number) for number in range(FEW * effort.boards)]
    if anew := getattr(campaign.contact.connect(), "start_anew", None):
        elsewhere = _of_children(campaign, positions, anew) / len(positions)
        share = elsewhere / (ours + elsewhere)
    else:
        share = _asking(campaign, positions) / len(positions) / ours
    return number(SECTION, f"crosscheck against {campaign.contact.against}: in the other engine", "%", 100 * share)


def _asking(campaign: Campaign, positions: Sequence[AskedPosition]) -> float:
    judge = campaign.contact.connect()
    return seconds(lambda: [judge(position.board, position.orders) for position in positions])


def _of_children(campaign: Campaign, positions: Sequence[AskedPosition], anew: Callable[[], None]) -> float:
    """The processor time of the process that an oracle asks, without its start; `anew` restarts the process."""
    used = []
    for some in (positions[:1], positions):
        anew()
        before = os.times()
        _asking(campaign, some)
        anew()
        after = os.times()
        used.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return used[1] - used[0]
